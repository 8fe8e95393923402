// Finds the airport that a text in a file means on the day of the flight, and the question to ask if that is not certain.

import { distanceKm } from '../../../domain/geo/geo.ts'
import type { ImportWarning, QuestionKind } from '../../../domain/imports/imports.ts'
import { meaningOfAll, ofCode } from '../../../domain/reference/by-code.ts'
import { airportCode, type Days, daysOf } from '../../../domain/reference/code-periods.ts'
import { nearNamesakes } from '../../../domain/reference/place-choice.ts'
import type { Resolution } from '../../../domain/reference/resolution.ts'
import { isWord, resolve as resolveIn } from '../../../domain/reference/resolve.ts'
import { isStation } from '../../../domain/reference/stations.ts'
import { type Airport, listAirportsNear, mapAirports } from '../../../store/reference/records.ts'
import { airports, createIndex, type Source } from '../../reference/resolve/records.ts'
import type { Named, SourceFlight } from '../reading/source.ts'

interface Point {
  lat: number
  lon: number
}

export interface Place {
  airport: Airport | null
  warnings: ImportWarning[]
  /** Blocks the row until answered. */
  question?: { kind: QuestionKind; value: string; candidates: readonly Airport[] }
  /** The place is a railway station. */
  isStation?: true
  /** Found by this name, which these airports have too. */
  byName?: { name: string; namesakes: readonly Airport[] }
}

/** The maximum distance of a track's first or last point from the airport. */
const NEAR_KM = 10
/** A point this near to one of two records with the same name decides between them. */
const SAME_PLACE_KM = 20

export type PlaceField = 'fromId' | 'toId' | 'plannedToId'

export interface Places {
  /** Looks up all places that these flights name. */
  prepare(flights: readonly SourceFlight[], extra?: Iterable<Named>): Promise<void>
  /** `field` is the field named in warnings. */
  resolve(named: Named | null, point: Point | undefined, days: Days, field: PlaceField): Place
  /** Asks about a place that was found by name if a namesake is near the other end of the flight. */
  apart(place: Place, other: Place): Place
  /** An airport by id; only for airports in answers and choices. */
  byId(id: number): Airport | undefined
  near(point: Point): readonly Airport[]
  /** Everything that a text may mean, best first. */
  matches(named: Named): readonly Airport[]
}

export async function createPlaces(
  source: Source,
  today: string,
  answeredIds: readonly number[],
): Promise<Places> {
  const index = createIndex(source, airports, true)
  const kind = airports.table
  const known = await mapAirports(source.db, answeredIds)
  const nearby = new Map<string, readonly Airport[]>()
  const now = daysOf(today)
  const meaningOf = (code: string, days: Days) => ofCode(index, code, { kind, days })
  const holdersOf = (code: string) => index.byCode(code).records

  /** Names are only looked up if the codes may not decide. */
  const isUndecided = (named: Named): boolean =>
    named.codes.every((code) => holdersOf(code).length > 1 || meaningOf(code, now).outcome !== 'found')

  async function prepare(flights: readonly SourceFlight[], extra: Iterable<Named> = []) {
    const all = [...flights.flatMap(({ from, to, plannedTo }) => [from, to, plannedTo ?? null]), ...extra]
    const texts = new Set(all.filter((named) => named !== null))
    await index.prepareCodes([...texts].flatMap((named) => named.codes))
    await index.prepare([...texts].filter(isOneWord).map(({ text }) => text))
    await index.prepareNames([...texts].filter(isUndecided).flatMap((named) => named.name ?? named.text))
    for (const { fromPoint, toPoint } of flights)
      for (const point of [fromPoint, toPoint])
        if (point && !nearby.has(pointKey(point)))
          nearby.set(pointKey(point), await airportsAround(source, point))
  }

  function resolve(named: Named | null, point: Point | undefined, days: Days, field: PlaceField): Place {
    if (!named) return atPoint(point)
    const byCode = meaningOfCodes(named.codes, days)
    // A single word may be a town as well as a code.
    const word =
      isOneWord(named) && byCode.outcome === 'found'
        ? resolveIn(index, named.text, { kind, days, strictness: 'text' })
        : undefined
    if (word?.outcome === 'ambiguous') return oneOf(word.candidates, { ...named, name: named.text }, field)
    if (word?.outcome === 'found') return found(word, named, days, field)
    if (byCode.outcome === 'found') return found(byCode, named, days, field)
    const byName = resolveIn(index, named.name ?? named.text, { kind, days, strictness: 'name' })
    const candidates = byCode.outcome === 'ambiguous' ? byCode.candidates : null
    if (byName.outcome === 'found' && (!candidates || isConfirmed(byName.record, candidates, named)))
      return found(byName, named, days, field)
    const several = candidates ?? (byName.outcome === 'ambiguous' ? byName.candidates : null)
    if (several) return oneOf(several, named, field)
    if (named.codes.length > 0 && named.codes.every((code) => isStation(code) || isOnPass(code, named)))
      return { airport: null, warnings: [], isStation: true }
    return question('unknown_airport', named.text, [])
  }

  /** `Berlin / Brandenburg (BER/EDDB)` is today's name next to today's codes and says nothing about an earlier day. */
  function isConfirmed({ id }: Airport, candidates: readonly Airport[], named: Named): boolean {
    if (!candidates.some((airport) => airport.id === id)) return false
    const byName = resolveIn(index, named.name ?? named.text, { kind, days: now, strictness: 'name' })
    const byCode = meaningOfCodes(named.codes, now)
    return byCode.outcome !== 'found' || byName.outcome !== 'found' || byCode.record.id !== byName.record.id
  }

  /** Codes with digits are often made up, so they only count if no other code means anything. */
  function meaningOfCodes(all: readonly string[], days: Days): Resolution<Airport> {
    for (const code of all) {
      const meaning = meaningOf(code, days)
      if (meaning.outcome === 'found' && meaning.record.custom) return meaning
    }
    const letters = all.some((code) => /\d/.test(code)) ? all.filter((code) => !/\d/.test(code)) : all
    const meaning = meaningOfAll(index, letters, { kind, days }, now)
    return meaning.outcome === 'found' || letters.length === all.length
      ? meaning
      : meaningOfAll(index, all, { kind, days }, now)
  }

  function found(
    meaning: Extract<Resolution<Airport>, { outcome: 'found' }>,
    named: Named,
    days: Days,
    field: PlaceField,
  ): Place {
    const { record, warning, isByName, namesakes = [] } = meaning
    const warnings: ImportWarning[] = []
    if (isByName) warnings.push({ code: 'airport_by_name', field, value: named.text })
    if (warning) warnings.push({ code: warning, field, value: airportCode(record) })
    else if (!isByName && hasMoved(named.codes, record, days))
      warnings.push({ code: 'airport_moved', field, value: named.text })
    const name = named.name ?? named.text
    return { airport: record, warnings, ...(namesakes.length > 0 && { byName: { name, namesakes } }) }
  }

  function apart(place: Place, { airport: other }: Place): Place {
    const { airport, byName } = place
    if (!airport || !byName || !other) return place
    const near = nearNamesakes(airport, byName.namesakes, (one) => distanceKm(one, other))
    return near.length === 0 ? place : question('ambiguous_airport', byName.name, [...near, airport])
  }

  /** Whether one of the codes means another airport today. */
  const hasMoved = (all: readonly string[], { id }: Airport, days: Days): boolean =>
    days.last < today &&
    all.some((code) => {
      if (holdersOf(code).length < 2) return false
      const meaning = meaningOf(code, now)
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
    apart,
    byId: (id) => known.get(id),
    near: (point) => nearby.get(pointKey(point)) ?? [],
    matches: (named) => index.byName(named.name ?? named.text).matches,
  }
}

/** Whether the text is a single word, so that nothing confirms that it is a code. */
const isOneWord = ({ text, codes, name }: Named): boolean =>
  name === null && codes.length === 1 && isWord(text) && text.toUpperCase() === codes[0]

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

/** A seaplane base beside an airfield is the less likely one of the two. */
const SEAPLANES_KM = 3

/** Open airports around a point, nearest first; heliports and balloon ports last. */
async function airportsAround({ db }: Source, point: Point): Promise<readonly Airport[]> {
  const found = await listAirportsNear(db, { latitude: point.lat, longitude: point.lon }, AROUND_KM)
  const rank = ({ type }: Airport) => Number(type === 'heliport' || type === 'balloonport')
  return found
    .filter(({ type }) => type !== 'closed')
    .map((airport) => ({
      airport,
      km: kilometres(point, airport) + (airport.type === 'seaplane_base' ? SEAPLANES_KM : 0),
    }))
    .sort((a, b) => rank(a.airport) - rank(b.airport) || a.km - b.km)
    .slice(0, AROUND_AT_MOST)
    .map(({ airport }) => airport)
}
