import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ImportMapping, ImportRow } from '../types.ts'
import { badDateOf, piecesOf, shortened } from './raw.ts'

const mapping: ImportMapping = {
  columns: [
    { index: 0, heading: 'Date', field: 'date', examples: [] },
    { index: 1, heading: 'From', field: 'from', examples: [] },
    { index: 2, heading: 'Gate', field: null, examples: [] },
    { index: 3, heading: 'Plane', field: 'aircraft', examples: [] },
  ],
}
type Shown = Parameters<typeof piecesOf>[0]
const row = (change: Partial<Shown>): Shown => ({
  raw: ['2019-03-04', 'CPH', 'B7', 'A320'],
  verdict: 'new',
  code: null,
  warnings: [],
  draft: null,
  ...change,
})
const marks = (given: Shown, of: ImportMapping | null = mapping) =>
  piecesOf(given, of)
    .filter(({ mark }) => mark !== 'between')
    .map(({ text, mark }) => `${text} ${mark}`)

test('what was used is told apart from what was not', () => {
  assert.deepEqual(marks(row({})), ['2019-03-04 used', 'CPH used', 'B7 unused', 'A320 used'])
  assert.deepEqual(marks(row({}), null), ['2019-03-04 used', 'CPH used', 'B7 used', 'A320 used'])
})

test('delimiters of empty cells are one piece, and none is at the end', () => {
  const texts = piecesOf(row({ raw: ['', 'CPH', '', '', 'x', ''] }), mapping).map(({ text }) => text)
  assert.deepEqual(texts, [',', 'CPH', ',,,', 'x', ','])
  assert.equal(texts.join(''), ',CPH,,,x,')
})

test('a warning leaves the cell of its field in doubt, unless it only says how something was found', () => {
  const warning = (code: ImportRow['warnings'][number]['code'], field: string) => [
    { code, field, message: '' },
  ]
  assert.ok(marks(row({ warnings: warning('aircraft_unknown', 'aircraft') })).includes('A320 doubt'))
  assert.ok(marks(row({ warnings: warning('airport_by_name', 'from') })).includes('CPH used'))
})

test('a question marks the cell that it is about', () => {
  const draft = { from: null, to: null } as ImportRow['draft']
  const asked = row({ verdict: 'question', code: 'unknown_airport', draft })
  assert.ok(marks(asked).includes('CPH doubt'))
  assert.ok(marks(row({ verdict: 'question', code: 'date_ambiguous' })).includes('2019-03-04 doubt'))
})

test('a bad date is marked as such; a line without cells is one piece', () => {
  assert.ok(marks(row({ verdict: 'error', code: 'bad_date' })).includes('2019-03-04 bad'))
  assert.deepEqual(marks(row({ raw: 'BEGIN:VEVENT', verdict: 'error' })), ['BEGIN:VEVENT bad'])
  assert.deepEqual(piecesOf(row({ raw: null }), mapping), [])
})

test('of several columns with a day, the bad one is the date; without it, the one that has a text', () => {
  const days: ImportMapping = {
    columns: [
      { index: 0, heading: 'Departure', field: 'departureScheduled', examples: [] },
      { index: 1, heading: 'Date', field: 'date', examples: [] },
    ],
  }
  const bad = (...raw: string[]) => row({ raw, verdict: 'error', code: 'bad_date' })
  assert.deepEqual(marks(bad('2021-07-15T17:35', '2021-07-32'), days), [
    '2021-07-15T17:35 used',
    '2021-07-32 bad',
  ])
  assert.equal(badDateOf(bad('2021-07-15T17:35', '2021-07-32'), days), '2021-07-32')
  assert.equal(badDateOf(bad('soon', ''), days), 'soon')
  assert.equal(badDateOf(bad('soon'), null), 'soon')
  assert.equal(badDateOf(row({ raw: 'BEGIN:VEVENT' }), days), '')
})

test('long lines are cut', () => {
  const pieces = piecesOf(row({ raw: ['a'.repeat(200), 'b'.repeat(200), 'c'] }), null)
  assert.equal(
    shortened(pieces)
      .map(({ text }) => text)
      .join('').length,
    240,
  )
})
