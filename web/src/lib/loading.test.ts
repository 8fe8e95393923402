// Data is loaded in one way, by `resource` and `Resource` (resource.svelte.ts).

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
  // It is the component that loads any part, and says that it could not.
  const wrong = results.filter((one) => !isPart(one) && one.file !== 'lib/page/Part.svelte')
  assert.deepEqual(
    wrong.map(({ file }) => file),
    [],
  )
})

test('a component that sends a GET request loads by `resource`', () => {
  const others = [
    // Before a file is downloaded by its address: is the person still signed in?
    'settings/data/Export.svelte',
    // It shows nothing: it asks who it is if that is needed, and goes back.
    'session/ConfirmPage.svelte',
  ]
  const wrong = having(/\bclient\.GET\(/, components).filter(
    (file) => !having(/resource\.svelte\.ts'/, components).includes(file),
  )
  assert.deepEqual(wrong.sort(), others.sort())
})

test('nothing else counts requests or aborts them', () => {
  // Order of writes in the queue, of passkey prompts, and of pictures that a worker reads.
  assert.deepEqual(having(/const \w+ = \+\+\w+/).sort(), [
    'imports/scan/decode.ts',
    'queue/queue.svelte.ts',
    'sign-in/passkey-form.ts',
  ])
  assert.deepEqual(having(/new AbortController\(/).sort(), [
    // The time limit of every request.
    'api/unreached.ts',
    // A search while its words are typed.
    'lib/fields/Combobox.svelte',
    // Listeners of a form.
    'lib/kept-fields.svelte.ts',
    'lib/resource.svelte.ts',
    // A film that is being recorded.
    'map/time/ExportMenu.svelte',
  ])
})
