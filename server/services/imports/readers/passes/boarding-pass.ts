// Boarding passes: the content of their bar codes, wherever they were found. The text of a bar code gives access to the booking,
// so no record contains it; `raw` has only what is printed on the pass.
import {
  type BoardingPass,
  dayOfName,
  looksLikePass,
  type PassLeg,
  readBoardingPass,
} from '../../../../domain/imports/boarding-pass.ts'
import type { ImportWarning } from '../../../../domain/imports/imports.ts'
import type { Barcode } from '../../content/content.ts'
import {
  type Named,
  type ReadContext,
  reads,
  type Source,
  type SourceFlight,
  type SourceRecord,
} from '../../reading/source.ts'
import { airlineNamed } from '../../values/named.ts'
import { readBookingLetter } from '../../values/words.ts'
import { extrasOf } from '../tables/cells.ts'

type PassContext = Pick<ReadContext, 'documentDate' | 'documentDateOf' | 'options'> & {
  /** The line of the bar code in the file. */
  line?: number | null
}

/** The day of a file with passes, which stands in for today: from the person, the mail, the file's metadata or its name. */
export function datedByFile(context: ReadContext, part: string | null, metadata: string | null): ReadContext {
  const { saidDate, documentDate, documentDateOf, filename, today } = context
  const known = saidDate ?? (documentDateOf ? documentDate : metadata)
  return { ...context, documentDate: known ?? dayOfName(part ?? filename, today) ?? documentDate }
}

/** One record per leg of the pass, or one with the reason why there is none. */
export function recordsOfPass(
  text: string,
  { documentDate, documentDateOf, options, line = null }: PassContext,
): SourceRecord[] {
  const read = readBoardingPass(text, documentDate, documentDateOf === 'flight')
  if ('refused' in read && read.refused === 'not_a_boarding_pass')
    return [{ line, raw: whatItIs(text), error: { code: 'not_a_boarding_pass' } }]
  const pass = 'refused' in read ? read.pass : read
  return pass.legs.map((leg) => ({ line, ...recordOf(pass, leg, options.bookingReference !== false) }))
}

/** Other texts may be secret too, such as the address of a check-in. */
const whatItIs = (text: string): string =>
  /^\s*(?:https?:|www\.)/i.test(text)
    ? 'A web address, not the bar code of a boarding pass.'
    : `A text of ${text.trim().length} characters that is not the bar code of a boarding pass.`

function recordOf(pass: BoardingPass, leg: PassLeg, keepsLocator: boolean): Omit<SourceRecord, 'line'> {
  const warnings: ImportWarning[] = []
  const flight = flightOf(pass, leg, keepsLocator, warnings)
  if (pass.isTruncated) warnings.push({ code: 'truncated', field: null })
  if (leg.seatText) warnings.push({ code: 'value_not_understood', field: 'seatNumber', value: leg.seatText })
  return {
    raw: writtenLeg(pass, leg),
    flight,
    ...(leg.isRail && { skip: 'not_a_flight' as const }),
    ...(leg.date === null && { error: { code: 'bad_date' as const, value: leg.day } }),
    ...(warnings.length > 0 && { warnings }),
  }
}

function flightOf(
  pass: BoardingPass,
  leg: PassLeg,
  keepsLocator: boolean,
  warnings: ImportWarning[],
): SourceFlight {
  return {
    date: leg.date === null ? null : { iso: leg.date, precision: 'day' },
    ...(leg.otherDate !== null && {
      yearGuess: { day: leg.day, yearsAfter: leg.yearsAfter, otherDate: leg.otherDate },
    }),
    from: airportOf(leg.from),
    to: airportOf(leg.to),
    airline: airlineNamed(leg.carrier),
    flightNumber: leg.flightNumber,
    bookingReference: keepsLocator ? leg.locator : null,
    extras: extrasOf({ 'Marketing carrier': leg.marketingCarrier }),
    passengers: [
      {
        who: { kind: 'named', name: pass.name },
        seatNumber: leg.seat,
        seatClass: readBookingLetter(leg.compartment, warnings),
      },
    ],
    areAllNamed: true,
  }
}

const airportOf = (code: string): Named => ({ text: code, codes: [code], name: null, mayBeStation: true })

const writtenLeg = ({ name }: BoardingPass, { flightNumber, carrier, from, to, day, date, seat }: PassLeg) =>
  [
    name,
    flightNumber ?? carrier,
    `${from}–${to}`,
    `day ${day.trim() || '?'}${date === null ? '' : ` (${date})`}`,
    ...(seat === null ? [] : [`seat ${seat}`]),
  ].join(', ')

/** From a picture or a document. Codes next to a pass, such as that of a shop, are ignored. */
export function recordsOfBarcodes(barcodes: readonly Barcode[], context: PassContext): SourceRecord[] {
  const passes = barcodes.filter(({ text }) => looksLikePass(text))
  return (passes.length > 0 ? passes : barcodes).flatMap(({ text }) => recordsOfPass(text, context))
}

const pictureReader = reads({
  kind: 'picture',
  matches: () => true,
  *records({ barcodes, date, part }, context) {
    if (barcodes.length === 0)
      yield {
        line: null,
        raw: 'There is no bar code in this picture that can be read. Take it again from closer, with the whole code sharp and flat.',
        error: { code: 'not_a_boarding_pass' },
      }
    else yield* recordsOfBarcodes(barcodes, datedByFile(context, part, date))
  },
})

/** From a text with one bar code per line. */
export const recordsOfPasses = (text: string, context: PassContext): SourceRecord[] =>
  text
    .split(/\r\n|\r|\n/)
    .flatMap((one, index) => (one.trim() === '' ? [] : recordsOfPass(one, { ...context, line: index + 1 })))

const reader = reads({
  kind: 'text',
  matches: ({ text }) => looksLikePass(text),
  records: ({ text, part }, context) => recordsOfPasses(text, datedByFile(context, part, null)),
})

export const bcbp: Source = {
  id: 'bcbp',
  name: 'Boarding pass',
  extensions: ['txt', 'png', 'jpg', 'jpeg', 'gif', 'webp'],
  opensBookings: true,
  options: ['bookingReference'],
  readers: [reader, pictureReader],
}
