// A program that keeps a copy of a log with the change feed, as documented. Between two calls it keeps only its token and
// its copy, so it can be stopped at any moment.
import assert from 'node:assert/strict'
import type { Reply, TestApp } from './harness.ts'

export interface FeedEntry {
  type: string
  id: number
  change: 'upserted' | 'removed'
  version: number
  at: string
  reason?: 'deleted' | 'unlisted'
  externalIds?: Record<string, string>
  flight?: CopiedFlight
  // biome-ignore lint/suspicious/noExplicitAny: the other records, looked into by the tests
  [record: string]: any
}
export interface CopiedFlight {
  id: number
  version: number
}
export interface FeedPage {
  data: FeedEntry[]
  page: { nextCursor: string | null; hasMore: boolean }
  sync: { token: string; reset: boolean }
}

export const askFeed = (app: TestApp, key: string, query: object = {}): Promise<Reply> =>
  app.request('GET', `/api/v1/changes?${new URLSearchParams({ ...query })}`, { key })

export async function readFeed(app: TestApp, key: string, query: object = {}): Promise<FeedPage> {
  const reply = await askFeed(app, key, query)
  assert.equal(reply.status, 200, reply.text)
  return reply.json
}

export interface Saved {
  token: string | undefined
  /** Flights of the pages of the first call. */
  cursor: string | undefined
  /** The newest version of each flight; null if it was removed. */
  copy: Record<number, { version: number; flight: CopiedFlight | null }>
}

export const nothingSaved = (): Saved => ({ token: undefined, cursor: undefined, copy: {} })

/** One call returns what is saved afterwards and whether there is more. If the call fails, nothing is changed. */
export async function step(
  app: TestApp,
  key: string,
  saved: Saved,
  view: Record<string, string>,
  limit: number,
): Promise<{ saved: Saved; hasMore: boolean }> {
  const place = saved.cursor ? { cursor: saved.cursor } : saved.token ? { since: saved.token } : {}
  const { data, page, sync } = await readFeed(app, key, { ...view, ...place, limit })
  assert.ok(data.length <= limit)
  const copy = sync.reset ? {} : { ...saved.copy }
  for (const { id, change, version, flight } of data) {
    if ((copy[id]?.version ?? 0) >= version) continue
    if (flight) assert.deepEqual([flight.id, flight.version], [id, version])
    copy[id] = { version, flight: change === 'removed' ? null : flight! }
  }
  // More may have been written while the first pages were read.
  const hasMore = page.hasMore || !('since' in place)
  return { saved: { token: sync.token, cursor: page.nextCursor ?? undefined, copy }, hasMore }
}

/** Calls until nothing more is returned. */
export async function catchUp(
  app: TestApp,
  key: string,
  from: Saved,
  view: Record<string, string>,
  limit = 100,
): Promise<Saved> {
  for (let saved = from; ; ) {
    const next = await step(app, key, saved, view, limit)
    saved = next.saved
    if (!next.hasMore) return saved
  }
}

/** All flights that the list has for a view, by id. */
export async function readList(
  app: TestApp,
  key: string,
  view: Record<string, string>,
): Promise<Map<number, CopiedFlight>> {
  const flights = new Map<number, CopiedFlight>()
  let cursor: string | null = null
  do {
    const query: URLSearchParams = new URLSearchParams({
      ...view,
      limit: '100',
      ...(cursor ? { cursor } : {}),
    })
    const reply = await app.request('GET', `/api/v1/flights?${query}`, { key })
    assert.equal(reply.status, 200, reply.text)
    for (const flight of reply.json.data) flights.set(flight.id, flight)
    cursor = reply.json.page.nextCursor
  } while (cursor)
  return flights
}

export const flightsIn = ({ copy }: Saved): Map<number, CopiedFlight> =>
  new Map(Object.values(copy).flatMap(({ flight }) => (flight ? [[flight.id, flight]] : [])))

/** Asserts that the copy equals the list. */
export async function assertInStep(
  app: TestApp,
  key: string,
  saved: Saved,
  view: Record<string, string>,
  note = '',
): Promise<void> {
  const [copied, listed] = [flightsIn(saved), await readList(app, key, view)]
  const ordered = (flights: Map<number, CopiedFlight>) => [...flights.values()].sort((a, b) => a.id - b.id)
  assert.deepEqual(ordered(copied), ordered(listed), note)
}
