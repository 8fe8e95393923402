// Every text is used by a screen, and every language has the same texts.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { flightFieldNames } from '../../../server/domain/flight-fields.ts'
import { flight as deFlight } from './de/flight.ts'
import { history as deHistory } from './de/history.ts'
import { imports as deImports } from './de/imports.ts'
import { de } from './de/index.ts'
import { insights as deInsights } from './de/insights.ts'
import { line as deLine } from './de/line.ts'
import { list as deList } from './de/list.ts'
import { people as dePeople } from './de/people.ts'
import { scan as deScan } from './de/scan.ts'
import { settingsPages as deSettings } from './de/settings-pages.ts'
import { stats as deStats } from './de/stats.ts'
import { time as deTime } from './de/time.ts'
import { trips as deTrips } from './de/trips.ts'
import { visited as deVisited } from './de/visited.ts'
import { flight as enFlight } from './en/flight.ts'
import { waiting as deWaiting } from './de/waiting.ts'
import { history as enHistory } from './en/history.ts'
import { imports as enImports } from './en/imports.ts'
import { en } from './en/index.ts'
import { insights as enInsights } from './en/insights.ts'
import { line as enLine } from './en/line.ts'
import { list as enList } from './en/list.ts'
import { people as enPeople } from './en/people.ts'
import { reasons as enReasons } from './en/reasons.ts'
import { scan as enScan } from './en/scan.ts'
import { settingsPages as enSettings } from './en/settings-pages.ts'
import { stats as enStats } from './en/stats.ts'
import { time as enTime } from './en/time.ts'
import { trips as enTrips } from './en/trips.ts'
import { visited as enVisited } from './en/visited.ts'
import { waiting as enWaiting } from './en/waiting.ts'

const root = join(import.meta.dirname, '..')
const sources = globSync('**/*.{ts,svelte}', { cwd: root })
  .filter((file) => !/\.test\.ts$|\.d\.ts$|^testing\/|^i18n\/(?:en|de)\//.test(file))
  .map((file) => readFileSync(join(root, file), 'utf8'))

const quoted = /(?<quote>['"`])(?<text>[\w+-]+(?:\.[\w+-]+)+)\k<quote>/g
/** A template that begins like a key: `backups.state.${state}`. */
const template = /`(?<text>\w+\.(?:[\w.+-]|\$\{[^{}`]*\})*)`/g

function textsOf(pattern: RegExp): Set<string> {
  const found = sources.flatMap((source) => [...source.matchAll(pattern)])
  return new Set(found.map(({ groups }) => groups!['text']!))
}

/** Matches all keys that a template can build. `${field}` is a field of a flight: `flight.` and `form.` have many others. */
function keysBuiltBy(text: string): RegExp {
  const parts = text.split(/\$\{([^}]*)\}/).map((part, i) => {
    if (i % 2 === 0) return part.replace(/[.+]/g, '\\$&')
    return part === 'field' ? `(?:${flightFieldNames.join('|')})` : '.+'
  })
  return new RegExp(`^${parts.join('')}$`)
}

test('every text is used', () => {
  const names = textsOf(quoted)
  const built = [...textsOf(template)].filter((text) => /\$\{(?!string\})/.test(text)).map(keysBuiltBy)
  assert.ok(names.size > 300 && built.length > 10, 'the sources are read')
  const unused = Object.keys({
    ...en,
    ...enFlight,
    ...enHistory,
    ...enImports,
    ...enInsights,
    ...enLine,
    ...enList,
    ...enPeople,
    ...enReasons,
    ...enScan,
    ...enSettings,
    ...enStats,
    ...enTime,
    ...enTrips,
    ...enVisited,
    ...enWaiting,
  }).filter((key) => !names.has(key) && !built.some((pattern) => pattern.test(key)))
  assert.deepEqual(unused, [])
})

test('every language has the same keys', () => {
  assert.deepEqual(Object.keys(de).sort(), Object.keys(en).sort())
  assert.deepEqual(Object.keys(deFlight).sort(), Object.keys(enFlight).sort())
  assert.deepEqual(Object.keys(deHistory).sort(), Object.keys(enHistory).sort())
  assert.deepEqual(Object.keys(deInsights).sort(), Object.keys(enInsights).sort())
  assert.deepEqual(Object.keys(deImports).sort(), Object.keys(enImports).sort())
  assert.deepEqual(Object.keys(dePeople).sort(), Object.keys(enPeople).sort())
  assert.deepEqual(Object.keys(deScan).sort(), Object.keys(enScan).sort())
  assert.deepEqual(Object.keys(deLine).sort(), Object.keys(enLine).sort())
  assert.deepEqual(Object.keys(deList).sort(), Object.keys(enList).sort())
  assert.deepEqual(Object.keys(deStats).sort(), Object.keys(enStats).sort())
  assert.deepEqual(Object.keys(deTime).sort(), Object.keys(enTime).sort())
  assert.deepEqual(Object.keys(deTrips).sort(), Object.keys(enTrips).sort())
  assert.deepEqual(Object.keys(deVisited).sort(), Object.keys(enVisited).sort())
  assert.deepEqual(Object.keys(deWaiting).sort(), Object.keys(enWaiting).sort())
  assert.deepEqual(Object.keys(deSettings).sort(), Object.keys(enSettings).sort())
})
