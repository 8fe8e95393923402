// Codes in place of ids, in a flight that a program sends: `"from": "CPH"` for `fromId`. Codes are resolved as of the
// flight's date.
import { invalidField } from '../../base/errors.ts'
import { type DatePrecision, datePrecisions } from '../../domain/enums.ts'
import { flightFields, type ReferenceField, referenceFields } from '../../domain/flights/fields.ts'
import { problem } from '../../domain/reasons.ts'
import { type Days, daysOf } from '../../domain/reference/code-periods.ts'
import type { Resolution } from '../../domain/reference/resolution.ts'
import { utcDate } from '../../domain/time/calendar.ts'
import { isCalendarDate } from '../../domain/time/time.ts'
import type { Call } from '../../door/operation.ts'
import { createCodeBook, resolveWrittenBack } from '../../services/reference/resolve/records.ts'
import type { StoredFlight } from '../../store/flights/flights.ts'
import type { Aircraft, Airline, Airport } from '../../store/reference/records.ts'
import { ambiguous, type Described, decided, describedKinds, type Words } from '../reference/named.ts'
import { recordsOf } from './view.ts'

/** A flight as sent, not validated yet. */
export type RawFlight = Readonly<Record<string, unknown>>

type Referred = Airport | Airline | Aircraft
type Table = keyof typeof describedKinds

export interface FlightCodes {
  /** Replaces codes with ids. `stored` is the flight being changed: if its record has the given code, that record stays. */
  toIds(given: RawFlight, warnings: string[], stored?: StoredFlight): Promise<RawFlight>
  /** Whether there are any codes to look up. */
  hasCodes(given: RawFlight): boolean
}

const codedFields = (given: RawFlight): ReferenceField[] =>
  referenceFields.filter(
    (name) => given[name] === undefined && typeof given[flightFields[name].shownAs] === 'string',
  )

/** Looks up each code once for all flights passed to it. */
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

/** Null if a code of an airline or aircraft type is ambiguous. */
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

/** The days of the given date, or else of the stored one; today if there is neither. */
function daysOfFlight({ now }: Call, { date, datePrecision }: RawFlight, stored?: StoredFlight): Days {
  const isDate = typeof date === 'string' && isCalendarDate(date)
  const precision = datePrecisions.find((known) => known === datePrecision) ?? stored?.datePrecision
  return daysOf(isDate ? date : (stored?.date ?? utcDate(now.getTime())), precision as DatePrecision)
}
