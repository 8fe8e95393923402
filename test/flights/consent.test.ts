// Who has confirmed a flight and who is pending, and that no change leaves only pending people.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  byRight,
  isPending,
  leftAlone,
  type PersonOnFlight,
  peopleOn,
  standingOf,
  withoutPerson,
} from '../../server/domain/flights/consent.ts'

const owner = (userId: string): PersonOnFlight => ({ userId, ...byRight })
const added = (userId: string, addedBy: string): PersonOnFlight => ({ userId, addedBy, keptAt: null })
const kept = (userId: string, addedBy: string): PersonOnFlight => ({
  userId,
  addedBy,
  keptAt: '2026-01-01T00:00:00.000Z',
})

test('consent is pending if another person added the passenger', () => {
  assert.deepEqual([owner('a'), added('b', 'a'), kept('b', 'a')].map(isPending), [false, true, false])
})

test('guests have no consent', () => {
  assert.deepEqual(peopleOn([{ ...added('b', 'a') }, { userId: null, ...byRight }]), [added('b', 'a')])
})

test('a person keeps their consent, and a new one is pending unless it is the caller', () => {
  const before = [owner('a'), kept('b', 'a')]
  const { userId: _, ...standing } = kept('b', 'a')
  assert.deepEqual(standingOf('b', before, 'a'), standing)
  assert.deepEqual(standingOf('a', before, 'b'), byRight)
  assert.deepEqual(standingOf('c', before, 'a'), { addedBy: 'a', keptAt: null })
  assert.deepEqual(standingOf('c', before, 'c'), byRight)
  assert.deepEqual(standingOf(null, before, 'a'), byRight)
})

test('the last confirmed person cannot leave others with a flight that they never kept', () => {
  const [ada, bo, cy] = [owner('ada'), added('bo', 'ada'), added('cy', 'dee')]
  const cases: [string, PersonOnFlight[], PersonOnFlight[], string, boolean][] = [
    ['the last confirmed person goes', [ada, bo], [bo], 'ada', true],
    ['an administrator removes them', [ada, bo], [bo], 'dee', true],
    ['a confirmed person stays', [ada, kept('eve', 'ada'), bo], [kept('eve', 'ada'), bo], 'ada', false],
    ['one who added all others goes, pending', [added('ada', 'dee'), bo], [bo], 'ada', true],
    ['one who added only some of them goes', [added('ada', 'dee'), bo, cy], [bo, cy], 'ada', false],
    ['an administrator who was never on it', [bo, cy], [cy], 'dee', false],
    ['a pending person goes', [cy, added('bo', 'dee')], [cy], 'bo', false],
  ]
  for (const [name, before, after, caller, isLeft] of cases)
    assert.deepEqual(leftAlone(before, after, caller), isLeft ? after : [], name)
})

test('leaving depends on whether another person has kept the flight', () => {
  const [ada, bo] = [owner('ada'), added('bo', 'ada')]
  assert.equal(withoutPerson([ada], 'ada'), 'empty')
  assert.equal(withoutPerson([ada, bo], 'ada'), 'left alone')
  assert.equal(withoutPerson([ada, bo], 'bo'), 'stays')
  assert.equal(withoutPerson([ada, kept('bo', 'ada')], 'ada'), 'stays')
})
