// Several processes on one port. The primary process prepares the store, starts the workers, replaces those that end,
// and stops them all before it exits; only the workers serve requests.
import cluster, { type Worker } from 'node:cluster'
import type { Logger } from '../base/log.ts'
import { MINUTE } from '../domain/time/durations.ts'
import { type Family, joinFamilies } from '../services/metrics/metrics.ts'

/** What the primary process sends to a worker when it starts. */
interface WorkerSettings {
  number: number
  port: number
  setupToken: string | undefined
}

type ToWorker =
  | { kind: 'start'; settings: WorkerSettings }
  | { kind: 'listen' }
  | { kind: 'read metrics'; id: number }
  | { kind: 'metrics of all'; id: number; processes: [string, Family[]][] }
type ToPrimary =
  | { kind: 'prepared' }
  | { kind: 'ready' }
  | { kind: 'request metrics of all'; id: number }
  | { kind: 'metrics'; id: number; families: Family[] }

const FIRST_DELAY_MS = 100
const LONGEST_DELAY_MS = 30_000
/** A worker that ran this long did not fail at start-up. */
const STABLE_AFTER_MS = MINUTE
const METRICS_TIMEOUT_MS = 1_000

interface Workers {
  /** Waits until all workers have finished their requests. False if one failed or had to be killed. */
  stop(withinMs: number): Promise<boolean>
}

interface Slot {
  number: number
  worker: Worker | undefined
  failures: number
  timer?: NodeJS.Timeout
}

interface Plan {
  count: number
  port: number
  setupToken: string | undefined
  log: Logger
  /** Frees the port when the first worker is about to listen: from then on, every process that accepts requests serves them. */
  releasePort(): Promise<void>
  /** The metrics of this process, which serves no requests. */
  readOwnMetrics(): Promise<Family[]>
}

/** Starts the workers and waits until all of them serve. Throws if one exits before that. */
export async function startWorkers(plan: Plan): Promise<Workers> {
  const { count, port, setupToken, log, readOwnMetrics } = plan
  const slots: Slot[] = Array.from({ length: count }, (_, i) => ({
    number: i + 1,
    worker: undefined,
    failures: 0,
  }))
  let stopping = false
  let failed = false
  const { promise: allReady, resolve, reject } = Promise.withResolvers<void>()
  const ready = new Set<Slot>()
  let released: Promise<void> | undefined

  function start(slot: Slot): void {
    const worker = cluster.fork()
    slot.worker = worker
    const startedAt = performance.now()
    sendTo(worker, { kind: 'start', settings: { number: slot.number, port, setupToken } })
    worker.on('message', (message: ToPrimary) => {
      if (message.kind === 'prepared') {
        released ??= plan.releasePort()
        released.then(() => sendTo(worker, { kind: 'listen' }), reject)
      } else if (message.kind === 'ready') {
        log.info('worker ready', { worker: slot.number, pid: worker.process.pid })
        ready.add(slot)
        if (ready.size === count) resolve()
      } else if (message.kind === 'request metrics of all') {
        void sendMetricsOfAll(worker, message.id, slots, readOwnMetrics)
      }
    })
    worker.on('exit', (code, signal) => ended(slot, code, signal, performance.now() - startedAt))
  }

  function ended(slot: Slot, code: number, signal: string | null, ranMs: number): void {
    slot.worker = undefined
    if (stopping) {
      failed ||= code !== 0
      return
    }
    if (ready.size < count) {
      reject(new Error('a worker could not start'))
      return
    }
    slot.failures = ranMs < STABLE_AFTER_MS ? slot.failures + 1 : 0
    const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** slot.failures)
    log.error('worker ended; starting another', { worker: slot.number, code, signal, inMs: delay })
    slot.timer = setTimeout(start, delay, slot)
  }

  async function stop(withinMs: number): Promise<boolean> {
    stopping = true
    for (const slot of slots) clearTimeout(slot.timer)
    const running = slots.flatMap(({ worker }) => worker ?? [])
    const exits = running.map((worker) => new Promise((done) => worker.once('exit', done)))
    for (const worker of running) worker.process.kill('SIGTERM')
    const tooLate = setTimeout(() => {
      failed = true
      for (const worker of running) worker.process.kill('SIGKILL')
    }, withinMs)
    await Promise.all(exits)
    clearTimeout(tooLate)
    return !failed
  }

  for (const slot of slots) start(slot)
  try {
    await allReady
    return { stop }
  } catch (error) {
    await stop(METRICS_TIMEOUT_MS)
    throw error
  }
}

/** Sending to a worker that has exited fails; its exit is handled where it was started. */
const sendTo = (worker: Worker, message: ToWorker) => void worker.send(message, () => {})

let requests = 0

/** Collects the metrics of every worker and of the primary process; a process that does not respond in time is left out. */
async function sendMetricsOfAll(
  receiver: Worker,
  receiverId: number,
  slots: readonly Slot[],
  readOwnMetrics: Plan['readOwnMetrics'],
): Promise<void> {
  const id = ++requests
  const readings = slots.flatMap(({ worker, number }) =>
    worker ? readMetricsOf(worker, id).then((families) => [String(number), families] as const) : [],
  )
  const processes = (await Promise.all(readings)).flatMap(([number, families]): [string, Family[]][] =>
    families ? [[number, families]] : [],
  )
  processes.push(['primary', await readOwnMetrics()])
  sendTo(receiver, { kind: 'metrics of all', id: receiverId, processes })
}

function readMetricsOf(worker: Worker, id: number): Promise<Family[] | undefined> {
  return new Promise((resolve) => {
    const finish = (families?: Family[]) => {
      clearTimeout(timer)
      worker.off('message', onMessage)
      resolve(families)
    }
    const onMessage = (message: ToPrimary) => {
      if (message.kind === 'metrics' && message.id === id) finish(message.families)
    }
    const timer = setTimeout(finish, METRICS_TIMEOUT_MS)
    worker.on('message', onMessage)
    sendTo(worker, { kind: 'read metrics', id })
  })
}

// In a worker:

interface PrimaryConnection {
  settings: WorkerSettings
  /** Reports that this worker can serve, and waits until it may listen. */
  mayListen(): Promise<void>
  /** Reports that this worker serves. */
  ready(): void
  /** From now on the primary process calls `read` to get this worker's metrics. */
  provideMetrics(read: () => Promise<Family[]>): void
  /** This worker's metrics together with those of all others. */
  joinMetrics(own: Family[]): Promise<readonly Family[]>
}

/** A worker's connection to the primary process. */
export async function connectToPrimary(): Promise<PrimaryConnection> {
  const settings = await new Promise<WorkerSettings>((resolve) => {
    process.once('message', (message: ToWorker) => {
      if (message.kind === 'start') resolve(message.settings)
    })
  })
  const waiting = new Map<number, (families: readonly Family[]) => void>()
  let read: () => Promise<Family[]> = async () => []
  process.on('message', (message: ToWorker) => {
    if (message.kind === 'read metrics') {
      // On an error nothing is sent, and the primary process leaves this worker out.
      void read().then(
        (families) => sendToPrimary({ kind: 'metrics', id: message.id, families }),
        () => {},
      )
    } else if (message.kind === 'metrics of all') {
      waiting.get(message.id)?.(joinFamilies(new Map(message.processes)))
    }
  })
  return {
    settings,
    mayListen() {
      const permission = new Promise<void>((resolve) => {
        process.on('message', (message: ToWorker) => message.kind === 'listen' && resolve())
      })
      sendToPrimary({ kind: 'prepared' })
      return permission
    },
    ready: () => sendToPrimary({ kind: 'ready' }),
    provideMetrics(reader) {
      read = reader
    },
    joinMetrics(own) {
      const id = ++requests
      return new Promise<readonly Family[]>((resolve) => {
        const alone = () => resolve(joinFamilies(new Map([[String(settings.number), own]])))
        const timer = setTimeout(alone, 2 * METRICS_TIMEOUT_MS)
        waiting.set(id, (families) => {
          clearTimeout(timer)
          resolve(families)
        })
        sendToPrimary({ kind: 'request metrics of all', id })
      }).finally(() => waiting.delete(id))
    },
  }
}

/** If the primary process has exited, this worker is about to exit too. */
const sendToPrimary = (message: ToPrimary) => void process.send!(message, undefined, undefined, () => {})
