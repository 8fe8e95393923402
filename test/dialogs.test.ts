// The walk through all dialogs (test/e2e/dialogs.test.ts) is complete.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { dialogs, interrupting, textless } from './e2e/dialogs.ts'

const source = (component: string) => readFileSync(`web/src/${component}`, 'utf8')
const shown = globSync('**/*.svelte', { cwd: 'web/src' })
  .filter((component) => /<(?:Form)?Dialog\b/.test(source(component)))
  .sort()

test('every component with a dialog is tested by the walk', () => {
  const walked = dialogs({ flightId: 1, contestedId: 1, todayId: 1, importId: 1 }).map(
    ({ component }) => component,
  )
  assert.deepEqual([...walked, ...textless, ...interrupting].sort(), shown)
})

test('dialogs excluded as having no text field have none', () => {
  const field =
    /<textarea|<(?!RoleField|SelectField)\w+(?:Field|Picker)\b|<Combobox|<input(?![^>]*type="(?:checkbox|radio|file)")/
  assert.deepEqual(
    textless.filter((component) => field.test(source(component))),
    [],
  )
})
