// What a code of an airport, airline or aircraft type means on the days of a flight.

import { addDays } from '../time/calendar.ts'
import {
  type CodeWarning,
  changeWithin,
  type Days,
  daysWithin,
  firstDay,
  type Holder,
  heldOn,
  isKnownOn,
  lastDay,
} from './code-periods.ts'
import {
  type Coded,
  type CodeIndex,
  foundOrUnknown,
  type Holders,
  type How,
  isAddedHere,
  isOfUnknownYears,
  notThen,
  type RecordKind,
  type Resolution,
} from './resolution.ts'

export const ofCode = <Item extends Coded>(
  index: CodeIndex<Item>,
  code: string,
  { kind, days }: How,
): Resolution<Item> => meaningOf(index.byCode(code.toUpperCase()), days, kind)

/** What a code meant on the days. A record that only had it on other days gets the warning. */
function meaningOf<Item extends Coded>(
  holders: Holders<Item>,
  days: Days,
  kind: RecordKind,
): Resolution<Item> {
  const { records, periods, city, known } = holders
  const [first, second] = periods
  // Fast path: most codes only ever had one holder, and files resolve a code in every row.
  if (first && !second && city.length === 0 && daysWithin(first, days) > 0)
    return unlessOfUnknownYears(foundOrUnknown(records.find(({ id }) => id === first.id)), holders)
  const held = heldOn(periods, days)
  const inCity = heldWithin(city, days)
  const cityDays = Math.max(0, ...inCity.map((holder) => daysWithin(holder, days)))
  const heldDays = held.outcome === 'none' ? 0 : held.days
  // An airport that had the code for part of the time may be meant too: BER in 2020.
  if (cityDays > heldDays) return oneOf(records, [...heldWithin(periods, days), ...inCity], 'city')
  if (held.outcome === 'none') return { outcome: 'unknown' }
  if (held.outcome === 'several')
    return oneOf(
      records,
      held.ids.map((id) => ({ id })),
      'code',
    )
  const record = records.find(({ id }) => id === held.id)
  if (!record) return { outcome: 'unknown' }
  // A flight needs its airports, but not its airline.
  if (held.isShared && kind === 'airport') {
    const meaning = oneOf(records, longestFirst(periods, days), 'code')
    return meaning.outcome === 'ambiguous' ? { ...meaning, changedOn: changeWithin(periods, days) } : meaning
  }
  if (held.isShared)
    return {
      outcome: 'found',
      record,
      warning: 'code_changed_hands',
      changedOn: changeWithin(periods, days),
    }
  const isThen = held.days > 0 || isKnownOn(known?.get(record.id) ?? [], days)
  if (isThen) return unlessOfUnknownYears({ outcome: 'found', record }, holders)
  const warning: CodeWarning | undefined = notThen[kind]
  return unlessOfUnknownYears({ outcome: 'found', record, warning }, holders)
}

/**
 * An airline that ended on an unknown day is only suggested: today its code may be that of any airline that the reference set lacks.
 */
function unlessOfUnknownYears<Item extends Coded>(
  meaning: Resolution<Item>,
  { periods, known }: Holders<Item>,
): Resolution<Item> {
  if (meaning.outcome !== 'found') return meaning
  const { id } = meaning.record
  if (!isOfUnknownYears(meaning.record)) return meaning
  const own = [...periods.filter((period) => period.id === id), ...(known?.get(id) ?? [])]
  return own.some((period) => period.to !== null)
    ? meaning
    : { outcome: 'ambiguous', candidates: [meaning.record], by: 'code' }
}

const longestFirst = (periods: readonly Holder[], days: Days): Holder[] =>
  heldWithin(periods, days).toSorted((a, b) => daysWithin(b, days) - daysWithin(a, days))

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

// Who may be meant by a code, and when

const atAllTimes = (records: readonly { id: number }[]): Holder[] =>
  records.map(({ id }) => ({ id, from: null, to: null }))

/**
 * Custom airports come first, then the code's history (which includes former codes of closed airports), then the airports that
 * have the code today. Without a history, these are the airports with that ICAO code, otherwise open ones, if any.
 */
export function airportPeriods(
  code: string,
  today: readonly Coded[],
  history: readonly Holder[],
): readonly Holder[] {
  const custom = today.filter(isAddedHere)
  if (custom.length === 0 && history.length > 0) return history
  const best = byDesignator(custom.length > 0 ? custom : today, code)
  const open = best.filter(({ type }) => type !== 'closed')
  return atAllTimes(open.length > 0 ? open : best)
}

/** The code's history, and custom airlines if no airline has the code any more; without a history, the years of flying. */
export function airlinePeriods(today: readonly Coded[], history: readonly Holder[]): readonly Holder[] {
  if (history.length === 0) return flyingYears(today)
  const isFree = history.every(({ to }) => to !== null)
  return isFree ? [...history, ...atAllTimes(today.filter(isAddedHere))] : history
}

/** ICAO designators and IATA codes of aircraft types do not change over time. Shipped types come first. */
export function aircraftPeriods(code: string, types: readonly Coded[]): readonly Holder[] {
  const best = byDesignator(types, code)
  const shipped = best.filter((type) => !isAddedHere(type))
  return atAllTimes(shipped.length > 0 ? shipped : best)
}

function byDesignator(records: readonly Coded[], code: string): readonly Coded[] {
  const byIcao = records.filter(({ icao }) => icao === code)
  return byIcao.length > 0 ? byIcao : records
}

/**
 * Without a history, an airline has its code while it operates. One that ended on an unknown day had the code before the airline
 * that has it today, if that airline's first day is known. A custom airline counts if no shipped airline that operates today has
 * the code.
 */
function flyingYears(holders: readonly Coded[]): Holder[] {
  const isTaken = holders.some((airline) => airline.active && !isAddedHere(airline))
  const airlines = isTaken ? holders.filter((airline) => !isAddedHere(airline)) : holders
  const active = airlines.filter((airline) => airline.active)
  const since = firstDay(active[0]?.from ?? null)
  return airlines.flatMap(({ id, active: flies, from = null, to = null }) => {
    if (flies || to !== null || active.length === 0) return { id, from: firstDay(from), to: lastDay(to) }
    return since === null ? [] : { id, from: firstDay(from), to: addDays(since, -1) }
  })
}

// Several codes of one record

/**
 * Pass the most certain code first. The codes mean the record of that time: if one has since passed to a successor, the other may
 * be the successor's (OSL with ENGM was Fornebu until 1998). `now` is today.
 */
export function meaningOfAll<Item extends Coded>(
  index: CodeIndex<Item>,
  codes: readonly string[],
  how: How,
  now: Days,
): Resolution<Item> {
  if (codes.length === 0) return { outcome: 'unknown' }
  const meanings = codes.map((code) => ofCode(index, code, how))
  if (meanings.every((meaning, i) => i === 0 || isSame(meanings[0]!, meaning))) return meanings[0]!
  const successors = codes.map((code) => ofCode(index, code, { ...how, days: now }))
  // BER/EDDB in 2015 was written after the move. It may have been any airport of the city.
  const ofCity = meanings.find((meaning) => meaning.outcome === 'ambiguous' && meaning.by === 'city')
  if (ofCity && successors.every((successor) => isSame(successors[0]!, successor))) return ofCity
  const former = meanings.find((meaning, i) => {
    const successor = successors[i]!
    const isFormer = meaning.outcome === 'found' && !meaning.warning && !isSame(meaning, successor)
    return isFormer && meanings.some((other) => isSame(other, successor))
  })
  return former ?? agreed(meanings)
}

const isSame = <Item extends Coded>(a: Resolution<Item>, b: Resolution<Item>): boolean =>
  a.outcome === 'found' && b.outcome === 'found' && a.record.id === b.record.id

/**
 * The first code that means something. Two codes of an airport mean the airport of that time: if one is the code of a closed
 * airport, the other is its successor's (SXF with EDDB is Schönefeld).
 */
export function agreed<Item extends Coded>(meanings: readonly Resolution<Item>[]): Resolution<Item> {
  const found = meanings.filter((meaning) => meaning.outcome === 'found')
  const places = found.filter(({ record }) => record.type !== undefined)
  const then =
    places.find(({ record }) => record.type === 'closed') ??
    places.find(({ warning }) => warning === undefined)
  return then ?? found[0] ?? meanings[0]!
}

// What a program writes back

/** Whether the record has or had the code, or has the name and no code. */
export const bears = <Item extends Coded>(record: Item, code: string, { records }: Holders<Item>): boolean =>
  records.some(({ id }) => id === record.id) ||
  (record.icao ?? record.iata ?? record.name).toUpperCase() === code.toUpperCase()
