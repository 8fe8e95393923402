// Pictures of boarding passes: photographs, screenshots, scans.
import { isCalendarDate } from '../../../domain/time/time.ts'
import { barcodesInFile, barcodesInPixels, isBoardingPass, tiltedBarcodesIn } from './barcodes.ts'
import type { Barcode, Picture, Unreadable } from './content.ts'
import { pixelsOfJpeg } from './pdf.ts'
import { type Grey, greyOfPng, type PictureForm, type PictureSize, sizeOf, unpackPng } from './pixels.ts'

const MEGAPIXEL = 1_000_000
const MEGAPIXELS_AT_MOST = 40
/** Larger pictures are shrunk first: if there is nothing to find, the decoder takes a second for this size. */
const WHOLE_AT_MOST = 12 * MEGAPIXEL

/** Refuses large pictures before decoding them. */
export async function readPicture(
  bytes: Uint8Array,
  form: PictureForm,
  part: string | null,
): Promise<Picture | Unreadable> {
  const size = sizeOf(bytes, form)
  if (!size || size.width === 0 || size.height === 0) return refused('unreadable_file', part, damaged)
  if (size.width * size.height > MEGAPIXELS_AT_MOST * MEGAPIXEL)
    return refused(
      'too_large',
      part,
      `The picture has more than ${MEGAPIXELS_AT_MOST} megapixels. Resize it, or crop it to the bar code.`,
    )
  const rows = form === 'png' ? unpackPng(bytes) : null
  if (rows === 'too_large')
    return refused('too_large', part, 'The unpacked picture is larger than its header states.')
  const barcodes = await find(bytes, form, size, rows)
  return barcodes
    ? { kind: 'picture', part, barcodes, date: form === 'jpeg' ? dateTakenIn(bytes) : null }
    : refused('unreadable_file', part, damaged)
}

const damaged = 'The picture is damaged or cut off.'

const refused = (reason: Unreadable['reason'], part: string | null, excerpt: string): Unreadable => ({
  kind: 'unreadable',
  part,
  reason,
  excerpt,
})

/** Null: the picture cannot be decoded. */
async function find(
  bytes: Uint8Array,
  form: PictureForm,
  size: PictureSize,
  rows: Uint8Array | null,
): Promise<Barcode[] | null> {
  const pixels = size.width * size.height
  const isLarge = pixels > WHOLE_AT_MOST
  const direct = isLarge ? [] : await barcodesInFile(bytes, pixels)
  if (!direct || direct.some(isBoardingPass)) return direct
  const grey = await pixelsOf(bytes, form, size, rows)
  if (!grey) return isLarge ? barcodesInFile(bytes, pixels) : direct
  const found = await barcodesInPixels(grey)
  if (found.some(isBoardingPass)) return found
  const tilted = await tiltedBarcodesIn(grey)
  return [tilted, found, direct].find(({ length }) => length > 0) ?? []
}

async function pixelsOf(
  bytes: Uint8Array,
  form: PictureForm,
  size: PictureSize,
  rows: Uint8Array | null,
): Promise<Grey | null> {
  if (form === 'png') return rows && greyOfPng(bytes, rows)
  return form === 'jpeg' ? pixelsOfJpeg(bytes, size) : null
}

// The date on which a photograph was taken (Exif in a JPEG file)

const EXIF_PART = 0x8769
const TAKEN = 0x9003
const CHANGED = 0x0132
/** A camera writes a few dozen. */
const ENTRIES_AT_MOST = 200

function dateTakenIn(bytes: Uint8Array): string | null {
  const exif = exifOf(bytes)
  if (!exif) return null
  try {
    return dateIn(exif)
  } catch {
    // An offset points outside the data.
    return null
  }
}

/** The content of the first segment of this kind, without its name. */
function exifOf(bytes: Uint8Array): DataView | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 2; at + 10 < bytes.length && bytes[at] === 0xff && bytes[at + 1] !== 0xda; ) {
    const length = view.getUint16(at + 2)
    const end = Math.min(bytes.length, at + 2 + length)
    const isExif = bytes[at + 1] === 0xe1 && Buffer.from(bytes.subarray(at + 4, at + 8)).toString() === 'Exif'
    if (isExif) return new DataView(bytes.buffer, bytes.byteOffset + at + 10, Math.max(0, end - at - 10))
    at += 2 + length
  }
  return null
}

function dateIn(view: DataView): string | null {
  const isLittle = view.getUint16(0) === 0x4949
  const entry = (directory: number, tag: number): number | null => {
    const count = Math.min(ENTRIES_AT_MOST, view.getUint16(directory, isLittle))
    for (let i = 0; i < count; i++) {
      const at = directory + 2 + i * 12
      if (view.getUint16(at, isLittle) === tag) return view.getUint32(at + 8, isLittle)
    }
    return null
  }
  const first = view.getUint32(4, isLittle)
  const inner = entry(first, EXIF_PART)
  const place = (inner === null ? null : entry(inner, TAKEN)) ?? entry(first, CHANGED)
  if (place === null) return null
  const text = String.fromCharCode(...Array.from({ length: 10 }, (_, index) => view.getUint8(place + index)))
  const date = text.replaceAll(':', '-')
  return isCalendarDate(date) ? date : null
}
