// The city an airport serves, its names in other languages, and its city code.
import { storedFold, unaccented } from '../../server/domain/text/fold.ts'
import { type City, readCities, readOpenTravelData, readTable, type SourceAirport } from './sources.ts'

export interface ServedCity {
  /** The displayed city; the municipality's own name if no city is known. */
  name: string
  otherNames: string[]
}

/** A city further away than this lends the airport its code, but not its name: Hahn is not in Frankfurt. */
const FARTHEST_KM = 66
/** A town of at least this share of the city's inhabitants keeps its name: Bodrum, not Milas; but London, not Luton. */
const TOWN_OF_ITS_OWN = 0.25
const MAX_NAMES = 120
const MAX_NAME_LENGTH = 40

/** City rows of OpenTravelData: those with a C in the second part of `CDG-A-6269554` or `PAR-C-2988507`. */
interface Places {
  /** GeoNames ids of the city by city code. */
  citiesByCode: Map<string, string[]>
  cityCodesByAirport: Map<string, string[]>
}

function readPlaces(): Places {
  const places: Places = { citiesByCode: new Map(), cityCodesByAirport: new Map() }
  for (const { pk, city_code } of readOpenTravelData<'pk' | 'city_code'>('optd_por_best_known_so_far')) {
    const [iata = '', kind = '', geonamesId = ''] = pk.split('-')
    if (kind.includes('C')) {
      const known = places.citiesByCode.get(iata)
      if (known) known.push(geonamesId)
      else places.citiesByCode.set(iata, [geonamesId])
    }
    if (/[AH]/.test(kind)) places.cityCodesByAirport.set(iata, city_code.split(','))
  }
  return places
}

export interface Cities {
  /** The codes are those that the airport has or had, the best known first. */
  servedBy(row: SourceAirport, codes: string[]): ServedCity
  /** The codes for booking the airport's city, including its own. */
  codesOf(iata: string): string[]
}

export function openCities(): Cities {
  const cities = readCities()
  const places = readPlaces()
  const named = new Map(readTable<'iata' | 'city'>('cities').map(({ iata, city }) => [iata, city]))
  const towns = townsByName(cities)

  /** The cities of the airport's own code if it has some, else of the first code that it shares. */
  function citiesOf(row: SourceAirport, iata: string): City[] {
    const codes = places.cityCodesByAirport.get(iata) ?? [iata]
    const code = codes.includes(iata) ? iata : (codes[0] ?? '')
    return (places.citiesByCode.get(code) ?? [])
      .map((id) => cities.get(id))
      .filter((city) => city !== undefined)
      .filter((city) => kilometres(row, city) <= FARTHEST_KM)
      .sort((a, b) => b.population - a.population)
  }

  function nameOf(row: SourceAirport, city: City | undefined): string {
    const town = plain(row.municipality)
    if (!city || town === '') return city ? withoutTranscription(city.name) : town
    if (namesOf(city).has(storedFold(town))) return town
    const ownTown = (towns.get(storedFold(town)) ?? []).find((t) => kilometres(row, t) <= FARTHEST_KM)
    return ownTown && ownTown.population >= city.population * TOWN_OF_ITS_OWN
      ? town
      : withoutTranscription(city.name)
  }

  return {
    servedBy(row, codes) {
      const served = codes.map((code) => citiesOf(row, code)).find((found) => found.length > 0) ?? []
      const name = named.get(row.iata_code) ?? nameOf(row, served[0])
      const original = [row.municipality, ...row.municipality.split(/[,(/)]/)].map((part) => part.trim())
      const names = served.flatMap((city) => [city.name, ...city.otherNames])
      return {
        name,
        otherNames: distinct([...original, ...names.filter(isName)], [name]).slice(0, MAX_NAMES),
      }
    },
    codesOf: (iata) => places.cityCodesByAirport.get(iata) ?? [],
  }
}

/** "Manchester, Greater Manchester", "Milan (Ferno)" and "Raleigh/Durham" without the part after the city. */
const plain = (municipality: string) => (municipality.split(/[,(/]/)[0] ?? '').trim()

/** Herāt and Ōdate are written Herat and Odate in English; Málaga and København are not transcribed. */
const withoutTranscription = (name: string) =>
  /[āēīōūḑḩẕ‘’\u0060]/i.test(name) ? unaccented(name).replace(/[‘’\u0060]/g, '') : name

const namesOf = (city: City) => new Set([city.name, ...city.otherNames].map(storedFold))

function townsByName(cities: Map<string, City>): Map<string, City[]> {
  const towns = new Map<string, City[]>()
  for (const city of cities.values()) {
    const key = storedFold(city.name)
    const known = towns.get(key)
    if (known) known.push(city)
    else towns.set(key, [city])
  }
  return towns
}

/** GeoNames mixes names with codes, with transcriptions (all in lower case) and with two names in one. */
function isName(name: string): boolean {
  return (
    name.length >= (/\p{Script=Latin}/u.test(name) ? 3 : 2) &&
    name.length <= MAX_NAME_LENGTH &&
    !/^[A-Z]{2,4}$|^[a-z'`]|[\d()[\]"/;:]| - /.test(name)
  )
}

/** Each name once, folded for searches, and none of those known already. */
export function distinct(names: string[], known: (string | null)[]): string[] {
  const seen = new Set(known.map((name) => storedFold(name ?? '')))
  return names.filter((name) => {
    const key = storedFold(name)
    if (key === '' || seen.has(key)) return false
    seen.add(key)
    return true
  })
}

function kilometres(row: SourceAirport, city: City): number {
  const radians = Math.PI / 180
  const latitude = Number(row.latitude_deg)
  const north = Math.sin(((city.latitude - latitude) * radians) / 2) ** 2
  const east = Math.sin(((city.longitude - Number(row.longitude_deg)) * radians) / 2) ** 2
  const parallels = Math.cos(latitude * radians) * Math.cos(city.latitude * radians)
  return 12_742 * Math.asin(Math.sqrt(north + parallels * east))
}
