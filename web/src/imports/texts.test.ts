// Questions and rows of an import in words.
import '../testing/svelte-modules.ts'
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { imports } from '../i18n/en/imports.ts'
import type { ImportMapping, ImportQuestion, ImportRow } from './types.ts'

const { setLocale, withTexts } = await import('../i18n/i18n.svelte.ts')
const { answerText, choiceText, codeText, exampleText, lineOf, questionText, warningText } = await import(
  './texts.ts'
)

before(async () => {
  await withTexts('imports', async () => null)
  await setLocale('en')
})

/** As the server asks it: the value is a name for all dates of the file, the example is in the choices. */
const dates: ImportQuestion = {
  kind: 'date_ambiguous',
  value: 'date',
  rows: 2,
  rowNumbers: [1, 2],
  example: null,
  choices: [
    { id: 'dmy', label: 'Day first', detail: '03/04/2019', reason: null },
    { id: 'mdy', label: 'Month first', detail: '03/04/2019', reason: null },
  ],
  answer: null,
  preselected: false,
}
const mapping = {
  columns: [
    { index: 0, heading: 'From', field: 'from', examples: ['LHR'] },
    { index: 1, heading: 'Flown on', field: 'date', examples: ['03/04/2019', '05/06/2019'] },
  ],
} as unknown as ImportMapping

test('which day a date is: with an example, and the column where the file has one', () => {
  assert.equal(questionText(dates), 'Which day is 03/04/2019?')
  assert.equal(questionText(dates, mapping), 'Which day is 03/04/2019 in the column “Flown on”?')
  assert.deepEqual(
    dates.choices.map((choice) => choiceText(dates, choice)),
    [
      { code: '', label: '3 April', detail: 'Day first' },
      { code: '', label: '4 March', detail: 'Month first' },
    ],
  )
  const answered = {
    ...dates,
    answer: { kind: 'date_ambiguous', value: 'date', id: 'dmy' },
  } as ImportQuestion
  assert.equal(answerText(answered), '03/04/2019 is 3 April')
  // A remembered answer has no choices.
  assert.equal(questionText({ kind: 'date_ambiguous', value: 'date' }), imports['imports.ask.dateOrder'])
})

test('an empty cell is not called something that is not a date', () => {
  const row = { code: 'bad_date', warnings: [], of: null, raw: ['LHR', ''] } as unknown as ImportRow
  assert.equal(
    codeText({ ...row, raw: ['LHR', 'soon'] }, mapping),
    'This is not a date: soon. Correct it to import the row.',
  )
  assert.equal(codeText(row, mapping), imports['imports.code.no_date'])
})

test('the year of passes, and a flight in a text', () => {
  const years: ImportQuestion = {
    ...dates,
    kind: 'year_assumed',
    value: 'passes',
    rows: 2,
    choices: [
      { id: '2026', label: '2026', detail: '2026-05-01', reason: null },
      { id: '2025', label: '2025', detail: '2025-05-01', reason: null },
    ],
    answer: null,
  }
  assert.equal(questionText(years), 'Which year are these boarding passes from?')
  assert.deepEqual(
    years.choices.map((choice) => choiceText(years, choice)),
    [
      { code: '', label: '2026', detail: '1 May 2026' },
      { code: '', label: '2025', detail: '1 May 2025' },
    ],
  )
  const chosen = { ...years, answer: { kind: 'year_assumed', value: 'passes', id: '2025' } } as ImportQuestion
  assert.equal(answerText(chosen), 'The boarding passes are from 2025')
  const warning = { code: 'year_assumed', field: 'date', message: '', value: '2025-05-01' } as const
  assert.equal(warningText(warning, null), 'No year on the pass; it could also be 1 May 2025')

  const text: ImportQuestion = {
    ...dates,
    kind: 'from_text',
    value: 'SK1416 2026-07-01 CPH → ARN',
    rows: 1,
    choices: [{ id: 'flight', label: 'It is my flight', detail: '', reason: null }],
    answer: null,
  }
  assert.equal(questionText(text), 'Is this your flight? SK1416 2026-07-01 CPH → ARN')
  assert.equal(choiceText(text, text.choices[0]!).label, 'It is my flight')
  const mine = { ...text, answer: { kind: 'from_text', value: text.value, id: 'flight' } } as ImportQuestion
  assert.equal(answerText(mine), 'Your flight: SK1416 2026-07-01 CPH → ARN')
})

const missing: ImportQuestion = {
  ...dates,
  kind: 'missing_airport',
  value: 'LX1268 ? → CPH',
  rows: 7,
  rowNumbers: [100, 104],
  example: {
    row: 100,
    side: 'from',
    date: '2012-01-05',
    datePrecision: 'day',
    flightNumber: 'LX1268',
    from: null,
    to: 'CPH',
  },
  choices: [{ id: 3, label: 'ZRH Zurich', detail: 'Zürich', reason: 'number_in_file' }],
}

test('a question names its rows, its flight and the airport that is missing', () => {
  assert.equal(questionText(missing), 'Which departure airport is missing?')
  assert.match(exampleText(missing), /^Rows 100, 104 … · LX1268 \?–CPH · .*2012$/)
  assert.equal(exampleText(dates), '')
  const [zurich] = missing.choices
  assert.equal(choiceText(missing, zurich!).detail, 'Zürich · Same flight number in this file')
  const far = { ...zurich!, reason: null, km: 951, kmFrom: 'CPH' }
  assert.match(choiceText(missing, far).detail, /^Zürich · 951\skm from CPH$/)
})

test('an aircraft that stays empty is said to', () => {
  const answer = { kind: 'unknown_aircraft', value: 'MD-80', leaveEmpty: true } as const
  const question: ImportQuestion = {
    ...dates,
    kind: 'unknown_aircraft',
    value: 'MD-80',
    answer,
    preselected: true,
  }
  assert.equal(answerText(question), 'MD-80 stays empty')
})

test('the second line says what is missing: times, or more than the route', () => {
  const draft = { date: '2019-05-01', departure: null, arrival: null, passengers: [] }
  const line = (more: object, warnings: object[] = [], remarks = false, verdict = 'new') =>
    lineOf({ verdict, warnings, updates: [], draft: { ...draft, ...more } } as unknown as ImportRow, {
      questions: [],
      mapping: null,
      find: () => undefined,
      remarks,
    }).text
  assert.equal(line({}), 'Date and route only')
  assert.equal(line({ flightNumber: 'SK1' }), 'No times')
  assert.equal(line({ passengers: [{ seatNumber: '12A' }] }), 'No times')
  const warnings = [
    { code: 'aircraft_unknown', field: 'aircraftId', value: 'MD-80', message: '' },
    { code: 'duration_disagrees', field: null, message: '' },
  ]
  const said = 'The duration in the file does not fit the times and 1 more'
  assert.equal(line({}, warnings), said, 'the riskiest one')
  assert.equal(line({}, warnings, true, 'error'), said)
})
