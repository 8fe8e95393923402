// App in the Air, which closed in 2024: the text file of its export mail. Trips name their owner; each line of their flights has
// 17 fields.
import type { ImportWarning } from '../../../../domain/imports/imports.ts'
import { reads, type Source, type SourceFlight, type SourceRecord } from '../../reading/source.ts'
import { aircraftNamed, airlineNamed, airportNamed } from '../../values/named.ts'
import { readSeatClass } from '../../values/words.ts'
import { dateIn, extrasOf, joinedNumber, self, textIn, timeIn } from '../tables/cells.ts'

const FIELDS = 17
/** The number of fields from the carrier, the eighth field, to the end. */
const FIELDS_FROM_CARRIER = FIELDS - 7

const ownershipLine = /^Ownership\.(NOT_)?MINE(?:;|$)/
const sectionLine = /^([a-z][a-z ]*):$/

const reader = reads({
  kind: 'text',
  matches: ({ text }) =>
    /^\s*Ownership\.(?:NOT_)?MINE;/m.test(text) || (/^\s*user:\s*$/m.test(text) && /^trips:\s*$/m.test(text)),
  *records({ text }) {
    let isMine = true
    let section = ''
    let line = 0
    for (const written of text.split(/\r\n|\r|\n/)) {
      line++
      const plain = written.trim()
      const ownership = ownershipLine.exec(plain)
      const heading = sectionLine.exec(plain)
      if (ownership) isMine = ownership[1] === undefined
      if (ownership || heading) section = heading?.[1] ?? ''
      else if (section === 'flights' && plain !== '') yield { line, raw: plain, ...readFlight(plain, isMine) }
    }
  },
})

function readFlight(
  line: string,
  isMine: boolean,
): Pick<SourceRecord, 'flight' | 'skip' | 'error' | 'warnings'> {
  const fields = fieldsOf(line)
  if (!fields) return { error: { code: 'unreadable_row', value: line } }
  const warnings: ImportWarning[] = []
  const flight = flightOf(fields, warnings)
  return { flight, ...(!isMine && { skip: 'not_mine' }), ...(warnings.length > 0 && { warnings }) }
}

/** The text in brackets after the class is free; a semicolon in it creates more fields. */
function fieldsOf(line: string): string[] | null {
  const fields = line.split(';').map((field) => (/^\s*None\s*$/.test(field) ? '' : field.trim()))
  const surplus = fields.length - FIELDS
  if (surplus < 0) return null
  return [fields[0]!, ...fields.slice(surplus + 1)]
}

function flightOf(fields: readonly string[], warnings: ImportWarning[]): SourceFlight {
  const [seatClass, seat, booking, ticket] = fields as [string, string, string, string]
  const [carrier, number, aircraft, from, to, departureUtc, arrivalUtc, departureLocal, arrivalLocal] =
    fields.slice(-FIELDS_FROM_CARRIER) as [
      string,
      string,
      string,
      string,
      string,
      string,
      string,
      string,
      string,
    ]
  return {
    date: dateIn(departureLocal.slice(0, 10)),
    from: airportNamed(from),
    to: airportNamed(to),
    airline: airlineNamed(carrier),
    flightNumber: joinedNumber(carrier, number),
    aircraft: aircraftNamed(aircraft),
    departure: timeOf('departure', departureUtc, departureLocal, warnings),
    arrival: timeOf('arrival', arrivalUtc, arrivalLocal, warnings),
    bookingReference: textIn(booking),
    extras: extrasOf({ 'E-ticket': ticket }),
    passengers: [
      self({ seatNumber: textIn(seat), seatClass: readSeatClass(seatClass.split('(')[0], warnings) }),
    ],
  }
}

/** The app knew the zones of its airports, so the UTC time is reliable. */
const timeOf = (field: string, utc: string, local: string, warnings: ImportWarning[]) =>
  timeIn(field, utc, warnings, { zone: 'utc' }) ?? timeIn(field, local, warnings)

export const aita: Source = {
  id: 'aita',
  name: 'App in the Air',
  extensions: ['txt'],
  options: ['includeOthers'],
  readers: [reader],
}
