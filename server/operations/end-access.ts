// Ending what a lost device or a leaked secret could still use: sessions, API keys, connected apps.
import * as z from 'zod'
import { randomText } from '../base/secrets.ts'
import { operation, person } from '../operation.ts'
import { deleteLinksMadeBy, deleteResetLinksOf } from '../store/account-links.ts'
import { deleteApiKeysOf } from '../store/api-keys.ts'
import type { EventKind } from '../store/audit.ts'
import { deleteGrantsOf } from '../store/oauth-grants.ts'
import { deletePendingSignIns } from '../store/one-time.ts'
import { lockPerson, updateBrowserKey } from '../store/people.ts'
import { deleteTrustedBrowsersOf } from '../store/second-factors.ts'
import { deleteSessionsExcept } from '../store/sessions.ts'
import type { Executor } from '../store/store.ts'
import { type Author, authorOf, type NamedPerson, recordBy } from './authority.ts'
import { keepWayOut } from './provider-sign-out.ts'
import { single } from './schemas.ts'
import { keepBrowserKnown } from './sessions.ts'

/** Sessions always end; API keys and apps only if wanted. */
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
  body: z.object({
    endApiKeys: z.boolean().default(true).describe('Also deletes all API keys.'),
    endApps: z.boolean().default(true).describe('Also disconnects all apps.'),
  }),
  bodyIsOptional: true,
  output: single(z.object({ sessions: z.int(), apiKeys: z.int(), apps: z.int() })),
  async run(call) {
    const { principal, input, db, web } = call
    await keepWayOut(call)
    const ended = await endAccess(db, principal.user, input, authorOf(call))
    for (const { id, purpose } of await deleteLinksMadeBy(db, principal.user.id))
      await recordBy(authorOf(call), db, revoked[purpose], { details: { link: id } })
    // Strangers who try this name must not keep its owner out of the browser in which they said so.
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
 * Ends a person's sessions and open reset links, and API keys and apps if wanted, with one event for each kind of which any
 * ended. No browser is known or trusted any more.
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
  const sessions = (await deleteSessionsExcept(tx, subject.id, keepSession)).length
  await deletePendingSignIns(tx, subject.id)
  await deleteTrustedBrowsersOf(tx, subject.id)
  await updateBrowserKey(tx, subject.id, randomText(32))
  const apiKeys = endApiKeys ? (await deleteApiKeysOf(tx, subject.id)).length : 0
  const apps = endApps ? (await deleteGrantsOf(tx, subject.id)).length : 0
  const record = async (kind: EventKind, count: number) => {
    if (count > 0) await recordBy(author, tx, kind, { subject, details: { count } })
  }
  await record('session.ended', sessions)
  await record('api-key.deleted', apiKeys)
  await record('app.revoked', apps)
  return { sessions, apiKeys, apps }
}
