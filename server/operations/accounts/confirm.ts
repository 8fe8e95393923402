// How people confirm with their password who they are; the `confirms` member of an operation declares when that is required.
import * as z from 'zod'
import { invalidField } from '../../base/errors.ts'
import { type Call, operation, person, takes } from '../../door/operation.ts'
import { knownGuesser } from '../../services/access/limits.ts'
import { checkPassword } from '../../services/accounts/check-password.ts'
import { confirmSession } from '../../store/accounts/sessions.ts'
import { findPasswordHash } from '../../store/people/people.ts'
import { nothing } from '../wire/schemas.ts'
import { passwordsAllowed } from './sign-in.ts'

/** For a body whose operation calls `requireOwnPassword`. */
export const OwnPassword = z
  .string()
  .max(1000)
  .optional()
  .describe('Can be left out within five minutes of signing in or confirming.')

type Who = Pick<Call, 'principal' | 'db' | 'now' | 'services'>

/** Checks the password if one is given; without one, the session must be confirmed. */
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
  body: takes(z.object({ password: z.string().max(1000) })),
  output: nothing,
  status: 204,
  errors: ['too_many_requests'],
  transaction: 'own',
  async run(call) {
    await requireOwnPassword(call, 'password', call.input.password)
    await confirm(call)
  },
})

/** Marks the session as confirmed from now on. */
export const confirm = ({ principal, services, now }: Who): Promise<unknown> =>
  services.store.transaction((tx) =>
    confirmSession(tx, { id: Number(principal.credentialId), now: now.toISOString() }),
  )
