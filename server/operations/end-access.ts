// Ending what a lost device or a leaked secret could still use: sessions, API keys, connected apps.
import * as z from 'zod'
import { operation, person } from '../operation.ts'
import { deleteApiKeysOf } from '../store/api-keys.ts'
import type { EventKind } from '../store/audit.ts'
import { deleteGrantsOf } from '../store/oauth-grants.ts'
import { deleteSessionsExcept } from '../store/sessions.ts'
import type { Executor } from '../store/store.ts'
import { recordBy } from './authority.ts'
import { single } from './schemas.ts'

/** Sessions always end; keys and apps where that is wanted too. */
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
  summary: 'End all your sessions, including this one, and optionally your API keys and connected apps',
  access: person(),
  body: z.object(endAccessShape),
  output: single(z.object({ sessions: z.int(), apiKeys: z.int(), apps: z.int() })),
  async run(call) {
    const { principal, input, db, web } = call
    const ended = await endAccess(db, principal.user.id, input, (kind, details) =>
      recordBy(call, db, kind, { details }),
    )
    web?.endSession()
    return { data: ended }
  },
})

/** Ends a person's sessions, and the rest as wished; `record` writes an event for each kind of which something ended. */
export async function endAccess(
  tx: Executor,
  userId: string,
  { endApiKeys, endApps }: { endApiKeys: boolean; endApps: boolean },
  record: (kind: EventKind, details: { count: number }) => Promise<void>,
): Promise<{ sessions: number; apiKeys: number; apps: number }> {
  const sessions = (await deleteSessionsExcept(tx, userId, 0)).length
  const apiKeys = endApiKeys ? (await deleteApiKeysOf(tx, userId)).length : 0
  const apps = endApps ? (await deleteGrantsOf(tx, userId)).length : 0
  if (sessions > 0) await record('session.ended', { count: sessions })
  if (apiKeys > 0) await record('api-key.deleted', { count: apiKeys })
  if (apps > 0) await record('app.revoked', { count: apps })
  return { sessions, apiKeys, apps }
}
