// Statistics in a share are not a log: without the list, no date is finer than a month and no sum can be solved for a
// single flight. Other logs, with other days and routes, give exactly the same response.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { distanceKm } from '../../server/domain/geo/geo.ts'
import { onSqlite, type TestPerson } from '../harness.ts'

// biome-ignore lint/suspicious/noExplicitAny: any JSON
type Any = any

const codes = ['FRA', 'MUC', 'HAM', 'DUS', 'STR', 'JFK', 'BOS', 'ORD', 'IAD', 'ATL', 'LAX', 'SFO']
const everything = {
  showStats: true,
  showDates: true,
  showTimes: true,
  showAirlines: true,
  showAircraft: true,
  showSeat: true,
  showFlightNumbers: true,
}

/** Pseudo-random numbers, equal in each run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

interface Entry {
  id: number
  date: string
  from: string
  to: string
}
const routeOf = ({ from, to }: Pick<Entry, 'from' | 'to'>) => [from, to].sort().join('–')

onSqlite('statistics of a share', (app) => {
  let ada: TestPerson
  let key: string
  const airports = new Map<string, Any>()
  const log: Entry[] = []

  const read = async (settings: object): Promise<{ text: string; json: Any }> => {
    const cookie = await ada.session()
    const reply = await app().request('POST', '/app/api/share-preview', { cookie, body: settings })
    assert.equal(reply.status, 200, reply.text)
    return { text: reply.text, json: reply.json.data }
  }
  const patch = async (id: number, body: object): Promise<void> => {
    const reply = await app().request('PATCH', `/api/v1/flights/${id}`, { key, body })
    assert.equal(reply.status, 200, reply.text)
  }
  const ends = (from: string, to: string) => ({ fromId: airports.get(from).id, toId: airports.get(to).id })
  const kmOf = (from: string, to: string): number => distanceKm(airports.get(from), airports.get(to))
  const timesFlown = (route: string): number => log.filter((entry) => routeOf(entry) === route).length

  before(async () => {
    ada = await app().person()
    key = await ada.key()
    for (const code of codes) {
      const id = await app().airportId(code)
      airports.set(code, (await app().request('GET', `/api/v1/airports/${id}`, { key })).json.data)
    }
    const random = createRandom(7)
    const often = Array.from({ length: 4 }, () => ({ from: 'FRA', to: 'JFK' }))
    for (let i = 0; i < 24; i++) {
      const [from, to] = [random(codes.length), random(codes.length - 1)]
      const drawn = { from: codes[from]!, to: codes[to < from ? to : to + 1]! }
      const route = often[i] ?? drawn
      const date = `${2019 + random(6)}-${String(1 + random(12)).padStart(2, '0')}-${String(1 + random(28)).padStart(2, '0')}`
      const body = { date, flightNumber: `XX${100 + i}`, ...ends(route.from, route.to) }
      const made = await app().request('POST', '/api/v1/flights', { key, body })
      assert.equal(made.status, 201, made.text)
      log.push({ id: made.json.data.id, date, ...route })
    }
  })

  test('statistics alone have counts by month and year, rounded sums, and what was flown three times', async () => {
    const { text, json } = await read({ ...everything, showMap: false, showFlightList: false })
    const { statistics, airports: named, map, flights } = json
    assert.deepEqual([map, flights], [undefined, undefined])
    assert.doesNotMatch(text, /\d{4}-\d{2}/, 'no date')
    for (const name of ['byDay', 'byWeekday', 'byHour', 'first', 'latest', 'busiestDay', 'longestGap'])
      assert.ok(!(name in statistics), name)
    for (const name of ['longest', 'shortest', 'northernmost', 'southernmost'])
      assert.equal(statistics[name], null, name)
    assert.deepEqual(statistics.topAirports, [])
    assert.deepEqual(
      statistics.topRoutes.map(({ flights }: Any) => flights),
      [...new Set(log.map(routeOf))]
        .map(timesFlown)
        .filter((count) => count >= 3)
        .sort((x, y) => y - x),
    )
    const oftenFlown = log
      .filter((entry) => timesFlown(routeOf(entry)) >= 3)
      .flatMap(({ from, to }) => [from, to])
    for (const { iata } of named) assert.ok(oftenFlown.includes(iata), iata)
    for (const { flights } of [...statistics.topCountries, ...statistics.continents]) assert.ok(flights >= 3)
    const sums = [statistics.totals, ...statistics.byYear, ...statistics.topCountries]
    for (const { distanceKm: km, durationSeconds = 0 } of sums)
      assert.deepEqual([km % 1000, durationSeconds % 36_000], [0, 0])
    assert.equal(statistics.co2Kg % 1000, 0)
    assert.equal(statistics.totals.flights, 24)
    assert.equal(statistics.byMonth.length, 12)
    for (const month of statistics.byMonth) assert.deepEqual(Object.keys(month), ['flights'])
    for (const { year, flights } of statistics.byYear)
      assert.equal(flights, log.filter(({ date }) => date.startsWith(String(year))).length)
  })

  test('with the map, no day and no distance by date is shown, whatever is selected', async () => {
    const { text, json } = await read({ ...everything, showMap: true, showFlightList: false })
    assert.doesNotMatch(text, /\d{4}-\d{2}/, 'no date')
    for (const entry of [...json.statistics.byYear, ...json.statistics.byMonth])
      assert.deepEqual(
        Object.keys(entry).filter((name) => name !== 'year'),
        ['flights'],
      )
    assert.ok(!('byDay' in json.statistics) && !('byWeekday' in json.statistics))
    assert.ok(json.statistics.longest.distanceKm > 0)
  })

  test('with the list, nothing is withheld', async () => {
    const { json } = await read({ ...everything, showMap: false, showFlightList: true })
    const { statistics, flights } = json
    assert.equal(flights.length, 24)
    const days = Object.values(statistics.byDay) as number[]
    assert.equal(
      days.reduce((sum, count) => sum + count, 0),
      24,
    )
    assert.ok(statistics.first.date && statistics.longest.date && statistics.byWeekday.length === 7)
    assert.ok(statistics.slowest.estimated && statistics.slowest.durationSeconds > 0)
    assert.deepEqual(statistics.recordFlights, { distance: 24, airport: 24, time: 24, date: 24, day: 24 })
    assert.notEqual(statistics.totals.distanceKm % 1000, 0)
  })

  test('without the list, another day of the month changes nothing', async () => {
    const alone = { ...everything, showMap: false, showFlightList: false }
    const seen = [await read(alone), await read({ ...alone, showMap: true })].map(({ text }) => text)
    for (const { id, date } of log.slice(0, 6)) {
      const day = date.endsWith('-09') ? '10' : '09'
      await patch(id, { date: `${date.slice(0, 8)}${day}` })
    }
    assert.equal((await read(alone)).text, seen[0])
    assert.equal((await read({ ...alone, showMap: true })).text, seen[1])
  })

  test('another log gives the same figures, so no flight can be identified', async () => {
    const alone = { ...everything, showMap: false, showFlightList: false }
    const { text } = await read(alone)
    const isUsed = (code: string, but: number) =>
      log.some(({ id, from, to }) => id !== but && [from, to].includes(code))
    let ambiguous = 0
    const single = log.filter((entry) => timesFlown(routeOf(entry)) === 1)
    for (const { id, from, to } of single) {
      if (!isUsed(from, id) || !isUsed(to, id)) continue
      const found = codes.flatMap((a, i) =>
        codes
          .slice(i + 1)
          .flatMap((b) =>
            timesFlown(routeOf({ from: a, to: b })) === 0 && Math.abs(kmOf(a, b) - kmOf(from, to)) < 500
              ? [{ a, b }]
              : [],
          ),
      )
      for (const { a, b } of found.slice(0, 8)) {
        await patch(id, ends(a, b))
        const isSame = (await read(alone)).text === text
        await patch(id, ends(from, to))
        if (!isSame) continue
        ambiguous++
        break
      }
      if (ambiguous === 3) break
    }
    assert.equal(ambiguous, 3, 'flights that could as well have been others')
  })
})
