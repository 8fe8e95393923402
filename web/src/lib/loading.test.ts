// Data is loaded only through `resource` and `Resource` (resource.svelte.ts).

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const files = globSync(['web/src/**/*.svelte', 'web/src/**/*.ts'])
  .filter((file) => !/\.test\.ts$|\/(i18n|testing)\//.test(file))
  .map((file) => ({ file: file.slice('web/src/'.length), text: readFileSync(file, 'utf8') }))
const components = files.filter(({ file }) => file.endsWith('.svelte'))
const having = (pattern: RegExp, among = files) =>
  among.filter(({ text }) => pattern.test(text)).map(({ file }) => file)

test('{#await} shows a part of the app that is loaded when it is first used, and no data', () => {
  const results = components.flatMap(({ file, text }) =>
    [...text.matchAll(/\{(?:#await [^{}]*? |:)then (\w+|\{[^}]*\})/g)].map((match) => ({
      file,
      text,
      result: match[1]!,
    })),
  )
  assert.ok(results.length > 0)
  const isPart = ({ text, result }: (typeof results)[number]) =>
    result.startsWith('{ default: ') || text.includes(`<${result}.default`)
  // The component that loads parts of the app and reports failures.
  const wrong = results.filter((one) => !isPart(one) && one.file !== 'lib/page/Part.svelte')
  assert.deepEqual(
    wrong.map(({ file }) => file),
    [],
  )
})

test('a component that sends a GET request loads by `resource`', () => {
  const others = [
    // Checks that the person is still signed in before a file is downloaded by its address.
    'settings/data/Export.svelte',
    // Shows nothing: it confirms the person's identity if needed, and goes back.
    'session/ConfirmPage.svelte',
  ]
  const wrong = having(/\bclient\.GET\(/, components).filter(
    (file) => !having(/resource\.svelte\.ts'/, components).includes(file),
  )
  assert.deepEqual(wrong.sort(), others.sort())
})

test('nothing else counts requests or aborts them', () => {
  // The order of writes in the queue, of passkey prompts, and of pictures read by a worker.
  assert.deepEqual(having(/const \w+ = \+\+\w+/).sort(), [
    'imports/scan/decode.ts',
    'queue/queue.svelte.ts',
    'sign-in/passkey-form.ts',
  ])
  assert.deepEqual(having(/new AbortController\(/).sort(), [
    // The time limit of every request.
    'api/unreached.ts',
    // A search during typing.
    'lib/fields/Combobox.svelte',
    // Listeners of a form.
    'lib/kept-fields.svelte.ts',
    'lib/resource.svelte.ts',
    // A film being recorded.
    'map/time/ExportMenu.svelte',
  ])
})
