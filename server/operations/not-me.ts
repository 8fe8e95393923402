// "That was not me": a sign-in that the person does not recognise. All that it could have left behind ends, and the password
// that it may have been made with is replaced. The session that says so stays.
import * as z from 'zod'
import { hashPassword, passwordMatches } from '../auth/passwords.ts'
import type { Config } from '../base/config.ts'
import { invalidField, notFound } from '../base/errors.ts'
import { type Call, operation, person } from '../operation.ts'
import { deleteLinksMadeSince, deleteMailedLinks } from '../store/account-links.ts'
import { hasDoneSince } from '../store/audit.ts'
import { findNotice, markLeft, markRead } from '../store/notices.ts'
import { findPasswordHash, lockPerson, updateEmail, updatePassword } from '../store/people.ts'
import { deleteSecondFactor, findSecondFactor, replaceRecoveryCodes } from '../store/second-factors.ts'
import type { Executor } from '../store/store.ts'
import { deleteWaysSince, hasWayFromBefore } from '../store/ways-in.ts'
import { authorOf, recordBy } from './authority.ts'
import { requireOwnPassword } from './confirm.ts'
import { endAccess } from './end-access.ts'
import { NewPassword } from './people.ts'
import { pathId, single } from './schemas.ts'
import { keepBrowserKnown } from './sessions.ts'
import { passwordsAllowed } from './sign-in.ts'
import { passkeysWork } from './ways-in.ts'

export const notMe = operation({
  id: 'not-me',
  method: 'POST',
  path: '/notices/{id}/not-me',
  door: 'app',
  tag: 'Notices',
  summary: 'Say that a sign-in was not yours: end everything it could use and change your password',
  description:
    'Ends your other sessions, API keys, connected apps and trusted browsers, and removes the passkeys, identities, second factor, recovery codes, e-mail address, invitations and reset links that were added since that sign-in.',
  access: person(),
  confirms: ({ input }) => input.currentPassword === undefined,
  params: pathId,
  body: z.object({
    newPassword: NewPassword.optional().describe(
      'Required if you can sign in with a password; not used otherwise.',
    ),
    currentPassword: z
      .string()
      .max(1000)
      .optional()
      .describe('Can be left out within five minutes of signing in or confirming.'),
  }),
  output: single(
    z.object({
      sessions: z.int(),
      apiKeys: z.int(),
      apps: z.int(),
      passkeys: z.int(),
      identities: z.int(),
      secondFactor: z.boolean().describe('Whether it was removed.'),
      waysKept: z
        .boolean()
        .describe(
          'Passkeys and identities stay if all of them were added since: they are your only ways in. Check them.',
        ),
    }),
  ),
  errors: ['not_found', 'too_many_requests'],
  managesTransaction: true,
  async run(call) {
    const { principal, input, db, services, now, web } = call
    const userId = principal.user.id
    const notice = await findNotice(db, userId, input.id)
    if (notice?.kind !== 'session.new') throw notFound('Notice')
    await requireOwnPassword(call, 'currentPassword', input.currentPassword)
    const passwordHash = await newPasswordHash(call)
    const ended = await services.store.transaction(async (tx) => {
      await lockPerson(tx, userId)
      const ways = await endNewWays(tx, call, notice.at, passwordHash !== undefined)
      const keepSession = Number(principal.credentialId)
      const everything = { endApiKeys: true, endApps: true, keepSession }
      const others = await endAccess(tx, principal.user, everything, authorOf(call))
      if (passwordHash !== undefined) {
        await updatePassword(tx, userId, passwordHash)
        await recordBy(authorOf(call), tx, 'password.changed')
      }
      const { passkeys, identities } = ways
      await recordBy(authorOf(call), tx, 'sign-in.disowned', { details: { passkeys, identities } })
      await markRead(tx, userId, notice.id, now.toISOString())
      await markLeft(tx, userId, notice.id, now.toISOString())
      await keepBrowserKnown({ db: tx, now, web }, userId)
      return { ...others, ...ways }
    })
    return { data: ended }
  },
})

type NotMe = Pick<Call, 'principal' | 'db' | 'services' | 'now' | 'web'> & {
  input: { newPassword?: string | undefined }
}

/** Of the new password; undefined if the person has none to replace. */
async function newPasswordHash({ principal, input, db, services }: NotMe): Promise<string | undefined> {
  const { newPassword } = input
  const stored = await findPasswordHash(db, principal.user.id)
  if (stored === null || !passwordsAllowed(services.config, principal)) return undefined
  if (newPassword === undefined) throw invalidField(['newPassword'], 'required')
  // The current one may not have been given. This is no attempt to prove anything: one that differs is set.
  if (await passwordMatches(stored, newPassword, { waiter: 'known', begin: async () => {} }))
    throw invalidField(['newPassword'], 'password_unchanged')
  return hashPassword(newPassword)
}

/** Who signed in may have added a way to come back; or a second factor, to keep the person out. */
async function endNewWays(tx: Executor, call: NotMe, since: string, hasPassword: boolean) {
  const { principal, services } = call
  const userId = principal.user.id
  const waysKept = !hasPassword && !(await hasWayFromBefore(tx, userId, since, countedIn(services.config)))
  const none = { passkeys: 0, identities: 0 }
  const removed = waysKept ? none : await deleteWaysSince(tx, userId, since)
  const factor = await findSecondFactor(tx, userId)
  const secondFactor = factor?.enabledAt != null && factor.enabledAt >= since
  if (secondFactor) {
    await deleteSecondFactor(tx, userId)
    await recordBy(authorOf(call), tx, 'second-factor.disabled')
  }
  await endOtherWays(tx, call, since)
  return { ...removed, secondFactor, waysKept }
}

/** What leads back in by a detour: new recovery codes, links for others, the address that a link to a new password is sent to. */
async function endOtherWays(tx: Executor, { principal, now }: NotMe, since: string): Promise<void> {
  const userId = principal.user.id
  await deleteLinksMadeSince(tx, userId, since)
  if (await hasDoneSince(tx, userId, 'recovery-codes.created', since))
    await replaceRecoveryCodes(tx, userId, [])
  if (!(await hasDoneSince(tx, userId, 'user.updated', since))) return
  await updateEmail(tx, userId, null)
  await deleteMailedLinks(tx, userId, now.toISOString())
}

/** What opens this instance as it is set up now. */
const countedIn = (config: Config) => ({ passkeys: passkeysWork(config), issuer: config.oidc?.issuer })
