// Months and days in a row with a flight. A flight counts where its date is precise enough.
import { addDays, addMonths } from '../calendar.ts'
import type { StatFlight } from './flights.ts'
import { byDay, monthOf } from './sums.ts'

export interface Streak {
  /** The first and the last month (`YYYY-MM`) or day (`YYYY-MM-DD`). */
  from: string
  to: string
  length: number
}

export interface Streaks {
  /** The longest, of equal ones the latest; null unless there are two in a row. */
  months: Streak | null
  /** The one that goes on: its last month is this one or the one before. */
  currentMonths: Streak | null
  days: Streak | null
}

const nextMonth = (month: string): string => addMonths(`${month}-01`, 1).slice(0, 7)

function rows(sorted: readonly string[], next: (one: string) => string): Streak[] {
  const found: Streak[] = []
  for (const one of sorted) {
    const last = found.at(-1)
    if (last && next(last.to) === one) {
      last.to = one
      last.length++
    } else found.push({ from: one, to: one, length: 1 })
  }
  return found.filter(({ length }) => length > 1)
}

const longest = (list: readonly Streak[]): Streak | null =>
  list.reduce<Streak | null>((best, one) => (one.length >= (best?.length ?? 0) ? one : best), null)

/** The months with a flight, `YYYY-MM`. */
export function flownMonths(flights: readonly StatFlight[]): Set<string> {
  const flown = new Set<string>()
  for (const flight of flights) if (monthOf(flight) !== null) flown.add(flight.date!.slice(0, 7))
  return flown
}

/** `today` is `YYYY-MM-DD`. */
export function streaks(flights: readonly StatFlight[], today: string): Streaks {
  const inMonths = rows([...flownMonths(flights)].sort(), nextMonth)
  const inDays = rows([...byDay(flights).keys()].sort(), (day) => addDays(day, 1))
  const last = inMonths.at(-1)
  const goesOn = last && (last.to >= today.slice(0, 7) || nextMonth(last.to) === today.slice(0, 7))
  return { months: longest(inMonths), currentMonths: goesOn ? last : null, days: longest(inDays) }
}
