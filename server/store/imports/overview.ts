// All rows of an import with only the columns that its overview needs, a thousand at a time.
import { fromJson } from '../engine/codecs.ts'
import { query } from '../engine/query.ts'
import type { RowRecord, StoredChoice } from './rows.ts'

/** Drafts are described in `services/imports/drafting/draft.ts`; here they are only stored. */
export interface OverviewRow extends Pick<RowRecord, 'number' | 'verdict' | 'code' | 'done' | 'flightId'> {
  /** Of its remarks; 0 if there are none. */
  risk: number
  draft: unknown
  choice: StoredChoice | null
  hasUpdates: boolean
}
/** Rows after the row `after`, in file order. */
export const listOverviewRows = query(
  (db, p: { importId: number; after: number; limit: number }) =>
    db
      .selectFrom('importRow')
      .select(['number', 'verdict', 'code', 'risk', 'draft', 'choice', 'updates', 'done', 'flightId'])
      .where('importId', '=', p.importId)
      .where('number', '>', p.after)
      .orderBy('number')
      .limit(p.limit),
  ({ draft, choice, updates, ...row }): OverviewRow => ({
    ...row,
    draft: draft === null ? null : fromJson(draft),
    choice: choice === null ? null : fromJson<StoredChoice>(choice),
    hasUpdates: updates !== null && updates !== '[]',
  }),
)
