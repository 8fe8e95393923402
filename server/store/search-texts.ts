// The texts that the search index is built from. The database joins the rows into one text, which saves an object per
// row.
import { sql } from 'kysely'
import type { Executor } from './engine.ts'
import { query } from './query.ts'

type Joined = { text: string | null }

const airportText = query<{ type: string; line: string }, Joined>((db, p) =>
  db
    .selectFrom(
      db
        .selectFrom('airport')
        .select(['id', 'search'])
        .where('type', '=', p.type)
        .orderBy((eb) => eb.case().when('iata', 'is', null).then(1).else(0).end())
        .orderBy('id')
        .as('sorted'),
    )
    .select(joinedLines(p.line).as('text')),
)
const airportTypes = [
  'large_airport',
  'medium_airport',
  'small_airport',
  'seaplane_base',
  'balloonport',
  'heliport',
  'closed',
]
/** Large airports before small ones, closed ones last; among equals those with an IATA code first. */
export const listAirportTexts = (db: Executor) =>
  eachText(airportTypes, (type) => airportText(db, { type, line: '\n' }))

const airlineText = query<{ active: 0 | 1; line: string }, Joined>((db, p) =>
  db
    .selectFrom(
      db
        .selectFrom('airline')
        .select(['id', 'search'])
        .where('active', '=', p.active)
        .orderBy('name')
        .as('sorted'),
    )
    .select(joinedLines(p.line).as('text')),
)
/** Airlines that fly today first. */
export const listAirlineTexts = (db: Executor) =>
  eachText([1, 0] as const, (active) => airlineText(db, { active, line: '\n' }))

const aircraftText = query<{ line: string }, Joined>((db, p) =>
  db
    .selectFrom(
      db
        .selectFrom('aircraft')
        .select(['id', 'search'])
        .orderBy((eb) => eb.case().when('iata', 'is', null).then(1).else(0).end())
        .orderBy('name')
        .as('sorted'),
    )
    .select(joinedLines(p.line).as('text')),
)
/** Types with an IATA code are the airliners: they come first. */
export const listAircraftTexts = (db: Executor) => eachText(['all'], () => aircraftText(db, { line: '\n' }))

/** Lines of `id search`. Both engines have this aggregate and keep the order of the sub-query's rows. */
function joinedLines(line: string) {
  return sql<string | null>`string_agg(cast(sorted.id as text) || sorted.search, ${line})`
}

async function* eachText<Part>(
  parts: readonly Part[],
  read: (part: Part) => Promise<Joined[]>,
): AsyncGenerator<string> {
  for (const part of parts) {
    const [row] = await read(part)
    if (row?.text) yield row.text
  }
}
