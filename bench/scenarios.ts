// The scenarios whose CPU is compared with a floor, and their target ratios.
import { type Request, send } from './load.ts'
import type { Measured } from './processes.ts'
import {
  BULK,
  bulk,
  coldFlightById,
  coldPage,
  flightById,
  flightSearch,
  get,
  getInApp,
  kindsOfQueries,
  type Make,
  newFlight,
  newFlightOfEach,
  refresh,
  search,
  tool,
  tools,
  usualQuery,
} from './requests.ts'
import type { EngineName } from './subjects.ts'

/**
 * `bytes`: a minimal server that sends the same bytes from memory, or those of another request. `request`: another request to the
 * server with the usual log. `stringify`: JSON.stringify of the same document in this process.
 */
export type Floor =
  | { kind: 'bytes'; of?: { make: Make; status: number } }
  | { kind: 'request'; make: Make }
  | { kind: 'stringify' }

export interface Scenario {
  name: string
  /** Target ratio to the floor; absent where none was set. */
  aim?: Record<EngineName, number>
  requests: number
  status?: number
  make: Make
  /** `bytes` if omitted. */
  floor?: Floor
  /** Number of flights in the log, 10,000 if omitted. */
  flights?: number
  /** How many units of work a request does. */
  per?: number
  /** Requests changes after the current state, so that there are none. */
  follows?: (make: (i: number) => Request, server: Measured) => Promise<(i: number) => Request>
  /** Maximum of warm-up rounds; they use up tokens, or take long. */
  warmUps?: number
}

const both = (aim: number) => ({ sqlite: aim, postgres: aim })
const each = (sqlite: number, postgres: number) => ({ sqlite, postgres })

const following =
  (tokenIn: (response: { sync?: { token: string }; data: { token?: string } }) => string | undefined) =>
  async (make: (i: number) => Request, server: Measured) => {
    const { bytes } = await send(server.port, make(0))
    const token = tokenIn(JSON.parse(bytes.toString()))
    return (i: number) => {
      const request = make(i)
      return { ...request, path: `${request.path}?since=${token}` }
    }
  }
const afterSync = following(({ sync }) => sync?.token)
const afterLog = following(({ data }) => data.token)

const sizes = [1_000, 10_000, 100_000]
const bySize = (make: (flights: number) => Scenario[]) => sizes.flatMap(make)
const sized = (flights: number) => `${flights.toLocaleString('en')} flights`
const few = (flights: number, most: number) => Math.max(2, Math.min(200, Math.round(most / flights)))
const gzip = { 'accept-encoding': 'gzip' }

const smallReads: Scenario[] = [
  { name: '/me', aim: each(2, 3), requests: 2500, make: get('/api/v1/me') },
  { name: '/me, one key', aim: each(2, 3), requests: 2500, make: get('/api/v1/me', {}, 'one') },
  {
    name: '/me, keys of sixteen people',
    aim: each(2, 3),
    requests: 2500,
    make: get('/api/v1/me', {}, 'people'),
  },
  { name: 'airport by id', aim: each(2.3, 4), requests: 1500, make: get('/api/v1/airports/2542') },
  { name: 'flight by id', aim: each(2.5, 3.5), requests: 1500, make: flightById },
  { name: 'flight by id, cold', aim: each(3, 6), requests: 1500, make: coldFlightById },
  { name: 'page of 50, warm', aim: both(2.2), requests: 1500, make: get('/api/v1/flights') },
  {
    name: 'page of 50, warm, one key',
    aim: both(2.2),
    requests: 1500,
    make: get('/api/v1/flights', {}, 'one'),
  },
  {
    name: 'page of 50, warm, keys of sixteen people',
    aim: both(2.2),
    requests: 1500,
    make: get('/api/v1/flights', {}, 'people'),
  },
  { name: 'page of 50, cold', aim: each(12, 25), requests: 300, make: coldPage('mine') },
  { name: 'page of 50, 304', aim: each(2.2, 2.5), requests: 2500, status: 304, make: get('/api/v1/flights') },
  {
    name: 'page of 50, 304, one key',
    aim: each(2.2, 2.5),
    requests: 2500,
    status: 304,
    make: get('/api/v1/flights', {}, 'one'),
  },
  { name: 'changes, nothing new', requests: 1500, make: get('/api/v1/changes'), follows: afterSync },
  {
    name: 'changes, nothing new, 304',
    aim: each(2.2, 2.5),
    requests: 2500,
    status: 304,
    make: get('/api/v1/changes'),
    follows: afterSync,
  },
  { name: 'changes, first page of 200', requests: 60, make: get('/api/v1/changes?limit=200') },
  { name: 'the app’s session', requests: 1500, make: getInApp('/me') },
  { name: 'the app’s log, nothing new', requests: 1500, make: getInApp('/log'), follows: afterLog },
]

const writes: Scenario[] = [
  { name: 'create', aim: each(7, 6), requests: 400, status: 201, make: newFlight },
  {
    name: 'create, keys of sixteen people',
    aim: each(7, 6),
    requests: 400,
    status: 201,
    make: newFlightOfEach,
  },
  {
    name: 'bulk, per flight, against the floor of a create',
    aim: each(2, 3),
    requests: 6,
    warmUps: 2,
    per: BULK,
    make: bulk,
    floor: { kind: 'bytes', of: { make: newFlight, status: 201 } },
  },
]

const coldPages: Scenario[] = [
  {
    name: 'cold page: mine against all',
    aim: both(1.2),
    requests: 300,
    make: coldPage('mine'),
    floor: { kind: 'request', make: coldPage('all') },
  },
  {
    name: 'cold page: 1,000,000 flights against 10,000',
    aim: both(1.2),
    requests: 300,
    flights: 1_000_000,
    make: coldPage('mine'),
    floor: { kind: 'request', make: coldPage('mine') },
  },
]

const searches: Scenario[] = [
  { name: 'airport search, warm', aim: both(2.2), requests: 1000, make: search(usualQuery) },
  ...Object.entries(kindsOfQueries).map(([name, query]) => ({
    name: `airport search, cold, ${name}`,
    aim: both(30),
    requests: 300,
    make: search(query),
  })),
  { name: 'flight search, cold', requests: 40, warmUps: 1, make: flightSearch },
]

const wholeLogs: Scenario[] = bySize((flights) => [
  {
    name: `statistics, warm, ${sized(flights)}`,
    aim: both(2.2),
    requests: 800,
    flights,
    make: get('/api/v1/stats'),
  },
  {
    name: `legacy list, gzip, ${sized(flights)}, against its bytes`,
    requests: few(flights, 400_000),
    flights,
    warmUps: 2,
    make: get('/api/flight/list', gzip),
  },
  {
    name: `legacy list, plain, ${sized(flights)}, against its bytes`,
    requests: few(flights, 100_000),
    flights,
    warmUps: 1,
    make: get('/api/flight/list'),
  },
  {
    name: `legacy list, plain, ${sized(flights)}, against JSON.stringify`,
    aim: both(1.5),
    requests: few(flights, 50_000),
    flights,
    warmUps: 1,
    make: get('/api/flight/list'),
    floor: { kind: 'stringify' },
  },
  {
    name: `export, ${sized(flights)}, against JSON.stringify`,
    aim: both(12),
    requests: few(flights, 20_000),
    flights,
    warmUps: 1,
    make: get('/api/v1/flights/export'),
    floor: { kind: 'stringify' },
  },
  {
    name: `the app’s log, whole, ${sized(flights)}, against its bytes`,
    requests: few(flights, 200_000),
    flights,
    warmUps: 1,
    make: getInApp('/log'),
  },
])

/** Scenarios that read the whole log, or write. */
const dearTools = new Set(['find_flights', 'summarize_flights', 'log_flight'])

const assistants: Scenario[] = [
  ...Object.keys(tools).map((name) => ({
    name: `MCP ${name}`,
    aim: both(20),
    requests: dearTools.has(name) ? 40 : 250,
    warmUps: dearTools.has(name) ? 1 : 4,
    make: tool(name),
  })),
  { name: 'OAuth refresh', aim: both(20), requests: 150, warmUps: 2, make: refresh },
]

export const scenarios: Scenario[] = [
  ...smallReads,
  ...writes,
  ...coldPages,
  ...searches,
  ...assistants,
  ...wholeLogs,
]
