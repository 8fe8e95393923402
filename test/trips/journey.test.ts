// Which stops join two flights into a journey, and where a person has their home.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { finish } from '../../server/domain/steps.ts'
import { instantOf, localMinute } from '../../server/domain/time/time.ts'
import {
  homesOverTime,
  type JourneyFlight,
  joinFlights,
  summaryOf,
  usualAirport,
} from '../../server/domain/trips/journey.ts'

const join = <Flight extends JourneyFlight>(...given: Parameters<typeof joinFlights<Flight>>) =>
  finish(joinFlights(...given))
const usual = (...given: Parameters<typeof usualAirport>) => finish(usualAirport(...given))

const zones: Record<string, string> = {
  CPH: 'Europe/Copenhagen',
  FRA: 'Europe/Berlin',
  JFK: 'America/New_York',
  LAX: 'America/Los_Angeles',
  NAN: 'Pacific/Fiji',
  APW: 'Pacific/Apia',
  PPG: 'Pacific/Pago_Pago',
  OSL: 'Europe/Oslo',
}
const codes = Object.keys(zones)
const place = (code: string) => ({ id: codes.indexOf(code) + 1, code })

interface Test extends JourneyFlight {
  from: ReturnType<typeof place>
  to: ReturnType<typeof place>
  departure: string | null
  arrival: string | null
  duration: number | null
  distanceKm: number | null
  people: string[]
}

let ids = 0
/** `CPH FRA`, its times with offsets or a date alone. */
function flight(route: string, departure: string, arrival: string | null = null, more = {}): Test {
  const [from, to] = route.split(' ') as [string, string]
  const start = departure.includes('T') ? departure : null
  const local = (time: string | null, code: string) => time && localMinute(instantOf(time), zones[code]!)
  return {
    id: ++ids,
    from: place(from),
    to: place(to),
    date: (local(start, from) ?? departure).slice(0, 10),
    datePrecision: 'day',
    departure: start,
    arrival,
    departs: start && instantOf(start),
    arrives: arrival && instantOf(arrival),
    departureLocal: local(start, from),
    arrivalLocal: local(arrival, to),
    duration: 3600,
    distanceKm: 1000,
    people: ['ada'],
    ...more,
  } as Test
}

function journeys(flights: readonly Test[], home?: string): string[] {
  const joined = join(flights, {
    peopleOn: ({ people }) => people,
    homeOf: () => (home ? place(home).id : null),
  })
  return joined.map(({ flights: legs }) => [legs[0]!.from.code, ...legs.map(({ to }) => to.code)].join('-'))
}

const out = () => flight('CPH FRA', '2026-05-01T08:00+02:00', '2026-05-01T09:30+02:00')
const onAt = (departure: string, more = {}) => flight('FRA JFK', departure, null, more)

test('a stop of less than 24 hours joins flights, one of exactly 24 hours does not', () => {
  assert.deepEqual(journeys([onAt('2026-05-01T12:00+02:00'), out()]), ['CPH-FRA-JFK'])
  assert.deepEqual(journeys([out(), onAt('2026-05-01T09:30+02:00')]), ['CPH-FRA-JFK'], 'at once')
  assert.deepEqual(journeys([out(), onAt('2026-05-02T09:29:59+02:00')]), ['CPH-FRA-JFK'])
  assert.deepEqual(journeys([out(), onAt('2026-05-02T09:30+02:00')]), ['CPH-FRA', 'FRA-JFK'])
  assert.deepEqual(
    journeys([onAt('2026-05-01T09:29+02:00'), out()]),
    ['CPH-FRA', 'FRA-JFK'],
    'before landing',
  )
  assert.deepEqual(journeys([out(), flight('OSL JFK', '2026-05-01T12:00+02:00')]), ['CPH-FRA', 'OSL-JFK'])
  assert.deepEqual(journeys([]), [])
})

test('elapsed hours are counted across clock changes', () => {
  const before = flight('CPH FRA', '2026-10-24T08:00+02:00', '2026-10-24T09:30+02:00')
  assert.deepEqual(journeys([before, onAt('2026-10-25T09:15+01:00')]), ['CPH-FRA', 'FRA-JFK'], '24:45 hours')
  const spring = flight('CPH FRA', '2026-03-28T08:00+01:00', '2026-03-28T09:30+01:00')
  assert.deepEqual(journeys([spring, onAt('2026-03-29T10:15+02:00')]), ['CPH-FRA-JFK'], '23:45 hours')
})

test('a journey continues on the day before across the date line', () => {
  const west = flight('APW PPG', '2026-05-02T10:00+13:00', '2026-05-01T10:40-11:00')
  const on = flight('PPG LAX', '2026-05-01T14:00-11:00', '2026-05-01T23:50-07:00')
  assert.deepEqual(journeys([west, on]), ['APW-PPG-LAX'])
  const east = flight('LAX NAN', '2026-05-01T22:00-07:00', '2026-05-03T05:00+12:00')
  assert.deepEqual(journeys([east, flight('NAN APW', '2026-05-03T09:00+12:00')]), ['LAX-NAN-APW'])
})

test('a stop at home ends a journey', () => {
  const legs = [
    flight('JFK FRA', '2026-05-01T18:00-04:00', '2026-05-02T08:00+02:00'),
    flight('FRA CPH', '2026-05-02T10:00+02:00', '2026-05-02T11:30+02:00'),
    flight('CPH OSL', '2026-05-02T14:00+02:00', '2026-05-02T15:00+02:00'),
  ]
  assert.deepEqual(journeys(legs), ['JFK-FRA-CPH-OSL'])
  assert.deepEqual(journeys(legs, 'CPH'), ['JFK-FRA-CPH', 'CPH-OSL'])
  assert.deepEqual(journeys(legs, 'JFK'), ['JFK-FRA-CPH-OSL'])
})

test('a day trip is one journey, a longer stay makes two', () => {
  const there = flight('CPH OSL', '2026-05-01T07:00+02:00', '2026-05-01T08:00+02:00')
  assert.deepEqual(journeys([there, flight('OSL CPH', '2026-05-01T18:00+02:00')], 'CPH'), ['CPH-OSL-CPH'])
  assert.deepEqual(journeys([there, flight('OSL CPH', '2026-05-03T18:00+02:00')], 'CPH'), [
    'CPH-OSL',
    'OSL-CPH',
  ])
})

test('a night of over eight hours separates two bookings, and only those', () => {
  const leg = (arrival: string, bookingReference: string | null) =>
    flight('CPH FRA', '2026-05-01T08:00+02:00', arrival, { bookingReference })
  const both = (arrival: string, departure: string, first: string | null, second: string | null) =>
    journeys([leg(arrival, first), onAt(departure, { bookingReference: second })]).length === 1
  const [evening, morning] = ['2026-05-01T21:00+02:00', '2026-05-02T07:00+02:00']
  assert.ok(!both(evening, morning, 'AAA111', 'BBB222'))
  assert.ok(both(evening, morning, 'AAA111', 'AAA111'), 'one booking')
  assert.ok(both(evening, morning, 'AAA111', null), 'one is unknown')
  assert.ok(both(evening, '2026-05-02T05:00+02:00', 'AAA111', 'BBB222'), 'exactly eight hours')
  assert.ok(!both(evening, '2026-05-02T05:01+02:00', 'AAA111', 'BBB222'))
  assert.ok(both('2026-05-01T09:00+02:00', '2026-05-01T19:00+02:00', 'AAA111', 'BBB222'), 'by day')
  assert.ok(!both('2026-05-02T01:00+02:00', '2026-05-02T10:00+02:00', 'AAA111', 'BBB222'), 'after midnight')
  assert.ok(both('2026-05-02T03:01+02:00', '2026-05-02T13:00+02:00', 'AAA111', 'BBB222'), 'after the night')
})

test('without times, flights on the same or next day join in geographical order', () => {
  const [first, second] = [flight('FRA JFK', '2026-05-01'), flight('CPH FRA', '2026-05-01')]
  assert.deepEqual(journeys([first, second]), ['CPH-FRA-JFK'])
  assert.deepEqual(journeys([second, flight('FRA JFK', '2026-05-02')]), ['CPH-FRA-JFK'])
  assert.deepEqual(journeys([second, flight('FRA JFK', '2026-05-03')]), ['CPH-FRA', 'FRA-JFK'])
  assert.deepEqual(journeys([second, flight('FRA JFK', '2026-04-30')]), ['FRA-JFK', 'CPH-FRA'])
  const month = { datePrecision: 'month' }
  assert.deepEqual(journeys([second, flight('FRA JFK', '2026-05-01', null, month)]).length, 2)
  const [here, there] = [flight('CPH OSL', '2026-05-01'), flight('OSL CPH', '2026-05-01')]
  assert.deepEqual(journeys([there, here]), ['CPH-OSL-CPH'], 'not in a circle')
  const booked = (bookingReference: string) => ({ bookingReference })
  const [a, b] = [flight('CPH FRA', '2026-05-01', null, booked('A')), booked('B')]
  assert.deepEqual(
    journeys([a, flight('FRA JFK', '2026-05-02', null, b)]).length,
    2,
    'another booking the next day',
  )
  assert.deepEqual(journeys([a, flight('FRA JFK', '2026-05-01', null, b)]), ['CPH-FRA-JFK'])
})

test('with one time known the days decide, and no flight follows a later one', () => {
  const departed = flight('CPH FRA', '2026-05-01T20:00+02:00')
  assert.deepEqual(journeys([departed, onAt('2026-05-02T06:00+02:00')]), ['CPH-FRA-JFK'])
  assert.deepEqual(journeys([departed, onAt('2026-05-01T07:00+02:00')]), ['FRA-JFK', 'CPH-FRA'])
  const late = flight('CPH FRA', '2026-05-01T23:00+02:00', '2026-05-02T00:30+02:00')
  assert.deepEqual(journeys([late, flight('FRA JFK', '2026-05-02')]), ['CPH-FRA-JFK'])
  assert.deepEqual(
    journeys([late, flight('FRA JFK', '2026-05-01')]),
    ['CPH-FRA', 'FRA-JFK'],
    'before it landed',
  )
})

test('journeys join flights of one person only', () => {
  const legs = (...people: string[][]) => [
    flight('CPH FRA', '2026-05-01T08:00+02:00', '2026-05-01T09:30+02:00', { people: people[0] }),
    flight('FRA JFK', '2026-05-01T12:00+02:00', '2026-05-01T14:00-04:00', { people: people[1] }),
    flight('JFK LAX', '2026-05-01T16:00-04:00', '2026-05-01T19:00-07:00', { people: people[2] }),
  ]
  assert.deepEqual(journeys(legs(['ada'], ['bob'], ['bob'])), ['CPH-FRA', 'FRA-JFK-LAX'])
  assert.deepEqual(journeys(legs(['ada', 'bob'], ['bob'], ['bob', 'cy'])), ['CPH-FRA-JFK-LAX'])
  assert.deepEqual(journeys(legs(['ada'], ['ada', 'bob'], ['bob'])), ['CPH-FRA-JFK', 'JFK-LAX'])
  const homes = (person: string) => (person === 'ada' ? place('FRA').id : null)
  const joined = join(legs(['ada', 'bob'], ['ada', 'bob'], ['ada']), {
    peopleOn: ({ people }) => people,
    homeOf: homes,
  })
  assert.deepEqual(
    joined.map(({ flights }) => flights.length),
    [2, 1],
    'Ada began in Frankfurt, Bob did not',
  )
})

test('two flights cannot be continued by the same flight', () => {
  const [first, second] = [out(), flight('CPH FRA', '2026-05-01T09:00+02:00', '2026-05-01T10:30+02:00')]
  assert.deepEqual(journeys([first, second, onAt('2026-05-01T12:00+02:00')]), ['CPH-FRA-JFK', 'CPH-FRA'])
})

test('home is where journeys of the last two years begin and end, not where planes are changed', () => {
  const trip = (month: string) => [
    flight('CPH FRA', `${month}-01T08:00+02:00`, `${month}-01T09:30+02:00`),
    flight('FRA JFK', `${month}-01T12:00+02:00`, `${month}-01T14:00-04:00`),
    flight('JFK FRA', `${month}-09T18:00-04:00`, `${month}-10T08:00+02:00`),
    flight('FRA CPH', `${month}-10T10:00+02:00`, `${month}-10T11:30+02:00`),
  ]
  const today = '2026-06-15'
  assert.equal(usual(trip('2026-05'), today), place('CPH').id, 'the first of two')
  assert.equal(usual([], today), null)
  const old = ['2023-01', '2023-02', '2023-03'].flatMap((month) => [
    flight('OSL LAX', `${month}-01T10:00Z`, `${month}-01T22:00Z`),
    flight('LAX OSL', `${month}-20T10:00Z`, `${month}-20T22:00Z`),
  ])
  assert.equal(usual([...old, ...trip('2026-05')], today), place('CPH').id)
  assert.equal(usual(old, today), place('OSL').id, 'the last two years of a log that ended')
  assert.equal(usual(old, '2025-01-01'), place('OSL').id)
  assert.equal(usual(trip('2026-07'), today), null, 'not flown yet')
  const flights = [...trip('2026-05'), ...old.map((leg) => ({ ...leg, people: ['bob'] }))]
  const homeOf = finish(homesOverTime(flights, ({ people }) => people, new Map([['cy', 7]]), '2025-01-01'))
  const homes = ['ada', 'bob', 'cy', 'dee'].map((person) => homeOf(person, '2025-01-01'))
  assert.deepEqual(homes, [null, place('OSL').id, 7, null])
})

test('a stop at a former home is not a layover, and a few flights make no home', () => {
  const roundTrips = (home: string, year: number, months: number[]) =>
    months.flatMap((month) => [
      flight(`${home} LAX`, `${year}-0${month}-01T10:00Z`, `${year}-0${month}-01T22:00Z`),
      flight(`LAX ${home}`, `${year}-0${month}-20T10:00Z`, `${year}-0${month}-20T22:00Z`),
    ])
  const overOslo = (date: string) => [
    flight('FRA OSL', `${date}T08:00Z`, `${date}T10:00Z`),
    flight('OSL JFK', `${date}T12:00Z`, `${date}T20:00Z`),
  ]
  const now = roundTrips('CPH', 2026, [1, 2, 3])
  const joined = (flights: Test[], chosen?: string) => {
    const preferred = new Map(chosen ? [['ada', place(chosen).id]] : [])
    const homeOf = finish(homesOverTime(flights, ({ people }) => people, preferred, '2026-06-15'))
    return join(flights, { peopleOn: ({ people }) => people, homeOf })
      .map(({ flights: legs }) =>
        [legs[0]!.from, ...legs.map(({ to }) => to)].map(({ code }) => code).join('-'),
      )
      .filter((route) => route.startsWith('FRA'))
  }
  const inOslo = roundTrips('OSL', 2010, [1, 2, 3, 4])
  assert.deepEqual(joined([...inOslo, ...overOslo('2010-06-01'), ...now]), ['FRA-OSL'])
  assert.deepEqual(joined([...inOslo, ...overOslo('2010-06-01'), ...now], 'CPH'), ['FRA-OSL'])
  assert.deepEqual(joined([...inOslo, ...overOslo('2012-06-01'), ...now]), ['FRA-OSL-JFK'], 'moved away')
  assert.deepEqual(joined([...inOslo, ...overOslo('2026-05-01'), ...now]), ['FRA-OSL-JFK'], 'today')
  const few = roundTrips('OSL', 2010, [1])
  assert.deepEqual(joined([...few, ...overOslo('2010-06-01'), ...now]), ['FRA-OSL-JFK'], 'three are too few')
  const often = [...roundTrips('CPH', 2010, [5, 7]), ...inOslo]
  assert.deepEqual(joined([...often, ...overOslo('2010-06-01'), ...now]), ['FRA-OSL-JFK'], 'at CPH as well')
})

test('a person never at home for a day has their home where they spend the nights', () => {
  const week = (month: string, away: string, offset: string) => [
    flight(`CPH ${away}`, `${month}-02T08:00+01:00`, `${month}-02T20:00${offset}`),
    flight(`${away} CPH`, `${month}-09T06:00${offset}`, `${month}-09T19:00+01:00`),
    flight('CPH OSL', `${month}-10T07:00+01:00`, `${month}-10T08:00+01:00`),
    flight('OSL CPH', `${month}-31T20:00+01:00`, `${month}-31T21:00+01:00`),
  ]
  const flights = [...week('2026-01', 'JFK', '-05:00'), ...week('2026-03', 'LAX', '-08:00')]
  const home = usual(flights, '2026-06-15')
  assert.equal(home, place('CPH').id)
  const people = { peopleOn: () => ['ada'], homeOf: () => home }
  assert.ok(
    join(flights, people).every(({ stops }) => stops.length === 0),
    'home is not a layover',
  )
  const legs = (second: string) => [
    flight('JFK CPH', '2026-05-01'),
    flight('CPH OSL', second),
    flight('LAX CPH', '2026-05-20'),
  ]
  assert.equal(usual(legs('2026-05-02'), '2026-06-15'), place('CPH').id, 'a night by the dates')
  assert.equal(usual(legs('2026-05-01'), '2026-06-15'), place('JFK').id, 'a stop on the way')
})

test('a journey has the totals of its flights', () => {
  const legs = [
    out(),
    flight('FRA JFK', '2026-05-01T12:00+02:00', '2026-05-01T14:00-04:00', {
      duration: 28_800,
      distanceKm: 6200,
    }),
  ]
  const people = { peopleOn: () => ['ada'], homeOf: () => null }
  const [journey] = join(legs, people)
  const { from, to, via, layovers, ...figures } = summaryOf<ReturnType<typeof place>>(journey!)
  assert.deepEqual([from?.code, via.map(({ code }) => code), to?.code], ['CPH', ['FRA'], 'JFK'])
  assert.deepEqual(layovers, [{ airport: place('FRA'), seconds: 9000 }])
  assert.deepEqual(figures, {
    id: legs[0]!.id,
    flightIds: legs.map(({ id }) => id),
    departure: '2026-05-01T08:00+02:00',
    arrival: '2026-05-01T14:00-04:00',
    travelSeconds: 12 * 3600,
    airSeconds: 3600 + 28_800,
    distanceKm: 7200,
  })
  const vague = join(
    [flight('CPH FRA', '2026-05-01'), flight('FRA JFK', '2026-05-01', null, { duration: null })],
    people,
  )
  const unknown = summaryOf<ReturnType<typeof place>>(vague[0]!)
  assert.deepEqual(
    [unknown.travelSeconds, unknown.airSeconds, unknown.layovers[0]!.seconds, unknown.distanceKm],
    [null, null, null, 2000],
  )
})
