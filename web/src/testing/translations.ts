/** Checks in the other languages what the types check in English: keys, placeholders and plural forms; and their typography. */
import type { Message } from '../../../server/domain/text/messages.ts'

interface Tree {
  readonly [key: string]: Message | Tree
}

const isMessage = (value: unknown): value is Message =>
  typeof value === 'string' || (typeof value === 'object' && value !== null && 'other' in value)

/** The messages by key, those of nested objects as `outer.inner`. */
const messagesOf = (texts: Tree, prefix = ''): Map<string, Message> =>
  new Map(
    Object.entries(texts).flatMap(([key, value]) =>
      isMessage(value) ? [[`${prefix}${key}`, value] as const] : [...messagesOf(value, `${prefix}${key}.`)],
    ),
  )

const wordingsOf = (message: Message): string[] =>
  typeof message === 'string' ? [message] : Object.values(message)
const placeholdersOf = (message: Message): string =>
  [...new Set(wordingsOf(message).flatMap((text) => text.match(/\{\w+\}/g) ?? []))].sort().join(' ')

/** A log has fewer than a million of anything: the plural form that some languages have for millions is not needed. */
const COUNTS = 1000
const formsOf = (language: string): string => {
  const rules = new Intl.PluralRules(language)
  const used = Array.from({ length: COUNTS }, (_, count) => rules.select(count))
  // The plural form of fractions.
  return [...new Set([...used, 'other'])].sort().join(' ')
}

/** French has a no-break space before some signs; Spanish questions and exclamations begin with a sign too. */
const misspelt: Readonly<Record<string, RegExp>> = {
  fr: / [:;?!»]|« /,
  es: /^[^¿]*[\p{L}\p{N})}”]\?(?!\w)|^[^¡]*[\p{L}\p{N})}”]!/u,
}

/** The faults of a translation, one line each. */
export function faultsIn(language: string, english: Tree, translation: Tree): string[] {
  const [wanted, found] = [messagesOf(english), messagesOf(translation)]
  const forms = formsOf(language)
  return [
    ...[...wanted.keys()].filter((key) => !found.has(key)).map((key) => `${key} is missing`),
    ...[...found].flatMap(([key, message]) => {
      const original = wanted.get(key)
      if (original === undefined) return [`${key} is stale`]
      return [...faultsOf(key, original, message, forms), ...typographyOf(language, key, message)]
    }),
  ].map((fault) => `${language}: ${fault}`)
}

const typographyOf = (language: string, key: string, message: Message): string[] =>
  wordingsOf(message)
    .filter((text) => misspelt[language]?.test(text))
    .map((text) => `${key} is spelt against the rules of the language: ${text}`)

function faultsOf(key: string, original: Message, message: Message, forms: string): string[] {
  const faults: string[] = []
  if (typeof original !== typeof message) return [`${key} is a plural in only one language`]
  if (wordingsOf(message).some((text) => typeof text !== 'string' || text === ''))
    faults.push(`${key} is empty`)
  if (placeholdersOf(original) !== placeholdersOf(message))
    faults.push(`${key} has the placeholders ${placeholdersOf(message)}, not ${placeholdersOf(original)}`)
  const own = Object.keys(message).sort().join(' ')
  if (typeof message === 'object' && own !== forms) faults.push(`${key} has the forms ${own}, not ${forms}`)
  return faults
}
