// Finds whether a record is already in the log or earlier in the file, and what it could add to the existing flight. The log is
// read a year at a time and indexed by route and day, so that a record costs no query.
import { isDeepStrictEqual } from 'node:util'
import { type Likeness, likeness, type OnRoute } from '../../../domain/flights/duplicates.ts'
import { plainFields, referenceFields, timeFields } from '../../../domain/flights/fields.ts'
import { DUPLICATE_DAYS } from '../../../domain/flights/plausibility.ts'
import type { DuplicateCode, SourceId } from '../../../domain/imports/imports.ts'
import { addDays, writtenDate } from '../../../domain/time/calendar.ts'
import { instantOf } from '../../../domain/time/time.ts'
import { findFlights, type StoredFlight } from '../../../store/flights/flights.ts'
import { listHolders } from '../../../store/history/external-ids.ts'
import {
  type ComparedFlight,
  listFlightsOfYear,
  listGivenDrafts,
} from '../../../store/imports/compared-flights.ts'
import type { Executor } from '../../../store/store.ts'
import type { Draft, JudgedRow, Update } from '../drafting/draft.ts'
import { WrittenRecords } from './digests.ts'

/** A record to compare. A draft without airports or date is compared only by its id at the source. */
interface Candidate {
  number: number
  draft: Draft
}

export type Comparison =
  | { verdict: 'new' }
  | {
      verdict: 'duplicate' | 'similar'
      code: DuplicateCode | 'similar_in_log' | 'similar_in_file'
      of: NonNullable<JudgedRow['of']>
      updates: Update[]
    }

/** A record whose verdict changes because of a later one. */
interface Revision {
  number: number
  comparison: Comparison
}

interface Comparer {
  /** In the order of the file. */
  compare(candidates: readonly Candidate[]): Promise<Comparison[]>
  /** For cancelled flights: their flight in the log, if any. An earlier one in the file is not created. */
  cancelled(candidates: readonly Candidate[]): Promise<(number | undefined)[]>
  /** After the last record. */
  revisions(): Revision[]
}

interface Compared {
  db: Executor
  /** The owner of the log; null for everyone's, for a restore. */
  userId: string | null
  importer: string
  source: SourceId
  /** Flights that this import created. Its rows stand for them. */
  own: ReadonlySet<number>
}

/**
 * Sources that may describe a flight several times, such as a booking and its boarding pass. The others are logs: each of their
 * records is a flight of its own.
 */
const severalPerFlight: ReadonlySet<SourceId> = new Set([
  'tripit',
  'tripit-ics',
  'google',
  'track',
  'drafts',
  'ics',
  'email',
  'pkpass',
  'pdf',
  'bcbp',
])

/**
 * So many records or flights on one route and day are compared with later ones. A day has a few; of a file made up of nothing
 * else, each record would be compared with all the others.
 */
const COMPARED_AT_MOST = 100

type Known = ComparedFlight & { of: { flightId: number } | { row: number } }
/** By day, or by month or year if the day is unknown. */
type Days = Map<string, Known[]>

interface Match {
  likeness: Exclude<Likeness, 'other'>
  known: Known
}

export function createComparer(compared: Compared): Comparer {
  const { db, importer, source, own } = compared
  const isLog = !severalPerFlight.has(source)
  const log = new LogByRoute(compared)
  /** Of sources that describe a flight several times. */
  const file = new Map<string, Days>()
  /** Of logs. */
  const written = new WrittenRecords(importer)
  const byId = new Map<string, { number: number; draft: Draft }>()
  const revised = new Map<number, Comparison>()
  /** Records that may be a flight of another day in the log, by number, with the id of that flight. */
  const nearby = new Map<number, number>()
  const matched = new Set<number>()

  const idOf = ({ draft }: Candidate): string | undefined => draft.externalIds[source]

  /** A record with the id of an earlier one repeats or replaces it. */
  function repeats(candidate: Candidate): Comparison | undefined {
    const id = idOf(candidate)
    if (id === undefined) return undefined
    const earlier = byId.get(id)
    if (!earlier) {
      byId.set(id, { number: candidate.number, draft: candidate.draft })
      return undefined
    }
    if (isDeepStrictEqual(earlier.draft, candidate.draft)) return inFile(earlier.number)
    revised.set(earlier.number, { ...inFile(candidate.number), code: 'superseded' })
    nearby.delete(earlier.number)
    forget(file, earlier)
    unwrite(earlier)
    byId.set(id, { number: candidate.number, draft: candidate.draft })
    return undefined
  }

  function unwrite({ number, draft }: Candidate): void {
    const flight = toCompared({ number, draft })
    if (flight) written.forget(number, flight)
  }

  function judge(candidate: Candidate, holder: number | undefined): Comparison {
    const repeated = repeats(candidate)
    if (repeated) return repeated
    if (holder !== undefined && !own.has(holder)) {
      matched.add(holder)
      return inLog(holder, 'duplicate')
    }
    const flight = toCompared(candidate)
    if (!flight) return { verdict: 'new' }
    const best = log.best(flight)
    const twin = best?.likeness === 'duplicate' ? undefined : twinOf(candidate, flight)
    if (twin && (!best || twin.likeness === 'duplicate')) return ofMatch(twin)
    if (!best) return { verdict: 'new' }
    const { flightId } = best.known.of as { flightId: number }
    if (best.likeness === 'duplicate') matched.add(flightId)
    else if (best.known.date !== flight.date) nearby.set(candidate.number, flightId)
    return ofMatch(best)
  }

  /** An earlier record of the same flight. Later records are not compared with duplicates. */
  function twinOf(candidate: Candidate, flight: ComparedFlight): Match | undefined {
    if (isLog) return repeatedIn(candidate, flight)
    const twin = bestOf(sameDay(file, flight), flight, source)
    if (twin?.likeness !== 'duplicate') keep(file, { ...flight, of: { row: candidate.number } })
    return twin
  }

  /** In a log, only a record with the same values repeats another one, and only if it names the day. */
  function repeatedIn(candidate: Candidate, flight: ComparedFlight): Match | undefined {
    // Two records of our own export are always two flights, because they have their own ids.
    if (source === 'contrail' || flight.datePrecision !== 'day') return undefined
    const row = written.repeated(candidate.number, flight, candidate.draft)
    return row === undefined ? undefined : { likeness: 'duplicate', known: { ...flight, of: { row } } }
  }

  /** Flights of the log by their ids at the source. */
  async function holdersOf(candidates: readonly Candidate[]): Promise<Map<string, number>> {
    const values = candidates.flatMap((candidate) => idOf(candidate) ?? [])
    const wanted = values.map((value) => ({ source, value }))
    const found = await listHolders(db, importer, wanted)
    return new Map(found.map(({ value, flightId }) => [value, flightId]))
  }

  /** Withdraws earlier records of a flight that the file cancels later. */
  function withdraw(candidate: Candidate): void {
    const flight = toCompared(candidate)
    const twin = flight && bestOf(sameDay(file, flight), flight, source)
    const row = twin?.likeness === 'duplicate' && 'row' in twin.known.of ? twin.known.of.row : undefined
    if (row === undefined || row > candidate.number) return
    revised.set(row, { ...inFile(candidate.number), code: 'superseded' })
    nearby.delete(row)
  }

  return {
    async cancelled(candidates) {
      await log.load(candidates)
      const holders = await holdersOf(candidates)
      return candidates.map((candidate) => {
        withdraw(candidate)
        const flight = toCompared(candidate)
        const best = flight && log.best(flight)
        const known = best?.likeness === 'duplicate' ? best.known.of : undefined
        return (
          holders.get(idOf(candidate) ?? '') ?? (known && 'flightId' in known ? known.flightId : undefined)
        )
      })
    },
    async compare(candidates) {
      await log.load(candidates)
      const holders = await holdersOf(candidates)
      const results = candidates.map((candidate) => judge(candidate, holders.get(idOf(candidate) ?? '')))
      return withUpdates(compared, candidates, results)
    },
    revisions() {
      // The file also has the flight of the other day, so this record is a different flight.
      for (const [number, flightId] of nearby) {
        if (matched.has(flightId)) revised.set(number, { verdict: 'new' })
      }
      return [...revised].map(([number, comparison]) => ({ number, comparison }))
    },
  }
}

const inFile = (row: number) =>
  ({ verdict: 'duplicate', code: 'duplicate_in_file', of: { row }, updates: [] }) satisfies Comparison
const inLog = (flightId: number, verdict: 'duplicate' | 'similar'): Comparison => ({
  verdict,
  code: verdict === 'duplicate' ? 'duplicate_in_log' : 'similar_in_log',
  of: { flightId },
  updates: [],
})

function ofMatch({ likeness: verdict, known: { of } }: Match): Comparison {
  if ('flightId' in of) return inLog(of.flightId, verdict)
  return verdict === 'duplicate' ? inFile(of.row) : { verdict, code: 'similar_in_file', of, updates: [] }
}

// By route and day

const routeOf = ({ fromId, toId }: ComparedFlight): string => `${fromId}-${toId}`

/** A month or a year has its own key, which differs from that of any day. */
const dayKey = (flight: Pick<ComparedFlight, 'date' | 'datePrecision'>): string => writtenDate(flight)

function keep(routes: Map<string, Days>, known: Known): void {
  const route = routeOf(known)
  const days: Days = routes.get(route) ?? new Map()
  routes.set(route, days)
  if ((days.get(dayKey(known))?.length ?? 0) >= COMPARED_AT_MOST) return
  for (const key of keysOf(known)) add(days, key, known)
}

/** Also under month and year, where less precise records are looked up. */
const keysOf = (flight: ComparedFlight): string[] => [
  dayKey(flight),
  ...periodsOf(flight).map((period) => `in ${period}`),
]

function add(days: Days, key: string, known: Known): void {
  const list = days.get(key)
  if (list) list.push(known)
  else days.set(key, [known])
}

function forget(routes: Map<string, Days>, { number, draft }: Candidate): void {
  const flight = toCompared({ number, draft })
  const days = flight && routes.get(routeOf(flight))
  if (!days) return
  for (const key of keysOf(flight)) {
    const list = days.get(key) ?? none
    days.set(
      key,
      list.filter(({ of }) => !('row' in of && of.row === number)),
    )
  }
}

const periodsOf = ({ date }: ComparedFlight): string[] => [date.slice(0, 7), date.slice(0, 4)]

/** Flights on the same day, or in the same month or year if one side is less precise. */
function sameDay(routes: Map<string, Days>, flight: ComparedFlight): Known[] {
  const days = routes.get(routeOf(flight))
  if (!days) return []
  const [month, year] = periodsOf(flight).map((key) => days.get(key) ?? none)
  // Flights are found under their own precision: day, month or year.
  if (flight.datePrecision === 'day') return [...(days.get(flight.date) ?? none), ...month!, ...year!]
  return [...new Set([...(days.get(`in ${dayKey(flight)}`) ?? none), ...month!, ...year!])]
}
const none: readonly Known[] = []

function nearDays(routes: Map<string, Days>, flight: ComparedFlight): Known[] {
  const days = routes.get(routeOf(flight))
  if (!days || flight.datePrecision !== 'day') return []
  const shifts = Array.from({ length: DUPLICATE_DAYS }, (_, i) => [i + 1, -i - 1]).flat()
  return shifts.flatMap((shift) => days.get(addDays(flight.date, shift)) ?? [])
}

/**
 * A month or a year may have several flights on a route, so only a person can say whether two of them are one; our own export has
 * the flights of such a log as they are.
 */
export function likenessOfRecord(record: OnRoute, other: OnRoute, source: SourceId | null): Likeness {
  const found = likeness(record, other)
  const isByDay = record.datePrecision === 'day' && other.datePrecision === 'day'
  return found === 'duplicate' && !isByDay && source !== 'contrail' ? 'similar' : found
}

function bestOf(known: readonly Known[], flight: ComparedFlight, source: SourceId): Match | undefined {
  let similar: Match | undefined
  for (const other of known) {
    const found = likenessOfRecord(flight, other, source)
    if (found === 'duplicate') return { likeness: found, known: other }
    if (found === 'similar') similar ??= { likeness: found, known: other }
  }
  return similar
}

class LogByRoute {
  readonly #compared: Compared
  readonly #years = new Set<string>()
  readonly #routes = new Map<string, Days>()

  constructor(compared: Compared) {
    this.#compared = compared
  }

  /** Loads the years of these records, including those of neighbouring days. */
  async load(candidates: readonly Candidate[]): Promise<void> {
    const { db, userId, own } = this.#compared
    const dates = candidates.flatMap(({ draft: { date } }) =>
      date === null ? [] : [addDays(date, -DUPLICATE_DAYS), addDays(date, DUPLICATE_DAYS)],
    )
    for (const year of new Set(dates.map((date) => date.slice(0, 4)))) {
      if (this.#years.has(year)) continue
      this.#years.add(year)
      for (const flight of await listFlightsOfYear(db, userId, year)) {
        if (own.has(flight.id)) continue
        keep(this.#routes, { ...flight, of: { flightId: flight.id } })
      }
    }
  }

  best(flight: ComparedFlight): Match | undefined {
    const { source } = this.#compared
    const same = bestOf(sameDay(this.#routes, flight), flight, source)
    return same ?? bestOf(nearDays(this.#routes, flight), flight, source)
  }
}

function toCompared({ number, draft }: Candidate): ComparedFlight | undefined {
  const { date, fromId, toId } = draft
  if (date === null || fromId === null || toId === null) return undefined
  const { datePrecision, flightNumber, airlineId, departure, departureScheduled } = draft
  return {
    id: number,
    date,
    fromId,
    toId,
    datePrecision,
    flightNumber,
    airlineId,
    departure,
    departureScheduled,
  }
}

// The values that a record could add to the flight in the log

async function withUpdates(
  { db, importer, source }: Compared,
  candidates: readonly Candidate[],
  results: readonly Comparison[],
): Promise<Comparison[]> {
  const ids = results.flatMap((result) =>
    result.verdict !== 'new' && 'flightId' in result.of ? result.of.flightId : [],
  )
  if (ids.length === 0) return [...results]
  const unique = [...new Set(ids)]
  const stored = new Map((await findFlights(db, unique)).map((flight) => [flight.id, flight]))
  const given = new Map(
    (await listGivenDrafts(db, { userId: importer, source }, unique)).map(({ flightId, draft }) => [
      flightId,
      draft,
    ]),
  )
  return results.map((result, i) => {
    if (result.verdict === 'new' || !('flightId' in result.of)) return result
    const flight = stored.get(result.of.flightId)
    if (!flight) return result
    const before = given.get(flight.id)
    const updates = updatesOf(
      candidates[i]!.draft,
      flight,
      importer,
      before ? (JSON.parse(before) as Draft) : undefined,
    )
    return { ...result, updates }
  })
}

/** Fields that identify the flight. They are corrected if the source gave the old value, and never filled. */
const placing = ['date', 'datePrecision', 'fromId', 'toId'] as const
/** Fields that are filled if the log has no value, or updated if the same source gave the current one. */
const filled = [...plainFields, ...referenceFields].filter(
  (name) => name !== 'duration' && !(placing as readonly string[]).includes(name),
)
const passengerValues = ['seat', 'seatNumber', 'seatClass', 'flightReason'] as const

/**
 * Updates for values that are empty in the log, for times that differ, and for values that the source gave before (`before`) and
 * the log still has.
 */
function updatesOf(
  draft: Draft,
  flight: StoredFlight,
  importer: string,
  before: Draft | undefined,
): Update[] {
  const updates = placingUpdates(draft, flight, before)
  for (const field of filled) {
    const [from, to] = [flight[field], draft[field]]
    if (isEmpty(field, to) || isSame(field, from, to)) continue
    const isTime = (timeFields as readonly string[]).includes(field)
    if (isEmpty(field, from) || isTime || (before && isSame(field, from, before[field])))
      updates.push({ field, from, to })
  }
  const own = flight.passengers.find(({ userId }) => userId === importer)
  const drafted = draft.passengers.find(({ userId }) => userId === importer)
  const had = before?.passengers.find(({ userId }) => userId === importer)
  for (const field of own && drafted ? passengerValues : []) {
    const [from, to] = [own![field], drafted![field]]
    if (to === null || to === from) continue
    if (from === null || from === had?.[field]) updates.push({ field, from, to })
  }
  if (draft.track && !flight.track) updates.push({ field: 'track', from: null, to: 'track' })
  return updates
}

/**
 * Updates of day and route for a flight with the same id at the source, if the log still has the values from the source; a day
 * if the log has only the month or year; and the day of a departure that moves.
 */
function placingUpdates(draft: Draft, flight: StoredFlight, before: Draft | undefined): Update[] {
  const isFiner = precisionOf(draft) > precisionOf(flight)
  const isMoved =
    precisionOf(draft) === precisionOf(flight) &&
    draft.departure !== null &&
    !isSame('departure', flight.departure, draft.departure)
  return placing.flatMap((field) => {
    const [from, to] = [flight[field], draft[field]]
    if (to === null || to === from) return []
    const isDate = field === 'date' || field === 'datePrecision'
    const isGiven = before !== undefined && before[field] === from
    return isGiven || (isDate && (isFiner || isMoved)) ? [{ field, from, to }] : []
  })
}

const precisionOf = ({ datePrecision }: Pick<Draft, 'datePrecision'>): number =>
  ['year', 'month', 'day'].indexOf(datePrecision)

/** Every flight is assumed to be flown, so that value counts as empty. */
const isEmpty = (field: string, value: unknown): boolean =>
  value === null || value === undefined || value === '' || (field === 'outcome' && value === 'flown')

function isSame(field: string, a: unknown, b: unknown): boolean {
  if (typeof a === 'string' && typeof b === 'string' && (timeFields as readonly string[]).includes(field)) {
    return instantOf(a) === instantOf(b)
  }
  return isDeepStrictEqual(a, b)
}
