// CPU per request as a ratio to a floor that is measured in the same run, alternately.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { load, median, type Request, send } from './load.ts'
import { type Measured, startProcess } from './processes.ts'
import type { Floor, Scenario } from './scenarios.ts'
import type { Subject, Subjects } from './subjects.ts'

interface Effort {
  rounds: number
  /** Enough for the JIT compiler: the server is more code than the floor and warms up later. */
  warmUps: number
  /** Number of the requests that a scenario names. */
  share: number
}

interface Ratio {
  microseconds: number
  floorMicroseconds: number
  /** CPU time of PostgreSQL's processes; 0 if it was not started by this run. */
  databaseMicroseconds: number
  ratio: number
  bytes: number
  /** Responses per second on this machine, which also generates the load. */
  perSecond: number
}

type CpuPerRequest = () => Promise<number>

export async function measureRatio(
  subjects: Subjects,
  scenario: Scenario,
  on: { subject: Subject; usual: Subject; scratch: string },
  effort: Effort,
): Promise<Ratio> {
  const { server } = on.subject
  const { per = 1 } = scenario
  const requests = Math.max(1, Math.round(scenario.requests * effort.share))
  const make = await prepared(scenario, on.subject)
  const sample = await requireSample(scenario, server, make(0))
  const own: CpuPerRequest = () => cpuPerRequest(server, requests, make, scenario.status ?? 200)
  const floor = await floorOf(scenario, { make, sample, requests, ...on })
  const rounds: { own: number; floor: number; database: number; seconds: number }[] = []
  for (
    let round = -Math.min(effort.warmUps, scenario.warmUps ?? effort.warmUps);
    round < effort.rounds;
    round++
  ) {
    const [before, began] = [subjects.databaseCpu(), performance.now()]
    const measured = {
      own: (await own()) / per,
      seconds: (performance.now() - began) / 1000,
      database: (subjects.databaseCpu() - before) / requests / per,
      floor: await floor.cpu(),
    }
    if (round >= 0) rounds.push(measured)
  }
  await floor.stop()
  return {
    microseconds: median(rounds.map((round) => round.own)) / 1000,
    floorMicroseconds: median(rounds.map((round) => round.floor)) / 1000,
    databaseMicroseconds: median(rounds.map((round) => round.database)) / 1000,
    ratio: median(rounds.map((round) => round.own / round.floor)),
    bytes: sample.byteLength,
    perSecond: (requests * per) / median(rounds.map((round) => round.seconds)),
  }
}

/** The first response, which must have the scenario's contents: a tool that refuses has the status 200 too. */
async function requireSample(scenario: Scenario, server: Measured, request: Request): Promise<Buffer> {
  const { status, bytes } = await send(server.port, request)
  const isGood = status === (scenario.status ?? 200) && !bytes.includes('"isError":true')
  if (!isGood) throw new Error(`${scenario.name}: ${status} ${bytes.toString().slice(0, 500)}`)
  return bytes
}

interface Measuring {
  make(i: number): Request
  sample: Buffer
  requests: number
  subject: Subject
  usual: Subject
  scratch: string
}

async function floorOf(
  scenario: Scenario,
  measuring: Measuring,
): Promise<{ cpu: CpuPerRequest; stop(): Promise<void> }> {
  const { sample, requests, usual, scratch } = measuring
  const floor: Floor = scenario.floor ?? { kind: 'bytes' }
  const nothingToStop = async () => {}
  if (floor.kind === 'stringify') return { cpu: stringifyCpu(sample), stop: nothingToStop }
  if (floor.kind === 'request') {
    const other = floor.make(usual.dataset)
    const cpu = () => cpuPerRequest(usual.server, requests, other, scenario.status ?? 200)
    return { cpu, stop: nothingToStop }
  }
  const status = floor.of?.status ?? scenario.status ?? 200
  // The floor gets the same requests: it does not matter that a token was used before.
  const request = floor.of ? floor.of.make(measuring.subject.dataset)(0) : measuring.make(0)
  const file = join(scratch, 'floor-body')
  writeFileSync(file, floor.of ? (await send(measuring.subject.server.port, request)).bytes : sample)
  const server = await startProcess('bench/floor.ts', { FLOOR_BODY: file, FLOOR_STATUS: String(status) })
  const count = floor.of ? 400 : requests
  return { cpu: () => cpuPerRequest(server, count, () => request, status), stop: () => server.stop() }
}

/** CPU time of JSON.stringify for the same document in this process, in nanoseconds. */
function stringifyCpu(sample: Buffer): CpuPerRequest {
  const document: unknown = JSON.parse((sample[0] === 0x1f ? gunzipSync(sample) : sample).toString())
  return async () => {
    const before = process.cpuUsage()
    for (let i = 0; i < 3; i++) Buffer.from(JSON.stringify(document))
    const { user, system } = process.cpuUsage(before)
    return ((user + system) * 1000) / 3
  }
}

/** The scenario's requests; for a 304, with the current ETag of the page. */
async function prepared(scenario: Scenario, { server, dataset }: Subject): Promise<(i: number) => Request> {
  const plain = scenario.make(dataset)
  const make = scenario.follows ? await scenario.follows(plain, server) : plain
  if (scenario.status !== 304) return make
  const { etag } = (await send(server.port, make(0))).headers
  return (i) => {
    const request = make(i)
    return { ...request, headers: { ...request.headers, 'if-none-match': String(etag) } }
  }
}

async function cpuPerRequest(server: Measured, count: number, make: (i: number) => Request, status: number) {
  const before = server.cpu()
  await load(server.port, count, make, status)
  return (server.cpu() - before) / count
}
