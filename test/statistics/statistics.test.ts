// Every figure of a log small enough to count manually.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cabin, countTravellers, footprint } from '../../server/domain/statistics/cabin.ts'
import { statisticsDocument } from '../../server/domain/statistics/document.ts'
import { byId, continentMatrix, figuresOf } from '../../server/domain/statistics/figures.ts'
import { counted, type Place, present, type StatFlight } from '../../server/domain/statistics/flights.ts'
import {
  rankAirports,
  rankContinents,
  rankCountries,
  ranked,
  rankRegistrations,
  rankVisits,
} from '../../server/domain/statistics/rankings.ts'
import { records } from '../../server/domain/statistics/records.ts'
import {
  borderOf,
  byDay,
  byHour,
  byMonth,
  byWeekday,
  byYear,
  hourOf,
  monthOf,
  totals,
} from '../../server/domain/statistics/sums.ts'

const place = (id: number, country: string, continent: string, latitude: number): Place => ({
  id,
  icao: `X${id}`,
  iata: `${id}`,
  name: `A${id}`,
  municipality: null,
  latitude,
  longitude: 0,
  continent,
  country,
})
const [fra, muc, jfk, akl] = [
  place(1, 'DE', 'EU', 50),
  place(2, 'DE', 'EU', 48),
  place(3, 'US', 'NA', 40),
  place(4, 'NZ', 'OC', -37),
]
const flight = (
  id: number,
  from: Place | null,
  to: Place | null,
  more: Partial<StatFlight> = {},
): StatFlight => ({
  id,
  from,
  to,
  date: `2024-01-${String(id).padStart(2, '0')}`,
  datePrecision: 'day',
  distanceKm: 100.4 * id,
  duration: 60 * id,
  ...more,
})
const seat = (
  user: string | null,
  seatClass: string | null,
  where: string | null = null,
  reason: string | null = null,
) => ({
  user,
  seat: where,
  seatClass,
  reason,
})
const carrier = { id: 7, name: 'Line', iata: 'LI', icao: 'LIN' }
const type = { id: 8, name: 'Type', icao: 'TYPE' }

const log: StatFlight[] = [
  flight(1, fra, muc, {
    airline: carrier,
    aircraft: type,
    aircraftReg: 'd-abcd',
    departureLocal: '2024-01-01T09:05',
  }),
  flight(2, muc, fra, { airline: carrier, aircraftReg: 'D-ABCD', departureLocal: '2024-01-02T23:59' }),
  flight(3, fra, jfk, {
    date: '2024-02-01',
    datePrecision: 'month',
    durationEstimated: true,
    passengers: [seat('ann', 'economy', 'window', 'leisure'), seat('bob', 'first'), seat(null, null)],
  }),
  flight(4, jfk, fra, { date: '2026-01-01', datePrecision: 'year', airline: { id: 9, name: 'Other' } }),
  flight(5, akl, null, { date: '2024-01-02', distanceKm: null, duration: null }),
  flight(6, null, akl, { date: '2024-03-10', distanceKm: null, duration: 500 }),
]
const shown = (at: Place) => ({ id: at.id, name: at.name, icao: at.icao, iata: at.iata })

test('a small log has the expected document', () => {
  const document = statisticsDocument(log, null, '2026-06-15')
  assert.deepEqual(
    [document.flights, document.distanceKm, document.durationSeconds, document.durationEstimatedSeconds],
    [6, 1004, 60 + 120 + 180 + 240 + 500, 180],
  )
  assert.deepEqual([document.airports, document.domestic, document.international], [4, 2, 2])
  assert.deepEqual(document.topAirline, { ...carrier, count: 2 })
  assert.deepEqual(document.topAircraft, { ...type, count: 1 })
  assert.deepEqual(document.topAirport, { ...shown(fra), count: 4 })
  assert.deepEqual(document.topRoute, { from: shown(fra), to: shown(muc), count: 1 })
  assert.deepEqual(document.airlines, {
    count: 2,
    top: [
      { ...carrier, count: 2 },
      { id: 9, name: 'Other', iata: null, icao: null, count: 1 },
    ],
  })
  assert.deepEqual(document.registrations, { count: 1, top: [{ registration: 'D-ABCD', count: 2 }] })
  assert.deepEqual(document.countries.top, [
    { code: 'DE', count: 4 },
    { code: 'US', count: 2 },
    { code: 'NZ', count: 2 },
  ])
  assert.deepEqual(
    document.continents.top.map(({ code, count }) => [code, count]),
    [
      ['EU', 4],
      ['NA', 2],
      ['OC', 2],
    ],
  )
  assert.deepEqual(document.routes, {
    count: 2,
    top: [
      { from: shown(fra), to: shown(muc), count: 2 },
      { from: shown(fra), to: shown(jfk), count: 2 },
    ],
  })
  assert.deepEqual(document.byYear, [
    { year: 2024, flights: 5, distanceKm: 602, durationSeconds: 860 },
    { year: 2026, flights: 1, distanceKm: 402, durationSeconds: 240 },
  ])
  assert.deepEqual(document.byMonth.map(({ month, flights }) => [month, flights]).slice(0, 4), [
    [1, 3],
    [2, 1],
    [3, 1],
    [4, 0],
  ])
  assert.deepEqual(
    document.byWeekday.map(({ weekday, flights }) => [weekday, flights]),
    [
      [1, 1],
      [2, 2],
      [3, 0],
      [4, 0],
      [5, 0],
      [6, 0],
      [7, 1],
    ],
  )
  assert.deepEqual(document.classes, { economy: 1, first: 1, unknown: 1 })
  assert.deepEqual(
    [document.seats, document.reasons],
    [
      { window: 1, unknown: 2 },
      { leisure: 1, unknown: 2 },
    ],
  )
  const { longest, shortest, first, last } = document
  assert.deepEqual([longest.byDistance?.id, longest.byDuration?.id], [4, 6])
  assert.deepEqual([shortest.byDistance?.id, shortest.byDuration?.id], [1, 1])
  assert.deepEqual([first?.id, last?.id], [1, 4])
  assert.deepEqual(longest.byDistance, {
    id: 4,
    date: '2026-01-01',
    from: shown(jfk),
    to: shown(fra),
    distanceKm: 402,
    durationSeconds: 240,
  })
  assert.equal(statisticsDocument([log[4]!], null, '2026-06-15').first?.to, null)
  assert.deepEqual(longest.byDuration, {
    id: 6,
    date: '2024-03-10',
    from: null,
    to: shown(akl),
    distanceKm: null,
    durationSeconds: 500,
  })
})

test('an estimated duration makes no record, and an unknown class is not invented', () => {
  const estimated = statisticsDocument([log[2]!], 'ann', '2026-06-15')
  assert.deepEqual(
    [estimated.longest.byDistance?.durationSeconds, estimated.longest.byDuration],
    [null, null],
  )
  assert.deepEqual([estimated.classes, estimated.seats], [{ economy: 1 }, { window: 1 }])
  const nothing = statisticsDocument([], null, '2026-06-15')
  assert.deepEqual(
    [
      nothing.topAirline,
      nothing.topAirport,
      nothing.topRoute,
      nothing.first,
      nothing.byYear,
      nothing.co2.kilograms,
    ],
    [null, null, null, null, [], 0],
  )
})

test('lists end after 25 entries, except the countries', () => {
  const many = Array.from({ length: 30 }, (_, i) =>
    flight(i + 1, place(i + 1, `C${i}`, 'EU', 0), fra, {
      date: '2024-01-01',
      airline: { id: i, name: `L${i}` },
    }),
  )
  const { airlines, countries, routes } = statisticsDocument(many, null, '2026-06-15')
  assert.deepEqual([airlines.count, airlines.top.length, routes.top.length], [30, 25, 25])
  assert.deepEqual([countries.count, countries.top.length], [31, 31])
})

test('hours, days, continents and their order do not depend on the order of flights', () => {
  const figures = figuresOf(log.toReversed(), null)
  assert.deepEqual(byId(log.toReversed()), log)
  assert.deepEqual(
    figures.hours.flatMap((count, hour) => (count ? [[hour, count]] : [])),
    [
      [9, 1],
      [23, 1],
    ],
  )
  assert.equal(figures.hours.length, 24)
  assert.deepEqual([figures.months.length, figures.weekdays.length], [12, 7])
  assert.deepEqual(Object.fromEntries(figures.days), { '2024-01-01': 1, '2024-01-02': 2, '2024-03-10': 1 })
  assert.deepEqual(continentMatrix(log), {
    names: ['EU', 'NA'],
    cells: [
      [2, 1],
      [1, 0],
    ],
    most: 2,
  })
  assert.deepEqual(continentMatrix([log[4]!]), { names: [], cells: [], most: 0 })
  assert.equal(figures.totals, figures.totals, 'computed once')
})

test('totals over time omit flights without a known month', () => {
  const undated = flight(9, fra, muc)
  delete undated.date
  delete undated.datePrecision
  assert.deepEqual(
    [monthOf(undated), hourOf(undated), byYear([undated]), byDay([undated]).size],
    [null, null, [], 0],
  )
  const sums = byYear([...log, undated])
  assert.deepEqual(
    sums.map(({ year, count, seconds }) => [year, count, seconds]),
    [
      [2024, 5, 860],
      [2025, 0, 0],
      [2026, 1, 240],
    ],
  )
  assert.equal(byMonth(log)[0]!.seconds, 180)
  assert.equal(byWeekday(log)[6]!.seconds, 500)
  assert.equal(byHour(log)[9]!.distanceKm, 100.4)
  const { airlines, aircraft, registrations, countries, routes, seconds } = totals(log)
  assert.deepEqual([airlines, aircraft, registrations, countries, routes, seconds], [2, 1, 1, 3, 2, 1100])
  assert.deepEqual(log.map(borderOf), ['domestic', 'domestic', 'international', 'international', null, null])
})

test('months have two digits, and aircraft are counted by registration', () => {
  assert.equal(byMonth([flight(1, fra, muc, { date: '2024-12-01' })])[11]!.count, 1)
  const registered = ['d-a', 'D-A', 'D-B', null, ''].map((aircraftReg, i) =>
    flight(i, fra, muc, { aircraftReg }),
  )
  assert.equal(totals(registered).registrations, 2)
})

test('a round flight visits its airport twice, and counts once there and in its country', () => {
  const round = [flight(1, fra, fra)]
  assert.equal(rankVisits(round)[0]!.count, 2)
  assert.equal(rankAirports(round)[0]!.count, 1)
  assert.deepEqual(
    [rankCountries(round), rankContinents(round)].map(([first]) => [first!.item, first!.count]),
    [
      ['DE', 1],
      ['EU', 1],
    ],
  )
  assert.equal(totals(round).routes, 1)
  assert.deepEqual(
    rankRegistrations(log).map(({ item, count }) => [item, count]),
    [['D-ABCD', 2]],
  )
})

test('equal distances are ranked by flights, then in the order logged', () => {
  const entries = [
    { name: 'a', count: 1, distanceKm: 10 },
    { name: 'b', count: 2, distanceKm: 10 },
    { name: 'c', count: 2 },
    { name: 'd', count: 2 },
  ]
  const names = (measure: 'count' | 'distanceKm') =>
    ranked(entries, measure)
      .map(({ name }) => name)
      .join('')
  assert.deepEqual([names('count'), names('distanceKm')], ['bcda', 'bacd'])
})

test('seats are one person’s, or every passenger’s', () => {
  assert.equal(countTravellers(log, null), 3)
  assert.equal(countTravellers(log, 'ann'), 1)
  assert.deepEqual(counted(log[0]!, null), [])
  assert.deepEqual(
    [...cabin([...log, log[2]!], null).classes],
    [
      ['economy', 2],
      ['first', 2],
    ],
  )
  assert.deepEqual([...cabin(log, 'ann').reasons], [['leisure', 1]])
  assert.deepEqual(present<number | string>(null, 0, undefined, ''), [0, ''])
})

test('each seat has its emissions, and a flight without seats is one average passenger', () => {
  const far = (passengers?: StatFlight['passengers']) => [
    flight(1, fra, jfk, { distanceKm: 6000, ...(passengers && { passengers }) }),
  ]
  const { kilograms: one } = footprint(far(), null)
  assert.ok(one > 0)
  assert.deepEqual(footprint(far(), 'ann'), { kilograms: one, passengers: 1, unknown: 0 })
  assert.deepEqual(footprint(far([seat('ann', null)]), 'ann'), { kilograms: one, passengers: 1, unknown: 0 })
  const two = footprint(far([seat('ann', null), seat('bob', null)]), null)
  assert.ok(Math.abs(two.kilograms - 2 * one) < 0.001)
  assert.deepEqual(footprint(far([]), null), { kilograms: 0, passengers: 0, unknown: 0 })
  const nowhere = [flight(1, fra, null, { distanceKm: null })]
  assert.deepEqual(footprint(nowhere, null), { kilograms: 0, passengers: 0, unknown: 1 })
})

test('records have the busiest day and the longest gap', () => {
  const found = records(log)
  assert.deepEqual(
    [found.busiestDay, found.longestGap],
    [
      { date: '2024-01-02', count: 2 },
      { from: '2024-01-02', to: '2024-03-10', days: 68 },
    ],
  )
  assert.deepEqual([found.northernmost?.id, found.southernmost?.id], [1, 4])
  assert.deepEqual([found.slowest?.id, found.quickest?.id], [6, 1])
  const daily = records([flight(1, fra, muc), flight(2, muc, fra)])
  assert.deepEqual([daily.busiestDay, daily.longestGap], [null, null], 'one a day, day after day')
  const twoGaps = records([1, 3, 5].map((id) => flight(id, fra, muc)))
  assert.deepEqual(twoGaps.longestGap, { from: '2024-01-01', to: '2024-01-03', days: 2 }, 'the first of two')
  const twoBusy = records([5, 5, 3, 3].map((day, i) => flight(i + 1, fra, muc, { date: `2024-01-0${day}` })))
  assert.equal(twoBusy.busiestDay?.date, '2024-01-03', 'the earlier of two')
  const still = records([flight(1, fra, fra, { distanceKm: 0, duration: 0 })])
  assert.deepEqual([still.longest, still.shortest, still.slowest], [null, null, null])
  assert.equal(records([flight(1, fra, muc, { distanceKm: 0.5 })]).shortest?.id, 1)
})

test('on a tie the first flight holds the record, and the last one is the latest', () => {
  const same = (id: number) => flight(id, fra, muc, { date: '2024-01-01', distanceKm: 5, duration: 5 })
  const found = records([same(1), same(2), same(3)])
  assert.deepEqual(
    [found.longest?.id, found.shortest?.id, found.slowest?.id, found.quickest?.id, found.first?.id],
    [1, 1, 1, 1, 1],
  )
  assert.equal(found.latest?.id, 3)
  const undated = { ...same(4), date: undefined } as unknown as StatFlight
  assert.deepEqual([records([undated]).first, records([undated]).latest], [null, null])
  const vague = (id: number, date: string, datePrecision: 'month' | 'year') =>
    flight(id, fra, muc, { date, datePrecision })
  assert.equal(records([vague(1, '2024-01-01', 'year'), vague(2, '2024-01-01', 'month')]).first?.id, 2)
  assert.equal(records([vague(1, '2024-01-01', 'month'), vague(2, '2024-01-01', 'year')]).latest?.id, 1)
})
