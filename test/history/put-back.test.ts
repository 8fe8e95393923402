// What an undo restores and what stays: both undos use this decision.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nothingKnown } from '../../server/domain/flights/fields.ts'
import type { FlightEdit, KeptPassenger } from '../../server/domain/history/edits.ts'
import type { StateNow } from '../../server/domain/history/parts.ts'
import { putBack } from '../../server/domain/history/put-back.ts'

const ada: KeptPassenger = {
  id: 1,
  userId: 'ada',
  guestName: null,
  seat: null,
  seatNumber: '11A',
  seatClass: null,
  flightReason: null,
  customFields: {},
  addedBy: null,
  keptAt: null,
}
const bob: KeptPassenger = { ...ada, id: 2, userId: 'bob', seatNumber: '11B' }
const [ten, eleven, noon] = ['10', '11', '12'].map((hour) => `2001-01-01T${hour}:00:00+00:00`) as [
  string,
  string,
  string,
]

const flight = (more: object = {}) =>
  ({
    ...nothingKnown,
    date: '2001-01-01',
    datePrecision: 'day',
    passengers: [ada],
    customFields: {},
    track: null,
    ids: {},
    ...more,
  }) as unknown as StateNow

test('values unchanged since the edit are restored, others stay', () => {
  const edit: FlightEdit = {
    fields: { note: [null, 'a'], aircraftReg: ['OY-X', 'OY-Y'], flightNumber: ['A', 'B'] },
  }
  const { fields, left, changed, parts } = putBack(
    edit,
    flight({ note: 'a', aircraftReg: 'OY-Z', flightNumber: 'A' }),
  )
  assert.deepEqual(fields, { note: null })
  assert.deepEqual([left, changed.map(({ name }) => name)], [['aircraftReg'], ['aircraftReg']])
  assert.deepEqual(
    parts.map(({ name }) => name),
    ['note', 'aircraftReg'],
    'an unchanged value is not part of it',
  )
})

test('a part can be blocked even if its value is unchanged', () => {
  const edit: FlightEdit = { fields: { note: [null, 'a'], aircraftReg: [null, 'b'] } }
  const { free, left } = putBack(edit, flight({ note: 'a', aircraftReg: 'b' }), ({ name }) => name === 'note')
  assert.deepEqual([free, left], [{ fields: { aircraftReg: [null, 'b'] } }, ['note']])
})

test('times stay with a date that was changed since', () => {
  const edit: FlightEdit = {
    fields: { date: ['2001-01-02', '2001-01-01'], departure: [null, ten], note: [null, 'a'] },
  }
  const { fields, left } = putBack(edit, flight({ date: '2001-01-03', departure: ten, note: 'a' }))
  assert.deepEqual([fields, left], [{ note: null }, ['date', 'departure']])
})

test('a duration follows from the times that stay', () => {
  const edit: FlightEdit = { fields: { departure: [ten, eleven], duration: [7200, 3600] } }
  const asWritten = flight({ departure: eleven, arrival: noon, duration: 3600 })
  assert.deepEqual(putBack(edit, asWritten).fields, { departure: ten, duration: 7200 })
  const later = flight({ departure: eleven, arrival: '2001-01-01T13:00:00+00:00', duration: 7200 })
  assert.deepEqual(putBack(edit, later).fields, { departure: ten, duration: 10_800 })
  const open = flight({ departure: eleven, arrival: null, duration: null })
  assert.deepEqual(putBack(edit, open).fields, { departure: ten, duration: null })
  const stated = flight({ departure: eleven, arrival: noon, duration: 5000 })
  assert.deepEqual(putBack(edit, stated).fields, { departure: ten }, 'a stated one stays')
})

test('a stated duration is restored exactly', () => {
  const edit: FlightEdit = { fields: { departure: [ten, eleven], duration: [5000, 3600] } }
  const { fields } = putBack(edit, flight({ departure: eleven, arrival: noon, duration: 3600 }))
  assert.deepEqual(fields, { departure: ten, duration: 5000 })
})

test('only changed values of a person are restored; added people are removed, and removed ones return', () => {
  const seated = { ...ada, seatNumber: '12C', seatClass: 'first' } as KeptPassenger
  const seat: FlightEdit = { passengers: [[ada, { ...ada, seatNumber: '12C' }]] }
  assert.deepEqual(putBack(seat, flight({ passengers: [seated, bob] })).passengers, [
    { ...seated, seatNumber: '11A' },
    bob,
  ])
  assert.deepEqual(putBack(seat, flight({ passengers: [bob] })).left, ['people:ada:seatNumber'])
  const came: FlightEdit = { passengers: [[null, bob]] }
  assert.deepEqual(putBack(came, flight({ passengers: [ada, bob] })).passengers, [ada])
  const gone: FlightEdit = { passengers: [[bob, null]] }
  assert.deepEqual(putBack(gone, flight()).passengers, [ada, bob])
  assert.deepEqual(putBack({}, flight()).passengers, [ada])
})

test('an external id that was removed from the flight since stays removed', () => {
  const edit: FlightEdit = { externalIds: { ada: { fr24: [null, 'x'] } } }
  assert.deepEqual(putBack(edit, flight({ ids: { ada: { fr24: 'x' } } })).free, edit)
  assert.deepEqual(putBack(edit, flight({ ids: { ada: { fr24: 'y' } } })).left, ['externalIds:ada:fr24'])
  assert.deepEqual(putBack(edit, flight()).parts, [])
})
