// Names of an airport's country, region and island, as search words.
import countries from 'i18n-iso-countries'
import { storedFold } from '../../server/domain/text/fold.ts'
import { distinct } from './cities.ts'
import { hasAirlineService } from './importance.ts'
import { readCountries, readRegions, readTable, type SourceAirport } from './sources.ts'

const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt']
const MAX_LENGTH = 40
/** OurAirports' keywords are full of "Airports in …", in every language. */
const ABOUT_AIRPORTS =
  /airports?|aero|flug|flyg|fly|lucht|letis|lotnis|hava|airf|puirt|meysydd|repul|空港|机场|機場|공항|مطار|аэро|аеро|αερο|san bay|bandar|unassigned/i
const KINDS =
  / (Province|Region|Prefecture|Governorate|District|County|Department|Municipality|State|Oblast|Krai|Republic)$/

interface Regions {
  namesFor(row: SourceAirport): string[]
  /** Islands, countries and regions whose only airport with airline service this is: their names mean the airport. */
  placesFor(row: SourceAirport): string[]
}

export function openRegions(rows: readonly SourceAirport[]): Regions {
  const served = rows.filter(hasAirlineService)
  const regionNames = new Map(
    readRegions().map(({ code, name, keywords }) => [
      code,
      [plain(name), ...keywordsIn(keywords)].filter(isName),
    ]),
  )
  const own = readTable<'names' | 'regions' | 'airports'>('regions').map(({ names, regions, airports }) => ({
    names: names.split(';'),
    regions: new Set(regions.split(' ')),
    airports: new Set(airports.split(' ').filter(Boolean)),
  }))
  const isIn = ({ regions, airports }: (typeof own)[0], row: SourceAirport) =>
    regions.has(row.iso_region) || airports.has(row.iata_code)
  const ofOneAirport = own.filter((entry) => served.filter((row) => isIn(entry, row)).length === 1)
  const countriesOfOne = new Set(
    [...Map.groupBy(served, (row) => row.iso_country)].flatMap(([code, all]) =>
      all.length === 1 ? code : [],
    ),
  )
  const countryKeywords = new Map(readCountries().map((row) => [row.code, keywordsIn(row.keywords)]))
  const countryNames = new Map<string, string[]>()
  const namesOfCountry = (code: string) => {
    const known = countryNames.get(code) ?? namesInLanguages(code, countryKeywords.get(code) ?? [])
    countryNames.set(code, known)
    return known
  }
  return {
    namesFor(row) {
      const listed = own.filter((entry) => isIn(entry, row))
      const names = [
        ...listed.flatMap((entry) => entry.names),
        ...(regionNames.get(row.iso_region) ?? []),
        ...namesOfCountry(row.iso_country),
      ]
      return distinct(names, [])
    },
    placesFor(row) {
      if (!hasAirlineService(row)) return []
      const islands = ofOneAirport.filter((entry) => isIn(entry, row)).flatMap(({ names }) => names)
      const country = countriesOfOne.has(row.iso_country) ? namesOfCountry(row.iso_country) : []
      return distinct([...islands, ...country], [])
    },
  }
}

const plain = (name: string) =>
  name
    .replace(/\s*\(.*\)/, '')
    .replace(KINDS, '')
    .trim()

const keywordsIn = (keywords: string) =>
  keywords
    .split(',')
    .map((word) => word.trim())
    .filter((word) => !ABOUT_AIRPORTS.test(storedFold(word)) && isName(word))

const isName = (name: string) =>
  name.length <= MAX_LENGTH &&
  !/[*()\d.]|unassigned|^keep$|^[A-Z]{2}$/.test(name) &&
  (name.length > 2 || !/^\p{Script=Latin}/u.test(name))

/** In the languages of most searches, and in the most spoken local one. */
function namesInLanguages(code: string, keywords: string[]): string[] {
  const native = new Intl.Locale(`und-${code}`).maximize().language
  const names = [...LANGUAGES, native].flatMap(
    (language) => countries.getName(code, language, { select: 'all' }) ?? [],
  )
  return distinct(
    [...names, ...keywords].filter((name) => isName(name) || /^U[KS]A?$/.test(name)),
    [],
  )
}
