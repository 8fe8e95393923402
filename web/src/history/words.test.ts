// Changes as text, in the person's language and formats.
import '../testing/svelte-modules.ts'
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { HistoryEntry } from '../api/history.ts'
import type { CustomField } from '../api/types.ts'

const { setLocale } = await import('../i18n/i18n.svelte.ts')
const { withTexts } = await import('../i18n/i18n.svelte.ts')
const { authorOf, byDay, dayName, flightOf, linesOf, meansIn, meansOf, peopleLines, writtenTime } =
  await import('./words.ts')
const { formatKnownDate } = await import('../lib/format.ts')
const { momentOf } = await import('./spans.ts')
const { lastOwn, outcomeOf } = await import('./undo.svelte.ts')

before(async () => {
  await withTexts('history', async () => null)
  await setLocale('en')
})

const entry = (given: Partial<HistoryEntry>): HistoryEntry => ({
  changeId: 1,
  at: '2026-06-15T12:00:00.000Z',
  kind: 'changed',
  flight: { id: 7, date: '2019-08', from: 'CPH', to: null, flightNumber: null },
  by: { userId: 'ada', name: 'Ada', via: 'web', app: null, importId: null, isThisCredential: false },
  canUndo: true,
  undoneBy: null,
  ...given,
})

test('changes are under the day on which they were made, each day once', () => {
  const at = (...time: [number, number, number, number]) => ({
    entry: entry({ at: new Date(...time).toISOString() }),
  })
  const found = byDay([at(2026, 5, 15, 23), at(2026, 5, 15, 0), at(2026, 5, 14, 12), at(2026, 4, 1, 8)])
  assert.deepEqual(
    found.map(({ day, changes }) => [dayName(day, '2026-06-15'), changes.length]),
    [
      ['Today', 2],
      ['Yesterday', 1],
      ['1 May 2026', 1],
    ],
  )
  assert.deepEqual(byDay([]), [])
})

test('a date is written as far as it is known', () => {
  assert.deepEqual(['2019', '2019-08', '2019-08-03'].map(formatKnownDate), [
    '2019',
    'August 2019',
    '3 Aug 2019',
  ])
  assert.equal(flightOf(entry({})), 'CPH → ???, August 2019')
})

test('a time is written with its days, and whole where only that shows the difference', () => {
  assert.equal(writtenTime('07:50'), '07:50')
  assert.equal(writtenTime('00:20+1'), '00:20 +1')
  assert.equal(writtenTime('23:50-1'), '23:50 −1')
  assert.equal(writtenTime('2026-02-20T09:05:30+05:30'), '20 Feb 2026, 09:05 (UTC+5:30)')
  assert.equal(writtenTime('2026-02-20T09:05:00Z'), '20 Feb 2026, 09:05 (UTC)')
  assert.equal(writtenTime('noon'), 'noon')
})

test('every kind of value is written as the form shows it', async () => {
  const changed: HistoryEntry['changed'] = {
    date: ['2019-08', '2019-08-03'],
    from: ['CPH', 'OSL'],
    departureTime: [null, '07:50'],
    takeoffActual: [null, '2026-02-20T09:05:00Z'],
    duration: [7500, null],
    price: [null, '120.50 EUR'],
    seat: ['window', 'aisle'],
    seatClass: [null, 'economy+'],
    reason: ['leisure', 'business'],
    outcome: ['flown', 'cancelled'],
    track: [null, 2],
    note: ['', `Late ${'again '.repeat(40)}`],
    somethingNew: [1, 2],
  }
  const lines = await linesOf(entry({ changed }), [])
  assert.deepEqual(
    lines.map(({ label, before, after }) => `${label}: ${before} > ${after}`),
    [
      'Date: August 2019 > 3 Aug 2019',
      'From: CPH > OSL',
      'Departure time:  > 07:50',
      'Actual take-off:  > 20 Feb 2026, 09:05 (UTC)',
      'Duration: 2\u00a0h\u00a005\u00a0min > ',
      'Price:  > €120.50',
      'Seat: Window > Aisle',
      'Class:  > Premium economy',
      'Reason: Leisure > Business',
      'Outcome: Flown > Cancelled',
      'Recorded track:  > 2 points',
      `Note:  > Late ${'again '.repeat(19)}a…`,
      'somethingNew: 1 > 2',
    ],
  )
})

test('custom fields have their labels, and unknown ones their keys', async () => {
  const meal = { key: 'meal', label: 'Meal', entityType: 'flight', fieldType: 'text' } as CustomField
  const changed: HistoryEntry['changed'] = {
    customFields: [
      { meal: 'Fish', gone: null },
      { meal: null, gone: true },
    ],
    passengerFields: [{ meal: null }, { meal: 'Rice' }],
  }
  const lines = await linesOf(entry({ changed }), [meal])
  assert.deepEqual(lines, [
    { label: 'Meal', before: 'Fish', after: '' },
    { label: 'gone', before: '', after: 'true' },
    { label: 'meal', before: '', after: 'Rice' },
  ])
})

test('people who came, left or have another seat have a line each', () => {
  const lines = peopleLines(
    [{ name: 'Grace', seatNumber: '12A' }, { name: 'Joan' }],
    [{ name: 'Grace', seatNumber: '12B', seatClass: 'business' }, { name: 'Bob' }],
  )
  assert.deepEqual(lines, [
    { label: 'Grace', before: '12A', after: 'Business · 12B' },
    { label: 'Joan', before: 'On this flight', after: 'Not on this flight' },
    { label: 'Bob', before: 'Not on this flight', after: 'On this flight' },
  ])
})

test('who did it, and with what', () => {
  const by = entry({}).by
  const key = entry({ by: { ...by, via: 'key', app: 'Home Assistant' } })
  const app = entry({ by: { ...by, via: 'app', app: 'Claude' } })
  const system = entry({ by: { ...by, userId: null, name: null, via: 'system' } })
  assert.deepEqual([key, app, entry({}), system].map(meansOf), [
    'Home Assistant (API key)',
    'Claude',
    'Web app',
    '',
  ])
  assert.deepEqual([authorOf(key), authorOf(system)], ['Ada', ''])
  const labels = meansIn([entry({}), key, app, key]).map(({ label }) => label)
  assert.deepEqual(labels, ['Claude', 'Home Assistant (API key)', 'Web app'])
})

test('the Undo of a message finds the last own change of each flight in this app', () => {
  const by = entry({}).by
  const of = (id: number) => ({ ...entry({}).flight, id })
  const entries = [
    entry({ changeId: 9, flight: of(7), by: { ...by, userId: 'bob' } }),
    entry({ changeId: 8, flight: of(7), by: { ...by, via: 'key', app: 'Sync' } }),
    entry({ changeId: 10, flight: of(8), canUndo: false, undoneBy: 11 }),
    entry({ changeId: 7, flight: of(7) }),
    entry({ changeId: 6, flight: of(8) }),
    entry({ changeId: 5, flight: of(7) }),
    entry({ changeId: 4, flight: of(9) }),
  ]
  assert.deepEqual(lastOwn(entries, [7, 8], 'ada'), [7, 6])
  // A later message has its own Undo.
  const [newer, older] = ['2026-03-01T10:00:00.500Z', '2026-03-01T10:00:00.000Z']
  const twice = [
    entry({ changeId: 7, flight: of(7), at: newer }),
    entry({ changeId: 5, flight: of(7), at: older }),
  ]
  assert.deepEqual(lastOwn(twice, [7], 'ada', older), [5])
  assert.deepEqual(lastOwn(twice, [7], 'ada', newer), [7])
})

test('today begins at midnight, the other spans end now', () => {
  const now = Date.parse('2026-06-15T12:34:56.000Z')
  assert.equal(momentOf('hour', now), '2026-06-15T11:34:56.000Z')
  assert.equal(momentOf('day', now), '2026-06-14T12:34:56.000Z')
  assert.equal(momentOf('week', now), '2026-06-08T12:34:56.000Z')
  const midnight = new Date(momentOf('today', now))
  assert.deepEqual([midnight.getHours(), midnight.getMinutes(), midnight.getSeconds()], [0, 0, 0])
  assert.ok(now - midnight.getTime() < 24 * 3_600_000 && midnight.getTime() <= now)
})

test('an undo says what it left of a change, and why it left one', () => {
  const flight = { id: 7, date: '2019-08', from: 'CPH', to: null, flightNumber: null }
  const result = { changeId: 1, flightId: 7, flight, action: 'put_back' } as const
  assert.equal(outcomeOf(result, 'done'), 'Change undone')
  const partly = { ...result, leftFields: ['note', 'seatNumber', 'customFields'] }
  const fields = 'Note, Seat number, Custom fields'
  assert.equal(outcomeOf(partly, 'done'), `Change undone, except for fields changed again since: ${fields}`)
  assert.match(outcomeOf(partly, 'will'), /earlier values will be restored, except .*: Note/)
  const left = { ...result, action: 'left', reason: 'in_bin', message: 'In English' } as const
  assert.equal(outcomeOf(left, 'will'), 'The flight was deleted. Restore it first, in Recently deleted.')
})
