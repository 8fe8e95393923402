// Whether a deleted flight passes the filters of a feed. The bin has no columns to filter by, so this is decided in
// memory. A flight fails any filter that cannot be evaluated, such as the import that added it.
import { bareNumber } from '../../domain/flights/number.ts'
import type { FlightFilter } from '../../store/flights/filters.ts'
import type { FlightView } from '../flights/view.ts'

type Test = (flight: FlightView, filter: Required<FlightFilter>, ownerId: string) => boolean

const compact = (text: string | null): string => (text ?? '').toUpperCase().replaceAll(/[ -]/g, '')
const among = (ids: readonly number[] | undefined, record: { id: number } | null): boolean =>
  record !== null && ids?.includes(record.id) === true

const ownOf = ({ passengers }: FlightView, ownerId: string) =>
  passengers.find(({ user }) => user?.id === ownerId)

const tests: Record<keyof FlightFilter, Test> = {
  dateFrom: ({ date }, { dateFrom }) => date >= dateFrom!,
  dateTo: ({ date }, { dateTo }) => date <= dateTo!,
  precisions: ({ datePrecision }, { precisions }) => precisions!.includes(datePrecision ?? 'day'),
  updatedSince: ({ updatedAt }, { updatedSince }) => updatedAt >= updatedSince!,
  airportIds: ({ from, to }, { airportIds }) => among(airportIds, from) || among(airportIds, to),
  fromIds: ({ from }, { fromIds }) => among(fromIds, from),
  toIds: ({ to }, { toIds }) => among(toIds, to),
  airlineIds: ({ airline }, { airlineIds }) => among(airlineIds, airline),
  aircraftIds: ({ aircraft }, { aircraftIds }) => among(aircraftIds, aircraft),
  flightNumbers: ({ flightNumber }, { flightNumbers }) => flightNumbers!.includes(compact(flightNumber)),
  anyNumbers: ({ flightNumber, operatingFlightNumber }, { anyNumbers }) =>
    [flightNumber, operatingFlightNumber].some((number) => anyNumbers!.includes(compact(number))),
  bareNumber: ({ flightNumber }, { bareNumber: wanted }) =>
    bareNumber(compact(flightNumber).replace(/^[A-Z0]+/, '')) === wanted,
  aircraftReg: ({ aircraftReg }, { aircraftReg: wanted }) => compact(aircraftReg) === wanted,
  countries: ({ from, to }, { countries }) =>
    [from, to].some((place) => place?.country != null && countries!.includes(place.country)),
  passengerId: ({ passengers }, { passengerId }) => passengers.some(({ user }) => user?.id === passengerId),
  personId: ({ passengers }, { personId }) => passengers.some(({ user }) => user?.id === personId),
  guestNames: ({ passengers }, { guestNames }) =>
    passengers.some(({ guestName }) => guestName !== null && guestNames!.includes(guestName)),
  hasTrack: ({ track }, { hasTrack }) => (track !== null) === hasTrack,
  seatClass: (flight, { seatClass }, ownerId) => ownOf(flight, ownerId)?.seatClass === seatClass,
  reason: (flight, { reason }, ownerId) => ownOf(flight, ownerId)?.flightReason === reason,
  outcome: ({ outcome }, { outcome: wanted }) => outcome === wanted,
  isCounted: ({ outcome }) => outcome !== 'cancelled',
  isOwn: () => true,
  importId: ({ importId }, { importId: wanted }) => importId === wanted,
  external: () => false,
  text: () => false,
}

export const passesFilter = (flight: FlightView, filter: FlightFilter, ownerId: string): boolean =>
  (Object.keys(tests) as (keyof FlightFilter)[]).every(
    (name) => filter[name] === undefined || tests[name](flight, filter as Required<FlightFilter>, ownerId),
  )
