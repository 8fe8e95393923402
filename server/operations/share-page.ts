// What a visitor of a public share gets: exactly what is ticked and nothing else. Every field is added here by the
// switch that allows it; a flight carries no id of ours, and nobody's name but the sharer's is told.
import { covers } from '../domain/access.ts'
import { effectiveArrival, effectiveDeparture } from '../domain/flight.ts'
import { notFound } from '../errors.ts'
import type { Services } from '../operation.ts'
import type { Records } from '../reference/reference.ts'
import type { LogFlight } from '../store/log.ts'
import { findPerson, type Person } from '../store/people.ts'
import type { Aircraft, Airline, Airport } from '../store/reference.ts'
import { flightsOf, PEOPLE, REFERENCE, readRevisions } from '../store/revisions.ts'
import { findShareBySlug, type Share, type ShareSettings } from '../store/shares.ts'
import { findTrack } from '../store/tracks.ts'
import { routeKm } from './flight-view.ts'
import { type FlownLog, loadLog, nextCompletion } from './flown.ts'
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
  const { store, clock, cache, version } = services
  const db = store.read
  const now = clock.now()
  const { share, owner } = await findServedShare(services, slug)

  const names = [flightsOf(owner.id), PEOPLE, REFERENCE]
  const [flights, people, reference] = (await readRevisions(db, names)) as [number, number, number]
  let log: FlownLog | undefined
  const load = async () => {
    log ??= await loadLog({ db, services }, owner.id, reference)
    return log
  }
  const revision = `${owner.id}@${flights}.${people}.${reference}`
  const next = await nextCompletion(cache, revision, now, load)
  const key = `${version}/share/${JSON.stringify(share)}/${revision}/${next}`
  let bytes = cache.get(key)
  if (!bytes) {
    const page = await createPage(services, share, owner, await load(), now)
    bytes = await pack(Buffer.from(JSON.stringify({ data: page })))
    cache.set(key, bytes)
  }
  return bytes
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
