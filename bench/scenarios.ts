// The scenarios and their target ratios.
import { createCursors } from '../server/operations/cursors.ts'
import { CLIENT_ID, type Dataset, dateOf, ORIGIN } from './data.ts'
import type { Request } from './load.ts'

type Make = (dataset: Dataset) => (i: number) => Request

export interface Scenario {
  name: string
  /** Target ratio to the floor, by engine. */
  aim: Record<'sqlite' | 'postgres', number>
  requests: number
  status?: number
  make: Make
  /**
   * The floor. If omitted: a minimal server that sends the same bytes. A request: the same request on the log of 10,000.
   * `stringify`: JSON.stringify of the same document in this process.
   */
  against?: Make | 'stringify'
  /** How many requests of the floor do what one request does, and their status. */
  floor?: { times: number; status: number }
  /** Number of flights in the log, default 10,000. */
  flights?: number
  /** With the current token of the change feed, so that nothing is new. */
  follows?: boolean
  /** Warm-up rounds; they use up tokens. */
  warmUps?: number
}

const both = (aim: number) => ({ sqlite: aim, postgres: aim })
const headers = (dataset: Dataset) => ({ authorization: `Bearer ${dataset.key}` })
const json = { 'content-type': 'application/json' }

export const get =
  (path: string, more: Record<string, string> = {}): Make =>
  (dataset) =>
  () => ({ method: 'GET', path, headers: { ...headers(dataset), ...more } })

const cursors = createCursors('f1')

/** A different page for every request, so that none is cached. */
const coldPage =
  (scope: string): Make =>
  (dataset) => {
    let n = 0
    return () => {
      const id = 1 + ((++n * 104_729) % dataset.flights)
      const cursor = cursors.write({ date: dateOf(id), id })
      return {
        method: 'GET',
        path: `/api/v1/flights?scope=${scope}&cursor=${cursor}`,
        headers: headers(dataset),
      }
    }
  }

const flightOf = (dataset: Dataset) => ({
  date: '2026-05-01',
  fromId: 2542,
  toId: 2578,
  departure: '2026-05-01T08:15:00+02:00',
  arrival: '2026-05-01T09:25:00+02:00',
  flightNumber: 'SK451',
  passengers: [{ userId: dataset.userId, seat: 'window', seatNumber: '12A', seatClass: 'economy' }],
})

const newFlight: Make = (dataset) => () => ({
  method: 'POST',
  path: '/api/v1/flights',
  headers: { ...headers(dataset), ...json },
  body: JSON.stringify(flightOf(dataset)),
})

const BULK = 500

/** The same flights, 500 in one request. */
const bulk: Make = (dataset) => {
  const operation = { op: 'create', flight: flightOf(dataset) }
  const body = JSON.stringify({ operations: Array(BULK).fill(operation) })
  return () => ({
    method: 'POST',
    path: '/api/v1/flights/bulk',
    headers: { ...headers(dataset), ...json },
    body,
  })
}

/** Queries of one kind, none sent twice: signs at the end change the cache key and nothing else. */
const uncached = (queries: readonly string[]) => (n: number) =>
  queries[n % queries.length]! + n.toString(2).replaceAll('0', '-').replaceAll('1', '.')

/** Four letters that were not searched before: many begin a word, many are a near miss. */
const uncachedQuery = (n: number) =>
  [26 ** 3, 26 ** 2, 26, 1]
    .map((power) => String.fromCharCode(97 + (Math.floor((n * 104_729) / power) % 26)))
    .join('')

const kindsOfQueries: Record<string, readonly string[]> = {
  codes: ['CPH', 'EKCH', 'LON', 'jfk', 'TXL', 'muc'],
  cities: ['london', 'münchen', 'москва', '大阪', 'san francisco', 'springfield', 'sicily'],
  'two words': [
    'new york jfk',
    'london hea',
    'tokyo haneda',
    'paris charles de gaulle',
    'san jose costa rica',
  ],
  'near misses': ['heatrow', 'frankfrut', 'barcelna', 'san fransisco', 'melborne', 'lodnon'],
  misses: ['qzxwvk', 'zzzzzz', 'blorgfish', 'xqxqxqxq'],
  letters: ['a', 's', 'sa', 'int'],
}

const words = ['london', 'cph', 'zürich', 'new y', 'inter', 'san', 'international', 'kastrup', 'osl', 'tegel']
const search =
  (query: (n: number) => string): Make =>
  (dataset) => {
    let n = 0
    return () => ({
      method: 'GET',
      path: `/api/v1/airports?query=${encodeURIComponent(query(n++))}`,
      headers: headers(dataset),
    })
  }

const callTool: Make = (dataset) => (i) => ({
  method: 'POST',
  path: '/api/mcp',
  headers: {
    ...headers(dataset),
    ...json,
    accept: 'application/json, text/event-stream',
    host: new URL(ORIGIN).host,
  },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: i,
    method: 'tools/call',
    params: { name: 'get_me', arguments: {} },
  }),
})

/** Each token once, each from a different address: the token endpoint is rate-limited by address. */
const refresh: Make = (dataset) => {
  let n = 0
  return () => ({
    method: 'POST',
    path: '/oauth/token',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-bench-address': `10.${n % 250}.${Math.floor(n / 250)}.1`,
    },
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: dataset.refreshTokens[n++]!,
      client_id: CLIENT_ID,
      resource: `${ORIGIN}/api/v1`,
    }).toString(),
  })
}

const bySize = (make: (flights: number) => Scenario) => [1_000, 10_000, 100_000].map(make)
const sized = (flights: number) => flights.toLocaleString('en')

export const scenarios: Scenario[] = [
  { name: 'small authenticated GET (/me)', aim: both(2), requests: 2500, make: get('/api/v1/me') },
  { name: 'page of 50, warm', aim: { sqlite: 3, postgres: 4 }, requests: 1500, make: get('/api/v1/flights') },
  { name: 'page of 50, cold', aim: { sqlite: 18, postgres: 33 }, requests: 300, make: coldPage('mine') },
  { name: '304 on a known ETag', aim: both(2), requests: 2500, status: 304, make: get('/api/v1/flights') },
  { name: 'changes, nothing new', aim: both(2), requests: 2500, make: get('/api/v1/changes'), follows: true },
  {
    name: 'changes, nothing new, 304',
    aim: both(2),
    requests: 2500,
    status: 304,
    make: get('/api/v1/changes'),
    follows: true,
  },
  { name: 'POST a flight', aim: both(5), requests: 400, status: 201, make: newFlight },
  {
    name: 'import: 2,000 POSTs in a row',
    aim: both(5),
    requests: 2000,
    status: 201,
    warmUps: 1,
    make: newFlight,
  },
  {
    name: 'bulk: 5,000 flights against 5,000 POSTs',
    aim: both(0.2),
    requests: 10,
    warmUps: 1,
    make: bulk,
    against: newFlight,
    floor: { times: BULK, status: 201 },
  },
  {
    name: 'cold page: mine against all',
    aim: both(1.2),
    requests: 300,
    make: coldPage('mine'),
    against: coldPage('all'),
  },
  {
    name: 'cold page: 1,000,000 flights against 10,000',
    aim: both(1.2),
    requests: 300,
    flights: 1_000_000,
    make: coldPage('mine'),
    against: coldPage('mine'),
  },
  {
    name: 'airport search, warm',
    aim: { sqlite: 3, postgres: 4 },
    requests: 1000,
    make: search((n) => words[n % words.length]!),
  },
  ...Object.entries(kindsOfQueries).map(([name, queries]) => ({
    name: `airport search, cold, ${name}`,
    aim: both(30),
    requests: 300,
    make: search(uncached(queries)),
  })),
  { name: 'airport search, cold, any letters', aim: both(30), requests: 300, make: search(uncachedQuery) },
  ...bySize((flights) => ({
    name: `statistics, warm, ${sized(flights)} flights`,
    aim: both(4),
    requests: 500,
    flights,
    make: get('/api/stats'),
  })),
  ...bySize((flights) => ({
    name: `legacy list, gzip, ${sized(flights)} flights`,
    aim: both(1.5),
    requests: Math.max(4, 100_000 / flights),
    flights,
    make: get('/api/flight/list', { 'accept-encoding': 'gzip' }),
    against: 'stringify',
  })),
  ...bySize((flights) => ({
    name: `legacy list, plain, ${sized(flights)} flights`,
    aim: both(1.5),
    requests: Math.max(2, 50_000 / flights),
    flights,
    make: get('/api/flight/list'),
    against: 'stringify',
  })),
  {
    name: 'export, 100,000 flights',
    aim: both(12),
    requests: 1,
    flights: 100_000,
    warmUps: 1,
    make: get('/api/v1/flights/export'),
    against: 'stringify',
  },
  { name: 'MCP tools/call', aim: both(20), requests: 300, make: callTool },
  { name: 'OAuth refresh', aim: both(20), requests: 150, warmUps: 2, make: refresh },
]
