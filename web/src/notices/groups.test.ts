import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AddedNotice } from '../api/types.ts'
import { entriesOf } from './groups.ts'

const notice = (id: number, by: string, state: AddedNotice['data']['state'] = 'open'): AddedNotice => ({
  id,
  kind: 'flight.added',
  at: '2026-06-15T12:00:00.000Z',
  readAt: null,
  data: {
    flightId: id,
    date: '2026-02-20',
    datePrecision: 'day',
    from: 'CPH',
    to: 'EWR',
    flightNumber: null,
    addedBy: { id: by, displayName: by },
    importId: null,
    more: 0,
    state,
  },
})
const shape = (notices: AddedNotice[]) =>
  entriesOf(notices).map((entry) => ('one' in entry ? entry.one.id : entry.many.map(({ id }) => id)))

test('a few notices stay separate, many in a row by one person are grouped', () => {
  assert.deepEqual(shape([]), [])
  assert.deepEqual(shape([3, 2, 1].map((id) => notice(id, 'bob'))), [3, 2, 1])
  assert.deepEqual(shape([4, 3, 2, 1].map((id) => notice(id, 'bob'))), [[4, 3, 2, 1]])
})

test('other people and decided notices end a group', () => {
  const list = [
    ...[9, 8, 7, 6].map((id) => notice(id, 'bob')),
    notice(5, 'carol'),
    notice(4, 'bob', 'kept'),
    ...[3, 2, 1].map((id) => notice(id, 'bob')),
  ]
  assert.deepEqual(shape(list), [[9, 8, 7, 6], 5, 4, 3, 2, 1])
  assert.deepEqual(
    shape([4, 3, 2, 1].map((id) => notice(id, 'bob', 'left'))),
    [4, 3, 2, 1],
    'nothing is left to decide about these',
  )
})
