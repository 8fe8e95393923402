// The first part of the statistics page, for logs small enough to check manually.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { greatCircleWay, lightAlong, minutesOfLight } from '../../server/domain/flights/light-along.ts'
import { aircraftFamily } from '../../server/domain/reference/aircraft-family.ts'
import {
  badgeLevels,
  badges,
  crossesDateLine,
  crossesEquator,
  latitudesOf,
} from '../../server/domain/statistics/badges.ts'
import { statisticsDocument } from '../../server/domain/statistics/document.ts'
import { firsts } from '../../server/domain/statistics/firsts.ts'
import type { Place, StatFlight } from '../../server/domain/statistics/flights.ts'
import { inTime } from '../../server/domain/statistics/in-order.ts'
import { night, nightOf } from '../../server/domain/statistics/night.ts'
import { punctuality, punctualityOf } from '../../server/domain/statistics/punctuality.ts'
import { streaks } from '../../server/domain/statistics/streaks.ts'
import { yearChange } from '../../server/domain/statistics/year-change.ts'

let places = 0
const place = (
  iata: string,
  country: string,
  continent: string,
  latitude: number,
  longitude: number,
): Place => ({
  id: ++places,
  icao: `X${iata}`,
  iata,
  name: iata,
  municipality: null,
  latitude,
  longitude,
  country,
  continent,
})
const cph = place('CPH', 'DK', 'EU', 55.62, 12.65)
const fra = place('FRA', 'DE', 'EU', 50.03, 8.57)
const jfk = place('JFK', 'US', 'NA', 40.64, -73.78)
const sfo = place('SFO', 'US', 'NA', 37.62, -122.37)
const hnd = place('HND', 'JP', 'AS', 35.55, 139.78)
const syd = place('SYD', 'AU', 'OC', -33.95, 151.18)
const scl = place('SCL', 'CL', 'SA', -33.39, -70.79)
const sin = place('SIN', 'SG', 'AS', 1.36, 103.99)

let flights = 0
const flight = (date: string, from: Place | null, to: Place | null, more: Partial<StatFlight> = {}) =>
  ({
    id: ++flights,
    date,
    datePrecision: 'day',
    from,
    to,
    distanceKm: 1000,
    duration: 3600,
    ...more,
  }) satisfies StatFlight
const ids = (list: readonly StatFlight[]) => list.map(({ id }) => id)

test('flights are ordered by certain dates, then departure, then id', () => {
  const year = flight('2024-01-01', cph, fra, { datePrecision: 'year' })
  const month = flight('2024-05-01', cph, fra, { datePrecision: 'month' })
  const late = flight('2024-05-31', cph, fra, { departure: '2024-05-31T20:00:00Z' })
  const early = flight('2024-05-31', cph, fra, { departure: '2024-05-31T06:00:00Z' })
  const untimed = flight('2024-05-31', cph, fra)
  assert.deepEqual(
    ids([year, month, late, early, untimed].sort(inTime)),
    ids([untimed, early, late, month, year]),
  )
})

test('the running year is compared with the previous one to the same day', () => {
  const log = [
    flight('2024-12-31', cph, fra),
    flight('2025-03-01', cph, jfk),
    flight('2025-06-15', jfk, cph),
    flight('2025-06-16', cph, fra),
    flight('2025-06-01', cph, fra, { datePrecision: 'month' }),
    flight('2025-05-01', cph, fra, { datePrecision: 'month' }),
    flight('2025-01-01', cph, fra, { datePrecision: 'year' }),
    flight('2026-01-02', cph, fra, { distanceKm: 500.5 }),
  ]
  const change = yearChange(log, '2026-06-15')
  assert.deepEqual([change?.year, change?.until], [2026, '06-15'])
  assert.deepEqual(change?.now, { flights: 1, distanceKm: 500.5, seconds: 3600, airports: 2, countries: 2 })
  // A flight known only by June or by 2025 may have been later than the 15th.
  assert.deepEqual(change?.before, {
    flights: 3,
    distanceKm: 3000,
    seconds: 3 * 3600,
    airports: 3,
    countries: 3,
  })
})

test('a past year is compared as a whole, and the first year with nothing', () => {
  const log = [
    flight('2023-01-01', cph, fra, { datePrecision: 'year' }),
    flight('2024-12-01', cph, fra, { datePrecision: 'month' }),
    flight('2024-12-31', cph, fra),
  ]
  const change = yearChange(log, '2026-06-15')
  assert.deepEqual(
    [change?.year, change?.until, change?.now.flights, change?.before.flights],
    [2024, '12-31', 2, 1],
  )
  assert.equal(yearChange(log.slice(1), '2026-06-15'), null)
  assert.equal(yearChange([], '2026-06-15'), null)
  assert.equal(yearChange([log[0]!, log[2]!], '2024-02-29')?.until, '02-29')
})

test('streaks of months and days are found, the newest of equal ones', () => {
  const days = ['2023-11-05', '2023-12-31', '2024-01-01', '2024-01-02', '2024-05-04', '2024-06-30']
  const log = [
    ...days.map((date) => flight(date, cph, fra)),
    flight('2024-07-01', cph, fra, { datePrecision: 'month' }),
    flight('2024-01-01', cph, fra, { datePrecision: 'year' }),
  ]
  const months = { from: '2024-05', to: '2024-07', length: 3 }
  assert.deepEqual(streaks(log, '2024-08-31'), {
    months,
    currentMonths: months,
    days: { from: '2023-12-31', to: '2024-01-02', length: 3 },
  })
  assert.deepEqual(streaks(log, '2024-07-01').currentMonths, months)
  assert.equal(streaks(log, '2024-09-01').currentMonths, null)
  assert.deepEqual(streaks([log[0]!, log[4]!], '2024-08-01'), {
    months: null,
    currentMonths: null,
    days: null,
  })
})

test('novelties are listed, the greatest one of a flight first', () => {
  const type = { id: 1, name: 'Airbus A320' }
  const { date: _date, ...undated } = flight('', sfo, hnd)
  const log = [
    flight('2024-02-01', cph, jfk, { aircraft: type }),
    flight('2024-01-01', cph, fra, { airline: { id: 3, name: 'SAS' }, aircraft: type }),
    undated,
  ]
  const shown = firsts(log).map((first) =>
    'code' in first ? first.code : 'airport' in first ? first.airport.iata : first.item.name,
  )
  assert.deepEqual(shown, ['EU', 'DK', 'DE', 'CPH', 'FRA', 'SAS', 'Airbus A320', 'NA', 'US', 'JFK'])
  assert.equal(firsts(log)[7]?.flight.date, '2024-02-01')
})

test('on time is less than 15 minutes late, among flights with known times', () => {
  const log = [
    flight('2024-01-01', cph, fra, { arrivalDelay: 14, departureDelay: 40 }),
    flight('2024-01-02', cph, fra, { arrivalDelay: 15 }),
    flight('2024-01-03', cph, fra, { arrivalDelay: -20, departureDelay: null }),
    flight('2024-01-04', cph, fra, { arrivalDelay: 71 }),
    flight('2024-01-05', cph, fra),
  ]
  assert.deepEqual(punctuality(log), {
    arrivals: { flights: 4, onTime: 2, averageMinutes: 20 },
    departures: { flights: 1, onTime: 0, averageMinutes: 40 },
    mostLate: log[3],
  })
  assert.deepEqual(log.map(punctualityOf), ['onTime', 'late', 'onTime', 'late', null])
  assert.deepEqual(punctuality(log.slice(4)).arrivals, { flights: 0, onTime: 0, averageMinutes: null })
  assert.equal(punctuality([log[2]!]).mostLate, null, 'early is not late')
})

test('night hours agree with the light along each flight to a minute', () => {
  const pairs = [
    [cph, jfk],
    [jfk, cph],
    [sfo, hnd],
    [hnd, sfo],
    [syd, scl],
    [fra, sin],
    [cph, fra],
    [cph, cph],
  ] as const
  let checked = 0
  for (const [i, [from, to]] of pairs.entries()) {
    for (let month = 0; month < 12; month++) {
      const departs = Date.UTC(2025, month, 3 + i, (month * 7 + i * 5) % 24)
      const arrives = departs + (from === to ? 1 : 2 + i * 2) * 3_600_000
      const span = { departs, arrives }
      const spot = ({ longitude: lon, latitude: lat }: Place) => ({ lon, lat })
      const exact = minutesOfLight(lightAlong(greatCircleWay(spot(from), spot(to), span), span)).night
      const [departure, arrival] = [departs, arrives].map((ms) => new Date(ms).toISOString())
      const found = nightOf(flight('2025-01-01', from, to, { departure: departure!, arrival: arrival! }))
      const minutes = (found?.nightSeconds ?? -1) / 60
      assert.ok(
        Math.abs(minutes - exact) <= 2.5,
        `${from.iata}–${to.iata} ${departure}: ${minutes}, ${exact}`,
      )
      assert.equal(found?.seconds, (arrives - departs) / 1000)
      if (exact > 0 && exact < (arrives - departs) / 60_000) checked++
    }
  }
  assert.ok(checked > 20, 'many of them saw the night begin or end')
})

test('night is counted only for flights with known times and airports', () => {
  const times = { departure: '2025-12-21T22:00:00Z', arrival: '2025-12-22T00:00:00Z' }
  const log = [
    flight('2025-12-21', cph, fra, times),
    flight('2025-12-21', cph, null, times),
    flight('2025-12-21', cph, fra, { departure: times.departure }),
    flight('2025-12-21', cph, fra, { departure: times.arrival, arrival: times.departure }),
    flight('2025-12-21', cph, fra, { ...times, arrival: '2025-12-25T00:00:00Z' }),
  ]
  const longest = { flight: log[0], nightSeconds: 7200 }
  assert.deepEqual(night(log), { flights: 1, seconds: 7200, nightSeconds: 7200, longest })
  assert.equal(night(log.slice(1)).longest, null)
})

test('types of one design are one family', () => {
  const families: [string, string, string][] = [
    ['A21N', 'Airbus A321neo', 'Airbus A320'],
    ['A339', 'Airbus A330-900', 'Airbus A330'],
    ['A35K', 'Airbus A350-1000', 'Airbus A350'],
    ['B38M', 'Boeing 737 MAX 8', 'Boeing 737'],
    ['B738', 'Boeing 737-800', 'Boeing 737'],
    ['B74S', 'Boeing 747SP', 'Boeing 747'],
    ['B77W', 'Boeing 777-300ER', 'Boeing 777'],
    ['B789', 'Boeing 787-9 Dreamliner', 'Boeing 787'],
    ['BCS3', 'Airbus A220-300', 'Airbus A220'],
    ['DH8D', 'De Havilland Canada Dash 8-400', 'De Havilland Canada Dash 8'],
    ['DC93', 'Douglas DC-9-30', 'Douglas DC-9'],
    ['DC10', 'McDonnell Douglas DC-10', 'McDonnell Douglas DC-10'],
    ['E75L', 'Embraer E175 (long wing)', 'Embraer E-Jet'],
    ['CRJ9', 'Bombardier CRJ900', 'Bombardier CRJ'],
    ['T154', 'Tupolev Tu-154', 'Tupolev Tu-154'],
    ['F100', 'Fokker 100', 'Fokker 100'],
    ['CONC', 'Concorde', 'Concorde'],
  ]
  for (const [icao, name, family] of families) assert.equal(aircraftFamily({ icao, name }), family)
  assert.equal(aircraftFamily({ name: 'My kit' }), 'My kit')
})

test('extreme latitudes, the equator and the date line are found between two airports', () => {
  const overGreenland = latitudesOf(cph, sfo)
  assert.ok(overGreenland.north > 70 && overGreenland.north < 76, String(overGreenland.north))
  assert.equal(overGreenland.south, sfo.latitude)
  const overIce = latitudesOf(syd, scl)
  assert.ok(overIce.south < -60 && overIce.south > -75, String(overIce.south))
  assert.deepEqual(latitudesOf(cph, fra), { north: cph.latitude, south: fra.latitude })
  assert.deepEqual(latitudesOf(cph, cph), { north: cph.latitude, south: cph.latitude })
  assert.deepEqual([crossesEquator(sin, syd), crossesEquator(cph, sin)], [true, false])
  assert.deepEqual(
    [crossesDateLine(hnd, sfo), crossesDateLine(syd, scl), crossesDateLine(cph, jfk)],
    [true, true, false],
  )
})

test('badges are earned by the flight that reaches the mark', () => {
  const log = [
    flight('2024-01-01', cph, fra, { distanceKm: 40_000, aircraft: { id: 1, name: 'Boeing 737-800' } }),
    flight('2024-01-02', fra, sin, { distanceKm: 75, aircraft: { id: 2, name: 'Boeing 737-900' } }),
    flight('2024-01-03', sin, syd, { distanceKm: 0.02 }),
    flight('2024-01-04', syd, scl, { distanceKm: null }),
    flight('2024-01-05', scl, null),
  ]
  const found = Object.fromEntries(badges(log).map((badge) => [badge.kind, badge]))
  const earned = (kind: keyof typeof badgeLevels) =>
    found[kind]!.earned.map(({ level, flight: by }) => [level, log.indexOf(by as (typeof log)[number])])
  assert.deepEqual(earned('distance'), [[badgeLevels.distance[0], 2]])
  assert.equal(found['distance']?.next, badgeLevels.distance[1])
  assert.deepEqual(earned('countries'), [[5, 3]])
  assert.deepEqual([found['countries']?.value, found['countries']?.next], [5, 10])
  assert.deepEqual(earned('continents'), [[3, 2]])
  assert.deepEqual([found['families']?.value, found['families']?.next], [1, 5])
  assert.deepEqual(earned('equator'), [[1, 2]])
  assert.deepEqual(earned('dateLine'), [[1, 3]])
  assert.deepEqual(
    earned('south').map(([, by]) => by),
    [3, 3],
    'two marks by one flight',
  )
  assert.deepEqual([earned('north'), found['north']?.value], [[], cph.latitude])
})

test('the document has every insight, rounded', () => {
  const late = flight('2026-03-01', cph, sfo, {
    arrivalDelay: 30,
    departureLocal: '2026-03-01T09:30',
    distanceKm: 8_800.6,
  })
  const document = statisticsDocument([flight('2025-02-01', fra, cph), late], null, '2026-06-15')
  assert.equal(document.byHour[9], 1)
  assert.equal(document.yearChange?.until, '2026-06-15')
  assert.deepEqual([document.yearChange?.now.distanceKm, document.yearChange?.before.flights], [8801, 1])
  assert.deepEqual(
    [document.punctuality.mostLate?.id, document.punctuality.mostLate?.delayMinutes],
    [late.id, 30],
  )
  assert.deepEqual(
    document.firsts.map(({ kind, code, name, flight: { id } }) => [kind, code, name, id === late.id]),
    [
      ['airport', 'SFO', 'SFO', true],
      ['country', 'US', null, true],
      ['continent', 'NA', null, true],
      ['airport', 'CPH', 'CPH', false],
      ['airport', 'FRA', 'FRA', false],
      ['country', 'DK', null, false],
      ['country', 'DE', null, false],
      ['continent', 'EU', null, false],
    ],
  )
  const north = document.badges.find(({ kind }) => kind === 'north')
  assert.deepEqual([north?.earned[0]?.level, north?.earned[0]?.flight.id], [66.56, late.id])
  const nothing = statisticsDocument([], null, '2026-06-15')
  assert.deepEqual(
    [nothing.yearChange, nothing.firsts, nothing.punctuality.mostLate, nothing.streaks.months],
    [null, [], null, null],
  )
  assert.deepEqual(
    nothing.badges.map(({ value, earned }) => [value, earned.length]),
    Array.from({ length: 8 }, () => [0, 0]),
  )
})
