// Uploaded SVG files: logos as saved by editors are drawn, active content is not, and a drawing that needs too much is
// aborted.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { createLogger } from '../../server/base/log.ts'
import { createIconDrawer } from '../../server/services/preview/icon.ts'
import { drawIcon } from '../../server/services/preview/icon-drawing.ts'

const XMLNS = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
const svg = (inner: string, attributes = 'viewBox="0 0 100 100"') =>
  `<svg ${XMLNS} ${attributes}>${inner}</svg>`
const VISIBLE = '<rect width="50" height="50" fill="#00f"/>'

/** The chunks of a PNG by name. */
function chunksOf(png: Buffer): Map<string, Buffer> {
  assert.equal(png.toString('latin1', 0, 8), '\x89PNG\r\n\x1a\n')
  const chunks = new Map<string, Buffer>()
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const name = png.toString('latin1', at + 4, at + 8)
    const data = png.subarray(at + 8, at + 8 + png.readUInt32BE(at))
    chunks.set(name, Buffer.concat([chunks.get(name) ?? Buffer.alloc(0), data]))
  }
  return chunks
}

/** Colours by position, as `rrggbbaa`. */
function pixelsOf(png: Uint8Array) {
  const chunks = chunksOf(Buffer.from(png))
  assert.deepEqual([...chunks.keys()], ['IHDR', 'IDAT', 'IEND'], 'pixels and nothing else')
  const header = chunks.get('IHDR')!
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const rows = inflateSync(chunks.get('IDAT')!)
  const pixels = Buffer.alloc(width * height * 4)
  for (let y = 0; y < height; y++) {
    const row = rows.subarray(y * (width * 4 + 1), (y + 1) * (width * 4 + 1))
    assert.equal(row[0], 1, 'the renderer uses the filter "sub" for all rows')
    for (let x = 0; x < width * 4; x++)
      pixels[y * width * 4 + x] = (row[x + 1]! + (x < 4 ? 0 : pixels[y * width * 4 + x - 4]!)) & 255
  }
  const at = (x: number, y: number) => pixels.toString('hex', (y * width + x) * 4, (y * width + x) * 4 + 4)
  return { width, height, pixels, at }
}

/** As saved by Inkscape and Illustrator, shortened. */
const inkscape = `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!-- Created with Inkscape -->
<svg width="100" height="50" viewBox="0 0 100 50" version="1.1" id="svg1" inkscape:version="1.3" sodipodi:docname="logo.svg"
   xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"
   xmlns:xlink="http://www.w3.org/1999/xlink" xmlns="http://www.w3.org/2000/svg"
   xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:cc="http://creativecommons.org/ns#" xmlns:dc="http://purl.org/dc/elements/1.1/">
  <sodipodi:namedview id="base" pagecolor="#ffffff" inkscape:zoom="1.4"><inkscape:grid type="xygrid"/></sodipodi:namedview>
  <metadata><rdf:RDF><cc:Work rdf:about=""><dc:title>Logo &amp; more</dc:title><other onclick="x">y</other></cc:Work></rdf:RDF></metadata>
  <defs id="d"><linearGradient id="a"><stop offset="0" style="stop-color:#e2001a;stop-opacity:1"/></linearGradient>
  <linearGradient id="b" xlink:href="#a" gradientTransform="scale(2)"/></defs>
  <g inkscape:label="Layer 1" inkscape:groupmode="layer"><path style="fill:url(#b);stroke:none" d="M 0,0 10,10 0,10 Z" sodipodi:nodetypes="cc"/>
  <text x="1" y="2">A &lt; B<tspan>é</tspan></text></g>
</svg>`
const illustrator = `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg version="1.1" id="Layer_1" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" x="0px" y="0px"
  viewBox="0 0 20 20" style="enable-background:new 0 0 20 20;" xml:space="preserve" data-name="Layer 1">
<defs><path id="s" d="M0 0h20v20H0z"/></defs><clipPath id="c"><use xlink:href="#s" style="overflow:visible;"/></clipPath>
<g style="clip-path:url(#c)"><rect x='1' y="1" width="5" height="5" fill="#0a3"/></g></svg>`

const attacks = [
  svg('<script>alert(1)</script>'),
  svg('<SCRIPT>alert(1)</SCRIPT>'),
  svg('<svg:script>alert(1)</svg:script>'),
  svg('<style>*{fill:red}</style>'),
  svg('<foreignObject><body/></foreignObject>'),
  svg('<image href="https://evil.example/x.png"/>'),
  svg('<image href="data:image/svg+xml;base64,AAAA"/>'),
  svg('<a href="#x"><path d="M0 0"/></a>'),
  svg('<iframe/>'),
  svg('<animate attributeName="href" to="javascript:alert(1)"/>'),
  svg('<set attributeName="onload" to="alert(1)"/>'),
  svg('<feImage href="#x"/>'),
  svg('<g onload="alert(1)"/>'),
  svg('<g\nonload\n=\n"alert(1)"/>'),
  svg('', 'onload="alert(1)"'),
  svg('<use href="https://evil.example/x.svg#a"/>'),
  svg('<use xlink:href="data:image/svg+xml,x#a"/>'),
  svg('<use href=" #a"/>'),
  svg('<use href="#a" xlink:href="https://evil.example/#b"/>'),
  svg('<use href="java&#115;cript:alert(1)"/>'),
  svg('<rect fill="url(https://evil.example/#a)"/>'),
  svg('<rect style="fill:url( //evil.example/#a )"/>'),
  svg('<rect style="fill:u\\72l(//evil.example)"/>'),
  svg('<rect style="fill:u/**/rl(//evil.example)"/>'),
  svg('<rect style="fill:url(#a) url(x)"/>'),
  svg('<rect style="@import x"/>'),
  svg('<rect style="fill:&#117;rl(//evil.example)"/>'),
  svg('<rect fill="red" fill="blue"/>'),
  svg('<![CDATA[<script>alert(1)</script>]]>'),
  svg('<text>&evil;</text>'),
  svg('<text>&#0;</text>'),
  svg('<text>&#xD800;</text>'),
  svg('<g><path></g></path>'),
  svg('<g>'),
  svg('</g>'),
  svg('<path d="M0 0"'),
  svg('<path d=M0/>'),
  svg('<!-- never closed'),
  svg('<?php echo 1 ?>'),
  svg('<unknown/>'),
  svg('<path unknown="1"/>'),
  svg(`${'<g>'.repeat(200)}${'</g>'.repeat(200)}`),
  svg('<g id="a"><use href="#b"/></g><g id="b"><path/></g><use href="#a"/>'),
  `<svg xmlns="http://www.w3.org/1999/xhtml"/>`,
  `${svg('')}${svg('')}`,
  `${svg('')}trailing`,
  `<html>${svg('')}</html>`,
  `<!DOCTYPE svg [<!ENTITY a "b">]>${svg('')}`,
  `${svg('')}<!DOCTYPE svg>`,
  `<?xml version="1.0"?><?xml-stylesheet href="x"?>${svg('')}`,
  `<svg:svg xmlns:svg="http://www.w3.org/2000/svg"/>`,
  '',
]

test('harmless logos keep their look', () => {
  const first = pixelsOf(drawIcon(inkscape))
  assert.deepEqual([first.width, first.height], [512, 256])
  assert.equal(first.at(5, 20), 'e2001aff')
  assert.equal(first.at(500, 5), '00000000')
  const second = pixelsOf(drawIcon(illustrator))
  assert.deepEqual([second.width, second.height], [512, 512])
  assert.equal(second.at(100, 100), '00aa33ff')
  const high = pixelsOf(drawIcon(svg(VISIBLE, 'width="50" height="200"')))
  assert.deepEqual([high.width, high.height], [128, 512])
})

test('texts are drawn with the application’s fonts', () => {
  const drawn = (family: string) =>
    drawIcon(svg(`<text y="50" font-size="40" font-family="${family}">Hi</text>`))
  assert.deepEqual(drawn('Inter'), drawn('Nonesuch'))
})

test('scripts, links and external references are not drawn', () => {
  for (const source of attacks) {
    assert.throws(() => drawIcon(source), Error, source)
    const end = source.lastIndexOf('</svg>')
    let png: Uint8Array
    try {
      png = drawIcon(`${source.slice(0, end)}${VISIBLE}${source.slice(end)}`)
    } catch {
      continue
    }
    pixelsOf(png)
  }
})

test('files of this machine are not drawn', () => {
  const folder = mkdtempSync(join(tmpdir(), 'contrail-svg-'))
  const red = join(folder, 'red.svg')
  const picture = join(folder, 'red.png')
  writeFileSync(red, svg('<g id="a"><rect width="100" height="100" fill="red"/></g>'))
  writeFileSync(picture, drawIcon(svg('<rect width="100" height="100" fill="red"/>')))
  const forms = (path: string) => [
    `<image href="${path}" width="100" height="100"/>`,
    `<image\n xlink:href="${path}" width="100" height="100"/>`,
    `<s:image xmlns:s="http://www.w3.org/2000/svg" href="${path}" width="100" height="100"/>`,
    `<filter id="f"><feImage href="${path}"/></filter><rect width="100" height="100" filter="url(#f)"/>`,
    `<use href="${path}#a"/>`,
    `<rect width="100" height="100" fill="url(${path}#a)"/>`,
    `<style>@import url(${path}); rect { fill: url(${path}) }</style>`,
    `<pattern id="p" href="${path}#a" width="1" height="1"/><rect width="100" height="100" fill="url(#p)"/>`,
    `<foreignObject width="100" height="100"><img xmlns="http://www.w3.org/1999/xhtml" src="${path}"/></foreignObject>`,
  ]
  const paths = [red, picture].flatMap((path) => [path, `file://${path}`, relative('.', path)])
  const hidden = svg('&a;').replace('<svg', `<!DOCTYPE svg [<!ENTITY a '${forms(picture)[0]}'>]><svg`)
  try {
    for (const source of [...paths.flatMap(forms).map((form) => svg(`${form}${VISIBLE}`)), hidden]) {
      let png: Uint8Array
      try {
        png = drawIcon(source)
      } catch {
        continue
      }
      assert.notEqual(pixelsOf(png).at(400, 400).slice(0, 2), 'ff', source)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})

const many = (count: number, make: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => make(i)).join('')
const filtered = (filter: string) =>
  svg(`<filter id="f">${filter}</filter>${'<rect width="99" height="99" filter="url(#f)"/>'.repeat(1_000)}`)

/** Drawings that took minutes or gigabytes. */
const endless = [
  filtered('<feTurbulence baseFrequency="0.01" numOctaves="1000000"/>'),
  svg(
    `${many(3_000, (i) => `<mask id="m${i}" ${i > 0 ? `mask="url(#m${i - 1})"` : ''}><rect width="99" height="99" fill="#fff"/></mask>`)}
    <rect width="99" height="99" mask="url(#m2999)"/>`,
  ),
]
const slow = [
  filtered('<feGaussianBlur stdDeviation="10"/>'.repeat(500)),
  svg(`<g opacity=".5">${VISIBLE}</g>`.repeat(25_000)),
]

const isLong = process.env['FAULTS'] === 'long'

test('a drawing that takes too long is aborted, and the next one is drawn', async () => {
  const draw = createIconDrawer(createLogger('silent'))
  for (const source of isLong ? [...endless, ...slow] : endless)
    assert.equal(await draw(source), undefined, source.slice(0, 200))
  const png = await draw(svg(VISIBLE))
  assert.equal(pixelsOf(png!).at(9, 9), '0000ffff')
})

test('drawings of extreme sizes are refused', async () => {
  const draw = createIconDrawer(createLogger('silent'))
  const nested = many(9, (i) => `<g id="a${i + 1}">${`<use href="#a${i}"/>`.repeat(10)}</g>`)
  const hostile = [
    svg(' '.repeat(900_000)),
    svg(`<path${' '.repeat(900_000)}`),
    svg('<g/>'.repeat(200_000)),
    svg(`<!--${'-'.repeat(900_000)}`),
    svg(`<rect style="${'url('.repeat(200_000)}"/>`),
    svg(`<rect style="${'url( '.repeat(150_000)}"/>`),
    svg('&'.repeat(900_000)),
    `<svg${' a="b"'.repeat(150_000)}`,
    'x'.repeat(2_000_000),
    svg(`${'<g>'.repeat(100_000)}${VISIBLE}${'</g>'.repeat(100_000)}`),
    svg(`<g id="a0">${VISIBLE}</g>${nested}<use href="#a9"/>`),
    svg(VISIBLE, 'width="1" height="1000000"'),
  ]
  for (const source of hostile) assert.equal(await draw(source), undefined, source.slice(0, 100))
})
