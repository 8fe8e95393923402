// The bar codes that the browser draws of kept boarding passes: another program, zxing, reads the same text from each of them.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Resvg } from '@resvg/resvg-js'
import { PASS_TEXT_BYTES, type PassFormat, passFormats } from '../../server/domain/status/kept-pass.ts'
import { barcodesInFile } from '../../server/services/imports/content/barcodes.ts'
import { drawCode } from '../../web/src/today/pass/code.ts'
import { isLong } from '../rounds.ts'

const names: Record<PassFormat, string> = {
  aztec: 'Aztec',
  pdf417: 'PDF417',
  qr: 'QRCode',
  datamatrix: 'DataMatrix',
}

/** As the page draws it: whole pixels per module, and white around. */
function pictureOf(text: string, format: PassFormat): { png: Uint8Array; pixels: number } {
  const { width, height, modules, path } = drawCode(text, format)
  const [unit, margin] = [width / modules, (16 * width) / modules]
  const [wide, high] = [width + 2 * margin, height + 2 * margin]
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${-margin} ${-margin} ${wide} ${high}" shape-rendering="crispEdges"><rect x="${-margin}" y="${-margin}" width="${wide}" height="${high}" fill="#fff"/><path d="${path}" fill-rule="evenodd"/></svg>`
  const zoom = 3 / unit
  const image = new Resvg(svg, { fitTo: { mode: 'zoom', value: zoom } }).render()
  return { png: image.asPng(), pixels: image.width * image.height }
}

async function requireReadable(text: string, format: PassFormat): Promise<void> {
  const { png, pixels } = pictureOf(text, format)
  const found = await barcodesInFile(png, pixels)
  assert.deepEqual(found, [{ format: names[format], text }], `${format}: ${text}`)
}

/** The same texts in every run. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const random = createRandom(20261119)
const below = (limit: number) => Math.floor(random() * limit)
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const some = (from: string, count: number) =>
  Array.from({ length: count }, () => from[below(from.length)]!).join('')
const printable = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join('')

/** One to four legs, and a security field of any characters. */
function passText(): string {
  const count = 1 + below(4)
  const name = `${some(letters, 3 + below(8))}/${some(letters, 3 + below(6))}`.padEnd(20)
  const leg = () =>
    `${some(letters, 6)} ${some(letters, 6)}${some(letters, 2)} ${some('0123456789', 4)} ${some('0123456789', 3)}Y${some('0123456789', 3)}A${some('0123456789', 4)} 100`
  const legs = Array.from({ length: count }, leg).join('')
  const security = below(2) === 0 ? '' : `^1${some(printable.slice(1), 1 + below(120))}`
  return `M${count}${name}E${legs}${security}`
}

/** The texts in the wallet passes of the import tests. */
const walletTexts = globSync('test/imports/files/pkpass/*.json').flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/"message":\s*("M[1-4](?:[^"\\]|\\.)*")/g)].map(
    ([, text]) => JSON.parse(text!) as string,
  ),
)

for (const format of passFormats) {
  test(`Every ${format} code is read back as it was written`, async () => {
    assert.ok(walletTexts.length > 3)
    for (const text of walletTexts) await requireReadable(text, format)
    for (let i = 0; i < (isLong ? 200 : 50); i++) await requireReadable(passText(), format)
    await requireReadable(`M1${some(printable.slice(1), 900)}`, format)
  })
}

test('A text that does not fit into a code is refused, and the page shows it in words', () => {
  const longest = some(printable.slice(1), PASS_TEXT_BYTES)
  assert.throws(() => drawCode(longest, 'pdf417'))
  assert.equal(drawCode(longest.slice(0, 1500), 'qr').modules > 100, true)
})
