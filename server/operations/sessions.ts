// Sessions of the web app: who is signed in here, where else, and how one begins and ends.
import * as z from 'zod'
import { SESSION_LIFETIME_MS } from '../auth/authenticate.ts'
import { rememberBrowser } from '../auth/known-browsers.ts'
import { notFound } from '../base/errors.ts'
import { createSecret, hashSecret } from '../base/secrets.ts'
import { type SignInWay, signInWays } from '../domain/sign-in.ts'
import { type Call, everyone, operation, person, type Services } from '../operation.ts'
import { findPerson, findPreferences, findSecretsOf, ownerExists } from '../store/people.ts'
import {
  deleteSessionByHash,
  deleteSession as deleteStoredSession,
  insertSession,
  listSessions as listStoredSessions,
} from '../store/sessions.ts'
import type { Executor } from '../store/store.ts'
import { authorOf, recordBy } from './authority.ts'
import { Preferences } from './preferences.ts'
import { Me, showMe } from './profile.ts'
import { list, nothing, onePage, pathId, single } from './schemas.ts'

const tag = 'Account'

/** What a visitor of the web app needs to know first. */
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

/** The token that this caller needs; none on the machine that the server runs on, where the log could be read anyway. */
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
      id: z.int(),
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
    const sessions = await listStoredSessions(db, principal.user.id, now.toISOString())
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
    if (!(await deleteStoredSession(db, principal.user.id, input.id))) throw notFound('Session')
    await recordBy(authorOf(call), db, 'session.ended')
  },
})

/** How a session began; where at a provider, how that one knows it. */
export interface SessionStart {
  way: SignInWay
  provider?: { identityId: number; session: string | null; idToken: string | null }
  /** When the person proved who they are; just now unless given. */
  provedAt?: Date
}

/**
 * Stores a new session, gives the browser its secret and ends the one that it replaces there. The caller writes the event of the
 * sign-in.
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

/** The browser loses its secret: it could not be signed out there any more. It may be of another person. */
async function endReplaced({ db, now, web }: { db: Executor; now: Date; web: Call['web'] }): Promise<void> {
  const userId = web?.session && (await deleteSessionByHash(db, hashSecret(web.session)))
  const actor = userId && (await findPerson(db, userId))
  if (actor) await recordBy({ now, actor, address: web?.address }, db, 'sign-out')
}

/** From now on, other people's wrong attempts do not delay this person in this browser. */
export async function keepBrowserKnown(
  { db, now, web }: { db: Executor; now: Date; web: Call['web'] },
  userId: string,
): Promise<void> {
  const secrets = await findSecretsOf(db, userId)
  if (!secrets) return
  const person = { id: userId, ...secrets }
  web?.keepBrowserProofs(rememberBrowser(web.browserProofs, person, now.getTime()))
}
