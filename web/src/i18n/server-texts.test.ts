// Every message in the server's source that a person may read has its translation.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { forPrograms, serverTexts } from './server-texts.ts'

const server = join(import.meta.dirname, '../../../server')

/** Nothing that these say reaches the web app. */
const silent = /(?:assistant|discovery|index)\.ts$/
const files = [
  ...globSync('operations/*.ts', { cwd: server }).filter((file) => !silent.test(file)),
  ...['domain/custom-fields.ts', 'domain/flight.ts', 'auth/limits.ts', 'base/errors.ts', 'operation.ts'],
  ...['process/claim-port.ts', 'store/dialect.ts'],
]

/** Sentences in quotes, but for those that describe an operation or a field of it, and names of things. */
function messagesIn(source: string): string[] {
  const code = source
    .replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, '')
    .replaceAll(/\b(?:summary|description|title|tag|name|label)\??:\s*(?:'[^']*'|`[^`]*`)/g, '')
    .replaceAll(/\.(?:describe|meta)\((?:[^()]|\([^()]*\))*\)/g, '')
    .replaceAll(/notFound\('[^']*'\)/g, '')
  return [...code.matchAll(/'((?:[A-Z]|\d to )[^'\n]* [^'\n]*[^'\n.])'/g)].map((match) => match[1]!)
}

const things = new Set([
  'API key',
  'Connected application',
  'Custom field',
  'Reference data',
  'Personal data',
])

test('what the server says to people is known in every language', () => {
  const unknown = files.flatMap((file) =>
    messagesIn(readFileSync(join(server, file), 'utf8'))
      .filter((message) => !(message in serverTexts) && !forPrograms.has(message) && !things.has(message))
      .map((message) => `${file}: ${message}`),
  )
  assert.deepEqual(unknown, [], 'translate it in server-texts.ts, or list it there as said to programs only')
})

test('nothing is translated that the server no longer says', () => {
  const all = globSync('**/*.ts', { cwd: server })
    .map((file) => readFileSync(join(server, file), 'utf8'))
    .join()
  const stale = [...Object.keys(serverTexts), ...forPrograms].filter((message) => !all.includes(message))
  assert.deepEqual(stale, [])
})
