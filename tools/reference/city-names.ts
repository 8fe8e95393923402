// Generates server/domain/reference/city-names/*.json: what readers of each language call the cities of the reference set.
// From the exemplar cities of Unicode CLDR (npm package cldr-dates-full, which the argument names) and from our own table
// tables/city-names.csv, which wins. Needs no other package. The same source gives the same bytes.
//
//   npm pack cldr-dates-full@48.2.0 && tar -xzf cldr-dates-full-48.2.0.tgz
//   npm run city-names -- package
import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { type Language, languages } from '../../server/domain/languages.ts'
import { unaccented } from '../../server/domain/text/fold.ts'

/** The reference set is in English. */
const LANGUAGES: readonly Language[] = languages.filter((language) => language !== 'en')
/** From this importance on, an airport has scheduled flights. */
const SERVED = 20_000

type Names = Partial<Record<Language, string>>
/** By country and city as the reference set writes them: `IT Rome`. An empty name is the same as in the set. */
type Table = Map<string, Names>

function main(cldr: string | undefined): void {
  if (cldr === undefined) throw new Error('Name the folder of the unpacked package cldr-dates-full.')
  const table: Table = new Map([...fromCldr(cldr), ...fromOurTable()])
  for (const language of LANGUAGES) {
    const names = [...table].map(([key, of]) => [key, of[language] ?? ''] as const)
    const different = names.filter(([key, name]) => name !== '' && name !== key.slice(3))
    const sorted = different.sort(([a], [b]) => (a < b ? -1 : 1))
    const target = `${import.meta.dirname}/../../server/domain/reference/city-names/${language}.json`
    writeFileSync(target, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
    console.log(`${language}: ${sorted.length} cities`)
  }
}

// Our own table

/** After country and city, a column for each language. */
function fromOurTable(): Table {
  const [headings, ...rows] = readFileSync(`${import.meta.dirname}/tables/city-names.csv`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(','))
  return new Map(
    rows.map((row) => [
      `${row[0]} ${row[1]}`,
      namesBy((language) => {
        const column = headings!.indexOf(language)
        if (column < 0) throw new Error(`tables/city-names.csv has no column ${language}.`)
        return row[column]!
      }),
    ]),
  )
}

const namesBy = (nameIn: (language: Language) => string): Names =>
  Object.fromEntries(LANGUAGES.map((language) => [language, nameIn(language)]))

// CLDR

interface Zones {
  [part: string]: Zones | string
}

/** The city that stands for each zone; without one, CLDR takes it from the zone's name. */
function exemplarCities(folder: string, language: string): (zone: string) => string {
  const text = readFileSync(`${folder}/main/${language}/timeZoneNames.json`, 'utf8')
  const { zone: zones } = JSON.parse(text).main[language].dates.timeZoneNames as { zone: Zones }
  return (zone) => {
    const parts = zone.split('/')
    const found = parts.reduce<Zones | string | undefined>(
      (in_, part) => (typeof in_ === 'object' ? in_[part] : undefined),
      zones,
    )
    const city = typeof found === 'object' ? found['exemplarCity'] : undefined
    const name = typeof city === 'string' ? city : parts.at(-1)!.replaceAll('_', ' ')
    return name.replaceAll('\u00ad', '')
  }
}

/** Cities with airline service that CLDR names in English as the reference set does, in their own zone. */
function fromCldr(folder: string): Table {
  const english = exemplarCities(folder, 'en')
  const cities = new Map(LANGUAGES.map((language) => [language, exemplarCities(folder, language)]))
  const table: Table = new Map()
  for (const { country, municipality, timezone, importance } of readAirports()) {
    if (importance < SERVED || municipality === null || plain(english(timezone)) !== plain(municipality))
      continue
    const names = namesBy((language) => cities.get(language)!(timezone))
    table.set(`${country} ${municipality}`, names)
  }
  return table
}

const plain = (name: string) =>
  unaccented(name)
    .replace(/[^a-z]/gi, '')
    .toLowerCase()

interface Airport {
  country: string
  municipality: string | null
  timezone: string
  importance: number
}

function readAirports(): Airport[] {
  const file = readFileSync(`${import.meta.dirname}/../../server/services/reference/data/airports.json.gz`)
  const { count, columns } = JSON.parse(gunzipSync(file).toString())
  return Array.from({ length: count }, (_, i) => ({
    country: columns.country[i],
    municipality: columns.municipality[i],
    timezone: columns.timezone[i],
    importance: columns.importance[i],
  }))
}

main(process.argv[2])
