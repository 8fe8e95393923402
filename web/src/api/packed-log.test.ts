// A packed log has the same flights as the log it was made from.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CompactFlight, type Flight, flightsOf, flightWith, type LogPayload } from './flights-of-log.ts'
import { buffersOf, packLog, unpackLog } from './packed-log.ts'

const NOW = Date.parse('2026-06-01T00:00Z')

const flight = (id: number, date: string, more: Partial<CompactFlight> = {}): CompactFlight => ({
  id,
  version: 1,
  date,
  datePrecision: 'day',
  from: 1,
  to: 2,
  airline: 7,
  aircraft: null,
  flightNumber: `ZZ ${id} ✈`,
  aircraftReg: null,
  departure: `${date}T08:15:00+01:00`,
  arrival: null,
  departureLocal: `${date}T08:15`,
  arrivalLocal: null,
  departureOffset: 60,
  arrivalOffset: null,
  dayShift: null,
  duration: 5400,
  durationEstimated: false,
  distanceKm: 1234.5,
  completesAt: null,
  note: false,
  track: false,
  passengers: [
    { id, user: 'ada', guest: null, seat: 'window', seatNumber: '1A', seatClass: null, reason: null },
  ],
  ...more,
})

const log: LogPayload = {
  of: 'ada',
  partial: false,
  token: 't',
  removed: [],
  flights: [
    flight(1, '2020-01-01', { outcome: 'flown', departure: null }),
    flight(2, '2024-05-05', { outcome: 'cancelled', track: true, importId: 3, arrivalDelay: -4 }),
    flight(3, '2024-05-05', { outcome: 'diverted', plannedTo: 2, departure: '2024-05-05T23:00:00Z' }),
    flight(4, '2027-01-01', { completesAt: NOW + 1, distanceKm: null, from: null, to: null }),
    // An id that needs more than 32 bits.
    flight(5_000_000_005, '2020-01-01', {
      track: true,
      bookingReference: 'ABC123',
      operatingFlightNumber: 'YY1',
    }),
  ],
  airports: { 1: { id: 1, country: 'DK' }, 2: { id: 2, country: 'US' } } as unknown as LogPayload['airports'],
  airlines: { 7: { id: 7, name: 'Zed' } } as unknown as LogPayload['airlines'],
  aircraft: {},
  users: {},
}

/** As it is sent from the worker to the page, and stored in the browser's database. */
const sent = () => {
  const packed = packLog(log)
  return unpackLog(structuredClone(packed, { transfer: buffersOf(packed) as ArrayBuffer[] }))
}

test('every field of every flight is the same, in the same order', () => {
  const [plain, packed] = [flightsOf(log, NOW), flightsOf(sent(), NOW)]
  assert.deepEqual(
    packed.map(({ id }) => id),
    [4, 3, 2, 5_000_000_005, 1],
  )
  const fields = new Set(plain.flatMap((one) => Object.keys(one))) as Set<keyof Flight>
  assert.ok(fields.size > 30)
  for (const [i, one] of plain.entries())
    for (const field of fields) assert.deepEqual(packed[i]![field], one[field], `${field} of ${one.id}`)
})

test('its rows are those of the log, and of a log that changed', () => {
  const rows = sent().flights
  for (const one of log.flights) {
    const row = rows.find(({ id }) => id === one.id)!
    for (const field of Object.keys(one) as (keyof CompactFlight)[])
      assert.deepEqual(row[field], one[field], `${field} of ${one.id}`)
  }
  assert.deepEqual(flightsOf({ ...sent(), flights: [...rows, flight(9, '2026-01-01')] }, NOW)[1]?.id, 9)
})

test('a flight with other values keeps the rest', () => {
  for (const from of [log, sent()]) {
    const [first] = flightsOf(from, NOW)
    const other = flightWith(first!, { duration: 60, reason: 'night' })
    assert.deepEqual(
      [other.duration, other.reason, other.id, other.flightNumber, first!.duration],
      [60, 'night', 4, 'ZZ 4 ✈', 5400],
    )
  }
})
