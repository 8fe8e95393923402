// Boarding passes as PDF documents. Only bar codes are read as flights, because advertisements name flights too.
import { counted } from '../../../../domain/text/shown-text.ts'
import type { Pdf } from '../../content/content.ts'
import { reads, type Source, type SourceRecord } from '../../reading/source.ts'
import { datedByFile, recordsOfBarcodes } from './boarding-pass.ts'

const reader = reads({
  kind: 'pdf',
  matches: () => true,
  *records(content, context) {
    const { barcodes, date, part } = content
    if (barcodes.length === 0) yield withoutBarcode(content)
    else yield* recordsOfBarcodes(barcodes, datedByFile(context, part, date))
  },
})

/** Pages are not rendered, so a bar code that is drawn in an unusual way is not found. */
const withoutBarcode = ({ pages, pictures }: Pdf): SourceRecord => ({
  line: null,
  raw: [
    `A document with ${counted(pages, 'page')} and ${counted(pictures, 'picture')}, but no bar code that can be read.`,
    'Only the pictures and rectangles in a document are searched; its pages are not rendered. If you see a bar code on a page, send a screenshot of it.',
  ].join('\n'),
  error: { code: 'not_a_boarding_pass' },
})

export const pdf: Source = {
  id: 'pdf',
  name: 'PDF boarding pass',
  extensions: ['pdf'],
  opensBookings: true,
  options: ['bookingReference', 'includeOthers'],
  readers: [reader],
}
