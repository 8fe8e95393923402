// All rows of an import in the few columns that its overview needs, a thousand at a time.
import type { RowCode, Verdict } from '../domain/imports.ts'
import { fromJson } from './codecs.ts'
import type { Executor } from './engine.ts'
import type { StoredChoice } from './import-rows.ts'
import { query } from './query.ts'

interface RowRecord {
  number: number
  verdict: Verdict
  code: RowCode | null
  draft: string | null
  choice: string | null
  updates: string | null
  done: 'created' | 'updated' | 'undone' | null
  flightId: number | null
}

/** Drafts are described in `imports/draft.ts`; here they are only kept. */
export interface OverviewRow extends Omit<RowRecord, 'draft' | 'choice' | 'updates'> {
  draft: unknown
  choice: StoredChoice | null
  hasUpdates: boolean
}

const page = query<{ importId: number; after: number; limit: number }, RowRecord>((db, p) =>
  db
    .selectFrom('import_row')
    .select(['number', 'verdict', 'code', 'draft', 'choice', 'updates', 'done', 'flight_id as flightId'])
    .where('import_id', '=', p.importId)
    .where('number', '>', p.after)
    .orderBy('number')
    .limit(p.limit),
)
/** After the row `after`, in the order of the file. */
export const listOverviewRows = async (
  db: Executor,
  request: { importId: number; after: number; limit: number },
): Promise<OverviewRow[]> =>
  (await page(db, request)).map(({ draft, choice, updates, ...row }) => ({
    ...row,
    draft: draft === null ? null : fromJson(draft),
    choice: choice === null ? null : fromJson<StoredChoice>(choice),
    hasUpdates: updates !== null && updates !== '[]',
  }))
