// When backups are due, and how long a deleted flight can be restored.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { binnedAfter, daysLeft, expiryOf, FLIGHTS_PER_REQUEST } from '../../server/domain/flights/bin.ts'
import { planBackups } from '../../server/domain/instance/backup-plan.ts'
import {
  PASSWORD_CHARACTERS_AT_LEAST,
  SLUG_CHARACTERS_AT_MOST,
  TRACK_POINTS_AT_MOST,
} from '../../server/domain/limits.ts'

const hour = 3_600_000
const day = 24 * hour
const now = Date.parse('2026-06-01T12:00:00Z')

test('the next backup is due one period after the last, or immediately', () => {
  const plan = (made: number[], lastFailure?: number, everyMs = day) =>
    planBackups({ everyMs, made, lastFailure, now })
  assert.deepEqual(plan([]), { lastSuccess: undefined, next: now, state: 'waiting' })
  assert.deepEqual(plan([now - hour]), { lastSuccess: now - hour, next: now + day - hour, state: 'ok' })
  assert.equal(plan([now + hour, now - day]).lastSuccess, now + hour, 'a clock may be an hour off')
  assert.equal(plan([now + hour + 1, now - day]).lastSuccess, now - day, 'made with a wrong clock')
})

test('a backup is overdue after six hours, or one period if shorter', () => {
  const state = (made: number, everyMs: number) =>
    planBackups({ everyMs, made: [made], lastFailure: undefined, now }).state
  assert.equal(state(now - day - 6 * hour, day), 'ok')
  assert.equal(state(now - day - 6 * hour - 1, day), 'overdue')
  assert.equal(state(now - 2 * hour, hour), 'ok')
  assert.equal(state(now - 2 * hour - 1, hour), 'overdue')
})

test('the next attempt is an hour after a failure, or one period if shorter', () => {
  const plan = (lastFailure: number, made: number[], everyMs = day) => {
    const { next, state } = planBackups({ everyMs, made, lastFailure, now })
    return [next - now, state]
  }
  assert.deepEqual(plan(now, []), [hour, 'failed'])
  assert.deepEqual(plan(now, [], hour / 2), [hour / 2, 'failed'])
  assert.deepEqual(plan(now - 1, [now - 2 * day]), [hour - 1, 'failed'])
  assert.deepEqual(plan(now - 1, [now - hour]), [day - hour, 'failed'], 'the regular time is later')
  assert.deepEqual(plan(now - hour, [now - hour]), [day - hour, 'ok'], 'made since')
  assert.deepEqual(plan(now - 2 * hour, [now - hour]), [day - hour, 'ok'], 'made since')
  assert.deepEqual(plan(now + 1, []), [0, 'waiting'], 'a failure in the future was noted by a wrong clock')
})

test('a deleted flight stays in the bin for thirty days', () => {
  assert.equal(binnedAfter(now), '2026-05-02T12:00:00.000Z')
  assert.equal(expiryOf('2026-05-02T12:00:00.000Z'), '2026-06-01T12:00:00.000Z')
  const left = (ms: number) => daysLeft(new Date(now + ms).toISOString(), now)
  assert.deepEqual([-day, 0, 1, day, day + 1, 30 * day].map(left), [0, 0, 1, 1, 2, 30])
})

test('published limits have their values', () => {
  assert.deepEqual(
    [FLIGHTS_PER_REQUEST, PASSWORD_CHARACTERS_AT_LEAST, TRACK_POINTS_AT_MOST, SLUG_CHARACTERS_AT_MOST],
    [1000, 8, 100_000, 50],
  )
})
