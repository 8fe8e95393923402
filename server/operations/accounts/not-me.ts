// "That was not me": a sign-in that the person does not recognise. Revokes everything that it could have left behind
// and replaces the password that it may have used. The session that reports it is kept.
import * as z from 'zod'
import type { Config } from '../../base/config.ts'
import { invalidField, notFound } from '../../base/errors.ts'
import { type Call, operation, person, takes } from '../../door/operation.ts'
import { hashPassword, passwordMatches } from '../../services/accounts/passwords.ts'
import { hasDoneSince } from '../../store/access/audit.ts'
import { deleteLinksMadeSince, deleteMailedLinks } from '../../store/accounts/links.ts'
import {
  deleteSecondFactor,
  findSecondFactor,
  replaceRecoveryCodes,
} from '../../store/accounts/second-factors.ts'
import { deleteWaysSince, hasWayFromBefore } from '../../store/accounts/ways-in.ts'
import { findNotice, markLeft, markRead } from '../../store/people/notices.ts'
import { findPasswordHash, lockPerson, updateEmail, updatePassword } from '../../store/people/people.ts'
import type { Executor } from '../../store/store.ts'
import { authorOf, recordBy } from '../access/authority.ts'
import { NewPassword } from '../people/create.ts'
import { pathId, single } from '../wire/schemas.ts'
import { OwnPassword, requireOwnPassword } from './confirm.ts'
import { endAccess } from './end-access.ts'
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
  body: takes(
    z.object({
      newPassword: NewPassword.optional().describe(
        'Required if you can sign in with a password; not used otherwise.',
      ),
      currentPassword: OwnPassword,
    }),
  ),
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
  transaction: 'own',
  async run(call) {
    const { principal, input, db, services, now, web } = call
    const userId = principal.user.id
    const notice = await findNotice(db, { userId, id: input.id })
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
      await markRead(tx, { userId, id: notice.id, now: now.toISOString() })
      await markLeft(tx, { userId, id: notice.id, now: now.toISOString() })
      await keepBrowserKnown({ db: tx, now, web }, userId)
      return { ...others, ...ways }
    })
    return { data: ended }
  },
})

type NotMe = Pick<Call, 'principal' | 'db' | 'services' | 'now' | 'web'> & {
  input: { newPassword?: string | undefined }
}

/** The hash of the new password; undefined if the person has none to replace. */
async function newPasswordHash({ principal, input, db, services }: NotMe): Promise<string | undefined> {
  const { newPassword } = input
  const stored = await findPasswordHash(db, principal.user.id)
  if (stored === null || !passwordsAllowed(services.config, principal)) return undefined
  if (newPassword === undefined) throw invalidField(['newPassword'], 'required')
  // The current password may be unknown. This is not a sign-in attempt: a different password is simply set.
  if (await passwordMatches(stored, newPassword, { waiter: 'known', guard: (check) => check() }))
    throw invalidField(['newPassword'], 'password_unchanged')
  return hashPassword(newPassword)
}

/** The intruder may have added a way to come back, or a second factor to lock the person out. */
async function endNewWays(tx: Executor, call: NotMe, since: string, hasPassword: boolean) {
  const { principal, services } = call
  const userId = principal.user.id
  const waysKept = !hasPassword && !(await hasWayFromBefore(tx, userId, since, countedIn(services.config)))
  const none = { passkeys: 0, identities: 0 }
  const removed = waysKept ? none : await deleteWaysSince(tx, userId, since)
  const factor = await findSecondFactor(tx, { userId })
  const secondFactor = factor?.enabledAt != null && factor.enabledAt >= since
  if (secondFactor) {
    await deleteSecondFactor(tx, userId)
    await recordBy(authorOf(call), tx, 'second-factor.disabled')
  }
  await endOtherWays(tx, call, since)
  return { ...removed, secondFactor, waysKept }
}

/** Indirect ways back in: new recovery codes, links for others, the address that password links are mailed to. */
async function endOtherWays(tx: Executor, { principal, now }: NotMe, since: string): Promise<void> {
  const userId = principal.user.id
  await deleteLinksMadeSince(tx, { userId, since })
  if (await hasDoneSince(tx, { userId, kind: 'recovery-codes.created', since }))
    await replaceRecoveryCodes(tx, userId, [])
  if (!(await hasDoneSince(tx, { userId, kind: 'user.updated', since }))) return
  await updateEmail(tx, { id: userId, email: null })
  await deleteMailedLinks(tx, userId, now.toISOString())
}

/** The ways to sign in that this instance accepts as it is configured now. */
const countedIn = (config: Config) => ({ passkeys: passkeysWork(config), issuer: config.oidc?.issuer })
