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

/** The caller by an import. It may go on after the response, with the credential of the request. */
export const importAuthor = ({ principal }: Pick<Call, 'principal'>, importId: number): Author => ({
  userId: principal.user.id,
  via: principal.kind,
  credential: String(principal.credentialId),
  importId,
})
