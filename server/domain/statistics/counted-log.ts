// A log that is counted by years, by decades and in total. An added flight is added to each; a removed flight requires a recount
// of its year and a few merges.
import { createSummarizer, type Summary } from './document.ts'
import type { StatFlight } from './flights.ts'

interface Year {
  flights: Map<number, StatFlight>
  /** Undefined until counted. */
  summary: Summary | undefined
}
interface Decade {
  years: Map<number, Year>
  merged: Merged
}
type Summarizer = ReturnType<typeof createSummarizer>

export interface CountedLog {
  add(flight: StatFlight): void
  remove(flight: StatFlight): void
  /** Counts the changes. The caller may do other work between the steps. */
  count(): Generator<void>
  /** The document of a counted log. `today` is `YYYY-MM-DD`. */
  document(today: string): ReturnType<Summarizer['document']>
}

/** A small number: the first flights take long, before the code is compiled. */
const FLIGHTS_A_STEP = 100
const yearOf = ({ date = '' }: StatFlight): number => Number(date.slice(0, 4))
const decadeOf = (year: number): number => Math.floor(year / 10)

/** Flights must be completed. `userId`: the person whose seats count; null for every passenger's. */
export function createCountedLog(userId: string | null): CountedLog {
  const summarizer = createSummarizer(userId)
  const decades = new Map<number, Decade>()
  const all = createMerged(summarizer)

  const decadeWith = (year: number): Decade =>
    known(decades, decadeOf(year), () => ({ years: new Map(), merged: createMerged(summarizer) }))
  const yearIn = ({ years }: Decade, year: number): Year =>
    known(years, year, () => ({ flights: new Map(), summary: undefined }))

  const changed = (number: number): Year => {
    const decade = decadeWith(number)
    const year = yearIn(decade, number)
    year.summary = undefined
    decade.merged.change(number)
    all.change(decadeOf(number))
    return year
  }

  return {
    add(flight) {
      const number = yearOf(flight)
      const { years, merged } = decadeWith(number)
      const year = years.get(number)
      if (!year?.summary || !merged.summary() || !all.summary())
        return void changed(number).flights.set(flight.id, flight)
      year.flights.set(flight.id, flight)
      summarizer.add(year.summary, [flight])
      merged.add(number, flight)
      all.add(decadeOf(number), flight)
    },
    remove: (flight) => void changed(yearOf(flight)).flights.delete(flight.id),
    *count() {
      if (all.summary()) return
      for (const [number, decade] of decades) {
        yield* countYears(summarizer, decade.years)
        if (decade.years.size === 0) decades.delete(number)
        else if (!decade.merged.summary()) {
          yield* decade.merged.merge(
            new Map([...decade.years].map(([year, { summary }]) => [year, summary!])),
          )
        }
      }
      yield* all.merge(new Map([...decades].map(([number, { merged }]) => [number, merged.summary()!])))
    },
    document(today) {
      const flightsOf = (year: number) => [
        ...(decades.get(decadeOf(year))?.years.get(year)?.flights.values() ?? []),
      ]
      return summarizer.document(all.summary()!, flightsOf, today)
    },
  }
}

function known<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key)
  if (value === undefined) {
    value = make()
    map.set(key, value)
  }
  return value
}

function* countYears({ start, add }: Summarizer, years: Map<number, Year>): Generator<void> {
  for (const [number, year] of years) {
    if (year.flights.size === 0) years.delete(number)
    if (year.flights.size === 0 || year.summary) continue
    const flights = [...year.flights.values()]
    const summary = start()
    for (let at = 0; at < flights.length; at += FLIGHTS_A_STEP) {
      add(summary, flights.slice(at, at + FLIGHTS_A_STEP))
      yield
    }
    year.summary = summary
  }
}

interface Merged {
  /** Undefined if a part changed since the last merge. */
  summary(): Summary | undefined
  /** Call it when a part will be replaced. */
  change(part: number): void
  /** Adds a flight to a part. */
  add(part: number, flight: StatFlight): void
  merge(parts: ReadonlyMap<number, Summary>): Generator<void>
}

/** Merged parts. Most often the same part changes again, so the merge of all others is kept. */
function createMerged({ start, ofParts, add }: Summarizer): Merged {
  let whole: Summary | undefined = start()
  let others: Summary | undefined
  let apart: number | undefined
  const changed = new Set<number>()
  return {
    summary: () => whole,
    change(part) {
      changed.add(part)
      whole = undefined
    },
    add(part, flight) {
      add(whole!, [flight])
      if (part !== apart) others = undefined
    },
    *merge(parts) {
      if (whole) return
      const [only] = changed
      const next = changed.size === 1 ? only! : Math.max(...parts.keys())
      if (!others || next !== apart || changed.size !== 1)
        others = yield* ofParts([...parts].flatMap(([part, summary]) => (part === next ? [] : summary)))
      apart = next
      changed.clear()
      const part = parts.get(next)
      whole = yield* ofParts(part ? [others, part] : [others])
    },
  }
}
