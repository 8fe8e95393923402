// Native date, time and number fields drop text that they cannot parse; ours keep it and refuse to save. The only native date
// field gives DateField its calendar; it has no focus and no text.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const sources = join(import.meta.dirname, '..', '..')
const native = /\btype\s*[=:]\s*\{?\s*["'`](?:date|time|datetime-local|month|week|number)["'`]/

test('no native date, time or number input comes back', () => {
  const found = globSync('**/*.svelte', { cwd: sources }).filter((file) =>
    native.test(readFileSync(join(sources, file), 'utf8')),
  )
  const expected = [join('lib', 'fields', 'DateField.svelte')]
  assert.deepEqual(found, expected, 'use DateField, TimeField or NumberField of web/src/lib')
})
