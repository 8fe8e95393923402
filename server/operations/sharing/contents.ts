// The content of a public share: exactly what its owner ticked (docs/decisions/024). First, flights lose every detail
// that is not ticked, and their direction, and get an order that follows from the rest; routes and figures are
// computed from that. Only the list has rows.
import { createHash } from 'node:crypto'
import type * as z from 'zod'
import { effectiveArrival, effectiveDeparture } from '../../domain/flights/best-times.ts'
import { knownOrEstimated } from '../../domain/flights/duration.ts'
import { outlineOf } from '../../domain/geo/outline.ts'
import { pick } from '../../domain/pick.ts'
import type { ShareSettings } from '../../domain/sharing/words.ts'
import { type Figures, figuresOf } from '../../domain/statistics/figures.ts'
import type { Place, StatFlight } from '../../domain/statistics/flights.ts'
import type { Counted, Ranked } from '../../domain/statistics/rankings.ts'
import { clockAt } from '../../domain/time/airport-clock.ts'
import type { Records } from '../../services/reference/reference.ts'
import type { LogFlight } from '../../store/flights/log.ts'
import { findTrack } from '../../store/flights/tracks.ts'
import type { Airport } from '../../store/reference/records.ts'
import type { Executor } from '../../store/store.ts'
import type { FlownLog } from '../flights/flown.ts'
import { routeKm } from '../flights/view.ts'
import type { Continent, Seat, SeatClass } from '../wire/schemas.ts'
import type { SharedFlight, SharedMap, SharedStatistics, SharedSubject, SharePage } from './schema.ts'

interface Owner {
  id: string
  displayName: string
}

interface Shared {
  settings: ShareSettings
  owner: Owner
  /** Null: the whole log. */
  subject: SharedSubject | null
  log: FlownLog
  now: number
  db: Executor
}

export async function createSharePage(shared: Shared): Promise<SharePage> {
  const { settings, owner, subject, log } = shared
  const { showMap, showStats, showFlightList } = settings
  const page: SharePage = { owner: { displayName: owner.displayName }, airports: [] }
  if (!showMap && !showStats && !showFlightList) return page
  if (subject) page.subject = subject
  const shown = shownFlights(shared)
  const order = placeOrder(shown, log.records)
  const bare = inNeutralOrder(
    shown.map(({ flight, completed }) => strip(shared, flight, completed, order)),
    order,
  )
  const figures = showStats
    ? figuresOf(
        bare.filter(({ completed }) => completed),
        null,
      )
    : null
  const statistics = (numbers: Numbers) => figures && statisticsOf(settings, figures, order, numbers)
  const numbers = createNumbers(order, showMap || showFlightList ? order.places : placesIn(statistics))
  if (showMap) page.map = mapOf(settings, bare, numbers)
  if (page.map && settings.showTracks) page.map.tracks = await tracksOf(shared, shown, numbers)
  if (showFlightList) page.flights = rowsOf(shared, shown, numbers)
  const sharedFigures = statistics(numbers)
  if (sharedFigures) page.statistics = sharedFigures
  page.airports = numbers.places.map((place, i) => ({ id: i + 1, ...shownAirport(place) }))
  return page
}

interface Shown {
  flight: LogFlight
  completed: boolean
}

/** Without dates, only flown flights: that a flight is upcoming is a date too. */
const shownFlights = ({ settings, log, now }: Shared): Shown[] =>
  log.flights
    .map((flight, i) => ({ flight, completed: log.completions[i]! < now }))
    .filter(({ flight, completed }) => isInRange(settings, flight) && (settings.showDates || completed))

const isInRange = ({ dateFrom, dateTo }: ShareSettings, { date }: LogFlight) =>
  (dateFrom === null || date >= dateFrom) && (dateTo === null || date <= dateTo)

const lookUp = <Item>(records: ReadonlyMap<number, Item>, id: number | null): Item | null =>
  id === null ? null : (records.get(id) ?? null)

// Airports, in the order of their codes, so that neither their numbers nor their positions reveal which came first.

interface PlaceOrder {
  places: readonly Airport[]
  rank(place: { id: number }): number
}

function placeOrder(shown: readonly Shown[], { airports }: Records): PlaceOrder {
  const found = new Map<number, Airport>()
  for (const { flight } of shown) {
    for (const id of [flight.fromId, flight.toId]) {
      const airport = lookUp(airports, id)
      if (airport) found.set(airport.id, airport)
    }
  }
  const places = [...found.values()].sort(byCode)
  const ranks = new Map(places.map(({ id }, i) => [id, i]))
  return { places, rank: ({ id }) => ranks.get(id)! }
}

const nameOf = ({ icao, iata, name, latitude, longitude, id }: Airport) =>
  [icao, iata ?? '', name, latitude, longitude, id].join('\t')
const byCode = (x: Airport, y: Airport) => compareText(nameOf(x), nameOf(y))
const compareText = (x: string, y: string) => (x < y ? -1 : x > y ? 1 : 0)

interface Numbers {
  places: readonly Airport[]
  of(place: { id: number }): number
  ofAny(place: { id: number } | null): number | null
}

/** Numbers without gaps, because a gap would reveal an airport that is not shown. */
function createNumbers(order: PlaceOrder, used: Iterable<{ id: number }>): Numbers {
  const ids = new Set(Array.from(used, ({ id }) => id))
  const places = order.places.filter(({ id }) => ids.has(id))
  const numbers = new Map(places.map(({ id }, i) => [id, i + 1]))
  const of = ({ id }: { id: number }) => numbers.get(id)!
  return { places, of, ofAny: (place) => (place ? of(place) : null) }
}

/** The airports that a part of the page refers to, collected while writing it. */
function placesIn(write: (numbers: Numbers) => unknown): Set<{ id: number }> {
  const used = new Set<{ id: number }>()
  const of = (place: { id: number }) => {
    used.add(place)
    return 1
  }
  write({ places: [], of, ofAny: (place) => place && of(place) })
  return used
}

const shownAirport = (airport: Airport) => ({
  icao: airport.icao,
  iata: airport.iata,
  ...(airport.formerCodes ? { formerCodes: airport.formerCodes } : {}),
  ...pick(airport, ['name', 'municipality', 'latitude', 'longitude', 'country']),
  continent: airport.continent as z.input<typeof Continent>,
})

// A flight without its direction and the details that are not ticked

interface Bare extends StatFlight {
  completed: boolean
}

function strip(shared: Shared, flight: LogFlight, completed: boolean, { rank }: PlaceOrder): Bare {
  const { settings, owner, log } = shared
  const from = lookUp(log.records.airports, flight.fromId)
  const to = lookUp(log.records.airports, flight.toId)
  const [a, b] = from && to ? (rank(from) <= rank(to) ? [from, to] : [to, from]) : [from ?? to, null]
  const bare: Bare = {
    id: 0,
    from: a,
    to: b,
    distanceKm: a && b ? routeKm(a, b) : null,
    duration: null,
    completed,
  }
  if (settings.showDates) Object.assign(bare, shownDate(flight))
  if (settings.showAirlines) bare.airline = lookUp(log.records.airlines, flight.airlineId)
  if (settings.showAircraft) {
    bare.aircraft = lookUp(log.records.aircraft, flight.aircraftId)
    bare.aircraftReg = flight.aircraftReg
  }
  // After the aircraft, because an estimate must not reveal the class of an aircraft that is not shown.
  if (settings.showStats) Object.assign(bare, knownOrEstimated(flight.duration, bare))
  if (settings.showTimes)
    bare.departureLocal = clockAt(effectiveDeparture(flight), from?.timezone ?? null).local
  if (settings.showSeat) bare.passengers = [{ ...ownSeat(flight, owner.id), user: null, reason: null }]
  return bare
}

/** No more of the date than is known. */
const shownDate = ({ date, datePrecision }: LogFlight) => ({
  date:
    datePrecision === 'day'
      ? date
      : datePrecision === 'month'
        ? `${date.slice(0, 7)}-01`
        : `${date.slice(0, 4)}-01-01`,
  datePrecision,
})

function ownSeat(flight: LogFlight, ownerId: string) {
  const own = flight.passengers.find(({ userId }) => userId === ownerId)
  return { seat: own?.seat ?? null, seatClass: own?.seatClass ?? null }
}

/** Newest first if dates are shown. Ties, and all flights without dates, are ordered by their other shown details. */
function inNeutralOrder(flights: Bare[], { rank }: PlaceOrder): Bare[] {
  const keyed = flights.map((flight) => ({ flight, date: flight.date ?? '', text: textOf(flight, rank) }))
  return keyed
    .sort((x, y) => compareText(y.date, x.date) || compareText(x.text, y.text))
    .map(({ flight }) => flight)
}

const textOf = (flight: Bare, rank: PlaceOrder['rank']): string =>
  JSON.stringify([
    flight.from && rank(flight.from),
    flight.to && rank(flight.to),
    flight.duration,
    flight.airline?.name,
    flight.aircraft?.name,
    flight.aircraftReg,
    flight.departureLocal?.slice(11),
    flight.passengers,
  ])

// The map

function mapOf({ showDates }: ShareSettings, flights: readonly Bare[], numbers: Numbers): SharedMap {
  const routes = new Map<string, SharedMap['routes'][number]>()
  const visits = new Map<number, number>()
  for (const { from, to, distanceKm, completed } of flights) {
    for (const end of [from, to]) if (end) visits.set(numbers.of(end), (visits.get(numbers.of(end)) ?? 0) + 1)
    if (!from || !to) continue
    const [a, b] = [numbers.of(from), numbers.of(to)]
    const route = routes.get(`${a} ${b}`) ?? {
      a,
      b,
      flown: 0,
      ...(showDates ? { planned: 0 } : {}),
      distanceKm: distanceKm ?? 0,
    }
    if (completed) route.flown++
    else route.planned = (route.planned ?? 0) + 1
    routes.set(`${a} ${b}`, route)
  }
  return {
    routes: [...routes.values()].sort((x, y) => x.a - y.a || x.b - y.b),
    airports: [...visits].map(([id, visits]) => ({ id, visits })).sort((x, y) => x.id - y.id),
  }
}

const TRACKS_AT_MOST = 300
const POINTS_PER_TRACK = 600
const POINTS_AT_MOST = 150_000

/** A selection, so that the page stays small: the newest, or without dates one that looks random. */
async function tracksOf(
  { settings, owner, log, db }: Shared,
  shown: readonly Shown[],
  numbers: Numbers,
): Promise<NonNullable<SharedMap['tracks']>> {
  const recorded = shown.map(({ flight }) => flight).filter(({ hasTrack }) => hasTrack)
  const wanted = (settings.showDates ? recorded : shuffled(recorded, owner.id)).slice(0, TRACKS_AT_MOST)
  const most = Math.min(POINTS_PER_TRACK, Math.floor(POINTS_AT_MOST / Math.max(1, wanted.length)))
  const tracks: NonNullable<SharedMap['tracks']> = []
  for (const flight of wanted) {
    const track = await findTrack(db, flight.id)
    if (!track) continue
    const ends = [flight.fromId, flight.toId]
      .map((id) => numbers.ofAny(lookUp(log.records.airports, id)))
      .sort((x, y) => (x ?? Infinity) - (y ?? Infinity))
    tracks.push({ a: ends[0]!, b: ends[1]!, coordinates: outlineOf(track.coordinates, most) })
  }
  return sortedByText(tracks)
}

/** A stable order that does not depend on anything shown. */
const shuffled = (flights: readonly LogFlight[], ownerId: string): LogFlight[] =>
  flights
    .map((flight) => ({ flight, text: createHash('sha256').update(`${ownerId} ${flight.id}`).digest('hex') }))
    .sort((x, y) => compareText(x.text, y.text))
    .map(({ flight }) => flight)

const sortedByText = <Item>(items: readonly Item[]): Item[] =>
  items
    .map((item) => ({ item, text: JSON.stringify(item) }))
    .sort((x, y) => compareText(x.text, y.text))
    .map(({ item }) => item)

// The statistics. Exact sums, or sums that name days, can be solved for single flights: exact ones need the list, and
// rankings of what was flown once or twice need the list or the map (docs/decisions/024).

/** Fewer flights than this are not a habit, but identify single flights. */
const SEVERAL = 3
const ROUGH_KM = 1000
const ROUGH_SECONDS = 36_000
const ROUGH_KG = 1000

type Detail = 'flights' | 'routes' | 'sums'

/** What the rest of the page reveals anyway: every flight, every route, or neither. */
const detailOf = ({ showFlightList, showMap }: ShareSettings): Detail =>
  showFlightList ? 'flights' : showMap ? 'routes' : 'sums'

const roughly = (value: number, step: number): number => Math.round(value / step) * step

/** The length of the rankings on the page, by flights and by distance. */
const TOP = 30

/** Ties are ordered by name. */
function topsOf(settings: ShareSettings, figures: Figures, { rank }: PlaceOrder) {
  const isRough = detailOf(settings) === 'sums'
  const several = <Entry extends { count: number }>(ranked: readonly Entry[]) =>
    isRough ? ranked.filter(({ count }) => count >= SEVERAL) : ranked
  const padded = (place: Place) => String(rank(place)).padStart(8, '0')
  const byName = ({ name }: { name: string }) => name
  return {
    airports: isRough ? [] : top(figures.airports, padded),
    routes: top(several(figures.routes), ({ a, b }) => padded(a) + padded(b)),
    countries: top(several(figures.countries), (code) => code),
    airlines: topByFlights(several(figures.airlines), byName),
    aircraft: topByFlights(several(figures.aircraft), byName),
    registrations: topByFlights(
      several(figures.registrations).filter(({ count }) => count > 1),
      (registration) => registration,
    ),
  }
}

function top<Item>(ranked: readonly Ranked<Item>[], textOf: (item: Item) => string): Ranked<Item>[] {
  const byFlights = topByFlights(ranked, textOf)
  const byDistance = ranked
    .toSorted((x, y) => y.distanceKm - x.distanceKm || compareText(textOf(x.item), textOf(y.item)))
    .slice(0, TOP)
  return [...new Set([...byFlights, ...byDistance])]
}

const topByFlights = <Entry extends Counted<Item>, Item>(
  ranked: readonly Entry[],
  textOf: (item: Entry['item']) => string,
): Entry[] =>
  ranked.toSorted((x, y) => y.count - x.count || compareText(textOf(x.item), textOf(y.item))).slice(0, TOP)

function statisticsOf(
  settings: ShareSettings,
  figures: Figures,
  order: PlaceOrder,
  numbers: Numbers,
): SharedStatistics {
  const tops = topsOf(settings, figures, order)
  const isRough = detailOf(settings) === 'sums'
  const several = <Entry extends { flights: number }>(entries: Entry[]) =>
    isRough ? entries.filter(({ flights }) => flights >= SEVERAL) : entries
  const tallied = (tally: ReadonlyMap<string, number>) =>
    sortedTally(isRough ? new Map([...tally].filter(([, flights]) => flights >= SEVERAL)) : tally)
  const measured = amountsFor(settings)
  const far = <Item>({ count, distanceKm }: Ranked<Item>) => ({
    flights: count,
    distanceKm: tenths(distanceKm),
  })
  const named = ({ item, count }: Counted<{ name: string }>) => ({ name: item.name, flights: count })
  return {
    totals: totalsOf(settings, figures, measured),
    topAirports: tops.airports.map((entry) => ({ airport: numbers.of(entry.item), ...far(entry) })),
    topRoutes: tops.routes.map((entry) => ({
      a: numbers.of(entry.item.a),
      b: numbers.of(entry.item.b),
      ...far(entry),
    })),
    topCountries: tops.countries.map((entry) => ({
      country: entry.item,
      ...far(entry),
      ...(isRough && { distanceKm: roughly(entry.distanceKm, ROUGH_KM) }),
    })),
    // Without distances, which would reveal the route of a flight that was flown once.
    ...(settings.showAirlines && { topAirlines: tops.airlines.map(named) }),
    ...(settings.showAircraft && {
      topAircraft: tops.aircraft.map(named),
      topRegistrations: tops.registrations.map(({ item, count }) => ({ name: item, flights: count })),
    }),
    continents: several(continentPairs(figures)),
    ...recordsOf(settings, figures, numbers),
    ...(settings.showDates && overTime(settings, figures, measured)),
    ...(settings.showTimes && !isRough && { byHour: figures.hours }),
    ...(settings.showSeat && {
      classes: tallied(figures.cabin.classes),
      seats: tallied(figures.cabin.seats),
    }),
    co2Kg: roughly(figures.co2.kilograms, isRough ? ROUGH_KG : 1),
    co2UnknownFlights: figures.co2.unknown,
  }
}

const tenths = (km: number) => Math.round(km * 10) / 10

/**
 * The duration of a flight to the minute identifies it in public records, and with the local times at both ends it
 * reveals the season: it needs times, dates and the list. Otherwise, sums are rounded to the hour.
 */
const revealsDurations = (settings: ShareSettings) =>
  settings.showTimes && settings.showDates && settings.showFlightList

const secondsFor =
  (settings: ShareSettings) =>
  (seconds: number): number =>
    roughly(seconds, revealsDurations(settings) ? 1 : detailOf(settings) === 'sums' ? ROUGH_SECONDS : 3600)

function amountsFor(settings: ShareSettings) {
  const shownSeconds = secondsFor(settings)
  const shownKm = (km: number) => (detailOf(settings) === 'sums' ? roughly(km, ROUGH_KM) : tenths(km))
  return ({ count, distanceKm, seconds }: { count: number; distanceKm: number; seconds: number }) => ({
    flights: count,
    distanceKm: shownKm(distanceKm),
    durationSeconds: shownSeconds(seconds),
  })
}

function totalsOf(
  settings: ShareSettings,
  { totals }: Figures,
  measured: ReturnType<typeof amountsFor>,
): SharedStatistics['totals'] {
  const { airports, countries, routes, domestic, international } = totals
  return {
    ...measured({ ...totals, count: totals.flights }),
    durationEstimatedSeconds: secondsFor(settings)(totals.estimatedSeconds),
    estimatedFlights: totals.estimatedFlights,
    measuredFlights: totals.measuredFlights,
    airports,
    countries,
    routes,
    domestic,
    international,
    ...(settings.showAirlines && { airlines: totals.airlines }),
    ...(settings.showAircraft && { aircraft: totals.aircraft }),
  }
}

/** With all routes on the map, the distance per year would reveal which of them were flown in it. */
function overTime(settings: ShareSettings, figures: Figures, measured: ReturnType<typeof amountsFor>) {
  const detail = detailOf(settings)
  const counted = ({ count }: { count: number }) => ({ flights: count })
  const ofYear = detail === 'routes' ? counted : measured
  const byYear = figures.years.map((entry) => ({ year: entry.year, ...ofYear(entry) }))
  if (detail !== 'flights') return { byYear, byMonth: figures.months.map(counted) }
  return {
    byYear,
    byMonth: figures.months.map(measured),
    byWeekday: figures.weekdays.map(measured),
    byDay: sortedTally(figures.days),
  }
}

const sortedTally = (tally: ReadonlyMap<string, number>) =>
  Object.fromEntries([...tally].sort(([x], [y]) => compareText(x, y)))

/** Sums both directions. */
function continentPairs({ continents: { names, cells } }: Figures): SharedStatistics['continents'] {
  return names.flatMap((a, i) =>
    names.slice(i).flatMap((b, more) => {
      const j = i + more
      const flights = cells[i]![j]! + (i === j ? 0 : cells[j]![i]!)
      return flights > 0 ? [{ a, b, flights }] : []
    }),
  )
}

function recordsOf(settings: ShareSettings, { records }: Figures, numbers: Numbers) {
  const detail = detailOf(settings)
  if (detail === 'sums') return { longest: null, shortest: null, northernmost: null, southernmost: null }
  const isDated = detail === 'flights'
  const when = ({ date, datePrecision }: StatFlight) => ({
    ...(isDated && date !== undefined && { date }),
    ...(isDated && datePrecision !== undefined && { datePrecision }),
  })
  const ends = ({ from, to }: StatFlight) => ({ a: numbers.ofAny(from), b: numbers.ofAny(to) })
  const far = (flight: StatFlight | null) =>
    flight?.from && flight.to
      ? {
          a: numbers.of(flight.from),
          b: numbers.of(flight.to),
          distanceKm: flight.distanceKm ?? 0,
          ...when(flight),
        }
      : null
  const long = (flight: StatFlight | null) =>
    flight && {
      ...ends(flight),
      durationSeconds: flight.duration ?? 0,
      estimated: flight.durationEstimated ?? false,
      ...when(flight),
    }
  const day = (flight: StatFlight | null) =>
    flight && { ...ends(flight), date: flight.date!, datePrecision: flight.datePrecision! }
  const { busiestDay, longestGap } = records
  const { distance, airport, time, date, day: days } = records.madeOf
  const hasDays = settings.showDates && isDated
  return {
    longest: far(records.longest),
    shortest: far(records.shortest),
    northernmost: numbers.ofAny(records.northernmost),
    southernmost: numbers.ofAny(records.southernmost),
    recordFlights: {
      ...{ distance, airport },
      ...(revealsDurations(settings) && { time }),
      ...(hasDays && { date, day: days }),
    },
    ...(revealsDurations(settings) && { slowest: long(records.slowest), quickest: long(records.quickest) }),
    ...(hasDays && {
      first: day(records.first),
      latest: day(records.latest),
      busiestDay: busiestDay && { date: busiestDay.date, flights: busiestDay.count },
      longestGap,
    }),
  }
}

// The list

/**
 * Newest first if dates are shown, otherwise in an order that follows from the rest of what is shown. A trip is a
 * sequence, so sharing a trip shares its order; its owner is told this first.
 */
function rowsOf(shared: Shared, shown: readonly Shown[], numbers: Numbers): SharedFlight[] {
  const own = shown.map((one) => rowOf(shared, one, numbers))
  if (shared.subject) return own
  const rows = sortedByText(own)
  return shared.settings.showDates ? rows.sort((x, y) => compareText(y.date!, x.date!)) : rows
}

function rowOf(
  { settings, owner, log }: Shared,
  { flight, completed }: Shown,
  numbers: Numbers,
): SharedFlight {
  const { airports, airlines, aircraft } = log.records
  const [from, to] = [lookUp(airports, flight.fromId), lookUp(airports, flight.toId)]
  const row: SharedFlight = {
    from: numbers.ofAny(from),
    to: numbers.ofAny(to),
    distanceKm: from && to ? routeKm(from, to) : null,
  }
  if (settings.showDates) Object.assign(row, shownDate(flight), { completed })
  if (settings.showFlightNumbers) row.flightNumber = flight.flightNumber
  if (settings.showAirlines) row.airline = lookUp(airlines, flight.airlineId)?.name ?? null
  if (settings.showAircraft) {
    row.aircraft = lookUp(aircraft, flight.aircraftId)?.name ?? null
    row.aircraftReg = flight.aircraftReg
  }
  if (revealsDurations(settings)) row.durationSeconds = flight.duration
  if (settings.showTimes) Object.assign(row, timesOf(flight, from, to))
  if (settings.showSeat) {
    const own = flight.passengers.find(({ userId }) => userId === owner.id)
    row.seat = (own?.seat ?? null) as z.input<typeof Seat> | null
    row.seatNumber = own?.seatNumber ?? null
    row.seatClass = (own?.seatClass ?? null) as z.input<typeof SeatClass> | null
  }
  return row
}

/** Times of day, never date-times, because those would reveal the date. */
function timesOf(flight: LogFlight, from: Airport | null, to: Airport | null) {
  const departure = clockAt(effectiveDeparture(flight), from?.timezone ?? null)
  const arrival = clockAt(effectiveArrival(flight), to?.timezone ?? null)
  return {
    departureTime: departure.local?.slice(11) ?? null,
    arrivalTime: arrival.local?.slice(11) ?? null,
    dayShift: departure.daysUntil(arrival),
  }
}
