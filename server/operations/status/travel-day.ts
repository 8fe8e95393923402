// What a person needs on the day of travel, and how far a flight is.
import * as z from 'zod'
import { departureInstant } from '../../domain/flights/flight.ts'
import { takesPlace } from '../../domain/flights/outcome.ts'
import { RowId } from '../../domain/row-id.ts'
import { FlightStatus } from '../../domain/status/flight-status.ts'
import { connectionOf, isTravelDay, spanOf, statusByTimes } from '../../domain/status/travel-day.ts'
import { addDays, utcDate } from '../../domain/time/calendar.ts'
import { type Call, credentialWith, operation } from '../../door/operation.ts'
import { listDepartures } from '../../store/flights/filters.ts'
import { findFlights } from '../../store/flights/flights.ts'
import { listWithKeptPass } from '../../store/status/kept-passes.ts'
import { type FlightView, showFlights } from '../flights/view.ts'
import { Flight, strictQuery, timestamp } from '../wire/schemas.ts'

const tag = 'Day of travel'

const TravelDay = z
  .object({
    now: timestamp('The server’s time, by which everything else is computed.'),
    flights: z.array(
      z.object({
        flight: Flight,
        status: FlightStatus,
        connection: z
          .object({
            toFlightId: RowId,
            seconds: z
              .int()
              .describe('On the ground, as expected now; negative if the next flight leaves first.'),
            plannedSeconds: z.int(),
          })
          .nullable()
          .describe('To the next of these flights, if it leaves from where this one lands.'),
        hasKeptPass: z.boolean().describe('You keep the boarding pass of this flight.'),
      }),
    ),
    next: Flight.nullable().describe('Your next flight that has not departed.'),
  })
  .meta({ id: 'TravelDay' })

export const getTravelDay = operation({
  id: 'get-travel-day',
  method: 'GET',
  path: '/travel-day',
  tag,
  summary: 'Read the flights of your day of travel',
  description:
    'Your flights from 36 hours before departure until 12 hours after landing, in the order of departure, each with its status. A flight without times counts for its whole day.',
  access: credentialWith(['flight.read.own']),
  query: strictQuery({}),
  output: z.object({ data: TravelDay }),
  tool: {
    title: 'Read the day of travel',
    description:
      'When do I have to leave, is my flight on time? Flights of today and tomorrow with their status.',
    lines: ['data.flights[].flight', 'data.next'],
    quotes: ['departureTerminal', 'departureGate', 'arrivalTerminal', 'arrivalGate'].map(
      (name) => `data.flights[].${name}`,
    ),
    brief: (output) => inShort(output),
  },
  cached: { control: 'private, max-age=15' },
  async run(call) {
    const now = call.now.getTime()
    const { recent, nextId } = await findRecent(call)
    const stored = await findFlights(call.db, nextId === null ? recent : [...new Set([...recent, nextId])])
    const shown = await showFlights(call, stored)
    const flights = recent
      .map((id) => shown.find((flight) => flight.id === id)!)
      .filter((flight) => isTravelDay(spanOf(flight), now))
      .map((flight) => ({ flight, status: statusByTimes(flight, now) }))
      .sort(byDeparture)
    const kept = await listWithKeptPass(
      call.db,
      call.principal.user.id,
      flights.map(({ flight }) => flight.id),
    )
    return {
      data: {
        now: call.now.toISOString(),
        flights: flights.map((one) => ({
          ...one,
          connection: connectionOf(one, flights),
          hasKeptPass: kept.has(one.flight.id),
        })),
        next: shown.find(({ id }) => id === nextId) ?? null,
      },
    }
  },
})

/** What is new beside the line of a flight. */
const inShort = ({ data }: { data: z.output<typeof TravelDay> }) => ({
  data: {
    now: data.now,
    flights: data.flights.map(({ flight, status, connection }) => ({
      flight,
      phase: status.phase,
      ...(status.phaseIsEstimated ? { isByTimetable: true } : {}),
      ...endInShort('departure', status.departure),
      ...endInShort('arrival', status.arrival),
      ...(connection && {
        connectionMinutes: Math.round(connection.seconds / 60),
        plannedConnectionMinutes: Math.round(connection.plannedSeconds / 60),
      }),
    })),
    next: data.next,
  },
})

function endInShort(
  end: 'departure' | 'arrival',
  { estimated, actual, delaySeconds, terminal, gate }: FlightStatus['arrival'],
) {
  const known = {
    Actual: actual,
    Estimated: estimated,
    DelayMinutes: delaySeconds === null ? null : Math.round(delaySeconds / 60),
    Terminal: terminal,
    Gate: gate,
  }
  return Object.fromEntries(
    Object.entries(known).flatMap(([name, value]) => (value === null ? [] : [[end + name, value]])),
  )
}

/** Flights of these days may be within the window, wherever they depart. */
const [DAYS_BACK, DAYS_AHEAD] = [4, 3]

/** The ids of the flights around now, and of the next one. */
async function findRecent({
  db,
  principal,
  now,
}: Call): Promise<{ recent: number[]; nextId: number | null }> {
  const today = utcDate(now.getTime())
  const dateTo = addDays(today, DAYS_AHEAD)
  const found = await listDepartures(db, principal.user.id, { dateFrom: addDays(today, -DAYS_BACK) })
  const recent = found.filter(({ date, datePrecision }) => datePrecision === 'day' && date <= dateTo)
  const ahead = found
    .filter(takesPlace)
    .map((flight) => ({ id: flight.id, departs: departureInstant(flight, flight.timezone) }))
    .filter(({ departs }) => departs >= now.getTime())
    .sort((a, b) => a.departs - b.departs || a.id - b.id)
  return { recent: recent.map(({ id }) => id), nextId: ahead[0]?.id ?? null }
}

interface Travelling {
  flight: FlightView
  status: FlightStatus
}
const byDeparture = ({ flight: a }: Travelling, { flight: b }: Travelling): number =>
  (spanOf(a).departs ?? Date.parse(a.date)) - (spanOf(b).departs ?? Date.parse(b.date)) || a.id - b.id
