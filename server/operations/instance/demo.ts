// Demo flights for people who want to look around first: added to their own log, marked, and removed together.
import * as z from 'zod'
import { AppError } from '../../base/errors.ts'
import { estimatedSeconds } from '../../domain/flights/duration.ts'
import { type FlightFields, nothingKnown } from '../../domain/flights/fields.ts'
import { distanceKm } from '../../domain/geo/geo.ts'
import { type DemoFlight, demoFlights, demoTrips } from '../../domain/instance/demo.ts'
import { daysOf } from '../../domain/reference/code-periods.ts'
import { recordOf } from '../../domain/reference/resolution.ts'
import { MINUTE } from '../../domain/time/durations.ts'
import { formatInZone, readLocal } from '../../domain/time/time.ts'
import { type Call, operation, person } from '../../door/operation.ts'
import {
  aircraftTypes,
  airlines,
  airports,
  createCodeBook,
} from '../../services/reference/resolve/records.ts'
import { insertFlight, insertPassenger } from '../../store/flights/writes.ts'
import { type FlightChange, recordChanges, recordFlightChanges } from '../../store/history/changes.ts'
import {
  insertDemoFlight,
  insertDemoTrip,
  listDemoTrips,
  lockDemoFlights,
} from '../../store/instance/demo.ts'
import type { Aircraft, Airline, Airport } from '../../store/reference/records.ts'
import type { Executor } from '../../store/store.ts'
import { insertTrip, listFlightsOfTrip, moveIntoTrip } from '../../store/trips/trips.ts'
import { authorOf } from '../flights/author.ts'
import { binFlights } from '../flights/removal.ts'
import { removeTrip } from '../trips/trips.ts'
import { nothing, single } from '../wire/schemas.ts'

const tag = 'Flights'

export const loadDemo = operation({
  id: 'load-demo',
  method: 'POST',
  path: '/demo',
  door: 'app',
  tag,
  summary: 'Add demo flights to your log',
  access: person(['flight.create.own']),
  output: single(z.object({ flights: z.int().describe('Number of flights added.') })),
  status: 201,
  errors: ['conflict'],
  async run(call) {
    const { principal, db, now } = call
    const userId = principal.user.id
    if ((await lockDemoFlights(db, userId)).length > 0) {
      throw new AppError('conflict', 'demo_already_loaded')
    }
    const flights = demoFlights(now.getTime())
    const naming = createNaming(db)
    const at = now.toISOString()
    const added: FlightChange[] = []
    const parts = new Map<string, number[]>(demoTrips.map(({ name }) => [name, []]))
    for (const flight of flights) {
      const fields = fieldsOf(flight, await naming(flight), now.getTime())
      const id = await insertFlight(db, fields, {}, at)
      await insertPassengers(db, { id, date: flight.date }, flight, userId)
      await insertDemoFlight(db, { userId, flightId: id })
      if (flight.trip !== null) parts.get(flight.trip)!.push(id)
      added.push({ id, version: 1, kind: 'created', history: 'added', users: [userId] })
    }
    await insertTrips(call, parts)
    await recordFlightChanges(db, added, authorOf(call), at)
    return { data: { flights: added.length } }
  },
})

export const removeDemo = operation({
  id: 'remove-demo',
  method: 'DELETE',
  path: '/demo',
  door: 'app',
  tag,
  summary: 'Remove the demo flights from your log',
  description:
    'Removes only the demo flights, changed or not, and the demo trips in which no other flight is. Like every deleted flight, they can be restored for 30 days.',
  access: person(['flight.delete.own']),
  output: nothing,
  status: 204,
  async run(call) {
    const ids = await lockDemoFlights(call.db, call.principal.user.id)
    await binFlights(call, ids)
    await removeTrips(call)
  },
})

type Loading = Pick<Call, 'db' | 'principal' | 'now'>

async function insertTrips({ db, principal, now }: Loading, parts: ReadonlyMap<string, number[]>) {
  const userId = principal.user.id
  const at = now.toISOString()
  const created = []
  for (const trip of demoTrips) {
    const { id } = await insertTrip(db, userId, trip, at)
    await moveIntoTrip(db, userId, id, parts.get(trip.name)!)
    await insertDemoTrip(db, { userId, tripId: id })
    created.push({ type: 'trip', id, kind: 'created' } as const)
  }
  await recordChanges(db, userId, created, at)
}

/** Runs after the flights are removed: a trip that has other flights now belongs to the person. */
async function removeTrips(call: Loading): Promise<void> {
  const { db, principal } = call
  for (const id of await listDemoTrips(db, { userId: principal.user.id }))
    if ((await listFlightsOfTrip(db, { userId: principal.user.id, tripId: id })).length === 0)
      await removeTrip(call, id)
}

interface Named {
  from: Airport | undefined
  to: Airport | undefined
  airline: Airline | undefined
  aircraft: Aircraft | undefined
}

/** What the codes of a flight meant on its day. */
function createNaming(db: Executor): (flight: DemoFlight) => Promise<Named> {
  const airport = createCodeBook(db, airports)
  const airline = createCodeBook(db, airlines)
  const type = createCodeBook(db, aircraftTypes)
  return async (flight) => {
    const days = daysOf(flight.date, flight.datePrecision)
    return {
      from: recordOf(await airport(flight.from, days)),
      to: recordOf(await airport(flight.to, days)),
      airline: flight.airline === null ? undefined : recordOf(await airline(flight.airline, days)),
      aircraft: flight.aircraft === null ? undefined : recordOf(await type(flight.aircraft, days)),
    }
  }
}

function fieldsOf(flight: DemoFlight, { from, to, airline, aircraft }: Named, now: number): FlightFields {
  const times = from && to && flight.time ? timesOf(flight, from, to, aircraft, now) : undefined
  return {
    ...nothingKnown,
    date: flight.date,
    datePrecision: flight.datePrecision,
    ...times,
    departureGate: flight.gate,
    flightNumber: flight.flightNumber,
    aircraftReg: flight.aircraftReg,
    note: flight.note,
    fromId: from?.id ?? null,
    toId: to?.id ?? null,
    airlineId: airline?.id ?? null,
    aircraftId: aircraft?.id ?? null,
  }
}

const FIVE_MINUTES = 300

/** Scheduled times for every flight, and actual ones for those that have been flown. */
function timesOf(
  flight: DemoFlight,
  from: Airport,
  to: Airport,
  aircraft: Aircraft | undefined,
  now: number,
) {
  const leaves = readLocal(`${flight.date}T${flight.time}`, from.timezone).instant
  const took =
    Math.round(estimatedSeconds(distanceKm(from, to), aircraft?.class ?? null) / FIVE_MINUTES) * FIVE_MINUTES
  const lands = leaves + took * 1000
  const scheduled = {
    departureScheduled: formatInZone(leaves, from.timezone),
    arrivalScheduled: formatInZone(lands, to.timezone),
  }
  if (lands >= now) return scheduled
  const late = flight.minutesLate * MINUTE
  return {
    ...scheduled,
    departure: formatInZone(leaves + late, from.timezone),
    arrival: formatInZone(lands + late, to.timezone),
    duration: took,
  }
}

async function insertPassengers(
  db: Executor,
  on: { id: number; date: string },
  flight: DemoFlight,
  userId: string,
): Promise<void> {
  const { seat, seatClass, reason: flightReason, companion } = flight
  const seatNumber = flight.seatNumber || null
  await insertPassenger(db, on, { userId, guestName: null, seat, seatNumber, seatClass, flightReason }, {})
  if (companion === null) return
  const beside = { userId: null, guestName: companion, seat: null, seatNumber: null, seatClass, flightReason }
  await insertPassenger(db, on, beside, {})
}
