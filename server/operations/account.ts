// What people do with their own account in the web app: set up, sign in and out, keys, sessions, password.
import * as z from 'zod'
import { SESSION_LIFETIME_MS } from '../auth/authenticate.ts'
import { findKnownBrowser, rememberBrowser } from '../auth/known-browsers.ts'
import type { Guesser } from '../auth/limits.ts'
import { hashPassword, passwordMatches } from '../auth/passwords.ts'
import { credentialMay, roleMay } from '../auth/principal.ts'
import { AppError, forbidden, invalid, notFound } from '../base/errors.ts'
import { createSecret, randomId } from '../base/secrets.ts'
import { isScope, permissionForScope, scopes } from '../domain/access.ts'
import { nameFault } from '../domain/names.ts'
import { defaultPreferences } from '../domain/preferences.ts'
import { type Call, everyone, operation, person } from '../operation.ts'
import {
  deleteApiKey as deleteStoredKey,
  insertApiKey,
  listApiKeys as listStoredKeys,
} from '../store/api-keys.ts'
import { recordEvent } from '../store/audit.ts'
import {
  deletePerson,
  findPasswordHash,
  findPersonByUsername,
  findPreferences,
  insertPerson,
  ownerExists,
  updatePassword,
  updatePerson,
} from '../store/people.ts'
import {
  deleteSessionsExcept,
  deleteSession as deleteStoredSession,
  insertSession,
  listSessions as listStoredSessions,
} from '../store/sessions.ts'
import { type Executor, uniqueViolation } from '../store/store.ts'
import { Preferences } from './preferences.ts'
import { Me, showMe } from './profile.ts'
import { list, nothing, onePage, pathId, single } from './schemas.ts'

const tag = 'Account'

export const Username = z
  .string()
  .min(3)
  .max(20)
  .regex(/^[A-Za-z0-9._-]+$/, 'Letters, digits, dot, underscore and hyphen only')
/** A name that may have been stored before there were rules for its characters; see `requireSoundName`. */
export const StoredDisplayName = z.string().trim().min(3).max(100)
/** The one rule for people's names: set-up, new users, profiles and the command line. */
export const DisplayName = StoredDisplayName.superRefine((name, context) => {
  const fault = nameFault(name)
  if (fault) context.addIssue(fault)
})

/** A name that stays as it is may stay; a new one keeps to the rules. */
export function requireSoundName(stored: string, wanted: string): void {
  const fault = wanted === stored.trim() ? undefined : nameFault(wanted)
  if (fault) throw invalid(fault, { path: ['displayName'], message: fault })
}
export const NewPassword = z.string().min(8).max(1000).meta({ format: 'password' })

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
    }),
  ),
  async run({ principal, db, services }) {
    const setupRequired = !principal && !(await ownerExists(db))
    return {
      data: {
        user: principal ? showMe(principal) : null,
        preferences: principal ? ((await findPreferences(db, principal.user.id)) ?? null) : null,
        setupRequired,
        setupTokenRequired: setupRequired && services.setupToken !== undefined,
        instance: { name: 'Contrail', version: services.version },
      },
    }
  },
})

export const setUp = operation({
  id: 'set-up',
  method: 'POST',
  path: '/setup',
  door: 'app',
  tag,
  summary: 'Create the owner’s account on a new instance',
  access: everyone,
  body: z.object({
    username: Username,
    displayName: DisplayName,
    password: NewPassword,
    token: z
      .string()
      .max(200)
      .optional()
      .describe('The one-time token that the server prints to its log at startup.'),
  }),
  output: nothing,
  status: 204,
  errors: ['conflict', 'forbidden', 'too_many_requests'],
  managesTransaction: true,
  async run(call) {
    await setUpWith(call, call.input)
  },
})

/** Creates the owner and signs them in: the JSON endpoint and the set-up page both end here. */
export async function setUpWith(
  call: Pick<Call<unknown, unknown>, 'services' | 'web' | 'now' | 'db'>,
  account: { username: string; displayName: string; password: string; token?: string | undefined },
): Promise<void> {
  const { services, db, web, now } = call
  if (await ownerExists(db)) throw new AppError('conflict', 'This instance is already set up')
  if (services.setupToken && !services.setupToken.matches(account.token ?? '')) {
    throw forbidden('The set-up token is wrong; the server printed it when it started')
  }
  await createOwner(services.store, account, now, async (tx, actor) => {
    await startSession({ ...call, db: tx }, actor.id)
    await recordEvent(tx, { kind: 'instance.set-up', now, actor, address: web?.address })
  })
}

/**
 * Creates the one owner; a second attempt is a conflict, however close the two are. `record` writes the event, in the
 * same transaction.
 */
export async function createOwner(
  store: Call['services']['store'],
  account: { username: string; displayName: string; password: string },
  now: Date,
  record: (tx: Executor, owner: { id: string; username: string }) => Promise<void>,
): Promise<void> {
  const passwordHash = await hashPassword(account.password)
  const { username, displayName } = account
  const id = randomId()
  try {
    await store.transaction(async (tx) => {
      await insertPerson(tx, {
        id,
        username,
        displayName,
        passwordHash,
        roleId: null,
        preferences: defaultPreferences,
        createdAt: now.toISOString(),
      })
      await record(tx, { id, username })
    })
  } catch (error) {
    if (uniqueViolation(error) !== undefined)
      throw new AppError('conflict', 'This instance is already set up')
    throw error
  }
}

export const signIn = operation({
  id: 'sign-in',
  method: 'POST',
  path: '/sign-in',
  door: 'app',
  tag,
  summary: 'Sign in',
  access: everyone,
  body: z.object({ username: z.string().max(200), password: z.string().max(1000) }),
  output: nothing,
  status: 204,
  errors: ['unauthorized', 'too_many_requests'],
  managesTransaction: true,
  async run(call) {
    await signInWith(call, call.input)
  },
})

/** Checks name and password and starts a session: the JSON endpoint and the sign-in page both end here. */
export async function signInWith(
  call: Pick<Call<unknown, unknown>, 'services' | 'web' | 'now' | 'db'>,
  { username, password }: { username: string; password: string },
): Promise<void> {
  const { services, db, web, now } = call
  const found = await findPersonByUsername(db, username)
  const address = web?.address
  const known = found && findKnownBrowser(web?.browserProofs, found, now.getTime())
  const guesser = known === undefined ? { address, username } : { known: `browser ${known}` }
  const matches = await checkPassword(services, guesser, found?.passwordHash, password)
  if (!found || !matches) {
    // A name nobody has is not kept: people type passwords into the wrong field.
    const subject = found ? { id: found.id, username: found.username } : null
    await services.store.transaction((tx) =>
      recordEvent(tx, { kind: 'sign-in.failed', now, actor: null, subject, address }),
    )
    throw new AppError('unauthorized', 'User name or password is wrong')
  }
  await services.store.transaction(async (tx) => {
    await startSession({ ...call, db: tx }, found.id)
    await recordEvent(tx, { kind: 'sign-in', now, actor: found, address })
  })
}

/** Every password that is checked is checked here. Only a wrong one spends a try, and one too many is not even hashed. */
async function checkPassword(
  { limits }: Call['services'],
  guesser: Guesser,
  stored: string | null | undefined,
  password: string,
): Promise<boolean> {
  // Before it queues, or refused attempts would fill the queue.
  limits.requireMayTry(guesser)
  const queue = guesser.known === undefined ? 'strangers' : 'known'
  let taken: { giveBack(): void } | undefined
  let wrong = false
  try {
    // And again when its turn has come: others were wrong meanwhile.
    const begin = () => {
      taken = limits.takeTry(guesser)
    }
    wrong = !(await passwordMatches(stored, password, { queue, begin }))
    return !wrong
  } finally {
    if (!wrong) taken?.giveBack()
  }
}

async function startSession(
  { db, now, web }: { db: Executor; now: Date; web: Call['web'] },
  userId: string,
): Promise<void> {
  const { secret, hash } = createSecret('session')
  await insertSession(db, {
    hash,
    userId,
    userAgent: web?.userAgent?.slice(0, 300) ?? null,
    now: now.toISOString(),
    expiresAt: new Date(now.getTime() + SESSION_LIFETIME_MS).toISOString(),
  })
  web?.startSession(secret)
  await keepKnown({ db, now, web }, userId)
}

/** From now on nobody else's wrong attempts delay this person in this browser. */
async function keepKnown(
  { db, now, web }: { db: Executor; now: Date; web: Call['web'] },
  userId: string,
): Promise<void> {
  const person = { id: userId, passwordHash: await findPasswordHash(db, userId) }
  web?.keepBrowserProofs(rememberBrowser(web.browserProofs, person, now.getTime()))
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
  async run({ principal, db, web, now }) {
    await deleteStoredSession(db, principal.user.id, Number(principal.credentialId))
    await recordEvent(db, { kind: 'sign-out', now, actor: principal.user, address: web?.address })
    web?.endSession()
  },
})

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
  async run({ principal, input, db, now, web }) {
    const { username, displayName } = principal.user
    if (username === input.username && displayName === input.displayName) return
    requireSoundName(displayName, input.displayName)
    try {
      await updatePerson(db, principal.user.id, input)
    } catch (error) {
      if (uniqueViolation(error) !== undefined) throw new AppError('conflict', 'This user name is taken')
      throw error
    }
    const [actor, details] = [principal.user, input]
    await recordEvent(db, { kind: 'user.updated', now, actor, address: web?.address, details })
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
      const actor = principal.user
      await recordEvent(tx, { kind: 'password.changed', now, actor, address: web?.address })
      await keepKnown({ db: tx, now, web }, principal.user.id)
    })
  },
})

/** Whoever sits at an unlocked screen must know the password before an account is changed for good. */
async function requireOwnPassword(
  { principal, db, services }: Call,
  field: string,
  password: string,
): Promise<void> {
  const stored = await findPasswordHash(db, principal.user.id)
  const guesser = { known: `session ${principal.credentialId}` }
  if (await checkPassword(services, guesser, stored, password)) return
  const message = 'The current password is wrong'
  throw invalid(message, { path: [field], message })
}

export const deleteMe = operation({
  id: 'delete-me',
  method: 'DELETE',
  path: '/me',
  door: 'app',
  tag,
  summary: 'Delete your account',
  description:
    'Deletes your API keys, sessions, shares and countries, the flights that no one else is on, and the flights that others were added to but have not kept. Other flights with another person or a guest stay, without you.',
  access: person(),
  body: z.object({ password: z.string().max(1000) }),
  output: nothing,
  status: 204,
  errors: ['too_many_requests'],
  managesTransaction: true,
  async run(call) {
    const { principal, input, services, web, now } = call
    if (principal.isOwner) throw forbidden('The owner’s account cannot be deleted')
    await requireOwnPassword(call, 'password', input.password)
    await services.store.transaction(async (tx) => {
      await deletePerson(tx, principal.user.id)
      await recordEvent(tx, { kind: 'user.deleted', now, actor: principal.user, address: web?.address })
    })
    web?.endSession()
  },
})

// API keys

const ApiKey = z
  .object({
    id: z.int(),
    name: z.string(),
    lastFour: z.string().describe('The last characters of the key, to identify it.'),
    scopes: z.array(z.enum(scopes)),
    legacyFormat: z.enum(['codes', 'objects']),
    createdAt: z.string(),
    lastUsedAt: z.string().nullable(),
  })
  .meta({ id: 'ApiKey' })

export const ApiKeyInput = z.object({
  name: z.string().trim().min(1).max(100),
  scopes: z.array(z.enum(scopes)),
  legacyFormat: z
    .enum(['codes', 'objects'])
    .default('codes')
    .describe(
      'How the legacy API returns airlines and aircraft; `objects` for programs written for AirTrail.',
    ),
})

export const listApiKeys = operation({
  id: 'list-api-keys',
  method: 'GET',
  path: '/api-keys',
  door: 'app',
  tag,
  summary: 'List your API keys',
  access: person(),
  output: list(ApiKey),
  async run({ principal, db }) {
    const keys = await listStoredKeys(db, principal.user.id)
    return onePage(keys.map((key) => ({ ...key, scopes: key.scopes.filter(isScope) })))
  },
})

const KEYS_AT_MOST = 100

export const createApiKey = operation({
  id: 'create-api-key',
  method: 'POST',
  path: '/api-keys',
  door: 'app',
  tag,
  summary: 'Create an API key',
  access: person(),
  body: ApiKeyInput,
  output: single(ApiKey.extend({ key: z.string().describe('The key itself. It is returned only once.') })),
  status: 201,
  errors: ['forbidden', 'conflict'],
  async run({ principal, input, db, now, web }) {
    const beyond = input.scopes.find((scope) => {
      const permission = permissionForScope(scope)
      return !credentialMay(principal, scope) || (permission !== null && !roleMay(principal, permission))
    })
    if (beyond) throw forbidden(`Your role does not permit the scope ${beyond}`)
    if ((await listStoredKeys(db, principal.user.id)).length >= KEYS_AT_MOST) {
      throw new AppError('conflict', `You already have ${KEYS_AT_MOST} keys; delete one first`)
    }
    const key = await issueApiKey(db, principal.user.id, input, now)
    await recordEvent(db, {
      kind: 'api-key.created',
      now,
      actor: principal.user,
      address: web?.address,
      details: { key: key.id, name: key.name, scopes: key.scopes },
    })
    return { data: key }
  },
})

/** Stores a new key's hash and returns it with the key itself, for the one time it can be shown. */
export async function issueApiKey(
  tx: Executor,
  userId: string,
  { name, scopes: wanted, legacyFormat }: z.output<typeof ApiKeyInput>,
  now: Date,
) {
  const { secret, hash } = createSecret('apiKey')
  const key = await insertApiKey(tx, {
    userId,
    name,
    hash,
    lastFour: secret.slice(-4),
    scopes: [...new Set(wanted)],
    legacyFormat,
    createdAt: now.toISOString(),
  })
  return { ...key, key: secret }
}

export const deleteApiKey = operation({
  id: 'delete-api-key',
  method: 'DELETE',
  path: '/api-keys/{id}',
  door: 'app',
  tag,
  summary: 'Delete an API key',
  access: person(),
  params: pathId,
  output: nothing,
  status: 204,
  errors: ['not_found'],
  async run({ principal, input, db, now, web }) {
    if (!(await deleteStoredKey(db, principal.user.id, input.id))) throw notFound('API key')
    const details = { key: input.id }
    await recordEvent(db, {
      kind: 'api-key.deleted',
      now,
      actor: principal.user,
      address: web?.address,
      details,
    })
  },
})

// Sessions

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
  async run({ principal, input, db, now, web }) {
    if (!(await deleteStoredSession(db, principal.user.id, input.id))) throw notFound('Session')
    await recordEvent(db, { kind: 'session.ended', now, actor: principal.user, address: web?.address })
  },
})
