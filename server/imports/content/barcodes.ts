// Finds the bar codes of boarding passes in pictures: PDF417 on paper; Aztec, QR and Data Matrix on phones. The decoder is
// WebAssembly: what it makes of a hostile picture stays inside it.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { ReaderOptions } from 'zxing-wasm/reader'
import { readBoardingPass } from '../../domain/boarding-pass.ts'
import type { Barcode } from './content.ts'
import { enlarged, framed, type Grey, shrunk, turned } from './pixels.ts'

type Decoder = typeof import('zxing-wasm/reader')

const formats = ['PDF417', 'Aztec', 'QRCode', 'DataMatrix'] as const satisfies Barcode['format'][]
/** No one photographs more passes at once. */
const SYMBOLS_AT_MOST = 20
/** Of the longer side: more pixels find no more, and take long. */
const LONGEST = 2_000
const LONGEST_TURNED = 1_600
/** A picture in a document may have one pixel per module; the decoder needs two or three. */
const SMALL = 600
const LARGE = 1_200
const MARGIN = 24
/** Pixels that the decoder may have had to hold and still be kept for the next picture. */
const KEPT_AT_MOST = 4_000_000
/** PDF417 is found up to five degrees beside a right angle; the others at any angle. */
const tilts = [9, -9, 18, -18, 27, -27, 36, -36, 45]

const usual: ReaderOptions = {
  formats: [...formats],
  tryHarder: true,
  tryRotate: true,
  tryInvert: true,
  tryDownscale: true,
  maxNumberOfSymbols: SYMBOLS_AT_MOST,
  textMode: 'Plain',
}

let loading: Promise<Decoder> | undefined

/** The library would fetch its program from another host. */
async function load(): Promise<Decoder> {
  const decoder = await import('zxing-wasm/reader')
  const program = await readFile(fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')))
  decoder.prepareZXingModule({ overrides: { wasmBinary: Uint8Array.from(program).buffer } })
  return decoder
}

async function decode(picture: Uint8Array | Grey, options: ReaderOptions): Promise<Barcode[] | null> {
  loading ??= load()
  const { readBarcodes } = await loading
  const results = await readBarcodes('width' in picture ? imageOf(picture) : picture, options).catch(
    async () => {
      // It ran out of its own memory, or stumbled: the next picture gets a new one.
      await forget()
      return null
    },
  )
  if (!results || results.some(({ error }) => error === NO_PICTURE)) return null
  const found = results.flatMap(({ isValid, format, text }): Barcode[] => {
    const known = formats.find((one) => one === format)
    return isValid && known && text !== '' ? [{ format: known, text }] : []
  })
  return [...new Map(found.map((barcode) => [barcode.text, barcode])).values()]
}

/** `ImageData` of browsers: Node does not know its name. */
type Pixels = Exclude<Parameters<Decoder['readBarcodes']>[0], Blob | ArrayBuffer | Uint8Array>

const NO_PICTURE = 'Failed to load image from memory'

const imageOf = ({ width, height, data }: Grey): Pixels => {
  const rgba = new Uint32Array(data.length)
  for (let i = 0; i < data.length; i++) rgba[i] = 0xff000000 | (data[i]! * 0x010101)
  return { width, height, data: new Uint8ClampedArray(rgba.buffer), colorSpace: 'srgb' } as Pixels
}

/** In a file as it is, with so many pixels. Null: the file cannot be decoded. */
export async function barcodesInFile(bytes: Uint8Array, pixels: number): Promise<Barcode[] | null> {
  const found = await decode(bytes, usual)
  if (pixels > KEPT_AT_MOST) await forget()
  return found
}

/** Its memory only grows. */
async function forget(): Promise<void> {
  const decoder = await loading
  loading = undefined
  decoder?.purgeZXingModule()
}

/** As it is, enlarged if it is small, framed. */
export async function barcodesInPixels(grey: Grey): Promise<Barcode[]> {
  const side = Math.max(grey.width, grey.height)
  const fitting = side < SMALL ? enlarged(grey, Math.ceil(LARGE / side)) : shrunk(grey, LONGEST)
  return (await decode(framed(fitting, MARGIN), usual)) ?? []
}

/** Paper that lies askew: the picture is turned until its symbol is found. */
export async function tiltedBarcodesIn(grey: Grey): Promise<Barcode[]> {
  const small = shrunk(grey, LONGEST_TURNED)
  for (const degrees of tilts) {
    const found = await decode(turned(small, degrees), { ...usual, formats: ['PDF417'], tryInvert: false })
    if (found?.some(isBoardingPass)) return found
  }
  return []
}

/** A symbol of PDF417 that is read askew may have a text that is on no pass. */
export const isBoardingPass = ({ text }: Barcode): boolean => {
  const read = readBoardingPass(text, ANY_DAY)
  return !('refused' in read) || read.refused === 'rail'
}
/** The year is of no interest here. */
const ANY_DAY = '2024-01-01'
