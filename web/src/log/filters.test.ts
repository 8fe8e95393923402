import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Flight } from '../api/log.ts'
import { apply, countFilters, flightsHref, fromQuery, isFiltered, noFilters, toQuery } from './filters.ts'

const airport = (id: number, iata: string, municipality: string, country: string) => ({
  id,
  iata,
  icao: `X${iata}`,
  name: `${municipality} Airport`,
  municipality,
  country,
})
const gru = airport(1, 'GRU', 'São Paulo', 'BR')
const zrh = airport(2, 'ZRH', 'Zürich', 'CH')
const jfk = airport(3, 'JFK', 'New York', 'US')

const flight = (id: number, from: unknown, to: unknown, date: string, more: object = {}) =>
  ({ id, from, to, date, year: Number(date.slice(0, 4)), passengers: [], ...more }) as unknown as Flight

const flights = [
  flight(1, gru, zrh, '2024-05-01', {
    airline: { id: 7, name: 'Swiss', iata: 'LX' },
    flightNumber: 'LX93',
    operatingFlightNumber: '2L4711',
    bookingReference: 'QX7PLM',
    passengers: [{ user: 'u1', seatClass: 'business', reason: 'crew' }],
  }),
  flight(2, zrh, gru, '2023-01-01', { aircraftReg: 'HB-JNA', passengers: [{ guest: 'Zoë' }] }),
  flight(3, jfk, zrh, '2022-12-31'),
]
const ids = (change: Partial<typeof noFilters>) =>
  apply(flights, { ...noFilters, ...change }).map(({ id }) => id)

test('words match anywhere, whatever the accents, all of them needed', () => {
  assert.deepEqual(ids({ q: 'sao paulo' }), [1, 2])
  assert.deepEqual(ids({ q: 'ZURICH jfk' }), [3])
  assert.deepEqual(ids({ q: 'lx93' }), [1])
  assert.deepEqual(ids({ q: 'zoe' }), [2])
  assert.deepEqual(ids({ q: 'qx7plm' }), [1])
  assert.deepEqual(ids({ q: '2l4711' }), [1])
  assert.deepEqual(ids({ q: 'nowhere' }), [])
})

test('a city is found by the name that the reader sees, and by its English one', () => {
  const words = { airports: {}, airlines: {}, aircraft: {}, cities: { 'BR São Paulo': 'Sankt Paul' } }
  const found = (q: string) => apply(flights, { ...noFilters, q }, words).map(({ id }) => id)
  assert.deepEqual(found('sankt paul'), [1, 2])
  assert.deepEqual(found('são paulo'), [1, 2])
  assert.deepEqual(ids({ q: 'sankt paul' }), [])
})

test('words find what airports are called elsewhere, at the beginning of a word', () => {
  const words = {
    airports: {
      2: ' zrh lszh zurich zurigo curych',
      1: ' gru sbgr sao paulo',
      3: ' jfk kjfk new york nuva york',
    },
    airlines: { 7: ' lx swr swis' },
    aircraft: {},
  }
  const found = (q: string) => apply(flights, { ...noFilters, q }, words).map(({ id }) => id)
  assert.deepEqual(found('zurigo'), [1, 2, 3])
  assert.deepEqual(found('zuerich jfk'), [3])
  assert.deepEqual(found('nueva-york'), [3])
  assert.deepEqual(found('rigo'), [], 'not within a word')
  assert.deepEqual(found('swr'), [1])
  assert.deepEqual(ids({ q: 'zuerich' }), [1, 2, 3], 'without the words too')
  assert.deepEqual(ids({ q: 'zurigo' }), [])
})

test('each filter alone', () => {
  assert.deepEqual(ids({ after: '2023-01-01' }), [1, 2])
  assert.deepEqual(ids({ before: '2023-01-01' }), [2, 3])
  assert.deepEqual(ids({ years: [2022, 2024] }), [1, 3])
  assert.deepEqual(ids({ airports: [3] }), [3])
  assert.deepEqual(ids({ airlines: [7] }), [1])
  assert.deepEqual(ids({ countries: ['US', 'BR'] }), [1, 2, 3])
  assert.deepEqual(ids({ route: '2-1' }), [1, 2], 'both directions')
  assert.deepEqual(ids({ reg: 'hb-j' }), [2])
  assert.deepEqual(ids({ passengers: ['guest:Zoë'] }), [2])
  assert.deepEqual(ids({ passengers: ['user:u1'] }), [1])
  assert.deepEqual(ids({ classes: ['business'] }), [1])
  assert.deepEqual(ids({ reasons: ['crew'], years: [2023] }), [])
})

test('the URL holds them all and nothing else', () => {
  const filters = {
    ...noFilters,
    q: 'a & b',
    after: '2020-01-01',
    airports: [1, 2],
    countries: ['BR'],
    passengers: ['guest:Zoë, the 1st'],
    classes: ['economy+' as const],
    route: '1-2',
    arrivals: ['late' as const],
  }
  assert.deepEqual(fromQuery(new URLSearchParams(toQuery(filters).toString())), filters)
  assert.deepEqual(fromQuery(new URLSearchParams('airport=x&after=yesterday&class=cargo&new=4')), noFilters)
  assert.equal(flightsHref({ airlines: [7] }), '/flights?airline=7')
  assert.equal(flightsHref({}), '/flights')
  assert.equal(countFilters(filters), 8)
  assert.ok(!isFiltered(noFilters) && isFiltered({ ...noFilters, q: 'x' }))
})

test('a month or a year is in a span of days only as a whole', () => {
  const known = [
    flight(1, gru, zrh, '2024-03-01', { datePrecision: 'month' }),
    flight(2, gru, zrh, '2024-01-01', { datePrecision: 'year' }),
    flight(3, gru, zrh, '2024-01-01', { datePrecision: 'day' }),
  ]
  const within = (after: string, before: string) =>
    apply(known, { ...noFilters, after, before }).map(({ id }) => id)
  assert.deepEqual(within('2024-01-01', '2024-01-01'), [3])
  assert.deepEqual(within('2024-01-01', '2024-03-30'), [3])
  assert.deepEqual(within('2024-01-01', '2024-03-31'), [1, 3])
  assert.deepEqual(within('2024-01-01', '2024-12-31'), [1, 2, 3])
})

test('seats are those of the people who are shown; a registration is the whole one', () => {
  const business = { ...noFilters, classes: ['business' as const] }
  assert.equal(apply(flights, business, undefined, ({ user }) => user === 'u2').length, 0)
  assert.deepEqual(ids({ registration: 'HB-J' }), [])
  assert.deepEqual(ids({ registration: 'HB-JNA' }), [2])
  assert.deepEqual(ids({ airports: [1], also: ['airport:2'] }), [1, 2])
  assert.deepEqual(ids({ also: ['airport:3'] }), [3])
})
