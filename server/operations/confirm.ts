// Before an account is changed for good, the person proves again who they are: an unlocked screen is not enough. A person
// who has just signed in is not asked.
import * as z from 'zod'
import { checkPassword } from '../auth/check-password.ts'
import { knownGuesser } from '../auth/limits.ts'
import { AppError, invalidField } from '../base/errors.ts'
import { CONFIRMED_MS } from '../domain/sign-in.ts'
import { type Call, operation, person } from '../operation.ts'
import { findPasswordHash } from '../store/people.ts'
import { confirmSession, findConfirmedAt } from '../store/sessions.ts'
import { nothing } from './schemas.ts'
import { passwordsAllowed } from './sign-in.ts'

type Who = Pick<Call, 'principal' | 'db' | 'now' | 'services'>

/** Until when this session counts as confirmed; undefined if it does not. */
export async function confirmedUntil({ principal, db, now }: Who): Promise<Date | undefined> {
  const at = await findConfirmedAt(db, Number(principal.credentialId))
  if (at === null) return undefined
  const since = now.getTime() - Date.parse(at)
  // A time in the future was noted before the clock was set back.
  return since >= 0 && since < CONFIRMED_MS ? new Date(Date.parse(at) + CONFIRMED_MS) : undefined
}

/** The caller has proved who they are within the last minutes. */
export async function requireConfirmed(who: Who): Promise<void> {
  if (!(await confirmedUntil(who))) throw new AppError('forbidden', 'confirmation_required')
}

/** The password if it is given; without one the session must be confirmed. */
export async function requireOwnPassword(call: Who, field: string, password?: string): Promise<void> {
  if (password === undefined) return requireConfirmed(call)
  const { principal, db, services } = call
  const stored = passwordsAllowed(services.config, principal)
    ? await findPasswordHash(db, principal.user.id)
    : null
  const guesser = knownGuesser(`session ${principal.credentialId}`, principal.user.id)
  if (await checkPassword(services.limits, guesser, stored, password)) return
  throw invalidField([field], 'current_password_wrong')
}

export const confirmWithPassword = operation({
  id: 'confirm-with-password',
  method: 'POST',
  path: '/confirm',
  door: 'app',
  tag: 'Account',
  summary: 'Confirm with your password that it is you',
  description: 'For five minutes, changes of how you sign in are then accepted.',
  access: person(),
  body: z.object({ password: z.string().max(1000) }),
  output: nothing,
  status: 204,
  errors: ['too_many_requests'],
  managesTransaction: true,
  async run(call) {
    await requireOwnPassword(call, 'password', call.input.password)
    await confirm(call)
  },
})

/** From now on the session counts as confirmed. */
export const confirm = ({ principal, services, now }: Who): Promise<unknown> =>
  services.store.transaction((tx) => confirmSession(tx, Number(principal.credentialId), now.toISOString()))
