// Random logs at random times: no clock, zone or selection of people duplicates or loses a heading or a flight.
import { HOUR } from '../../../../server/domain/time/durations.ts'
import '../../testing/svelte-modules.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { completionInstant } from '../../../../server/domain/flights/flight.ts'
import { timesOfRow } from '../../../../server/domain/flights/log-row.ts'
import { takesPlace } from '../../../../server/domain/flights/outcome.ts'
import { addDays, utcDate } from '../../../../server/domain/time/calendar.ts'
import { localDate } from '../../../../server/domain/time/time.ts'
import type { CompactFlight, Flight, LogPayload, LogScope } from '../../api/log.ts'
import { outcomes } from '../../api/types.ts'
import { airports, createRandom, zoneOf } from '../../testing/flights.ts'

const { flightsOf } = await import('../../api/flights-of-log.ts')
const { journeysOf } = await import('../../log/journeys.ts')
const { isInAir } = await import('../../screen/next.ts')
const { orders, rowsOf } = await import('./rows.ts')

type Random = ReturnType<typeof createRandom>

const people = ['ada', 'bo', 'cy']
const scopes: LogScope[] = [{ scope: 'mine' }, { scope: 'all' }, { scope: 'several', userIds: ['ada', 'bo'] }]
/** Around midnight in Europe, New Year, and a night in which the clocks change. */
const moments = ['2026-11-17T23:10Z', '2026-11-17T23:20Z', '2026-12-31T23:59Z', '2026-10-25T01:30Z']

/** Within two days of that time, or years away; with both times, only a departure, or none. */
function randomFlight(random: Random, id: number, now: number): CompactFlight {
  const [from, to] = [random.pick(airports), random.pick(airports)]
  const years = random.chance(0.2) ? random.below(5) - 3 : 0
  const departs = now + (random.below(96) - 48) * HOUR + years * 8766 * HOUR + random.below(60) * 60_000
  const known = random.pick(['both', 'both', 'departure', 'none'] as const)
  const iso = (instant: number) => new Date(instant).toISOString()
  const stored = {
    date: localDate(departs, zoneOf(from)),
    datePrecision: random.chance(0.9) ? ('day' as const) : random.pick(['month', 'year'] as const),
    departure: known === 'none' ? null : iso(departs),
    arrival: known === 'both' ? iso(departs + random.below(15 * 60) * 60_000) : null,
    departureScheduled: null,
    arrivalScheduled: null,
    takeoffScheduled: null,
    landingScheduled: null,
    takeoffActual: null,
    landingActual: null,
    duration: random.chance(0.3) ? 7200 : null,
    outcome: random.chance(0.9) ? ('flown' as const) : random.pick(outcomes),
    bookingReference: null,
    operatingFlightNumber: null,
  }
  return {
    id,
    version: 1,
    date: stored.date,
    datePrecision: stored.datePrecision,
    from: from.id,
    to: to.id,
    ...(stored.outcome === 'flown' ? {} : { outcome: stored.outcome }),
    ...timesOfRow(stored, { from, to, distanceKm: 1000, aircraft: null }),
    completesAt: completionInstant(stored, from.timezone),
    passengers: people.filter(() => random.chance(0.6)).map((user) => ({ user })),
  } as CompactFlight
}

function randomLog(random: Random, now: number): Flight[] {
  const flights = Array.from({ length: 1 + random.below(14) }, (_, i) => randomFlight(random, i + 1, now))
  const payload = { flights, airports: Object.fromEntries(airports.map((one) => [one.id, one])) }
  return flightsOf({ ...payload, airlines: {}, aircraft: {} } as unknown as LogPayload, now)
}

const ascending = (values: readonly number[]) =>
  assert.deepEqual(
    values,
    values.toSorted((a, b) => a - b),
  )

function requireWhole(flights: Flight[], random: Random, now: number): void {
  const scope = random.pick(scopes)
  const travellers = { scope, me: 'ada', homes: new Map([['ada', 1]]), today: utcDate(now) }
  const journeys = journeysOf(flights.filter(takesPlace), travellers)
  const shown = flights.filter(() => random.chance(0.9))
  const airborne = new Set(shown.filter((one) => isInAir(one, now)).map(({ id }) => id))
  for (const order of orders) {
    const list = rowsOf(shown, journeys, { order, stops: random.chance(0.5), airborne })
    const keys = list.rows.map(({ key }) => key)
    assert.deepEqual(keys, [...new Set(keys)], `no key twice, ${order}`)
    ascending(list.rowOf)
    assert.deepEqual(
      list.flights.map(({ id }) => id).toSorted((a, b) => a - b),
      shown.map(({ id }) => id).toSorted((a, b) => a - b),
      'every flight once',
    )
    const years = list.sections.flatMap(({ section }) => section.year ?? [])
    ascending(order === 'oldest' ? years : years.toReversed())
    if (order === 'newest' || order === 'oldest') requireSections(list, airborne)
  }
}

/** Flights in the air are under "In the air"; upcoming ones under "Upcoming" or with the other legs of such a journey. */
function requireSections(list: ReturnType<typeof rowsOf>, airborne: ReadonlySet<number>): void {
  for (const [i, { section, row }] of list.sections.entries()) {
    const rows = list.rows.slice(row, list.sections[i + 1]?.row)
    const flights = rows.filter((one) => one.kind === 'flight').map(({ flight }) => flight)
    assert.ok(flights.length > 0, 'no heading without a flight')
    if (section.kind !== 'air') assert.ok(!flights.some(({ id }) => airborne.has(id)))
    if (section.kind === 'year') assert.ok(flights.every(({ completed }) => completed))
    if (section.kind !== 'upcoming') continue
    const alone = rows.flatMap((one) => (one.kind === 'flight' && one.leg === 'none' ? [one.flight] : []))
    ascending(alone.map(({ departs, date }) => departs ?? Date.parse(addDays(date, 1)) - 1))
  }
}

test('every flight is listed once, under one heading, at any moment and for any people', () => {
  for (let seed = 1; seed <= 3000; seed++) {
    const random = createRandom(seed)
    const now = Date.parse(random.pick(moments)) + random.below(48) * HOUR
    try {
      requireWhole(randomLog(random, now), random, now)
    } catch (error) {
      throw new Error(`with seed ${seed} at ${new Date(now).toISOString()}`, { cause: error })
    }
  }
})
