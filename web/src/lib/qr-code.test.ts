/** Drawn codes are read back with the decoder that also reads boarding passes. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { afterEach, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { renderAsync } from '@resvg/resvg-js'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { cleanup, render, screen } from '../testing/components.ts'

const { default: QrCode } = await import('./QrCode.svelte')
const program = readFileSync(fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')))
prepareZXingModule({ overrides: { wasmBinary: Uint8Array.from(program).buffer } })

afterEach(cleanup)

/** The drawing as pixels on a black page. */
async function readDrawn(text: string) {
  render(QrCode, { text, label: 'QR code' })
  const drawing = await screen.findByRole('img', { name: 'QR code' })
  drawing.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  const picture = await renderAsync(drawing.outerHTML, {
    background: '#000',
    fitTo: { mode: 'width', value: 600 },
  })
  const found = await readBarcodes(picture.asPng(), { formats: ['QRCode'], tryInvert: false })
  assert.equal(found.length, 1)
  return found[0]!
}

const texts = {
  'the address of a feed':
    'https://flights.example.org/feeds/ctf_abcdefghijklmnopqrstuvwxyz234567abcdefg.ics',
  'a second factor':
    'otpauth://totp/flights.example.org:eva?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=flights.example.org&algorithm=SHA1&digits=6&period=30',
  'a text that is not ASCII': 'https://flüge.example/→',
  'a long address': `https://flights.example.org/${'path/'.repeat(80)}`,
}

for (const [what, text] of Object.entries(texts)) {
  test(`the code of ${what} is read back`, async () => {
    const { text: read, ecLevel } = await readDrawn(text)
    assert.equal(read, text)
    assert.equal(ecLevel, 'M', 'up to 15 % of the code may be unreadable')
  })
}
