// Values of custom fields: how they merge, which each type accepts, and which definitions are valid.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  characters,
  faultsOfDefinition,
  knownValues,
  mergeValues,
  problemsWithNames,
  problemsWithValues,
  valuesByKey,
} from '../../server/domain/flights/custom-fields.ts'

type Field = Parameters<typeof problemsWithNames>[0][number]
type Rules = NonNullable<Field['validation']>

const field = (fieldType: string, more: Partial<Field> = {}): Field => ({
  id: 1,
  key: 'one',
  label: 'One',
  fieldType,
  required: false,
  defaultValue: null,
  options: null,
  validation: null,
  active: true,
  ...more,
})
const matches = (pattern: string, text: string) => new RegExp(pattern, 'u').test(text)
const nothings = [undefined, null, '', []]

test('given values replace stored ones by key or id, null deletes, and unset fields get their default', () => {
  const fields = [
    field('text', { id: 1, key: 'a', defaultValue: 'usual' }),
    field('text', { id: 2, key: 'b' }),
  ]
  const merge = (stored: object, given: object) => mergeValues(fields, { ...stored }, { ...given })
  assert.deepEqual(merge({}, {}), { 1: 'usual' })
  assert.deepEqual(merge({ 1: 'x', 2: 'y', 9: 'z' }, {}), { 1: 'x', 2: 'y', 9: 'z' })
  assert.deepEqual(merge({ 1: 'x' }, { a: 'new', 2: 'by id' }), { 1: 'new', 2: 'by id' })
  for (const nothing of nothings) {
    assert.deepEqual(
      merge({ 1: 'x', 2: 'y' }, { a: nothing, 2: nothing }),
      {},
      'deleted, without the default',
    )
    assert.equal(merge({ 1: nothing }, {})[1], 'usual')
  }
  assert.deepEqual(merge({}, { a: false, b: 0 }), { 1: false, 2: 0 })
  assert.deepEqual(merge({}, { a: ['x'] }), { 1: ['x'] })
  for (const nothing of nothings)
    assert.ok(!('1' in mergeValues([field('text', { defaultValue: nothing })], {}, {})))
})

test('a name that is the key of one field and the id of another means the key', () => {
  const fields = [field('text', { id: 1, key: '2' }), field('text', { id: 2, key: 'b' })]
  assert.deepEqual(mergeValues(fields, {}, { 2: 'x' }), { 1: 'x' })
})

test('an unknown field, and an inactive field whose value changes, are refused', () => {
  const fields = [
    field('text', { id: 1, key: 'a' }),
    field('multi-select', { id: 2, key: 'old', label: 'Old', active: false }),
  ]
  const problems = (stored: object, given: object) =>
    problemsWithNames(fields, { ...stored }, { ...given }).map(({ key, problem }) => [key, problem.reason])
  assert.deepEqual(problems({}, { a: 'x', 1: 'x' }), [])
  assert.deepEqual(problems({}, { a: 'x', b: 'y', c: '' }), [
    ['b', 'unknown_custom_field'],
    ['c', 'unknown_custom_field'],
  ])
  const [unknown] = problemsWithNames(fields, {}, { b: 1 })
  assert.deepEqual(unknown?.problem.params, { field: 'b', known: ['a'], mayCreate: false })
  for (const name of ['old', '2']) {
    assert.deepEqual(problems({ 2: ['x'] }, { [name]: ['x'] }), [])
    assert.deepEqual(problems({ 2: ['x'] }, { [name]: ['y'] }), [[name, 'custom_field_inactive']])
    for (const nothing of nothings) {
      assert.deepEqual(problems({ 2: ['x'] }, { [name]: nothing }), [[name, 'custom_field_inactive']])
      assert.deepEqual(problems({ 2: nothing }, { [name]: null }), [])
      assert.deepEqual(problems({ 2: nothing }, { [name]: ['x'] }), [[name, 'custom_field_inactive']])
    }
  }
  const given = { a: 1, 1: 2, old: 3, 2: 4, other: 5 }
  assert.deepEqual(knownValues(fields, given), { a: 1, 1: 2 })
})

test('values are shown by key, for existing fields with a value', () => {
  const fields = [field('text', { id: 1, key: 'a' }), field('text', { id: 2, key: 'b' })]
  assert.deepEqual(valuesByKey(fields, { 1: null, 9: 'gone' }), { a: null })
})

test('each type accepts its own values only', () => {
  const number: Rules = { min: 1, max: 3 }
  const text: Rules = { minLength: 2, maxLength: 3, regex: '^a' }
  const options = ['x', 'y']
  const cases: [string, Partial<Field>, unknown[], [unknown, string][]][] = [
    [
      'text',
      {},
      ['x', 'ä'.repeat(10_000), '😀'.repeat(10_000)],
      [
        [1, 'not_a_text'],
        ['x'.repeat(10_001), 'too_long'],
      ],
    ],
    [
      'textarea',
      { validation: text },
      ['ab', 'abc', 'a😀😀'],
      [
        ['a', 'too_short'],
        ['abcd', 'too_long'],
        ['ba', 'pattern_mismatch'],
      ],
    ],
    [
      'number',
      {},
      [0, -1.5],
      [
        ['1', 'not_a_number'],
        [Number.NaN, 'not_a_number'],
        [Number.POSITIVE_INFINITY, 'not_a_number'],
      ],
    ],
    [
      'number',
      { validation: number },
      [1, 3],
      [
        [0.9, 'too_small'],
        [3.1, 'too_large'],
      ],
    ],
    [
      'boolean',
      {},
      [true, false],
      [
        ['true', 'not_a_boolean'],
        [0, 'not_a_boolean'],
      ],
    ],
    [
      'date',
      {},
      ['2024-02-29'],
      [
        ['2026-02-29', 'not_a_date'],
        [20_260_101, 'not_a_date'],
        [['2024-02-29'], 'not_a_date'],
      ],
    ],
    [
      'select',
      { options },
      ['x'],
      [
        ['z', 'not_an_option'],
        [['x'], 'not_an_option'],
      ],
    ],
    [
      'multi-select',
      { options },
      [['x'], ['x', 'y']],
      [
        ['x', 'not_options'],
        [['z'], 'not_options'],
        [['x', 'y', 'x'], 'not_options'],
        [['x', 1], 'not_options'],
      ],
    ],
    [
      'airport',
      {},
      [1, 2],
      [
        [0, 'not_an_id'],
        [-1, 'not_an_id'],
        [1.5, 'not_an_id'],
        ['1', 'not_an_id'],
      ],
    ],
  ]
  for (const [type, more, good, bad] of cases) {
    const found = (value: unknown) => problemsWithValues([field(type, more)], { 1: value }, matches)[0]
    for (const value of good) assert.equal(found(value), undefined, `${type} ${String(value).slice(0, 9)}`)
    for (const [value, reason] of bad) {
      const { key, label, problem } = found(value)!
      assert.deepEqual(
        [key, label, problem.reason],
        ['one', 'One', reason],
        `${type} ${String(value).slice(0, 9)}`,
      )
    }
    for (const nothing of nothings) {
      assert.equal(found(nothing), undefined)
      const [required] = problemsWithValues(
        [field(type, { ...more, required: true })],
        { 1: nothing },
        matches,
      )
      assert.equal(required?.problem.reason, 'required')
    }
  }
  assert.equal(characters('a😀'), 2)
})

test('refusals name the limit', () => {
  const params = (type: string, validation: Rules, value: unknown) =>
    problemsWithValues([field(type, { validation })], { 1: value }, matches)[0]?.problem.params
  assert.deepEqual(params('number', { min: 2 }, 1), { min: 2 })
  assert.deepEqual(params('number', { max: 2 }, 3), { max: 2 })
  assert.deepEqual(params('text', { minLength: 2 }, 'a'), { min: 2 })
  assert.deepEqual(params('text', { maxLength: 2 }, 'abc'), { max: 2 })
  assert.deepEqual(params('text', {}, 'x'.repeat(10_001)), { max: 10_000 })
})

test('each fault of a definition is refused', () => {
  const faults = (type: string, more: Partial<Field> = {}) =>
    faultsOfDefinition(field(type, more), matches).map(
      ({ path, problem }) => `${path.join('.')}: ${problem.reason}`,
    )
  const refused: [string, Partial<Field>, string[]][] = [
    ['text', { options: ['x'] }, ['options: options_not_for_type']],
    ['select', {}, ['options: options_required']],
    ['multi-select', { options: [] }, ['options: options_required']],
    ['select', { options: ['x', 'x'] }, ['options: option_repeated']],
    ['number', { validation: { regex: 'x' } }, ['validation.regex: rule_not_for_type']],
    ['number', { validation: { minLength: 1 } }, ['validation.minLength: rule_not_for_type']],
    [
      'text',
      { validation: { min: 1, max: 2 } },
      ['validation.min: rule_not_for_type', 'validation.max: rule_not_for_type'],
    ],
    ['boolean', { validation: { max: 1 } }, ['validation.max: rule_not_for_type']],
    ['text', { validation: { minLength: 3, maxLength: 2 } }, ['validation.maxLength: maximum_below_minimum']],
    ['number', { validation: { min: 3, max: 2 } }, ['validation.max: maximum_below_minimum']],
    ['text', { validation: { regex: '(' } }, ['validation.regex: pattern_malformed']],
    ['text', { validation: { regex: 'x'.repeat(201) } }, ['validation.regex: too_long']],
    ['number', { defaultValue: 'x' }, ['defaultValue: not_a_number']],
    ['text', { defaultValue: '' }, ['defaultValue: required']],
    ['multi-select', { options: ['x'], defaultValue: [] }, ['defaultValue: required']],
    [
      'number',
      { defaultValue: 'x', validation: { min: 3, max: 2 } },
      ['validation.max: maximum_below_minimum'],
    ],
  ]
  for (const [type, more, expected] of refused) assert.deepEqual(faults(type, more), expected)
  const accepted: [string, Partial<Field>][] = [
    ['text', { validation: { minLength: 2, maxLength: 2, regex: 'x'.repeat(200), min: undefined } }],
    ['textarea', { validation: { maxLength: 2 }, defaultValue: 'ab' }],
    ['number', { validation: { min: 2, max: 2 }, defaultValue: 2 }],
    ['number', { validation: { min: 2 } }],
    ['select', { options: ['x', 'y'], defaultValue: 'y' }],
    ['boolean', { defaultValue: false }],
  ]
  for (const [type, more] of accepted) assert.deepEqual(faults(type, more), [])
})

test('patterns with possibly exponential matching are refused', () => {
  const reasons = (regex: string) =>
    faultsOfDefinition(field('text', { validation: { regex } }), matches).map(({ problem }) => problem.reason)
  const slow = [
    '(a+)+',
    '(a*)*b',
    '(a|b)+',
    '(?:a{1,9})+',
    '((a+)b)*',
    '(a+){2}',
    '(a+){2,}',
    '(b(a+)+)',
    '(a)\\1',
    '(?<n>a)\\k<n>',
    'x(a+)+y',
    '(|a)+',
  ]
  for (const pattern of slow) assert.deepEqual(reasons(pattern), ['pattern_too_slow'], pattern)
  const fine = [
    '^[A-Z]{2}\\d{1,4}$',
    '(ab)+',
    '(a|b)',
    'a+b*',
    '(a{3})+',
    '([+*|])+',
    '(\\+)+',
    '\\(a+\\)+',
    '(a+)b+',
    '(a+)?',
    'a+(b)+',
  ]
  for (const pattern of fine) assert.deepEqual(reasons(pattern), [], pattern)
})
