// The texts from which the search index is built. The database joins the rows of a page into one text, which saves an object
// per row. Pages are short, so that other requests are served in between.
import { type RawBuilder, sql } from 'kysely'
import { FIRST_CUSTOM_ID } from '../../domain/limits.ts'
import { MAX_ID } from '../engine/codecs.ts'
import type { Executor } from '../engine/engine.ts'
import { query, queryByList } from '../engine/query.ts'

export type Table = 'airport' | 'airline' | 'aircraft'

/**
 * The group of matches that a record belongs to, lowest first. Custom records are in the first. The importance of shipped
 * records separates airports with airline service, without it, and heliports or closed ones (tools/reference/importance.ts).
 * Of long-gone airlines, often only the code is known.
 */
const groups: Record<Table, RawBuilder<number>> = {
  airport: sql`case when custom = 1 or importance >= 15000 then 0 when importance >= 1000 then 1 else 2 end`,
  airline: sql`case when custom = 1 or active = 1 or importance >= 100 then 0 else 3 end`,
  aircraft: sql`0`,
}

const ROWS_AT_ONCE = 500

interface Part {
  after: number
  upTo: number
  line: string
}
const pageOf = (table: Table) =>
  query((db, p: Part) =>
    db
      .selectFrom(
        db
          .selectFrom(table)
          .select(['id', 'importance', 'search'])
          .select(groups[table].as('rank'))
          .where('id', '>', p.after)
          .where('id', '<=', p.upTo)
          .orderBy('id')
          .limit(ROWS_AT_ONCE)
          .as('one'),
      )
      .select([
        sql<
          string | null
        >`string_agg(one.id || ' ' || one.rank || ' ' || one.importance || one.search, ${p.line})`.as('text'),
        sql<number | null>`max(one.id)`.as('last'),
      ]),
  )
const pages = { airport: pageOf('airport'), airline: pageOf('airline'), aircraft: pageOf('aircraft') }

/** Lines of `id group importance` and the search text, of the shipped records or of those that people added. */
export async function* listSearchTexts(
  db: Executor,
  table: Table,
  which: 'shipped' | 'custom',
): AsyncGenerator<string> {
  const upTo = which === 'shipped' ? FIRST_CUSTOM_ID - 1 : MAX_ID
  let after = which === 'shipped' ? 0 : FIRST_CUSTOM_ID - 1
  for (;;) {
    const [page] = await pages[table](db, { after, upTo, line: '\n' })
    if (!page?.text || page.last === null) return
    yield page.text
    after = page.last
  }
}

const textsByIds = (table: Table) =>
  queryByList((db, ids: number[]) =>
    db.selectFrom(table).select(['id', 'importance', 'search']).where('id', 'in', ids),
  )
const byIds = {
  airport: textsByIds('airport'),
  airline: textsByIds('airline'),
  aircraft: textsByIds('aircraft'),
}
/** The search texts of records, which contain all their names, and their importance. */
export const findSearchTexts = (db: Executor, table: Table, ids: readonly number[]) => byIds[table](db, ids)
