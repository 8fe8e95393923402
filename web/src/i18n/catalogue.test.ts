// Every text is used by a screen, and every language has the same texts.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { flightFieldNames } from '../../../server/domain/flights/fields.ts'
import { languages } from '../../../server/domain/languages.ts'
import type { Message } from './messages.ts'

const root = join(import.meta.dirname, '..')
const sources = globSync('**/*.{ts,svelte}', { cwd: root })
  .filter((file) => !/\.test\.ts$|\.d\.ts$|^testing\/|^i18n\/[a-z]{2}\//.test(file))
  .map((file) => readFileSync(join(root, file), 'utf8'))

const quoted = /(?<quote>['"`])(?<text>[\w+-]+(?:\.[\w+-]+)+)\k<quote>/g
/** A template that begins like a key: `backups.state.${state}`. */
const template = /`(?<text>\w+\.(?:[\w.+-]|\$\{[^{}`]*\})*)`/g

function textsOf(pattern: RegExp): Set<string> {
  const found = sources.flatMap((source) => [...source.matchAll(pattern)])
  return new Set(found.map(({ groups }) => groups!['text']!))
}

/** Matches all keys that a template can build. `${field}` is a field of a flight: `flight.` and `form.` have many others. */
function keysBuiltBy(text: string): RegExp {
  const parts = text.split(/\$\{([^}]*)\}/).map((part, i) => {
    if (i % 2 === 0) return part.replace(/[.+]/g, '\\$&')
    return part === 'field' ? `(?:${flightFieldNames.join('|')})` : '.+'
  })
  return new RegExp(`^${parts.join('')}$`)
}

/** All texts of a language, by file. */
async function textsOfFiles(language: string): Promise<Map<string, Record<string, Message>>> {
  const files = globSync('*.ts', { cwd: join(import.meta.dirname, language) }).sort()
  const read = files.map(async (file) => {
    const texts = Object.values(await import(`./${language}/${file}`)) as Record<string, Message>[]
    return [file, Object.assign({}, ...texts)] as const
  })
  return new Map(await Promise.all(read))
}
const catalogues = new Map(
  await Promise.all(languages.map(async (name) => [name, await textsOfFiles(name)] as const)),
)
const english = catalogues.get('en')!
const wordings = (message: Message): string[] =>
  typeof message === 'string' ? [message] : Object.values(message)
const placeholders = (message: Message): string[] =>
  [...new Set(wordings(message).flatMap((text) => text.match(/\{\w+\}/g) ?? []))].sort()

test('every text is used', () => {
  const names = textsOf(quoted)
  const built = [...textsOf(template)].filter((text) => /\$\{(?!string\})/.test(text)).map(keysBuiltBy)
  assert.ok(names.size > 300 && built.length > 10, 'the sources are read')
  const keys = new Set([...english.values()].flatMap((texts) => Object.keys(texts)))
  assert.deepEqual(
    [...keys].filter((key) => !names.has(key) && !built.some((pattern) => pattern.test(key))),
    [],
  )
})

test('every language has the same files, keys and placeholders', () => {
  for (const [language, files] of catalogues) {
    assert.deepEqual([...files.keys()], [...english.keys()], language)
    for (const [file, texts] of english) {
      const translated = files.get(file)!
      assert.deepEqual(Object.keys(translated).sort(), Object.keys(texts).sort(), `${language} ${file}`)
      for (const [key, message] of Object.entries(texts))
        assert.deepEqual(placeholders(translated[key]!), placeholders(message), `${language} ${key}`)
    }
  }
})

test('a plural has the forms that its language needs most, and none that it does not know', () => {
  for (const [language, files] of catalogues) {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
    for (const [key, message] of [...files.values()].flatMap((texts) => Object.entries(texts))) {
      if (typeof message === 'string') continue
      const forms = Object.keys(message)
      // Those for 1 to 20; `many` of a million can be left to `other`.
      const usual = new Set(
        Array.from({ length: 20 }, (_, i) => new Intl.PluralRules(language).select(i + 1)),
      )
      assert.ok(
        [...usual].every((form) => forms.includes(form)),
        `${language} ${key} needs ${[...usual]}`,
      )
      assert.ok(
        forms.every((form) => pluralCategories.some((known) => known === form)),
        `${language} ${key}`,
      )
    }
  }
})
