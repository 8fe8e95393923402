// PDF documents: their text, and the bar codes in the pictures on their pages. Pages are not rendered, because a canvas needs
// native code. The library is loaded with the first document.
import type { PDFDocumentProxy, PDFPageProxy } from 'unpdf/pdfjs'
import { isCalendarDate } from '../../../domain/time/time.ts'
import { barcodesInPixels, tiltedBarcodesIn } from './barcodes.ts'
import type { Barcode, Pdf, Unreadable } from './content.ts'
import { drawnOn } from './drawn.ts'
import { unpackedSizeOf } from './pdf-streams.ts'
import { type Grey, greyOf, greyOfBits, type PictureSize } from './pixels.ts'

const PAGES_AT_MOST = 50
/** The size of the drawing commands; the library needs seconds per megabyte. */
const DRAWN_AT_MOST = 16 * 2 ** 20
const PIXELS_AT_MOST = 40_000_000
/** For all pages, including logos and lines. */
const PICTURES_AT_MOST = 200
/** Smaller ones are icons. */
const SMALLEST = 16
/** Only a few pictures are rotated: that is for scanned paper, not for every logo. */
const TILTED_AT_MOST = 3
const TEXT_AT_MOST = 200_000
/** A picture that the library cannot decode may never arrive. */
const PICTURE_MS = 10_000

const open = async (bytes: Uint8Array): Promise<PDFDocumentProxy> => {
  const { getDocumentProxy } = await import('unpdf')
  // Copied, because the library transfers the bytes.
  return getDocumentProxy(Uint8Array.from(bytes), {
    verbosity: 0,
    maxImageSize: PIXELS_AT_MOST,
    useSystemFonts: false,
    disableFontFace: true,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    enableXfa: false,
  })
}

/** Never rejects because of the file's content. */
export async function readPdf(bytes: Uint8Array, part: string | null): Promise<Pdf | Unreadable> {
  if (unpackedSizeOf(bytes, DRAWN_AT_MOST) > DRAWN_AT_MOST)
    return refused(
      'too_large',
      part,
      'The document is larger than 16 MB when unpacked, not counting pictures and fonts. Save only the page with the pass.',
    )
  let document: PDFDocumentProxy | undefined
  try {
    document = await open(bytes)
    if (document.numPages > PAGES_AT_MOST)
      return refused(
        'too_large',
        part,
        `The document has more than ${PAGES_AT_MOST} pages. Save only the page with the pass.`,
      )
    return { kind: 'pdf', part, pages: document.numPages, ...(await contentsOf(document)) }
  } catch (error) {
    const isLocked = error instanceof Error && error.name === 'PasswordException'
    return refused(
      'unreadable_file',
      part,
      isLocked ? 'The document is protected by a password.' : 'The PDF document is damaged or cut off.',
    )
  } finally {
    await document?.loadingTask.destroy()
  }
}

const refused = (reason: Unreadable['reason'], part: string | null, excerpt: string): Unreadable => ({
  kind: 'unreadable',
  part,
  reason,
  excerpt,
})

async function contentsOf(
  document: PDFDocumentProxy,
): Promise<Pick<Pdf, 'lines' | 'barcodes' | 'pictures' | 'date'>> {
  const lines: string[] = []
  const barcodes = new Map<string, Barcode>()
  const unclear: Grey[] = []
  let [pictures, length] = [0, 0]
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number)
    for (const line of length < TEXT_AT_MOST ? await linesOf(page) : []) {
      lines.push(line)
      length += line.length
    }
    for await (const picture of picturesOf(page, PICTURES_AT_MOST - pictures)) {
      pictures++
      const found = await barcodesInPixels(picture)
      for (const barcode of found) barcodes.set(barcode.text, barcode)
      if (found.length === 0 && unclear.length < TILTED_AT_MOST && isScan(picture)) unclear.push(picture)
    }
    const drawn = barcodes.size === 0 ? await drawnOn(page) : null
    for (const barcode of drawn ? await barcodesInPixels(drawn) : []) barcodes.set(barcode.text, barcode)
    page.cleanup()
  }
  for (const picture of barcodes.size === 0 ? unclear : [])
    for (const barcode of await tiltedBarcodesIn(picture)) barcodes.set(barcode.text, barcode)
  return { lines, barcodes: [...barcodes.values()], pictures, date: await dateOf(document) }
}

const isScan = ({ width, height }: Grey): boolean => width >= 400 && height >= 400

async function linesOf(page: PDFPageProxy): Promise<string[]> {
  const { items } = await page.getTextContent()
  const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : ' ') : '')).join('')
  return text.split('\n').flatMap((line) => line.replace(/\s+/g, ' ').trim() || [])
}

async function dateOf(document: PDFDocumentProxy): Promise<string | null> {
  const { info } = (await document.getMetadata().catch(() => ({ info: {} }))) as {
    info: Record<string, unknown>
  }
  const parts = /^D:(\d{4})(\d{2})(\d{2})/.exec(String(info['CreationDate'] ?? ''))
  const date = parts && `${parts[1]}-${parts[2]}-${parts[3]}`
  return date && isCalendarDate(date) ? date : null
}

// Pictures

/** A picture as decoded by the library. */
interface Decoded {
  data?: unknown
  width?: unknown
  height?: unknown
}

/** Yields each picture once, even if a page shows it several times. */
async function* picturesOf(page: PDFPageProxy, most: number): AsyncGenerator<Grey> {
  const { OPS } = await import('unpdf/pdfjs')
  const { fnArray, argsArray } = await page.getOperatorList()
  const seen = new Set<unknown>()
  for (let i = 0; i < fnArray.length && seen.size < most; i++) {
    const named: unknown = argsArray[i]?.[0]
    const isMask = fnArray[i] === OPS.paintImageMaskXObject || fnArray[i] === OPS.paintImageMaskXObjectRepeat
    const isPicture = fnArray[i] === OPS.paintImageXObject || fnArray[i] === OPS.paintImageXObjectRepeat
    if ((!isMask && !isPicture && fnArray[i] !== OPS.paintInlineImageXObject) || seen.has(named)) continue
    seen.add(named)
    const inner = typeof named === 'object' && named !== null ? (named as Decoded).data : undefined
    const decoded = await decodedBy(page, typeof inner === 'string' ? inner : named)
    const grey = decoded && greyOfDecoded(decoded)
    if (grey) yield grey
  }
}

async function decodedBy(page: PDFPageProxy, named: unknown): Promise<Decoded | null> {
  if (typeof named !== 'string') return named as Decoded | null
  const objects = named.startsWith('g_') ? page.commonObjs : page.objs
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), PICTURE_MS)
  })
  const arrived = new Promise<Decoded | null>((resolve) => objects.get(named, resolve))
  try {
    return await Promise.race([arrived, late])
  } finally {
    clearTimeout(timer)
  }
}

function greyOfDecoded({ data, width, height }: Decoded): Grey | null {
  if (typeof width !== 'number' || typeof height !== 'number') return null
  if (!(data instanceof Uint8Array || data instanceof Uint8ClampedArray)) return null
  if (Math.max(width, height) < SMALLEST || width * height > PIXELS_AT_MOST) return null
  const bits = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  if (data.length === ((width + 7) >> 3) * height && width > 1) return greyOfBits(bits, width, height, true)
  return greyOf(bits, width, height)
}

/** The bar code decoder does not return pixels, but the PDF library decodes JPEG: so the picture is wrapped in a document. */
export async function pixelsOfJpeg(bytes: Uint8Array, size: PictureSize): Promise<Grey | null> {
  let document: PDFDocumentProxy | undefined
  try {
    document = await open(documentOf(bytes, size))
    for await (const picture of picturesOf(await document.getPage(1), 1)) return picture
    return null
  } catch {
    return null
  } finally {
    await document?.loadingTask.destroy()
  }
}

function documentOf(jpeg: Uint8Array, { width, height, components }: PictureSize): Uint8Array {
  const colours = components === 1 ? 'DeviceGray' : components === 4 ? 'DeviceCMYK' : 'DeviceRGB'
  const drawing = `${width} 0 0 ${height} 0 0 cm /I Do`
  const objects = [
    '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
    '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
    `3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${width} ${height}]/Resources<</XObject<</I 5 0 R>>>>/Contents 4 0 R>>endobj`,
    `4 0 obj<</Length ${drawing.length}>>stream\n${drawing}\nendstream endobj`,
    `5 0 obj<</Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/${colours}/BitsPerComponent 8/Filter/DCTDecode/Length ${jpeg.length}>>stream\n`,
  ]
  return Buffer.concat([
    Buffer.from(`%PDF-1.4\n${objects.join('\n')}`, 'latin1'),
    jpeg,
    Buffer.from('\nendstream endobj\ntrailer<</Root 1 0 R>>\n%%EOF', 'latin1'),
  ])
}
