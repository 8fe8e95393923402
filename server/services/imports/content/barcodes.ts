// Finds the bar codes of boarding passes in pictures: PDF417 on paper; Aztec, QR and Data Matrix on phones. The decoder is
// WebAssembly, so a hostile picture cannot harm anything outside of it.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { ReaderOptions } from 'zxing-wasm/reader'
import { readBoardingPass } from '../../../domain/imports/boarding-pass.ts'
import type { Barcode } from './content.ts'
import { enlarged, framed, type Grey, grown, shrunk, turned } from './pixels.ts'

type Decoder = typeof import('zxing-wasm/reader')

const formats = ['PDF417', 'Aztec', 'QRCode', 'DataMatrix'] as const satisfies Barcode['format'][]
/** No photo shows more passes. */
const SYMBOLS_AT_MOST = 20
/** The longer side in pixels. More of them take longer and find no more codes. */
const LONGEST = 2_000
const LONGEST_TURNED = 1_600
/** A picture in a document may have one pixel per module; the decoder needs two or three. */
const SMALL = 600
const LARGE = 1_200
const MARGIN = 24
/** After a picture with more pixels, the decoder is discarded, because its memory only grows. */
const KEPT_AT_MOST = 4_000_000
/** PDF417 is found up to five degrees off a right angle; the others at any angle. */
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

/** Loads the WebAssembly from disk; the library would fetch it from another host. */
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
      // It ran out of memory or crashed; the next picture gets a new one.
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

/** `ImageData` of browsers, a type that Node does not have. */
type Pixels = Exclude<Parameters<Decoder['readBarcodes']>[0], Blob | ArrayBuffer | Uint8Array>

const NO_PICTURE = 'Failed to load image from memory'

const imageOf = ({ width, height, data }: Grey): Pixels => {
  const rgba = new Uint32Array(data.length)
  for (let i = 0; i < data.length; i++) rgba[i] = 0xff000000 | (data[i]! * 0x010101)
  return { width, height, data: new Uint8ClampedArray(rgba.buffer), colorSpace: 'srgb' } as Pixels
}

/** Reads a file directly; `pixels` is its size. Null if the file cannot be decoded. */
export async function barcodesInFile(bytes: Uint8Array, pixels: number): Promise<Barcode[] | null> {
  const found = await decode(bytes, usual)
  if (pixels > KEPT_AT_MOST) await forget()
  return found
}

/** Discards the decoder. */
async function forget(): Promise<void> {
  const decoder = await loading
  loading = undefined
  decoder?.purgeZXingModule()
}

/** Searches the picture with a frame around it, enlarged if it is small and shrunk if it is large. */
export async function barcodesInPixels(grey: Grey): Promise<Barcode[]> {
  const side = Math.max(grey.width, grey.height)
  const fitting = side < SMALL ? enlarged(grey, Math.ceil(LARGE / side)) : shrunk(grey, LONGEST)
  const found = (await decode(framed(fitting, MARGIN), usual)) ?? []
  // Modules of one and a half pixels are found when they are larger.
  return found.length > 0 || side < SMALL || side >= LONGEST
    ? found
    : ((await decode(framed(grown(grey, LONGEST / side), MARGIN), usual)) ?? [])
}

/** For tilted paper: the picture is rotated until its symbol is found. */
export async function tiltedBarcodesIn(grey: Grey): Promise<Barcode[]> {
  const small = shrunk(grey, LONGEST_TURNED)
  for (const degrees of tilts) {
    const found = await decode(turned(small, degrees), { ...usual, formats: ['PDF417'], tryInvert: false })
    if (found?.some(isBoardingPass)) return found
  }
  return []
}

/** Tilted PDF417 symbols may be misread, so the text must be that of a boarding pass. */
export const isBoardingPass = ({ text }: Barcode): boolean => {
  const read = readBoardingPass(text, ANY_DAY)
  return !('refused' in read) || read.refused === 'rail'
}
/** Any date will do, because only the form is checked. */
const ANY_DAY = '2024-01-01'
