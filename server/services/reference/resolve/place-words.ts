// Similar names of places, and the names of countries.
import { searchFold } from '../../../domain/text/fold.ts'
import { foreignNames } from '../line-names.ts'

const languages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt'].map(
  (language) => new Intl.DisplayNames([language], { type: 'region' }),
)

/** A country's names in several languages: the reference set has none for airports without airline service. */
export const countryWords = (country: string): string[] =>
  languages.map((names) => searchFold(names.of(country) ?? country))

/** Sounds that are spelled differently in different languages. */
const sameSounds: readonly (readonly [RegExp, string])[] = [
  [/sch|tsch|sh|ch|cz|zh|dsch|dzh|sz|x|z|c(?=[eiy])/g, 's'],
  [/ph|w|v|b/g, 'f'],
  [/c|q|gh/g, 'k'],
  [/dj|y/g, 'j'],
  [/d/g, 't'],
  [/[aeiouhj\s]/g, ''],
]

const sounds = (name: string): string =>
  sameSounds.reduce((text, [letters, sound]) => text.replace(letters, sound), name).replace(/(.)\1+/g, '$1')

/** Whether a folded name is the city's name in another language: Lissabon, Kopenhagen, Marrakesch. */
export function isFormOf(name: string, city: string): boolean {
  const [a, b] = [sounds(name), sounds(city)]
  if (a === b && a.length > 1) return true
  return Math.min(a.length, b.length) > 2 && (a.startsWith(b) || b.startsWith(a) || isOneApart(a, b))
}

const LONG_WORD = 7

/** Whether two long words are the same name in different spellings: Scheremetjewo, Sheremetyevo. */
export const soundsLike = (word: string, other: string): boolean =>
  Math.min(word.length, other.length) >= LONG_WORD && sounds(word) === sounds(other)

const directions = [
  'north nord norte norden',
  'south sud sur sul sued suden',
  'east ost est este',
  'west ouest oeste ovest',
].map((words) => words.split(' '))

/** The same direction in other languages: Teneriffa Süd, Tenerife Sur. */
export const directionsLike = (word: string): readonly string[] =>
  directions.find((words) => words.includes(word)) ?? []

/** Differs by one inserted, removed or replaced sound. */
function isOneApart(a: string, b: string): boolean {
  let same = 0
  while (same < a.length && a[same] === b[same]) same++
  const [restA, restB] = [a.slice(same), b.slice(same)]
  return restA.slice(1) === restB.slice(1) || restA.slice(1) === restB || restA === restB.slice(1)
}

/** Names that travellers use for an airport or its city although they are only part of its name, another town or a former name. */
const common = new Set(
  (
    'Tegel Tempelhof Riem Fuhlsbüttel Echterdingen Kloten Cointrin Schwechat Ruzyně Ferihegy Okęcie Modlin Pyrzowice Balice Zaventem Lohausen ' +
    'Langenhagen Capodichino Fontanarossa Ellinikon Venizelos Barajas El|Prat Portela Bergamo Orio|al|Serio Ancona Westerland Zante Knock ' +
    'Atatürk Ben|Gurion Vnukovo Pulkovo Dulles Hobby Kennedy Hartsfield Sea-Tac Pearson Dorval Mirabel Guarulhos Congonhas Viracopos Ezeiza ' +
    'Aeroparque Galeão Kona Okinawa Manhattan Georgetown George|Town Changi Chek|Lap|Kok Kai|Tak Taoyuan Songshan Daxing Tullamarine ' +
    'Donostia Iruña Åbo Vasa Uleåborg Kaschau Czernowitz Memel Dorpat Kronstadt Großwardein Görz Zara Fiume Pola Meran Trient Bromberg ' +
    'Allenstein Litzmannstadt Smyrna Konstantinopel Leningrad Nicosia Nikosia Lefkosia'
  )
    .split(' ')
    .map((name) => searchFold(name.replaceAll('|', ' '))),
)

export const isNickname = (name: string): boolean => common.has(name)

/** Whether people use this folded name, so that a match is not a coincidence. */
export const isCommonName = (name: string): boolean => common.has(name) || foreignNames.has(name)
