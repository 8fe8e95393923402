// The ordinal of a flight in its log, firsts, and years for many flights.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countsByYear, flightStanding } from '../../server/domain/statistics/ordinal.ts'

type LoggedFlight = Parameters<typeof flightStanding>[0]

const place = (id: number, country: string) => ({ id, country })
const [fra, muc, sin, lhr, nowhere] = [
  place(1, 'DE'),
  place(2, 'DE'),
  place(3, 'SG'),
  place(4, 'GB'),
  null,
] as const

let ids = 0
const flight = (more: Partial<LoggedFlight>): LoggedFlight => ({
  id: ++ids,
  from: fra,
  to: sin,
  airline: null,
  aircraft: null,
  aircraftReg: null,
  ...more,
})
const nths = (log: LoggedFlight[], of: 'route' | 'type' | 'airframe') =>
  log.map((one) => flightStanding(one, log)[of]?.nth)

test('a route is counted in both directions, including planned flights', () => {
  const log = [flight({}), flight({ from: sin, to: fra }), flight({ to: lhr }), flight({})]
  assert.deepEqual(nths(log, 'route'), [1, 2, 1, 3])
  assert.equal(flightStanding(log[0]!, log).route!.all.length, 3)
})

test('a cancelled flight is not counted and has no ordinal', () => {
  const log = [flight({}), flight({ outcome: 'cancelled' }), flight({ outcome: 'diverted' })]
  assert.deepEqual(nths(log, 'route'), [1, null, 2])
  assert.equal(flightStanding(log[1]!, log).route!.all.length, 2)
  assert.deepEqual(flightStanding(log[1]!, log).firsts, [])
})

test('a flight without an airport has no route, and unknown aircraft are not counted as one', () => {
  const log = [flight({ to: nowhere }), flight({ to: nowhere })]
  const { route, type, airframe, firsts } = flightStanding(log[1]!, log)
  assert.deepEqual([route, type, airframe, firsts], [null, null, null, []])
})

test('registrations are compared without regard to spelling', () => {
  const log = [
    flight({ aircraftReg: 'D-AIXA', aircraft: { id: 9 } }),
    flight({ aircraftReg: 'd-aixa', aircraft: { id: 9 } }),
    flight({ aircraftReg: 'DAIXA', aircraft: { id: 9 } }),
    flight({ aircraftReg: 'D-AIXB', aircraft: { id: 9 } }),
  ]
  assert.deepEqual(nths(log, 'airframe'), [1, 2, 3, 1])
  assert.deepEqual(nths(log, 'type'), [1, 2, 3, 4])
})

test('a first visit to a country, else to an airport, and a first airline are new', () => {
  const log = [
    flight({ airline: { id: 1 } }),
    flight({ from: sin, to: muc, airline: { id: 1 } }),
    flight({ from: muc, to: lhr, airline: { id: 2 } }),
    flight({ from: lhr, to: fra, airline: { id: 2 } }),
    flight({ from: lhr, to: lhr }),
  ]
  assert.deepEqual(
    log.map((one) => flightStanding(one, log).firsts),
    [[], ['airport'], ['country', 'airline'], [], []],
  )
})

test('the years span the first to the last flight, including years without one', () => {
  assert.deepEqual(countsByYear(['2019-03-01', '2021-01-01', '2021-12-31'].map((date) => ({ date }))), [
    { year: 2019, count: 1 },
    { year: 2020, count: 0 },
    { year: 2021, count: 2 },
  ])
  assert.deepEqual(countsByYear([]), [])
})
