// Uploaded SVG files: logos as saved by editors are accepted, anything active is refused, and the stored file is always rewritten by
// the server.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messageOf } from '../../server/domain/reasons.ts'
import { cleanSvg } from '../../server/domain/svg.ts'

const XMLNS = 'xmlns="http://www.w3.org/2000/svg"'
const svg = (inner: string, attributes = '') => `<svg ${XMLNS} ${attributes}>${inner}</svg>`
const cleaned = (source: string): string => {
  const result = cleanSvg(source)
  assert.ok('svg' in result, JSON.stringify(result))
  return result.svg
}

/** As Inkscape and Illustrator save, shortened. */
const inkscape = `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!-- Created with Inkscape -->
<svg width="100" height="50" viewBox="0 0 100 50" version="1.1" id="svg1" inkscape:version="1.3" sodipodi:docname="logo.svg"
   xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"
   xmlns:xlink="http://www.w3.org/1999/xlink" xmlns="http://www.w3.org/2000/svg">
  <sodipodi:namedview id="base" pagecolor="#ffffff" inkscape:zoom="1.4"><inkscape:grid type="xygrid"/></sodipodi:namedview>
  <metadata><rdf:RDF><cc:Work rdf:about=""><dc:title>Logo &amp; more</dc:title><other onclick="x">y</other></cc:Work></rdf:RDF></metadata>
  <defs id="d"><linearGradient id="a"><stop offset="0" style="stop-color:#e2001a;stop-opacity:1"/></linearGradient>
  <linearGradient id="b" xlink:href="#a" gradientTransform="scale(2)"/></defs>
  <g inkscape:label="Layer 1" inkscape:groupmode="layer"><path style="fill:url(#b);stroke:none" d="M 0,0 10,10 Z" sodipodi:nodetypes="cc"/>
  <text x="1" y="2">A &lt; B<tspan>é</tspan></text></g>
</svg>`
const illustrator = `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg version="1.1" id="Layer_1" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" x="0px" y="0px"
  viewBox="0 0 20 20" style="enable-background:new 0 0 20 20;" xml:space="preserve" data-name="Layer 1">
<defs><path id="s" d="M0 0h20v20H0z"/></defs><clipPath id="c"><use xlink:href="#s" style="overflow:visible;"/></clipPath>
<g style="clip-path:url(#c)"><rect x='1' y="1" width="5" height="5" fill="#0a3"/></g></svg>`

test('logos come through as they look', () => {
  const first = cleaned(inkscape)
  for (const part of [
    'fill:url(#b)',
    'href="#a"',
    'A &lt; B<tspan>é</tspan>',
    'viewBox="0 0 100 50"',
    'stop-color',
  ]) {
    assert.ok(first.includes(part), `${part} is missing in ${first}`)
  }
  for (const part of ['metadata', 'sodipodi', 'inkscape', 'onclick', 'Logo', '<!', '<?'])
    assert.ok(!first.includes(part), part)
  const second = cleaned(illustrator)
  assert.ok(
    second.includes('<clipPath id="c"><use href="#s" style="overflow:visible;"></use></clipPath>'),
    second,
  )
  for (const drawing of [first, second])
    assert.equal(cleaned(drawing), drawing, 'what was cleaned stays as it is')
})

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

test('anything that could do more than draw is refused', () => {
  for (const source of attacks) {
    const result = cleanSvg(source)
    assert.ok(
      'fault' in result && messageOf(result.fault).length > 5,
      `${source} became ${JSON.stringify(result)}`,
    )
  }
})

/** Numbers that look random and are the same in every run. */
function sequence(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Every tag of a drawing is one that we write, closed, with quoted attributes; judged without the reader's own rules. */
function requireHarmless(drawing: string, source: string): void {
  const rest = drawing.replaceAll(/<\/?[A-Za-z]+(?: [A-Za-z][\w-]*="[^"<>]*")*>/g, '')
  assert.doesNotMatch(rest, /[<>]/, source)
  assert.doesNotMatch(
    drawing,
    /<\/?(?:script|style|foreignObject|image|a|iframe|animate|set|feImage)[\s>]/i,
    source,
  )
  assert.doesNotMatch(drawing.replaceAll(/="[^"]*"/g, ''), /<[^>]* on[a-z]+/i, source)
  assert.doesNotMatch(drawing, / href="[^#]/, source)
  for (const [value] of drawing.matchAll(/ (?!id=)[\w-]+="[^"]*"/g)) {
    assert.doesNotMatch(value.replaceAll(/url\(\s*(?:&quot;|')?#/gi, ''), /url\s*\(/i, source)
  }
}

const isLong = process.env['FAULTS'] === 'long'
const DRAWINGS = isLong ? 30_000 : 3_000

test('broken and spliced drawings are refused, or harmless and stable', () => {
  const random = sequence(20_261_115)
  const seeds = [inkscape, illustrator, ...attacks]
  const scraps = [
    '<',
    '>',
    '"',
    "'",
    '&',
    ';',
    '/',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<script>',
    ' onload="x"',
    'xlink:href="',
    'url(',
    '#',
    '\\',
    '\u0000',
    '&#60;',
    '&lt;script&gt;',
    '<g>',
    '</g>',
    '</svg>',
    '<?',
    '?>',
    ' ',
    '\ud800',
    '<style>',
    'javascript:',
  ]
  let accepted = 0
  for (let i = 0; i < DRAWINGS; i++) {
    let source = random(2) === 0 ? seeds[random(2)]! : seeds[random(seeds.length)]!
    for (let edits = 1 + random(3); edits > 0; edits--) {
      const at = random(source.length + 1)
      const other = seeds[random(seeds.length)]!
      const start = random(other.length + 1)
      const piece = random(3) === 0 ? other.slice(start, start + random(60)) : scraps[random(scraps.length)]!
      source = source.slice(0, at) + piece + source.slice(at + random(8))
    }
    const result = cleanSvg(source)
    if ('fault' in result) continue
    accepted++
    requireHarmless(result.svg, source)
    assert.deepEqual(cleanSvg(result.svg), { svg: result.svg }, source)
  }
  assert.ok(accepted > DRAWINGS / 60, `only ${accepted} were accepted`)
})

test('drawings of hostile sizes are refused by what is wrong with them, and taken if nothing is', () => {
  const verdictOf = (source: string) => {
    const result = cleanSvg(source)
    return 'fault' in result ? result.fault.reason : 'taken'
  }
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
  ]
  assert.deepEqual(hostile.map(verdictOf), [
    'taken',
    'svg_malformed',
    'svg_too_many_elements',
    'svg_malformed',
    'svg_foreign_reference',
    'svg_foreign_reference',
    'taken',
    'svg_malformed',
    'svg_too_long',
  ])
})
