// Names that programs give to flights, so that they find them again. Each belongs to the person who set it.
import type { Executor } from './engine.ts'
import { queryByList } from './query.ts'

/** Values by source. */
export type ExternalIds = Record<string, string>

const ofFlights = queryByList<number, { flightId: number; userId: string; source: string; value: string }>(
  (db, ids) =>
    db
      .selectFrom('external_id')
      .select(['flight_id as flightId', 'user_id as userId', 'source', 'value'])
      .where('flight_id', 'in', ids)
      .orderBy('source'),
)
/** Those of every person. */
export const findExternalIdsOfFlights = (db: Executor, flightIds: readonly number[]) =>
  ofFlights(db, flightIds)
