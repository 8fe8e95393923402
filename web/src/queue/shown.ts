/** Unsent changes as if they were stored: for the list, the map and the flight page. */

import { eachOf, textFields, timeFields } from '../../../server/domain/flights/fields.ts'
import { completionInstant, derivedDuration } from '../../../server/domain/flights/flight.ts'
import { seldomInRow, timesOfRow } from '../../../server/domain/flights/log-row.ts'
import { distanceKm } from '../../../server/domain/geo/geo.ts'
import type { CompactFlight, LogPayload } from '../api/flights-of-log.ts'
import type { FlightRecord, Passenger } from '../api/types.ts'
import { type Draft, inputOf, type PassengerDraft } from '../draft/draft.ts'
import { readHere } from '../draft/zones.ts'
import { withArrivalDay } from './send.ts'
import { localId, type Waiting } from './write.ts'

export interface Shown {
  /** By id; new ones have a negative id. */
  flights: ReadonlyMap<number, FlightRecord>
  deleted: ReadonlySet<number>
}
export const nothingShown: Shown = { flights: new Map(), deleted: new Set() }

export async function shownOf(list: readonly Waiting[]): Promise<Shown> {
  const flights = new Map<number, FlightRecord>()
  const deleted = new Set<number>()
  for (const one of list) {
    const { write, problem } = one
    if (write.kind === 'restore') continue
    if (write.kind === 'delete') {
      if (problem) continue
      for (const { id } of write.flights) {
        deleted.add(id)
        flights.delete(id)
      }
    } else if (problem?.is !== 'gone' && problem?.is !== 'twice') {
      const id = write.kind === 'create' ? localId(one) : write.flight.id
      const version = write.kind === 'create' ? 0 : write.flight.version
      // A change that an earlier version stored in another format is shown only in the list of unsent changes.
      const record = await recordOf({ id, version }, write.draft, one.madeAt).catch(() => null)
      if (record) flights.set(id, record)
    }
  }
  return { flights, deleted }
}

/** Displaying a change must not depend on the server. */
const here = async (_airportId: number, local: string, zone = 'Etc/UTC') => readHere(local, zone)

async function recordOf(
  { id, version }: { id: number; version: number },
  draft: Draft,
  madeAt: number,
): Promise<FlightRecord> {
  const input = await inputOf(await withArrivalDay(draft, here), here)
  const times = eachOf(timeFields, (field) => input[field] ?? null)
  const { from, to, airline, aircraft, plannedTo, operatingAirline } = draft
  const at = new Date(madeAt).toISOString()
  return {
    id,
    version,
    date: input.date,
    datePrecision: draft.datePrecision,
    ...times,
    duration: derivedDuration({ ...times, duration: input.duration ?? null }),
    ...eachOf(textFields, (field) => input[field] ?? null),
    outcome: draft.outcome,
    price: input.price ?? null,
    ...{ from, to, airline, aircraft, plannedTo, operatingAirline },
    passengers: draft.passengers.map(passengerOf),
    track: trackOf(draft.track, at),
    customFields: draft.customFields,
    distanceKm: from && to ? distanceKm(from, to) : null,
    createdAt: at,
    updatedAt: at,
    importId: null,
    externalIds: {},
  }
}

/** A new person has a negative id, like a new flight. */
const passengerOf = (one: PassengerDraft, index: number): Passenger => ({
  id: one.id ?? -1 - index,
  user: one.userId === null ? null : { id: one.userId, displayName: one.name, username: one.name },
  guestName: one.guestName,
  seat: one.seat || null,
  seatNumber: one.seatNumber.trim() || null,
  seatClass: one.seatClass || null,
  flightReason: one.flightReason || null,
  customFields: one.customFields,
})

function trackOf(track: Draft['track'], updatedAt: string): FlightRecord['track'] {
  if (track.kind === 'stored') return track.summary
  if (track.kind !== 'new') return null
  const { coordinates, sourceFormat, sourceName } = track.track
  return {
    pointCount: coordinates.length,
    updatedAt,
    sourceFormat: sourceFormat ?? 'geojson',
    sourceName: sourceName ?? null,
  }
}

/** A log that includes unsent changes. Without any, it is the same object. */
export function withWaiting(log: LogPayload, { flights, deleted }: Shown): LogPayload {
  if (flights.size === 0 && deleted.size === 0) return log
  const kept = log.flights.filter(({ id }) => !deleted.has(id))
  const known = new Set(kept.map(({ id }) => id))
  const isIn = (flight: FlightRecord) =>
    flight.id < 0 && (log.of === null || flight.passengers.some(({ user }) => user?.id === log.of))
  const edited = kept.map((flight) => {
    const waiting = flights.get(flight.id)
    if (!waiting) return flight
    return { ...compactOf(waiting), ...(flight.importId !== undefined && { importId: flight.importId }) }
  })
  const added = [...flights.values()].filter((flight) => isIn(flight))
  const named = [...added, ...[...flights.values()].filter(({ id }) => known.has(id))]
  return {
    ...log,
    flights: [...edited, ...added.map(compactOf)],
    // The log's own records are complete; one that the line has read is not.
    airports: {
      ...recordsOf(named.flatMap(({ from, to, plannedTo }) => [from, to, plannedTo])),
      ...log.airports,
    },
    airlines: { ...recordsOf(named.map(({ airline }) => airline)), ...log.airlines },
    aircraft: { ...recordsOf(named.map(({ aircraft }) => aircraft)), ...log.aircraft },
    users: { ...usersOf(named), ...log.users },
  }
}

const recordsOf = <Item extends { id: number }>(records: (Item | null)[]): Record<string, Item> =>
  Object.fromEntries(records.flatMap((record) => (record ? [[record.id, record] as const] : [])))

const usersOf = (flights: readonly FlightRecord[]): LogPayload['users'] =>
  Object.fromEntries(
    flights.flatMap(({ passengers }) =>
      passengers.flatMap(({ user }) =>
        user ? [[user.id, { displayName: user.displayName, username: user.username }] as const] : [],
      ),
    ),
  )

/** As in the server's log. */
function compactOf(flight: FlightRecord): CompactFlight {
  const { from, to, aircraft, distanceKm } = flight
  return {
    id: flight.id,
    version: flight.version,
    date: flight.date,
    datePrecision: flight.datePrecision,
    from: from?.id ?? null,
    to: to?.id ?? null,
    airline: flight.airline?.id ?? null,
    aircraft: aircraft?.id ?? null,
    flightNumber: flight.flightNumber,
    aircraftReg: flight.aircraftReg,
    ...seldomInRow(flight),
    ...(flight.plannedTo && { plannedTo: flight.plannedTo.id }),
    ...timesOfRow(flight, { from, to, distanceKm, aircraft }),
    completesAt: Math.min(completionInstant(flight, from?.timezone ?? null), Number.MAX_SAFE_INTEGER),
    note: flight.note !== null,
    track: flight.track !== null,
    passengers: flight.passengers.map(
      ({ id, user, guestName, seat, seatNumber, seatClass, flightReason }) => ({
        id,
        user: user?.id ?? null,
        guest: guestName,
        seat,
        seatNumber,
        seatClass,
        reason: flightReason,
      }),
    ),
  }
}
