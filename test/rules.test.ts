// The constants that figures and warnings rest on, each pinned by what follows from it: server and web app import the
// same functions, so that a change here is a change everywhere.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { weekdayOf } from '../server/domain/calendar.ts'
import { countries, countriesFlownTo, isCountry } from '../server/domain/countries.ts'
import { emissionKg } from '../server/domain/emissions.ts'
import { seatClasses } from '../server/domain/enums.ts'
import { estimatedSeconds, knownOrEstimated } from '../server/domain/flight-duration.ts'
import { distanceKm, sphericalMetres } from '../server/domain/geo.ts'
import { layoverSeconds } from '../server/domain/layover.ts'
import { dateOddity, isLikelyDuplicate, timeOddity } from '../server/domain/plausibility.ts'
import { defaultPreferences } from '../server/domain/preferences.ts'

test('a seat’s emissions by haul and class, kg CO2e per kilometre', () => {
  const perThousandKm = (km: number) =>
    [null, ...seatClasses].map((seatClass) => Math.round((emissionKg(km, seatClass) / km) * 100_000) / 100)
  assert.deepEqual(perThousandKm(699.9), [272.57, 272.57, 272.57, 272.57, 272.57, 272.57])
  assert.deepEqual(perThousandKm(700), [185.92, 182.87, 182.87, 274.3, 274.3, 274.3])
  assert.deepEqual(perThousandKm(3699.9), [185.92, 182.87, 182.87, 274.3, 274.3, 274.3])
  assert.deepEqual(perThousandKm(3700), [261.28, 200.11, 320.16, 580.28, 800.4, 800.4])
  assert.equal(emissionKg(0, 'first'), 0)
})

test('an unknown duration is estimated at 805 km/h and half an hour', () => {
  assert.equal(estimatedSeconds(0), 1800)
  assert.equal(estimatedSeconds(805), 5400)
  assert.equal(estimatedSeconds(8050), 37_800)
  const [a, b] = [{ id: 1 }, { id: 2 }]
  const duration = (
    recorded: number | null,
    from: typeof a | null,
    to: typeof a | null,
    km: number | null,
  ) => {
    const found = knownOrEstimated(recorded, { from, to, distanceKm: km })
    return [found.duration, found.durationEstimated]
  }
  assert.deepEqual(duration(60, a, b, 805), [60, false])
  assert.deepEqual(duration(0, a, b, 805), [0, false])
  assert.deepEqual(duration(null, a, b, 805), [5400, true])
  assert.deepEqual(duration(null, a, a, 0), [null, false], 'a round flight')
  assert.deepEqual(duration(null, a, null, null), [null, false])
})

test('distances are on the ellipsoid; the sphere is the legacy API’s', () => {
  const zero = { latitude: 0, longitude: 0 }
  const pole = { latitude: 90, longitude: 0 }
  const quarter = { latitude: 0, longitude: 90 }
  assert.deepEqual([distanceKm(zero, pole), distanceKm(zero, quarter)], [10_002, 10_018.8])
  assert.deepEqual(
    [zero, pole].map((place) => Math.round(sphericalMetres(place, quarter))),
    [10_007_557, 10_007_557],
  )
  const berlin = { latitude: 52.52, longitude: 13.405 }
  const sydney = { latitude: -33.87, longitude: 151.21 }
  assert.equal(Math.round(sphericalMetres(berlin, sydney) / 1000), 16_095)
  assert.equal(sphericalMetres(berlin, sydney), sphericalMetres(sydney, berlin))
  // In floating point, the cosine of this place and itself, or its antipode, is beyond one.
  for (let latitude = -80; latitude <= 80; latitude += 0.7) {
    const [here, there] = [
      { latitude, longitude: 20 },
      { latitude: -latitude, longitude: -160 },
    ]
    assert.ok(sphericalMetres(here, here) < 1)
    assert.equal(Math.round(sphericalMetres(here, there) / 1000), 20_015)
  }
  assert.equal(distanceKm({ latitude: 0, longitude: 179.5 }, { latitude: 0, longitude: -179.5 }), 111.3)
})

test('Monday is 1 and Sunday 7', () => {
  const days = ['2024-01-01', '2024-01-06', '2024-01-07', '2024-02-29', '0001-01-01', '9999-12-31']
  assert.deepEqual(days.map(weekdayOf), [1, 6, 7, 4, 1, 5])
})

test('a flight is odd over 24 hours, above 1,300 km/h, before the first airline and years ahead', () => {
  assert.equal(timeOddity(24 * 3600, 100), null)
  assert.deepEqual(timeOddity(24 * 3600 + 36, 100), { kind: 'too_long', hours: 24.01 })
  assert.equal(timeOddity(3600, 1300), null)
  assert.deepEqual(timeOddity(3600, 1300.1), { kind: 'too_fast', kmh: 1300.1 })
  assert.equal(timeOddity(0, 1300.1), null, 'no time is known')
  assert.equal(timeOddity(60, null), null, 'no distance is known')
  assert.equal(dateOddity('1914-01-01', '2026-06-15'), null)
  assert.equal(dateOddity('1913-12-31', '2026-06-15'), 'before_airlines')
  assert.equal(dateOddity('0001-01-01', '2026-06-15'), 'before_airlines')
  assert.equal(dateOddity('2027-12-31', '2026-06-15'), null)
  assert.equal(dateOddity('2028-01-01', '2026-06-15'), 'far_future')
  assert.equal(dateOddity('', '2026-06-15'), null)
})

test('the same route is a duplicate on the same day, or with the same number within two days', () => {
  type Comparable = Parameters<typeof isLikelyDuplicate>[0]
  const flight: Comparable = { date: '2026-06-01', fromId: 1, toId: 2, flightNumber: 'SK1460' }
  const isOne = (change: Partial<Comparable>) => {
    const both = [
      isLikelyDuplicate(flight, { ...flight, ...change }),
      isLikelyDuplicate({ ...flight, ...change }, flight),
    ]
    assert.equal(both[0], both[1], 'whichever comes first')
    return both[0]
  }
  assert.ok(isOne({ flightNumber: null }))
  assert.ok(isOne({ flightNumber: 'LH1' }), 'a codeshare')
  for (const date of ['2026-05-30', '2026-06-03']) {
    assert.ok(isOne({ date, flightNumber: 'sk 01460' }), date)
    assert.ok(!isOne({ date, flightNumber: 'SK1461' }), date)
    assert.ok(!isOne({ date, flightNumber: null }), date)
  }
  for (const date of ['2026-05-29', '2026-06-04']) assert.ok(!isOne({ date }), date)
  assert.ok(!isOne({ fromId: 2, toId: 1 }), 'the way back')
  assert.ok(!isOne({ fromId: 2, toId: 3 }), 'the next leg under the same number')
  assert.ok(!isOne({ toId: 3 }), 'to elsewhere')
  assert.ok(!isOne({ fromId: 3 }), 'from elsewhere')
})

test('a layover is at most 24 hours, at the same airport, and not on the way back', () => {
  const hour = 3_600_000
  const leg = (from: number, to: number, departs: number | null, arrives: number | null) => ({
    from: { id: from, country: ['DE', 'NO', 'JP', 'US'][from]! },
    to: { id: to, country: ['DE', 'NO', 'JP', 'US'][to]! },
    departs,
    arrives,
  })
  const first = leg(0, 1, 0, hour)
  assert.equal(layoverSeconds(first, leg(1, 2, 25 * hour, 30 * hour)), 24 * 3600)
  assert.equal(layoverSeconds(first, leg(1, 2, 25 * hour + 1, 30 * hour)), null)
  assert.equal(layoverSeconds(first, leg(1, 2, hour - 1, 30 * hour)), null)
  assert.equal(layoverSeconds(first, leg(1, 0, 2 * hour, 3 * hour)), null, 'a day trip')
  assert.equal(layoverSeconds(first, leg(3, 2, 2 * hour, 3 * hour)), null, 'from elsewhere')
  assert.equal(layoverSeconds(first, leg(1, 2, hour, 30 * hour)), 0)
  assert.equal(layoverSeconds(first, leg(1, 2, null, 3 * hour)), null)
  assert.equal(layoverSeconds(leg(0, 1, null, null), leg(1, 2, hour, 3 * hour)), null)
  assert.equal(layoverSeconds(leg(0, 1, -3 * hour, -hour), leg(1, 2, null, 3 * hour)), null)
  assert.equal(layoverSeconds({ ...first, to: null }, leg(1, 2, 2 * hour, 3 * hour)), null)
  assert.equal(layoverSeconds(first, { ...leg(1, 2, 2 * hour, 3 * hour), from: null }), null)
  const been = countriesFlownTo([first, leg(1, 2, 2 * hour, 12 * hour)])
  assert.deepEqual(Object.fromEntries(been), { DE: 'visited', NO: 'layover', JP: 'visited' })
})

test('a country is a layover only if each stop there was one, in whatever order the flights come', () => {
  const hour = 3_600_000
  const codes = ['DE', 'NO', 'JP', 'US', 'XX']
  const leg = (from: number, to: number, departs: number | null, arrives: number | null = null) => ({
    from: { id: from, country: codes[from]! },
    to: { id: to, country: codes[to]! },
    departs,
    arrives,
  })
  const been = (...legs: ReturnType<typeof leg>[]) => Object.fromEntries(countriesFlownTo(legs))
  const [out, on, home] = [
    leg(0, 1, 0, hour),
    leg(1, 2, 2 * hour, 10 * hour),
    leg(2, 0, 100 * hour, 110 * hour),
  ]
  const trip = { DE: 'visited', NO: 'layover', JP: 'visited' }
  assert.deepEqual(been(out, on, home), trip)
  assert.deepEqual(been(home, on, out), trip)
  assert.deepEqual(been(out, on, home, leg(0, 1, 200 * hour, 201 * hour)), { ...trip, NO: 'visited' })
  const onTheThird = [leg(0, 2, -100 * hour, -90 * hour), leg(2, 0, -50 * hour, -40 * hour), out, on]
  assert.deepEqual(been(...onTheThird), trip)
  assert.deepEqual(been(out, leg(1, 2, 30 * hour, 40 * hour)), { ...trip, NO: 'visited' }, 'a night in town')
  assert.deepEqual(been(leg(0, 4, 0, hour), { ...on, from: null as never }), { DE: 'visited', JP: 'visited' })
})

test('there are 250 countries, each once', () => {
  assert.equal(countries.length, 250)
  assert.equal(new Set(countries.map(({ code }) => code)).size, 250)
  assert.equal(new Set(countries.map(({ number }) => number)).size, 250)
  assert.ok(isCountry('XK') && isCountry('DE') && !isCountry('EU') && !isCountry('de'))
})

test('preferences begin with what the contract says', () => {
  assert.deepEqual(defaultPreferences, {
    distanceUnit: 'km',
    windSpeedUnit: 'kt',
    temperatureUnit: 'c',
    pressureUnit: 'hpa',
    timeFormat: 'auto',
    dateFormat: 'auto',
    weekStartsOn: 'auto',
    flightTimeDisplay: 'airport',
    language: 'auto',
  })
})
