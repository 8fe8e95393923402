// Signing in and out of the web app.
import * as z from 'zod'
import type { Config } from '../../base/config.ts'
import { AppError } from '../../base/errors.ts'
import { createSecret } from '../../base/secret/secrets.ts'
import { SECOND_FACTOR_STEP_MS } from '../../domain/accounts/sign-in.ts'
import { type Call, everyone, operation, person, takes } from '../../door/operation.ts'
import { type Guesser, knownGuesser } from '../../services/access/limits.ts'
import { checkPassword } from '../../services/accounts/check-password.ts'
import { findKnownBrowser, type KnownPerson } from '../../services/accounts/known-browsers.ts'
import { hasSignedIn, recordEvent } from '../../store/access/audit.ts'
import { insertOneTime } from '../../store/accounts/one-time.ts'
import { deleteSession, listSessions } from '../../store/accounts/sessions.ts'
import { findWaysIn } from '../../store/accounts/ways-in.ts'
import { insertNotice } from '../../store/people/notices.ts'
import {
  findPasswordHash,
  findPersonByUsername,
  findSecretsOf,
  lockPerson,
  type Person,
} from '../../store/people/people.ts'
import type { Executor } from '../../store/store.ts'
import { authorOf, type NamedPerson, recordBy } from '../access/authority.ts'
import { nothing } from '../wire/schemas.ts'
import { keepWayOut } from './provider-sign-out.ts'
import { type SessionStart, startSession } from './sessions.ts'
import { isTrustedBrowser } from './trusted-browsers.ts'

const tag = 'Account'

/** An instance with a provider may be set to accept only the owner's password. */
export const passwordsAllowed = ({ oidc }: Config, { isOwner }: { isOwner: boolean }): boolean =>
  oidc === undefined || oidc.passwords || isOwner

export const signIn = operation({
  id: 'sign-in',
  method: 'POST',
  path: '/sign-in',
  door: 'app',
  tag,
  summary: 'Sign in',
  description:
    'If the account has a second factor, the response is 401 with the reason `second_factor_required`, and the code is sent to `POST /sign-in/second-factor` next.',
  access: everyone,
  body: takes(z.object({ username: z.string().max(200), password: z.string().max(1000) })),
  output: nothing,
  status: 204,
  errors: ['unauthorized', 'too_many_requests'],
  transaction: 'own',
  async run(call) {
    const { services } = call
    const found = await provePassword(call, call.input)
    const isComplete = await services.store.transaction(async (tx) => {
      const inside = { ...call, db: tx }
      await requireStillProved(tx, found)
      if (await needsSecondFactor(inside, found)) return askForSecondFactor(inside, found)
      await completeSignIn(inside, found, { way: 'password' })
      return true
    })
    if (!isComplete) throw new AppError('unauthorized', 'second_factor_required')
  },
})

export type Visit = Pick<Call, 'db' | 'now' | 'web' | 'services'>

/** With the hash that the password was compared with. */
type ProvedPerson = Person & { passwordHash: string | null }

/**
 * Call it in the transaction that follows. The comparison is slow and the password may change meanwhile: this attempt must
 * not outlive the sessions that ended with the old password. Locks the person, so that no session can be ended concurrently.
 */
export async function requireStillProved(tx: Executor, { id, passwordHash }: ProvedPerson): Promise<void> {
  await lockPerson(tx, id)
  if ((await findPasswordHash(tx, id)) !== passwordHash)
    throw new AppError('unauthorized', 'wrong_credentials')
}

/** The person with this name and password. Unknown names cost the same work and give the same response. */
export async function provePassword(
  { db, now, web, services }: Visit,
  { username, password }: { username: string; password: string },
  /** For linking an account at the provider: also accepts passwords that can no longer sign in. */
  isToLink = false,
): Promise<ProvedPerson> {
  const { config, limits } = services
  const found = await findPersonByUsername(db, username)
  const counts = found && (isToLink || passwordsAllowed(config, found))
  const stored = counts ? found.passwordHash : null
  const matches = await checkPassword(limits, guesserFor({ now, web }, username, found), stored, password)
  if (found && matches) return found
  // An unknown name is not stored: people type passwords into the wrong field.
  await recordFailedSignIn({ now, web, services }, found)
  const isOff = config.oidc?.passwords === false && !isToLink
  const reason = isOff ? 'passwords_off' : 'wrong_credentials'
  throw new AppError('unauthorized', reason)
}

/** In a separate transaction: the record stays whatever the request does. */
export const recordFailedSignIn = (
  { now, web, services }: Omit<Visit, 'db'>,
  whose: NamedPerson | null | undefined,
  details?: Record<string, string>,
): Promise<void> =>
  services.store.transaction((tx) =>
    recordEvent(tx, {
      kind: 'sign-in.failed',
      now,
      actor: null,
      subject: whose ? { id: whose.id, username: whose.username } : null,
      address: web?.address,
      ...(details && { details }),
    }),
  )

/** Strangers do not delay a browser in which this person has signed in before. */
export function guesserFor(
  { now, web }: Pick<Visit, 'now' | 'web'>,
  username: string,
  found: KnownPerson | undefined,
): Guesser {
  const known = found && findKnownBrowser(web?.browserProofs, found, now.getTime())
  if (!found || known === undefined) return { address: web?.address, username }
  return knownGuesser(`browser ${known}`, found.id)
}

export async function needsSecondFactor(visit: Visit, { id }: Person): Promise<boolean> {
  const { db, services } = visit
  const ways = await findWaysIn(db, id, services.config.oidc?.issuer)
  return ways?.secondFactor === true && !(await isTrustedBrowser(visit, id))
}

/** Stores proof of the right password, and `data`, until the code follows. Returns false: not signed in yet. */
export async function askForSecondFactor(
  { db, now, web }: Visit,
  { id }: Person,
  data: object = {},
): Promise<false> {
  const { secret, hash } = createSecret('step')
  const expiresAt = new Date(now.getTime() + SECOND_FACTOR_STEP_MS).toISOString()
  await insertOneTime(db, { purpose: 'second-factor', hash, browser: null, userId: id, data, expiresAt })
  web?.keepStep('pending', secret, SECOND_FACTOR_STEP_MS)
  return false
}

/** The last step of every sign-in: starts the session, writes the event, and notifies the person of a new browser. */
export async function completeSignIn(visit: Visit, person: NamedPerson, start: SessionStart): Promise<void> {
  const { db, now, web } = visit
  // Runs either before or after a request that ends all sessions of the person, never during it.
  await lockPerson(db, person.id)
  const secrets = await findSecretsOf(db, { id: person.id })
  const known = secrets && findKnownBrowser(web?.browserProofs, { id: person.id, ...secrets }, now.getTime())
  if (known === undefined) await noticeNewBrowser(db, visit, person.id)
  await startSession(visit, person.id, start)
  const actor = { id: person.id, username: person.username }
  await recordEvent(db, { kind: 'sign-in', now, actor, address: web?.address, details: { way: start.way } })
}

/** The first sign-in of a person needs no notice. */
async function noticeNewBrowser(
  tx: Executor,
  { web, now }: Pick<Call, 'web' | 'now'>,
  userId: string,
): Promise<void> {
  const at = now.toISOString()
  const isFirst =
    (await listSessions(tx, { userId, now: at })).length === 0 && !(await hasSignedIn(tx, { userId }))
  if (isFirst) return
  const data = { userAgent: web?.userAgent?.slice(0, 300) ?? null, address: web?.address ?? null }
  await insertNotice(tx, { userId, kind: 'session.new', at, data, flightId: null })
}

export const signOut = operation({
  id: 'sign-out',
  method: 'POST',
  path: '/sign-out',
  door: 'app',
  tag,
  summary: 'Sign out',
  access: person(),
  output: nothing,
  status: 204,
  async run(call) {
    await keepWayOut(call)
    await endOwnSession(call)
    call.web?.endSession()
  },
})

/** The browser still has the cookie: the caller has to clear or replace it. */
async function endOwnSession(call: Pick<Call, 'principal' | 'db' | 'now' | 'web'>): Promise<void> {
  const { principal, db } = call
  await deleteSession(db, { userId: principal.user.id, id: Number(principal.credentialId) })
  await recordBy(authorOf(call), db, 'sign-out')
}
