// The requests that benchmarks send: reads, writes, searches, calls of tools, tokens, the web app.
import { createCursors } from '../server/operations/wire/cursors.ts'
import { CLIENT_ID, type Dataset, ORIGIN } from './data.ts'
import { dateOf } from './fill.ts'
import type { Request } from './load.ts'

/** Each call makes the requests of one measurement; their numbers only increase. */
export type Make = (dataset: Dataset) => (i: number) => Request

/** The people whose keys requests use in turn. Sixteen keys of one person, unless a scenario differs. */
type Keys = 'keys' | 'one' | 'people'

export const json = { 'content-type': 'application/json' }
export const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

const headersOf = (dataset: Dataset, i: number, keys: Keys = 'keys') => {
  if (keys === 'one') return bearer(dataset.key)
  const list = keys === 'keys' ? dataset.keys : dataset.keysOfPeople
  return bearer(list[i % list.length]!)
}

export const get =
  (path: string, more: Record<string, string> = {}, keys: Keys = 'keys'): Make =>
  (dataset) =>
  (i) => ({ method: 'GET', path, headers: { ...headersOf(dataset, i, keys), ...more } })

/** With a session, like the web app. */
export const getInApp =
  (path: string): Make =>
  ({ sessions }) =>
  (i) => ({ method: 'GET', path: `/app/api${path}`, headers: sessionHeaders(sessions[i % sessions.length]!) })

export const sessionHeaders = (session: string) => ({
  cookie: `contrail=${session}`,
  'sec-fetch-site': 'same-origin',
})

const flight = (dataset: Dataset, i: number, id: number): Request => ({
  method: 'GET',
  path: `/api/v1/flights/${1 + (id % dataset.flights)}`,
  headers: headersOf(dataset, i),
})

/** One of the same hundred flights, as read by a program that follows some of them. */
export const flightById: Make = (dataset) => (i) => flight(dataset, i, (i % 100) * 79)

/** Another flight for each request, so that none is cached. */
export const coldFlightById: Make = (dataset) => {
  let n = 0
  return (i) => flight(dataset, i, ++n * 7919)
}

const cursors = createCursors('f1')

/** A different page for every request, so that none is cached. */
export const coldPage =
  (scope: string): Make =>
  (dataset) => {
    let n = 0
    return (i) => {
      const id = 1 + ((++n * 104_729) % dataset.flights)
      const cursor = cursors.write({ date: dateOf(id), id })
      const path = `/api/v1/flights?scope=${scope}&cursor=${cursor}`
      return { method: 'GET', path, headers: headersOf(dataset, i) }
    }
  }

const post = (path: string, headers: Record<string, string>, body: unknown): Request => ({
  method: 'POST',
  path,
  headers: { ...headers, ...json },
  body: JSON.stringify(body),
})

const route = { date: '2026-05-01', fromId: 2542, toId: 2578, flightNumber: 'SK451' }
const times = { departure: '2026-05-01T08:15:00+02:00', arrival: '2026-05-01T09:25:00+02:00' }
const seat = { seat: 'window', seatNumber: '12A', seatClass: 'economy' }

const flightOf = ({ userId }: Pick<Dataset, 'userId'>) => ({
  ...route,
  ...times,
  passengers: [{ userId, ...seat }],
})

export const newFlight: Make = (dataset) => (i) =>
  post('/api/v1/flights', headersOf(dataset, i), flightOf(dataset))

/** Each person logs as the only passenger. */
export const newFlightOfEach: Make = (dataset) => (i) =>
  post('/api/v1/flights', headersOf(dataset, i, 'people'), { ...route, ...times })

/** Each person changes a flight of their own. */
export const changedFlightOfEach =
  (ids: readonly number[]): Make =>
  (dataset) =>
  (i) => ({
    ...post(`/api/v1/flights/${ids[i % ids.length]}`, headersOf(dataset, i, 'people'), { note: `note ${i}` }),
    method: 'PATCH',
  })

export const BULK = 500

/** The same flights, 500 in one request. */
export const bulk: Make = (dataset) => {
  const operations = Array(BULK).fill({ op: 'create', flight: flightOf(dataset) })
  return (i) => post('/api/v1/flights/bulk', headersOf(dataset, i), { operations })
}

/** Queries of one kind, none sent twice: characters at the end change only the cache key. */
const uncached = (queries: readonly string[]) => (n: number) =>
  queries[n % queries.length]! + n.toString(2).replaceAll('0', '-').replaceAll('1', '.')

/** Four letters that were not searched before: many begin a word, many are near misses. */
export const anyLetters = (n: number) =>
  [26 ** 3, 26 ** 2, 26, 1]
    .map((power) => String.fromCharCode(97 + (Math.floor((n * 104_729) / power) % 26)))
    .join('')

export const kindsOfQueries: Record<string, (n: number) => string> = {
  'known code': uncached(['CPH', 'EKCH', 'LON', 'jfk', 'TXL', 'muc']),
  name: uncached(['london', 'münchen', 'москва', '大阪', 'san francisco', 'springfield', 'sicily']),
  'two words': uncached(['new york jfk', 'london hea', 'tokyo haneda', 'paris charles de gaulle']),
  misspelt: uncached(['heatrow', 'frankfrut', 'barcelna', 'san fransisco', 'melborne', 'lodnon']),
  'nothing found': uncached(['qzxwvk', 'zzzzzz', 'blorgfish', 'xqxqxqxq']),
  'one to three letters': uncached(['a', 's', 'sa', 'int']),
  'any four letters': anyLetters,
}

const words = ['london', 'cph', 'zürich', 'new y', 'inter', 'san', 'international', 'kastrup', 'osl', 'tegel']
export const usualQuery = (n: number) => words[n % words.length]!

export const search =
  (query: (n: number) => string, path = '/api/v1/airports?query='): Make =>
  (dataset) => {
    let n = 0
    return (i) => ({
      method: 'GET',
      path: path + encodeURIComponent(query(n++)),
      headers: headersOf(dataset, i),
    })
  }

/** Flights by words, each text once: the number at the end is part of a flight number. */
export const flightSearch: Make = search((n) => `sk${n % 4000}`, '/api/v1/flights/search?limit=10&text=')

export const callTool = (i: number, key: string, name: string, values: object): Request => ({
  ...post(
    '/api/mcp',
    {
      ...bearer(key),
      accept: 'application/json, text/event-stream',
      host: new URL(ORIGIN).host,
    },
    { jsonrpc: '2.0', id: i, method: 'tools/call', params: { name, arguments: values } },
  ),
})

/** The tools that assistants use most, with arguments that no request repeats if results are cached. */
export const tools: Record<string, (n: number, dataset: Pick<Dataset, 'flights'>) => object> = {
  get_me: () => ({}),
  find_flights: (n) => ({ airport: 'London', dateTo: dateOf(n), limit: 10 }),
  get_flight: (n, { flights }) => ({ id: 1 + ((n * 7919) % flights) }),
  summarize_flights: (n) => ({ dateFrom: '2001-01-01', dateTo: dateOf(n * 31).replace(/^..../, '2019') }),
  search_airports: (n) => ({ query: anyLetters(n) }),
  log_flight: (n) => ({ from: 'CPH', to: 'OSL', date: dateOf(n), flightNumber: `ZZ${n}` }),
}

export const tool =
  (name: string): Make =>
  (dataset) => {
    let n = 0
    const valuesOf = tools[name]!
    return (i) => callTool(i, dataset.keys[i % dataset.keys.length]!, name, valuesOf(++n, dataset))
  }

/** Each token once, each from a different address: the token endpoint is rate-limited by address. */
export const refresh: Make = (dataset) => {
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
