// Revoking everything that a lost device or a leaked secret could still use: sessions, API keys, connected apps.
import * as z from 'zod'
import { randomText } from '../../base/secret/secrets.ts'
import { operation, person, takes } from '../../door/operation.ts'
import { deleteApiKeysOf } from '../../store/access/api-keys.ts'
import type { EventKind } from '../../store/access/audit.ts'
import { deleteGrantsOf } from '../../store/access/oauth/grants.ts'
import { deleteLinksMadeBy, deleteResetLinksOf } from '../../store/accounts/links.ts'
import { deletePendingSignIns } from '../../store/accounts/one-time.ts'
import { deleteTrustedBrowsersOf } from '../../store/accounts/second-factors.ts'
import { deleteSessionsExcept } from '../../store/accounts/sessions.ts'
import { lockPerson, updateBrowserKey } from '../../store/people/people.ts'
import { deleteSubscriptionsOfExpired } from '../../store/push/subscriptions.ts'
import type { Executor } from '../../store/store.ts'
import { type Author, authorOf, type NamedPerson, recordBy } from '../access/authority.ts'
import { single } from '../wire/schemas.ts'
import { keepWayOut } from './provider-sign-out.ts'
import { keepBrowserKnown } from './sessions.ts'

/** Sessions are always ended, API keys and apps only on request. */
export const endAccessShape = {
  endApiKeys: z.boolean().default(false).describe('Also deletes all API keys.'),
  endApps: z.boolean().default(false).describe('Also disconnects all apps.'),
}

export const signOutEverywhere = operation({
  id: 'sign-out-everywhere',
  method: 'POST',
  path: '/sign-out-everywhere',
  door: 'app',
  tag: 'Account',
  summary: 'End all your sessions, including this one, your API keys, connected apps and open links',
  description: 'Invitations and reset links that you made stop working. `false` keeps API keys or apps.',
  access: person(),
  body: takes(
    z.object({
      endApiKeys: z.boolean().default(true).describe('Also deletes all API keys.'),
      endApps: z.boolean().default(true).describe('Also disconnects all apps.'),
    }),
    { optional: true },
  ),
  output: single(z.object({ sessions: z.int(), apiKeys: z.int(), apps: z.int() })),
  async run(call) {
    const { principal, input, db, web } = call
    await keepWayOut(call)
    const ended = await endAccess(db, principal.user, input, authorOf(call))
    for (const { id, purpose } of await deleteLinksMadeBy(db, { userId: principal.user.id }))
      await recordBy(authorOf(call), db, revoked[purpose], { details: { link: id } })
    // Keeps wrong attempts by strangers from locking the owner out of the browser that sent this request.
    await keepBrowserKnown(call, principal.user.id)
    web?.endSession()
    return { data: ended }
  },
})

const revoked = {
  invite: 'invitation.revoked',
  reset: 'reset-link.revoked',
  'mailed-reset': 'reset-link.revoked',
} as const

/**
 * Ends a person's sessions and open reset links, and on request their API keys and apps, with one event for each kind
 * that had any. No browser is known or trusted afterwards.
 */
export async function endAccess(
  tx: Executor,
  subject: NamedPerson,
  {
    endApiKeys,
    endApps,
    keepSession = 0,
  }: { endApiKeys: boolean; endApps: boolean; keepSession?: number | undefined },
  author: Author,
): Promise<{ sessions: number; apiKeys: number; apps: number }> {
  await lockPerson(tx, subject.id)
  await deleteResetLinksOf(tx, subject.id, author.now.toISOString())
  const sessions = (await deleteSessionsExcept(tx, { userId: subject.id, keep: keepSession })).length
  await deleteSubscriptionsOfExpired(tx, { userId: subject.id })
  await deletePendingSignIns(tx, subject.id)
  await deleteTrustedBrowsersOf(tx, { userId: subject.id })
  await updateBrowserKey(tx, { id: subject.id, browserKey: randomText(32) })
  const apiKeys = endApiKeys ? (await deleteApiKeysOf(tx, { userId: subject.id })).length : 0
  const apps = endApps ? (await deleteGrantsOf(tx, { userId: subject.id })).length : 0
  const record = async (kind: EventKind, count: number) => {
    if (count > 0) await recordBy(author, tx, kind, { subject, details: { count } })
  }
  await record('session.ended', sessions)
  await record('api-key.deleted', apiKeys)
  await record('app.revoked', apps)
  return { sessions, apiKeys, apps }
}
