// The cost of a long log for its owner and for others: CPU and first byte of the first request after a write, and the delay
// of other requests meanwhile. Targets are of issue 18: CPU of statistics, first byte within 100 ms, no pause over 40 ms.
import { load, median, type Request, send, time, waitsDuring } from './load.ts'
import type { Measured } from './processes.ts'
import { createTable, type Table, withTarget } from './report.ts'
import {
  bulk,
  callTool,
  changedFlightOfEach,
  coldPage,
  flightSearch,
  get,
  getInApp,
  type Make,
  newFlight,
  newFlightOfEach,
} from './requests.ts'
import type { Subject, Subjects } from './subjects.ts'

const FIRST_BYTE_MS = 100
const PAUSE_MS = 40
/** CPU of statistics after a write, by the number of flights. */
const statisticsMs: Record<number, number> = { 10000: 20, 100000: 40 }

interface Work {
  name: string
  make: Make
  /** Requests only the changes of the last write. */
  since?: true
  cpuMs?: Record<number, number>
  /** A body that grows with the log: its first byte has a target. */
  isLarge?: true
}

const summary: Make =
  ({ key }) =>
  (i) =>
    callTool(i, key, 'summarize_flights', { dateFrom: '2001-01-01' })
const gzip = { 'accept-encoding': 'gzip' }
const exported = (format: string): Work => ({
  name: `export, ${format}`,
  make: get(`/api/v1/flights/export?format=${format}`),
  isLarge: true,
})

export const works: Work[] = [
  { name: 'statistics', make: get('/api/v1/stats'), cpuMs: statisticsMs },
  { name: 'statistics, legacy', make: get('/api/stats'), cpuMs: statisticsMs },
  { name: 'statistics of a year', make: get('/api/v1/stats?dateFrom=2019-01-01&dateTo=2019-12-31') },
  { name: 'MCP summarize_flights', make: summary },
  { name: 'first page', make: get('/api/v1/flights') },
  { name: 'a page in the middle', make: coldPage('mine') },
  { name: 'flight search', make: flightSearch },
  { name: 'changes, first page', make: get('/api/v1/changes') },
  { name: 'the app’s log, what changed', make: getInApp('/log'), since: true },
  { name: 'the app’s log, whole', make: getInApp('/log'), isLarge: true },
  { name: 'the app’s log, whole, gzip', make: withGzip(getInApp('/log')), isLarge: true },
  { name: 'legacy list', make: get('/api/flight/list'), isLarge: true },
  { name: 'legacy list, gzip', make: get('/api/flight/list', gzip), isLarge: true },
  exported('json'),
  exported('csv'),
  exported('ics'),
  exported('geojson'),
  { name: 'journeys', make: get('/api/v1/journeys') },
  { name: 'check of the log', make: get('/api/v1/flights/check') },
  { name: 'bulk, 500 creates', make: bulk },
]

function withGzip(make: Make): Make {
  return (dataset) => {
    const plain = make(dataset)
    return (i) => ({ ...plain(i), headers: { ...plain(i).headers, ...gzip } })
  }
}

interface LongLogOptions {
  sizes: readonly number[]
  rounds: number
  isChosen(name: string): boolean
  say(line: string): void
}

/** Each kind of request after a write, for each size of log; none if none is chosen. */
export async function measureLongLogs(
  subjects: Subjects,
  options: LongLogOptions,
): Promise<Table | undefined> {
  const chosen = works.filter(({ name }) => options.isChosen(name))
  if (chosen.length === 0) return undefined
  const columns = [
    'after a write',
    'flights',
    'CPU ms',
    'target',
    'first byte ms',
    'target',
    'last byte ms',
    'MB',
  ]
  const waits = ['others wait ms', 'loop held ms', 'target']
  const { table, add } = createTable(`${subjects.engine}-long-logs`, [...columns, ...waits], options.say)
  for (const flights of options.sizes) {
    const subject = await subjects.of(flights)
    for (const work of chosen) {
      const found = await observe(subject, work, options.rounds)
      const target = work.isLarge ? FIRST_BYTE_MS : undefined
      const cpu = withTarget(found.cpuMs, work.cpuMs?.[flights])
      const first = withTarget(found.firstByteMs, target)
      const pauses = [withTarget(found.othersMs, PAUSE_MS)[0], ...withTarget(found.heldMs, PAUSE_MS)]
      add(work.name, flights, ...cpu, ...first, found.lastByteMs, found.bytes / 1e6, ...pauses)
    }
  }
  return table
}

interface Observed {
  cpuMs: number
  firstByteMs: number
  lastByteMs: number
  bytes: number
  /** The longest small request meanwhile. */
  othersMs: number
  /** The longest time for which the event loop was blocked. */
  heldMs: number
}

/** Medians of the rounds; of pauses, the median of each round's longest. */
async function observe(subject: Subject, work: Work, rounds: number): Promise<Observed> {
  const { server, dataset } = subject
  const make = await requestsOf(subject, work)
  const found: Observed[] = []
  for (let i = 0; i < rounds; i++) {
    await write(subject)
    const cpu = server.cpu()
    const timing = await time(server.port, make(i))
    const cpuMs = (server.cpu() - cpu) / 1e6
    if (timing.status !== 200) throw new Error(`${work.name}: ${timing.status} ${timing.text.slice(0, 300)}`)
    await write(subject)
    found.push({ ...timing, cpuMs, ...(await pausesOf(server, make(i), small(dataset)(i))) })
  }
  const middle = (name: keyof Observed) => median(found.map((one) => one[name]))
  return {
    cpuMs: middle('cpuMs'),
    firstByteMs: middle('firstByteMs'),
    lastByteMs: middle('lastByteMs'),
    bytes: middle('bytes'),
    othersMs: middle('othersMs'),
    heldMs: middle('heldMs'),
  }
}

/** Requests of others meanwhile. */
const small = get('/api/v1/airports/2542')
const SETTLED_MS = 30

async function write({ server, dataset }: Subject): Promise<void> {
  await load(server.port, 1, newFlight(dataset), 201)
  await new Promise((resolve) => setTimeout(resolve, SETTLED_MS))
}

/** With the current token of the log, if only changes are requested: those that these rounds write. */
async function requestsOf({ server, dataset }: Subject, work: Work): Promise<(i: number) => Request> {
  const make = work.make(dataset)
  if (!work.since) return make
  const { token } = JSON.parse((await send(server.port, make(0))).bytes.toString()).data
  return (i) => ({ ...make(i), path: `${make(i).path}?since=${token}` })
}

async function pausesOf(server: Measured, request: Request, meanwhile: Request) {
  let othersMs = 0
  const heldMs = await server.longestHold(async () => {
    const waits = await waitsDuring(
      server.port,
      meanwhile,
      async () => void (await time(server.port, request)),
    )
    othersMs = waits.longestMs
  })
  return { othersMs, heldMs }
}

/** If writers were queued behind one row, 64 would create no more than 8. */
const WRITERS = { all: [0, 1, 8, 64], some: [0, 8] }
const READ_MS = 4000

/** How long reads take, alone and while others post, and how many flights those create. */
export async function measureBesideWriters(subjects: Subjects, say: (line: string) => void): Promise<Table> {
  const columns = ['read', 'writers', 'p50 ms', 'p99 ms', 'longest ms', 'creates per s']
  const { table, add } = createTable(`${subjects.engine}-beside-writers`, columns, say)
  const { server, dataset } = await subjects.of(10_000)
  const reads: [string, Request, number[]][] = [
    ['/me', get('/api/v1/me', {}, 'one')(dataset)(0), WRITERS.all],
    ['flight by id', get('/api/v1/flights/77', {}, 'one')(dataset)(0), WRITERS.some],
    ['page of 50', get('/api/v1/flights', {}, 'one')(dataset)(0), WRITERS.some],
  ]
  for (const [name, request, counts] of reads) {
    for (const writers of counts) {
      let created = 0
      const waits = await waitsDuring(
        server.port,
        request,
        async () => {
          created = await writeFor(server.port, writers, newFlight(dataset))
        },
        1,
      )
      add(name, writers, waits.p50Ms, waits.p99Ms, waits.longestMs, created / (READ_MS / 1000))
    }
  }
  return table
}

const COMMIT_MS = 5
/** Writers of different people; with one row that all of them lock until the commit, 16 would write no more than one. */
const SLOW_WRITERS = [1, 4, 16]
const TIMES_OF_ONE = 4

/** How many writes PostgreSQL takes if each commit takes longer. */
export async function measureSlowCommits(subjects: Subjects, say: (line: string) => void): Promise<Table> {
  const columns = [
    `write, commits take ${COMMIT_MS} ms longer`,
    'writers',
    'per s',
    'of one writer',
    'target',
  ]
  const { table, add } = createTable(`${subjects.engine}-slow-commits`, columns, say)
  const { server, dataset } = await subjects.another(1000, { commitsTake: COMMIT_MS })
  const people = dataset.keysOfPeople.length
  const ids: number[] = []
  for (let i = 0; i < people; i++) {
    const { bytes } = await send(server.port, newFlightOfEach(dataset)(i))
    ids.push(JSON.parse(bytes.toString()).data.id)
  }
  const writes: [string, (i: number) => Request, number][] = [
    ['create', newFlightOfEach(dataset), 201],
    ['change', changedFlightOfEach(ids)(dataset), 200],
  ]
  for (const [name, make, status] of writes) {
    await writeFor(server.port, people, make, status)
    let ofOne = 0
    for (const writers of SLOW_WRITERS) {
      const perSecond = (await writeFor(server.port, writers, make, status)) / (READ_MS / 1000)
      ofOne ||= perSecond
      const times = perSecond / ofOne
      const isMissed = writers === SLOW_WRITERS.at(-1) && times < TIMES_OF_ONE
      add(
        name,
        writers,
        perSecond,
        { value: times, missed: isMissed },
        writers === SLOW_WRITERS.at(-1) ? TIMES_OF_ONE : '–',
      )
    }
  }
  await server.stop()
  return table
}

/** Returns how many were written. */
async function writeFor(
  port: number,
  writers: number,
  make: (i: number) => Request,
  status = 201,
): Promise<number> {
  const until = performance.now() + READ_MS
  let [sent, written] = [0, 0]
  const writer = async () => {
    while (performance.now() < until) {
      await load(port, 1, () => make(sent++), status)
      written++
    }
  }
  if (writers === 0) await new Promise((resolve) => setTimeout(resolve, READ_MS))
  await Promise.all(Array.from({ length: writers }, writer))
  return written
}
