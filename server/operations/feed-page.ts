// What is served at a feed's secret address: the owner's flights, filtered, delayed and redacted as the feed says, for as
// long as the owner's role permits reading them. An unknown address and a wrong ending look the same as a deleted feed.
import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import * as z from 'zod'
import { type Principal, principalFrom, roleMay } from '../auth/principal.ts'
import { AppError, notFound } from '../base/errors.ts'
import { runSteps } from '../base/in-steps.ts'
import { hashSecret } from '../base/secrets.ts'
import type { Write } from '../base/spool.ts'
import { binnedAfter } from '../domain/bin.ts'
import { dependsOnTime, feedEndings, isShown, type Redaction, turningPoints } from '../domain/feed.ts'
import { removedEvent } from '../domain/ical.ts'
import { defaultPreferences, type Preferences } from '../domain/preferences.ts'
import { flatMapInSteps } from '../domain/steps.ts'
import { type Call, everyone, type LongDocument, operation, type Services } from '../operation.ts'
import { fromJson } from '../store/codecs.ts'
import { listDeletedFlights } from '../store/deleted-flights.ts'
import {
  countDepartures,
  type Feed,
  findFeedByHash,
  listRemovedFlights,
  type ServedFeed,
  touchFeed,
} from '../store/feeds.ts'
import { type FlightFilter, searchFlights, startOf } from '../store/flight-filters.ts'
import { START, type StoredFlight } from '../store/flights.ts'
import type { Executor } from '../store/store.ts'
import { passesFilter } from './deleted-filter.ts'
import {
  calendarPieces,
  type FileEntry,
  geoJsonPieces,
  listPieces,
  mediaTypes,
  writePieces,
} from './flight-files.ts'
import { type FlightFilters, filterReader, namesRecords, resolveFilters } from './flight-filters.ts'
import { type FlightView, showFlights } from './flight-view.ts'
import { loadLog, zoneOf } from './flown-flights.ts'

/** What is made without a pause. */
const PAGE = 80
/** A map draws no finer line. */
const TRACK_POINTS = 500

interface FeedDocument extends LongDocument {
  feedId: number
  etag: string
  lastModified: number
  mediaType: string
  /** When it was last read before, if that is known. */
  lastReadAt: string | null
}

export const readFeed = operation({
  id: 'read-feed',
  method: 'GET',
  path: '/feeds/{file}',
  door: 'page',
  tag: 'Personal data',
  summary: 'Read a feed by its secret address',
  access: everyone,
  params: z.object({ file: z.string().describe('The secret, a dot, and `ics`, `geojson` or `json`.') }),
  output: z.object({ etag: z.string(), mediaType: z.string() }).describe('What is known of the document.'),
  errors: ['not_found', 'too_many_requests'],
  otherStatuses: [304],
  cacheControl: 'private, max-age=300',
  mayLag: true,
  target: documentOf,
  run: async ({ target: { etag, mediaType } }) => ({ etag, mediaType }),
  async stream({ target }) {
    return { headers: { 'content-type': target.mediaType }, body: target }
  },
})

async function documentOf(call: Call<{ file: string }, unknown, undefined>): Promise<FeedDocument> {
  const served = await servedFeed(call)
  const { services, now } = call
  const { feed } = served
  // Its owner reads it, as with an API key that has this one scope.
  const principal = principalFrom(served, {
    kind: 'apiKey',
    credentialId: feed.id,
    scopes: new Set(['flight.read.own'] as const),
  })
  if (!roleMay(principal, 'flight.read.own')) throw notFound('Feed')
  const reading: Reading = { ...call, principal, feed, language: languageOf(served), now: now.getTime() }
  const turned = await lastTurn(reading)
  const key = [
    `${services.version}/feed/${revisionOf(feed)}/${reading.language}`,
    shownIn(feed, principal),
    turned,
    feed.kind === 'ical' ? await countDepartures(call.db, principal.user.id, binnedAfter(reading.now)) : '',
  ].join('/')
  return {
    feedId: feed.id,
    etag: `"${hash('sha1', key, 'base64url')}"`,
    lastModified: Math.max(
      Date.parse(feed.updatedAt),
      Date.parse(served.changedAt ?? feed.updatedAt),
      turned,
    ),
    mediaType: mediaTypes[feedEndings[feed.kind]],
    open: (options) => services.spool.open(key, (write) => writeDocument(reading, write), options),
    lastReadAt: feed.lastReadAt,
  }
}

/** The counters of what it shows. Which records a filter means may depend on any record. */
function shownIn({ filters }: Feed, { revisions }: Principal): string {
  const { flights, names, presentation, epoch, reference } = revisions
  return [flights, names, presentation, epoch, namesRecords(filters) ? reference : ''].join('/')
}

/** Its settings, not the time of their last change alone: two changes may come within a millisecond. */
const revisionOf = ({ lastReadAt: _read, lastFour: _end, ...settings }: Feed): string =>
  `${settings.id}/${hash('sha1', JSON.stringify(settings), 'base64url')}`

/** The same work for every address: one hash and one query. */
async function servedFeed({ input, db }: Call<{ file: string }, unknown, undefined>): Promise<ServedFeed> {
  const dot = input.file.lastIndexOf('.')
  const [token, ending] = [input.file.slice(0, Math.max(0, dot)), input.file.slice(dot + 1)]
  const served = await findFeedByHash(db, hashSecret(token))
  if (!served || feedEndings[served.feed.kind] !== ending) throw notFound('Feed')
  return served
}

const languageOf = ({ preferences }: ServedFeed): Preferences['language'] =>
  fromJson<Partial<Preferences>>(preferences).language ?? defaultPreferences.language

interface Reading {
  services: Services
  db: Executor
  principal: Principal
  feed: Feed
  language: Preferences['language']
  now: number
}

/** When the passing of time last changed what the feed shows; 0 if it never has. */
async function lastTurn({ services, db, principal, feed, now }: Reading): Promise<number> {
  if (!dependsOnTime(feed)) return 0
  const key = `feed-turns/${revisionOf(feed)}/${shownIn(feed, principal)}`
  const known = services.cache.get(key)
  const turns = known ? numbersIn(known) : await turnsOf({ services, db, principal, feed })
  if (!known) services.cache.set(key, Buffer.from(turns.buffer))
  return turns.findLast((instant) => instant < now) ?? 0
}

const numbersIn = (bytes: Buffer): Float64Array =>
  new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))

async function turnsOf({
  services,
  db,
  principal,
  feed,
}: Omit<Reading, 'now' | 'language'>): Promise<Float64Array> {
  const log = await loadLog({ services, db }, principal.user.id, principal.revisions.reference)
  const turns = await runSteps(
    flatMapInSteps(log.flights, (flight) => turningPoints(flight, zoneOf(log.records, flight.fromId), feed)),
  )
  return Float64Array.from(turns).sort()
}

const NOTED_EVERY_MS = 60_000

/** Records when a feed was last read: seldom, and without delaying the response. */
export function noteFeedRead({ store, clock, log }: Services, { feedId, lastReadAt }: FeedDocument): void {
  const now = clock.now()
  if (lastReadAt !== null && now - Date.parse(lastReadAt) < NOTED_EVERY_MS) return
  store
    .transaction((tx) => touchFeed(tx, feedId, new Date(now).toISOString()))
    .catch((error) => log.warn('could not note that a feed was read', { reason: String(error) }))
}

// The document

function writeDocument(reading: Reading, write: Write): Promise<void> {
  const { exportTurns, store } = reading.services
  return exportTurns(() => store.snapshot((db) => writePieces(piecesOf({ ...reading, db }), write)))
}

async function* piecesOf(reading: Reading): AsyncGenerator<string> {
  const { db, feed, principal, services, language } = reading
  const filter = await filterOf(reading)
  const pages = () => pagesOf(reading, filter)
  const ownerId = principal.user.id
  if (feed.kind === 'json') yield* listPieces(pages)
  else if (feed.kind === 'geojson') yield* geoJsonPieces(pages, { db, ownerId, trackPoints: TRACK_POINTS })
  else {
    const { origin } = services.config
    const withDeleted = async function* () {
      yield* pages()
      yield* deletedPages(reading, filter)
    }
    const erased = await erasedEvents(reading, filter)
    yield* calendarPieces(withDeleted, feed.name, { origin, language, ownerId }, erased)
  }
}

/** Undefined if what the filters name no longer exists: then no flight passes. */
async function filterOf({ db, services, principal, feed }: Reading): Promise<FlightFilter | undefined> {
  try {
    return await resolveFilters(
      { ...filterReader({ db, services, principal }), isStored: true },
      feed.filters as FlightFilters,
    )
  } catch (error) {
    if (error instanceof AppError && error.code === 'bad_request') return undefined
    throw error
  }
}

async function* pagesOf(reading: Reading, filter: FlightFilter | undefined): AsyncGenerator<FileEntry[]> {
  const { db, principal, feed } = reading
  if (!filter) return
  for (let after = startOf('newest'); ; ) {
    const page = await searchFlights(db, principal.user.id, filter, { order: 'newest', after, limit: PAGE })
    yield await entriesOf(
      reading,
      page.filter((flight) => isListed(flight, feed)),
    )
    const last = page.at(-1)
    if (!last || page.length < PAGE) return
    // SQLite returns without waiting: without this, no other request would run until the end of the log.
    await setImmediate()
    after = { key: last.date, id: last.id }
  }
}

/**
 * A cancelled flight is in no feed unless the filters request it. A calendar may have shown it before it was cancelled,
 * and removes it when it is told.
 */
function isListed({ outcome, version }: StoredFlight, { kind, filters }: Feed): boolean {
  if (outcome !== 'cancelled' || filters['outcome'] === 'cancelled') return true
  return kind === 'ical' && version > 1
}

async function entriesOf(
  { services, db, principal, feed, now }: Reading,
  flights: readonly StoredFlight[],
  passes: (flight: FlightView) => boolean = () => true,
): Promise<FileEntry[]> {
  const shown = await showFlights({ services, db, principal }, flights)
  return shown
    .filter((flight) => passes(flight) && isShown(flight, flight.from?.timezone ?? null, feed, now))
    .map((flight) => ({
      flight: redacted(flight, feed.redact, principal.user.id),
      cancelled: flight.outcome === 'cancelled',
    }))
}

/** Flights in the bin, as cancelled: they would have been in the feed. */
async function* deletedPages(
  reading: Reading,
  filter: FlightFilter | undefined,
): AsyncGenerator<FileEntry[]> {
  const { db, principal, now } = reading
  if (!filter) return
  for (let after = START; ; ) {
    const page = await listDeletedFlights(db, principal.user.id, {
      ...after,
      limit: PAGE,
      after: binnedAfter(now),
    })
    const deletions = new Map(page.map((flight) => [flight.id, flight.deletedAt]))
    const entries = await entriesOf(
      reading,
      page.filter((flight) => flight.outcome !== 'cancelled'),
      (flight) => passesFilter(flight, filter, principal.user.id),
    )
    yield entries.map(({ flight }) => ({
      flight: { ...flight, updatedAt: deletions.get(flight.id)! },
      cancelled: true,
    }))
    const last = page.at(-1)
    if (!last || page.length < PAGE) return
    after = { date: last.deletedAt, id: last.id }
  }
}

/** Of flights that left the log and are not in the bin, nothing is known that a filter or a delay could be applied to. */
async function erasedEvents(reading: Reading, filter: FlightFilter | undefined): Promise<string[]> {
  const { db, principal, feed, services, now } = reading
  const isWhole = filter && Object.keys(feed.filters).length === 0 && !dependsOnTime(feed)
  if (!isWhole) return []
  const binned = new Set<number>()
  for await (const page of deletedPages(reading, filter)) for (const { flight } of page) binned.add(flight.id)
  const removed = await listRemovedFlights(db, principal.user.id, binnedAfter(now))
  return removed
    .filter(({ id }) => !binned.has(id))
    .map((flight) => removedEvent(flight, services.config.origin))
}

// What is left out

/** Always left out, as far as a flight has them. External ids are readable by their owner's credentials only. */
const neverShown: Partial<Record<string, unknown>> = {
  bookingReference: null,
  price: null,
  externalIds: {},
  importId: null,
}

function redacted(flight: FlightView, redact: readonly Redaction[], ownerId: string): FlightView {
  const hides = (what: Redaction) => redact.includes(what)
  const passengers = hides('passengers')
    ? flight.passengers.filter(({ user }) => user?.id === ownerId)
    : flight.passengers
  const hidden = Object.entries(neverShown).filter(([name]) => name in flight)
  return {
    ...flight,
    ...Object.fromEntries(hidden),
    note: hides('note') ? null : flight.note,
    aircraftReg: hides('reg') ? null : flight.aircraftReg,
    passengers: hides('seat')
      ? passengers.map((passenger) => ({ ...passenger, seat: null, seatNumber: null, seatClass: null }))
      : passengers,
  }
}
