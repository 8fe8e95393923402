// What a visitor of a public share gets: exactly what is ticked and nothing else. Every field is added here by the
// switch that allows it; a flight carries no id of ours, and nobody's name but the sharer's is told.
import { createHash } from 'node:crypto'
import { covers } from '../domain/access.ts'
import { effectiveArrival, effectiveDeparture } from '../domain/flight.ts'
import { notFound } from '../errors.ts'
import type { Services } from '../operation.ts'
import type { Draw } from '../preview/drawer.ts'
import type { FlownMap } from '../preview/picture.ts'
import type { Records } from '../reference/reference.ts'
import type { LogFlight } from '../store/log.ts'
import { findPerson, type Person } from '../store/people.ts'
import type { Aircraft, Airline, Airport } from '../store/reference.ts'
import { flightsOf, PEOPLE, REFERENCE, readRevisions } from '../store/revisions.ts'
import { findShareBySlug, type Share, type ShareSettings } from '../store/shares.ts'
import { findTrack } from '../store/tracks.ts'
import { routeKm } from './flight-view.ts'
import { type FlownLog, loadKeptLog, nextCompletion } from './flown.ts'
import { clockAt, estimateFor } from './log.ts'
import { slugPattern } from './shares.ts'

/** A flight as the page shows it. `id` counts the rows of this answer. */
export interface SharedFlight {
  id: number
  from: Airport | null
  to: Airport | null
  distanceKm: number | null
  duration?: number | null
  durationEstimated?: boolean
  date?: string
  datePrecision?: 'day' | 'month' | 'year'
  completed?: boolean
  flightNumber?: string | null
  airline?: Airline | null
  aircraft?: Aircraft | null
  aircraftReg?: string | null
  /** HH:MM at the airport. */
  departureTime?: string | null
  arrivalTime?: string | null
  dayShift?: number | null
  passengers?: { seat: string | null; seatNumber: string | null; seatClass: string | null }[]
  track?: { coordinates: [number, number][] } | null
}

export interface SharePage {
  settings: Pick<ShareSettings, 'showMap' | 'showStats' | 'showFlightList' | 'showTracks'>
  owner: { displayName: string }
  flights: SharedFlight[]
}

export interface ServedShare {
  share: Share
  owner: Person
}

/** A share that is not there, expired or no longer permitted is not found. */
export async function findServedShare({ store, clock }: Services, slug: string): Promise<ServedShare> {
  const found = slugPattern.test(slug) ? await findShareBySlug(store.read, slug) : undefined
  const owner = found && (await findPerson(store.read, found.userId))
  if (!found || !owner || isExpired(found.share, clock.now()) || !maySharePublicly(owner)) {
    throw notFound('Share')
  }
  return { share: found.share, owner }
}

/** The page's data, finished and compressed by `pack`. */
export async function sharePageBytes(
  services: Services,
  slug: string,
  pack: (json: Buffer) => Promise<Buffer>,
): Promise<Buffer> {
  const served = await findServedShare(services, slug)
  const { share, owner } = served
  const { key, now, load } = await stateOf(services, served)
  const kept = `${key}/data`
  let bytes = services.cache.get(kept)
  if (!bytes) {
    const page = await createPage(services, share, owner, await load(), now)
    bytes = await pack(Buffer.from(JSON.stringify({ data: page })))
    services.cache.set(kept, bytes)
  }
  return bytes
}

export interface Picture {
  bytes: Buffer
  /** Another one as soon as the picture may be another one. */
  tag: string
}

/** The map as a picture, drawn by `draw`; undefined if it cannot be drawn now. Not found where no map is shown. */
export async function sharePicture(
  services: Services,
  slug: string,
  draw: Draw,
): Promise<Picture | undefined> {
  const served = await findServedShare(services, slug)
  if (!served.share.showMap) throw notFound('Share')
  const { key, now, load } = await stateOf(services, served)
  const tag = createHash('sha256').update(key).digest('base64url').slice(0, 22)
  const kept = `${key}/picture`
  let bytes = services.cache.get(kept)
  if (!bytes) {
    const drawing = drawingsOf(services)
    let picture = drawing.get(kept)
    if (!picture) {
      picture = draw(mapOf(served.share, await load(), now)).finally(() => drawing.delete(kept))
      drawing.set(kept, picture)
    }
    bytes = await picture
    if (!bytes) return undefined
    services.cache.set(kept, bytes)
  }
  return { bytes, tag }
}

/** Pictures being drawn: who asks meanwhile gets the same one. */
const drawings = new WeakMap<Services, Map<string, Promise<Buffer | undefined>>>()

function drawingsOf(services: Services) {
  const known = drawings.get(services) ?? new Map<string, Promise<Buffer | undefined>>()
  drawings.set(services, known)
  return known
}

/** Under which key what is made of a share may be kept, and the log it is made of. */
async function stateOf(services: Services, { share, owner }: ServedShare) {
  const { store, clock, cache, version } = services
  const db = store.read
  const now = clock.now()
  const names = [flightsOf(owner.id), PEOPLE, REFERENCE]
  const [flights, people, reference] = (await readRevisions(db, names)) as [number, number, number]
  let log: FlownLog | undefined
  const load = async () => {
    log ??= await loadKeptLog({ db, services }, owner.id, reference)
    return log
  }
  const revision = `${owner.id}@${flights}.${people}.${reference}`
  const next = await nextCompletion(cache, revision, now, load)
  return { key: `${version}/share/${JSON.stringify(share)}/${revision}/${next}`, now, load }
}

/** Only what the page's map shows too; figures where statistics are ticked. */
function mapOf(share: Share, log: FlownLog, now: number): FlownMap {
  const shown = shownFlights(share, log, now)
  const routes = new Map<string, FlownMap['routes'][number]>()
  const airports = new Map<number, FlownMap['airports'][number]>()
  const visit = (airport: Airport) => {
    const { latitude, longitude } = airport
    const code = (airport.iata ?? airport.icao).toUpperCase()
    const known = airports.get(airport.id) ?? { latitude, longitude, code, visits: 0 }
    known.visits++
    airports.set(airport.id, known)
  }
  for (const { flight } of shown) {
    const from = lookUp(log.records.airports, flight.fromId)
    const to = lookUp(log.records.airports, flight.toId)
    if (from) visit(from)
    if (to) visit(to)
    if (!from || !to || from.id === to.id) continue
    const pair = [from.id, to.id].sort((a, b) => a - b).join()
    const route = routes.get(pair) ?? { from, to, flights: 0 }
    route.flights++
    routes.set(pair, route)
  }
  return {
    routes: [...routes.values()].map(({ from, to, flights }) => ({
      from: placeOf(from),
      to: placeOf(to),
      flights,
    })),
    airports: [...airports.values()],
    figures: share.showStats ? figuresOf(shown, log.records) : [],
  }
}

const placeOf = ({ latitude, longitude }: FlownMap['routes'][number]['from']) => ({ latitude, longitude })

/** The same four that the page begins with: what was flown. */
function figuresOf(
  shown: { flight: LogFlight; completed: boolean }[],
  { airports }: Records,
): FlownMap['figures'] {
  const flown = shown.filter(({ completed }) => completed)
  const ends = flown.map(
    ({ flight }) => [lookUp(airports, flight.fromId), lookUp(airports, flight.toId)] as const,
  )
  const visited = ends.flat().filter((airport) => airport !== null)
  const km = ends.reduce((sum, [from, to]) => sum + (from && to ? routeKm(from, to) : 0), 0)
  return [
    { value: flown.length, name: 'FLIGHTS' },
    { value: km, name: 'KILOMETRES' },
    { value: new Set(visited.map(({ id }) => id)).size, name: 'AIRPORTS' },
    { value: new Set(visited.map(({ country }) => country)).size, name: 'COUNTRIES' },
  ]
}

const isExpired = (share: Share, now: number) =>
  share.expiresAt !== null && Date.parse(share.expiresAt) <= now

/** Judged by the role of today, not of the day on which the share was made. */
function maySharePublicly(owner: Person): boolean {
  const held = new Set<string>(owner.permissions)
  return owner.isOwner || (covers(held, 'flight.read.own') && covers(held, 'flight.share.own'))
}

async function createPage(
  services: Services,
  share: Share,
  owner: Person,
  log: FlownLog,
  now: number,
): Promise<SharePage> {
  const { showMap, showStats, showFlightList } = share
  const showTracks = showMap && share.showTracks
  const shown = showMap || showStats || showFlightList ? shownFlights(share, log, now) : []
  const tracks = showTracks ? await tracksOf(services, shown) : new Map<number, [number, number][]>()
  const rows = shown.map(({ flight, completed }) => {
    const row = sharedFlight(share, owner.id, flight, log.records)
    if (share.showDates) Object.assign(row, dateOf(flight), { completed })
    if (showTracks) {
      const coordinates = tracks.get(flight.id)
      row.track = coordinates ? { coordinates } : null
    }
    return row
  })
  return {
    settings: { showMap, showStats, showFlightList, showTracks },
    owner: { displayName: owner.displayName },
    flights: numbered(share.showDates ? rows : inNeutralOrder(rows)),
  }
}

/** Without dates, only what is flown: that a flight is still to come is a date too. */
const shownFlights = (share: Share, { flights, completions }: FlownLog, now: number) =>
  flights
    .map((flight, i) => ({ flight, completed: completions[i]! < now }))
    .filter(({ flight, completed }) => isInRange(share, flight) && (share.showDates || completed))

const isInRange = ({ dateFrom, dateTo }: Share, { date }: LogFlight) =>
  (dateFrom === null || date >= dateFrom) && (dateTo === null || date <= dateTo)

const dateOf = ({ date, datePrecision }: LogFlight) => ({ date, datePrecision })

type Row = Omit<SharedFlight, 'id'>

function sharedFlight(share: Share, ownerId: string, flight: LogFlight, records: Records): Row {
  const from = lookUp(records.airports, flight.fromId)
  const to = lookUp(records.airports, flight.toId)
  const row: Row = { from, to, distanceKm: from && to ? routeKm(from, to) : null }
  if (share.showStats || share.showFlightList) Object.assign(row, durationOf(flight, from, to))
  if (share.showFlightNumbers) row.flightNumber = flight.flightNumber
  if (share.showAirlines) row.airline = lookUp(records.airlines, flight.airlineId)
  if (share.showAircraft) {
    row.aircraft = lookUp(records.aircraft, flight.aircraftId)
    row.aircraftReg = flight.aircraftReg
  }
  if (share.showTimes) Object.assign(row, timesOf(flight, from, to))
  if (share.showSeat) row.passengers = ownSeat(flight, ownerId)
  return row
}

function durationOf(flight: LogFlight, from: Airport | null, to: Airport | null) {
  const estimate = flight.duration === null && from && to ? estimateFor(from, to) : null
  return { duration: flight.duration ?? estimate, durationEstimated: estimate !== null }
}

/** Times of day, never date-times: those would tell the date. */
function timesOf(flight: LogFlight, from: Airport | null, to: Airport | null) {
  const departure = clockAt(effectiveDeparture(flight), from?.timezone ?? null)
  const arrival = clockAt(effectiveArrival(flight), to?.timezone ?? null)
  return {
    departureTime: departure.local?.slice(11) ?? null,
    arrivalTime: arrival.local?.slice(11) ?? null,
    dayShift: departure.daysUntil(arrival),
  }
}

const ownSeat = (flight: LogFlight, ownerId: string) =>
  flight.passengers
    .filter(({ userId }) => userId === ownerId)
    .map(({ seat, seatNumber, seatClass }) => ({ seat, seatNumber, seatClass }))

/** Rows in an order that follows from what they show, so that it does not tell when they were flown. */
const inNeutralOrder = (rows: Row[]): Row[] =>
  rows
    .map((row) => ({ row, text: JSON.stringify(row) }))
    .sort((a, b) => (a.text < b.text ? -1 : 1))
    .map(({ row }) => row)

const numbered = (rows: Row[]): SharedFlight[] => rows.map((row, i) => ({ id: i + 1, ...row }))

const lookUp = <Item>(records: ReadonlyMap<number, Item>, id: number | null): Item | null =>
  id === null ? null : (records.get(id) ?? null)

const TRACKS_AT_MOST = 300
const POINTS_PER_TRACK = 5000
const POINTS_AT_MOST = 150_000

/** The newest tracks, thinned so that the page stays light: where the aircraft went, not when or how high. */
async function tracksOf(services: Services, shown: { flight: LogFlight }[]) {
  const wanted = shown.filter(({ flight }) => flight.hasTrack).slice(0, TRACKS_AT_MOST)
  const most = Math.min(POINTS_PER_TRACK, Math.floor(POINTS_AT_MOST / Math.max(1, wanted.length)))
  const tracks = new Map<number, [number, number][]>()
  for (const { flight } of wanted) {
    const track = await findTrack(services.store.read, flight.id)
    if (track)
      tracks.set(
        flight.id,
        thinned(track.coordinates, most).map(([lon, lat]) => [lon, lat]),
      )
  }
  return tracks
}

/** At most so many points, evenly picked, the first and the last among them. */
function thinned<Point>(points: readonly Point[], most: number): Point[] {
  if (points.length <= most) return [...points]
  const step = (points.length - 1) / (most - 1)
  return Array.from({ length: most }, (_, i) => points[Math.round(i * step)]!)
}
