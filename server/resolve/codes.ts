// From a code and the days of a flight to the record that it meant then. Every rule for choosing between the holders of
// a code is here; domain/code-periods.ts compares the days.
import { addDays } from '../domain/calendar.ts'
import {
  type CodeWarning,
  changeWithin,
  type Days,
  daysWithin,
  firstDay,
  type Holder,
  heldOn,
  lastDay,
  type Period,
} from '../domain/code-periods.ts'
import { FIRST_CUSTOM_ID } from '../store/custom-records.ts'
import {
  type Aircraft,
  type Airline,
  type Airport,
  findAirlines,
  findAirports,
  listAircraftByCode,
  listAirlinePeriods,
  listAirlinesByCode,
  listAirportPeriods,
  listAirportsByCode,
  listPeriodsOf,
} from '../store/reference.ts'
import type { Executor } from '../store/store.ts'
import type { Resolution } from './resolution.ts'

/** Who has or had a code. */
export interface Holders<Item> {
  code: string
  /** All of them, at whatever time and in whatever order of precedence. */
  records: readonly Item[]
  /** Those of them that the code may mean, and when. */
  periods: readonly Holder[]
  /** Airports of the city that the code names, the most important first, and when. */
  city: readonly Holder[]
}

/** How one kind of record bears codes. */
export interface CodeRules<Item extends { id: number }> {
  /** In upper case. */
  holdersOf(db: Executor, code: string): Promise<Holders<Item>>
  /** Periods in which the record is known to have existed, with this code or another. */
  knownPeriods?(db: Executor, record: Item, code: string): Promise<readonly Period[]>
  /** For a record that neither had the code on the days nor is known to have existed. */
  notThen?: CodeWarning
}

/** The meaning of a code whose holders are known. */
export async function resolveHeld<Item extends { id: number }>(
  db: Executor,
  { knownPeriods, notThen }: CodeRules<Item>,
  holders: Holders<Item>,
  days: Days,
): Promise<Resolution<Item>> {
  const { resolution, isThen } = meaningOf(holders, days)
  if (resolution.outcome !== 'found' || isThen) return resolution
  const periods = (await knownPeriods?.(db, resolution.record, holders.code)) ?? []
  return isKnownOn(periods, days) ? resolution : { ...resolution, warning: notThen }
}

interface Meaning<Item> {
  resolution: Resolution<Item>
  /** False: the record did not have the code on the days, and it must be looked up whether it existed. */
  isThen: boolean
}

export function meaningOf<Item extends { id: number }>(
  { records, periods, city }: Holders<Item>,
  days: Days,
): Meaning<Item> {
  const held = heldOn(periods, days)
  const inCity = heldWithin(city, days)
  const cityDays = Math.max(0, ...inCity.map((holder) => daysWithin(holder, days)))
  const settled = (resolution: Resolution<Item>) => ({ resolution, isThen: true })
  const heldDays = held.outcome === 'none' ? 0 : held.days
  // An airport that had the code for a part of the time may be meant too: BER in 2020.
  if (cityDays > heldDays) return settled(oneOf(records, [...heldWithin(periods, days), ...inCity], 'city'))
  if (held.outcome === 'none') return settled({ outcome: 'unknown' })
  if (held.outcome === 'several') {
    return settled(
      oneOf(
        records,
        held.ids.map((id) => ({ id })),
        'code',
      ),
    )
  }
  const record = records.find(({ id }) => id === held.id)
  if (!record) return settled({ outcome: 'unknown' })
  if (held.isShared) {
    const changedOn = changeWithin(periods, days)
    return settled({ outcome: 'found', record, warning: 'code_changed_hands', changedOn })
  }
  return { resolution: { outcome: 'found', record }, isThen: held.days > 0 }
}

const heldWithin = (holders: readonly Holder[], days: Days): Holder[] =>
  holders.filter((holder) => daysWithin(holder, days) > 0)

function oneOf<Item extends { id: number }>(
  records: readonly Item[],
  holders: readonly { id: number }[],
  by: 'city' | 'code',
): Resolution<Item> {
  const ids = [...new Set(holders.map(({ id }) => id))]
  const candidates = ids.flatMap((id) => records.find((record) => record.id === id) ?? [])
  const [only, ...others] = candidates
  if (!only) return { outcome: 'unknown' }
  return others.length > 0 ? { outcome: 'ambiguous', candidates, by } : { outcome: 'found', record: only }
}

/** A period of which neither end is known shows nothing. */
export const isKnownOn = (periods: readonly Period[], days: Days): boolean =>
  periods.some((period) => isDated(period) && daysWithin(period, days) > 0)

const isDated = ({ from, to }: Period): boolean => from !== null || to !== null

/**
 * Whether an airport was open on the days, by the periods of its codes. An ICAO code is kept for some days after the last flight,
 * so only IATA codes show it.
 */
export function wasOpen(
  { type }: Pick<Airport, 'type'>,
  periods: readonly (Period & { code: string })[],
  days: Days,
): boolean {
  const known = periods.filter((period) => period.code.length === 3 && isDated(period))
  if (known.length === 0) return true
  return type === 'closed'
    ? isKnownOn(known, days)
    : known.some(({ from }) => from === null || from <= days.last)
}

/** Whether an airline flew on the days, by its years and the periods of its codes. */
export function wasFlying(
  { from, to }: Pick<Airline, 'from' | 'to'>,
  periods: readonly Period[],
  days: Days,
): boolean {
  const known = [{ from: firstDay(from), to: lastDay(to) }, ...periods]
  return !known.some(isDated) || isKnownOn(known, days)
}

const atAllTimes = (records: readonly { id: number }[]): Holder[] =>
  records.map(({ id }) => ({ id, from: null, to: null }))

const isCustom = ({ id }: { id: number }): boolean => id >= FIRST_CUSTOM_ID

/** The given records and those of the periods, each once. */
async function withRecordsOf<Item extends { id: number }>(
  records: readonly Item[],
  periods: readonly Holder[],
  find: (ids: number[]) => Promise<Item[]>,
): Promise<Item[]> {
  const known = new Set(records.map(({ id }) => id))
  const missing = periods.map(({ id }) => id).filter((id) => !known.has(id))
  return missing.length === 0 ? [...records] : [...records, ...(await find(missing))]
}

// Airports: those that people added, then what the code's history says (former codes of closed airports are in it), then
// the ICAO and the IATA code of today.

export const airportCodes: CodeRules<Airport> = {
  notThen: 'airport_closed_then',
  // An ICAO code may have been kept for some days after the last flight: it does not show that the airport was open.
  knownPeriods: async (db, { id }, code) =>
    (await listPeriodsOf(db, 'airport', id)).filter((other) => other.code.length === code.length),
  async holdersOf(db, code) {
    const today = await listAirportsByCode(db, code)
    const custom = today.filter(isCustom)
    if (custom.length > 0)
      return { code, records: today, periods: atAllTimes(preferred(custom, code)), city: [] }
    const history = await listAirportPeriods(db, code)
    const periods = history.filter(({ kind }) => kind === 'airport')
    const city = history.filter(({ kind }) => kind === 'city')
    const records = await withRecordsOf(today, history, (ids) => findAirports(db, ids))
    return { code, records, periods: periods.length > 0 ? periods : atAllTimes(preferred(today, code)), city }
  },
}

/** By ICAO code if one has it, and open ones if there are any. */
function preferred(airports: readonly Airport[], code: string): readonly Airport[] {
  const byIcao = airports.filter(({ icao }) => icao === code)
  const best = byIcao.length > 0 ? byIcao : airports
  const open = best.filter(({ type }) => type !== 'closed')
  return open.length > 0 ? open : best
}

// Airlines: what the code's history says, else the years in which they flew.

export const airlineCodes: CodeRules<Airline> = {
  notThen: 'airline_not_flying_then',
  knownPeriods: async (db, { id, from, to }) => [
    { from: firstDay(from), to: lastDay(to) },
    ...(await listPeriodsOf(db, 'airline', id)),
  ],
  async holdersOf(db, code) {
    const today = await listAirlinesByCode(db, code)
    const history = await listAirlinePeriods(db, code)
    if (history.length === 0) return { code, records: today, periods: flyingYears(today), city: [] }
    const records = await withRecordsOf(today, history, (ids) => findAirlines(db, ids))
    const isFree = history.every(({ to }) => to !== null)
    const custom = isFree ? atAllTimes(today.filter(isCustom)) : []
    return { code, records, periods: [...history, ...custom], city: [] }
  },
}

/**
 * Without a history an airline has its code as long as it flies. One that ended on an unknown day had it before the
 * airline that flies today, if it is known since when that one has been flying. An airline that was added here counts
 * where no shipped one that flies today has the code.
 */
function flyingYears(holders: readonly Airline[]): Holder[] {
  const isTaken = holders.some((airline) => airline.active && !isCustom(airline))
  const airlines = isTaken ? holders.filter((airline) => !isCustom(airline)) : holders
  const active = airlines.filter((airline) => airline.active)
  const since = firstDay(active[0]?.from ?? null)
  return airlines.flatMap(({ id, active: flies, from, to }) => {
    if (flies || to !== null || active.length === 0) return { id, from: firstDay(from), to: lastDay(to) }
    return since === null ? [] : { id, from: firstDay(from), to: addDays(since, -1) }
  })
}

// Aircraft types: the ICAO designator, else an IATA code. Both stay.

export const aircraftCodes: CodeRules<Aircraft> = {
  async holdersOf(db, code) {
    const records = await listAircraftByCode(db, code)
    const byIcao = records.filter(({ icao }) => icao === code)
    const best = byIcao.length > 0 ? byIcao : records
    const shipped = best.filter((aircraft) => !isCustom(aircraft))
    return { code, records, periods: atAllTimes(shipped.length > 0 ? shipped : best), city: [] }
  },
}
