// The YAML of backups, read back by another parser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'yaml'
import { type Plain, yamlLines } from '../../server/domain/formats/yaml.ts'

test('written YAML is read back unchanged', () => {
  const values: Plain[] = [
    { text: 'plain', empty: '', number: -1.5, yes: true, no: false, none: null },
    { texts: ['yes', 'null', '1', '2026-01-01', '- a', 'a: b', '#', '"', '\\', '\n', '\t', ' x '] },
    { odd: '\u0000\u007f\u0085\u009f\u00a0\u2028\u2029\ufeff\ufffe\uffff😀é' },
    { 'not a word': 1, '1': 2, '': 3, 'a-b_c': 4, '-': 5, ä: 6, true: 7 },
    { nested: { list: [[1, [2]], [], {}, { a: { b: [null] } }], map: {} } },
    [],
    {},
    ['a', { b: 'c' }, null],
  ]
  for (const value of values)
    for (const indent of ['', '    ']) {
      const text = yamlLines(value as readonly Plain[], indent)
      assert.deepEqual(parse(text), value, text)
      assert.ok(text.split('\n').every((line) => line === '' || line.startsWith(indent)))
    }
})

test('strings are in double quotes, and keys are bare', () => {
  const lines = yamlLines({ name: 'a\u0085b', 'x y': [1, {}], left: undefined as unknown as Plain }, '  ')
  assert.equal(lines, '  name: "a\\u0085b"\n  "x y":\n    - 1\n    -\n      {}\n')
})
