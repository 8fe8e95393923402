// City names as people write them in five languages: search, line and resolver find the same city.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { openLineData } from '../../server/domain/entry/line/data.ts'
import { readLine } from '../../server/domain/entry/line/read.ts'
import { languages } from '../../server/domain/languages.ts'
import { cityNames as readersNames } from '../../server/domain/reference/city-names.ts'
import { onSqlite } from '../harness.ts'
import { cityNames } from './city-names.ts'
import { calendar, emptyLog } from './known.ts'

const cases = cityNames.flatMap(([codes, names]) =>
  names.split(' ').map((name) => ({ name: name.replaceAll('-', ' '), codes: codes.split(' ') })),
)

onSqlite('names of cities', (app) => {
  let apiKey: string
  let cookie: string
  before(async () => {
    app().clock.set('2026-11-16T12:00:00Z')
    const person = await app().person('role-user')
    apiKey = await person.key()
    cookie = await person.session()
  })
  const found = async (query: string): Promise<(string | null)[]> => {
    const path = `/api/v1/airports?query=${encodeURIComponent(query)}`
    const { data } = (await app().request('GET', path, { key: apiKey })).json
    return data.map(({ iata }: { iata: string | null }) => iata)
  }

  test('a search lists an airport of the city first', async () => {
    for (const { name, codes } of cases) {
      const [first] = await found(name)
      assert.ok(codes.includes(first ?? ''), `${name}: ${first}`)
    }
  })

  test('a name in a line means an airport of the city', async () => {
    const { data } = (await app().request('GET', '/app/api/line-data', { cookie })).json
    const reference = openLineData(data)
    for (const { name, codes } of cases) {
      const { draft } = readLine(`from ${name} to Billund yesterday`, {
        reference,
        memory: emptyLog,
        calendar,
      })
      const iata = reference.airports.byId.get(draft.fromId ?? 0)?.iata
      assert.ok(codes.includes(iata ?? ''), `${name}: ${iata}`)
    }
  })

  /** Keyed by country and city. */
  const shown = languages.flatMap((language) => Object.entries(readersNames[language]))

  test('a line reads city names in the reader’s language', async () => {
    const { data } = (await app().request('GET', '/app/api/line-data', { cookie })).json
    const reference = openLineData(data)
    const keyOf = (id = 0) => {
      const { country, city } = reference.airports.byId.get(id) ?? {}
      return `${country} ${city}`
    }
    const inFile = new Set(Array.from(reference.airports.byId.keys(), keyOf))
    // Florencia in Colombia has the same name in Spanish as Florence.
    const own = shown.filter(([key, name]) => inFile.has(key) && name !== 'Florencia')
    for (const [key, name] of own) {
      const known = { reference, memory: emptyLog, calendar }
      const { draft } = readLine(`from ${name} to Billund yesterday`, known)
      assert.equal(keyOf(draft.fromId), key, name)
    }
  })

  test('a search finds city names in the reader’s language', async () => {
    // Carlsbad in California has the same name in German, Florencia in Colombia in Spanish.
    const some = shown.filter(([, name], i) => i % 3 === 0 && !['Karlsbad', 'Florencia'].includes(name))
    for (const [key, name] of some) {
      const path = `/api/v1/airports?query=${encodeURIComponent(name)}`
      const [first] = (await app().request('GET', path, { key: apiKey })).json.data
      assert.equal(`${first?.country} ${first?.municipality}`, key, name)
    }
  })

  test('a name in a field means the city, or asks which of its airports', async () => {
    const names = ['Lima', 'lima', 'Faro', 'Oran', 'Kobe', 'Zaragoza', 'Roma', 'Nizza', 'Kos', 'Goa', 'Sylt']
    const first: Record<string, string> = {}
    for (const [i, from] of names.entries()) {
      const body = { from, to: 'BLL', date: `2025-03-${10 + i}` }
      const { json } = await app().request('POST', '/api/v1/flights/log', { key: apiKey, body })
      first[from] = json.data?.from.iata ?? json.error.details[0].params.candidates[0].slice(0, 3)
    }
    assert.deepEqual(first, {
      Lima: 'LIM',
      lima: 'LIM',
      Faro: 'FAO',
      Oran: 'ORN',
      Kobe: 'UKB',
      Zaragoza: 'ZAZ',
      Roma: 'FCO',
      Nizza: 'NCE',
      Kos: 'KGS',
      Goa: 'GOI',
      Sylt: 'GWT',
    })
    const log = (body: object) => app().request('POST', '/api/v1/flights/log', { key: apiKey, body })
    const code = await log({ from: 'LIMA', to: 'GOA', date: '2025-04-01' })
    assert.deepEqual([code.json.data.from.icao, code.json.data.to.iata], ['LIMA', 'GOA'], 'codes stay codes')
    const small = await log({ from: 'fco', to: 'goa', date: '2025-04-01' })
    const { path, params } = small.json.error.details[0]
    const asked = params.candidates.map((text: string) => text.slice(0, 3))
    assert.deepEqual([path, asked], [['to'], ['GOI', 'GOA', 'GOX']], 'a code in small letters or a city')
  })

  test('a current city’s name is not used for a distant place', async () => {
    for (const [name, not] of [
      ['Rome', 'IAD'],
      ['Rome', 'DCA'],
      ['Zaragoza', 'TIJ'],
      ['Dili', 'DEL'],
      ['Venice', 'DAY'],
      ['Milan', 'SYR'],
      ['Philadelphia', 'AMM'],
      ['Bridgetown', 'PDX'],
    ] as const)
      assert.ok(!(await found(name)).includes(not), `${name}: ${not}`)
    // Both have that name today.
    assert.ok((await found('Breslau')).includes('WRO') && (await found('Santa Maria')).includes('SMA'))
  })
})
