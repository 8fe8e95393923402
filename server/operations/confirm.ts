// How a person proves with their password who they are; `confirms` of an operation says what requires it.
import * as z from 'zod'
import { checkPassword } from '../auth/check-password.ts'
import { knownGuesser } from '../auth/limits.ts'
import { invalidField } from '../base/errors.ts'
import { type Call, operation, person } from '../operation.ts'
import { findPasswordHash } from '../store/people.ts'
import { confirmSession } from '../store/sessions.ts'
import { nothing } from './schemas.ts'
import { passwordsAllowed } from './sign-in.ts'

type Who = Pick<Call, 'principal' | 'db' | 'now' | 'services'>

/** The password if it is given; without one, the operation requires that the session is confirmed. */
export async function requireOwnPassword(call: Who, field: string, password?: string): Promise<void> {
  if (password === undefined) return
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
  description: 'For five minutes, changes that give lasting access are then accepted.',
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
