// Every reason that a screen can cause has a text in every language, and no text is left over. The others are shown as the server
// says them.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { languages } from '../../../server/domain/languages.ts'
import { allReasons } from '../../../server/domain/reasons.ts'
import type { Message } from '../../../server/domain/text/messages.ts'
import { reasons } from './en/reasons.ts'

const server = join(import.meta.dirname, '../../../server')
/** What only programs call. */
const ofPrograms = /^http\/(?:legacy|mcp)\//
/** A reason in quotes: 'share_of_two', `invalid_${end}_airport`. */
const quoted = /(['"`])((?:[a-z]+|\$\{[\w.]+\})(?:_(?:[a-z]+|\$\{[\w.]+\}))*)\1/g

function reasonsNamedIn(files: string[]): Set<string> {
  const names = files.flatMap((file) =>
    [...readFileSync(join(server, file), 'utf8').matchAll(quoted)].map(([, , text]) => text!),
  )
  const plain = new Set(names.filter((name) => !name.includes('$')))
  const built = [...new Set(names)]
    .filter((name) => name.includes('$') && /[a-z]{3}/.test(name.replace(/\$\{[^}]*\}/g, '')))
    .map((name) => new RegExp(`^${name.replace(/\$\{[^}]*\}/g, '[a-z]+')}$`))
  return new Set(allReasons.filter((name) => plain.has(name) || built.some((form) => form.test(name))))
}

const files = globSync('**/*.ts', { cwd: server }).filter((file) => !/^domain\/reasons/.test(file))
const byPrograms = reasonsNamedIn(files.filter((file) => ofPrograms.test(file)))
const byScreens = reasonsNamedIn(files.filter((file) => !ofPrograms.test(file)))

const translation = async (language: string): Promise<Record<string, Message>> =>
  (await import(`./${language}/reasons.json`, { with: { type: 'json' } })).default

const wordings = (message: Message) => (typeof message === 'string' ? [message] : Object.values(message))

test('every reason that a screen can cause has a text in every language, and no text is stale', async () => {
  const ofProgramsOnly = new Set([...byPrograms].filter((reason) => !byScreens.has(reason)))
  assert.ok(ofProgramsOnly.has('post_only') && byScreens.has('share_of_two'), 'the sources are read')
  const wanted = allReasons
    .filter((reason) => !ofProgramsOnly.has(reason))
    .map((reason) => `error.${reason}`)
    .sort()
  for (const language of languages) {
    const texts = language === 'en' ? reasons : await translation(language)
    assert.deepEqual(Object.keys(texts).sort(), wanted, language)
    for (const [key, message] of Object.entries(texts)) {
      for (const text of wordings(message)) assert.match(text, /^.{5,}[.?]$/, `${language} ${key}: ${text}`)
    }
  }
})

test('reasons are stable keys in snake case', () => {
  for (const reason of allReasons) assert.match(reason, /^[a-z]+(?:_[a-z]+)*$/)
})
