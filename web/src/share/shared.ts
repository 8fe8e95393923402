// The data of a share, converted to what the map, the statistics and the list need.
import { type Continent, continents } from '../../../server/domain/enums.ts'
import type { ContinentMatrix, Figures } from '../../../server/domain/statistics/figures.ts'
import type { Place, StatFlight } from '../../../server/domain/statistics/flights.ts'
import type { Ranked } from '../../../server/domain/statistics/rankings.ts'
import type { Amount } from '../../../server/domain/statistics/sums.ts'
import type { components } from '../api/schema.d.ts'
import type { MapFlight, Selection, TrackPoints } from '../globe/types.ts'

type SharedLog = components['schemas']['SharePage']
type SharedMap = NonNullable<SharedLog['map']>
type Statistics = NonNullable<SharedLog['statistics']>

export async function fetchShare(slug: string, signal: AbortSignal): Promise<SharedLog | null> {
  const response = await fetch(`/share/${encodeURIComponent(slug)}/data`, {
    headers: { accept: 'application/json' },
    signal,
  })
  if (response.status === 404) return null
  if (!response.ok) throw new Error(response.statusText)
  return ((await response.json()) as { data: SharedLog }).data
}

type PlaceOf = (id: number | null | undefined) => Place | null
const placesOf =
  ({ airports }: SharedLog): PlaceOf =>
  (id) =>
    id ? (airports[id - 1] ?? null) : null

// The map

interface DrawnMap {
  /** Each entry represents all flights between two airports, or one flight with a track. */
  flights: Required<MapFlight>[]
  tracks: ReadonlyMap<number, TrackPoints>
}

export function drawnMap(log: SharedLog): DrawnMap {
  const place = placesOf(log)
  const { routes = [], airports = [], tracks = [] } = log.map ?? ({} as Partial<SharedMap>)
  const flights: DrawnMap['flights'] = []
  const drawn = new Map<number, TrackPoints>()
  const add = (from: Place | null, to: Place | null, completed: boolean, count: number) => {
    flights.push({ id: flights.length + 1, from, to, completed, count })
    return flights.length
  }
  const tracked = new Map<string, number>()
  for (const { a, b, coordinates } of tracks) {
    tracked.set(`${a} ${b}`, (tracked.get(`${a} ${b}`) ?? 0) + 1)
    drawn.set(add(place(a), place(b), true, 1), coordinates)
  }
  for (const { a, b, flown, planned = 0 } of routes) {
    const rest = flown - (tracked.get(`${a} ${b}`) ?? 0)
    if (rest > 0) add(place(a), place(b), true, rest)
    if (planned > 0) add(place(a), place(b), false, planned)
  }
  addSingleEndVisits(flights, airports, (id, count) => add(place(id), null, true, count))
  return { flights, tracks: drawn }
}

/** Visits by flights whose other airport is unknown. */
function addSingleEndVisits(
  flights: readonly Required<MapFlight>[],
  airports: SharedMap['airports'],
  add: (id: number, count: number) => void,
): void {
  const known = new Map<number, number>()
  for (const { from, to, count } of flights)
    for (const end of [from, to]) if (end) known.set(end.id, (known.get(end.id) ?? 0) + count)
  for (const { id, visits } of airports) {
    const rest = visits - (known.get(id) ?? 0)
    if (rest > 0) add(id, rest)
  }
}

type Subject = Exclude<Selection, { kind: 'flight' }>

/** A track is shown as its route: the share does not disclose which flight it was. */
export function subjectOf(selection: Selection | null, flights: readonly MapFlight[]): Subject | null {
  if (selection?.kind !== 'flight') return selection
  const { from, to } = flights.find(({ id }) => id === selection.id) ?? {}
  if (from && to) return { kind: 'route', a: from.id, b: to.id }
  const end = from ?? to
  return end ? { kind: 'airport', id: end.id } : null
}

interface Ends {
  from: Place | null
  to: Place | null
}

export function isAbout({ from, to }: Ends, subject: Subject): boolean {
  const ids = [from?.id, to?.id]
  if (subject.kind === 'airport') return ids.includes(subject.id)
  const [a, b] = [subject.a, subject.b]
  return (ids[0] === a && ids[1] === b) || (ids[0] === b && ids[1] === a)
}

// The list

export type ShownRow = Omit<NonNullable<SharedLog['flights']>[number], 'from' | 'to'> & Ends

export function shownRows(log: SharedLog): ShownRow[] {
  const place = placesOf(log)
  return (log.flights ?? []).map((row) => ({ ...row, from: place(row.from), to: place(row.to) }))
}

// The summary at the top

interface Summary {
  flights: number
  distanceKm: number
  airports: number
  countries: number
}

/** Computed from the first part of the page that is included. */
export function summaryOf(log: SharedLog): Summary | null {
  if (log.statistics) return log.statistics.totals
  const place = placesOf(log)
  const flown: (Ends & { count: number; distanceKm: number })[] = log.map
    ? log.map.routes.map(({ a, b, flown, distanceKm }) => ({
        from: place(a),
        to: place(b),
        count: flown,
        distanceKm,
      }))
    : shownRows(log)
        .filter(({ completed = true }) => completed)
        .map(({ from, to, distanceKm }) => ({ from, to, count: 1, distanceKm: distanceKm ?? 0 }))
  if (!log.map && !log.flights) return null
  const ends = flown
    .filter(({ count }) => count > 0)
    .flatMap(({ from, to }) => [from, to].filter((end) => end !== null))
  return {
    flights: flown.reduce((sum, { count }) => sum + count, 0),
    distanceKm: flown.reduce((sum, { count, distanceKm }) => sum + count * distanceKm, 0),
    airports: new Set(ends.map(({ id }) => id)).size,
    countries: new Set(ends.map(({ country }) => country)).size,
  }
}

// The statistics

type WireAmount = Statistics['totals'] | NonNullable<Statistics['byMonth']>[number]
const amount = ({ flights, distanceKm = 0, durationSeconds = 0 }: WireAmount): Amount => ({
  count: flights,
  distanceKm,
  seconds: durationSeconds,
})

/** The figures in the form of the statistics page. Those that the share does not include are empty. */
export function figuresFrom(log: SharedLog): Figures | null {
  const { statistics } = log
  if (!statistics) return null
  const place = placesOf(log)
  const { totals } = statistics
  return {
    totals: {
      airports: totals.airports,
      countries: totals.countries,
      routes: totals.routes,
      domestic: totals.domestic,
      international: totals.international,
      flights: totals.flights,
      distanceKm: totals.distanceKm,
      seconds: totals.durationSeconds,
      estimatedSeconds: totals.durationEstimatedSeconds,
      estimatedFlights: totals.estimatedFlights,
      measuredFlights: totals.measuredFlights,
      airlines: totals.airlines ?? 0,
      aircraft: totals.aircraft ?? 0,
      registrations: statistics.topRegistrations?.length ?? 0,
    },
    years: (statistics.byYear ?? []).map((entry) => ({ year: entry.year, ...amount(entry) })),
    months: (statistics.byMonth ?? []).map(amount),
    weekdays: (statistics.byWeekday ?? []).map(amount),
    days: new Map(Object.entries(statistics.byDay ?? {})),
    hours: statistics.byHour ?? [],
    ...rankings(statistics, place),
    cabin: {
      classes: new Map(Object.entries(statistics.classes ?? {})),
      seats: new Map(Object.entries(statistics.seats ?? {})),
      reasons: new Map(),
    },
    continents: matrixOf(statistics.continents),
    records: recordsFrom(statistics, place),
    co2: {
      kilograms: statistics.co2Kg,
      passengers: totals.flights - statistics.co2UnknownFlights,
      unknown: statistics.co2UnknownFlights,
    },
  }
}

function rankings(statistics: Statistics, place: PlaceOf) {
  const ranked = <Item>(item: Item, flights: number, distanceKm: number): Ranked<Item> => ({
    item,
    count: flights,
    distanceKm,
    seconds: 0,
  })
  const named = (list: Statistics['topAirlines']) =>
    (list ?? []).map(({ name, flights }, i) => ({ item: { id: i, name }, count: flights }))
  return {
    airports: statistics.topAirports.map(({ airport, flights, distanceKm }) =>
      ranked(place(airport)!, flights, distanceKm),
    ),
    routes: statistics.topRoutes.map(({ a, b, flights, distanceKm }) =>
      ranked({ a: place(a)!, b: place(b)! }, flights, distanceKm),
    ),
    countries: statistics.topCountries.map(({ country, flights, distanceKm }) =>
      ranked(country, flights, distanceKm),
    ),
    airlines: named(statistics.topAirlines),
    aircraft: named(statistics.topAircraft),
    registrations: named(statistics.topRegistrations).map(({ item, count }) => ({ item: item.name, count })),
  }
}

function matrixOf(pairs: Statistics['continents']): ContinentMatrix {
  const flown = new Set<Continent>(pairs.flatMap(({ a, b }) => [a, b]))
  const names = continents.filter((name) => flown.has(name))
  const cells = names.map(() => names.map(() => 0))
  for (const { a, b, flights } of pairs) {
    cells[names.indexOf(a)]![names.indexOf(b)] = flights
    cells[names.indexOf(b)]![names.indexOf(a)] = flights
  }
  return { names, cells, most: Math.max(0, ...cells.flat()) }
}

interface WireRecord {
  a: number | null
  b: number | null
  distanceKm?: number
  durationSeconds?: number
  estimated?: boolean
  date?: string
  datePrecision?: StatFlight['datePrecision']
}

function recordsFrom(statistics: Statistics, place: PlaceOf): Figures['records'] {
  const held = (record: WireRecord | null | undefined): StatFlight | null =>
    record
      ? {
          id: 0,
          from: place(record.a),
          to: place(record.b),
          distanceKm: record.distanceKm ?? null,
          duration: record.durationSeconds ?? null,
          durationEstimated: record.estimated ?? false,
          ...(record.date && { date: record.date, datePrecision: record.datePrecision ?? 'day' }),
        }
      : null
  const { busiestDay, longestGap, recordFlights } = statistics
  return {
    madeOf: { distance: 0, airport: 0, time: 0, date: 0, day: 0, ...recordFlights },
    longest: held(statistics.longest),
    shortest: held(statistics.shortest),
    slowest: held(statistics.slowest),
    quickest: held(statistics.quickest),
    first: held(statistics.first),
    latest: held(statistics.latest),
    busiestDay: busiestDay ? { date: busiestDay.date, count: busiestDay.flights } : null,
    longestGap: longestGap ?? null,
    northernmost: place(statistics.northernmost),
    southernmost: place(statistics.southernmost),
  }
}
