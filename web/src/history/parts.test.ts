// What "undo everything since" shows, part by part.
import '../testing/svelte-modules.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HistoryEntry, UndoneChange, UndoResult, undoSince } from '../api/history.ts'

const { readEntries } = await import('../api/history.ts')
const { findPart, rowsOf } = await import('./parts.ts')

const SINCE = '2026-03-01T00:00:00Z'
const change = (
  changeId: number,
  action: UndoneChange['action'],
  more: Partial<UndoneChange> = {},
): UndoneChange => {
  const flight = { id: changeId, date: null, from: null, to: null, flightNumber: null }
  return { changeId, flightId: changeId, flight, action, ...more }
}

/** Returns these parts, each with one change, and records where each request began. */
function server(actions: UndoneChange['action'][]) {
  const asked: (number | null)[] = []
  const look: typeof undoSince = async (_since, { dryRun, before }) => {
    assert.equal(dryRun, true)
    asked.push(before)
    const place = before === null ? 0 : actions.length - before + 1
    const changeId = actions.length - place
    const hasMore = changeId > 1
    const summary: UndoResult['summary'] = { undone: 0, left: 0, hasMore, ...(hasMore && { next: changeId }) }
    return { data: [change(changeId, actions[place]!)], summary, imports: [], changeId: null }
  }
  return { asked, look }
}

test('parts of which everything stays are passed over', async () => {
  const { asked, look } = server(['left', 'left', 'put_back', 'to_bin'])
  const part = await findPart(SINCE, null, () => true, look)
  assert.deepEqual(asked, [null, 4, 3])
  assert.deepEqual([part.before, part.next], [3, 2])
  assert.deepEqual(
    [part.taken, part.left].map((list) => list.map(({ changeId }) => changeId)),
    [[2], [4, 3]],
  )
  const rest = await findPart(SINCE, part.next, () => true, look)
  assert.deepEqual([rest.taken.length, rest.left.length, rest.next], [1, 0, null])
})

test('it ends with the last part, and when it is no longer wanted', async () => {
  const last = server(['left', 'left'])
  const part = await findPart(SINCE, null, () => true, last.look)
  assert.deepEqual([part.taken.length, part.left.length, part.next], [0, 2, null])
  const closed = server(['left', 'left', 'left'])
  await findPart(SINCE, null, () => false, closed.look)
  assert.deepEqual(closed.asked, [null])
})

test('changes of one flight that come to the same are one row', () => {
  const rows = rowsOf([
    change(9, 'put_back', { flightId: 1 }),
    change(8, 'put_back', { flightId: 2 }),
    change(7, 'put_back', { flightId: 1 }),
    change(6, 'to_bin', { flightId: 1 }),
    change(5, 'left', { flightId: 2, reason: 'changed_since' }),
    change(4, 'left', { flightId: 2, reason: 'as_before' }),
  ])
  assert.deepEqual(
    rows.map(({ result, count }) => [result.changeId, count]),
    [
      [9, 2],
      [8, 1],
      [6, 1],
      [5, 1],
      [4, 1],
    ],
  )
})

test('a list that is loaded again is as long as before', async () => {
  const read = async (cursor: string | null) => {
    const first = Number(cursor ?? 0)
    const data = [first, first + 1].map((changeId) => ({ changeId }) as HistoryEntry)
    return { data, page: { nextCursor: first < 6 ? String(first + 2) : null } }
  }
  const lengths = await Promise.all([0, 2, 3, 99].map((atLeast) => readEntries(read, null, atLeast)))
  assert.deepEqual(
    lengths.map(({ entries, next }) => [entries.length, next]),
    [
      [2, '2'],
      [2, '2'],
      [4, '4'],
      [8, null],
    ],
  )
})
