// Signing in with the identity provider: the round trip of the browser, and which account it belongs to. An account here is
// never matched by name or address alone: a person with the same name or address first proves that the account is theirs.

import { AppError } from '../../base/errors.ts'
import { createSecret, hashSecret, secretKind } from '../../base/secret/secrets.ts'
import type { Claims } from '../../domain/access/role-rules.ts'
import {
  claimedEmail,
  displayNameFrom,
  emailFrom,
  emailIsVerified,
  labelFrom,
  numbered,
  preferredUsername,
  usernameFrom,
} from '../../domain/accounts/provider-names.ts'
import { PROVIDER_STEP_MS } from '../../domain/accounts/sign-in.ts'
import type { Services } from '../../door/services.ts'
import type { Principal } from '../../services/access/principal.ts'
import {
  type ProvenIdentity,
  type Provider,
  ProviderError,
  type ProviderProblem,
} from '../../services/accounts/provider.ts'
import { findIdentity, updateIdentityUse } from '../../store/accounts/identities.ts'
import { findOneTime, insertOneTime, takeOneTime } from '../../store/accounts/one-time.ts'
import {
  findPerson,
  findPersonByUsername,
  listPeopleWithEmail,
  lockPerson,
} from '../../store/people/people.ts'
import { type Executor, uniqueViolation } from '../../store/store.ts'
import type { NamedPerson } from '../access/authority.ts'
import { createPerson } from '../people/create.ts'
import { applyRoleRules, roleFor } from '../people/role-rules.ts'
import { confirm } from './confirm.ts'
import { type IdentityToLink, linkIdentity } from './identities.ts'
import { ID_TOKEN_SEAL } from './provider-sign-out.ts'
import {
  askForSecondFactor,
  completeSignIn,
  needsSecondFactor,
  provePassword,
  recordFailedSignIn,
  requireStillProved,
  type Visit,
} from './sign-in.ts'

/** To sign in, to link the provider's account with the person who is signed in, or to confirm who is signed in. */
export type TripPurpose = 'sign-in' | 'link' | 'confirm'

interface Trip {
  purpose: TripPurpose
  next: string
  beganAt: string
  /** The session that started the trip; null for a sign-in. */
  sessionId: number | null
  /** Encrypted. */
  checks: string
}
const TRIP_SEAL = 'provider trip'
const LINK_SEAL = 'provider link'
/** Longer tokens do not fit into the URL for signing out at the provider. */
const ID_TOKEN_AT_MOST = 6_000

const expiryAfter = (now: Date): string => new Date(now.getTime() + PROVIDER_STEP_MS).toISOString()

/** The URL to send the browser to. Throws ProviderError. */
export async function beginTrip(
  { now, web, services }: Visit,
  { purpose, next, principal }: { purpose: TripPurpose; next: string; principal: Principal | undefined },
): Promise<string> {
  const { url, checks } = await services.provider!.begin(purpose === 'confirm')
  const browser = web?.step('provider')
  // Keeps the secret of another tab's trip.
  const secret = browser && secretKind(browser) === 'step' ? browser : createSecret('step').secret
  web?.keepStep('provider', secret, PROVIDER_STEP_MS)
  const trip: Trip = {
    purpose,
    next,
    beganAt: now.toISOString(),
    sessionId: principal ? Number(principal.credentialId) : null,
    checks: services.secret.seal(TRIP_SEAL, JSON.stringify(checks)),
  }
  await services.store.transaction((tx) =>
    insertOneTime(tx, {
      purpose: 'provider',
      hash: hashSecret(checks.state),
      browser: hashSecret(secret),
      userId: principal?.user.id ?? null,
      data: trip,
      expiresAt: expiryAfter(now),
    }),
  )
  return url
}

/** Ends the trip that a response belongs to and returns it. Undefined if this browser did not start it. */
export async function takeTrip({ now, web, services }: Visit, state: string): Promise<Trip | undefined> {
  const wanted = { purpose: 'provider', hash: hashSecret(state), now: now.toISOString() } as const
  const found = await services.store.transaction((tx) => takeOneTime<Trip>(tx, wanted))
  const browser = web?.step('provider')
  return found && browser !== undefined && found.browser === hashSecret(browser) ? found.data : undefined
}

/** Encrypted with an instance secret that was replaced: the trip is over. */
function unsealed({ secret }: Pick<Services, 'secret'>, purpose: string, sealed: string): unknown {
  try {
    return JSON.parse(secret.unseal(purpose, sealed))
  } catch {
    throw new ProviderError('state')
  }
}

/** What the provider proved. Throws ProviderError. */
export async function finishTrip(
  { services }: Visit,
  trip: Trip,
  answer: URLSearchParams,
): Promise<ProvenIdentity> {
  const { provider } = services
  const checks = unsealed(services, TRIP_SEAL, trip.checks) as Parameters<Provider['finish']>[1]
  return provider!.finish(answer, checks, trip.purpose === 'confirm' ? new Date(trip.beganAt) : undefined)
}

/** Records a failed sign-in at the provider, with a one-word reason. */
export const recordFailure = (
  visit: Visit,
  reason: ProviderProblem | 'not_registered' | 'other_person' | 'taken',
  subject: NamedPerson | null = null,
): Promise<void> => recordFailedSignIn(visit, subject, { way: 'provider', reason })

function toLink({ services }: Visit, { subject, claims, session, idToken }: ProvenIdentity): IdentityToLink {
  const isShort = idToken.length <= ID_TOKEN_AT_MOST
  return {
    issuer: services.provider!.issuer,
    subject,
    label: labelFrom(claims, subject),
    session,
    idToken: isShort ? services.secret.seal(ID_TOKEN_SEAL, idToken) : null,
  }
}

type Arrival = 'signed in' | 'prove the account' | 'not registered'

/** Signs in the provider's person. Registers an unknown one, unless an account here has the same name or address. */
export async function arrive(visit: Visit, proven: ProvenIdentity, next: string): Promise<Arrival> {
  const { services } = visit
  const link = toLink(visit, proven)
  return repeatedIfTaken(() =>
    services.store.transaction(async (tx): Promise<Arrival> => {
      const inside = { ...visit, db: tx }
      if (await signInLinked(inside, link, proven.claims)) return 'signed in'
      const twin = await findTwin(inside, proven.claims)
      if (twin) {
        await askForProof(inside, { link, claims: proven.claims, next, ...twin })
        return 'prove the account'
      }
      if (!services.config.oidc!.register) return 'not registered'
      await register(inside, link, proven.claims)
      return 'signed in'
    }),
  )
}

/** Two tabs may arrive concurrently: on its second run, the loser finds what the winner wrote. */
async function repeatedIfTaken<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let left = 2; ; left--) {
    try {
      return await run()
    } catch (error) {
      const isTaken =
        uniqueViolation(error) !== undefined ||
        (error instanceof AppError && error.problem.reason === 'identity_taken')
      if (!isTaken || left === 0) throw error
    }
  }
}

const authorOf = ({ now, web }: Visit) => ({ now, address: web?.address })

async function signInLinked(visit: Visit, link: IdentityToLink, claims: Claims): Promise<boolean> {
  const { db, now } = visit
  const identity = await findIdentity(db, link)
  const person = identity && (await findPerson(db, { id: identity.userId }))
  if (!identity || !person) return false
  // Locked before the identity: a request that unlinks it uses the same order.
  await lockPerson(db, person.id)
  await updateIdentityUse(db, { id: identity.id, label: link.label, now: now.toISOString() })
  await begin(visit, person, { ...link, identityId: identity.id }, claims, provedThereAt(claims, now))
  return true
}

/**
 * A provider may vouch for someone who signed in there long ago without prompting them, which proves nothing about
 * who is at the screen now. A provider that does not send the time is believed.
 */
function provedThereAt(claims: Claims, now: Date): Date {
  const at = claims['auth_time']
  return typeof at === 'number' && at * 1000 < now.getTime() ? new Date(at * 1000) : now
}

async function begin(
  visit: Visit,
  person: NamedPerson,
  { identityId, session, idToken }: { identityId: number; session: string | null; idToken: string | null },
  claims: Claims,
  provedAt = visit.now,
): Promise<void> {
  await applyRoleRules(visit.db, visit.services.config, person.id, claims, authorOf(visit))
  await completeSignIn(visit, person, {
    way: 'provider',
    provider: { identityId, session, idToken },
    provedAt,
  })
}

async function register(visit: Visit, link: IdentityToLink, claims: Claims): Promise<void> {
  const { db, services } = visit
  const username = await freeUsername(db, usernameFrom(claims))
  const account = {
    username,
    displayName: displayNameFrom(claims, username),
    passwordHash: null,
    role: await roleFor(db, services.config, claims),
    roleByHand: false,
    email: emailFrom(claims),
    emailVerified: emailIsVerified(claims),
  }
  const person = await createPerson(db, account, authorOf(visit))
  const provider = await linkIdentity(db, person, link, authorOf(visit))
  await begin(visit, person, provider, claims)
}

async function freeUsername(db: Executor, wanted: string): Promise<string> {
  for (let number = 1; ; number++) {
    const username = numbered(wanted, number)
    if (!(await findPersonByUsername(db, username))) return username
  }
}

// An account here has the same name or address

interface Twin {
  /** The matching user name; empty if only the address matches, because that must not reveal a user name. */
  username: string
  /** The only person with that address: the form neither asks for a user name nor shows one. */
  userId: string | null
  /** Whether a password can prove that the account belongs to the person. */
  hasPassword: boolean
}

async function findTwin({ db }: Visit, claims: Claims): Promise<Twin | undefined> {
  const username = preferredUsername(claims)
  const named = username === '' ? undefined : await findPersonByUsername(db, username)
  if (named)
    return {
      username: named.username,
      userId: null,
      hasPassword: named.passwordHash !== null,
    }
  const email = claimedEmail(claims)
  const people = email === null ? [] : await listPeopleWithEmail(db, email)
  if (people.length === 0) return undefined
  const hasPassword = people.some((each) => each.passwordHash !== null)
  return { username: '', userId: people.length === 1 ? people[0]!.id : null, hasPassword }
}

interface LinkStep extends Twin {
  next: string
  /** Encrypted: the identity and the provider's claims. */
  proven: string
}

async function askForProof(
  { db, now, web, services }: Visit,
  { link, claims, ...twin }: Twin & { link: IdentityToLink; claims: Claims; next: string },
): Promise<void> {
  const { secret, hash } = createSecret('step')
  const proven = services.secret.seal(LINK_SEAL, JSON.stringify({ link, claims }))
  const data: LinkStep = { ...twin, proven }
  await insertOneTime(db, {
    purpose: 'link',
    hash,
    browser: null,
    userId: null,
    data,
    expiresAt: expiryAfter(now),
  })
  web?.keepStep('link', secret, PROVIDER_STEP_MS)
}

const wantedLink = ({ now, web }: Visit) =>
  ({ purpose: 'link', hash: hashSecret(web?.step('link') ?? ''), now: now.toISOString() }) as const

/** The link step that is open in this browser. */
export const findLinkStep = async (visit: Visit): Promise<LinkStep | undefined> =>
  (await findOneTime<LinkStep>(visit.db, wantedLink(visit)))?.data

/** Ends the link step and returns its encrypted content. Throws ProviderError if it is over. */
async function takeLinkStep(visit: Visit): Promise<string> {
  const taken = await takeOneTime<LinkStep>(visit.db, wantedLink(visit))
  if (!taken) throw new ProviderError('state')
  visit.web?.keepStep('link')
  return taken.data.proven
}

const opened = ({ services }: Visit, proven: string) =>
  unsealed(services, LINK_SEAL, proven) as { link: IdentityToLink; claims: Claims }

/** Links the identity with the account that the password proves. A second factor is required too. */
export async function proveAndLink(
  visit: Visit,
  given: { username: string; password: string },
): Promise<'signed in' | 'second factor'> {
  const step = await findLinkStep(visit)
  if (!step) throw new ProviderError('state')
  const username = step.userId === null ? given.username : await usernameOf(visit, step.userId)
  const person = await provePassword(visit, { username, password: given.password }, true)
  return visit.services.store.transaction(async (tx) => {
    const inside = { ...visit, db: tx }
    await requireStillProved(tx, person)
    const proven = await takeLinkStep(inside)
    if (await needsSecondFactor(inside, person)) {
      await askForSecondFactor(inside, person, { proven })
      return 'second factor'
    }
    await linkAndSignIn(inside, person, proven)
    return 'signed in'
  })
}

async function usernameOf({ db }: Visit, id: string): Promise<string> {
  const found = await findPerson(db, { id })
  if (!found) throw new ProviderError('state')
  return found.username
}

/** Both sides have been proved; `proven` is the encrypted content of the link step. Throws ProviderError. */
export async function linkAndSignIn(visit: Visit, person: NamedPerson, proven: string): Promise<void> {
  const { link, claims } = opened(visit, proven)
  const provider = await linkIdentity(visit.db, person, link, authorOf(visit))
  await begin(visit, person, provider, claims)
}

/** The account with the same name belongs to another person, so a new one is registered. */
export const registerSeparately = (visit: Visit): Promise<void> =>
  repeatedIfTaken(() =>
    visit.services.store.transaction(async (tx) => {
      const inside = { ...visit, db: tx }
      const { link, claims } = opened(inside, await takeLinkStep(inside))
      if (!visit.services.config.oidc?.register) throw new ProviderError('refused')
      await register(inside, link, claims)
    }),
  )

// Someone is signed in already

/** Links the identity with the account that started the trip. */
export async function linkToPrincipal(
  visit: Visit,
  principal: Principal,
  proven: ProvenIdentity,
): Promise<'linked' | 'taken'> {
  const link = toLink(visit, proven)
  const { store } = visit.services
  const known = await findIdentity(store.read, link)
  if (known) return known.userId === principal.user.id ? 'linked' : 'taken'
  await store.transaction((tx) => linkIdentity(tx, principal.user, link, authorOf(visit)))
  return 'linked'
}

/** Whether the provider proved that the same person is still here. */
export async function confirmPrincipal(
  visit: Visit,
  principal: Principal,
  { subject }: ProvenIdentity,
): Promise<boolean> {
  const { store, provider } = visit.services
  const known = await findIdentity(store.read, { issuer: provider!.issuer, subject })
  if (known?.userId !== principal.user.id) return false
  await confirm({ ...visit, principal })
  return true
}
