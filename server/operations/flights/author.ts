// The author under whom a change of a flight is recorded.
import type { Call } from '../../door/operation.ts'
import type { Author } from '../../store/history/rows.ts'

/** The caller. If there is only one change, its number becomes the call's `changeId`. */
export const authorOf = ({ principal, outcome }: Pick<Call, 'principal' | 'outcome'>): Author => ({
  userId: principal.user.id,
  via: principal.kind,
  credential: String(principal.credentialId),
  importId: null,
  outcome,
})

/** The caller, through an import, which may continue after the response with the credential of the request. */
export const importAuthor = ({ principal }: Pick<Call, 'principal'>, importId: number): Author => ({
  userId: principal.user.id,
  via: principal.kind,
  credential: String(principal.credentialId),
  importId,
})
