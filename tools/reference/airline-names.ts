// Compares names of airlines by their distinctive words.
import { unaccented } from '../../server/domain/text/fold.ts'

const NO_NAME = new Set(
  'air airline airlines airways aviation lines line ltd limited inc co company llc group the international intl aereas linhas aereos lineas de del sa'.split(
    ' ',
  ),
)

export const words = (name: string) =>
  unaccented(name)
    .toLowerCase()
    .replace(/ø/g, 'o')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .split(' ')

/** The distinctive words of an airline's name, so that "Aegean" and "Aegean Airlines" are the same. */
export function nameKey(name: string): string {
  const all = words(name)
  const telling = all.filter((word) => !NO_NAME.has(word))
  return (telling.length > 0 ? telling : all).join('-')
}

export const sameName = (a: string, b: string) =>
  nameKey(a).replaceAll('-', '') === nameKey(b).replaceAll('-', '')

/** Also true if one name begins with the whole other name: "Condor" and "Condor Flugdienst". */
export const similarName = (a: string, b: string) =>
  sameName(a, b) ||
  `${nameKey(a)}-`.startsWith(`${nameKey(b)}-`) ||
  `${nameKey(b)}-`.startsWith(`${nameKey(a)}-`)
