// What each command runs. `npm test` (quick) is for every change: all rules, every server suite on SQLite, the contract on
// PostgreSQL, and the journeys that people live by. `npm run test:rest` adds the other suites on PostgreSQL, the other journeys,
// the screens and the running processes; `npm run test:all` is both. `npm run test:faults` is everything with long rounds. What is in
// test/image needs containers and a minute or two: `npm run test:image`, `npm run test:package`.
import { globSync, readFileSync, statSync } from 'node:fs'

export const gears = ['quick', 'rest', 'all', 'faults'] as const
export type Gear = (typeof gears)[number]

/** Files that run in one process, one after the other. */
export interface Batch {
  name: string
  files: readonly string[]
  /** The engine of suites that run on both, unless they run on both here. */
  engine?: 'sqlite' | 'postgres'
  /** Only journeys of this kind; all if absent. */
  journeys?: 'everyday' | 'other'
  /** Of PostgreSQL: every transaction is serializable, or every tenth statement is aborted in favour of another. */
  conflicts?: 'serializable' | 'aborted'
}

/** Suites that depend on the engine: dialect, locks, isolation, bulk, import commit, upgrade, backup. */
const postgresContract = new Set([
  'test/callers.test.ts',
  'test/changes-model.test.ts',
  'test/lanes.test.ts',
  'test/instance/backups.test.ts',
  'test/flights/bulk.test.ts',
  'test/history/changes.test.ts',
  'test/flights/conditions.test.ts',
  'test/flights/created-flights.test.ts',
  'test/flights/external-ids.test.ts',
  'test/flights/find-flights.test.ts',
  'test/history/history.test.ts',
  'test/large-ids.test.ts',
  'test/door/idempotency-effects.test.ts',
  'test/door/idempotency.test.ts',
  'test/door/repeated-reads.test.ts',
  'test/imports/commit.test.ts',
  'test/flights/long-logs.test.ts',
  'test/entry/reads-before-writes.test.ts',
  'test/people/roles.test.ts',
  'test/accounts/users.test.ts',
  'test/operator/backup.test.ts',
  'test/operator/upgrade.test.ts',
  'test/paging.test.ts',
  'test/refusals.test.ts',
  'test/store.test.ts',
  'test/unavailable.test.ts',
])

/** Each of these needs a process alone. */
const alone = new Set<string>([])

const find = (pattern: string) => globSync(pattern).sort()
const textOf = (file: string) => readFileSync(file, 'utf8')
const isIn = (folder: string) => (file: string) => file.startsWith(`test/${folder}/`)
const [isJourney, isRunning, isFault, isImage] = ['e2e', 'running', 'faults', 'image'].map(isIn) as [
  IsIn,
  IsIn,
  IsIn,
  IsIn,
]
type IsIn = ReturnType<typeof isIn>

const serverSuites = () =>
  find('test/**/*.test.ts').filter(
    (file) => !isJourney(file) && !isRunning(file) && !isFault(file) && !isImage(file),
  )
const journeys = () => find('test/e2e/*.test.ts')
const hasEveryday = (file: string) => /\beveryday\(/.test(textOf(file))
const isOnBoth = (file: string) => /\b(?:onBothEngines\(|of engines)/.test(textOf(file))

const plans: Record<Gear, () => Batch[]> = {
  quick: () => [
    ...split('journeys', journeys().filter(hasEveryday), 2, { journeys: 'everyday' }),
    ...split('on PostgreSQL', [...postgresContract], 2, { engine: 'postgres' }),
    ...split('on SQLite', serverSuites(), 9, { engine: 'sqlite' }),
    ...split('rules of the web app', find('web/src/**/*.test.ts'), 1),
  ],
  rest: () => [
    ...split('journeys', journeys(), 8, { journeys: 'other' }),
    ...split('running processes', find('test/running/*.test.ts'), 6),
    ...split('on PostgreSQL', serverSuites().filter(isLeftForPostgres), 6, { engine: 'postgres' }),
  ],
  all: () => [...plans.rest(), ...plans.quick()],
  faults: () => [
    ...split('faults', find('test/**/*.test.ts').filter(hasLongRounds), Number.POSITIVE_INFINITY),
    ...(['serializable', 'aborted'] as const).flatMap((conflicts) =>
      split(conflicts, [...postgresContract], 2, { engine: 'postgres', conflicts }),
    ),
  ],
}

const isLeftForPostgres = (file: string) => isOnBoth(file) && !postgresContract.has(file)
const hasLongRounds = (file: string) => isFault(file) || /\bisLong\b/.test(textOf(file))

export const planOf = (gear: Gear): Batch[] => plans[gear]()

/** Batches of about the same size, and one for each file that must run alone. */
function split(name: string, files: readonly string[], count: number, how: Partial<Batch> = {}): Batch[] {
  const together = files.filter((file) => !alone.has(file))
  const parts = Array.from({ length: Math.min(count, together.length) }, () => ({
    size: 0,
    files: [] as string[],
  }))
  const bySize = together.map((file) => ({ file, size: statSync(file).size })).sort((a, b) => b.size - a.size)
  for (const { file, size } of bySize) {
    const smallest = parts.reduce((a, b) => (b.size < a.size ? b : a))
    smallest.files.push(file)
    smallest.size += size
  }
  const single = files.filter((file) => alone.has(file)).map((file) => [file])
  return [...parts.map((part) => part.files), ...single].map((part, i) => ({
    name: `${name} ${i + 1}`,
    files: part,
    ...how,
  }))
}

/** What `npm run test:rest` adds to `npm test`, in words. */
export function describeRest(): string {
  const onPostgres = serverSuites().filter(isLeftForPostgres).length
  return (
    `npm run test:rest adds ${onPostgres} suites on PostgreSQL, the other journeys of ${journeys().length} files, ` +
    `every screen with axe, and ${find('test/running/*.test.ts').length} files with running processes.`
  )
}
