// Cities in the reader's language: the tables agree with the reference set, and only the intended city has the name.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sphericalMetres } from '../../server/domain/geo/geo.ts'
import { languages as all } from '../../server/domain/languages.ts'
import { cityName } from '../../server/domain/reference/cities.ts'
import { cityNames } from '../../server/domain/reference/city-names.ts'
import { type AirportRecord, shippedSet } from '../../server/services/reference/set.ts'

const airports = shippedSet().airports()
const keyOf = ({ country, municipality }: AirportRecord) => `${country} ${municipality}`
const byKey = Map.groupBy(airports, keyOf)
const busiestOf = (key: string) => byKey.get(key)!.reduce((a, b) => (b.importance > a.importance ? b : a))
/** The reference set is in English. */
const languages = all.filter((language) => language !== 'en')
const tableKeys = new Set(languages.flatMap((language) => Object.keys(cityNames[language])))
/** From this importance on, an airport has scheduled flights. */
const SERVED = 20_000

const called = (icao: string) => {
  const airport = airports.find((one) => one.icao === icao)!
  return [
    airport.municipality,
    ...(['de', 'fr', 'es', 'it'] as const).map((language) => cityName(airport, cityNames[language])),
  ]
}

test('every city of a table is in the reference set, has airline service and differs from English', () => {
  for (const language of languages) {
    assert.ok(Object.keys(cityNames[language]).length > 200)
    for (const [key, name] of Object.entries(cityNames[language])) {
      assert.ok(byKey.has(key), `${language}: the reference set has no ${key}`)
      assert.ok(busiestOf(key).importance >= SERVED, `${language}: no airline flies to ${key}`)
      assert.notEqual(name, key.slice(3), language)
      assert.match(name, /^[\p{L}][\p{L}\p{M}’. -]+$/u, `${language}: ${name}`)
    }
  }
})

test('the 300 busiest cities are in our table or in CLDR', () => {
  const reviewed = readFileSync('tools/reference/tables/city-names.csv', 'utf8').trim().split('\n').slice(1)
  const known = new Set([...tableKeys, ...reviewed.map((row) => row.split(',').slice(0, 2).join(' '))])
  const served = airports.filter(
    ({ municipality, importance, type }) => municipality && importance >= SERVED && type !== 'closed',
  )
  const busiest = [...new Set(served.toSorted((a, b) => b.importance - a.importance).map(keyOf))].slice(
    0,
    300,
  )
  assert.deepEqual(
    busiest.filter((key) => !known.has(key)),
    [],
  )
})

test('the most visited cities have their usual names', () => {
  assert.deepEqual(called('EKCH'), ['Copenhagen', 'Kopenhagen', 'Copenhague', 'Copenhague', 'Copenaghen'])
  assert.deepEqual(called('RJAA'), ['Tokyo', 'Tokio', 'Tokyo', 'Tokio', 'Tokyo'])
  assert.deepEqual(called('EDDM'), ['Munich', 'München', 'Munich', 'Múnich', 'Monaco di Baviera'])
  assert.deepEqual(called('HECA'), ['Cairo', 'Kairo', 'Le Caire', 'El Cairo', 'Il Cairo'])
  assert.deepEqual(called('EGLL'), ['London', 'London', 'Londres', 'Londres', 'Londra'])
  assert.deepEqual(called('ZBAA'), ['Beijing', 'Peking', 'Pékin', 'Pekín', 'Pechino'])
  assert.deepEqual(called('ESSA'), ['Stockholm', 'Stockholm', 'Stockholm', 'Estocolmo', 'Stoccolma'])
})

test('a city of the same name in another country keeps its own name', () => {
  assert.deepEqual(called('LIRQ'), ['Florence', 'Florenz', 'Florence', 'Florencia', 'Firenze'])
  assert.deepEqual(
    called('KFLO'),
    ['Florence', 'Florence', 'Florence', 'Florence', 'Florence'],
    'South Carolina',
  )
  assert.deepEqual(called('KRMG'), ['Rome', 'Rome', 'Rome', 'Rome', 'Rome'], 'Georgia')
  assert.deepEqual(called('CYXU'), ['London', 'London', 'London', 'London', 'London'], 'Ontario')
  assert.deepEqual(called('KAPF'), ['Naples', 'Naples', 'Naples', 'Naples', 'Naples'], 'Florida')
  assert.deepEqual(called('MROC'), ['San José', 'San José', 'San José', 'San José', 'San José'], 'Costa Rica')
  assert.deepEqual(called('KSJC'), ['San Jose', 'San Jose', 'San Jose', 'San Jose', 'San Jose'], 'California')
  const moscow = { municipality: 'Moscow', country: 'US', latitude: 46.7, longitude: -117 }
  assert.equal(cityName(moscow, cityNames.de), 'Moscow', 'Idaho')
})

test('a city of the same name in the same country keeps its own name too', () => {
  assert.deepEqual(called('KPHL'), [
    'Philadelphia',
    'Philadelphia',
    'Philadelphie',
    'Filadelfia',
    'Filadelfia',
  ])
  assert.deepEqual(
    called('KMPE'),
    ['Philadelphia', 'Philadelphia', 'Philadelphia', 'Philadelphia', 'Philadelphia'],
    'Mississippi',
  )
  for (const key of tableKeys) {
    const main = busiestOf(key)
    for (const other of byKey.get(key)!.filter((one) => sphericalMetres(one, main) > 300_000)) {
      for (const language of languages)
        assert.equal(cityName(other, cityNames[language]), other.municipality, `${key}: ${other.icao}`)
    }
    for (const language of languages)
      assert.equal(cityName(main, cityNames[language]), cityNames[language][key] ?? main.municipality, key)
  }
})

test('a place without a city, or in an unknown language, has no other name', () => {
  const place = { country: 'DK', latitude: 0, longitude: 0 }
  assert.equal(cityName({ ...place, municipality: null }, cityNames.de), null)
  for (const municipality of ['constructor', '__proto__', ''])
    assert.equal(cityName({ ...place, municipality }, cityNames.de), municipality)
})
