// Every reason for which the server refuses something has a text in every language, and no text is left over.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languages } from '../../../server/domain/languages.ts'
import { allReasons } from '../../../server/domain/reasons.ts'
import type { Message } from '../../../server/domain/text/messages.ts'
import { reasons } from './en/reasons.ts'

const translation = async (language: string): Promise<Record<string, Message>> =>
  (await import(`./${language}/reasons.json`, { with: { type: 'json' } })).default

const wordings = (message: Message) => (typeof message === 'string' ? [message] : Object.values(message))

test('every reason has a text in every language, and no text is stale', async () => {
  const wanted = allReasons.map((reason) => `error.${reason}`).sort()
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
