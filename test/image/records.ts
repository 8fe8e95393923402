// Records of every kind, made through the API of whatever version runs; a version without a kind skips it.
import assert from 'node:assert/strict'
import { send } from '../harness.ts'
import {
  approve,
  Browser,
  codeExchange,
  codeOf,
  createFlow,
  exchange,
  type Flow,
  refreshExchange,
  registerClient,
  type Site,
  statusWith,
  type Tokens,
} from '../oauth/browser.ts'

// biome-ignore lint/suspicious/noExplicitAny: responses of any version
type Any = any

/** Of every server here, whatever its port: tokens are bound to it. */
export const ORIGIN = 'http://localhost:3000'

const password = 'correct horse battery'

interface Credentials {
  key?: string
  cookie?: string
}

export interface Filled extends Required<Credentials> {
  /** Of the flight with everything. */
  flightId: number
  /** Of a flight in the bin. */
  deletedId: number | undefined
  /** What was made, by kind. */
  made: string[]
  /** Addresses that need no other credential. */
  links: string[]
  /** A connected app. */
  app: { flow: Flow; tokens: Tokens }
}

const siteAt = (url: string): Site => ({
  config: { origin: ORIGIN },
  request: (method, path, request) => send(false, Number(new URL(url).port), method, path, request),
})

async function connectApp(url: string, cookie: string): Promise<Filled['app']> {
  const site = siteAt(url)
  const flow = createFlow(site, await registerClient(site))
  const back = await approve(new Browser(site, cookie), flow, 'profile.read flight.read.own')
  return { flow, tokens: await exchange(site, codeExchange(flow, codeOf(back))) }
}

async function ask(url: string, method: string, { key, cookie }: Credentials, body?: unknown) {
  const reply = await fetch(url, {
    method,
    headers: {
      'sec-fetch-site': 'same-origin',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key ? { authorization: `Bearer ${key}` } : {}),
      ...(cookie ? { cookie } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: reply.status, text: await reply.text(), headers: reply.headers }
}

async function must(...request: Parameters<typeof ask>): Promise<Any> {
  const { status, text } = await ask(...request)
  assert.ok(status < 300, `${request[1]} ${request[0]}: ${status} ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

/** The first flight has everything. */
const flights = [
  {
    flightNumber: 'SK909',
    from: 'CPH',
    to: 'EWR',
    date: '2025-02-20',
    departureTime: '12:30',
    arrivalTime: '15:05',
    note: 'Zoë’s “first” ✈\nsecond line',
  },
  { flightNumber: 'LH400', from: 'FRA', to: 'JFK', date: '2024-07-01' },
  { flightNumber: 'SK1415', from: 'ARN', to: 'CPH', date: '2023-11-30' },
]

const track = {
  coordinates: [
    [12.65, 55.61, 5],
    [0, 60, 11_000.5],
    [-74.17, 40.69],
  ],
  times: [1_740_050_000, 1_740_060_000, 1_740_070_000],
  sourceFormat: 'gpx',
}

const openImport = {
  filename: 'flights.csv',
  text: 'Date,Flight number,From,To,Dep time,Arr time,Duration\n2024-01-05,SK909,Nowhere (QQQ/QQQQ),CPH,,,\n',
}

/** Creates the owner, and as many kinds of records as this version has. */
export async function fill(
  server: { url: string; lines: readonly Any[] },
  createKey: () => string,
): Promise<Filled> {
  const { url } = server
  const token = server.lines.find(({ setupToken }) => setupToken)?.setupToken
  await must(`${url}/app/api/setup`, 'POST', {}, { username: 'ada', displayName: 'Ada', password, token })
  const { headers } = await ask(`${url}/app/api/sign-in`, 'POST', {}, { username: 'ada', password })
  const cookie = headers.get('set-cookie')!.split(';')[0]!
  const key = createKey()
  const made: string[] = []
  /** Undefined if this version does not know the kind. */
  const add = async (
    kind: string,
    method: string,
    path: string,
    body: unknown,
    credentials: Credentials = { key },
  ) => {
    const { status, text } = await ask(url + path, method, credentials, body)
    if (status === 404 || status === 405) return undefined
    assert.ok(status < 300, `${kind}: ${status} ${text}`)
    made.push(kind)
    return text === '' ? undefined : JSON.parse(text).data
  }
  const ids: number[] = []
  for (const flight of flights) {
    const logged = await add('flight', 'POST', '/api/v1/flights/log', flight)
    ids.push(logged.id ?? logged.flight.id)
  }
  const [flightId, otherId, deletedId] = ids as [number, number, number]
  const field = { entityType: 'flight', key: 'lounge', label: 'Lounge', fieldType: 'text' }
  await add('custom field', 'POST', '/app/api/custom-fields', field, { cookie })
  await add('track', 'PUT', `/api/v1/flights/${flightId}/track`, track)
  await add('visited country', 'PUT', '/api/v1/visited-countries', { code: 'JP', status: 'visited' })
  await add('share', 'POST', '/api/v1/shares', { slug: 'mine' })
  await add('trip', 'POST', '/api/v1/trips', { name: 'New York', flightIds: [flightId, otherId] })
  const feed = await add('feed', 'POST', '/api/v1/feeds', { kind: 'json', name: 'All' })
  await add('webhook', 'POST', '/api/v1/webhooks', { url: 'https://receiver.example/flights' })
  await add('import', 'POST', '/api/v1/imports', openImport)
  await must(`${url}/api/v1/flights/${deletedId}`, 'DELETE', { key })
  const hasBin = (await ask(`${url}/api/v1/flights/deleted`, 'GET', { key })).status === 200
  const links = ['/share/mine', ...(feed ? [new URL(feed.url).pathname] : [])]
  const app = await connectApp(url, cookie)
  return { key, cookie, flightId, deletedId: hasBin ? deletedId : undefined, made, links, app }
}

/** What is read from each version; those that a version does not have are left out. */
const documents = [
  'me',
  'flights',
  'flights/export',
  'flights/deleted',
  'custom-fields',
  'preferences',
  'visited-countries',
  'shares',
  'trips',
  'feeds',
  'webhooks',
  'imports',
  'roles',
]

/** Everything that the owner sees. */
export async function seenBy(url: string, { key, cookie, flightId, app }: Filled) {
  const seen: Record<string, unknown> = {}
  for (const path of [...documents, `flights/${flightId}`, `flights/${flightId}/track`]) {
    const { status, text } = await ask(`${url}/api/v1/${path}`, 'GET', { key })
    if (status === 200) seen[path] = JSON.parse(text)
  }
  // Distances, durations and emissions are computed, and each version may know better.
  const stats = await must(`${url}/api/v1/stats`, 'GET', { key })
  seen['flights by year'] = stats.data.byYear.map((one: Any) => [one.year, one.flights])
  seen['export for programs of AirTrail'] = (await must(`${url}/api/flight/list`, 'GET', { key })).flights
  seen['session'] = (await ask(`${url}/app/api/session`, 'GET', { cookie })).status
  const { status } = await ask(`${url}/app/api/sign-in`, 'POST', {}, { username: 'ada', password })
  seen['sign-in'] = status
  seen['connected app'] = await statusWith(siteAt(url), app.tokens.access_token)
  return seen
}

/** Fields may have been added, nothing else. */
export function requireSame(
  now: Record<string, unknown>,
  before: Record<string, unknown>,
  when: string,
): void {
  const differences = Object.entries(before).flatMap(([path, document]) =>
    differencesIn(now[path], document, path),
  )
  assert.deepEqual(differences, [], when)
}

function differencesIn(now: Any, before: Any, where: string): string[] {
  if (typeof before !== 'object' || before === null)
    return now === before ? [] : [`${where}: ${JSON.stringify(before)} is now ${JSON.stringify(now)}`]
  if (Array.isArray(before) && now?.length !== before.length)
    return [`${where}: ${before.length} are now ${now?.length}`]
  return namesIn(before).flatMap((name) => differencesIn(now?.[name], before[name], `${where}.${name}`))
}

/** What changes while a server runs: the receiver of the webhook does not exist. */
const passing = ['lastReadAt', 'lastUsedAt', 'failingSince', 'lastDelivery']

/** Of an airport, an airline or a type of aircraft only what identifies it: each version ships newer data. */
const namesIn = (document: Any): string[] =>
  'icao' in document && 'name' in document
    ? ['id', 'icao']
    : Object.keys(document).filter((name) => !passing.includes(name))

/** Links without credentials, a connected app, changes, their history, undo, and the bin. */
export async function stillWorks(
  url: string,
  { key, flightId, deletedId, links, app }: Filled,
): Promise<void> {
  const v1 = (method: string, path: string, body?: unknown) =>
    must(`${url}/api/v1/${path}`, method, { key }, body)
  const noteOf = async () => (await v1('GET', `flights/${flightId}`)).data.note
  for (const link of links) assert.equal((await ask(url + link, 'GET', {})).status, 200, link)
  const refreshed = await exchange(siteAt(url), refreshExchange(app.flow, app.tokens.refresh_token))
  assert.equal(await statusWith(siteAt(url), refreshed.access_token), 200)
  const note = await noteOf()
  await v1('PATCH', `flights/${flightId}`, { note: 'changed after the upgrade' })
  assert.equal(await noteOf(), 'changed after the upgrade')
  const { data } = await v1('GET', 'history')
  await v1('POST', 'history/undo', { changeId: data[0].changeId ?? data[0].id })
  assert.equal(await noteOf(), note)
  if (deletedId === undefined) return
  await v1('POST', `flights/${deletedId}/restore`)
  assert.equal((await v1('GET', `flights/${deletedId}`)).data.id, deletedId)
  await v1('DELETE', `flights/${deletedId}`)
}
