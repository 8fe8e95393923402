// Every reason for which the server refuses something has a text in every language, and no text is left over.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allReasons } from '../../../server/domain/reasons.ts'
import { reasons as german } from './de/reasons.ts'
import { reasons as english } from './en/reasons.ts'
import type { Message } from './messages.ts'

const languages: Record<string, Record<string, Message>> = { english, german }
const wordings = (message: Message) =>
  typeof message === 'string' ? [message] : [message.one, message.other]
const placeholders = (message: Message) => [
  ...new Set(wordings(message).flatMap((text) => text.match(/\{\w+\}/g) ?? [])),
]

test('every reason has a text in every language, and no text is stale', () => {
  for (const [language, texts] of Object.entries(languages)) {
    const wanted = allReasons.map((reason) => `error.${reason}`)
    assert.deepEqual(Object.keys(texts).sort(), wanted.sort(), language)
    for (const [key, message] of Object.entries(texts)) {
      for (const text of wordings(message)) assert.match(text, /^.{5,}[.?]$/, `${language} ${key}: ${text}`)
    }
  }
})

test('a translation shows the same parameters as the English text', () => {
  for (const [key, message] of Object.entries<Message>(english)) {
    const translated = german[key as keyof typeof german]
    assert.deepEqual(placeholders(translated).sort(), placeholders(message).sort(), key)
  }
})

test('reasons are stable keys in snake case', () => {
  for (const reason of allReasons) assert.match(reason, /^[a-z]+(?:_[a-z]+)*$/)
})
