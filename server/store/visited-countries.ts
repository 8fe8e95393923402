// Countries a person marked, one row each.
import type { VisitStatus } from '../domain/countries.ts'
import type { Executor } from './engine.ts'
import { first, query } from './query.ts'

interface VisitedCountry {
  id: number
  code: string
  status: VisitStatus
  note: string | null
}
interface Write {
  userId: string
  code: string
  status: VisitStatus
  note: string | null
}

const columns = ['id', 'code', 'status', 'note'] as const

const ofUser = query<{ userId: string }, VisitedCountry>((db, p) =>
  db
    .selectFrom('visited_country')
    .select(columns)
    .where('user_id', '=', p.userId)
    .orderBy('code')
    .$castTo<VisitedCountry>(),
)
export const listVisitedCountries = (db: Executor, userId: string) => ofUser(db, { userId })

const byCode = query<{ userId: string; code: string }, VisitedCountry>((db, p) =>
  db
    .selectFrom('visited_country')
    .select(columns)
    .where('user_id', '=', p.userId)
    .where('code', '=', p.code)
    .$castTo<VisitedCountry>(),
)
export const findVisitedCountry = (db: Executor, userId: string, code: string) =>
  first(byCode(db, { userId, code }))

const upsert = query<Write, VisitedCountry>((db, p) =>
  db
    .insertInto('visited_country')
    .values({ user_id: p.userId, code: p.code, status: p.status, note: p.note })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'code'])
        .doUpdateSet((eb) => ({ status: eb.ref('excluded.status'), note: eb.ref('excluded.note') })),
    )
    .returning(columns)
    .$castTo<VisitedCountry>(),
)
export const upsertVisitedCountry = async (
  tx: Executor,
  userId: string,
  country: Omit<VisitedCountry, 'id'>,
): Promise<VisitedCountry> => (await upsert(tx, { userId, ...country }))[0]!

const deleteRow = query<{ userId: string; code: string }, { id: number }>((db, p) =>
  db.deleteFrom('visited_country').where('user_id', '=', p.userId).where('code', '=', p.code).returning('id'),
)
export const deleteVisitedCountry = (tx: Executor, userId: string, code: string) =>
  deleteRow(tx, { userId, code })
