// What the process counts about itself, in Prometheus' terms. Counting is an increment on an array that was looked up
// when the route was declared; everything else happens when somebody asks.
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import type { ResponseCache } from '../base/response-cache.ts'
import type { PoolUse } from '../store/engine.ts'
import type { Store } from '../store/store.ts'

export interface Sample {
  suffix?: string
  labels: Record<string, string>
  value: number
}
/** One metric with all its series; plain data, so that processes can hand it to each other. */
export interface Family {
  name: string
  type: 'counter' | 'gauge' | 'histogram'
  help: string
  samples: Sample[]
}

export interface RequestCounter {
  count(status: number, milliseconds: number): void
}

export interface Metrics {
  /** The counter of one operation; ask once, when its route is declared. */
  requestsOf(operation: string): RequestCounter
  countFailedSignIn(): void
  /** The same store, with its transactions counted. */
  watch(store: Store): Store
  read(cache: ResponseCache, pool: PoolUse | undefined): Family[]
  stop(): void
}

type LagMonitor = ReturnType<typeof monitorEventLoopDelay>

/** Seconds; from a page out of the cache to an export of a whole instance. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
const LAG_RESOLUTION_MS = 20

export function createMetrics(): Metrics {
  const operations = new Map<string, ReturnType<typeof createRequests>>()
  const transactions = { done: createHistogram(), failed: 0 }
  let failedSignIns = 0
  let lag: LagMonitor | undefined

  return {
    requestsOf(operation) {
      let requests = operations.get(operation)
      if (!requests) {
        requests = createRequests()
        operations.set(operation, requests)
      }
      return requests
    },
    countFailedSignIn() {
      failedSignIns++
    },
    watch: (store) => ({
      ...store,
      async transaction(work) {
        const began = performance.now()
        try {
          return await store.transaction(work)
        } catch (error) {
          transactions.failed++
          throw error
        } finally {
          transactions.done.observe((performance.now() - began) / 1000)
        }
      },
    }),
    read(cache, pool) {
      const watched = lag
      // From the first question on: nobody pays for it who never asks.
      lag ??= monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS })
      if (!watched) lag.enable()
      return [
        ...requestFamilies(operations),
        ...transactionFamilies(transactions),
        ...cacheFamilies(cache),
        single(
          'contrail_sign_in_failures_total',
          'counter',
          'Sign-ins refused: wrong name or password, or too many attempts.',
          failedSignIns,
        ),
        ...poolFamilies(pool),
        ...processFamilies(),
        ...lagFamilies(watched),
      ]
    },
    stop: () => void lag?.disable(),
  }
}

function createHistogram() {
  const counts = new Float64Array(BOUNDS.length + 1)
  let sum = 0
  return {
    observe(seconds: number) {
      let bucket = 0
      while (bucket < BOUNDS.length && seconds > BOUNDS[bucket]!) bucket++
      counts[bucket]!++
      sum += seconds
    },
    samples(labels: Record<string, string>): Sample[] {
      let total = 0
      const buckets = [...counts].map((count, index) => {
        total += count
        const le = index < BOUNDS.length ? String(BOUNDS[index]) : '+Inf'
        return { suffix: '_bucket', labels: { ...labels, le }, value: total }
      })
      return [...buckets, { suffix: '_sum', labels, value: sum }, { suffix: '_count', labels, value: total }]
    },
  }
}

function createRequests() {
  const byClass = new Float64Array(6)
  const durations = createHistogram()
  return {
    byClass,
    durations,
    count(status: number, milliseconds: number) {
      byClass[Math.trunc(status / 100)]!++
      durations.observe(milliseconds / 1000)
    },
  }
}

/** Every operation from the start on: a rate over a series that appears with its first error would miss that error. */
function requestFamilies(operations: ReadonlyMap<string, ReturnType<typeof createRequests>>): Family[] {
  const all = [...operations]
  return [
    {
      name: 'contrail_requests_total',
      type: 'counter',
      help: 'Finished requests by operation and class of status.',
      samples: all.flatMap(([operation, { byClass }]) =>
        [...byClass].flatMap((value, index) =>
          index >= 2 || value > 0 ? [{ labels: { operation, status: `${index}xx` }, value }] : [],
        ),
      ),
    },
    {
      name: 'contrail_request_duration_seconds',
      type: 'histogram',
      help: 'From the head of a request to the last byte of its answer.',
      samples: all.flatMap(([operation, { durations }]) => durations.samples({ operation })),
    },
  ]
}

const poolFamilies = ({ inUse, idle, waiting }: PoolUse = { inUse: 0, idle: 0, waiting: 0 }): Family[] => [
  single('contrail_database_connections_in_use', 'gauge', 'Connections to PostgreSQL at work.', inUse),
  single('contrail_database_connections_idle', 'gauge', 'Connections to PostgreSQL kept open.', idle),
  single('contrail_database_waiting', 'gauge', 'Callers waiting for a connection to PostgreSQL.', waiting),
]

const transactionFamilies = ({
  done,
  failed,
}: {
  done: ReturnType<typeof createHistogram>
  failed: number
}) => [
  {
    name: 'contrail_store_transaction_seconds',
    type: 'histogram' as const,
    help: 'Write transactions, waiting for their turn included.',
    samples: done.samples({}),
  },
  single('contrail_store_transactions_failed_total', 'counter', 'Write transactions rolled back.', failed),
]

const cacheFamilies = (cache: ResponseCache): Family[] => [
  single('contrail_cache_hits_total', 'counter', 'Answers found finished in memory.', cache.hits),
  single('contrail_cache_misses_total', 'counter', 'Answers that had to be made.', cache.misses),
  single('contrail_cache_bytes', 'gauge', 'Bytes of finished answers in memory.', cache.bytes),
]

function processFamilies(): Family[] {
  const { rss, heapUsed, external } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  const { active } = performance.eventLoopUtilization()
  return [
    single('process_resident_memory_bytes', 'gauge', 'Resident memory.', rss),
    single('contrail_heap_used_bytes', 'gauge', 'JavaScript heap in use.', heapUsed),
    single('contrail_external_memory_bytes', 'gauge', 'Buffers outside the heap.', external),
    single('process_cpu_seconds_total', 'counter', 'CPU time.', (user + system) / 1e6),
    single('process_start_time_seconds', 'gauge', 'When it started.', performance.timeOrigin / 1000),
    single('contrail_event_loop_busy_seconds_total', 'counter', 'Time spent at work.', active / 1000),
  ]
}

/** Since the previous question; a sample includes the time it was meant to wait. */
function lagFamilies(lag: LagMonitor | undefined): Family[] {
  const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - LAG_RESOLUTION_MS / 1000) || 0
  const samples = [
    { labels: { quantile: '0.5' }, value: lag ? seconds(lag.percentile(50)) : 0 },
    { labels: { quantile: '0.99' }, value: lag ? seconds(lag.percentile(99)) : 0 },
    { labels: { quantile: '1' }, value: lag ? seconds(lag.max) : 0 },
  ]
  lag?.reset()
  const help = 'How late the event loop ran since the previous scrape.'
  return [{ name: 'contrail_event_loop_lag_seconds', type: 'gauge', help, samples }]
}

export const single = (name: string, type: Family['type'], help: string, value: number): Family => ({
  name,
  type,
  help,
  samples: [{ labels: {}, value }],
})

/** Several processes as one document: each sample says which process it is from. */
export function joinFamilies(processes: ReadonlyMap<string, readonly Family[]>): Family[] {
  const joined = new Map<string, Family>()
  for (const [worker, families] of processes) {
    for (const family of families) {
      const into = joined.get(family.name) ?? { ...family, samples: [] }
      joined.set(family.name, into)
      for (const sample of family.samples) {
        into.samples.push({ ...sample, labels: { worker, ...sample.labels } })
      }
    }
  }
  return [...joined.values()]
}

/** Prometheus' text format, version 0.0.4. */
export const metricsText = (families: readonly Family[]): string =>
  families
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, type, help, samples }) =>
      [
        `# HELP ${name} ${help}`,
        `# TYPE ${name} ${type}`,
        ...samples.map((sample) => line(name, sample)),
        '',
      ].join('\n'),
    )
    .join('')

function line(name: string, { suffix = '', labels, value }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}=${JSON.stringify(text)}`)
  return `${name}${suffix}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}`
}
