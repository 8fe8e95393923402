// The authors and columns of the flight history. store/history/changes.ts writes the rows, store/history/history.ts reads
// them.
import type { HistoryVia } from '../../domain/history/edits.ts'
import type { RowOf } from '../engine/schema.ts'

/** The author of a change and the credential used. */
export interface Author {
  userId: string | null
  via: HistoryVia
  /** The id of the key, the grant or the session. */
  credential: string | null
  /** The import that makes the change. */
  importId: number | null
  /** Receives the number of the change, if one is recorded. */
  outcome?: { changeId?: number | undefined }
}

/** The server itself. */
export const SYSTEM: Author = { userId: null, via: 'system', credential: null, importId: null }

export interface HistoryRow extends Omit<RowOf<'flightHistory'>, 'changeId' | 'at' | 'undoneBy'> {
  /** How many changes of the same transaction follow this one. */
  behind: number
}

export const historyColumns = [
  'change_id',
  'flight_id',
  'kind',
  'version',
  'at',
  'user_id',
  'via',
  'credential',
  'import_id',
  'edit',
  'track',
] as const
