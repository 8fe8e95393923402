// What a commit does with a row, by its verdict, the person's choice and the options.
import type { ImportOptions, Verdict } from '../../../domain/imports/imports.ts'
import type { Draft, RowChoice } from '../drafting/draft.ts'

export type Plan = 'create' | 'restore' | 'update' | 'leave'

interface PlannedRow {
  verdict: Verdict
  code: string | null
  draft: Draft | null
  choice: RowChoice | null
  flightId: number | null
  done: 'created' | 'updated' | 'undone' | null
}

/** A flight that an undo moved to the bin is restored with its id. */
export function planOf(row: PlannedRow, options: ImportOptions): Plan {
  if (row.done === 'created' || row.done === 'updated' || !isComplete(row.draft)) return 'leave'
  const plan = firstPlanOf(row, options)
  return plan === 'create' && row.done === 'undone' && row.flightId !== null ? 'restore' : plan
}

function firstPlanOf({ verdict, code, choice }: PlannedRow, { duplicates }: ImportOptions): Plan {
  if (choice?.include === false) return 'leave'
  switch (verdict) {
    case 'new':
      return 'create'
    case 'similar':
      return accepted(choice)
    case 'duplicate':
      if (choice?.accept) return accepted(choice)
      // No option creates a record that repeats another one of the file.
      if (duplicates === 'create') return code === 'duplicate_in_log' ? 'create' : 'leave'
      return duplicates === 'update' ? 'update' : 'leave'
    case 'skipped':
      return choice?.include ? 'create' : 'leave'
    default:
      return 'leave'
  }
}

const accepted = (choice: RowChoice | null): Plan =>
  choice?.accept === 'new' ? 'create' : choice?.accept === 'same' ? 'update' : 'leave'

const isComplete = (draft: Draft | null): boolean =>
  draft !== null && draft.date !== null && draft.fromId !== null && draft.toId !== null

/** Whether the person wants this flight although the log has a similar one. */
export const isWantedTwice = (
  { choice }: Pick<PlannedRow, 'choice'>,
  { duplicates }: ImportOptions,
): boolean => choice?.accept === 'new' || duplicates === 'create'
