// The constants behind figures and warnings, each tested by its effect: server and web app import the same functions, so a
// change applies to both.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AircraftClass, aircraftClasses, seatClasses } from '../server/domain/enums.ts'
import {
  estimatedSeconds,
  knownOrEstimated,
  legacyEstimatedSeconds,
} from '../server/domain/flights/duration.ts'
import { emissionOf } from '../server/domain/flights/emissions.ts'
import { dateOddity, isLikelyDuplicate, timeOddity } from '../server/domain/flights/plausibility.ts'
import { distanceKm, sphericalMetres } from '../server/domain/geo/geo.ts'
import { defaultPreferences } from '../server/domain/people/preferences.ts'
import {
  countFlightsByCountry,
  countries,
  countriesFlownTo,
  isCountry,
} from '../server/domain/reference/countries.ts'
import { finish } from '../server/domain/steps.ts'
import { weekdayOf } from '../server/domain/time/calendar.ts'
import { joinFlights } from '../server/domain/trips/journey.ts'

test('a passenger’s emissions are the distance times the published factor of haul and class', () => {
  const between = (from: string, to: string) =>
    [null, ...seatClasses].map((seatClass) => {
      const found = emissionOf({ from: { country: from }, to: { country: to }, distanceKm: 1000 }, seatClass)
      return found && [found.haul, found.cabin, Math.round(found.kilograms * 100) / 100]
    })
  const average = ['domestic', 'average', 229.28]
  assert.deepEqual(between('GB', 'JE'), [average, average, average, average, average, null])
  assert.deepEqual(between('IM', 'GG'), between('GB', 'GB'))
  assert.deepEqual(between('FR', 'GB'), [
    ['short', 'average', 127.86],
    ['short', 'economy', 125.76],
    ['short', 'average', 127.86],
    ['short', 'business', 188.63],
    ['short', 'average', 127.86],
    null,
  ])
  assert.deepEqual(between('GB', 'US'), [
    ['long', 'average', 152.82],
    ['long', 'economy', 117.04],
    ['long', 'economy+', 187.26],
    ['long', 'business', 339.4],
    ['long', 'first', 468.14],
    null,
  ])
  assert.deepEqual(between('US', 'SG'), [
    ['international', 'average', 142.53],
    ['international', 'economy', 109.16],
    ['international', 'economy+', 174.65],
    ['international', 'business', 316.56],
    ['international', 'first', 436.63],
    null,
  ])
  assert.deepEqual(between('DE', 'DE'), between('US', 'SG'), 'domestic means within the UK')
  assert.deepEqual(between('GB', 'BT'), Array(6).fill(null), 'not listed')
  assert.deepEqual(between('IN', 'BT'), between('US', 'SG'))
})

test('the method lists 215 territories, short-haul by country and not by distance', () => {
  const haul = (code: string) =>
    emissionOf({ from: { country: 'GB' }, to: { country: code }, distanceKm: 1 }, null)?.haul
  const found = Map.groupBy(
    countries.map(({ code }) => code),
    haul,
  )
  assert.deepEqual(
    ['domestic', 'short', 'long', undefined].map((name) => found.get(name as 'short')?.length),
    [4, 47, 164, 35],
  )
  assert.deepEqual(['EG', 'GL', 'XK', 'MD', 'RU', 'UA', 'SJ'].map(haul), [
    ...['short', 'short', 'short', 'long', 'long', 'long', undefined],
  ])
})

test('emissions are unknown without a distance', () => {
  const [from, to] = [{ country: 'GB' }, { country: 'FR' }]
  assert.equal(emissionOf({ from, to, distanceKm: null }, 'economy'), null)
  assert.equal(emissionOf({ from, to: null, distanceKm: null }, 'economy'), null)
  assert.equal(emissionOf({ from, to: from, distanceKm: 0 }, 'economy'), null, 'a round flight')
})

test('an estimated duration depends on the distance and the class of aircraft', () => {
  const minutes = (km: number, aircraftClass: AircraftClass | null) =>
    estimatedSeconds(km, aircraftClass) / 60
  const about = (wanted: number, found: number) =>
    assert.ok(Math.abs(found / wanted - 1) < 0.04, `${Math.round(found)} minutes instead of ${wanted}`)
  about(75, minutes(347, 'jet')) // LHR–CDG
  about(7 * 60 + 45, minutes(5555, 'jet')) // LHR–JFK
  about(18 * 60 + 30, minutes(15_340, 'jet')) // JFK–SIN
  about(75, minutes(300, 'turboprop')) // a Dash 8
  about(3 * 60 + 30, minutes(5555, 'supersonic')) // Concorde, LHR–JFK
  about(90, minutes(347, 'piston')) // a DC-3, London–Paris
  about(60, minutes(200, 'helicopter')) // to a platform
  assert.equal(minutes(1234, null), minutes(1234, 'jet'))
  assert.deepEqual(
    aircraftClasses.map((one) => [one, estimatedSeconds(0, one), estimatedSeconds(4000, one)]),
    [
      ['jet', 2880, 21_108],
      ['turboprop', 2400, 30_635],
      ['piston', 1200, 49_200],
      ['helicopter', 600, 58_200],
      ['supersonic', 3300, 9998],
    ],
  )
  assert.equal(estimatedSeconds(4905, 'jet'), 24_708, 'beyond 4,000 km at 905 km/h')
  assert.equal(legacyEstimatedSeconds(8050), 37_800)
})

test('a recorded duration is kept, an unknown one is estimated between two airports', () => {
  const [a, b] = [{ id: 1 }, { id: 2 }]
  const duration = (
    recorded: number | null,
    from: typeof a | null,
    to: typeof a | null,
    km: number | null,
  ) => {
    const found = knownOrEstimated(recorded, { from, to, distanceKm: km, aircraft: { class: 'piston' } })
    return [found.duration, found.durationEstimated]
  }
  assert.deepEqual(duration(60, a, b, 300), [60, false])
  assert.deepEqual(duration(0, a, b, 300), [0, false])
  assert.deepEqual(duration(null, a, b, 300), [4800, true])
  assert.deepEqual(duration(null, a, a, 0), [null, false], 'a round flight')
  assert.deepEqual(duration(null, a, null, null), [null, false])
  const unknown = { from: a, to: b, distanceKm: 300, aircraft: null }
  assert.equal(knownOrEstimated(null, unknown).duration, estimatedSeconds(300, 'jet'))
  assert.equal(knownOrEstimated(null, unknown, legacyEstimatedSeconds).duration, 3142)
})

test('distances are ellipsoidal, and spherical in the legacy API', () => {
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
  // In floating point, the cosine between this place and itself, or its antipode, is beyond one.
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

test('flights over 24 hours, faster than their class, before the first airline or years ahead get a warning', () => {
  assert.equal(timeOddity(24 * 3600, 100, null), null)
  assert.deepEqual(timeOddity(24 * 3600 + 36, 100, null), { kind: 'too_long', hours: 24.01 })
  assert.equal(timeOddity(0, 1300.1, null), null, 'no time is known')
  assert.equal(timeOddity(60, null, null), null, 'no distance is known')
  const limits = { jet: 1300, turboprop: 1000, piston: 800, helicopter: 450, supersonic: 2400 }
  for (const [one, kmh] of [...Object.entries(limits), [null, 1300] as const]) {
    assert.equal(timeOddity(3600, kmh, one as AircraftClass | null), null)
    const faster = timeOddity(3600, kmh + 0.1, one as AircraftClass | null)
    assert.deepEqual(faster, { kind: 'too_fast', kmh: kmh + 0.1 }, String(one))
  }
  assert.equal(dateOddity('1914-01-01', '2026-06-15'), null)
  assert.equal(dateOddity('1913-12-31', '2026-06-15'), 'before_airlines')
  assert.equal(dateOddity('0001-01-01', '2026-06-15'), 'before_airlines')
  assert.equal(dateOddity('2027-06-15', '2026-06-15'), null)
  assert.equal(dateOddity('2027-06-16', '2026-06-15'), 'far_future')
  assert.equal(dateOddity('2029-03-01', '2028-02-29'), 'far_future')
  assert.equal(dateOddity('', '2026-06-15'), null)
})

test('a duplicate has the same route on the same day, or with the same number within two days', () => {
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

/** Flights of one person; 0 to 1 at 08:00 of the first day is `['01', 0, 1]`, in hours since then. */
function journeysWith(...legs: [route: string, departs: number | null, arrives: number | null][]) {
  const codes = ['DE', 'NO', 'JP', 'US', 'XX']
  const start = Date.parse('2025-05-01T08:00Z')
  const clock = (hours: number | null) =>
    hours === null ? null : new Date(start + hours * 3_600_000).toISOString().slice(0, 16)
  const place = (digit: string | undefined) => ({ id: Number(digit), country: codes[Number(digit)]! })
  const flights = legs.map(([route, departs, arrives], id) => ({
    id,
    date: (clock(departs) ?? '2025-05-01').slice(0, 10),
    datePrecision: 'day' as const,
    from: place(route[0]),
    to: place(route[1]),
    departs: departs === null ? null : start + departs * 3_600_000,
    arrives: arrives === null ? null : start + arrives * 3_600_000,
    departureLocal: clock(departs),
    arrivalLocal: clock(arrives),
  }))
  return finish(joinFlights(flights, { peopleOn: () => ['one'], homeOf: () => null }))
}

test('a stop is shorter than 24 hours and at one airport', () => {
  const isJoined = (...[second]: Parameters<typeof journeysWith>) =>
    journeysWith(['01', 0, 1], second!).length === 1
  assert.ok(isJoined(['12', 25 - 1 / 60, 30]))
  assert.ok(!isJoined(['12', 25, 30]), 'exactly a day')
  assert.ok(!isJoined(['12', 0.9, 30]), 'before the landing')
  assert.ok(!isJoined(['32', 2, 3]), 'from elsewhere')
  assert.ok(isJoined(['12', 1, 30]))
  assert.ok(isJoined(['12', null, null]), 'by date alone')
})

test('a country is transit only if each stop in it was, in any order of flights', () => {
  const been = (...legs: Parameters<typeof journeysWith>) =>
    Object.fromEntries(countriesFlownTo(journeysWith(...legs)))
  const [out, on, home] = [
    ['01', 0, 1],
    ['12', 2, 10],
    ['20', 100, 110],
  ] as Parameters<typeof journeysWith>
  const trip = { DE: 'visited', NO: 'layover', JP: 'visited' }
  assert.deepEqual(been(out!, on!, home!), trip)
  assert.deepEqual(been(home!, on!, out!), trip)
  assert.deepEqual(been(out!, on!, home!, ['01', 200, 201]), { ...trip, NO: 'visited' })
  assert.deepEqual(been(['02', -100, -90], ['20', -50, -40], out!, on!), trip)
  assert.deepEqual(been(out!, ['12', 30, 40]), { ...trip, NO: 'visited' }, 'a night in town')
  assert.deepEqual(been(out!, ['10', 2, 3]), { DE: 'visited', NO: 'visited' }, 'a day trip')
  assert.deepEqual(been(['04', 0, 1], ['42', 2, 3]), { DE: 'visited', JP: 'visited' }, 'no country')
  assert.deepEqual(countriesFlownTo([{ flights: [{ from: null, to: null }] }]).size, 0)
})

test('a flight within a country is counted there once', () => {
  const [de, no] = [
    { id: 1, country: 'DE' },
    { id: 2, country: 'NO' },
  ]
  const counts = countFlightsByCountry([
    { from: de!, to: de! },
    { from: de!, to: no! },
    { from: null, to: no! },
  ])
  assert.deepEqual(Object.fromEntries(counts), { DE: 2, NO: 2 })
})

test('there are 250 countries, each once', () => {
  assert.equal(countries.length, 250)
  assert.equal(new Set(countries.map(({ code }) => code)).size, 250)
  assert.equal(new Set(countries.map(({ number }) => number)).size, 250)
  assert.ok(isCountry('XK') && isCountry('DE') && !isCountry('EU') && !isCountry('de'))
})

test('default preferences equal those of the contract', () => {
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
    homeAirportId: null,
  })
})
