// The texts of pages, mails, pictures and calendars: every language has what English has, and English says what the server says.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type Language, languages } from '../server/domain/languages.ts'
import { asSentence, messageOf } from '../server/domain/reasons.ts'
import { fill } from '../server/domain/text/messages.ts'
import { linkTexts } from '../server/http/sign-in/links-texts.ts'
import { explained, texts as pageTexts } from '../server/http/sign-in/texts.ts'
import { faultsIn } from '../web/src/testing/translations.ts'

type Texts = Parameters<typeof faultsIn>[1]
const isTexts = (value: unknown): value is Record<Language, Texts> =>
  typeof value === 'object' && value !== null && languages.every((language) => Object.hasOwn(value, language))

const modules = globSync('server/**/*.ts').filter((file) =>
  /\bawait translated\(/.test(readFileSync(file, 'utf8')),
)
const translations = languages
  .filter((language) => language !== 'en')
  .map((language) => [language, globSync(`server/**/*.${language}.json`).sort()] as const)

test('every language has the texts of every module, with their keys, placeholders and plural forms', async () => {
  assert.ok(modules.length > 10 && translations.length > 1)
  for (const file of modules) {
    const texts = Object.values(await import(`../${file}`)).find(isTexts)
    assert.ok(texts, `${file} exports its texts`)
    for (const [language] of translations)
      assert.deepEqual(faultsIn(language, texts.en, texts[language]), [], `${file}, ${language}`)
  }
})

test('no file of texts is without its module', () => {
  for (const [language, files] of translations)
    assert.deepEqual(files, modules.map((file) => file.replace(/ts$/, `${language}.json`)).sort())
})

test('pages show reasons in English as the server says them', () => {
  const texts = { ...pageTexts.en, language: 'en' } as const
  const withLinks = { ...texts, reasons: { ...texts.reasons, ...linkTexts.en.reasons } }
  for (const seconds of [1, 30, 120, 121, 3600])
    for (const reason of ['too_many_attempts', 'too_many_at_once'] as const) {
      const problem = { reason, params: { seconds } }
      assert.equal(explained(withLinks, problem), asSentence(messageOf(problem)))
    }
  for (const problem of [
    { reason: 'too_short', params: { min: 8 } },
    { reason: 'too_long', params: { max: 20 } },
  ] as const)
    assert.equal(explained(texts, problem), asSentence(messageOf(problem)))
})

test('a placeholder without a value stays, and a value is not searched for placeholders', () => {
  assert.equal(fill('{a} and {b}' as string, { a: '{b}', b: 2 } as never), '{b} and 2')
  assert.equal(fill('{a}' as string, {}), '{a}')
})
