// Pictures of boarding passes: photographs, screenshots, scans.
import { dayTaken } from '../../../domain/imports/photo.ts'
import { barcodesInFile, barcodesInPixels, isBoardingPass, tiltedBarcodesIn } from './barcodes.ts'
import type { Barcode, Picture, Unreadable } from './content.ts'
import { pixelsOfJpeg } from './pdf.ts'
import { type Grey, greyOfPng, type PictureForm, type PictureSize, sizeOf, unpackPng } from './pixels.ts'
import { pixelsOfWebp, sizeOfWebp } from './webp.ts'

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
  const size = form === 'webp' ? sizeOfWebp(bytes) : sizeOf(bytes, form)
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
    ? { kind: 'picture', part, barcodes, date: form === 'jpeg' ? dayTaken(bytes) : null }
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
  const isDecoded = form !== 'webp'
  const direct = isLarge || !isDecoded ? [] : await barcodesInFile(bytes, pixels)
  if (!direct || direct.some(isBoardingPass)) return direct
  const grey = await pixelsOf(bytes, form, size, rows)
  if (!grey) return !isDecoded ? null : isLarge ? barcodesInFile(bytes, pixels) : direct
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
  if (form === 'webp') return pixelsOfWebp(bytes)
  return form === 'jpeg' ? pixelsOfJpeg(bytes, size) : null
}
