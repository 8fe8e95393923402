// The meanings of codes and names for many flights: each is looked up once, and asking for a day needs no database. An import
// of 100,000 rows has a few hundred codes.
import { inSteps } from '../base/in-steps.ts'
import type { Days, Period } from '../domain/code-periods.ts'
import { searchFold } from '../domain/search-text.ts'
import type { Executor } from '../store/store.ts'
import { type Holders, isKnownOn, meaningOf } from './codes.ts'
import type { PlaceNamed } from './places.ts'
import {
  agreed,
  type Coded,
  havingName,
  isServed,
  isWord,
  type Kind,
  named,
  ofCodeOrPlace,
  type Source,
} from './reference.ts'
import type { Resolution } from './resolution.ts'

/** One after the other, and others are served in between: a file may name thousands of places that exist nowhere. */
const eachOf = (texts: readonly string[], look: (text: string) => Promise<unknown>): Promise<void> =>
  inSteps(texts, async ([text]) => void (await look(text!)), { size: 1 })

interface PreparedCode<Item> {
  holders: Holders<Item>
  /** By the record's id. */
  known: ReadonlyMap<number, readonly Period[]>
  /** Where one of the periods begins or has ended, in order: between two of these the code means the same on every day. */
  bounds: readonly string[]
  /** By the number of bounds before the day, as far as they were asked for. */
  meanings: Resolution<Item>[]
}

interface PreparedCodes<Item> {
  /** Codes in upper case, each as often as it occurs. */
  prepare(codes: Iterable<string>): Promise<void>
  /** Only of a code that was prepared; another is unknown. */
  meaning(code: string, days: Days): Resolution<Item>
  /** Everything that has or had the code. */
  holders(code: string): readonly Item[]
}

export function prepareCodes<Item extends Coded>(db: Executor, kind: Kind<Item>): PreparedCodes<Item> {
  const prepared = new Map<string, PreparedCode<Item>>()

  return {
    async prepare(codes) {
      const missing = [...new Set(codes)].filter((code) => !prepared.has(code))
      await eachOf(missing, async (code) => prepared.set(code, await load(db, kind, code)))
    },
    meaning(code, days) {
      const found = prepared.get(code)
      return found ? meaningThen(found, kind, days) : { outcome: 'unknown' }
    },
    holders: (code) => prepared.get(code)?.holders.records ?? [],
  }
}

async function load<Item extends Coded>(
  db: Executor,
  kind: Kind<Item>,
  code: string,
): Promise<PreparedCode<Item>> {
  const holders = await kind.holdersOf(db, code)
  const known = new Map<number, readonly Period[]>()
  const limited = new Set(
    holders.periods.flatMap(({ id, from, to }) => (from === null && to === null ? [] : id)),
  )
  for (const record of holders.records)
    if (limited.has(record.id)) known.set(record.id, (await kind.knownPeriods?.(db, record, code)) ?? [])
  return { holders, known, bounds: boundsOf([...holders.periods, ...holders.city]), meanings: [] }
}

/** Behind the last day of a period stands a sign that is after every digit: the bound is after that day. */
const boundsOf = (periods: readonly Period[]): string[] =>
  [...new Set(periods.flatMap(({ from, to }) => [from ?? [], to === null ? [] : `${to}~`].flat()))].sort()

function meaningThen<Item extends Coded>(
  { holders, known, bounds, meanings }: PreparedCode<Item>,
  { notThen }: Kind<Item>,
  days: Days,
): Resolution<Item> {
  // Before the first holder and between two of them, the nearest one is meant, and that depends on the day.
  if (days.first === days.last && holders.periods.some((period) => contains(period, days))) {
    const passed = countPassed(bounds, days.first)
    meanings[passed] ??= meaningOf(holders, days).resolution
    return meanings[passed]
  }
  const { resolution, isThen } = meaningOf(holders, days)
  if (resolution.outcome !== 'found' || isThen) return resolution
  return isKnownOn(known.get(resolution.record.id) ?? [], days)
    ? resolution
    : { ...resolution, warning: notThen }
}

function countPassed(bounds: readonly string[], day: string): number {
  let passed = 0
  while (passed < bounds.length && bounds[passed]! <= day) passed++
  return passed
}

const contains = ({ from, to }: Period, { first, last }: Days): boolean =>
  (from === null || from <= first) && (to === null || last <= to)

/**
 * Several codes for one thing, the most certain first. They name what was there then: beside a code that has passed to a
 * successor since, the other one may be the successor's (OSL with ENGM was Fornebu until 1998). `now` is today.
 */
export function meaningOfAll<Item extends Coded>(
  codes: PreparedCodes<Item>,
  given: readonly string[],
  days: Days,
  now: Days,
): Resolution<Item> {
  if (given.length === 0) return { outcome: 'unknown' }
  const first = codes.meaning(given[0]!, days)
  if (given.every((code, i) => i === 0 || isSame(first, codes.meaning(code, days)))) return first
  const meanings = given.map((code) => codes.meaning(code, days))
  const former = meanings.find((meaning, i) => {
    const successor = codes.meaning(given[i]!, now)
    const isFormer = meaning.outcome === 'found' && !meaning.warning && !isSame(meaning, successor)
    return isFormer && meanings.some((other) => isSame(other, successor))
  })
  return former ?? agreed(meanings)
}

const isSame = <Item extends Coded>(a: Resolution<Item>, b: Resolution<Item>): boolean =>
  a.outcome === 'found' && b.outcome === 'found' && a.record.id === b.record.id

// Words that may be a code or a name, by the rule for what people say

interface PreparedWord {
  place: PlaceNamed
  /** Those who have or had the code, as far as airlines fly there. */
  served: ReadonlySet<number>
}

export function prepareWords<Item extends Coded>(
  source: Source,
  kind: Kind<Item>,
  codes: PreparedCodes<Item>,
) {
  const prepared = new Map<string, PreparedWord>()
  const load = async (text: string): Promise<PreparedWord> => {
    const served = new Set<number>()
    for (const record of codes.holders(text.toUpperCase()))
      if (await isServed(source.db, kind, record, text)) served.add(record.id)
    return { place: await kind.places!.find(source, text), served }
  }
  return {
    /** Their codes must be prepared. */
    async prepare(texts: Iterable<string>) {
      const missing = [...new Set(texts)].filter((text) => isWord(text) && !prepared.has(text))
      await eachOf(missing, async (text) => prepared.set(text, await load(text)))
    },
    /** Undefined if it is no such word, or no code. */
    meaning(text: string, days: Days): Resolution<Item> | undefined {
      const word = prepared.get(text)
      const byCode = codes.meaning(text.toUpperCase(), days)
      if (!word || byCode.outcome !== 'found') return undefined
      const byName = kind.places!.on(word.place, days)
      const isKnown = word.served.has(byCode.record.id)
      return ofCodeOrPlace({ text, place: word.place, byCode, byName, isServed: isKnown })
    },
  }
}

// Names

interface PreparedName<Item> {
  /** Of a place, by its own rules. */
  place: PlaceNamed | undefined
  /** Those that have the name as a whole. */
  whole: readonly Item[]
  /** Whose name begins with the text, if it has two words or more. */
  beginning: readonly Item[]
  /** All that match, the best first. */
  matches: readonly Item[]
}

interface PreparedNames<Item> {
  prepare(texts: Iterable<string>): Promise<void>
  /** A record that has the name as a whole; several are ambiguous. */
  meaning(text: string, days: Days): Resolution<Item>
  /** The only record whose name begins with the text. */
  beginning(text: string, days: Days): Item | undefined
  matches(text: string): readonly Item[]
}

const unknown = { outcome: 'unknown' } as const
const nothing = { place: undefined, whole: [], beginning: [], matches: [] }

export function prepareNames<Item extends Coded>(source: Source, kind: Kind<Item>): PreparedNames<Item> {
  const prepared = new Map<string, PreparedName<Item>>()
  return {
    async prepare(texts) {
      const missing = [...new Set(texts)].filter((text) => !prepared.has(text))
      await eachOf(missing, async (text) => prepared.set(text, await loadName(source, kind, text)))
    },
    meaning(text, days) {
      const { place, whole } = prepared.get(text) ?? nothing
      if (place) {
        const meaning = kind.places!.on(place, days)
        return meaning.outcome === 'ambiguous' && meaning.by === 'part' ? unknown : meaning
      }
      if (whole.length < 2) return named(whole)
      const then = whole.filter((record) => kind.existedOnDays?.(record, days))
      return named(then.length === 1 ? then : whole)
    },
    beginning(text, days) {
      const { beginning } = prepared.get(text) ?? nothing
      const then = beginning.filter((record) => kind.existedOnDays?.(record, days) ?? true)
      return then.length === 1 ? then[0] : undefined
    },
    matches: (text) => prepared.get(text)?.matches ?? [],
  }
}

const LONGEST_NAME = 200

async function loadName<Item extends Coded>(
  source: Source,
  kind: Kind<Item>,
  text: string,
): Promise<PreparedName<Item>> {
  if (text.length > LONGEST_NAME) return nothing
  const matches = await kind.search(source, text)
  const place = await kind.places?.find(source, text)
  const whole = place ? [] : await havingName(source.db, kind, matches, text)
  const start = searchFold(text)
  const beginning = start.includes(' ')
    ? matches.filter(({ name }) => searchFold(name).startsWith(`${start} `))
    : []
  return { place, whole, beginning, matches }
}
