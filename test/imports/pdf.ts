// PDF documents written byte by byte: pages with a picture and words.
import { deflateSync } from 'node:zlib'
import type { Grey } from './pictures.ts'

interface PdfPicture {
  /**
   * `grey` has a byte per pixel, `bits` one bit, `mask` paints black pixels, `jpeg` is a file, `inline` is part of the
   * page.
   */
  form: 'grey' | 'bits' | 'mask' | 'jpeg' | 'inline'
  picture: Grey
  jpeg?: Buffer
}

interface PdfParts {
  pictures?: PdfPicture[]
  words?: string[]
  /** D:20250831… */
  made?: string
  pages?: number
  /** Added to the resources of each page. */
  drawn?: string
  more?: string[]
}

const bitsOf = ({ width, height, data }: Grey): Buffer => {
  const row = (width + 7) >> 3
  const bits = Buffer.alloc(row * height)
  for (let i = 0; i < data.length; i++)
    if (data[i]! > 127) bits[Math.floor(i / width) * row + ((i % width) >> 3)]! |= 0x80 >> ((i % width) & 7)
  return bits
}

function imageOf({ form, picture, jpeg }: PdfPicture): Buffer {
  const data = form === 'jpeg' ? jpeg! : deflateSync(form === 'grey' ? picture.data : bitsOf(picture))
  const kind = {
    grey: '/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode',
    bits: '/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/FlateDecode',
    mask: '/ImageMask true/BitsPerComponent 1/Filter/FlateDecode',
    jpeg: '/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/DCTDecode',
    inline: '',
  }[form]
  const { width, height } = picture
  return streamOf(data, `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}${kind}`)
}

const streamOf = (data: Uint8Array, entries = ''): Buffer =>
  Buffer.concat([
    Buffer.from(`<<${entries}/Length ${data.length}>>\nstream\n`),
    data,
    Buffer.from('\nendstream'),
  ])

const inlineOf = ({ picture }: PdfPicture): Buffer => {
  const { width, height } = picture
  return Buffer.concat([
    Buffer.from(`BI /W ${width} /H ${height} /CS /G /BPC 1 /F /AHx ID\n`),
    Buffer.from(`${bitsOf(picture).toString('hex')}>`),
    Buffer.from('\nEI\n'),
  ])
}

/** Objects: 1 catalogue, 2 pages, 3 font, 4 information, then pictures, then each page and its contents. */
export function pdfOf({
  pictures = [],
  words = [],
  made,
  pages = 1,
  drawn = '',
  more = [],
}: PdfParts): Buffer {
  const objects: (string | Buffer)[] = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '',
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    `<<${made ? `/CreationDate(${made})` : ''}>>`,
    ...pictures.map((picture) => (picture.form === 'inline' ? 'null' : imageOf(picture))),
    ...more,
  ]
  const named = pictures.map((_, index) => `/I${index} ${5 + index} 0 R`).join('')
  const drawing = Buffer.concat([
    ...pictures.flatMap((picture, index) => [
      Buffer.from(`q 400 0 0 300 20 ${20 + 310 * index} cm `),
      picture.form === 'inline' ? inlineOf(picture) : Buffer.from(`/I${index} Do `),
      Buffer.from('Q\n'),
    ]),
    Buffer.from(
      words.map((line, index) => `BT /F 12 Tf 20 ${750 - 20 * index} Td (${line}) Tj ET\n`).join(''),
    ),
    Buffer.from(drawn),
  ])
  const first = objects.length + 1
  for (let page = 0; page < pages; page++)
    objects.push(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F 3 0 R>>/XObject<<${named}/X 5 0 R>>>>/Contents ${first + pages} 0 R>>`,
    )
  objects.push(streamOf(drawing))
  const kids = Array.from({ length: pages }, (_, index) => `${first + index} 0 R`).join(' ')
  objects[1] = `<</Type/Pages/Kids[${kids}]/Count ${pages}>>`
  return Buffer.concat([
    Buffer.from('%PDF-1.4\n'),
    ...objects.map((object, index) =>
      Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')]),
    ),
    Buffer.from('trailer<</Root 1 0 R/Info 4 0 R>>\n%%EOF'),
  ])
}
