// The differences between two states of a flight, in the words used for logging.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nothingKnown } from '../../server/domain/flights/fields.ts'
import { differences } from '../../server/domain/history/differences.ts'

type ShownFlight = Parameters<typeof differences>[0]
type ShownPassenger = ShownFlight['passengers'][number]

const airport = (id: number, iata: string | null, icao: string) => ({ id, iata, icao, latitude: 0 })
const passenger = (id: number, more: Partial<ShownPassenger>): ShownPassenger => ({
  id,
  user: null,
  guestName: null,
  seat: null,
  seatNumber: null,
  seatClass: null,
  flightReason: null,
  customFields: {},
  ...more,
})
const ada = { id: 'ada', displayName: 'Ada Byron' }

const flight: ShownFlight = {
  ...nothingKnown,
  date: '2026-03-01',
  departure: '2026-03-01T22:20:00+01:00',
  arrival: '2026-03-02T01:05:00+01:00',
  duration: 9900,
  from: airport(1, 'CPH', 'EKCH'),
  to: airport(2, 'ARN', 'ESSA'),
  plannedTo: null,
  airline: { id: 5, name: 'SAS' },
  operatingAirline: null,
  aircraft: null,
  passengers: [passenger(1, { user: ada }), passenger(2, { guestName: 'Bo' })],
  track: null,
  customFields: { meal: 'fish', rating: 4 },
  externalIds: {},
}
const changed = (more: Partial<ShownFlight>, viewerId = 'ada') =>
  differences(flight, { ...flight, ...more }, viewerId)

test('equal flights have no differences', () => {
  assert.deepEqual(changed({}), {})
  assert.deepEqual(differences(flight, structuredClone(flight)), {})
})

test('airports are shown as codes, airlines and aircraft as names', () => {
  assert.deepEqual(
    changed({
      to: airport(3, null, 'ZZ01'),
      airline: null,
      aircraft: { id: 9, name: 'Airbus A320neo' },
      aircraftReg: 'OY-KAL',
    }),
    {
      to: ['ARN', 'ZZ01'],
      airline: ['SAS', null],
      aircraft: [null, 'Airbus A320neo'],
      registration: [null, 'OY-KAL'],
    },
  )
  assert.deepEqual(changed({ airline: { id: 6, name: 'SAS' } }), { airline: ['SAS', 'SAS'] })
})

test('times are shown as local times with the days after the date', () => {
  assert.deepEqual(
    changed({ departure: '2026-03-01T21:50:00+01:00', arrival: '2026-03-01T23:55:00+01:00', duration: 7500 }),
    { departureTime: ['22:20', '21:50'], arrivalTime: ['01:05+1', '23:55'] },
  )
  assert.deepEqual(changed({ departure: null, arrival: null, duration: null }), {
    departureTime: ['22:20', null],
    arrivalTime: ['01:05+1', null],
  })
})

test('a flight moved to another day shows only its date', () => {
  const moved = { departure: '2026-03-05T22:20:00+01:00', arrival: '2026-03-06T01:05:00+01:00' }
  assert.deepEqual(changed({ date: '2026-03-05', ...moved }), { date: ['2026-03-01', '2026-03-05'] })
})

test('seconds and zones that local times hide are shown in full', () => {
  assert.deepEqual(changed({ departure: '2026-03-01T22:20:30+01:00', duration: 9870 }), {
    departureTime: ['2026-03-01T22:20:00+01:00', '2026-03-01T22:20:30+01:00'],
  })
})

test('a duration is shown if it does not follow from the times', () => {
  assert.deepEqual(changed({ duration: 9000 }), { duration: [9900, 9000] })
})

test('a month or a year is written as such', () => {
  const month = changed({ date: '2026-03-01', datePrecision: 'month' })
  assert.deepEqual(month, { date: ['2026-03-01', '2026-03'] })
  assert.deepEqual(changed({ date: '2026-01-01', datePrecision: 'year' })['date'], ['2026-03-01', '2026'])
})

test('the user’s own seat is separate from the other people', () => {
  const passengers = [
    passenger(1, { user: ada, seatNumber: '12A', flightReason: 'business' }),
    passenger(2, { guestName: 'Bo', seatClass: 'economy' }),
    passenger(3, { guestName: 'Cy' }),
  ]
  assert.deepEqual(changed({ passengers }), {
    seatNumber: [null, '12A'],
    reason: [null, 'business'],
    people: [[{ name: 'Bo' }], [{ name: 'Bo', seatClass: 'economy' }, { name: 'Cy' }]],
  })
  assert.deepEqual(changed({ passengers: [passenger(2, { guestName: 'Bo' })] }), {
    people: [[{ name: 'Ada Byron' }], []],
  })
  assert.deepEqual(changed({ passengers }, 'eve')['people'], [
    [{ name: 'Ada Byron' }, { name: 'Bo' }],
    [
      { name: 'Ada Byron', seatNumber: '12A', reason: 'business' },
      { name: 'Bo', seatClass: 'economy' },
      { name: 'Cy' },
    ],
  ])
})

test('only custom fields and external ids that differ are shown', () => {
  assert.deepEqual(changed({ customFields: { meal: 'fish', rating: 5 }, externalIds: { app: 'x1' } }), {
    customFields: [{ rating: 4 }, { rating: 5 }],
    externalIds: [{ app: null }, { app: 'x1' }],
  })
  const mine = passenger(1, { user: ada, customFields: { miles: 400 } })
  assert.deepEqual(changed({ passengers: [mine, passenger(2, { guestName: 'Bo' })] }), {
    passengerFields: [{ miles: null }, { miles: 400 }],
  })
})

test('a price has its currency, and a track is shown as its number of points', () => {
  const track = { pointCount: 12, updatedAt: '2026-03-02T00:00:00.000Z' }
  assert.deepEqual(changed({ price: { amount: '120.00', currency: 'EUR' }, track, note: 'Late' }), {
    note: [null, 'Late'],
    price: [null, '120.00 EUR'],
    track: [null, 12],
  })
  const other = { ...flight, track: { ...track, updatedAt: '2026-03-03T00:00:00.000Z' } }
  assert.deepEqual(differences({ ...flight, track }, other), { track: [12, 12] })
})
