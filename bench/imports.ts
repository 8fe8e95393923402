// Imports: a large file to verdicts, as a ratio to reading its lines; to flights and back, as a ratio to single creates;
// the delay of other requests meanwhile; and the preview of a file of usual size.
import { readFileSync } from 'node:fs'
import type { Dataset } from './data.ts'
import { median, type Request, send } from './load.ts'
import type { Measured } from './processes.ts'

const USUAL_ROWS = 500
const PREVIEWS = 7
const CREATES = 200
/** A small request is sent so often while an import works. */
const WATCHED_EVERY_MS = 3

interface ImportFigure {
  name: string
  value: number
  target?: number | undefined
}

type Keyed = Pick<Dataset, 'key'>

interface Shown {
  id: number
  status: string
  counts: Record<string, number>
}

/** `rows`: of the large file. */
export async function measureImports(
  server: Measured,
  dataset: Dataset,
  rows: number,
): Promise<ImportFigure[]> {
  const text = fileOf(rows, 0)
  const floorMs = lineCpuMs(text)
  const idleMb = server.residentMb()
  const read = await watched(server, dataset, async () =>
    untilDone(server, dataset, await start(server, dataset, text)),
  )
  const createMs = await singleCreateMs(server, dataset)
  const commit = await watched(server, dataset, () => workOn(server, dataset, read.result, 'commit'))
  const undo = await watched(server, dataset, () => workOn(server, dataset, read.result, 'undo'))
  const previews: number[] = []
  for (let i = 1; i <= PREVIEWS; i++) {
    const began = performance.now()
    await untilDone(server, dataset, await start(server, dataset, fileOf(USUAL_ROWS, i)))
    previews.push(performance.now() - began)
  }
  const seconds = dataset.databaseUrl ? 30 : 15
  return [
    {
      name: `${rows.toLocaleString('en')} rows to verdicts, CPU s`,
      value: read.cpuMs / 1000,
      target: rows / 10_000,
    },
    { name: 'the same as a ratio to reading the lines', value: read.cpuMs / floorMs },
    { name: 'more memory at most, MB', value: read.peakMb - idleMb, target: 250 },
    ...waitsOf('reading', read),
    { name: 'commit, s', value: commit.ms / 1000, target: (seconds * rows) / 100_000 },
    { name: 'commit, CPU per flight as a share of a create', value: commit.cpuMs / rows / createMs },
    ...waitsOf('commit', commit),
    { name: 'undo, s', value: undo.ms / 1000, target: (seconds * rows) / 100_000 },
    ...waitsOf('undo', undo),
    { name: `preview of ${USUAL_ROWS} rows, ms`, value: median(previews), target: 500 },
  ]
}

const waitsOf = (during: string, { longestMs, averageMs }: Watched<unknown>): ImportFigure[] => [
  { name: `${during}: others wait at most, ms`, value: longestMs, target: 50 },
  { name: `${during}: others wait on average, ms`, value: averageMs },
]

/** Sends a file and commits it. */
export async function importFile(server: Measured, who: { key: string }, text: string): Promise<void> {
  await workOn(server, who, await untilDone(server, who, await start(server, who, text)), 'commit')
}

interface Watched<Result> {
  result: Result
  ms: number
  cpuMs: number
  peakMb: number
  longestMs: number
  averageMs: number
}

/** The CPU of the work, while a small request is sent every few milliseconds. */
async function watched<Result>(
  server: Measured,
  { key }: Dataset,
  work: () => Promise<Result>,
): Promise<Watched<Result>> {
  let isOver = false
  let peakMb = 0
  const times: number[] = []
  const watching = (async () => {
    while (!isOver) {
      const began = performance.now()
      await send(server.port, request(key, 'GET', '/api/v1/me'))
      times.push(performance.now() - began)
      peakMb = Math.max(peakMb, server.residentMb())
      await new Promise((resolve) => setTimeout(resolve, WATCHED_EVERY_MS))
    }
  })()
  const [began, before] = [performance.now(), processCpuMs(server.pid)]
  const result = await work()
  isOver = true
  await watching
  const averageMs = times.reduce((sum, ms) => sum + ms, 0) / times.length
  const [ms, cpuMs] = [performance.now() - began, processCpuMs(server.pid) - before]
  return { result, ms, cpuMs, peakMb, longestMs: Math.max(...times), averageMs }
}

/** Of the process, including ended threads; in steps of 10 ms. */
function processCpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

function request(
  key: string,
  method: string,
  path: string,
  body?: string,
  type = 'application/json',
): Request {
  const headers = { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': type }) }
  return { method, path, headers, ...(body === undefined ? {} : { body }) }
}

async function call(server: Measured, made: Request): Promise<Shown> {
  const { status, bytes } = await send(server.port, made)
  if (status >= 300)
    throw new Error(`${made.method} ${made.path}: ${status} ${bytes.toString().slice(0, 300)}`)
  return JSON.parse(bytes.toString()).data
}

const start = async (server: Measured, { key }: Keyed, text: string): Promise<number> =>
  (await call(server, request(key, 'POST', '/api/v1/imports?filename=bench.csv', text, 'text/csv'))).id

const workOn = async (server: Measured, dataset: Keyed, id: number, what: 'commit' | 'undo') => {
  await call(server, request(dataset.key, 'POST', `/api/v1/imports/${id}/${what}`, '{}'))
  return untilDone(server, dataset, id)
}

async function untilDone(server: Measured, { key }: Keyed, id: number): Promise<number> {
  for (;;) {
    const { status, counts } = await call(server, request(key, 'GET', `/api/v1/imports/${id}`))
    if (status === 'failed') throw new Error(`the import failed: ${JSON.stringify(counts)}`)
    if (!['reading', 'committing', 'undoing'].includes(status)) return id
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function singleCreateMs(server: Measured, { key }: Dataset): Promise<number> {
  const before = processCpuMs(server.pid)
  for (let i = 0; i < CREATES; i++) {
    const flight = { date: '2001-01-01', fromId: 2542, toId: 3622, flightNumber: `XX${i}` }
    await call(server, request(key, 'POST', '/api/v1/flights', JSON.stringify(flight)))
  }
  return (processCpuMs(server.pid) - before) / CREATES
}

/** CPU of splitting the same text into lines and cells, and nothing more. */
function lineCpuMs(text: string): number {
  const rounds = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage()
    let cells = 0
    for (const line of Buffer.from(text).toString().split('\n')) cells += line.split(',').length
    const { user, system } = process.cpuUsage(before)
    return cells > 0 ? (user + system) / 1000 : 0
  })
  return median(rounds)
}

const places = [
  'CPH/EKCH',
  'EWR/KEWR',
  'OSL/ENGM',
  'FRA/EDDF',
  'LHR/EGLL',
  'JFK/KJFK',
  'MAD/LEMD',
  'VIE/LOWW',
  'ZRH/LSZH',
  'NRT/RJAA',
]
const airlines = ['SAS (SK/SAS)', 'Lufthansa (LH/DLH)', 'British Airways (BA/BAW)', 'Swiss (LX/SWR)']

/** As written by myFlightradar24, about 200 bytes a line; `variant` makes it another file. */
export function fileOf(rows: number, variant: number): string {
  const lines = Array.from({ length: rows }, (_, i) => {
    const day = new Date(Date.UTC(1965, 0, 1 + variant) + Math.floor(i / 5) * 86_400_000)
      .toISOString()
      .slice(0, 10)
    const [from, to] = [places[i % places.length], places[(i * 7 + 3) % places.length]]
    const airline = airlines[i % airlines.length]!
    return `${day},${airline.slice(-7, -5)}${(i % 900) + 100},"City / Airport (${from})","Town / Airport (${to})",0${i % 9}:15:00,1${i % 9}:40:00,0${(i % 8) + 1}:25:00,"${airline}","Airbus A320 (A320)",OY-KA${String.fromCharCode(65 + (i % 26))},${(i % 30) + 1}A,1,1,1,"Flight ${i} of file ${variant}",1,2,3,4`
  })
  return `\nDate,Flight number,From,To,Dep time,Arr time,Duration,Airline,Aircraft,Registration,Seat number,Seat type,Flight class,Flight reason,Note,Dep_id,Arr_id,Airline_id,Aircraft_id\n${lines.join('\n')}\n`
}
