// Passkeys: adding and removing them, signing in with one, and confirming with one. Each ceremony takes two requests:
// the first one stores a challenge and the second uses it up. Both must have the same purpose, and the same person
// and session if there is one.
import * as z from 'zod'
import type { Config } from '../../base/config.ts'
import { AppError, notFound } from '../../base/errors.ts'
import { hashSecret } from '../../base/secret/secrets.ts'
import { nameOfPasskey } from '../../domain/accounts/authenticators.ts'
import { PASSKEY_CHALLENGE_MS, PASSKEYS_AT_MOST } from '../../domain/accounts/sign-in.ts'
import { problem } from '../../domain/reasons.ts'
import { type Call, everyone, operation, person, takes } from '../../door/operation.ts'
import { findKnownBrowser } from '../../services/accounts/known-browsers.ts'
import {
  type AuthenticationJson,
  authenticationOptions,
  claimedChallenge,
  registrationOptions,
  verifyAuthentication,
  verifyRegistration,
} from '../../services/accounts/passkeys.ts'
import { recordEvent } from '../../store/access/audit.ts'
import { insertOneTime, takeOneTime } from '../../store/accounts/one-time.ts'
import {
  deletePasskey,
  findPasskeyByCredential,
  insertPasskey,
  listPasskeys as listStoredPasskeys,
  type Passkey as StoredPasskey,
  updatePasskeyName,
  updatePasskeyUse,
} from '../../store/accounts/passkeys.ts'
import { confirmSession } from '../../store/accounts/sessions.ts'
import { findPerson, listSecrets, lockPerson, type Person } from '../../store/people/people.ts'
import type { Executor } from '../../store/store.ts'
import { authorOf, type NamedPerson, orTaken, recordBy } from '../access/authority.ts'
import { list, nothing, onePage, pathId, single } from '../wire/schemas.ts'
import {
  AuthenticationInput,
  CreationOptions,
  Passkey,
  PasskeyName,
  RegistrationInput,
  RequestOptions,
} from './passkey-schema.ts'
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
    return onePage((await listStoredPasskeys(db, { userId: principal.user.id })).map(shown))
  },
})

/** Browsers offer passkeys only on https and localhost, and never for an IP address. */
function requirePasskeysWork(config: Config): void {
  if (!passkeysWork(config)) throw new AppError('conflict', 'passkeys_unavailable')
}

function requireRoom(passkeys: readonly unknown[]): void {
  if (passkeys.length < PASSKEYS_AT_MOST) return
  throw new AppError('conflict', problem('too_many_passkeys', { max: PASSKEYS_AT_MOST }))
}

type Purpose = 'passkey.add' | 'passkey.sign-in' | 'passkey.confirm'
type Visit = PlainVisit & { principal: Call['principal'] | undefined }

/** Stores the challenge until its response arrives. */
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

/** Uses up the challenge of a response, if it is open and was issued for this purpose and session (if any). */
async function takeChallenge(
  { now, principal, services }: Visit,
  purpose: Purpose,
  clientDataJson: string,
): Promise<string | undefined> {
  const challenge = claimedChallenge(clientDataJson)
  if (challenge === undefined) return undefined
  const wanted = { purpose, hash: hashSecret(challenge), now: now.toISOString() }
  // In a separate transaction: the challenge is used up even if the response is wrong.
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
    const existing = await listStoredPasskeys(db, { userId: principal.user.id })
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
  body: takes(z.object({ response: RegistrationInput, name: PasskeyName.optional() }), { size: 'long' }),
  output: single(Passkey),
  status: 201,
  errors: ['bad_request', 'conflict'],
  transaction: 'own',
  async run(call) {
    const { input, principal, services } = call
    requirePasskeysWork(services.config)
    // The challenge was issued after a confirmation. Requiring another could lose a passkey that already exists.
    const challenge = await takeChallenge(call, 'passkey.add', input.response.response.clientDataJSON)
    if (challenge === undefined) throw new AppError('bad_request', 'passkey_expired')
    const made = await verifyRegistration(input.response, { origin: services.config.origin, challenge })
    if (!made) throw new AppError('bad_request', 'passkey_refused')
    const { aaguid, ...credential } = made
    const transports = input.response.response.transports ?? []
    return services.store.transaction(async (tx) => {
      await lockPerson(tx, principal.user.id)
      const existing = await listStoredPasskeys(tx, { userId: principal.user.id })
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
  body: takes(z.object({ name: PasskeyName })),
  output: single(Passkey),
  errors: ['not_found'],
  async run({ principal, input, db }) {
    const renamed = await updatePasskeyName(db, { userId: principal.user.id, id: input.id, name: input.name })
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
    const name = await deletePasskey(db, { userId: principal.user.id, id: input.id })
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
    // Anonymous, even in a browser that someone is signed in to.
    await keepChallenge({ ...call, principal: undefined }, 'passkey.sign-in', options.challenge)
    return { data: options as z.input<typeof RequestOptions> }
  },
})

/** The person is not known yet, so the browser may be known to anyone on this instance. */
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
  body: takes(
    z.object({
      response: AuthenticationInput,
      userId: z
        .string()
        .max(40)
        .optional()
        .describe('Whose passkey it has to be, when someone signs in again.'),
    }),
  ),
  output: nothing,
  status: 204,
  errors: ['unauthorized', 'conflict', 'too_many_requests'],
  transaction: 'own',
  async run(call) {
    const { input, services, web } = call
    requirePasskeysWork(services.config)
    const challenge = await takeChallenge(call, 'passkey.sign-in', input.response.response.clientDataJSON)
    if (challenge === undefined) {
      // A client with one of our challenges is never delayed; without one, it could only fill the audit trail.
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

/** The owner of the passkey. The error is the same for an unknown passkey and for a wrong response. */
async function proveByPasskey(call: Visit, challenge: string, sent: AuthenticationJson): Promise<Proof> {
  const { db, services } = call
  const passkey = await findPasskeyByCredential(db, { credentialId: sent.id })
  const holder = passkey && (await findPerson(db, { id: passkey.userId }))
  // Only the authenticator's response names the owner.
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

/** Records the use and runs what it is for. A counter that did not increase means that the key was copied. */
async function noteUse(
  { services, now, web }: Visit,
  refusal: 'unauthorized' | 'forbidden',
  { holder, passkey, counter }: Omit<Proof, 'holder'> & { holder: NamedPerson },
  then: (tx: Executor) => Promise<unknown>,
): Promise<void> {
  const isNoted = await services.store.transaction(async (tx) => {
    const subject = { id: holder.id, username: holder.username }
    // Locked before the passkey: a request that removes passkeys uses the same order.
    await lockPerson(tx, holder.id)
    if (await updatePasskeyUse(tx, { id: passkey.id, counter, now: now.toISOString() })) {
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
    const own = await listStoredPasskeys(db, { userId: principal.user.id })
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
  body: takes(z.object({ response: AuthenticationInput }), { size: 'long' }),
  output: nothing,
  status: 204,
  errors: ['forbidden', 'conflict'],
  transaction: 'own',
  async run(call) {
    const { input, principal, db, services } = call
    requirePasskeysWork(services.config)
    const challenge = await takeChallenge(call, 'passkey.confirm', input.response.response.clientDataJSON)
    if (challenge === undefined) throw new AppError('forbidden', 'passkey_expired')
    const found = await findPasskeyByCredential(db, { credentialId: input.response.id })
    const passkey = found?.userId === principal.user.id ? found : undefined
    const { origin } = services.config
    const counter = passkey && (await verifyAuthentication(input.response, { origin, challenge, passkey }))
    if (!passkey || counter === undefined) throw new AppError('forbidden', 'passkey_refused')
    await noteUse(call, 'forbidden', { holder: principal.user, passkey, counter }, (tx) =>
      confirmSession(tx, { id: Number(principal.credentialId), now: call.now.toISOString() }),
    )
  },
})
