// The table of searches (test/data/searches.csv): typed texts, and the expected first results. Every row on SQLite, some on
// PostgreSQL, where the index is the same and only its texts are read differently.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, test } from 'node:test'
import { onBothEngines } from '../harness.ts'

const FIRST = 95
const AMONG_THREE = 99

interface Row {
  kind: 'airport' | 'airline' | 'aircraft'
  group: string
  query: string
  expected: string
}
const rows = readFileSync(new URL('../data/searches.csv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line): Row => {
    const [kind, group, query, expected] = line.split(',') as [Row['kind'], string, string, string]
    return { kind, group, query, expected }
  })

interface Found {
  name: string
  icao: string | null
  iata?: string | null
  formerCodes?: string[]
}

const isCode = (word: string) => /^[A-Z0-9]{2,4}$|^[A-Z]{2}-\d+$/.test(word)

/** See test/data/README.md: alternatives are codes, any of which is right, or a part of the name. */
const fits = ({ name, icao, iata, formerCodes = [] }: Found, expected: string): boolean =>
  expected.split('|').some((alternative) => {
    const words = alternative.trim().split(' ')
    return words.every(isCode)
      ? words.some((word) => [icao, iata, ...formerCodes].includes(word))
      : name.toLowerCase().includes(alternative.trim().toLowerCase())
  })

const paths = { airport: 'airports', airline: 'airlines', aircraft: 'aircraft' }

onBothEngines('the table of searches', (app, engine) => {
  let key: string
  before(async () => {
    key = await (await app().person()).key(['reference_data.read'])
  })
  const placeOf = async ({ kind, query, expected }: Row): Promise<number> => {
    const path = `/api/v1/${paths[kind]}?query=${encodeURIComponent(query)}`
    const found: Found[] = (await app().request('GET', path, { key })).json.data
    return found.findIndex((record) => fits(record, expected))
  }

  for (const kind of ['airport', 'airline', 'aircraft'] as const) {
    test(`${kind}: results are first and among the first three as recorded`, async (context) => {
      const all = rows.filter((row) => row.kind === kind)
      const some = engine === 'sqlite' ? all : all.filter((_, i) => i % 5 === 0)
      assert.ok(some.length > 20)
      const places: { row: Row; place: number }[] = []
      for (const row of some) places.push({ row, place: await placeOf(row) })
      for (const { row, place } of places) {
        if (place !== 0)
          context.diagnostic(
            `${row.group}: ${row.query} → ${row.expected}: place ${place === -1 ? '–' : place + 1}`,
          )
      }
      const share = (isRight: (place: number) => boolean) =>
        (100 * places.filter(({ place }) => isRight(place)).length) / places.length
      const [first, three] = [share((place) => place === 0), share((place) => place >= 0 && place < 3)]
      context.diagnostic(`${first.toFixed(1)} % first, ${three.toFixed(1)} % among three`)
      // Some rows may have as many misses as the whole table.
      const misses = engine === 'sqlite' ? 0 : 2
      const slack = (100 * misses) / places.length
      assert.ok(first >= FIRST - slack, `${first} % first`)
      assert.ok(three >= AMONG_THREE - slack, `${three} % among three`)
    })
  }
})
