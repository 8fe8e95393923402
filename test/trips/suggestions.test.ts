// Which flights are suggested as a trip: stays counted by hand.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { finish } from '../../server/domain/steps.ts'
import { homesOverTime, type JourneyFlight, joinFlights } from '../../server/domain/trips/journey.ts'
import { suggestTrips } from '../../server/domain/trips/suggestions.ts'

const positions = {
  CPH: [55.6, 12.7],
  MMX: [55.5, 13.4],
  FRA: [50, 8.6],
  BCN: [41.3, 2.1],
  FCO: [41.8, 12.3],
  NAP: [40.9, 14.3],
  LHR: [51.5, -0.5],
  LGW: [51.1, -0.2],
  SYD: [-33.9, 151.2],
  APW: [-13.8, -172],
  PPG: [-14.3, -170.7],
} as const
type Code = keyof typeof positions
const codes = Object.keys(positions) as Code[]
const place = (code: Code) => {
  const [latitude, longitude] = positions[code]
  return { id: codes.indexOf(code) + 1, code, latitude, longitude }
}

interface Test extends JourneyFlight {
  from: ReturnType<typeof place>
  to: ReturnType<typeof place>
}

let ids = 0
/** `CPH BCN 2026-05-01`; local times where they matter: `CPH BCN 2026-05-01T22:00 2026-05-02T01:00`. */
function flight(text: string, more: Partial<Test> = {}): Test {
  const [from, to, departure, arrival] = text.split(' ') as [Code, Code, string, string?]
  const time = (local: string | undefined) => (local?.includes('T') ? local : null)
  return {
    id: ++ids,
    from: place(from),
    to: place(to),
    date: departure.slice(0, 10),
    datePrecision: 'day',
    departs: null,
    arrives: null,
    departureLocal: time(departure),
    arrivalLocal: time(arrival),
    ...more,
  }
}

/** `CPH-FCO/NAP-CPH`: the way from Rome to Naples was over land. */
const routeOf = (flights: readonly Test[]): string =>
  flights.reduce((route, { from, to }) => {
    const start = route.endsWith(from.code) ? '' : `${route && '/'}${from.code}`
    return `${route}${start}-${to.code}`
  }, '')

/** The trips that are suggested to one person, as the web app asks for them. */
function suggested(
  flights: readonly Test[],
  home: Code | null = 'CPH',
  taken: readonly number[] = [],
): string[] {
  const preferred = new Map(home ? [['ada', place(home).id]] : [])
  const peopleOn = () => ['ada']
  const homeOf = finish(homesOverTime(flights, peopleOn, preferred, '2026-06-15'))
  const journeys = finish(joinFlights(flights, { peopleOn, homeOf }))
  const trips = suggestTrips(journeys, {
    homeOn: (date) => homeOf('ada', date),
    isFree: ({ id }) => !taken.includes(id),
  })
  return trips.map(routeOf)
}
const roundTrip = (to: Code, out: string, back: string) => [
  flight(`CPH ${to} ${out}`),
  flight(`${to} CPH ${back}`),
]

test('a weekend and a week are trips, one night and a day are not', () => {
  assert.deepEqual(
    suggested(roundTrip('BCN', '2026-05-01', '2026-05-03')),
    ['CPH-BCN-CPH'],
    'Friday to Sunday',
  )
  assert.deepEqual(suggested(roundTrip('BCN', '2026-05-01', '2026-05-08')), ['CPH-BCN-CPH'])
  assert.deepEqual(suggested(roundTrip('BCN', '2026-05-01', '2026-05-02')), [])
  assert.deepEqual(suggested(roundTrip('BCN', '2026-05-01', '2026-05-01')), [])
})

test('nights are counted from the day of landing', () => {
  const out = 'CPH BCN 2026-05-01T22:30 2026-05-02T01:20'
  assert.deepEqual(suggested([flight(out), flight('BCN CPH 2026-05-03T20:00')]), [])
  assert.deepEqual(suggested([flight(out), flight('BCN CPH 2026-05-04T06:00')]), ['CPH-BCN-CPH'])
})

test('connections belong to the trip, in the order in which they were flown', () => {
  const [onward, out] = [flight('FRA BCN 2026-05-01'), flight('CPH FRA 2026-05-01')]
  const [home, back] = [flight('FRA CPH 2026-05-08'), flight('BCN FRA 2026-05-08')]
  assert.deepEqual(suggested([onward, out, home, back]), ['CPH-FRA-BCN-FRA-CPH'])
  assert.deepEqual(suggested([flight('CPH FRA 2026-05-01'), flight('FRA BCN 2026-05-01')]), [], 'no stay')
})

test('a flight without a way back is no trip: the stay is not known', () => {
  assert.deepEqual(suggested([flight('CPH BCN 2026-05-01')]), [])
  // Back by train: the next flight takes off at home.
  const later = roundTrip('FRA', '2026-05-20', '2026-05-23')
  assert.deepEqual(suggested([flight('CPH BCN 2026-05-01'), ...later]), ['CPH-FRA-CPH'])
  assert.deepEqual(suggested([flight('BCN CPH 2026-05-01'), ...later]), ['CPH-FRA-CPH'], 'there by train')
})

test('several places make one trip until the person is home again', () => {
  const tour = [
    flight('CPH BCN 2026-05-01'),
    flight('BCN FCO 2026-05-04'),
    flight('FCO LHR 2026-05-05'),
    flight('LHR CPH 2026-05-09'),
  ]
  assert.deepEqual(suggested(tour), ['CPH-BCN-FCO-LHR-CPH'])
  const next = roundTrip('BCN', '2026-05-10', '2026-05-14')
  assert.deepEqual(suggested([...tour, ...next]), ['CPH-BCN-FCO-LHR-CPH', 'CPH-BCN-CPH'])
  const nights = [flight('CPH BCN 2026-05-01'), flight('BCN FCO 2026-05-02'), flight('FCO CPH 2026-05-03')]
  assert.deepEqual(suggested(nights), [], 'two nights, but no two in one place')
})

test('the way over land between two airports is part of the stay, a gap in the log is not', () => {
  const italy = [flight('CPH FCO 2026-05-01'), flight('NAP CPH 2026-05-08')]
  assert.deepEqual(suggested(italy), ['CPH-FCO/NAP-CPH'], '190 km')
  assert.deepEqual(suggested([flight('CPH FCO 2026-05-01'), flight('BCN CPH 2026-05-08')]), [], '850 km')
  const onward = [flight('BCN FRA 2026-05-08'), flight('FRA CPH 2026-05-12')]
  assert.deepEqual(suggested([flight('CPH FCO 2026-05-01'), ...onward]), ['BCN-FRA-CPH'])
  assert.deepEqual(suggested(roundTrip('BCN', '2023-05-01', '2024-05-01')), ['CPH-BCN-CPH'], '366 nights')
  assert.deepEqual(suggested(roundTrip('BCN', '2023-05-01', '2024-05-02')), [], 'longer than a year')
  const nowhere = { from: null, to: null } as unknown as Partial<Test>
  const between = [flight('CPH BCN 2026-05-01'), flight('BCN FRA 2026-05-03', nowhere)]
  assert.deepEqual(suggested([...between, flight('FRA CPH 2026-05-08')]), [], 'places that are not known')
})

test('another airport of the same city is home too', () => {
  const flights = [
    flight('LHR BCN 2026-05-01'),
    flight('BCN LGW 2026-05-05'),
    flight('LGW FRA 2026-05-10'),
    flight('FRA LHR 2026-05-13'),
  ]
  assert.deepEqual(suggested(flights, 'LHR'), ['LHR-BCN-LGW', 'LGW-FRA-LHR'])
  assert.deepEqual(suggested([flight('CPH BCN 2026-05-01'), flight('BCN MMX 2026-05-04')]), ['CPH-BCN-MMX'])
})

test('a stay at home ends a trip, even if the next one begins in another city', () => {
  const [first, next] = ['FCO BCN 2026-05-01', 'BCN FCO 2026-05-20'].map((text) => flight(text)) as [
    Test,
    Test,
  ]
  const flights = [first, flight('BCN FCO 2026-05-05'), flight('NAP BCN 2026-05-10'), next]
  assert.deepEqual(suggested(flights, 'FCO'), ['FCO-BCN-FCO', 'NAP-BCN-FCO'])
  const back = [first, flight('BCN NAP 2026-05-05'), flight('FCO BCN 2026-05-10'), next]
  assert.deepEqual(suggested(back, 'FCO'), ['FCO-BCN-NAP', 'FCO-BCN-FCO'])
})

test('a trip ends where it began, also away from home and without one', () => {
  const flights = [
    ...roundTrip('BCN', '2026-05-01', '2026-05-04'),
    ...roundTrip('FRA', '2026-05-20', '2026-05-23'),
  ]
  const both = ['CPH-BCN-CPH', 'CPH-FRA-CPH']
  assert.deepEqual(suggested(flights, 'SYD'), both, 'a home that these flights never touch')
  assert.deepEqual(suggested(flights, null), both)
})

test('a home that moves: the move is no trip, and later ones begin at the new home', () => {
  const months = [1, 2, 3, 4, 5, 6].map((month) => `2020-0${month}`)
  const before = months.flatMap((month) => roundTrip('FRA', `${month}-10`, `${month}-13`))
  const move = flight('CPH BCN 2021-06-01')
  const fromBarcelona = [
    '2021-07',
    '2021-08',
    '2021-09',
    '2022-01',
    '2022-02',
    '2022-03',
    '2026-03',
    '2026-04',
    '2026-05',
  ]
  const after = fromBarcelona.flatMap((month) => [
    flight(`BCN FCO ${month}-10`),
    flight(`FCO BCN ${month}-13`),
  ])
  const visit = [flight('BCN CPH 2026-06-01'), flight('CPH BCN 2026-06-08')]
  assert.deepEqual(suggested([...before, move, ...after, ...visit], null), [
    ...months.map(() => 'CPH-FRA-CPH'),
    ...fromBarcelona.map(() => 'BCN-FCO-BCN'),
    'BCN-CPH-BCN',
  ])
})

test('over the date line a night counts once, by the calendar of the place', () => {
  const there = flight('SYD PPG 2026-05-02T10:00 2026-05-01T16:00')
  assert.deepEqual(suggested([there, flight('PPG SYD 2026-05-03T20:00')], 'SYD'), ['SYD-PPG-SYD'])
  assert.deepEqual(suggested([there, flight('PPG SYD 2026-05-02T20:00')], 'SYD'), [], 'the next day')
  const hop = [flight('APW PPG 2026-05-02T10:00 2026-05-01T10:45'), flight('PPG APW 2026-05-02T10:00')]
  assert.deepEqual(suggested(hop, 'APW'), [], 'one night, though both left on 2 May')
})

test('flights with only a month are left out: their nights are not known', () => {
  const month = { datePrecision: 'month' } as const
  const [out, back] = [flight('CPH BCN 2026-05-01', month), flight('BCN CPH 2026-05-01', month)]
  assert.deepEqual(suggested([out, back]), [])
  assert.deepEqual(suggested([flight('CPH BCN 2026-05-01', month), flight('BCN CPH 2026-06-01')]), [])
  const known = roundTrip('FRA', '2026-05-20', '2026-05-23')
  assert.deepEqual(suggested([out, back, ...known]), ['CPH-FRA-CPH'])
})

test('trips with a flight that is in one already are not suggested', () => {
  const [out, back] = roundTrip('BCN', '2026-05-01', '2026-05-08') as [Test, Test]
  const next = roundTrip('FRA', '2026-05-20', '2026-05-23')
  assert.deepEqual(suggested([out, back, ...next], 'CPH', [back.id]), ['CPH-FRA-CPH'])
  assert.deepEqual(suggested([out, back, ...next], 'CPH', [out.id, back.id]), ['CPH-FRA-CPH'])
})
