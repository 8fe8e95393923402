// What a change records, two changes as one, and what remains of a change when a person or a custom field is deleted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nothingKnown } from '../../server/domain/flights/fields.ts'
import {
  departuresIn,
  editOf,
  type FlightEdit,
  type KeptPassenger,
  mergedEdits,
  movesIn,
  placesIn,
  withoutFieldInEdit,
  withoutPersonInEdit,
} from '../../server/domain/history/edits.ts'

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
const bob: KeptPassenger = { ...ada, id: 2, userId: 'bob', addedBy: 'ada' }
const eve: KeptPassenger = { ...ada, id: 3, userId: 'eve' }

type State = Parameters<typeof editOf>[0]
const flight = (more: Partial<State> = {}) =>
  ({
    ...nothingKnown,
    date: '2001-01-01',
    datePrecision: 'day',
    passengers: [ada],
    customFields: {},
    ...more,
  }) as State

const track = (pointCount: number) => ({
  pointCount,
  sourceFormat: 'gpx',
  sourceName: null,
  updatedAt: '2001',
})

test('a change has only what differs', () => {
  assert.deepEqual(editOf(flight(), flight({ passengers: [{ ...ada }] })), {})
  assert.deepEqual(editOf(flight(), flight({ note: 'a' })), { fields: { note: [null, 'a'] } })
  assert.deepEqual(editOf(flight(), flight(), { track: [null, track(1)] }), { track: [null, track(1)] })
  const values = { customFields: { 1: ['x'], 2: 1 } }
  const edit = editOf(flight(values), flight({ customFields: { 1: ['x'], 3: 2 } }))
  assert.deepEqual(edit, { customFields: { 2: [1, null], 3: [null, 2] } })
})

test('the times are kept together, even if only one of them differs', () => {
  const { fields = {} } = editOf(flight(), flight({ duration: 60 }))
  assert.deepEqual(fields, {
    date: ['2001-01-01', '2001-01-01'],
    datePrecision: ['day', 'day'],
    departure: [null, null],
    arrival: [null, null],
    duration: [null, 60],
  })
})

test('passengers who stay, leave and join', () => {
  const moved = { ...ada, seatNumber: '12A' }
  const { passengers } = editOf(flight({ passengers: [ada, bob] }), flight({ passengers: [moved, eve] }))
  assert.deepEqual(passengers, [
    [ada, moved],
    [bob, null],
    [null, eve],
  ])
})

test('external ids of people whose ids did not change are not part of a change', () => {
  const idsBefore = { ada: { tripit: '1' }, bob: { tripit: '2' } }
  const idsAfter = { ada: { tripit: '1' }, bob: { tripit: '3' } }
  assert.deepEqual(editOf(flight(), flight(), { idsBefore, idsAfter }), {
    externalIds: { bob: { tripit: ['2', '3'] } },
  })
  assert.deepEqual(editOf(flight(), flight(), { idsBefore, idsAfter: idsBefore }), {})
})

test('two changes become one from the first state to the last', () => {
  const first: FlightEdit = {
    fields: { note: [null, 'a'], aircraftReg: [null, 'OY-X'] },
    customFields: { 1: [1, 2] },
    passengers: [[ada, { ...ada, seatNumber: '12A' }]],
    externalIds: { ada: { tripit: [null, '1'] } },
    track: [null, track(1)],
  }
  const second: FlightEdit = {
    fields: { note: ['a', 'b'] },
    passengers: [
      [{ ...ada, seatNumber: '12A' }, ada],
      [null, bob],
    ],
    externalIds: { ada: { tripit: ['1', '2'] }, bob: { tripit: [null, '3'] } },
    track: [track(1), track(2)],
  }
  assert.deepEqual(mergedEdits(first, second), {
    fields: { note: [null, 'b'], aircraftReg: [null, 'OY-X'] },
    customFields: { 1: [1, 2] },
    passengers: [[null, bob]],
    externalIds: { ada: { tripit: [null, '2'] }, bob: { tripit: [null, '3'] } },
    track: [null, track(2)],
  })
  assert.deepEqual(mergedEdits({}, {}), {})
  assert.deepEqual(mergedEdits({ externalIds: { ada: {} } }, {}), {})
  const recorded: FlightEdit = { track: [null, track(1)] }
  assert.deepEqual(mergedEdits({}, recorded), recorded)
  assert.deepEqual(mergedEdits(recorded, {}), recorded)
})

test('a deleted person disappears from a change, also as the one who added others', () => {
  const edit: FlightEdit = {
    fields: { note: [null, 'a'] },
    passengers: [
      [null, ada],
      [null, bob],
    ],
    externalIds: { ada: { tripit: [null, '1'] }, bob: { tripit: [null, '2'] } },
  }
  assert.deepEqual(withoutPersonInEdit(edit, 'ada'), {
    fields: { note: [null, 'a'] },
    passengers: [[null, { ...bob, addedBy: '' }]],
    externalIds: { bob: { tripit: [null, '2'] } },
  })
  const own: FlightEdit = { passengers: [[ada, eve]], externalIds: { ada: { tripit: [null, '1'] } } }
  assert.deepEqual(withoutPersonInEdit(own, 'ada'), {}, 'a place that passed to another person goes too')
})

test('a deleted custom field disappears from a change, and passengers who then do not differ', () => {
  const withValue = (passenger: KeptPassenger, values: object) => ({
    ...passenger,
    customFields: { ...values },
  })
  const edit: FlightEdit = {
    customFields: { 1: [null, 'x'], 2: [null, 'y'] },
    passengers: [
      [ada, withValue(ada, { 1: 'x' })],
      [null, withValue(bob, { 1: 'x', 2: 'y' })],
    ],
  }
  assert.deepEqual(withoutFieldInEdit(edit, 1), {
    customFields: { 2: [null, 'y'] },
    passengers: [[null, withValue(bob, { 2: 'y' })]],
  })
  assert.deepEqual(withoutFieldInEdit({ customFields: { 1: [null, 'x'] } }, 1), {})
})

test('whose place on the flight a change touches', () => {
  const guest: KeptPassenger = { ...ada, id: 4, userId: null, guestName: 'Grace' }
  const edit: FlightEdit = {
    passengers: [
      [ada, { ...ada, seatNumber: '12A' }],
      [bob, eve],
      [null, guest],
    ],
  }
  assert.deepEqual([...placesIn(edit)].sort(), ['ada', 'bob', 'eve', 'guest:Grace'])
  assert.deepEqual([...departuresIn(edit)], ['bob'])
  assert.deepEqual([...movesIn(edit)].sort(), ['bob', 'eve', 'guest:Grace'])
})
