// Sessions of the web app: who is signed in here and elsewhere, and how a session starts and ends.
import * as z from 'zod'
import { notFound } from '../../base/errors.ts'
import { createSecret, hashSecret } from '../../base/secret/secrets.ts'
import { type SignInWay, signInWays } from '../../domain/accounts/sign-in.ts'
import { RowId } from '../../domain/row-id.ts'
import { type Call, everyone, operation, person } from '../../door/operation.ts'
import type { Services } from '../../door/services.ts'
import { SESSION_LIFETIME_MS } from '../../services/access/authenticate.ts'
import { rememberBrowser } from '../../services/accounts/known-browsers.ts'
import {
  deleteSessionByHash,
  deleteSession as deleteStoredSession,
  insertSession,
  listSessions as listStoredSessions,
} from '../../store/accounts/sessions.ts'
import { findPerson, findPreferences, findSecretsOf, ownerExists } from '../../store/people/people.ts'
import type { Executor } from '../../store/store.ts'
import { authorOf, recordBy } from '../access/authority.ts'
import { Preferences } from '../people/preferences.ts'
import { Me, showMe } from '../people/profile.ts'
import { list, nothing, onePage, pathId, single } from '../wire/schemas.ts'

const tag = 'Account'

/** The first thing that a visitor's web app reads. */
export const getSession = operation({
  id: 'get-session',
  method: 'GET',
  path: '/session',
  door: 'app',
  tag,
  summary: 'Read the signed-in user and whether this instance is set up',
  access: everyone,
  output: single(
    z.object({
      user: Me.nullable(),
      preferences: Preferences.nullable(),
      setupRequired: z.boolean(),
      setupTokenRequired: z.boolean(),
      instance: z.object({ name: z.string(), version: z.string() }),
      signIn: z
        .object({
          passwords: z.boolean().describe('false: only the owner signs in with a password.'),
          provider: z.string().nullable().describe('The name of the identity provider.'),
        })
        .describe('What the sign-in page offers.'),
    }),
  ),
  async run(call) {
    const { principal, db, services } = call
    const { oidc } = services.config
    const setupRequired = !principal && !(await ownerExists(db))
    return {
      data: {
        user: principal ? showMe(principal) : null,
        preferences: principal ? ((await findPreferences(db, principal.user.id)) ?? null) : null,
        setupRequired,
        setupTokenRequired: setupRequired && setupTokenFor(call) !== undefined,
        instance: { name: 'Contrail', version: services.version },
        signIn: { passwords: oidc?.passwords ?? true, provider: oidc?.name ?? null },
      },
    }
  },
})

/** The token that this caller needs; none on the server's own machine, where the log could be read anyway. */
export const setupTokenFor = ({ services, web }: Pick<Call, 'services' | 'web'>): Services['setupToken'] =>
  web?.isFromThisMachine ? undefined : services.setupToken

export const listSessions = operation({
  id: 'list-sessions',
  method: 'GET',
  path: '/sessions',
  door: 'app',
  tag,
  summary: 'List your sessions',
  access: person(),
  output: list(
    z.object({
      id: RowId,
      current: z.boolean(),
      userAgent: z.string().nullable(),
      address: z.string().nullable().describe('The network address that it began from.'),
      way: z.enum(signInWays).describe('How it began.'),
      createdAt: z.string(),
      lastSeenAt: z.string(),
      expiresAt: z.string(),
    }),
  ),
  async run({ principal, db, now }) {
    const sessions = await listStoredSessions(db, { userId: principal.user.id, now: now.toISOString() })
    return onePage(
      sessions.map((session) => ({ ...session, current: session.id === principal.credentialId })),
    )
  },
})

export const deleteSession = operation({
  id: 'delete-session',
  method: 'DELETE',
  path: '/sessions/{id}',
  door: 'app',
  tag,
  summary: 'End a session',
  access: person(),
  params: pathId,
  output: nothing,
  status: 204,
  errors: ['not_found'],
  async run(call) {
    const { principal, input, db } = call
    if (!(await deleteStoredSession(db, { userId: principal.user.id, id: input.id })))
      throw notFound('Session')
    await recordBy(authorOf(call), db, 'session.ended')
  },
})

/** How a session starts; with a provider, also the provider's id of the session. */
export interface SessionStart {
  way: SignInWay
  provider?: { identityId: number; session: string | null; idToken: string | null }
  /** When the person proved who they are; now, unless given. */
  provedAt?: Date
}

/**
 * Stores a new session, gives the browser its secret and ends the session that it replaces in that browser. The
 * caller writes the sign-in event.
 */
export async function startSession(
  { db, now, web }: { db: Executor; now: Date; web: Call['web'] },
  userId: string,
  { way, provider, provedAt = now }: SessionStart,
): Promise<void> {
  await endReplaced({ db, now, web })
  const { secret, hash } = createSecret('session')
  await insertSession(db, {
    hash,
    userId,
    userAgent: web?.userAgent?.slice(0, 300) ?? null,
    address: web?.address ?? null,
    way,
    identityId: provider?.identityId ?? null,
    providerSession: provider?.session ?? null,
    idToken: provider?.idToken ?? null,
    confirmedAt: provedAt.toISOString(),
    now: now.toISOString(),
    expiresAt: new Date(now.getTime() + SESSION_LIFETIME_MS).toISOString(),
  })
  web?.startSession(secret)
  await keepBrowserKnown({ db, now, web }, userId)
}

/** The browser loses the old secret, so that session could no longer be signed out there. It may be another person's. */
async function endReplaced({ db, now, web }: { db: Executor; now: Date; web: Call['web'] }): Promise<void> {
  const userId = web?.session && (await deleteSessionByHash(db, { hash: hashSecret(web.session) }))
  const actor = userId && (await findPerson(db, { id: userId }))
  if (actor) await recordBy({ now, actor, address: web?.address }, db, 'sign-out')
}

/** From now on, wrong attempts by others do not delay this person in this browser. */
export async function keepBrowserKnown(
  { db, now, web }: { db: Executor; now: Date; web: Call['web'] },
  userId: string,
): Promise<void> {
  const secrets = await findSecretsOf(db, { id: userId })
  if (!secrets) return
  const person = { id: userId, ...secrets }
  web?.keepBrowserProofs(rememberBrowser(web.browserProofs, person, now.getTime()))
}
