// Passkeys: adding and removing them, signing in with one, and proving with one who it is. Each ceremony takes two requests; the
// challenge of the first is stored and taken by the second, which must be for the same purpose, and for the same person and session
// where there is one.
import * as z from 'zod'
import { findKnownBrowser } from '../auth/known-browsers.ts'
import {
  type AuthenticationJson,
  authenticationOptions,
  claimedChallenge,
  registrationOptions,
  verifyAuthentication,
  verifyRegistration,
} from '../auth/passkeys.ts'
import type { Config } from '../base/config.ts'
import { AppError, notFound } from '../base/errors.ts'
import { hashSecret } from '../base/secrets.ts'
import { nameOfPasskey } from '../domain/authenticators.ts'
import { problem } from '../domain/reasons.ts'
import { PASSKEY_CHALLENGE_MS, PASSKEYS_AT_MOST } from '../domain/sign-in.ts'
import { type Call, everyone, operation, person } from '../operation.ts'
import { recordEvent } from '../store/audit.ts'
import { insertOneTime, takeOneTime } from '../store/one-time.ts'
import {
  deletePasskey,
  findPasskeyByCredential,
  insertPasskey,
  listPasskeys as listStoredPasskeys,
  type Passkey as StoredPasskey,
  updatePasskeyName,
  updatePasskeyUse,
} from '../store/passkeys.ts'
import { findPerson, listSecrets, lockPerson, type Person } from '../store/people.ts'
import { confirmSession } from '../store/sessions.ts'
import type { Executor } from '../store/store.ts'
import { authorOf, type NamedPerson, orTaken, recordBy } from './authority.ts'
import {
  AuthenticationInput,
  CreationOptions,
  Passkey,
  PasskeyName,
  RegistrationInput,
  RequestOptions,
} from './passkey-schema.ts'
import { list, nothing, onePage, pathId, single } from './schemas.ts'
import { completeSignIn, type Visit as PlainVisit, recordFailedSignIn } from './sign-in.ts'
import { passkeysWork, requireWayLeft } from './ways-in.ts'

const tag = 'Account'

const shown = ({ id, name, createdAt, lastUsedAt }: StoredPasskey) => ({ id, name, createdAt, lastUsedAt })

export const listPasskeys = operation({
  id: 'list-passkeys',
  method: 'GET',
  path: '/passkeys',
  door: 'app',
  tag,
  summary: 'List your passkeys',
  access: person(),
  output: list(Passkey),
  async run({ principal, db }) {
    return onePage((await listStoredPasskeys(db, principal.user.id)).map(shown))
  },
})

/** Browsers offer passkeys on https and localhost only, and never for a bare address. */
function requirePasskeysWork(config: Config): void {
  if (!passkeysWork(config)) throw new AppError('conflict', 'passkeys_unavailable')
}

function requireRoom(passkeys: readonly unknown[]): void {
  if (passkeys.length < PASSKEYS_AT_MOST) return
  throw new AppError('conflict', problem('too_many_passkeys', { max: PASSKEYS_AT_MOST }))
}

type Purpose = 'passkey.add' | 'passkey.sign-in' | 'passkey.confirm'
type Visit = PlainVisit & { principal: Call['principal'] | undefined }

/** Keeps the challenge until its response arrives. */
function keepChallenge({ db, now, principal }: Visit, purpose: Purpose, challenge: string): Promise<void> {
  return insertOneTime(db, {
    purpose,
    hash: hashSecret(challenge),
    browser: null,
    userId: principal?.user.id ?? null,
    data: { session: principal?.credentialId ?? null },
    expiresAt: new Date(now.getTime() + PASSKEY_CHALLENGE_MS).toISOString(),
  })
}

/** Takes the challenge that a response names, if it is open, for this purpose and, where there is one, for this session. */
async function takeChallenge(
  { now, principal, services }: Visit,
  purpose: Purpose,
  clientDataJson: string,
): Promise<string | undefined> {
  const challenge = claimedChallenge(clientDataJson)
  if (challenge === undefined) return undefined
  const wanted = { purpose, hash: hashSecret(challenge), now: now.toISOString() }
  // In a transaction of its own: it is spent whatever becomes of the response.
  const taken = await services.store.transaction((tx) => takeOneTime<{ session: unknown }>(tx, wanted))
  if (!taken) return undefined
  const isOurs =
    purpose === 'passkey.sign-in' ||
    (taken.userId === principal?.user.id && taken.data.session === principal?.credentialId)
  return isOurs ? challenge : undefined
}

export const startPasskey = operation({
  id: 'start-passkey',
  method: 'POST',
  path: '/passkeys/options',
  door: 'app',
  tag,
  summary: 'Start adding a passkey',
  description:
    'Returns what the browser’s `navigator.credentials.create` needs. Valid for five minutes, once.',
  access: person(),
  confirms: true,
  output: single(CreationOptions),
  errors: ['conflict', 'forbidden'],
  async run(call) {
    const { principal, db, services } = call
    requirePasskeysWork(services.config)
    const existing = await listStoredPasskeys(db, principal.user.id)
    requireRoom(existing)
    const { origin } = services.config
    const options = await registrationOptions({ origin, person: principal.user, existing })
    await keepChallenge(call, 'passkey.add', options.challenge)
    return { data: options as z.input<typeof CreationOptions> }
  },
})

export const addPasskey = operation({
  id: 'add-passkey',
  method: 'POST',
  path: '/passkeys',
  door: 'app',
  tag,
  summary: 'Add a passkey',
  description: 'Without a name it is named after the authenticator that made it.',
  access: person(),
  body: z.object({ response: RegistrationInput, name: PasskeyName.optional() }),
  bodySize: 'long',
  output: single(Passkey),
  status: 201,
  errors: ['bad_request', 'conflict'],
  managesTransaction: true,
  async run(call) {
    const { input, principal, services } = call
    requirePasskeysWork(services.config)
    // That the person was asked who they are is part of the challenge: asking again could lose a passkey that is made already.
    const challenge = await takeChallenge(call, 'passkey.add', input.response.response.clientDataJSON)
    if (challenge === undefined) throw new AppError('bad_request', 'passkey_expired')
    const made = await verifyRegistration(input.response, { origin: services.config.origin, challenge })
    if (!made) throw new AppError('bad_request', 'passkey_refused')
    const { aaguid, ...credential } = made
    const transports = input.response.response.transports ?? []
    return services.store.transaction(async (tx) => {
      await lockPerson(tx, principal.user.id)
      const existing = await listStoredPasskeys(tx, principal.user.id)
      requireRoom(existing)
      const taken = existing.map(({ name }) => name)
      const name = input.name ?? nameOfPasskey(aaguid, taken)
      const owned = { userId: principal.user.id, name, transports, createdAt: call.now.toISOString() }
      const added = await orTaken(insertPasskey(tx, { ...credential, ...owned }), 'passkey_taken')
      const details = { passkey: added.id, name }
      await recordBy(authorOf(call), tx, 'passkey.added', { details })
      return { data: shown(added) }
    })
  },
})

export const renamePasskey = operation({
  id: 'rename-passkey',
  method: 'PATCH',
  path: '/passkeys/{id}',
  door: 'app',
  tag,
  summary: 'Rename a passkey',
  access: person(),
  params: pathId,
  body: z.object({ name: PasskeyName }),
  output: single(Passkey),
  errors: ['not_found'],
  async run({ principal, input, db }) {
    const renamed = await updatePasskeyName(db, principal.user.id, input.id, input.name)
    if (!renamed) throw notFound('Passkey')
    return { data: shown(renamed) }
  },
})

export const removePasskey = operation({
  id: 'remove-passkey',
  method: 'DELETE',
  path: '/passkeys/{id}',
  door: 'app',
  tag,
  summary: 'Remove a passkey',
  access: person(),
  confirms: true,
  params: pathId,
  output: nothing,
  status: 204,
  errors: ['not_found', 'conflict', 'forbidden'],
  async run(call) {
    const { principal, input, db, services } = call
    const name = await deletePasskey(db, principal.user.id, input.id)
    if (name === undefined) throw notFound('Passkey')
    await requireWayLeft(db, { id: principal.user.id, isOwner: principal.isOwner }, services.config)
    await recordBy(authorOf(call), db, 'passkey.removed', { details: { passkey: input.id, name } })
  },
})

export const startPasskeySignIn = operation({
  id: 'start-passkey-sign-in',
  method: 'POST',
  path: '/sign-in/passkey/options',
  door: 'app',
  tag,
  summary: 'Start signing in with a passkey',
  description: 'Returns what the browser’s `navigator.credentials.get` needs. Valid for five minutes, once.',
  access: everyone,
  output: single(RequestOptions),
  errors: ['conflict', 'too_many_requests'],
  async run(call) {
    const { services, web } = call
    requirePasskeysWork(services.config)
    await services.limits.passkey(web?.address, () => findBrowserOfAnyone(call))
    const options = await authenticationOptions(services.config.origin)
    // Who asks is not known, even in a browser that someone is signed in to.
    await keepChallenge({ ...call, principal: undefined }, 'passkey.sign-in', options.challenge)
    return { data: options as z.input<typeof RequestOptions> }
  },
})

/** Who will sign in is not known yet: the browser may be known to any person of this instance. */
async function findBrowserOfAnyone({ db, now, web }: Visit): Promise<string | undefined> {
  if (web?.browserProofs === undefined) return undefined
  for (const one of await listSecrets(db)) {
    const browser = findKnownBrowser(web.browserProofs, one, now.getTime())
    if (browser !== undefined) return browser
  }
  return undefined
}

export const signInWithPasskey = operation({
  id: 'sign-in-with-passkey',
  method: 'POST',
  path: '/sign-in/passkey',
  door: 'app',
  tag,
  summary: 'Sign in with a passkey',
  description: 'A passkey counts as both factors: no code is asked for.',
  access: everyone,
  body: z.object({
    response: AuthenticationInput,
    userId: z
      .string()
      .max(40)
      .optional()
      .describe('Whose passkey it has to be, when someone signs in again.'),
  }),
  output: nothing,
  status: 204,
  errors: ['unauthorized', 'conflict', 'too_many_requests'],
  managesTransaction: true,
  async run(call) {
    const { input, services, web } = call
    requirePasskeysWork(services.config)
    const challenge = await takeChallenge(call, 'passkey.sign-in', input.response.response.clientDataJSON)
    if (challenge === undefined) {
      // A client with a challenge of ours is never delayed; without one it could only fill the audit trail.
      services.limits.unknownPasskey(web?.address)
      await recordFailure(call, undefined)
      throw new AppError('unauthorized', 'passkey_expired')
    }
    const { holder, passkey, counter } = await proveByPasskey(call, challenge, input.response)
    if (input.userId !== undefined && input.userId !== holder.id) {
      throw new AppError('unauthorized', 'passkey_of_another')
    }
    await noteUse(call, 'unauthorized', { holder, passkey, counter }, (tx) =>
      completeSignIn({ ...call, db: tx }, holder, { way: 'passkey' }),
    )
  },
})

interface Proof {
  holder: Person
  passkey: StoredPasskey
  counter: number
}

/** Whose passkey it was; the same refusal for one that is unknown and one whose response is wrong. */
async function proveByPasskey(call: Visit, challenge: string, sent: AuthenticationJson): Promise<Proof> {
  const { db, services } = call
  const passkey = await findPasskeyByCredential(db, sent.id)
  const holder = passkey && (await findPerson(db, passkey.userId))
  // Only the authenticator says whose passkey it is.
  const isNamed = sent.response.userHandle !== undefined
  const { origin } = services.config
  const counter =
    passkey && holder && isNamed
      ? await verifyAuthentication(sent, { origin, challenge, passkey })
      : undefined
  if (passkey && holder && counter !== undefined) return { holder, passkey, counter }
  await recordFailure(call, holder)
  throw new AppError('unauthorized', 'passkey_refused')
}

const recordFailure = (visit: Visit, holder: Person | undefined): Promise<void> =>
  recordFailedSignIn(visit, holder, { way: 'passkey' })

/** Notes the use and does what it is for. A counter that did not go up shows that the key exists twice. */
async function noteUse(
  { services, now, web }: Visit,
  refusal: 'unauthorized' | 'forbidden',
  { holder, passkey, counter }: Omit<Proof, 'holder'> & { holder: NamedPerson },
  then: (tx: Executor) => Promise<unknown>,
): Promise<void> {
  const isNoted = await services.store.transaction(async (tx) => {
    const subject = { id: holder.id, username: holder.username }
    // Before the passkey: a request that removes passkeys locks in this order too.
    await lockPerson(tx, holder.id)
    if (await updatePasskeyUse(tx, passkey.id, counter, now.toISOString())) {
      await then(tx)
      return true
    }
    await recordEvent(tx, {
      kind: 'passkey.counter-went-back',
      now,
      actor: null,
      subject,
      address: web?.address,
      details: { passkey: passkey.id, name: passkey.name },
    })
    return false
  })
  if (!isNoted) throw new AppError(refusal, 'passkey_refused')
}

export const startPasskeyConfirmation = operation({
  id: 'start-passkey-confirmation',
  method: 'POST',
  path: '/confirm/passkey/options',
  door: 'app',
  tag,
  summary: 'Start confirming with a passkey that it is you',
  access: person(),
  output: single(RequestOptions),
  errors: ['conflict'],
  async run(call) {
    const { principal, db, services } = call
    requirePasskeysWork(services.config)
    const own = await listStoredPasskeys(db, principal.user.id)
    const options = await authenticationOptions(services.config.origin, own)
    await keepChallenge(call, 'passkey.confirm', options.challenge)
    return { data: options as z.input<typeof RequestOptions> }
  },
})

export const confirmWithPasskey = operation({
  id: 'confirm-with-passkey',
  method: 'POST',
  path: '/confirm/passkey',
  door: 'app',
  tag,
  summary: 'Confirm with a passkey that it is you',
  description: 'For five minutes, changes that give lasting access are then accepted.',
  access: person(),
  body: z.object({ response: AuthenticationInput }),
  bodySize: 'long',
  output: nothing,
  status: 204,
  errors: ['forbidden', 'conflict'],
  managesTransaction: true,
  async run(call) {
    const { input, principal, db, services } = call
    requirePasskeysWork(services.config)
    const challenge = await takeChallenge(call, 'passkey.confirm', input.response.response.clientDataJSON)
    if (challenge === undefined) throw new AppError('forbidden', 'passkey_expired')
    const found = await findPasskeyByCredential(db, input.response.id)
    const passkey = found?.userId === principal.user.id ? found : undefined
    const { origin } = services.config
    const counter = passkey && (await verifyAuthentication(input.response, { origin, challenge, passkey }))
    if (!passkey || counter === undefined) throw new AppError('forbidden', 'passkey_refused')
    await noteUse(call, 'forbidden', { holder: principal.user, passkey, counter }, (tx) =>
      confirmSession(tx, Number(principal.credentialId), call.now.toISOString()),
    )
  },
})
