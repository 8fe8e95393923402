// The texts of a page, mail or picture in every language. English is in the module; each other language is a `.json` file next
// to it, which test/translations.test.ts compares with English.
import { type Language, languages } from './languages.ts'
import type { Message } from './text/messages.ts'

interface Texts {
  readonly [key: string]: Message | Texts
}

/**
 * The English texts and those of `consent-texts.de.json` for the module `consent-texts.ts`, and so on. All have the type of the
 * English ones, which knows their placeholders.
 */
export async function translated<const English extends Texts>(
  english: English,
  module: string,
): Promise<Readonly<Record<Language, English>>> {
  const read = async (language: Language): Promise<English> => {
    if (language === 'en') return english
    const file: { default: English } = await import(module.replace(/\.ts$/, `.${language}.json`), {
      with: { type: 'json' },
    })
    return file.default
  }
  const texts = await Promise.all(
    languages.map(async (language) => [language, await read(language)] as const),
  )
  return Object.fromEntries(texts) as Record<Language, English>
}
