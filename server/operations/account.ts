// What people do to their own account: names, password, deletion.
import * as z from 'zod'
import { checkPassword } from '../auth/check-password.ts'
import { hashPassword } from '../auth/passwords.ts'
import { forbidden, invalidField } from '../base/errors.ts'
import { type Call, operation, person } from '../operation.ts'
import { deletePerson, findPasswordHash, updatePassword, updatePerson } from '../store/people.ts'
import { deleteSessionsExcept } from '../store/sessions.ts'
import { authorOf, orTaken, recordBy } from './authority.ts'
import { NewPassword, requireSoundName, StoredDisplayName, Username } from './people.ts'
import { nothing } from './schemas.ts'
import { keepBrowserKnown } from './sessions.ts'

const tag = 'Account'

export const updateProfile = operation({
  id: 'update-profile',
  method: 'PUT',
  path: '/me',
  door: 'app',
  tag,
  summary: 'Change your username and display name',
  access: person(),
  body: z.object({ username: Username, displayName: StoredDisplayName }),
  output: nothing,
  status: 204,
  errors: ['conflict'],
  async run(call) {
    const { principal, input, db } = call
    const { username, displayName } = principal.user
    if (username === input.username && displayName === input.displayName) return
    requireSoundName(displayName, input.displayName)
    await orTaken(updatePerson(db, principal.user.id, input), 'username_taken')
    await recordBy(authorOf(call), db, 'user.updated', { details: input })
  },
})

export const changePassword = operation({
  id: 'change-password',
  method: 'PUT',
  path: '/me/password',
  door: 'app',
  tag,
  summary: 'Change your password and end your other sessions',
  access: person(),
  body: z.object({ currentPassword: z.string().max(1000), newPassword: NewPassword }),
  output: nothing,
  status: 204,
  errors: ['too_many_requests'],
  managesTransaction: true,
  async run(call) {
    const { principal, input, services, web, now } = call
    await requireOwnPassword(call, 'currentPassword', input.currentPassword)
    const passwordHash = await hashPassword(input.newPassword)
    await services.store.transaction(async (tx) => {
      await updatePassword(tx, principal.user.id, passwordHash)
      await deleteSessionsExcept(tx, principal.user.id, Number(principal.credentialId))
      await recordBy(authorOf(call), tx, 'password.changed')
      await keepBrowserKnown({ db: tx, now, web }, principal.user.id)
    })
  },
})

/** An unlocked screen is not enough to change an account for good: the caller must know the password. */
async function requireOwnPassword(
  { principal, db, services }: Call,
  field: string,
  password: string,
): Promise<void> {
  const stored = await findPasswordHash(db, principal.user.id)
  const guesser = { known: `session ${principal.credentialId}` }
  if (await checkPassword(services.limits, guesser, stored, password)) return
  throw invalidField([field], 'current_password_wrong')
}

export const deleteMe = operation({
  id: 'delete-me',
  method: 'DELETE',
  path: '/me',
  door: 'app',
  tag,
  summary: 'Delete your account',
  description:
    'Deletes your API keys, sessions, shares, trips and countries, the flights that no one else is on, and the flights that others were added to but have not kept. Other flights with another person or a guest stay, without you.',
  access: person(),
  body: z.object({ password: z.string().max(1000) }),
  output: nothing,
  status: 204,
  errors: ['too_many_requests'],
  managesTransaction: true,
  async run(call) {
    const { principal, input, services, web, now } = call
    if (principal.isOwner) throw forbidden('owner_cannot_be_deleted')
    await requireOwnPassword(call, 'password', input.password)
    await services.store.transaction(async (tx) => {
      await deletePerson(tx, principal.user.id, now.toISOString())
      await recordBy(authorOf(call), tx, 'user.deleted')
    })
    web?.endSession()
  },
})
