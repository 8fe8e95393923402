// A stored flight as the API returns it.
import type * as z from 'zod'
import { valuesByKey } from '../../domain/flights/custom-fields.ts'
import {
  aircraftFields,
  airlineFields,
  airportFields,
  type FlightTable,
  flightFields,
  passengerFieldNames,
  plainFields,
  type ReferenceField,
  shownReferences,
} from '../../domain/flights/fields.ts'
import { distanceKm } from '../../domain/geo/geo.ts'
import { pick } from '../../domain/pick.ts'
import type { Call } from '../../door/operation.ts'
import type { Services } from '../../door/services.ts'
import type { Records } from '../../services/reference/reference.ts'
import type { CustomField } from '../../store/flights/custom-fields.ts'
import type { StoredFlight, StoredPassenger } from '../../store/flights/flights.ts'
import { type ExternalIds, listExternalIds } from '../../store/history/external-ids.ts'
import type { Airport } from '../../store/reference/records.ts'
import type { Flight } from '../wire/schemas.ts'

export type FlightView = z.input<typeof Flight>

/** The viewer; not always a call. */
export interface Viewing extends Pick<Call, 'principal' | 'db'> {
  services: Pick<Services, 'reference'>
}

/**
 * Stored flights as the API returns them, with their records, and custom fields by key. `known` are the viewer's
 * external ids, if already read.
 */
export async function showFlights(
  { services, principal, db }: Viewing,
  flights: readonly StoredFlight[],
  known?: ReadonlyMap<number, ExternalIds>,
): Promise<FlightView[]> {
  const { reference } = principal.revisions
  const records = await recordsOf({ services, db }, reference, flights)
  const fields = await services.reference.customFields(db, reference)
  const ids = flights.map(({ id }) => id)
  // External ids are only visible to the person who set them.
  const externalIds = known ?? (await listExternalIds(db, principal.user.id, ids))
  return flights.map((flight) => viewOf(flight, records, fields, externalIds.get(flight.id) ?? {}))
}

export const showFlight = async (call: Viewing, flight: StoredFlight, known?: ExternalIds) =>
  (await showFlights(call, [flight], known && new Map([[flight.id, known]])))[0]!

/** Reads everything needed to show a flight, so that no query is needed after storing it. */
export async function prepareView(
  { services, principal, db }: Viewing,
  fields: Referring,
): Promise<(flight: StoredFlight) => FlightView> {
  const { reference } = principal.revisions
  const records = await recordsOf({ services, db }, reference, [fields])
  const definitions = await services.reference.customFields(db, reference)
  return (flight) => viewOf(flight, records, definitions, {})
}

type Referring = Pick<StoredFlight, ReferenceField>

/** The airports, airlines and aircraft that these flights refer to. */
export const recordsOf = (
  { services, db }: Pick<Viewing, 'services' | 'db'>,
  revision: number,
  flights: readonly Referring[],
): Promise<Records> =>
  services.reference.records(db, revision, {
    airports: flights.flatMap((flight) => airportFields.map((name) => flight[name])),
    airlines: flights.flatMap((flight) => airlineFields.map((name) => flight[name])),
    aircraft: flights.flatMap((flight) => aircraftFields.map((name) => flight[name])),
  })

/** The records that a flight refers to, by the names of their fields in the API. */
type Referred = {
  [Name in ReferenceField as FlightTable[Name]['shownAs']]: FlightView[FlightTable[Name]['shownAs']]
}

const referredBy = (flight: StoredFlight, records: Records): Referred =>
  Object.fromEntries(
    shownReferences.map((name) => {
      const { to, shownAs } = flightFields[name]
      return [shownAs, lookUp<object>(records[to], flight[name])]
    }),
  ) as Referred

function viewOf(
  flight: StoredFlight,
  records: Records,
  fields: readonly CustomField[],
  externalIds: ExternalIds,
): FlightView {
  const from = lookUp(records.airports, flight.fromId)
  const to = lookUp(records.airports, flight.toId)
  return {
    id: flight.id,
    ...pick(flight, plainFields),
    ...referredBy(flight, records),
    passengers: flight.passengers.map((passenger) => showPassenger(passenger, fields)),
    track: flight.track,
    customFields: shownValues(fields, 'flight', flight.customFields),
    distanceKm: from && to ? routeKm(from, to) : null,
    createdAt: flight.createdAt,
    updatedAt: flight.updatedAt,
    version: flight.version,
    importId: flight.importId,
    externalIds,
  }
}

/** A user is returned as a record, not by id. */
export const shownPassengerFields = passengerFieldNames.filter((name) => name !== 'userId')

const showPassenger = (
  passenger: StoredPassenger,
  fields: readonly CustomField[],
): FlightView['passengers'][0] => ({
  id: passenger.id,
  user:
    passenger.userId === null
      ? null
      : { id: passenger.userId, displayName: passenger.displayName!, username: passenger.username! },
  ...pick(passenger, shownPassengerFields),
  customFields: shownValues(fields, 'flight_passenger', passenger.customFields),
})

export const shownValues = (
  fields: readonly CustomField[],
  entityType: CustomField['entityType'],
  stored: Record<string, unknown>,
) =>
  valuesByKey(
    fields.filter((field) => field.entityType === entityType),
    stored,
  )

export const lookUp = <Item>(records: ReadonlyMap<number, Item>, id: number | null): Item | null =>
  id === null ? null : (records.get(id) ?? null)

const routes = new WeakMap<Airport, Map<Airport, number>>()

/** A log repeats its routes, so the distance is computed once per pair of records. */
export function routeKm(from: Airport, to: Airport): number {
  let fromHere = routes.get(from)
  if (!fromHere) {
    fromHere = new Map()
    routes.set(from, fromHere)
  }
  let km = fromHere.get(to)
  if (km === undefined) {
    km = distanceKm(from, to)
    fromHere.set(to, km)
  }
  return km
}
