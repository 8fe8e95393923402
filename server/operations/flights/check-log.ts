// Likely mistakes in the caller's log, for a person or an assistant to review. Changes nothing; the rules are in
// domain/flights/log-check.ts.
import * as z from 'zod'
import { inSteps, runSteps } from '../../base/in-steps.ts'
import { effectiveArrival, effectiveDeparture } from '../../domain/flights/best-times.ts'
import {
  type CheckedFlight,
  type CheckFacts,
  checkLog as checkFlights,
  type Finding,
  findingKinds,
  severities,
} from '../../domain/flights/log-check.ts'
import { takesPlace } from '../../domain/flights/outcome.ts'
import { airportCode, daysOf, wasFlying, wasOpen } from '../../domain/reference/code-periods.ts'
import { RowId } from '../../domain/row-id.ts'
import { utcDate, writtenDate } from '../../domain/time/calendar.ts'
import { instantOf } from '../../domain/time/time.ts'
import { type Call, credentialWith, operation } from '../../door/operation.ts'
import type { Records } from '../../services/reference/reference.ts'
import type { LogFlight } from '../../store/flights/log.ts'
import { type Airline, type Airport, listPeriodsOfAll } from '../../store/reference/records.ts'
import { createNumberCursors } from '../wire/cursors.ts'
import { CalendarDate, list, ShortLimit, strictQuery } from '../wire/schemas.ts'
import { audienceRevision } from './audience.ts'
import { Period } from './find/search.ts'
import { loadLog, recordOf } from './flown.ts'
import { routeKm } from './view.ts'

const cursors = createNumberCursors('k1')

const FlightRef = z.object({
  id: RowId,
  date: z.string().describe('YYYY-MM-DD, or YYYY-MM or YYYY where only that is known.'),
  from: z.string().nullable().describe('Code of the airport.'),
  to: z.string().nullable().describe('Code of the airport.'),
  flightNumber: z.string().nullable(),
})

const LogFinding = z
  .object({
    kind: z.enum(findingKinds),
    severity: z.enum(severities).describe('`high`: something is wrong; `low`: it may well be right.'),
    message: z.string().describe('A sentence for the person.'),
    flights: z.array(FlightRef).describe('One flight, or the two that do not go together.'),
    suggestion: z.string().describe('What to do about it.'),
  })
  .meta({ id: 'LogFinding' })

export const checkLog = operation({
  id: 'check-log',
  method: 'GET',
  path: '/flights/check',
  tag: 'Flights',
  summary: 'Check your log for likely mistakes',
  example: { query: { date: '2026' } },
  description:
    'Likely duplicates, flights that overlap or arrive before they depart, impossible speeds, dates before 1914 or more than a year ahead, airports and airlines that did not exist then, airlines that do not fit the number, departures from elsewhere than the last arrival (gaps), and missing times or airlines where the flights around have them. The most serious first, then the newest. With dates, the findings of which at least one flight is within them. Cancelled flights are left out. Changes nothing.',
  access: credentialWith(['flight.read.own', 'reference_data.read']),
  query: strictQuery({
    date: Period.optional().describe('A year, month or day: 2019, 2019-08, 2019-08-20.'),
    dateFrom: CalendarDate.optional().describe('First day, YYYY-MM-DD.'),
    dateTo: CalendarDate.optional().describe('Last day, YYYY-MM-DD.'),
    kind: z
      .enum(findingKinds)
      .optional()
      .describe('Only this: duplicate, overlap, impossible_speed, gap, missing_times …'),
    limit: ShortLimit,
    cursor: cursors.Cursor,
  }),
  output: z.object({
    ...list(LogFinding).shape,
    summary: z.object({
      flights: z.int().describe('How many flights were checked.'),
      findings: z.int(),
      byKind: z.partialRecord(z.enum(findingKinds), z.int()).describe('How many of each kind.'),
    }),
  }),
  tool: {
    title: 'Check the log for mistakes',
    description:
      'Likely mistakes in the log, worst first: duplicates, overlaps, impossible speeds, gaps (arrived at one airport, next departed from another), missing times. For "is anything wrong in my log?" or "did I forget a flight in 2019?". Changes nothing; ask before correcting. Low ones may be right.',
    shallow: ['kind'],
    quotes: ['data[].message'],
    brief: ({ data, ...output }) => ({ ...output, data: data.map(briefFinding) }),
    says: ({ data, summary }) => [sentence(summary), ...data.map(findingLine)].join('\n'),
  },
  cached: {
    key: async (call) => {
      const { date, dateFrom, dateTo, kind, limit, cursor } = call.input
      const asked = [date, dateFrom, dateTo, kind, limit, cursor].join('/')
      return `${await audienceRevision({ ...call, input: { scope: 'mine' } })}/${todayOf(call)}/${asked}`
    },
  },
  async run(call) {
    const { limit, cursor, kind } = call.input
    const { flights, facts } = await checkedLog(call)
    const isAsked = inRange(call.input)
    const findings = await runSteps(checkFlights(flights, facts))
    const found = await someOf(
      findings,
      (finding) => (kind === undefined || finding.kind === kind) && finding.flights.some(isAsked),
    )
    const numbered = found
      .slice(cursor, cursor + limit + 1)
      .map((finding, i) => ({ finding, number: cursor + i + 1 }))
    const page = cursors.cut(numbered, limit, ({ number }) => number)
    const asked = await someOf(flights, isAsked)
    return {
      data: page.rows.map(({ finding }) => shown(finding)),
      summary: { flights: asked.length, findings: found.length, byKind: await countsOf(found) },
      page: { nextCursor: page.nextCursor },
    }
  },
})

interface Range {
  date?: string | undefined
  dateFrom?: string | undefined
  dateTo?: string | undefined
}

/** A flight with only a month or year counts as on every day of it. */
function inRange({ date, dateFrom, dateTo }: Range): (flight: LogFlight | Checked) => boolean {
  const asked =
    date === undefined ? undefined : daysOf(`${date}-01-01`.slice(0, 10), precisions[date.length]!)
  const first = [dateFrom ?? '', asked?.first ?? ''].sort().at(-1)!
  const last = [dateTo ?? '9999-12-31', asked?.last ?? '9999-12-31'].sort()[0]!
  return (flight) => {
    const days = daysOf(flight.date, flight.datePrecision)
    return days.last >= first && days.first <= last
  }
}
const precisions: Record<number, 'year' | 'month' | 'day'> = { 4: 'year', 7: 'month', 10: 'day' }

const todayOf = ({ now }: Pick<Call, 'now'>): string => utcDate(now.getTime())

// The log for the checks

type Checked = CheckedFlight<Airport, Airline>

async function checkedLog(call: Call): Promise<{ flights: Checked[]; facts: CheckFacts<Airport, Airline> }> {
  const { principal } = call
  const { reference } = principal.revisions
  const { flights, records } = await loadLog(call, principal.user.id, reference)
  const checked: Checked[] = []
  await inSteps(flights, (some) => {
    for (const flight of some) if (takesPlace(flight)) checked.push(checkedFlight(flight, records))
  })
  return { flights: checked, facts: await factsFor(call, checked) }
}

function checkedFlight(flight: LogFlight, records: Records): Checked {
  const [from, to] = [recordOf(records.airports, flight.fromId), recordOf(records.airports, flight.toId)]
  const [departure, arrival] = [effectiveDeparture(flight), effectiveArrival(flight)]
  return {
    id: flight.id,
    date: flight.date,
    datePrecision: flight.datePrecision,
    outcome: flight.outcome,
    from,
    to,
    airline: recordOf(records.airlines, flight.airlineId),
    airlineId: flight.airlineId,
    flightNumber: flight.flightNumber,
    operatingFlightNumber: flight.operatingFlightNumber,
    aircraftClass: recordOf(records.aircraft, flight.aircraftId)?.class ?? null,
    departure: flight.departure,
    departureScheduled: flight.departureScheduled,
    departs: departure === null ? null : instantOf(departure),
    arrives: arrival === null ? null : instantOf(arrival),
    duration: flight.duration,
    distanceKm: from && to ? routeKm(from, to) : null,
    hasNote: flight.hasNote,
    hasTrack: flight.hasTrack,
  }
}

async function factsFor(call: Call, flights: readonly Checked[]): Promise<CheckFacts<Airport, Airline>> {
  const ids = { airport: new Set<number>(), airline: new Set<number>() }
  await inSteps(flights, (some) => {
    for (const { from, to, airline } of some) {
      if (from) ids.airport.add(from.id)
      if (to) ids.airport.add(to.id)
      if (airline) ids.airline.add(airline.id)
    }
  })
  const periods = async (kind: keyof typeof ids) =>
    Map.groupBy(await listPeriodsOfAll(call.db, kind, [...ids[kind]]), ({ id }) => id)
  const airports = await periods('airport')
  const airlines = await periods('airline')
  return {
    today: todayOf(call),
    wasOpen: (airport, days) => wasOpen(airport, airports.get(airport.id) ?? [], days),
    wasFlying: (airline, days) => wasFlying(airline, airlines.get(airline.id) ?? [], days),
    hasCode: ({ id, iata, icao }, code) =>
      code === iata || code === icao || (airlines.get(id) ?? []).some((period) => period.code === code),
  }
}

async function someOf<Item>(items: readonly Item[], isOne: (item: Item) => boolean): Promise<Item[]> {
  const found: Item[] = []
  await inSteps(items, (some) => {
    for (const item of some) if (isOne(item)) found.push(item)
  })
  return found
}

// The findings for the response

const shown = ({ kind, severity, message, suggestion, flights }: Finding<Checked>) => ({
  kind,
  severity,
  message,
  flights: flights.map(({ id, date, datePrecision, from, to, flightNumber }) => ({
    id,
    date: writtenDate({ date, datePrecision }),
    from: from && airportCode(from),
    to: to && airportCode(to),
    flightNumber,
  })),
  suggestion,
})

async function countsOf(
  found: readonly Finding<Checked>[],
): Promise<Partial<Record<(typeof findingKinds)[number], number>>> {
  const counts: Partial<Record<(typeof findingKinds)[number], number>> = {}
  await inSteps(found, (some) => {
    for (const { kind } of some) counts[kind] = (counts[kind] ?? 0) + 1
  })
  return counts
}

/** `3 findings in 120 flights: 1 duplicate, 2 gap.` */
function sentence({
  flights,
  findings,
  byKind,
}: {
  flights: number
  findings: number
  byKind: Partial<Record<string, number>>
}): string {
  if (findings === 0) return `Nothing looks wrong in ${flights} flights.`
  const parts = Object.entries(byKind).map(([kind, count]) => `${kind} ${count}`)
  return `${findings} ${findings === 1 ? 'finding' : 'findings'} in ${flights} flights: ${parts.join(', ')}.`
}

type Shown = z.output<typeof LogFinding>

const idsIn = ({ flights }: Shown): number[] => flights.map(({ id }) => id)

/** The message describes the flights; their ids are for get_flight and edit_flight. */
const briefFinding = (finding: Shown) => ({ ...finding, flights: finding.flights.map(({ id }) => ({ id })) })

/** `high overlap: SK501 … (flights 12, 13)` */
const findingLine = (finding: Shown): string =>
  `${finding.severity} ${finding.kind}: ${finding.message} (${finding.flights.length === 1 ? 'flight' : 'flights'} ${idsIn(finding).join(', ')})`
