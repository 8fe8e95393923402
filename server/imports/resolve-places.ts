// Which airport a text of a file means on the day of the flight, and what is asked where that is not certain.
import { airportCode, type Days, daysOf } from '../domain/code-periods.ts'
import { distanceKm } from '../domain/geo.ts'
import type { ImportWarning, QuestionKind } from '../domain/imports.ts'
import { isStation } from '../domain/stations.ts'
import { meaningOfAll, prepareCodes, prepareNames, prepareWords } from '../resolve/prepared.ts'
import { airports, type Source } from '../resolve/reference.ts'
import type { Resolution } from '../resolve/resolution.ts'
import { type Airport, findAirports, listAirportsNear } from '../store/reference.ts'
import type { Named, SourceFlight } from './source.ts'

interface Point {
  lat: number
  lon: number
}

export interface Place {
  airport: Airport | null
  warnings: ImportWarning[]
  /** Blocks the row until it is answered. */
  question?: { kind: QuestionKind; value: string; candidates: readonly Airport[] }
  /** It is a railway station. */
  isStation?: true
}

/** The first and last point of a track are this far from the airport at most. */
const NEAR_KM = 10
/** Two records of one name are told apart by a point that is this near to one of them. */
const SAME_PLACE_KM = 20

export type PlaceField = 'fromId' | 'toId' | 'plannedToId'

export interface Places {
  /** Looks up everything that these flights name. */
  prepare(flights: readonly SourceFlight[], extra?: Iterable<Named>): Promise<void>
  /** `field` is what warnings are about. */
  resolve(named: Named | null, point: Point | undefined, days: Days, field: PlaceField): Place
  /** An airport by id, of those that answers and choices name. */
  byId(id: number): Airport | undefined
  near(point: Point): readonly Airport[]
  /** Everything that a text may mean, the best first. */
  matches(named: Named): readonly Airport[]
}

export async function createPlaces(
  source: Source,
  today: string,
  answeredIds: readonly number[],
): Promise<Places> {
  const codes = prepareCodes(source.db, airports)
  const names = prepareNames(source, airports)
  const words = prepareWords(source, airports, codes)
  const known = new Map((await findAirports(source.db, answeredIds)).map((airport) => [airport.id, airport]))
  const nearby = new Map<string, readonly Airport[]>()
  const now = daysOf(today)

  /** Names are looked up only where no code is sure to decide. */
  const isUndecided = (named: Named): boolean =>
    named.codes.every(
      (code) => codes.holders(code).length > 1 || codes.meaning(code, now).outcome !== 'found',
    )

  async function prepare(flights: readonly SourceFlight[], extra: Iterable<Named> = []) {
    const all = [...flights.flatMap(({ from, to, plannedTo }) => [from, to, plannedTo ?? null]), ...extra]
    const texts = new Set(all.filter((named) => named !== null))
    await codes.prepare([...texts].flatMap((named) => named.codes))
    await words.prepare([...texts].filter(isOneWord).map(({ text }) => text))
    await names.prepare([...texts].filter(isUndecided).flatMap((named) => named.name ?? named.text))
    for (const { fromPoint, toPoint } of flights)
      for (const point of [fromPoint, toPoint])
        if (point && !nearby.has(pointKey(point)))
          nearby.set(pointKey(point), await airportsAround(source, point))
  }

  function resolve(named: Named | null, point: Point | undefined, days: Days, field: PlaceField): Place {
    if (!named) return atPoint(point)
    const byCode = meaningOfCodes(named.codes, days)
    // In small letters it may be a town as well as a code.
    const word = isOneWord(named) ? words.meaning(named.text, days) : undefined
    if (word?.outcome === 'ambiguous') return oneOf(word.candidates, { ...named, name: named.text }, field)
    if (word?.outcome === 'found') return found(word, named, days, field)
    if (byCode.outcome === 'found') return found(byCode, named, days, field)
    const byName = names.meaning(named.name ?? named.text, days)
    const candidates = byCode.outcome === 'ambiguous' ? byCode.candidates : null
    if (byName.outcome === 'found' && (!candidates || candidates.some(({ id }) => id === byName.record.id)))
      return found(byName, named, days, field)
    const several = candidates ?? (byName.outcome === 'ambiguous' ? byName.candidates : null)
    if (several) return oneOf(several, named, field)
    if (named.codes.length > 0 && named.codes.every((code) => isStation(code) || isOnPass(code, named)))
      return { airport: null, warnings: [], isStation: true }
    return question('unknown_airport', named.text, [])
  }

  /** Codes with digits are often made up: they count only if no other one means something. */
  function meaningOfCodes(all: readonly string[], days: Days): Resolution<Airport> {
    for (const code of all) {
      const meaning = codes.meaning(code, days)
      if (meaning.outcome === 'found' && meaning.record.custom) return meaning
    }
    const letters = all.some((code) => /\d/.test(code)) ? all.filter((code) => !/\d/.test(code)) : all
    const meaning = meaningOfAll(codes, letters, days, now)
    return meaning.outcome === 'found' || letters.length === all.length
      ? meaning
      : meaningOfAll(codes, all, days, now)
  }

  function found(
    meaning: Extract<Resolution<Airport>, { outcome: 'found' }>,
    named: Named,
    days: Days,
    field: PlaceField,
  ): Place {
    const { record, warning, isByName } = meaning
    const warnings: ImportWarning[] = []
    if (isByName) warnings.push({ code: 'airport_by_name', field, value: named.text })
    if (warning) warnings.push({ code: warning, field, value: airportCode(record) })
    else if (!isByName && hasMoved(named.codes, record, days))
      warnings.push({ code: 'airport_moved', field, value: named.text })
    return { airport: record, warnings }
  }

  /** Whether one of the codes means another airport today. */
  const hasMoved = (all: readonly string[], { id }: Airport, days: Days): boolean =>
    days.last < today &&
    all.some((code) => {
      if (codes.holders(code).length < 2) return false
      const meaning = codes.meaning(code, now)
      return meaning.outcome === 'found' && meaning.record.id !== id && !meaning.warning
    })

  function oneOf(candidates: readonly Airport[], named: Named, field: PlaceField): Place {
    const { point } = named
    const near = point && candidates.filter((airport) => kilometres(point, airport) <= SAME_PLACE_KM)
    if (near?.length === 1)
      return { airport: near[0]!, warnings: [{ code: 'airport_by_name', field, value: named.text }] }
    const value = named.codes.length === 1 && named.name === null ? named.codes[0]! : named.text
    return question('ambiguous_airport', value, candidates)
  }

  function atPoint(point: Point | undefined): Place {
    const all = point ? (nearby.get(pointKey(point)) ?? []) : []
    const [nearest] = all
    if (point && nearest && kilometres(point, nearest) <= NEAR_KM) return { airport: nearest, warnings: [] }
    return question('missing_airport', '', all)
  }

  return {
    prepare,
    resolve,
    byId: (id) => known.get(id),
    near: (point) => nearby.get(pointKey(point)) ?? [],
    matches: (named) => names.matches(named.name ?? named.text),
  }
}

/** Nothing else says that it is a code. */
const isOneWord = ({ text, codes, name }: Named): boolean =>
  name === null && codes.length === 1 && text.toUpperCase() === codes[0]

const isOnPass = (code: string, { mayBeStation }: Named): boolean =>
  mayBeStation === true && /^[QXZ]/.test(code)

const question = (kind: QuestionKind, value: string, candidates: readonly Airport[]): Place => ({
  airport: null,
  warnings: [],
  question: { kind, value, candidates },
})

const pointKey = ({ lat, lon }: Point): string => `${lat.toFixed(4)},${lon.toFixed(4)}`

const kilometres = ({ lat, lon }: Point, airport: Airport): number =>
  distanceKm({ latitude: lat, longitude: lon }, airport)

const AROUND_KM = 60
const AROUND_AT_MOST = 5

/** Open airports around a point, the nearest first; places for helicopters and balloons last. */
async function airportsAround({ db }: Source, point: Point): Promise<readonly Airport[]> {
  const found = await listAirportsNear(db, { latitude: point.lat, longitude: point.lon }, AROUND_KM)
  const rank = ({ type }: Airport) => Number(type === 'heliport' || type === 'balloonport')
  return found
    .filter(({ type }) => type !== 'closed')
    .map((airport) => ({ airport, km: kilometres(point, airport) }))
    .sort((a, b) => rank(a.airport) - rank(b.airport) || a.km - b.km)
    .slice(0, AROUND_AT_MOST)
    .map(({ airport }) => airport)
}
