// Miles & More: the list of flown segments from the programme's own API. Values are padded with blanks; times are UTC.
import type { ImportWarning } from '../../../../domain/imports/imports.ts'
import { reads, type Source, type SourceFlight, type SourceRecord } from '../../reading/source.ts'
import { aircraftNamed, airlineNamed, airportNamed } from '../../values/named.ts'
import { readBookingLetter } from '../../values/words.ts'
import { dateIn, extrasOf, joinedNumber, self, textIn, timeIn } from './cells.ts'

type Segment = Record<string, unknown>

const reader = reads({
  kind: 'json',
  matches: ({ value }) => {
    const list = segmentsIn(value)
    return list !== null && (!Array.isArray(value) || (isSegment(list[0]) && 'OriginAirportCode' in list[0]))
  },
  *records({ value }) {
    for (const segment of segmentsIn(value) ?? [])
      yield { line: null, raw: JSON.stringify(segment) ?? '', ...readSegment(segment) }
  },
})

function segmentsIn(value: unknown): unknown[] | null {
  if (Array.isArray(value)) return value
  const list = isSegment(value) ? value['SegmentListResponses'] : null
  return Array.isArray(list) ? list : null
}

const isSegment = (value: unknown): value is Segment =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function readSegment(segment: unknown): Pick<SourceRecord, 'flight' | 'error' | 'warnings'> {
  if (!isSegment(segment)) return { error: { code: 'unreadable_row' } }
  const warnings: ImportWarning[] = []
  const flight = flightOf((key) => textOf(segment[key]), warnings)
  return { flight, ...(warnings.length > 0 && { warnings }) }
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''

function flightOf(text: (key: string) => string, warnings: ImportWarning[]): SourceFlight {
  const carrier = text('AirlineDesignatorCode')
  return {
    date: dateIn(text('DepartureDate')),
    from: airportNamed(text('OriginAirportCode')),
    to: airportNamed(text('DestinationAirportCode')),
    airline: airlineNamed(carrier),
    flightNumber: joinedNumber(carrier, text('FlightNumber')),
    aircraft: aircraftNamed(text('AircraftCode')),
    ...timesOf(text('DepartureTime'), text('ArrivalTime'), warnings),
    duration: secondsOf(text('TimeOnPlane')),
    bookingReference: textIn(text('PnrrecordLocator')),
    extras: earned(text),
    passengers: [self({ seatClass: readBookingLetter(text('CompartmentClass'), warnings) })],
  }
}

/** If the arrival is before the departure, neither is reliable. */
function timesOf(
  departureText: string,
  arrivalText: string,
  warnings: ImportWarning[],
): Pick<SourceFlight, 'departure' | 'arrival'> {
  const departure = timeIn('departure', departureText, warnings, { zone: 'utc' })
  const arrival = timeIn('arrival', arrivalText, warnings, { zone: 'utc' })
  if (!departure || !arrival || Date.parse(arrivalText) > Date.parse(departureText))
    return { departure, arrival }
  warnings.push({ code: 'times_dropped', field: null })
  return { departure: null, arrival: null }
}

const secondsOf = (text: string): number | null => (/^[1-9]\d{0,5}$/.test(text) ? Number(text) : null)

/** Earned miles and points, without zeros. */
const earned = (text: (key: string) => string) =>
  extrasOf({
    'Status miles': notZero(text('StatusMiles')),
    'Status points': notZero(text('StatusPoints')),
    'Qualifying points': notZero(text('GupPoints')),
    'HON points': notZero(text('HonPoints')),
    'HON miles': notZero(text('Honmiles')),
    'Award miles': notZero(text('AwardMiles')),
  })
const notZero = (text: string): string => (Number(text) === 0 ? '' : text)

export const milesandmore: Source = {
  id: 'milesandmore',
  name: 'Miles & More',
  extensions: ['json'],
  howTo: {
    en: 'Sign in at miles-and-more.com, then open https://api.travelid.lufthansa.com/flightstats/v3/me/segmentList?departureDateRange=10000%20months&size=10000&page=0 in the same browser. Save the page that appears as a .json file and drop it here.',
    de: 'Melde dich bei miles-and-more.com an und öffne dann im selben Browser https://api.travelid.lufthansa.com/flightstats/v3/me/segmentList?departureDateRange=10000%20months&size=10000&page=0. Speichere die Seite, die erscheint, als .json-Datei und lege sie hier ab.',
    fr: 'Connectez-vous sur miles-and-more.com, puis ouvrez https://api.travelid.lufthansa.com/flightstats/v3/me/segmentList?departureDateRange=10000%20months&size=10000&page=0 dans le même navigateur. Enregistrez la page qui apparaît en fichier .json et déposez-la ici.',
  },
  readers: [reader],
}
