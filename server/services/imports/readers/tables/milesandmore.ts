// Miles & More: the list of flown segments from the programme's own API. Values are padded with blanks; times are UTC.
import type { ImportWarning } from '../../../../domain/imports/imports.ts'
import { reads, type Source, type SourceFlight, type SourceRecord } from '../../reading/source.ts'
import { readBookingLetter } from '../../values/words.ts'
import { isRecord } from '../documents/json.ts'
import { self } from './cells.ts'
import { flightReader, type Row } from './flight.ts'

const reader = reads({
  kind: 'json',
  matches: ({ value }) => {
    const list = segmentsIn(value)
    return list !== null && (!Array.isArray(value) || (isRecord(list[0]) && 'OriginAirportCode' in list[0]))
  },
  *records({ value }) {
    for (const segment of segmentsIn(value) ?? [])
      yield { line: null, raw: JSON.stringify(segment) ?? '', ...readSegment(segment) }
  },
})

function segmentsIn(value: unknown): unknown[] | null {
  if (Array.isArray(value)) return value
  const list = isRecord(value) ? value['SegmentListResponses'] : null
  return Array.isArray(list) ? list : null
}

const columns = {
  date: 'DepartureDate',
  from: 'OriginAirportCode',
  to: 'DestinationAirportCode',
  carrier: 'AirlineDesignatorCode',
  number: 'FlightNumber',
  aircraft: 'AircraftCode',
  departure: 'DepartureTime',
  arrival: 'ArrivalTime',
  duration: 'TimeOnPlane',
  bookingReference: 'PnrrecordLocator',
  bookingClass: 'CompartmentClass',
  statusMiles: 'StatusMiles',
  statusPoints: 'StatusPoints',
  gupPoints: 'GupPoints',
  honPoints: 'HonPoints',
  honMiles: 'Honmiles',
  awardMiles: 'AwardMiles',
}

const readFlight = flightReader({
  columns,
  zone: 'utc',
  own: {
    duration: (text) => ({ duration: /^[1-9]\d{0,5}$/.test(text) ? Number(text) : null }),
  },
  extras: {
    statusMiles: 'Status miles',
    statusPoints: 'Status points',
    gupPoints: 'Qualifying points',
    honPoints: 'HON points',
    honMiles: 'HON miles',
    awardMiles: 'Award miles',
  },
  more: (flight, row) => ({
    ...reliableTimes(flight, row),
    extras: flight.extras?.filter(([, value]) => Number(value) !== 0) ?? [],
    passengers: [self({ seatClass: readBookingLetter(row.cell('bookingClass'), row.warnings) })],
  }),
})

function readSegment(segment: unknown): Pick<SourceRecord, 'flight' | 'error' | 'warnings'> {
  if (!isRecord(segment)) return { error: { code: 'unreadable_row' } }
  const warnings: ImportWarning[] = []
  const read = readFlight((key) => textOf(segment[columns[key]]), warnings)
  return { ...read, ...(warnings.length > 0 && { warnings }) }
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''

/** If the arrival is the departure, neither is reliable. */
function reliableTimes(
  { departure, arrival }: SourceFlight,
  { cell, warnings }: Row<'departure' | 'arrival'>,
): Partial<SourceFlight> {
  if (!departure || !arrival || Date.parse(cell('arrival')) !== Date.parse(cell('departure'))) return {}
  warnings.push({ code: 'times_dropped', field: null })
  return { departure: null, arrival: null }
}

export const milesandmore: Source = {
  id: 'milesandmore',
  name: 'Miles & More',
  extensions: ['json'],
  readers: [reader],
}
