// Every text is used by a screen, and every language has the same texts.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { flightFieldNames } from '../../../server/domain/flights/fields.ts'
import { languages } from '../../../server/domain/languages.ts'
import type { Message } from '../../../server/domain/text/messages.ts'
import { faultsIn } from '../testing/translations.ts'

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

type Texts = Record<string, Message>
/** English files that are only a part of another: `first.ts` has the texts of `core.ts`. */
const parts = /^import \{ \w+ \} from '\.\/([\w-]+)\.ts'$/gm
/** As the folder of a language names it. */
const shownName = (file: string) => (file === 'settings-pages' ? 'settings' : file)

/** The English texts, by the name of the file that other languages have. */
async function englishTexts(): Promise<Map<string, Texts>> {
  const folder = join(import.meta.dirname, 'en')
  const sourceOf = (file: string) => readFileSync(join(folder, `${file}.ts`), 'utf8')
  const files = globSync('*.ts', { cwd: folder }).map((file) => file.slice(0, -'.ts'.length))
  const inner = new Set(files.flatMap((file) => [...sourceOf(file).matchAll(parts)].map(([, part]) => part)))
  const read = files
    .filter((file) => !inner.has(file))
    .map(async (file) => {
      const texts = Object.values(await import(`./en/${file}.ts`)) as Texts[]
      return [shownName(file), Object.assign({}, ...texts) as Texts] as const
    })
  return new Map(await Promise.all(read))
}
const english = await englishTexts()

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

test('every language has the files, keys, placeholders and plural forms of English', () => {
  assert.ok(english.size > 15 && languages.length > 2)
  for (const language of languages) {
    const folder = join(import.meta.dirname, language)
    const files = globSync('*.json', { cwd: folder }).sort()
    if (language === 'en') assert.deepEqual(files, [])
    else assert.deepEqual(files, [...english.keys()].map((file) => `${file}.json`).sort(), language)
    for (const file of files) {
      const translation = JSON.parse(readFileSync(join(folder, file), 'utf8'))
      const texts = english.get(file.slice(0, -'.json'.length))!
      assert.deepEqual(faultsIn(language, texts, translation), [], `${language}/${file}`)
    }
  }
})

test('a fault in a translation is found', () => {
  const texts = { 'a.plain': 'To {host}', 'a.count': { one: '{count} flight', other: '{count} flights' } }
  const good = { 'a.plain': '{host} hin', 'a.count': { one: '{count} Flug', other: '{count} Flüge' } }
  const faultsWith = (change: object, language = 'de') => {
    const changed = Object.entries({ ...good, ...change }).filter(([, message]) => message !== null)
    return faultsIn(language, texts, Object.fromEntries(changed))
  }
  assert.deepEqual(faultsWith({}), [])
  for (const [change, fault, language] of [
    [{ 'a.plain': null }, /a\.plain is missing/],
    [{ 'a.old': 'Alt' }, /a\.old is stale/],
    [{ 'a.plain': 'Zu {hst}' }, /a\.plain has the placeholders \{hst\}, not \{host\}/],
    [{ 'a.plain': '' }, /a\.plain is empty/],
    [{ 'a.count': '{count} Flüge' }, /a\.count is a plural in only one language/],
    [{ 'a.count': { other: '{count} Flüge' } }, /a\.count has the forms other, not one other/],
    [{ 'a.count': { ...good['a.count'], few: '{count}' } }, /the forms few one other, not one other/],
    [{}, /a\.count has the forms one other, not few many one other/, 'pl'],
    [{ 'a.plain': 'Vers {host} ?' }, /a\.plain is spelt against the rules/, 'fr'],
    [{ 'a.plain': 'Hasta {host}?' }, /a\.plain is spelt against the rules/, 'es'],
  ] as const)
    assert.match(faultsWith(change, language).join(), fault)
})
