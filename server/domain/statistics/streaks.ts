// Consecutive months and days with a flight. A flight counts if its date is precise enough.
import { addDays, dayOfYear, daysBetween } from '../time/calendar.ts'
import { compute, type Figure } from './figure.ts'
import type { StatFlight } from './flights.ts'

export interface Streak {
  /** The first and the last month (`YYYY-MM`) or day (`YYYY-MM-DD`). */
  from: string
  to: string
  length: number
}

export interface Streaks {
  /** The longest; on a tie, the latest. Null if it is shorter than two months. */
  months: Streak | null
  /** The current streak: its last month is this month or the previous one. */
  currentMonths: Streak | null
  days: Streak | null
}

/** Consecutive months or days, as consecutive numbers. */
interface Row {
  from: number
  to: number
}

function rows(sorted: Iterable<number>): Row[] {
  const found: Row[] = []
  for (const one of sorted) {
    const last = found.at(-1)
    if (last && last.to + 1 === one) last.to = one
    else found.push({ from: one, to: one })
  }
  return found.filter(({ from, to }) => to > from)
}

const lengthOf = ({ from, to }: Row): number => to - from + 1
const longest = (list: readonly Row[]): Row | undefined =>
  list.reduce<Row | undefined>(
    (best, one) => (!best || lengthOf(one) >= lengthOf(best) ? one : best),
    undefined,
  )

const written = (row: Row | undefined, write: (number: number) => string): Streak | null =>
  row ? { from: write(row.from), to: write(row.to), length: lengthOf(row) } : null

const MONTHS = 12
const monthNumber = (date: string): number => Number(date.slice(0, 4)) * MONTHS + Number(date.slice(5, 7)) - 1
const writeMonth = (number: number): string =>
  `${String(Math.floor(number / MONTHS)).padStart(4, '0')}-${String((number % MONTHS) + 1).padStart(2, '0')}`

const EPOCH = '1970-01-01'
const writeDay = (number: number): string => addDays(EPOCH, number)

/** The months with a flight, `YYYY-MM`. */
export const flownMonths = (flights: readonly StatFlight[]): Set<string> => {
  const { months } = streakState(flights)
  return new Set([...months].map(writeMonth))
}

/** By year, so that merging the years of a log copies very little. */
interface StreakState {
  months: Set<number>
  /** For each year, one mark per day from 1 January. */
  days: Map<number, Uint8Array>
}

const DAYS_OF_YEAR = 366
const beginningOf = (year: number): string => `${String(year).padStart(4, '0')}-01-01`

/** The data of streaks. The streaks themselves depend on the day on which they are read. */
export const flownFigure: Figure<StreakState, StreakState> = {
  start: () => ({ months: new Set(), days: new Map() }),
  add({ months, days }, flight) {
    const { date, datePrecision } = flight
    if (!date || datePrecision === 'year') return
    months.add(monthNumber(date))
    if (datePrecision !== 'day') return
    const year = Number(date.slice(0, 4))
    let marks = days.get(year)
    if (!marks) {
      marks = new Uint8Array(DAYS_OF_YEAR)
      days.set(year, marks)
    }
    marks[dayOfYear(date)] = 1
  },
  merge({ months, days }, part) {
    for (const month of part.months) months.add(month)
    for (const [year, marks] of part.days) {
      const known = days.get(year)
      // Do not change either array: one of them may belong to another part.
      days.set(year, known ? known.map((mark, day) => mark | marks[day]!) : marks)
    }
  },
  result: (state) => state,
}
const streakState = (flights: readonly StatFlight[]): StreakState => compute(flownFigure, flights)

function* flownDays(days: StreakState['days']): Generator<number> {
  for (const year of [...days.keys()].sort((a, b) => a - b)) {
    const first = daysBetween(EPOCH, beginningOf(year))
    const marks = days.get(year)!
    for (let day = 0; day < DAYS_OF_YEAR; day++) if (marks[day]) yield first + day
  }
}

/** `today` is `YYYY-MM-DD`. */
export const streaks = (flights: readonly StatFlight[], today: string): Streaks =>
  streaksOf(streakState(flights), today)

export function streaksOf({ months, days }: StreakState, today: string): Streaks {
  const inMonths = rows([...months].sort((a, b) => a - b))
  const last = inMonths.at(-1)
  const goesOn = last && last.to + 1 >= monthNumber(today)
  return {
    months: written(longest(inMonths), writeMonth),
    currentMonths: written(goesOn ? last : undefined, writeMonth),
    days: written(longest(rows(flownDays(days))), writeDay),
  }
}
