// What is written into the history of flights: by whom, and the columns. The change sequence writes the rows
// (store/changes.ts), store/history.ts reads them.
import type { HistoryKind, HistoryVia } from '../domain/flight-edits.ts'

/** Who makes a change, and through what. */
export interface Author {
  userId: string | null
  via: HistoryVia
  /** The id of the key, the grant or the session. */
  credential: string | null
  /** The import that makes it. */
  importId: number | null
  /** Learns the number of the change, if there is one. */
  outcome?: { changeId?: number | undefined }
}

/** The server itself. */
export const SYSTEM: Author = { userId: null, via: 'system', credential: null, importId: null }

export interface HistoryRow {
  flightId: number
  kind: HistoryKind
  version: number
  userId: string | null
  via: HistoryVia
  credential: string | null
  importId: number | null
  edit: string | null
  track: Uint8Array | null
  /** How many changes of the same transaction come after it. */
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
