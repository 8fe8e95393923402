// The content at a feed's secret address: the owner's flights, filtered, delayed and redacted, while the owner's role permits
// reading them. An unknown address and a wrong file ending give the same response as a deleted feed.
import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import * as z from 'zod'
import { AppError, errorMessage, notFound } from '../../base/errors.ts'
import { runSteps } from '../../base/in-steps.ts'
import type { Write } from '../../base/response/spool.ts'
import { hashSecret } from '../../base/secret/secrets.ts'
import { binnedAfter } from '../../domain/flights/bin.ts'
import { defaultPreferences, type Preferences } from '../../domain/people/preferences.ts'
import {
  dependsOnTime,
  feedEndings,
  isShown,
  type Redaction,
  turningPoints,
} from '../../domain/sharing/feed.ts'
import { removedEvent } from '../../domain/sharing/ical.ts'
import { flatMapInSteps } from '../../domain/steps.ts'
import { MINUTE } from '../../domain/time/durations.ts'
import { type Call, everyone, type LongDocument, operation } from '../../door/operation.ts'
import type { Services } from '../../door/services.ts'
import { type Principal, principalFrom, roleMay } from '../../services/access/principal.ts'
import { fromJson } from '../../store/engine/codecs.ts'
import { listDeletedFlights } from '../../store/flights/bin.ts'
import { type FlightFilter, searchFlights, startOf } from '../../store/flights/filters.ts'
import { START, type StoredFlight } from '../../store/flights/flights.ts'
import {
  countDepartures,
  type Feed,
  findFeedByHash,
  listRemovedFlights,
  type ServedFeed,
  touchFeed,
} from '../../store/sharing/feeds.ts'
import type { Executor } from '../../store/store.ts'
import { type FlightFilters, filterReader, namesRecords, resolveFilters } from '../flights/filters.ts'
import { loadLog, zoneOf } from '../flights/flown.ts'
import { type FlightView, showFlights } from '../flights/view.ts'
import { passesFilter } from './deleted-in-feed.ts'
import {
  calendarPieces,
  type FileEntry,
  geoJsonPieces,
  listPieces,
  mediaTypes,
  writePieces,
} from './files.ts'

/** Flights written without a pause. */
const PAGE = 80
/** More points would not be visible on a map. */
const TRACK_POINTS = 500

interface FeedDocument extends LongDocument {
  feedId: number
  etag: string
  lastModified: number
  mediaType: string
  /** When it was last read before this request, if known. */
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
  cached: { control: 'private, max-age=300', mayLag: true },
  target: { find: documentOf },
  run: async ({ target: { etag, mediaType } }) => ({ etag, mediaType }),
  sends: {
    async stream({ target }) {
      return { headers: { 'content-type': target.mediaType }, body: target }
    },
  },
})

async function documentOf(call: Call<{ file: string }, unknown, undefined>): Promise<FeedDocument> {
  const served = await servedFeed(call)
  const { services, now } = call
  const { feed } = served
  // The owner reads it, as with an API key that has only this scope.
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

/** The counters of everything that the feed shows. Filters by record may depend on any record. */
function shownIn({ filters }: Feed, { revisions }: Principal): string {
  const { flights, names, presentation, epoch, reference } = revisions
  return [flights, names, presentation, epoch, namesRecords(filters) ? reference : ''].join('/')
}

/** All settings, because the time of the last change is not enough: two changes may fall into the same millisecond. */
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

/** When the passage of time last changed the content of the feed; 0 if it never did. */
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

const NOTED_EVERY_MS = MINUTE

/** Records the time of the last read, at long intervals and without delaying the response. */
export function noteFeedRead(
  { store, clock, log }: Pick<Services, 'store' | 'clock' | 'log'>,
  { feedId, lastReadAt }: FeedDocument,
): void {
  const now = clock.now()
  if (lastReadAt !== null && now - Date.parse(lastReadAt) < NOTED_EVERY_MS) return
  store
    .transaction((tx) => touchFeed(tx, { id: feedId, now: new Date(now).toISOString() }))
    .catch((error) => log.warn('could not record that a feed was read', { reason: errorMessage(error) }))
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

/** Undefined if the filters refer to something that no longer exists: then no flight passes. */
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
 * A cancelled flight is only in a feed whose filters request it. A calendar may have shown the flight before it was
 * cancelled, and removes it on receiving the cancellation.
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

/** Flights in the bin that would have been in the feed, as cancelled. */
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

/** Without an entry in the bin, a removed flight has no data to which a filter or a delay could be applied. */
async function erasedEvents(reading: Reading, filter: FlightFilter | undefined): Promise<string[]> {
  const { db, principal, feed, services, now } = reading
  const isWhole = filter && Object.keys(feed.filters).length === 0 && !dependsOnTime(feed)
  if (!isWhole) return []
  const binned = new Set<number>()
  for await (const page of deletedPages(reading, filter)) for (const { flight } of page) binned.add(flight.id)
  const removed = await listRemovedFlights(db, { userId: principal.user.id, after: binnedAfter(now) })
  return removed
    .filter(({ id }) => !binned.has(id))
    .map((flight) => removedEvent(flight, services.config.origin))
}

// Redaction

/** Never included. External ids can only be read with their owner's credentials. */
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
