// The rules of the queue: how a change is combined with unsent ones.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Draft } from '../draft/draft.ts'
import {
  afterSent,
  type Change,
  localId,
  type NewWaiting,
  nextOf,
  placed,
  undoOf,
  type Waiting,
  type Write,
  withoutDiscarded,
} from './write.ts'

const draft = (note: string, seat = ''): Draft =>
  ({ texts: { note, seat }, times: {}, customFields: {}, passengers: [] }) as unknown as Draft
const create = (note: string): Write => ({ kind: 'create', draft: draft(note), input: null })
const edit = (id: number, note: string, version = 3, base = 'stored'): Write => ({
  kind: 'edit',
  flight: { id, version },
  base: draft(base),
  draft: draft(note),
})
const remove = (...ids: number[]): Write => ({
  kind: 'delete',
  flights: ids.map((id) => ({ id, version: 3 })),
})

const made = (write: Write, more: Partial<NewWaiting> = {}): NewWaiting => ({
  userId: 'ada',
  key: 'k',
  madeAt: 0,
  name: '',
  date: null,
  write,
  attemptedAt: null,
  problem: null,
  ...more,
})

/** As the browser stores it: a change without a number gets the next one. */
function applied(list: readonly Waiting[], { put, remove: gone }: Change): Waiting[] {
  const next = new Map(list.filter(({ seq }) => !gone.includes(seq)).map((one) => [one.seq, one]))
  let last = Math.max(0, ...list.map(({ seq }) => seq))
  for (const one of put) {
    const seq = 'seq' in one ? one.seq : ++last
    next.set(seq, { ...one, seq })
  }
  return [...next.values()].sort((a, b) => a.seq - b.seq)
}
const queueOf = (...writes: NewWaiting[]): Waiting[] =>
  writes.reduce<Waiting[]>((list, one) => applied(list, placed(list, one, 0)), [])

const shapes = (list: readonly Waiting[]) =>
  list.map(({ write }) =>
    'flights' in write
      ? [write.kind, ...write.flights.map(({ id, version }) => `${id}v${version}`)]
      : [
          write.kind,
          ...(write.kind === 'edit'
            ? [`${write.flight.id}v${write.flight.version}`, write.base.texts.note]
            : []),
          write.draft.texts.note,
        ],
  )

test('a change of what was not sent becomes part of it', () => {
  assert.deepEqual(shapes(queueOf(made(create('a')), made(edit(-1, 'b', 0, 'a')))), [['create', 'b']])
  assert.deepEqual(shapes(queueOf(made(edit(7, 'a')), made(edit(7, 'b', 3, 'a')))), [
    ['edit', '7v3', 'stored', 'b'],
  ])
  assert.deepEqual(
    shapes(queueOf(made(edit(7, 'a')), made(edit(7, 'chosen', 4, 'theirs')))),
    [['edit', '7v4', 'theirs', 'chosen']],
    'unless it was compared with a newer version since',
  )
})

test('a form that did not show the change before keeps what only that one changed', () => {
  const later = made({
    ...(edit(7, 'stored') as Extract<Write, { kind: 'edit' }>),
    draft: draft('stored', '12A'),
  })
  for (const shownAt of [undefined, 1]) {
    const list = queueOf(made(edit(7, 'a')))
    const [one, ...others] = applied(list, placed(list, later, shownAt))
    assert.deepEqual([shapes([one!]), others], [[['edit', '7v3', 'stored', 'a']], []])
    const { texts } = (one!.write as Extract<Write, { kind: 'edit' }>).draft
    assert.equal((texts as unknown as { seat: string }).seat, '12A')
  }
  const created = queueOf(made(create('a')))
  const both = applied(created, placed(created, made(edit(-1, 'b', 0, 'before')), undefined))
  assert.deepEqual(shapes(both), [['create', 'b']], 'of two that changed the same, the later one')
})

test('after a request whose response is not known, a change waits behind', () => {
  const tried = { attemptedAt: 1 }
  const list = queueOf(made(create('a'), tried), made(edit(-1, 'b', 0, 'a')))
  assert.deepEqual(shapes(list), [
    ['create', 'a'],
    ['edit', '-1v0', 'a', 'b'],
  ])
  const sent = applied(list, afterSent(list, list[0]!, { id: 90, version: 1 }))
  assert.deepEqual(shapes(sent), [['edit', '90v1', 'a', 'b']])
})

test('a flight that is deleted takes along what was not sent', () => {
  assert.deepEqual(queueOf(made(create('a')), made(remove(-1))), [])
  assert.deepEqual(shapes(queueOf(made(edit(7, 'a')), made(remove(7, 8)))), [['delete', '7v3', '8v3']])
  const list = queueOf(made(edit(7, 'a'), { attemptedAt: 1 }), made(remove(7)))
  assert.deepEqual(shapes(applied(list, afterSent(list, list[0]!, { id: 7, version: 4 }))), [
    ['delete', '7v4'],
  ])
})

test('they are sent in order; a change that waits for the person holds back those of its flight', () => {
  const list = queueOf(made(edit(7, 'a'), { attemptedAt: 1 }), made(edit(7, 'b')), made(edit(8, 'c')))
  assert.equal(nextOf(list)?.seq, 1)
  const asking = list.map((one) => (one.seq === 1 ? { ...one, problem: { is: 'changed' } as const } : one))
  assert.equal(nextOf(asking)?.seq, 3)
  assert.equal(nextOf(asking.slice(0, 2)), undefined)
})

test('a new flight that is discarded takes along what was built on it', () => {
  const list = queueOf(made(create('a'), { attemptedAt: 1 }), made(edit(-1, 'b')), made(edit(8, 'c')))
  assert.deepEqual(shapes(applied(list, withoutDiscarded(list, list[0]!))), [['edit', '8v3', 'stored', 'c']])
  assert.deepEqual(shapes(applied(list, withoutDiscarded(list, list[1]!))).length, 2)
  assert.equal(localId(list[0]!), -1)
})

test('an edit that is discarded is no longer part of the next one', () => {
  const next: Write = {
    kind: 'edit',
    flight: { id: 7, version: 3 },
    base: draft('a'),
    draft: draft('a', '12A'),
  }
  const list = queueOf(made(edit(7, 'a'), { attemptedAt: 1 }), made(next))
  const left = applied(list, withoutDiscarded(list, list[0]!))
  assert.deepEqual(shapes(left), [['edit', '7v3', 'stored', 'stored']])
  const [{ write }] = left as [Waiting]
  assert.equal(write.kind === 'edit' && (write.draft.texts as unknown as { seat: string }).seat, '12A')
})

test('a deletion of several goes on without a new flight that is discarded', () => {
  const list = queueOf(made(create('a'), { attemptedAt: 1 }), made(remove(-1, 8)), made(remove(-1)))
  assert.deepEqual(shapes(applied(list, withoutDiscarded(list, list[0]!))), [['delete', '8v3']])
})

test('undone before any request, nothing is left of a change; after one, the opposite is sent', () => {
  const back = (write: Write, attemptedAt: number | null) => {
    const list = queueOf(made(write, { attemptedAt }))
    return shapes(applied(list, undoOf(list[0]!, { key: 'k2', madeAt: 1 })))
  }
  for (const write of [create('a'), edit(7, 'a'), remove(7)]) assert.deepEqual(back(write, null), [])
  assert.deepEqual(back(remove(7, 8), 1), [['restore', '7v3', '8v3']])
  assert.deepEqual(back(edit(7, 'a'), 1), [['edit', '7v3', 'a', 'stored']])
  assert.deepEqual(back(create('a'), 1), [
    ['create', 'a'],
    ['delete', '-1v0'],
  ])
})
