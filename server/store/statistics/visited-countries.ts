// Countries that people have marked, one row per country.
import type { VisitStatus } from '../../domain/reference/countries.ts'
import type { Executor } from '../engine/engine.ts'
import { query, queryFirst } from '../engine/query.ts'

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
export const listVisitedCountries = query((db, p: { userId: string }) =>
  db
    .selectFrom('visitedCountry')
    .select(columns)
    .where('userId', '=', p.userId)
    .orderBy('code')
    .$castTo<VisitedCountry>(),
)

export const findVisitedCountry = queryFirst((db, p: { userId: string; code: string }) =>
  db
    .selectFrom('visitedCountry')
    .select(columns)
    .where('userId', '=', p.userId)
    .where('code', '=', p.code)
    .$castTo<VisitedCountry>(),
)

const upsert = query((db, p: Write) =>
  db
    .insertInto('visitedCountry')
    .values({ userId: p.userId, code: p.code, status: p.status, note: p.note })
    .onConflict((conflict) =>
      conflict
        .columns(['userId', 'code'])
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
export const deleteVisitedCountry = query((db, p: { userId: string; code: string }) =>
  db.deleteFrom('visitedCountry').where('userId', '=', p.userId).where('code', '=', p.code).returning('id'),
)
