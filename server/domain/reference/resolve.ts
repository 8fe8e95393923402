// Finds the airport, airline or aircraft type that a text means on the days of a flight, for fields, filters, imports and the
// previous API. Pure: the data come from an index, which the server fills for all texts of a request or a file
// (services/reference/resolve/records.ts). The line has its own ranking (entry/line/data.ts) but uses the same code periods
// (code-periods.ts).

import { FIRST_CUSTOM_ID } from '../limits.ts'
import { searchFold } from '../text/fold.ts'
import { hasWord } from '../text/search-text.ts'
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
  type Period,
} from './code-periods.ts'
import { isFarMoreUsed, SERVED } from './place-choice.ts'

/** No match or several are results, not errors: callers write their own messages, and some continue without a record. */
export type Resolution<Item> =
  | {
      outcome: 'found'
      record: Item
      /** A reason to doubt the only match. */
      warning?: CodeWarning | undefined
      /** The day on which the code got a new holder, if known. */
      changedOn?: string | undefined
      /** Found by name, because the text is not a code. */
      isByName?: true
      /** Found by code, although the text looks like a word. */
      isCodeOfWord?: true
      /** Found by name, and has no airline service. */
      isAirfield?: true
    }
  /** Best match first: holders of a code, airports of a city's code, or matches of a name. A single candidate is an uncertain match. */
  | { outcome: 'ambiguous'; candidates: readonly Item[]; by: 'code' | 'city' | 'name' | 'part' }
  | { outcome: 'unknown' }

export const foundOrUnknown = <Item>(record: Item | undefined): Resolution<Item> =>
  record === undefined ? { outcome: 'unknown' } : { outcome: 'found', record }

/** The record if exactly one matches, for callers that ignore the reason. */
export const recordOf = <Item>(resolution: Resolution<Item>): Item | undefined =>
  resolution.outcome === 'found' ? resolution.record : undefined

// The index

export type RecordKind = 'airport' | 'airline' | 'aircraft'

export interface Coded {
  id: number
  name: string
  icao: string | null
  iata?: string | null
  /** Only airports have one. */
  type?: string
  /** Only airlines: whether the airline is operating, and since and until when. */
  active?: boolean
  from?: string | null
  to?: string | null
}

/** The records that have or had a code. */
export interface Holders<Item> {
  /** All holders at any time, unordered. */
  records: readonly Item[]
  /** The holders that the code may mean, and when. */
  periods: readonly Holder[]
  /** The airports of the city that has the code, most important first, and when. */
  city: readonly Holder[]
  /** Periods in which a record is known to have existed, with this code or another, by id. */
  known?: ReadonlyMap<number, readonly Period[]>
}

/** What a text may name. */
export interface Named<Item> {
  /** Names of places have their own rules. */
  place?: Place<Item>
  /** Search results, best first. */
  matches: readonly Item[]
  /** All folded names of the search results, by id. */
  names: ReadonlyMap<number, readonly string[]>
  /** Records of which the text is a whole name. */
  whole: readonly Item[]
  /** Records whose name begins with the text, if it has two or more words. */
  beginning: readonly Item[]
}

export interface Place<Item> {
  on(days: Days): Resolution<Item>
  /** Everything that the name may mean on any day. */
  all: readonly Item[]
  /** Whether a town with airline service, any town with an airport, or anything at all has this name. */
  like: { isCity: boolean; isTown: boolean; isAny: boolean }
}

interface CodeIndex<Item> {
  /** `code` is in upper case. */
  byCode(code: string): Holders<Item>
}
export interface Index<Item> extends CodeIndex<Item> {
  byName(text: string): Named<Item>
  /** Only for records that this index has returned. */
  importance(record: Item): number
}

interface How {
  kind: RecordKind
  days: Days
}
/** `code`: only codes. `name`: only whole names. `text`: what people write, a code or a name; a similar name is ambiguous. */
type Strictly<Strictness extends 'code' | 'name' | 'text'> = How & { strictness: Strictness }

// Rules per kind

interface Rules {
  /** The warning for a record that did not have the code on the days and is not known to have existed then. */
  notThen?: CodeWarning
  /** If several records have the same name, the one that existed on the days is meant. */
  existedOnDays?(record: Coded, days: Days): boolean
  /** Whether the dates of the record are known. */
  isKnownToEnd?(record: Coded): boolean
  /** Words that people omit at the beginning or end of a folded name. */
  omitted?: RegExp
  /** Whether the first of several records with the same name is meant, given their importance. */
  isFirstMeant?(importance: readonly number[]): boolean
}

const makers = ['Airbus', 'Boeing', 'Embraer', 'Bombardier', 'McDonnell Douglas', 'Fokker', 'ATR']
/** What people omit from the folded name of an aircraft type. */
export const makersAndNicknames = new RegExp(
  `^(?:${makers.map(searchFold).join('|')}) | (?:dreamliner|superjumbo|jumbo jet)$`,
  'g',
)

const isKnownToEnd = ({ active = false, to = null }: Coded): boolean => active || to !== null

const rules: Record<RecordKind, Rules> = {
  airport: { notThen: 'airport_closed_then' },
  airline: {
    notThen: 'airline_not_flying_then',
    existedOnDays: (airline, days) =>
      isKnownToEnd(airline) &&
      daysWithin({ from: firstDay(airline.from ?? null), to: lastDay(airline.to ?? null) }, days) > 0,
    isKnownToEnd,
    omitted: / (?:airlines?|airways|air lines?|international)$/,
    isFirstMeant: isFarMoreUsed,
  },
  aircraft: { omitted: makersAndNicknames },
}

/** Custom records come before shipped ones. */
export const isAddedHere = ({ id }: { id: number }): boolean => id >= FIRST_CUSTOM_ID

// The entry point

export function resolve<Item extends Coded>(
  index: CodeIndex<Item>,
  text: string,
  how: Strictly<'code'>,
): Resolution<Item>
export function resolve<Item extends Coded>(
  index: Index<Item>,
  text: string,
  how: Strictly<'name' | 'text'>,
): Resolution<Item>
export function resolve<Item extends Coded>(
  given: CodeIndex<Item>,
  text: string,
  how: Strictly<'code' | 'name' | 'text'>,
): Resolution<Item> {
  if (how.strictness === 'code') return ofCode(given, text, how)
  const index = given as Index<Item>
  return how.strictness === 'name' ? ofWholeName(index.byName(text), how) : ofText(index, text, how)
}

/** A code, or else a whole name; if several records have the name, the rules of the kind may choose one. */
function ofText<Item extends Coded>(index: Index<Item>, text: string, how: How): Resolution<Item> {
  const { codes, rest } = codesWithin(text, how.kind)
  if (codes.length > 0) return ofCodesAndName(index, codes, rest, how)
  const byCode = ofCode(index, text, how)
  const byName = () => ofName(index, text, how)
  if (byCode.outcome === 'unknown') return byName()
  if (!isWord(text)) return knownByName(index, { text, byCode, byName }, how) ?? byCode
  const { place } = index.byName(text)
  if (place) return ofCodeOrPlace(index, { text, place, byCode }, how)
  if (isInUse(index, byCode, how)) return orByName(index, { byCode, byName }, how)
  const meaning = byName()
  return meaning.outcome === 'unknown' ? withoutTaking(byCode) : meaning
}

/** Whether a text may be a name, so that the index must include it. */
export const mayBeName = (text: string, { periods }: Holders<unknown>, kind: RecordKind): boolean =>
  periods.length === 0 || isWord(text) || (kind === 'airline' && isShort(text))

/** What a search for the text may mean on any day: all holders of the code, or all records with the name if there are none. */
export function everyMeaning<Item extends Coded>(
  index: Index<Item>,
  text: string,
  kind: RecordKind,
): readonly Item[] {
  const { records } = index.byCode(text.toUpperCase())
  const named = index.byName(text)
  if (kind === 'airport') {
    const { all = [] } = named.place ?? {}
    const isName = isWord(text) && !isTyped(text) && all.length > 0
    return records.length > 0 && !isName ? byImportance(index, records).slice(0, HOLDERS_AT_MOST) : all
  }
  if (records.length > 0) return records
  const { matches, names, whole } = named
  if (kind === 'aircraft')
    return codeForm.test(text) || whole.length === 0 ? matches : whole.toSorted((a, b) => a.id - b.id)
  // “Lufthansa” is the airline with that name, not its subsidiaries.
  const same = whole.filter(({ name }) => name.toLowerCase() === text.toLowerCase())
  if (whole.length > 0) return same.length > 0 ? same : whole
  return havingName(matches, names, text, rules[kind].omitted)
}
const HOLDERS_AT_MOST = 20
const codeForm = /^[a-z0-9]{2,4}$/i

// Codes

const ofCode = <Item extends Coded>(
  index: CodeIndex<Item>,
  code: string,
  { kind, days }: How,
): Resolution<Item> => meaningOf(index.byCode(code.toUpperCase()), days, rules[kind].notThen)

/** What a code meant on the days. A record that only had it on other days gets the warning `notThen`. */
function meaningOf<Item extends { id: number }>(
  { records, periods, city, known }: Holders<Item>,
  days: Days,
  notThen?: CodeWarning,
): Resolution<Item> {
  const [first, second] = periods
  // Fast path: most codes only ever had one holder, and files resolve a code in every row.
  if (first && !second && city.length === 0 && daysWithin(first, days) > 0)
    return foundOrUnknown(records.find(({ id }) => id === first.id))
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
  if (held.isShared)
    return {
      outcome: 'found',
      record,
      warning: 'code_changed_hands',
      changedOn: changeWithin(periods, days),
    }
  const isThen = held.days > 0 || isKnownOn(known?.get(record.id) ?? [], days)
  return isThen ? { outcome: 'found', record } : { outcome: 'found', record, warning: notThen }
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

export const atAllTimes = (records: readonly { id: number }[]): Holder[] =>
  records.map(({ id }) => ({ id, from: null, to: null }))

/** The airports that a code without a history means: those with that ICAO code, otherwise open ones, if any. */
export function preferredAirports<Item extends Coded>(
  airports: readonly Item[],
  code: string,
): readonly Item[] {
  const best = byDesignator(airports, code)
  const open = best.filter(({ type }) => type !== 'closed')
  return open.length > 0 ? open : best
}

/** The aircraft types that a code means: shipped ones, if any. */
export function preferredTypes<Item extends Coded>(types: readonly Item[], code: string): readonly Item[] {
  const best = byDesignator(types, code)
  const shipped = best.filter((type) => !isAddedHere(type))
  return shipped.length > 0 ? shipped : best
}

function byDesignator<Item extends Coded>(records: readonly Item[], code: string): readonly Item[] {
  const byIcao = records.filter(({ icao }) => icao === code)
  return byIcao.length > 0 ? byIcao : records
}

/**
 * Without a history, an airline has its code while it operates. One that ended on an unknown day had the code before the airline
 * that has it today, if that airline's first day is known. A custom airline counts if no shipped airline that operates today has
 * the code.
 */
export function flyingYears(holders: readonly Coded[]): Holder[] {
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
  const former = meanings.find((meaning, i) => {
    const successor = ofCode(index, codes[i]!, { ...how, days: now })
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

interface CodesWithin {
  codes: readonly string[]
  rest: string
}

/** `Copenhagen / Kastrup (CPH/EKCH)`, `CPH (Kastrup)`, `EKCH/CPH`, `CPH - Copenhagen/DK`: a place with its codes. */
export function codesWithin(text: string, kind: RecordKind): CodesWithin {
  const none = { codes: [], rest: '' }
  if (kind !== 'airport' || text.length > LONGEST_WITH_CODE) return none
  const found =
    /^([^()]+)\(\s*([A-Z]{3,4}(?:\s*\/\s*[A-Z]{3,4})?)\s*\)\s*$/.exec(text) ??
    /^()([A-Z]{3,4}\s*\/\s*[A-Z]{3,4})$/.exec(text)
  const front = found ? null : /^([A-Z]{3,4})\s*(?:\(([^()]+)\)|[-–—]\s+(.+))$/.exec(text)
  if (found) return { codes: found[2]!.split('/').map((code) => code.trim()), rest: found[1]!.trim() }
  if (!front) return none
  return { codes: [front[1]!], rest: (front[2] ?? front[3]!).replace(/\/[A-Z]{2}$/, '').trim() }
}
const LONGEST_WITH_CODE = 200

/** The codes decide, unless the name next to them means another place. */
function ofCodesAndName<Item extends Coded>(
  index: Index<Item>,
  codes: readonly string[],
  rest: string,
  how: How,
): Resolution<Item> {
  const meaning = agreed(codes.map((code) => ofCode(index, code, how)))
  if (meaning.outcome !== 'found')
    return meaning.outcome === 'unknown' && rest !== '' ? ofText(index, rest, how) : meaning
  // The text is more than a code, so the result is reported like a name.
  const taken: Resolution<Item> = { ...meaning, isByName: true }
  const { place } = index.byName(rest)
  if (rest === '' || !place) return taken
  const byName = place.on(how.days)
  const isMeant = (record: Item) => record.id === meaning.record.id
  const isOther =
    byName.outcome === 'found'
      ? !isMeant(byName.record)
      : byName.outcome === 'ambiguous' && byName.by === 'name'
  if (!isOther || place.all.some(isMeant)) return taken
  return byName.outcome === 'ambiguous' && byName.candidates.some(isMeant)
    ? taken
    : withCandidate(byName, meaning.record, true)
}

// Texts that look like a code but may be a name

/** Written like a name or all in lower case; codes are written in capitals. */
export const isWord = (text: string): boolean => /^\p{L}{3,4}$/u.test(text) && text !== text.toUpperCase()
/** People also type codes that they know in lower case. */
const isTyped = (text: string): boolean => /^[a-z]{3}$/.test(text)
const isShort = (text: string): boolean => /^[A-Z]{3}$/.test(text)

/**
 * `Lima` and `Kos` are cities, although LIMA and KOS are codes of other places. A word is only a code if the airport has airline
 * service and no town with an airport has that name. If the word is written like a name, the result is marked `isCodeOfWord`.
 */
function ofCodeOrPlace<Item extends Coded>(
  index: Index<Item>,
  { text, place, byCode }: { text: string; place: Place<Item>; byCode: Resolution<Item> },
  { days }: How,
): Resolution<Item> {
  const { like } = place
  const byName = place.on(days)
  if (byCode.outcome !== 'found')
    return !isTyped(text) && (like.isCity || byName.outcome === 'found') ? byName : byCode
  if (isAddedHere(byCode.record)) return byCode
  const isKnown = isServed(index, byCode.record, text)
  const isName = isTyped(text) ? like.isTown : like.isAny
  if (!isName && isKnown) return isTyped(text) && !like.isAny ? byCode : { ...byCode, isCodeOfWord: true }
  if (byName.outcome === 'found' && !(isTyped(text) && isKnown)) return byName
  return withCandidate(byName, byCode.record)
}

/** Whether the airport has airline service, or had it while it had the code that another airport has today. */
function isServed<Item extends Coded>(index: Index<Item>, record: Item, code: string): boolean {
  if (record.type === 'closed') return record.iata !== null
  if (code.length === 3 && record.iata !== code.toUpperCase()) return true
  return index.importance(record) >= SERVED
}

interface CodeAndName<Item> {
  byCode: Resolution<Item>
  byName(): Resolution<Item>
}

/** `ITA` is the code of a small company and the name of a large airline: the well-known one wins. */
function knownByName<Item extends Coded>(
  index: Index<Item>,
  { text, byCode, byName }: CodeAndName<Item> & { text: string },
  how: How,
): Resolution<Item> | undefined {
  if (!rules[how.kind].existedOnDays || !isShort(text) || isInUse(index, byCode, how)) return undefined
  const meaning = byName()
  return isInUse(index, meaning, how) ? meaning : undefined
}

/** `Jet` was the code of Wind Jet and the name of Jet Airways: as a word, it may mean either. */
function orByName<Item extends Coded>(
  index: Index<Item>,
  { byCode, byName }: CodeAndName<Item>,
  how: How,
): Resolution<Item> {
  const { existedOnDays } = rules[how.kind]
  if (!existedOnDays || byCode.outcome !== 'found' || isAddedHere(byCode.record)) return byCode
  const meaning = byName()
  const isOther = meaning.outcome === 'found' && meaning.record.id !== byCode.record.id
  return isOther && isInUse(index, meaning, how) ? withCandidate(meaning, byCode.record) : byCode
}

/** From this importance, an airline has many flights. */
const KNOWN = 200

/** A word is only an airline's code if that airline is well known and operated on the days: `klm`, but not `Sun`. */
function isInUse<Item extends Coded>(
  index: Index<Item>,
  meaning: Resolution<Item>,
  { kind, days }: How,
): boolean {
  const { existedOnDays } = rules[kind]
  if (!existedOnDays) return true
  if (meaning.outcome !== 'found') return false
  const { record } = meaning
  return isAddedHere(record) || (index.importance(record) >= KNOWN && existedOnDays(record, days))
}

/** Turns a match into a suggestion. */
const withoutTaking = <Item>(meaning: Resolution<Item>): Resolution<Item> =>
  meaning.outcome === 'found' ? { outcome: 'ambiguous', candidates: [meaning.record], by: 'part' } : meaning

/** Both the matches of the name and the holder of the code, as uncertain candidates. A word never means a heliport. */
function withCandidate<Item extends Coded>(
  byName: Resolution<Item>,
  record: Item,
  isFirst = false,
): Resolution<Item> {
  if (record.type === 'heliport') return byName
  if (byName.outcome === 'unknown') return { outcome: 'ambiguous', candidates: [record], by: 'part' }
  const known = byName.outcome === 'found' ? [byName.record] : byName.candidates
  const by = byName.outcome === 'found' ? 'name' : byName.by
  const others = known.filter(({ id }) => id !== record.id)
  // Only a few candidates are shown, and the text matches the code exactly.
  const before = isFirst ? 0 : 1
  return {
    outcome: 'ambiguous',
    candidates: [...others.slice(0, before), record, ...others.slice(before)],
    by,
  }
}

// Names

/** Sorts search results by how their names match the text. */
export function readName<Item extends Coded>(
  text: string,
  matches: readonly Item[],
  names: ReadonlyMap<number, readonly string[]>,
): Named<Item> {
  const start = searchFold(text)
  const beginning = start.includes(' ')
    ? matches.filter(({ name }) => searchFold(name).startsWith(`${start} `))
    : []
  return { matches, names, whole: havingName(matches, names, text), beginning }
}

/** A record that has the name as a whole; several are ambiguous. */
function ofWholeName<Item extends Coded>(
  { place, whole }: Named<Item>,
  { kind, days }: How,
): Resolution<Item> {
  if (place) {
    const meaning = place.on(days)
    return meaning.outcome === 'ambiguous' && meaning.by === 'part' ? { outcome: 'unknown' } : meaning
  }
  if (whole.length < 2) return named(whole)
  const then = whole.filter((record) => rules[kind].existedOnDays?.(record, days))
  return named(then.length === 1 ? then : whole)
}

/** The only record whose name begins with the text. */
export function ofBeginning<Item extends Coded>(
  { beginning }: Named<Item>,
  { kind, days }: How,
): Item | undefined {
  const then = beginning.filter((record) => rules[kind].existedOnDays?.(record, days) ?? true)
  return then.length === 1 ? then[0] : undefined
}

/** A text that is no record's whole name is never chosen, only suggested. */
function ofName<Item extends Coded>(index: Index<Item>, text: string, { kind, days }: How): Resolution<Item> {
  const given = index.byName(text)
  const { place, matches, names, whole } = given
  if (place) return place.on(days)
  const { existedOnDays, isKnownToEnd: isDated, isFirstMeant, omitted } = rules[kind]
  const isThen = (record: Item) => existedOnDays?.(record, days) ?? true
  const all = whole.some(isThen) || !omitted ? whole : havingName(matches, names, text, omitted)
  const then = all.filter(isThen)
  // A part of the name of an airline that did not exist then: `Ryan` is unlikely to mean Ryan International.
  const isGuess = then.length + whole.length === 0 && all.every((record) => isDated?.(record))
  const possible = then.length > 0 ? then : isGuess ? [] : all
  const sameName = possible.filter(({ name }) => name.toLowerCase() === text.toLowerCase())
  if (sameName.length === 1) return saidIfNotThen(named(sameName), { kind, days })
  if (possible.length === 0) {
    const candidates = havingWords(given, text)
    return candidates.length > 0 ? { outcome: 'ambiguous', candidates, by: 'part' } : { outcome: 'unknown' }
  }
  const inOrder = byImportance(index, possible)
  const isMeant = isFirstMeant?.(inOrder.map((record) => index.importance(record))) ?? false
  return saidIfNotThen(named(isMeant ? inOrder.slice(0, 1) : inOrder), { kind, days })
}

/** Adds the warning for an airline that is known to have flown only before or after the days. */
function saidIfNotThen<Item extends Coded>(meaning: Resolution<Item>, { kind, days }: How): Resolution<Item> {
  const { existedOnDays, isKnownToEnd: isDated, notThen } = rules[kind]
  if (meaning.outcome !== 'found' || !existedOnDays || existedOnDays(meaning.record, days)) return meaning
  return isDated?.(meaning.record) ? { ...meaning, warning: notThen } : meaning
}

const byImportance = <Item extends Coded>(index: Index<Item>, records: readonly Item[]): Item[] =>
  records.toSorted((a, b) => index.importance(b) - index.importance(a))

function named<Item>(candidates: readonly Item[]): Resolution<Item> {
  const [only, ...others] = candidates
  if (others.length > 0) return { outcome: 'ambiguous', candidates, by: 'name' }
  return only ? { outcome: 'found', record: only, isByName: true } : { outcome: 'unknown' }
}

/** Records of which the text is a whole name, ignoring spaces and omitted words in both. */
function havingName<Item extends Coded>(
  matches: readonly Item[],
  names: ReadonlyMap<number, readonly string[]>,
  text: string,
  omitted = /$^/,
): readonly Item[] {
  const bare = (name: string) => name.replace(omitted, '').replaceAll(' ', '')
  const wanted = bare(searchFold(text))
  if (wanted === '') return []
  return matches.filter(({ id }) => names.get(id)?.some((name) => bare(name) === wanted))
}

/** Words that many names contain do not identify a record. */
const common = /^(?:air|airlines?|airways|aviation|international)$/
/** Shorter beginnings match unrelated names. */
const SHORTEST_BEGINNING = 4

/** Records with all words of the text, the last of which may be a beginning: a search also finds parts of unrelated names. */
function havingWords<Item extends Coded>({ matches, names }: Named<Item>, text: string): readonly Item[] {
  const all = searchFold(text).split(' ')
  const telling = all.filter((word) => !common.test(word))
  const wanted = telling.length > 0 ? telling : all
  const has = (words: string, word: string) =>
    hasWord(`${words} `, `${word} `) ||
    (word === all.at(-1) && (word.length >= SHORTEST_BEGINNING || /\d/.test(word)) && hasWord(words, word))
  return matches.filter(({ id }) => {
    const words = ` ${names.get(id)?.join(' ') ?? ''}`
    return wanted.every((word) => has(words, word))
  })
}

// What a program writes back

/** Whether the record has or had the code, or has the name and no code. */
export const bears = <Item extends Coded>(record: Item, code: string, { records }: Holders<Item>): boolean =>
  records.some(({ id }) => id === record.id) ||
  (record.icao ?? record.iata ?? record.name).toUpperCase() === code.toUpperCase()
