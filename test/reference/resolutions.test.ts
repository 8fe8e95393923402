// log-flight search-flights: what each caller of the resolver makes of a text. resolutions.tsv has every line of some texts, and for
// a sample of the reference set the number of lines and a hash of them by caller. It was written by the resolvers of November 2026,
// when one function replaced them: of 294,212 lines that were compared then, and of 260,885 lines of 20,800 texts chosen evenly from
// the 55,554 codes and names of the set that were compared later, none differed. UPDATE=1 writes it: read the difference, and name
// here what you accept. A new reference set changes lines, too. The rules themselves: test/reference/resolve.test.ts.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { onSqlite } from '../harness.ts'
import { type Given, linesOf, openResolving } from './resolutions.ts'

const texts: Record<Given['kind'], string> = {
  airport:
    'CPH EKCH HKG IST BER LON OSL QQQ cph Kos Lima Bar lima|callao Frankfurt|(FRA) CPH|(Kastrup) EKCH/CPH ' +
    'ENGM/OSL HKG/VHHH EDDB/SXF HIW Paris|(JFK) Newark London London,|Ontario Reading Tegel Kreta New|York|JFK copenhagn',
  airline: 'SK SAS LH AZ EA ITA klm Sun Jet Ryan Lufthansa National Air Swiss|International Qwrtzuiop',
  aircraft: 'A320 320 77W 737 Boeing|777 Concorde dreamliner bae|146',
}

const given = Object.entries(texts).flatMap(([kind, all]) =>
  all.split(' ').map((text): Given => ({ kind: kind as Given['kind'], text: text.replaceAll('|', ' ') })),
)

/** Every so many records give their codes and their name. */
const samples: [kind: Given['kind'], sql: string][] = [
  [
    'airport',
    'select iata, icao, name, municipality from airport where iata is not null and id % 211 = 3 order by id',
  ],
  ['airline', 'select iata, icao, name from airline where id % 97 = 3 order by id'],
  ['aircraft', 'select icao, name from aircraft where id % 53 = 3 order by id'],
]

onSqlite('resolutions', (app) => {
  test('every caller makes of a text what it made of it before', async () => {
    const resolving = await openResolving(app())
    const lines: string[] = []
    for await (const line of linesOf(resolving, given)) lines.push(line)
    const sample: Given[] = []
    for (const [kind, sql] of samples)
      for (const row of await app().store.read.query(sql, []))
        sample.push(...Object.values(row).flatMap((text) => (text ? { kind, text: String(text) } : [])))
    const hashes = new Map<string, { count: number; hash: ReturnType<typeof createHash> }>()
    for await (const line of linesOf(resolving, sample)) {
      const caller = line.slice(0, line.indexOf('\t'))
      const kept = hashes.get(caller) ?? { count: 0, hash: createHash('sha256') }
      kept.count++
      kept.hash.update(`${line}\n`)
      hashes.set(caller, kept)
    }
    for (const [caller, { count, hash }] of hashes)
      lines.push(`sample\t${caller}\t${count}\t\t${hash.digest('hex').slice(0, 16)}`)
    const file = new URL('./resolutions.tsv', import.meta.url)
    if (process.env['UPDATE']) writeFileSync(file, `${lines.join('\n')}\n`)
    assert.deepEqual(lines, readFileSync(file, 'utf8').trimEnd().split('\n'))
  })
})
