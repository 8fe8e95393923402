// Who a change of a flight is recorded for.
import type { Call } from '../operation.ts'
import type { Author } from '../store/history-rows.ts'

/** The caller; a single change is told to the call as its `changeId`. */
export const authorOf = ({ principal, outcome }: Pick<Call, 'principal' | 'outcome'>): Author => ({
  userId: principal.user.id,
  via: principal.kind,
  credential: String(principal.credentialId),
  importId: null,
  outcome,
})

/** An import of the caller's. */
export const importAuthor = ({ principal }: Pick<Call, 'principal'>, importId: number): Author => ({
  userId: principal.user.id,
  via: 'import',
  credential: null,
  importId,
})
