// Searching flights. Each combination of filters is a separate statement, so that an engine can use the best index
// instead of evaluating filters that the request does not have.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { searchFold, wordStarts } from '../domain/search-text.ts'
import type { Executor } from './engine.ts'
import {
  foldRows,
  type JoinedRow,
  joined,
  type PageRequest,
  type Position,
  pageOf,
  type StoredFlight,
} from './flights.ts'
import { type Query, query } from './query.ts'

export interface FlightFilter {
  /** Inclusive, YYYY-MM-DD. */
  dateFrom?: string | undefined
  dateTo?: string | undefined
  /** Departed from or arrived at one of these. */
  airportIds?: readonly number[] | undefined
  fromIds?: readonly number[] | undefined
  toIds?: readonly number[] | undefined
  airlineIds?: readonly number[] | undefined
  /** Spellings in upper case without blanks and hyphens. */
  flightNumbers?: readonly string[] | undefined
  /** The digits alone, without leading zeros. */
  bareNumber?: string | undefined
  aircraftReg?: string | undefined
  /** Found in the note, the numbers, or the names of records and people on the flight. */
  text?: string | undefined
}

/** Lists are padded to this length, so that one statement serves every length. */
const LIST_LENGTH = 20

type Parameters = Record<string, unknown>
type Condition = RawBuilder<SqlBool>

const among = (column: RawBuilder<unknown>, p: Parameters, name: string): Condition =>
  sql`${column} in (${sql.join(Array.from({ length: LIST_LENGTH }, (_, i) => p[`${name}${i}`]))})`

const compact = (column: string) => sql`upper(replace(replace(${sql.ref(column)}, ' ', ''), '-', ''))`
const contains = (column: string, pattern: unknown): Condition =>
  sql`lower(${sql.ref(column)}) like ${pattern} escape '\\'`
/** A record whose search text has a word that begins so. Folded words contain nothing that `like` treats otherwise. */
const names = (table: 'airport' | 'airline' | 'aircraft', keys: string[], p: Parameters): Condition =>
  sql`exists (select 1 from ${sql.table(table)} as named where named.id in (${sql.join(keys.map((key) => sql.ref(`flight.${key}`)))})
    and (${sql.join(
      wordStarts.map((_, i) => sql`named.search like ${p[`word${i}`]}`),
      sql` or `,
    )}))`

/** The date is copied to every passenger, so a query that starts there finds the range in that index. */
type DateColumn = 'flight.date' | 'mine.flight_date'

const conditions: Record<keyof FlightFilter, (p: Parameters, date: DateColumn) => Condition> = {
  dateFrom: (p, date) => sql`${sql.ref(date)} >= ${p['dateFrom']}`,
  dateTo: (p, date) => sql`${sql.ref(date)} <= ${p['dateTo']}`,
  airportIds: (p) =>
    sql`(${among(sql.ref('flight.from_id'), p, 'airportIds')} or ${among(sql.ref('flight.to_id'), p, 'airportIds')})`,
  fromIds: (p) => among(sql.ref('flight.from_id'), p, 'fromIds'),
  toIds: (p) => among(sql.ref('flight.to_id'), p, 'toIds'),
  airlineIds: (p) => among(sql.ref('flight.airline_id'), p, 'airlineIds'),
  flightNumbers: (p) => among(compact('flight.flight_number'), p, 'flightNumbers'),
  bareNumber: (p) =>
    sql`ltrim(${compact('flight.flight_number')}, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0') = ${p['bareNumber']}`,
  aircraftReg: (p) => sql`${compact('flight.aircraft_reg')} = ${p['aircraftReg']}`,
  text: (p) =>
    sql`(${sql.join(
      [
        contains('flight.note', p['text']),
        contains('flight.flight_number', p['text']),
        contains('flight.operating_flight_number', p['text']),
        contains('flight.booking_reference', p['text']),
        contains('flight.aircraft_reg', p['text']),
        names('airport', ['from_id', 'to_id'], p),
        names('airline', ['airline_id'], p),
        names('aircraft', ['aircraft_id'], p),
        sql`exists (select 1 from flight_passenger as companion left join person as known on known.id = companion.user_id
        where companion.flight_id = flight.id
        and (${contains('companion.guest_name', p['text'])} or ${contains('known.display_name', p['text'])}))`,
      ],
      sql` or `,
    )})`,
}

const statements = new Map<string, Query<Parameters, JoinedRow>>()

/** The statement for these filters, over one person's flights or over all. */
function statementFor(
  present: readonly (keyof FlightFilter)[],
  ofUser: boolean,
): Query<Parameters, JoinedRow> {
  const key = `${ofUser} ${present.join(' ')}`
  let statement = statements.get(key)
  if (!statement) {
    statement = query((db, p) => {
      const where = present.map((name) => conditions[name](p, ofUser ? 'mine.flight_date' : 'flight.date'))
      const place = { date: p['date'], id: p['id'], limit: p['limit'] } as PageRequest
      if (!ofUser) {
        const all = db.selectFrom('flight').select('flight.id as id')
        return joined(
          db,
          pageOf(
            all.where((eb) => eb.and(where)),
            'flight.date',
            'flight.id',
            place,
          ),
        )
      }
      const own = db
        .selectFrom('flight_passenger as mine')
        .innerJoin('flight', 'flight.id', 'mine.flight_id')
        .select('flight.id as id')
        .where('mine.user_id', '=', p['userId'] as string)
      return joined(
        db,
        pageOf(
          own.where((eb) => eb.and(where)),
          'mine.flight_date',
          'mine.flight_id',
          place,
        ),
      )
    })
    statements.set(key, statement)
  }
  return statement
}

/** Flights of one person, or of all people when `userId` is null, that pass every filter, after a position. */
export async function searchFlights(
  db: Executor,
  userId: string | null,
  filter: FlightFilter,
  position: Position,
  limit: number,
): Promise<StoredFlight[]> {
  const present = (Object.keys(conditions) as (keyof FlightFilter)[]).filter(
    (name) => filter[name] !== undefined,
  )
  const parameters: Parameters = { ...position, limit, userId }
  for (const name of present) Object.assign(parameters, parametersOf(name, filter[name]!))
  return foldRows(await statementFor(present, userId !== null)(db, parameters))
}

function parametersOf(name: keyof FlightFilter, value: string | readonly (string | number)[]): Parameters {
  if (typeof value !== 'string') {
    const item = (i: number) => value[Math.min(i, value.length - 1)]
    return Object.fromEntries(Array.from({ length: LIST_LENGTH }, (_, i) => [`${name}${i}`, item(i)]))
  }
  if (name === 'text') {
    const folded = searchFold(value)
    // A text without a letter or digit is in no name.
    const patterns = wordStarts.map((start, i) => [`word${i}`, folded ? `%${start}${folded}%` : ''])
    return { text: within(asciiLower(value)), ...Object.fromEntries(patterns) }
  }
  return { [name]: value }
}

/** Both engines lower-case ASCII only. */
const asciiLower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
const within = (text: string) => `%${text.replace(/[\\%_]/g, (mark) => `\\${mark}`)}%`
