// Every airport with airline service by its codes, its name and its city in every language of the app, as a file of flights would
// write it: the airport itself, another one of that name, or a question, and never a place elsewhere.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { distanceKm } from '../../server/domain/geo/geo.ts'
import { languages } from '../../server/domain/languages.ts'
import { cityName } from '../../server/domain/reference/cities.ts'
import { cityNames } from '../../server/domain/reference/city-names.ts'
import { daysOf } from '../../server/domain/reference/code-periods.ts'
import { SERVED } from '../../server/domain/reference/place-choice.ts'
import { searchFold } from '../../server/domain/text/fold.ts'
import { namesIn } from '../../server/domain/text/search-text.ts'
import { createPlaces, type Places } from '../../server/services/imports/drafting/places.ts'
import { airportNamed } from '../../server/services/imports/values/named.ts'
import { REFERENCE, readRevisions } from '../../server/store/engine/revisions.ts'
import { type Airport, findAirports } from '../../server/store/reference/records.ts'
import { findSearchTexts } from '../../server/store/reference/search-texts.ts'
import { onSqlite } from '../harness.ts'
import { isLong } from '../rounds.ts'

const today = '2026-11-18'
const days = daysOf(today)
/** The everyday run takes a part of the names. */
const EVERY = isLong ? 1 : 24
const NEIGHBOURS_KM = 150

onSqlite('every place', (app) => {
  let served: Airport[]
  let places: Places
  before(async () => {
    const db = app().store.read
    const rows = await db.query(
      `select id from airport where importance >= ${SERVED} and iata is not null and type <> 'closed' order by id`,
      [],
    )
    served = await findAirports(
      db,
      rows.map(({ id }) => Number(id)),
    )
    const [revision = 0] = await readRevisions(db, [REFERENCE])
    places = await createPlaces({ db, reference: app().services.reference, revision }, today, [])
  })

  /** What each text is taken as; null: asked. */
  async function taken(texts: readonly string[]): Promise<Map<string, Airport | null>> {
    const named = texts.map((text) => airportNamed(text))
    await places.prepare(named.map((from) => ({ date: null, from, to: null })))
    return new Map(
      texts.map((text, i) => [text, places.resolve(named[i]!, undefined, days, 'fromId').airport]),
    )
  }

  test('by code', async () => {
    // A few have no ICAO code and are listed as `MH-AUL`.
    const codesOf = ({ iata, icao }: Airport) => [iata!, icao].filter((code) => /^[A-Z0-9]{3,4}$/.test(code))
    const found = await taken(served.flatMap(codesOf))
    const faults = served.flatMap((airport) =>
      codesOf(airport).filter((code) => found.get(code)?.id !== airport.id),
    )
    assert.ok(served.length > 4000)
    assert.deepEqual(faults, [])
  })

  test('by name and by city, in every language', async () => {
    const given = new Map<string, Airport[]>()
    for (const airport of served)
      for (const name of [
        airport.name,
        airport.municipality,
        ...languages.map((language) => cityName(airport, cityNames[language])),
      ])
        if (name) given.set(name, [...(given.get(name) ?? []), airport])
    const names = [...given.keys()].filter((_, i) => i % EVERY === 0)
    const found = await taken(names)
    const records = [...new Map([...found.values()].flatMap((one) => (one ? [[one.id, one]] : []))).values()]
    const texts = await findSearchTexts(
      app().store.read,
      'airport',
      records.map(({ id }) => id),
    )
    const namesOf = new Map(texts.map(({ id, search }) => [id, namesIn(search)]))
    /** The city or the airport is called so: not only a region or a part of a name. */
    const isCalled = ({ id }: Airport, name: string) =>
      [name, name.replace(/(?: International)? Airport$/, '')].some((one) =>
        namesOf.get(id)!.includes(searchFold(one)),
      )
    const faults = names.flatMap((name) => {
      const one = found.get(name)
      if (!one || isCalled(one, name)) return []
      const isThere = given.get(name)!.some((airport) => distanceKm(airport, one) <= NEIGHBOURS_KM)
      return isThere ? [] : [`${name}: ${one.iata ?? one.icao} ${one.name}`]
    })
    assert.deepEqual(faults, [])
    const right = names.filter((name) => given.get(name)!.some(({ id }) => id === found.get(name)?.id))
    assert.ok(right.length > names.length * 0.85, `only ${right.length} of ${names.length} are taken`)
  })
})
