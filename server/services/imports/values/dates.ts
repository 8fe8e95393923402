// Dates as files write them. Whether day or month comes first is decided once per file, from all its dates; if that is not
// possible, the person is asked.

import type { ImportDateOrder, ReadDate } from '../../../domain/imports/imports.ts'
import { addDays, isCalendarDate, writeDay } from '../../../domain/time/calendar.ts'
import { readDate } from '../../../domain/time/typed-date.ts'

/** A two-digit year is at most next year, otherwise in the last century. */
const YEARS_AHEAD = 1
/** Day numbers of spreadsheets: 1954 to 2119. */
const [FIRST_SERIAL, LAST_SERIAL] = [20_000, 80_000]
const SERIAL_ZERO = '1899-12-30'
const [FIRST_YEAR, LAST_YEAR] = [1900, 2199]
const LONGEST = 60

interface Numbers {
  first: string
  second: string
  third: string
}

const trailingTime =
  /(?:T|,? +)\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:\.\d+)?(?: ?[ap]\.?m\.?)?(?: ?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2}))?$/i

/** The date of a text that may also have a time. */
const withoutTime = (text: string): string => {
  const trimmed = text.trim()
  return trimmed.length > 10 ? trimmed.replace(trailingTime, '').trim() : trimmed
}

/** Slashes, dashes or spaces with the year at the end: the meaning of `5/6/2024` depends on the order. */
function numbersOf(plain: string): Numbers | null {
  const found = /^(\d{1,2})([/ -])(\d{1,2})\2(\d{4}|\d{2})$/.exec(plain)
  return found ? { first: found[1]!, second: found[3]!, third: found[4]! } : null
}

/** Null if the text is not a date in that order. Only dates of three numbers depend on the order. */
export function readDateText(text: string, order: ImportDateOrder, today: string): ReadDate | null {
  if (text.length > LONGEST) return null
  const plain = withoutTime(text)
  const numbers = numbersOf(plain)
  return numbers ? inOrder(numbers, order, today) : (readCertain(plain, today) ?? readNamed(plain, today))
}

function inOrder({ first, second, third }: Numbers, order: ImportDateOrder, today: string): ReadDate | null {
  if (order === 'ymd')
    return third.length === 2 && first.length === 2 ? dayIn(first, second, third, today) : null
  return order === 'dmy' ? dayIn(third, second, first, today) : dayIn(third, first, second, today)
}

/** `2024-05-06`, `2024-05`, `2024`, `20240506`, `6.5.2024`, `05/2024`, and day numbers of spreadsheets. */
function readCertain(plain: string, today: string): ReadDate | null {
  let found = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/.exec(plain)
  if (found) return dayIn(found[1]!, found[3]!, found[4]!, today)
  found = /^(\d{1,2})\. ?(\d{1,2})\. ?(\d{4}|\d{2})$/.exec(plain)
  if (found) return dayIn(found[3]!, found[2]!, found[1]!, today)
  found = /^(\d{4})[-/.](\d{1,2})$/.exec(plain)
  if (found) return monthIn(found[1]!, found[2]!)
  found = /^(\d{1,2})[-/.](\d{4})$/.exec(plain)
  if (found) return monthIn(found[2]!, found[1]!)
  found = /^(\d{4})(\d{2})(\d{2})$/.exec(plain)
  if (found) return dayIn(found[1]!, found[2]!, found[3]!, today)
  if (/^\d{4}$/.test(plain)) return yearIn(plain)
  return /^\d{5}(?:[.,]\d+)?$/.test(plain) ? daySince1900(Number.parseInt(plain, 10)) : null
}

function dayIn(year: string, month: string, day: string, today: string): ReadDate | null {
  const iso = writeDay(fullYear(year, today), Number(month), Number(day))
  return isCalendarDate(iso) ? { iso, precision: 'day' } : null
}

function monthIn(year: string, month: string): ReadDate | null {
  const iso = writeDay(Number(year), Number(month), 1)
  return isCalendarDate(iso) ? { iso, precision: 'month' } : null
}

const yearIn = (year: string): ReadDate | null =>
  Number(year) >= FIRST_YEAR && Number(year) <= LAST_YEAR ? { iso: `${year}-01-01`, precision: 'year' } : null

const daySince1900 = (serial: number): ReadDate | null =>
  serial >= FIRST_SERIAL && serial <= LAST_SERIAL
    ? { iso: addDays(SERIAL_ZERO, serial), precision: 'day' }
    : null

function fullYear(digits: string, today: string): number {
  if (digits.length === 4) return Number(digits)
  const year = 2000 + Number(digits)
  return year > Number(today.slice(0, 4)) + YEARS_AHEAD ? year - 100 : year
}

/** Words between the parts in French, Spanish, Italian and Portuguese: `3 de junio de 2024`, `1er mai`. */
const joining = /\b(?:de|del|di|du|do|le|el|il|den)\b|(?<=\d)(?:er|re|º|°|ª|o)(?![a-z])/gi

/** Dates with the name of a month: `17MAY24`, `3. Juni 2024`, `Fri, Jun 3 2024`, `Jun-24`. A missing year is the nearest one. */
function readNamed(plain: string, today: string): ReadDate | null {
  // Words such as "today" and "morgen" are only accepted from people who type.
  if (!/\d/.test(plain) || !/\p{L}{3}/u.test(plain)) return null
  const words = plain.replaceAll(joining, ' ').match(/\p{L}+/gu) ?? []
  const tidy = plain.replaceAll(joining, ' ').replace(words.length > 1 ? /^\s*\p{L}+[.,]*\s+/u : /^\s+/, '')
  const ofYear = /^(\p{L}{3,})[-' ]+'?(\d{2})$/u.exec(tidy)
  const whole = ofYear && /[-']/.test(tidy) ? `${ofYear[1]} ${fullYear(ofYear[2]!, today)}` : tidy.trim()
  const read = readDate(whole, {
    today,
    order: 'day-first',
    precisions: ['day', 'month', 'year'],
    near: today,
    yearsAhead: YEARS_AHEAD,
  })
  return read.ok ? { iso: read.date, precision: read.precision } : null
}

/** Whether the text is a different date in another order. */
export function isOpen(text: string, today: string): boolean {
  const numbers = text.length > LONGEST ? null : numbersOf(withoutTime(text))
  if (!numbers) return false
  const [dmy, mdy] = [inOrder(numbers, 'dmy', today), inOrder(numbers, 'mdy', today)]
  return dmy !== null && mdy !== null && dmy.iso !== mdy.iso
}

export interface DateDecision {
  order: ImportDateOrder
  /** `choice`: the person's. `values`: a number above 12. `likelihood`: file order and future dates. Null: not decided. */
  by: 'choice' | 'values' | 'likelihood' | null
  /** Some dates are ambiguous and the file does not settle it: `order` is only the more likely one. */
  open: boolean
  /** Whether the order would be open without the person's choice. */
  openWithout: boolean
  /** At most three ambiguous texts. */
  examples: string[]
}

interface DateRules {
  today: string
  /** The person's decision for this file. */
  chosen: ImportDateOrder | null
  /** The order that the person normally uses. */
  preferred: ImportDateOrder | null
}

/** Evidence against an order. */
class Doubts {
  previous = ''
  ascending = 0
  descending = 0
  future = 0

  see(iso: string, today: string): void {
    if (this.previous !== '' && iso > this.previous) this.ascending++
    if (this.previous !== '' && iso < this.previous) this.descending++
    this.previous = iso
    if (iso > today) this.future += iso > addDays(today, FAR_DAYS) ? FAR_WEIGHT : 1
  }
  /** A file may be sorted in either direction. */
  get outOfOrder(): number {
    return Math.min(this.ascending, this.descending)
  }
}

const halfDay = /\d ?[ap]\.?m\.?$/i
const ROWS_FOR_CLOCKS = 200

/** Airlines sell tickets a year ahead, so later dates are unlikely. */
const FAR_DAYS = 366
const FAR_WEIGHT = 3
/** This many doubts, and three times as many as for the other order, outweigh the person's usual order. */
const CLEAR = 3

const EXAMPLES = 3

/** Collects the dates of a file and decides their order. */
export class DateEvidence {
  readonly #rules: DateRules
  /** How many texts are only valid in this order. */
  readonly #only: Record<ImportDateOrder, number> = { dmy: 0, mdy: 0, ymd: 0 }
  readonly #columns = new Map<string, Record<'dmy' | 'mdy', Doubts>>()
  readonly #examples = new Set<string>()
  /** A text that is a date in one order only. */
  #proof: string | undefined
  #hasHalfDays = false
  #cells = 0

  constructor(rules: DateRules) {
    this.#rules = rules
  }

  /** Call it in file order. `column`: sorting is checked per column. */
  see(text: string, column: string): void {
    const { today } = this.#rules
    const plain = withoutTime(text.slice(0, LONGEST + 1))
    const numbers = numbersOf(plain)
    if (numbers) this.#seeNumbers(plain, numbers, column)
    else {
      const read = readCertain(plain, today)
      if (read) this.#inFileOrder(read.iso, read.iso, column)
    }
  }

  /** Clock times with am or pm: those who write them put the month first. */
  seeClocks(cells: readonly string[]): void {
    if (this.#hasHalfDays || ++this.#cells > ROWS_FOR_CLOCKS) return
    this.#hasHalfDays = cells.some((cell) => cell.length <= LONGEST && halfDay.test(cell))
  }

  #seeNumbers(plain: string, numbers: Numbers, column: string): void {
    const { today } = this.#rules
    const [dmy, mdy] = [inOrder(numbers, 'dmy', today), inOrder(numbers, 'mdy', today)]
    if (dmy && mdy) {
      if (dmy.iso !== mdy.iso && this.#examples.size < EXAMPLES) this.#examples.add(plain)
      this.#inFileOrder(dmy.iso, mdy.iso, column)
      return
    }
    if (dmy || mdy) this.#proof ??= plain
    if (dmy) this.#only.dmy++
    else if (mdy) this.#only.mdy++
    else if (inOrder(numbers, 'ymd', today)) this.#only.ymd++
  }

  #inFileOrder(dmy: string, mdy: string, column: string): void {
    let doubts = this.#columns.get(column)
    if (!doubts) {
      doubts = { dmy: new Doubts(), mdy: new Doubts() }
      this.#columns.set(column, doubts)
    }
    doubts.dmy.see(dmy, this.#rules.today)
    doubts.mdy.see(mdy, this.#rules.today)
  }

  decide(): DateDecision {
    const { chosen } = this.#rules
    const own = this.#own()
    const examples = this.#examples.size > 0 || !this.#proof ? [...this.#examples] : [this.#proof]
    return chosen
      ? { order: chosen, by: 'choice', open: false, openWithout: own.open, examples }
      : { ...own, openWithout: own.open, examples }
  }

  /** The decision without the person's choice. */
  #own(): Pick<DateDecision, 'order' | 'by' | 'open'> {
    const { preferred } = this.#rules
    const { dmy, mdy, ymd } = this.#only
    const habit = preferred === 'mdy' ? 'mdy' : 'dmy'
    if (dmy === mdy && dmy > 0) return { order: habit, by: null, open: true }
    if (dmy + mdy + ymd > 0) {
      const order = dmy + mdy === 0 ? 'ymd' : dmy > mdy ? 'dmy' : 'mdy'
      return { order, by: 'values', open: false }
    }
    if (this.#examples.size === 0) return { order: habit, by: null, open: false }
    const likely = this.#likely(preferred)
    return likely ? { order: likely, by: 'likelihood', open: false } : { order: habit, by: null, open: true }
  }

  /** A single doubt only decides if it does not contradict the person's usual order. */
  #likely(preferred: ImportDateOrder | null): ImportDateOrder | null {
    const [dmy, mdy] = [this.#against('dmy'), this.#against('mdy')]
    const [order, less, more] = dmy < mdy ? (['dmy', dmy, mdy] as const) : (['mdy', mdy, dmy] as const)
    if (more >= CLEAR && more >= 3 * less) return order
    const contradicts = (preferred === 'dmy' || preferred === 'mdy') && preferred !== order
    return less === 0 && more > 0 && !contradicts ? order : null
  }

  #against(order: 'dmy' | 'mdy'): number {
    let sum = order === 'dmy' && this.#hasHalfDays ? CLEAR : 0
    for (const column of this.#columns.values()) sum += column[order].outOfOrder + column[order].future
    return sum
  }
}
