// Boarding passes that people keep until the flight has landed. A pass belongs to a place on a flight and ends with it.
import { timePairs } from '../../domain/flights/best-times.ts'
import { pick } from '../../domain/pick.ts'
import { selectionOf } from '../engine/columns.ts'
import { hasNoTable } from '../engine/dialect.ts'
import type { Executor } from '../engine/engine.ts'
import { type Builder, query, queryByList, queryFirst } from '../engine/query.ts'
import type { RowOf } from '../engine/schema.ts'

type KeptPass = RowOf<'keptPass'>

const columns = ['passengerId', 'userId', 'code', 'passUpdate', 'host', 'keptAt'] as const

/** Only while the place is still that person's. */
const current = (db: Builder) =>
  db
    .selectFrom('keptPass')
    .innerJoin('flightPassenger', (join) =>
      join
        .onRef('flightPassenger.id', '=', 'keptPass.passengerId')
        .onRef('flightPassenger.userId', '=', 'keptPass.userId'),
    )

export const findKeptPass = queryFirst(
  (db, p: { userId: string; flightId: number }) =>
    current(db)
      .select(selectionOf('keptPass', columns))
      .where('flightPassenger.flightId', '=', p.flightId)
      .where('keptPass.userId', '=', p.userId),
  (row): KeptPass => row,
)

const withPass = queryByList((db, flightIds: number[], p: { userId: string }) =>
  current(db)
    .select('flightPassenger.flightId')
    .where('flightPassenger.flightId', 'in', flightIds)
    .where('keptPass.userId', '=', p.userId),
)
/** Those of these flights for which the person keeps a pass. */
export const listWithKeptPass = async (
  db: Executor,
  userId: string,
  flightIds: readonly number[],
): Promise<Set<number>> =>
  new Set((await withPass(db, flightIds, { userId })).map(({ flightId }) => flightId))

/** Replaces the pass that was kept for this place. */
export const upsertKeptPass = query((db, p: KeptPass) =>
  db
    .insertInto('keptPass')
    .values(pick(p, columns))
    .onConflict((conflict) =>
      conflict.column('passengerId').doUpdateSet((eb) => ({
        userId: eb.ref('excluded.userId'),
        code: eb.ref('excluded.code'),
        passUpdate: eb.ref('excluded.passUpdate'),
        host: eb.ref('excluded.host'),
        keptAt: eb.ref('excluded.keptAt'),
      })),
    )
    .returning('passengerId'),
)

export const deleteKeptPass = query((db, p: { passengerId: number }) =>
  db.deleteFrom('keptPass').where('passengerId', '=', p.passengerId).returning('passengerId'),
)

/** Places that another user has become the passenger of. */
export const deleteStrayPasses = query((db, _p: Record<never, never>) =>
  db
    .deleteFrom('keptPass')
    .where('passengerId', 'not in', (eb) =>
      eb
        .selectFrom('flightPassenger')
        .innerJoin('keptPass as kept', (join) =>
          join
            .onRef('kept.passengerId', '=', 'flightPassenger.id')
            .onRef('kept.userId', '=', 'flightPassenger.userId'),
        )
        .select('flightPassenger.id'),
    )
    .returning('passengerId'),
)

/** When the flights of all kept passes take place. */
export const listFlightsOfPasses = query((db, _p: Record<never, never>) =>
  current(db)
    .innerJoin('flight', 'flight.id', 'flightPassenger.flightId')
    .select(['keptPass.passengerId', 'flight.date', 'flight.datePrecision', 'flight.duration'])
    .select(timePairs.flat().map((field) => `flight.${field}` as const)),
)

const sealed = query((db, _p: Record<never, never>) =>
  db.selectFrom('keptPass').select(['userId', 'code as text']),
)
/** The sealed bar codes; none if the table does not exist yet. */
export const listSealedPasses = (db: Executor): Promise<{ userId: string; text: string }[]> =>
  sealed(db, {}).catch((error) => {
    if (hasNoTable(error)) return []
    throw error
  })
