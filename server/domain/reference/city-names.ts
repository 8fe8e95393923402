// The tables of all languages, for the server. The web app loads only the table of its language.
import { type Language, languages } from '../languages.ts'
import type { CityNames } from './cities.ts'

/** English needs no table: the reference set is in English. */
async function tableOf(language: Language): Promise<CityNames> {
  if (language === 'en') return {}
  const file: { default: CityNames } = await import(`./city-names/${language}.json`, {
    with: { type: 'json' },
  })
  return file.default
}

const tables = await Promise.all(
  languages.map(async (language) => [language, await tableOf(language)] as const),
)

export const cityNames = Object.fromEntries(tables) as Readonly<Record<Language, CityNames>>
