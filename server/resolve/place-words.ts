// How names of places resemble one another, and what countries are called.
import { searchFold } from '../domain/search-text.ts'
import { foreignNames } from '../reference/line-names.ts'

const languages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt'].map(
  (language) => new Intl.DisplayNames([language], { type: 'region' }),
)

/** A country's names in several languages: airports without airline service have none in the reference set. */
export const countryWords = (country: string): string[] =>
  languages.map((names) => searchFold(names.of(country) ?? country))

/** Letters that languages write differently. */
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

/** Whether a folded name is that of the city as another language writes it: Lissabon, Kopenhagen, Marrakesch. */
export function isFormOf(name: string, city: string): boolean {
  const [a, b] = [sounds(name), sounds(city)]
  if (a === b && a.length > 1) return true
  return Math.min(a.length, b.length) > 2 && (a.startsWith(b) || b.startsWith(a) || isOneApart(a, b))
}

/** One sound more, less or other. */
function isOneApart(a: string, b: string): boolean {
  let same = 0
  while (same < a.length && a[same] === b[same]) same++
  const [restA, restB] = [a.slice(same), b.slice(same)]
  return restA.slice(1) === restB.slice(1) || restA.slice(1) === restB || restA === restB.slice(1)
}

/** What travellers call an airport or its city, although it is only a part of its name, another town, or a name of old. */
const common = new Set(
  (
    'Tegel Tempelhof Riem Fuhlsbüttel Echterdingen Kloten Cointrin Schwechat Ruzyně Ferihegy Okęcie Modlin Pyrzowice Balice Zaventem Lohausen ' +
    'Langenhagen Capodichino Fontanarossa Ellinikon Venizelos Barajas El|Prat Portela Bergamo Orio|al|Serio Ancona Westerland Zante Knock ' +
    'Atatürk Ben|Gurion Vnukovo Pulkovo Dulles Hobby Kennedy Hartsfield Sea-Tac Pearson Dorval Mirabel Guarulhos Congonhas Viracopos Ezeiza ' +
    'Aeroparque Galeão Kona Okinawa Manhattan Georgetown George|Town Changi Chek|Lap|Kok Kai|Tak Taoyuan Songshan Daxing Tullamarine ' +
    'Donostia Iruña Åbo Vasa Uleåborg Kaschau Czernowitz Memel Dorpat Kronstadt Großwardein Görz Zara Fiume Pola Meran Trient Bromberg ' +
    'Allenstein Litzmannstadt Smyrna Konstantinopel Leningrad'
  )
    .split(' ')
    .map((name) => searchFold(name.replaceAll('|', ' '))),
)

export const isNickname = (name: string): boolean => common.has(name)

/** Whether people use the folded name, so that it is no accident of the data. */
export const isCommonName = (name: string): boolean => common.has(name) || foreignNames.has(name)
