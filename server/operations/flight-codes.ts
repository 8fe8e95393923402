// Codes in place of ids, in a flight that a program sends: `"from": "CPH"` for `fromId`. A code means what it meant on the
// flight's date.
import { invalidField } from '../base/errors.ts'
import { utcDate } from '../domain/calendar.ts'
import { type Days, daysOf } from '../domain/code-periods.ts'
import { type DatePrecision, datePrecisions } from '../domain/enums.ts'
import { flightFields, type ReferenceField, referenceFields } from '../domain/flight-fields.ts'
import { problem } from '../domain/reasons.ts'
import { isCalendarDate } from '../domain/time.ts'
import type { Call } from '../operation.ts'
import { createCodeBook, resolveWrittenBack } from '../resolve/reference.ts'
import type { Resolution } from '../resolve/resolution.ts'
import type { StoredFlight } from '../store/flights.ts'
import type { Aircraft, Airline, Airport } from '../store/reference.ts'
import { recordsOf } from './flight-view.ts'
import { ambiguous, type Described, decided, describedKinds, type Words } from './spoken-words.ts'

/** A flight as it was sent, not validated yet. */
export type RawFlight = Readonly<Record<string, unknown>>

type Referred = Airport | Airline | Aircraft
type Table = keyof typeof describedKinds

export interface FlightCodes {
  /** With ids in place of codes. `stored` is the flight that is changed: a code that its record bears keeps that record. */
  toIds(given: RawFlight, warnings: string[], stored?: StoredFlight): Promise<RawFlight>
  /** Whether there is anything to look up. */
  hasCodes(given: RawFlight): boolean
}

const codedFields = (given: RawFlight): ReferenceField[] =>
  referenceFields.filter(
    (name) => given[name] === undefined && typeof given[flightFields[name].shownAs] === 'string',
  )

/** Looks each code up once for all flights that it is given. */
export function createFlightCodes(call: Call): FlightCodes {
  const books = new Map<Table, ReturnType<typeof createCodeBook<Referred>>>()
  const bookOf = (table: Table) => {
    const book = books.get(table) ?? createCodeBook(call.db, kindOf(table).kind)
    books.set(table, book)
    return book
  }
  return {
    hasCodes: (given) => codedFields(given).length > 0,
    async toIds(given, warnings, stored) {
      const coded = codedFields(given)
      if (coded.length === 0) return given
      const flight = { ...given }
      const words: Words = { call, days: daysOfFlight(call, given, stored), warnings: [], problems: [] }
      const before = stored && (await recordsOf(call, call.principal.revisions.reference, [stored]))
      for (const name of coded) {
        const { to, shownAs } = flightFields[name]
        const code = String(given[shownAs]).trim()
        const known = stored?.[name] == null ? undefined : before?.[to].get(stored[name])
        const resolution = known
          ? await resolveWrittenBack(call.db, kindOf(to).kind, { codes: [code], stored: known }, words.days)
          : await bookOf(to)(code, words.days)
        delete flight[shownAs]
        flight[name] = idOf(words, to, shownAs, code, resolution)
      }
      warnings.push(...words.warnings.map(({ message }) => message))
      return flight
    },
  }
}

const kindOf = (table: Table) => describedKinds[table] as unknown as Described<Referred>

/** Null if a code of an airline or aircraft type may mean several. */
function idOf(
  words: Words,
  table: Table,
  field: string,
  code: string,
  resolution: Resolution<Referred>,
): number | null {
  const described = kindOf(table)
  if (resolution.outcome === 'unknown')
    throw invalidField([field], problem(described.noMatch, { text: code }))
  if (resolution.outcome === 'ambiguous' && table === 'airports')
    throw ambiguous(field, described, code, resolution.candidates)
  return decided(words, described, code, resolution)?.id ?? null
}

/** Those of the date that is sent, else of the stored one; without either, today. */
function daysOfFlight({ now }: Call, { date, datePrecision }: RawFlight, stored?: StoredFlight): Days {
  const isDate = typeof date === 'string' && isCalendarDate(date)
  const precision = datePrecisions.find((known) => known === datePrecision) ?? stored?.datePrecision
  return daysOf(isDate ? date : (stored?.date ?? utcDate(now.getTime())), precision as DatePrecision)
}
