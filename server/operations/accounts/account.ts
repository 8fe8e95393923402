// What people do to their own account: names, password, deletion.
import * as z from 'zod'
import { forbidden } from '../../base/errors.ts'
import { type Call, operation, person, takes } from '../../door/operation.ts'
import { hashPassword } from '../../services/accounts/passwords.ts'
import { deleteMailedLinks, deleteResetLinksOf } from '../../store/accounts/links.ts'
import { deleteSessionsExcept } from '../../store/accounts/sessions.ts'
import {
  deletePerson,
  findEmail,
  updateEmail,
  updatePassword,
  updatePerson,
} from '../../store/people/people.ts'
import { deleteSubscriptionsOfExpired } from '../../store/push/subscriptions.ts'
import { authorOf, orTaken, recordBy } from '../access/authority.ts'
import { Email, NewPassword, requireSoundName, StoredDisplayName, Username } from '../people/create.ts'
import { nothing } from '../wire/schemas.ts'
import { OwnPassword, requireOwnPassword } from './confirm.ts'
import { mailVerificationAfterwards } from './email-verification.ts'
import { keepBrowserKnown } from './sessions.ts'

const tag = 'Account'

export const updateProfile = operation({
  id: 'update-profile',
  method: 'PUT',
  path: '/me',
  door: 'app',
  tag,
  summary: 'Change your username, display name and e-mail address',
  access: person(),
  confirms: changesEmail,
  body: takes(
    z.object({
      username: Username,
      displayName: StoredDisplayName,
      email: Email.nullable()
        .optional()
        .describe(
          'Where links to set a new password are mailed to, once the link in a first mail has confirmed it. null removes it; left out, it stays.',
        ),
    }),
  ),
  output: nothing,
  status: 204,
  errors: ['conflict'],
  async run(call) {
    const { principal, input, db } = call
    const { username, displayName } = principal.user
    const { email, ...names } = input
    if (await changesEmail(call)) await changeEmail(call, email ?? null)
    if (username === names.username && displayName === names.displayName) return
    requireSoundName(displayName, names.displayName)
    await orTaken(updatePerson(db, principal.user.id, names), 'username_taken')
    await recordBy(authorOf(call), db, 'user.updated', { details: names })
  },
})

/** Links for setting a new password are mailed to this address, so it opens the account. */
async function changesEmail({
  principal,
  input,
  db,
}: Pick<Call<{ email?: string | null | undefined }>, 'principal' | 'input' | 'db'>): Promise<boolean> {
  return (
    input.email !== undefined && input.email !== ((await findEmail(db, principal.user.id))?.address ?? null)
  )
}

/** Links mailed to the old address become invalid. */
async function changeEmail(
  call: Pick<Call, 'principal' | 'db' | 'now' | 'web' | 'services'>,
  email: string | null,
) {
  const { principal, db, now } = call
  await updateEmail(db, { id: principal.user.id, email })
  await deleteMailedLinks(db, principal.user.id, now.toISOString())
  if (email !== null) mailVerificationAfterwards(call)
  // The audit trail records that it changed; the address itself is private to the profile.
  await recordBy(authorOf(call), db, 'user.updated', { details: { email: email !== null } })
}

export const changePassword = operation({
  id: 'change-password',
  method: 'PUT',
  path: '/me/password',
  door: 'app',
  tag,
  summary: 'Change your password and end your other sessions',
  access: person(),
  confirms: ({ input }) => input.currentPassword === undefined,
  body: takes(
    z.object({
      currentPassword: OwnPassword,
      newPassword: NewPassword,
    }),
  ),
  output: nothing,
  status: 204,
  errors: ['too_many_requests'],
  transaction: 'own',
  async run(call) {
    const { principal, input, services, web, now } = call
    await requireOwnPassword(call, 'currentPassword', input.currentPassword)
    const passwordHash = await hashPassword(input.newPassword)
    await services.store.transaction(async (tx) => {
      await updatePassword(tx, principal.user.id, passwordHash)
      await deleteSessionsExcept(tx, { userId: principal.user.id, keep: Number(principal.credentialId) })
      await deleteSubscriptionsOfExpired(tx, { userId: principal.user.id })
      await deleteResetLinksOf(tx, principal.user.id, now.toISOString())
      await recordBy(authorOf(call), tx, 'password.changed')
      await keepBrowserKnown({ db: tx, now, web }, principal.user.id)
    })
  },
})

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
  confirms: ({ input }) => input.password === undefined,
  check({ principal }) {
    if (principal.isOwner) throw forbidden('owner_cannot_be_deleted')
  },
  body: takes(
    z.object({
      password: OwnPassword,
    }),
  ),
  output: nothing,
  status: 204,
  errors: ['too_many_requests'],
  transaction: 'own',
  async run(call) {
    const { principal, input, services, web, now } = call
    await requireOwnPassword(call, 'password', input.password)
    await services.store.transaction(async (tx) => {
      await deletePerson(tx, principal.user.id, now.toISOString())
      await recordBy(authorOf(call), tx, 'user.deleted')
    })
    web?.endSession()
  },
})
