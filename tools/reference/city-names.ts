// Generates server/domain/reference/city-names/de.json and fr.json: what German and French readers call the cities of the reference set.
// From the exemplar cities of Unicode CLDR (npm package cldr-dates-full, which the argument names) and from our own table
// tables/city-names.csv, which wins. Needs no other package. The same source gives the same bytes.
//
//   npm pack cldr-dates-full@48.2.0 && tar -xzf cldr-dates-full-48.2.0.tgz
//   npm run city-names -- package
import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

const LANGUAGES = ['de', 'fr'] as const
/** From this importance on, an airport has scheduled flights. */
const SERVED = 20_000

interface Names {
  de: string
  fr: string
}
/** By country and city as the reference set writes them: `IT Rome`. An empty name is the same as in the set. */
type Table = Map<string, Names>

function main(cldr: string | undefined): void {
  if (cldr === undefined) throw new Error('Name the folder of the unpacked package cldr-dates-full.')
  const table: Table = new Map([...fromCldr(cldr), ...fromOurTable()])
  for (const language of LANGUAGES) {
    const names = [...table].map(([key, of]) => [key, of[language]] as const)
    const different = names.filter(([key, name]) => name !== '' && name !== key.slice(3))
    const sorted = different.sort(([a], [b]) => (a < b ? -1 : 1))
    const target = `${import.meta.dirname}/../../server/domain/reference/city-names/${language}.json`
    writeFileSync(target, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
    console.log(`${language}: ${sorted.length} cities`)
  }
}

// Our own table

function fromOurTable(): Table {
  const lines = readFileSync(`${import.meta.dirname}/tables/city-names.csv`, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
  return new Map(
    lines.map((line) => {
      const [country, city, de = '', fr = ''] = line.split(',')
      return [`${country} ${city}`, { de, fr }]
    }),
  )
}

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
  const [en, de, fr] = (['en', ...LANGUAGES] as const).map((language) => exemplarCities(folder, language))
  const table: Table = new Map()
  for (const { country, municipality, timezone, importance } of readAirports()) {
    if (importance < SERVED || municipality === null || plain(en!(timezone)) !== plain(municipality)) continue
    table.set(`${country} ${municipality}`, { de: de!(timezone), fr: fr!(timezone) })
  }
  return table
}

const plain = (name: string) =>
  name
    .normalize('NFKD')
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
