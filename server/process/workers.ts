// Several processes on one port. The first one prepares the store, starts the others, starts a new one where one
// ended, and takes them all along when it leaves; only the others serve.
import cluster, { type Worker } from 'node:cluster'
import type { Logger } from '../base/log.ts'
import { type Family, joinFamilies } from '../metrics/metrics.ts'

/** What a process that serves has to know and cannot find out. */
export interface Briefing {
  number: number
  port: number
  setupToken: string | undefined
}

type ToWorker =
  | { kind: 'start'; briefing: Briefing }
  | { kind: 'read metrics'; question: number }
  | { kind: 'metrics of all'; question: number; processes: [string, Family[]][] }
type ToPrimary =
  | { kind: 'ready'; address: string }
  | { kind: 'ask metrics'; question: number }
  | { kind: 'metrics'; question: number; families: Family[] }

const FIRST_DELAY_MS = 100
const LONGEST_DELAY_MS = 30_000
/** Who ran this long did not fail at the start. */
const SOUND_AFTER_MS = 60_000
const METRICS_WITHIN_MS = 1_000

export interface Workers {
  address: string
  /** Waits until all have finished what they were at. False if one had to be killed or failed. */
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
}

/**
 * On Linux every process has a queue of its own at the port, and the kernel fills them evenly. Where Node hands
 * connections over instead, one that is on its way to a process that crashes would hang for ever.
 */
export const sharesPort = process.platform === 'linux'

/** Starts the processes and waits until all of them serve. Throws if one ends before that. */
export async function startWorkers({ count, port, setupToken, log }: Plan): Promise<Workers> {
  const slots: Slot[] = Array.from({ length: count }, (_, i) => ({
    number: i + 1,
    worker: undefined,
    failures: 0,
  }))
  let stopping = false
  let failed = false
  const { promise: allReady, resolve, reject } = Promise.withResolvers<string>()
  const ready = new Set<Slot>()

  function start(slot: Slot): void {
    const worker = cluster.fork()
    slot.worker = worker
    const startedAt = performance.now()
    tell(worker, { kind: 'start', briefing: { number: slot.number, port, setupToken } })
    worker.on('message', (message: ToPrimary) => {
      if (message.kind === 'ready') {
        log.info('worker ready', { worker: slot.number, pid: worker.process.pid })
        ready.add(slot)
        if (ready.size === count) resolve(message.address)
      } else if (message.kind === 'ask metrics') {
        void answerMetrics(worker, message.question, slots)
      }
    })
    worker.on('exit', (code, signal) => ended(slot, code, signal, performance.now() - startedAt))
  }

  function ended(slot: Slot, code: number, signal: string | null, livedMs: number): void {
    slot.worker = undefined
    if (stopping) {
      failed ||= code !== 0
      return
    }
    if (ready.size < count) {
      reject(new Error('a worker could not start'))
      return
    }
    slot.failures = livedMs < SOUND_AFTER_MS ? slot.failures + 1 : 0
    const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** slot.failures)
    log.error('worker ended; another one takes its place', { worker: slot.number, code, signal, inMs: delay })
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
    return { address: await allReady, stop }
  } catch (error) {
    await stop(METRICS_WITHIN_MS)
    throw error
  }
}

const tell = (worker: Worker, message: ToWorker) => void worker.send(message, () => {})

let questions = 0

/** Asks every process; one that does not answer in time is left out. */
async function answerMetrics(asker: Worker, theirs: number, slots: readonly Slot[]): Promise<void> {
  const question = ++questions
  const readings = slots.flatMap(({ worker, number }) =>
    worker ? readMetricsOf(worker, question).then((families) => [String(number), families] as const) : [],
  )
  const processes = (await Promise.all(readings)).flatMap(([number, families]): [string, Family[]][] =>
    families ? [[number, families]] : [],
  )
  tell(asker, { kind: 'metrics of all', question: theirs, processes })
}

function readMetricsOf(worker: Worker, question: number): Promise<Family[] | undefined> {
  return new Promise((resolve) => {
    const finish = (families?: Family[]) => {
      clearTimeout(timer)
      worker.off('message', onMessage)
      resolve(families)
    }
    const onMessage = (message: ToPrimary) => {
      if (message.kind === 'metrics' && message.question === question) finish(message.families)
    }
    const timer = setTimeout(finish, METRICS_WITHIN_MS)
    worker.on('message', onMessage)
    tell(worker, { kind: 'read metrics', question })
  })
}

// The side of a process that serves

export interface Post {
  briefing: Briefing
  /** Tells the first process that this one serves. */
  ready(address: string): void
  answerMetrics(read: () => Family[]): void
  /** This process's metrics and those of all its siblings. */
  joinMetrics(own: Family[]): Promise<readonly Family[]>
}

/** The line to the first process, or undefined if this is it. */
export async function openPost(): Promise<Post | undefined> {
  if (!cluster.isWorker) return undefined
  const briefing = await new Promise<Briefing>((resolve) => {
    process.once('message', (message: ToWorker) => {
      if (message.kind === 'start') resolve(message.briefing)
    })
  })
  const waiting = new Map<number, (families: readonly Family[]) => void>()
  let read: () => Family[] = () => []
  const tellPrimary = (message: ToPrimary) => void process.send!(message, undefined, undefined, () => {})
  process.on('message', (message: ToWorker) => {
    if (message.kind === 'read metrics') {
      tellPrimary({ kind: 'metrics', question: message.question, families: read() })
    } else if (message.kind === 'metrics of all') {
      waiting.get(message.question)?.(joinFamilies(new Map(message.processes)))
    }
  })
  return {
    briefing,
    ready: (address) => tellPrimary({ kind: 'ready', address }),
    answerMetrics(reader) {
      read = reader
    },
    joinMetrics(own) {
      const question = ++questions
      return new Promise<readonly Family[]>((resolve) => {
        const alone = () => resolve(joinFamilies(new Map([[String(briefing.number), own]])))
        const timer = setTimeout(alone, 2 * METRICS_WITHIN_MS)
        waiting.set(question, (families) => {
          clearTimeout(timer)
          resolve(families)
        })
        tellPrimary({ kind: 'ask metrics', question })
      }).finally(() => waiting.delete(question))
    },
  }
}
