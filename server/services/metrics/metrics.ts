// Metrics of one process, with prom-client. Each app has its own registry; the standard metrics of the process (`process_*`,
// `nodejs_*`) share one registry.
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client'
import type { ResponseCache } from '../../base/response/cache.ts'
import type { PoolUse } from '../../store/engine/engine.ts'
import type { Store } from '../../store/store.ts'

/** One metric with all its series; plain data, so that processes can send it to each other. */
export type Family = MetricObjectWithValues<MetricValue<string>>

interface RequestCounter {
  count(status: number, milliseconds: number): void
}

export interface Metrics {
  /** The counter of a group of operations; fetch it once, when the route is declared. */
  requestsOf(group: string): RequestCounter
  countFailedSignIn(): void
  /** Wraps a store to count its transactions. */
  watch(store: Store): Store
  read(cache: ResponseCache, pool: PoolUse | undefined): Promise<Family[]>
  stop(): void
}

/** In seconds, from a cached page to the export of a whole instance. Each bound is a series for every group of operations. */
const buckets = [0.001, 0.0025, 0.01, 0.025, 0.1, 0.25, 1, 2.5, 10]

/** `readOthers`: metrics of the process that are counted elsewhere. */
export function createMetrics(readOthers: () => Promise<Family[]>): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const requests = createRequests(registers)
  const transactions = createTransactions(registers)
  const signInFailures = new Counter({
    name: 'contrail_sign_in_failures_total',
    help: 'Sign-ins refused: wrong name, password or code, a refused passkey, or too many attempts.',
    registers,
  })
  const readCache = createCacheMetrics(registers)
  const readPool = createPoolMetrics(registers)
  addProcessMetrics(registers)
  const lag = createLagMetrics(registers)
  return {
    requestsOf: requests.of,
    countFailedSignIn: () => signInFailures.inc(),
    watch: transactions.watch,
    async read(cache, pool) {
      readCache(cache)
      readPool(pool)
      lag.read()
      const durations = await requests.read()
      const families = await Promise.all([
        registry.getMetricsAsJSON(),
        durations,
        readOthers(),
        nodeRegistry().getMetricsAsJSON(),
      ])
      return families.flat()
    },
    stop: lag.stop,
  }
}

/**
 * These list handles and requests with private functions of Node, which abort the process (an assertion in
 * `AsyncWrap::GetOwner`) if one of them is being closed. `nodejs_active_resources` does the same with a public function.
 */
const unsafe = ['handles', 'requests'].flatMap((what) => [
  `nodejs_active_${what}`,
  `nodejs_active_${what}_total`,
])

let known: Registry | undefined

/**
 * The library's standard metrics. They describe the process, not the app, and their collectors cannot be stopped. So there is one
 * set, started by the first scrape, which does not keep the process running.
 */
function nodeRegistry(): Registry {
  if (!known) {
    known = new Registry()
    collectDefaultMetrics({ register: known, eventLoopMonitoringPrecision: LAG_RESOLUTION_MS })
    for (const name of unsafe) known.removeSingleMetric(name)
  }
  return known
}

type Registers = Registry[]

/** The counts of one group of operations. */
interface Counts {
  /** Responses by the first digit of their status. */
  byClass: number[]
  /** Requests by the lowest bound that covers their duration; the last entry is for longer ones. */
  byBound: number[]
  seconds: number
}

const DURATIONS = 'contrail_request_duration_seconds'

/** Every response is counted, so counting only increments numbers, which become metrics on a scrape. */
function createRequests(registers: Registers) {
  const counter = new Counter({
    name: 'contrail_requests_total',
    help: 'Finished requests by group of operations and class of status.',
    labelNames: ['group', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: DURATIONS,
    help: 'From the head of a request to the last byte of its response.',
    labelNames: ['group'],
    buckets,
    registers: [],
  })
  const groups = new Map<string, Counts>()
  const countsOf = (group: string): Counts => {
    const counts = groups.get(group) ?? {
      byClass: Array(6).fill(0),
      byBound: Array(buckets.length + 1).fill(0),
      seconds: 0,
    }
    groups.set(group, counts)
    return counts
  }
  const of = (group: string): RequestCounter => {
    const counts = countsOf(group)
    return {
      count(status, milliseconds) {
        const seconds = milliseconds / 1000
        let bound = 0
        while (bound < buckets.length && seconds > buckets[bound]!) bound++
        counts.byClass[Math.trunc(status / 100)]! += 1
        counts.byBound[bound]! += 1
        counts.seconds += seconds
      },
    }
  }
  const read = async (): Promise<Family> => {
    counter.reset()
    for (const [group, { byClass }] of groups) {
      byClass.forEach((count, digit) => {
        // All series exist from the start: the rate of a series that appears with its first error would miss that error.
        if (digit >= 2 || count > 0) counter.inc({ group, status: `${digit}xx` }, count)
      })
    }
    const values = [...groups].flatMap(([group, counts]) => samplesOf(DURATIONS, group, counts))
    return { ...(await durations.get()), values }
  }
  return { of, read }
}

/** A series of a histogram in the library's form: each bucket includes the lower ones. */
function samplesOf(
  name: string,
  group: string,
  { byBound, seconds }: Counts,
): (Family['values'][number] & { metricName: string })[] {
  let sum = 0
  const below = byBound.map((count, i) => {
    sum += count
    return { metricName: `${name}_bucket`, labels: { le: buckets[i] ?? '+Inf', group }, value: sum }
  })
  return [
    ...below,
    { metricName: `${name}_sum`, labels: { group }, value: seconds },
    { metricName: `${name}_count`, labels: { group }, value: sum },
  ]
}

function createTransactions(registers: Registers) {
  const durations = new Histogram({
    name: 'contrail_store_transaction_seconds',
    help: 'Write transactions, waiting for their turn included.',
    buckets,
    registers,
  })
  const failures = new Counter({
    name: 'contrail_store_transactions_failed_total',
    help: 'Write transactions rolled back.',
    registers,
  })
  const watch = (store: Store): Store => ({
    ...store,
    async transaction(work) {
      const startedAt = performance.now()
      try {
        return await store.transaction(work)
      } catch (error) {
        failures.inc()
        throw error
      } finally {
        durations.observe((performance.now() - startedAt) / 1000)
      }
    },
  })
  return { watch }
}

/** Sets a counter whose value is counted outside of the library. */
export function setCounter(counter: Counter, value: number): void {
  counter.reset()
  counter.inc(value)
}

function createCacheMetrics(registers: Registers): (cache: ResponseCache) => void {
  const hits = new Counter({
    name: 'contrail_cache_hits_total',
    help: 'Responses found finished in memory.',
    registers,
  })
  const misses = new Counter({
    name: 'contrail_cache_misses_total',
    help: 'Responses that had to be made.',
    registers,
  })
  const bytes = new Gauge({
    name: 'contrail_cache_bytes',
    help: 'Bytes of finished responses in memory.',
    registers,
  })
  return (cache) => {
    setCounter(hits, cache.hits)
    setCounter(misses, cache.misses)
    bytes.set(cache.bytes)
  }
}

function createPoolMetrics(registers: Registers): (pool: PoolUse | undefined) => void {
  const inUse = new Gauge({
    name: 'contrail_database_connections_in_use',
    help: 'Connections to PostgreSQL that run a query.',
    registers,
  })
  const idle = new Gauge({
    name: 'contrail_database_connections_idle',
    help: 'Connections to PostgreSQL kept open.',
    registers,
  })
  const waiting = new Gauge({
    name: 'contrail_database_waiting',
    help: 'Callers waiting for a connection to PostgreSQL.',
    registers,
  })
  return (pool) => {
    inUse.set(pool?.inUse ?? 0)
    idle.set(pool?.idle ?? 0)
    waiting.set(pool?.waiting ?? 0)
  }
}

function addProcessMetrics(registers: Registers): void {
  new Gauge({
    name: 'contrail_heap_used_bytes',
    help: 'JavaScript heap in use.',
    registers,
    collect() {
      this.set(process.memoryUsage().heapUsed)
    },
  })
  new Gauge({
    name: 'contrail_external_memory_bytes',
    help: 'Buffers outside the heap.',
    registers,
    collect() {
      this.set(process.memoryUsage().external)
    },
  })
  new Counter({
    name: 'contrail_event_loop_busy_seconds_total',
    help: 'Time in which the event loop was busy.',
    registers,
    collect() {
      setCounter(this, performance.eventLoopUtilization().active / 1000)
    },
  })
}

const LAG_RESOLUTION_MS = 20

/** Measured only after the first scrape, so an instance without scrapes has no cost. */
function createLagMetrics(registers: Registers) {
  const monitor = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS })
  const gauge = new Gauge({
    name: 'contrail_event_loop_lag_seconds',
    help: 'How late the event loop ran since the previous scrape.',
    labelNames: ['quantile'],
    registers,
  })
  // A sample includes the intended wait of the monitor.
  const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - LAG_RESOLUTION_MS / 1000) || 0
  return {
    read() {
      const isRunning = !monitor.enable()
      gauge.set({ quantile: '0.5' }, isRunning ? seconds(monitor.percentile(50)) : 0)
      gauge.set({ quantile: '0.99' }, isRunning ? seconds(monitor.percentile(99)) : 0)
      gauge.set({ quantile: '1' }, isRunning ? seconds(monitor.max) : 0)
      monitor.reset()
    },
    stop: () => void monitor.disable(),
  }
}

/** Joins the metrics of several processes; each sample is labelled with its process. */
export const joinFamilies = (processes: ReadonlyMap<string, readonly Family[]>): Family[] =>
  [...processes].flatMap(([worker, families]) =>
    families.map((family) => ({
      ...family,
      values: family.values.map((value) => ({ ...value, labels: { worker, ...value.labels } })),
    })),
  )

/** Prometheus' text format, version 0.0.4. Families with the same name are merged; samples without a value are left out. */
export async function metricsText(families: readonly Family[]): Promise<string> {
  const written = families.map((family) => ({
    ...family,
    // No two samples have the same labels, so nothing is summed.
    aggregator: 'sum',
    values: family.values
      .filter(({ value }) => !Number.isNaN(value))
      .map((value) => ({ ...value, labels: boundLast(value.labels) })),
  }))
  const text = await AggregatorRegistry.aggregate([written]).metrics()
  return text.replaceAll(/\n{2,}/g, '\n')
}

/** Puts the bound of a bucket after the other labels. */
function boundLast({ le, ...labels }: Family['values'][number]['labels']) {
  return le === undefined ? labels : { ...labels, le }
}
