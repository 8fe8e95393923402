// Statistics merged from parts equal those of the whole log, whatever the parts and their order.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCountedLog } from '../../server/domain/statistics/counted-log.ts'
import {
  createSummarizer,
  type Summary,
  statisticsDocument,
} from '../../server/domain/statistics/document.ts'
import type { Named, Place, StatFlight } from '../../server/domain/statistics/flights.ts'
import { computeNight } from '../../server/domain/statistics/night.ts'
import { createRandom } from '../harness.ts'

const { next: random, below, pick: oneOf } = createRandom(181)
const maybe = <Item>(item: Item): Item | null => (random() < 0.1 ? null : item)

const airports: Place[] = Array.from({ length: 40 }, (_, i) => ({
  id: i + 1,
  icao: `A${String(i).padStart(3, '0')}`,
  iata: null,
  name: `Airport ${i}`,
  municipality: null,
  latitude: random() * 170 - 85,
  longitude: random() * 360 - 180,
  country: `C${i % 17}`,
  continent: oneOf(['EU', 'NA', 'SA', 'AS', 'AF', 'OC', 'AN']),
}))
const named = (count: number): Named[] =>
  Array.from({ length: count }, (_, i) => ({ id: i + 1, name: `Airbus A3${i}0`, icao: `A3${i}` }))
const [airlines, aircraft] = [named(12), named(30)]

function aFlight(id: number): StatFlight {
  const day = `${1990 + below(35)}-${String(1 + below(12)).padStart(2, '0')}-${String(1 + below(28)).padStart(2, '0')}`
  const hour = below(24)
  const departure = maybe(`${day}T${String(hour).padStart(2, '0')}:30:00Z`)
  const arrival = departure && maybe(new Date(Date.parse(departure) + below(15) * 3_600_000).toISOString())
  const [from, to] = [maybe(oneOf(airports)), maybe(oneOf(airports))]
  const flight: StatFlight = {
    id,
    from,
    to,
    distanceKm: from && to ? random() * 15_000 : null,
    duration: maybe(below(50_000)),
    durationEstimated: random() < 0.2,
    date: day,
    datePrecision: oneOf(['day', 'day', 'day', 'month', 'year']),
    airline: maybe(oneOf(airlines)),
    aircraft: maybe(oneOf(aircraft)),
    aircraftReg: maybe(oneOf(['OY-KBO', 'oy-kbo', 'D-AIMA'])),
    departure,
    arrival,
    departureLocal: departure?.slice(0, 16) ?? null,
    departureDelay: maybe(below(60) - 10),
    arrivalDelay: maybe(below(60) - 10),
    passengers: Array.from({ length: below(3) }, (_, i) => ({
      user: oneOf(['ada', 'bob', null]),
      guest: i === 0 ? null : 'Guest',
      seat: maybe('window'),
      seatClass: maybe(oneOf(['economy', 'business'])),
      reason: maybe('leisure'),
    })),
  }
  return random() < 0.5 ? flight : { ...flight, night: computeNight(flight) }
}

const yearOf = ({ date }: StatFlight) => Number(date!.slice(0, 4))
const shuffled = <Item>(list: readonly Item[]): Item[] =>
  list
    .map((item) => ({ item, at: random() }))
    .sort((x, y) => x.at - y.at)
    .map(({ item }) => item)

test('parts of any years merged in any order give the document of the whole log', () => {
  for (const size of [0, 1, 2, 30, 700, 2500]) {
    const flights = Array.from({ length: size }, (_, i) => aFlight(i + 1))
    for (const userId of ['ada', null]) {
      const { ofFlights, ofParts: inSteps, document } = createSummarizer(userId)
      const ofParts = (parts: readonly Summary[]): Summary => {
        const steps = inSteps(parts)
        for (;;) {
          const { done, value } = steps.next()
          if (done) return value
        }
      }
      const byYear = Map.groupBy(shuffled(flights), yearOf)
      const years = shuffled([...byYear.values()].map(ofFlights))
      const third = Math.ceil(years.length / 3)
      const merged = ofParts([
        ofParts(years.slice(0, third)),
        ofParts(years.slice(third, 2 * third)),
        ofParts(years.slice(2 * third)),
      ])
      // Merging does not change its parts.
      ofParts([merged, ofFlights([aFlight(99_999)])])
      for (const today of ['2024-06-15', '2026-01-01']) {
        const whole = statisticsDocument(flights, userId, today)
        assert.deepEqual(
          document(merged, (year) => byYear.get(year) ?? [], today),
          whole,
        )
      }
    }
  }
})

test('a log updated change by change has the document of all its flights', () => {
  for (const userId of ['ada', null]) {
    const log = createCountedLog(userId)
    const flights = new Map<number, StatFlight>()
    const put = (flight: StatFlight) => {
      flights.set(flight.id, flight)
      log.add(flight)
    }
    const takeOut = (flight: StatFlight) => {
      flights.delete(flight.id)
      log.remove(flight)
    }
    for (let step = 0; step < 120; step++) {
      const known = [...flights.values()]
      for (let i = below(4); i >= 0; i--) put(aFlight(1000 * step + i))
      if (known.length > 0 && random() < 0.4) takeOut(oneOf(known))
      // The same year repeatedly, as while a person edits; and sometimes everything is deleted.
      const newest = known.findLast((flight) => flights.has(flight.id) && yearOf(flight) > 2015)
      if (newest && random() < 0.4) takeOut(newest)
      if (step % 50 === 49) for (const flight of [...flights.values()]) takeOut(flight)
      if (random() < 0.2) continue
      for (const _ of log.count());
      const expected = statisticsDocument([...flights.values()], userId, '2024-06-15')
      assert.deepEqual(log.document('2024-06-15'), expected, `step ${step}`)
    }
  }
})
