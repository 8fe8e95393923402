// Before a person gets or grants lasting access, they must confirm who they are: an unlocked screen is not enough. Someone who
// has just signed in need not confirm.
import { AppError } from '../../base/errors.ts'
import { CONFIRMED_MS } from '../../domain/accounts/sign-in.ts'
import { findConfirmedAt } from '../../store/accounts/sessions.ts'
import type { Executor } from '../../store/store.ts'
import type { Principal } from './principal.ts'

interface Who {
  principal: Pick<Principal, 'credentialId'>
  db: Executor
  now: Date
}

/** Until when this session counts as confirmed; undefined if it does not. */
export async function confirmedUntil({ principal, db, now }: Who): Promise<Date | undefined> {
  const at = await findConfirmedAt(db, Number(principal.credentialId))
  if (at === null) return undefined
  const since = now.getTime() - Date.parse(at)
  // A time in the future was recorded before the clock was set back.
  return since >= 0 && since < CONFIRMED_MS ? new Date(Date.parse(at) + CONFIRMED_MS) : undefined
}

/** Requires that the caller has confirmed who they are within the last minutes. */
export async function requireConfirmed(who: Who): Promise<void> {
  if (!(await confirmedUntil(who))) throw new AppError('forbidden', 'confirmation_required')
}
