// Rate limits. Those for passwords and codes are shared by all processes (tries.ts), the others are in memory. A refused
// request does not count, no entry is dropped before it expires, and other people's attempts never delay a person in a
// browser where they have signed in before.
import type { Clock } from '../../base/clock.ts'
import { AppError } from '../../base/errors.ts'
import { problem } from '../../domain/reasons.ts'
import { MINUTE, SECOND } from '../../domain/time/durations.ts'
import type { Store } from '../../store/store.ts'
import { createExpiringMap } from './expiring-map.ts'
import { type Attempt, codesAllowed, createTries, triesAllowed, type Wait } from './tries.ts'

/** Each rule keeps at most this many addresses, names, browsers or credentials. */
const ENTRIES_AT_MOST = 10_000
/** The wait for an unknown client while a rule has no room for another entry. */
const WAIT_FOR_ROOM_MS = MINUTE

/**
 * Who tries a password: an unknown client, by its address and the name; or a browser or session where the person has signed in
 * before, by its id. While there is no room for the id, a key that exists once per account is used.
 */
export type Guesser =
  | { known: string; whenFull: string }
  | { known?: undefined; address: string | undefined; username: string }

/** A browser or session of a person. */
export const knownGuesser = (known: string, userId: string): Guesser => ({
  known,
  whenFull: `account ${userId}`,
})

interface TakenTry {
  giveBack(): Promise<void>
}

export interface Limits {
  /** Throws if this guesser has to wait. Cheap, and does not count as a try. */
  requireMayTry(guesser: Guesser): Promise<void>
  /** Takes one try, or throws. It is spent only by a wrong password: in every other case it is given back. */
  takeTry(guesser: Guesser): Promise<TakenTry>
  /**
   * The same for a code of the second factor. It also counts for the account, whatever the browser, because the sender has the
   * password.
   */
  takeCodeTry(userId: string, guesser: Guesser): Promise<TakenTry>
  /** Throws if a credential calls tools faster than a person could follow. */
  toolCall(credentialId: number | string): void
  /** Counts a call of an OAuth endpoint; whole seconds to wait, or 0. Without an address there is no limit. */
  oauth(endpoint: string, address: string | undefined, perMinute: number): number
  /** Counts a read of a feed. */
  feed(feedId: number): Allowance
  /** Counts a request for a feed that does not exist, or throws. Without an address there is no limit. */
  unknownFeed(address: string | undefined): void
  /** Counts an invitation or a reset link that does not exist, or throws. Without an address there is no limit. */
  unknownLink(address: string | undefined): void
  /** Counts a request for a mail to set a new password, or throws. Without an address there is no limit. */
  resetMail(address: string | undefined): void
  /** Counts a connection or an unknown recipient of an address, or a mail to a person; whole seconds to wait, or 0. */
  mail(what: keyof typeof mailPerMinute, who: string): number
  /**
   * Counts a passkey challenge for someone who is not signed in, or throws. A known browser has its own count; `findBrowser`
   * returns its id and is called only if the address has to wait. Without an address there is no limit.
   */
  passkey(address: string | undefined, findBrowser: () => Promise<string | undefined>): Promise<void>
  /** Counts a response to a challenge that does not exist, or throws. Without an address there is no limit. */
  unknownPasskey(address: string | undefined): void
  /** Counts a connection to a host that a person entered, or throws: this server must not be usable as a port scanner. */
  reach(userId: string): void
}

const mailPerMinute = { connection: 60, 'unknown-recipient': 10, person: 30 } as const

/** The rest of a limit. */
export interface Allowance {
  /** Per minute. */
  limit: number
  remaining: number
  /** Whole seconds until it starts again. */
  resetSeconds: number
  /** Whole seconds to wait, or 0. */
  waitSeconds: number
}

const TOOL_CALLS_PER_CREDENTIAL = 600
const READS_PER_FEED = 30
const HOSTS_PER_PERSON = 30
const UNKNOWN_FEEDS_PER_ADDRESS = 60
/** Challenges are stored, and every visit of the sign-in page requests one. Known browsers have their own count. */
const PASSKEYS_PER_ADDRESS = 60
const UNKNOWN_PASSKEYS_PER_ADDRESS = 60
const UNKNOWN_LINKS_PER_ADDRESS = 20
const RESET_MAILS_PER_ADDRESS = 5

/** Called when a limit is reached, at most once a minute for each caller and limit. */
type OnReached = (limit: string, address: string | undefined) => void

interface LimitParts {
  clock: Clock
  /** Stores the tries of passwords and codes. */
  store: Store
  onReached: OnReached
  entriesAtMost?: number | undefined
}

export function createLimits({
  clock,
  store,
  onReached,
  entriesAtMost = ENTRIES_AT_MOST,
}: LimitParts): Limits {
  const tries = createTries(store, entriesAtMost)
  const tools = createCounter(entriesAtMost)
  const endpoints = new Map<string, Counter>()
  const feeds = createCounter(entriesAtMost)
  const unknownFeeds = createCounter(entriesAtMost)
  const unknownLinks = createCounter(entriesAtMost)
  const resetMails = createCounter(entriesAtMost)
  const reached = createCounter(entriesAtMost)
  const passkeys = createCounter(entriesAtMost)
  const unknownPasskeys = createCounter(entriesAtMost)
  const mails = {
    connection: createCounter(entriesAtMost),
    'unknown-recipient': createCounter(entriesAtMost),
    person: createCounter(entriesAtMost),
  }

  const reported = createExpiringMap<number>(entriesAtMost, (until, now) => until <= now)

  /** Returns the wait, and reports it if there is one. */
  function report(wait: number, limit: string, who: string, address?: string): number {
    const [now, key] = [clock.now(), `${limit} ${who}`]
    if (wait > 0 && reported.get(key, now) === undefined && reported.hasRoomFor(key, now)) {
      reported.set(key, now + MINUTE)
      onReached(limit, address)
    }
    return wait
  }

  /** Reports a wait and throws. */
  function refuseFor({ ms, rule }: Wait, guesser: Guesser, userId?: string): never {
    const isCode = rule === 'code'
    const address = guesser.known === undefined ? guesser.address : undefined
    const who = isCode ? `code ${userId}` : (guesser.known ?? address ?? '')
    report(ms, 'sign-in', who, isCode ? undefined : address)
    throw tooMany('too_many_attempts', seconds(ms), isCode ? codeQuotas : signInQuotas)
  }

  async function take(guesser: Guesser, attempts: readonly Attempt[], userId?: string): Promise<TakenTry> {
    const taken = await tries.take(attempts, clock.now())
    return 'giveBack' in taken ? taken : refuseFor(taken, guesser, userId)
  }

  /** Counts an action that unknown clients at an address may do a few times a minute, or throws. */
  function countAttempt(counter: Counter, name: string, perMinute: number, address: string | undefined) {
    if (address === undefined) return
    const now = clock.now()
    const wait = roomIn(counter, address, now) || counter.hit(address, perMinute, now)
    const quotas = [{ name: `${name}s`, count: perMinute, ms: MINUTE }]
    requireNoWait(report(wait, name, address, address), 'too_many_attempts', quotas)
  }

  return {
    async requireMayTry(guesser) {
      const wait = await tries.wait(attemptsOf(guesser), clock.now())
      if (wait) refuseFor(wait, guesser)
    },
    takeTry: (guesser) => take(guesser, attemptsOf(guesser)),
    takeCodeTry(userId, guesser) {
      const ofAccount: Attempt = { rule: 'code', who: userId }
      return take(guesser, [ofAccount, ...attemptsOf(guesser)], userId)
    },
    toolCall(credentialId) {
      const who = String(credentialId)
      const now = clock.now()
      // The credential is valid: while there is no room its calls are allowed, uncounted.
      if (!tools.hasRoomFor(who, now)) return
      const wait = tools.hit(who, TOOL_CALLS_PER_CREDENTIAL, now)
      requireNoWait(report(wait, 'tool-calls', who), 'too_many_calls', toolQuotas)
    },
    oauth(endpoint, address, perMinute) {
      if (address === undefined) return 0
      const now = clock.now()
      const counter = endpoints.get(endpoint) ?? createCounter(entriesAtMost)
      endpoints.set(endpoint, counter)
      const wait = roomIn(counter, address, now) || counter.hit(address, perMinute, now)
      return seconds(report(wait, `oauth.${endpoint}`, address, address))
    },
    feed(feedId) {
      const [who, now] = [String(feedId), clock.now()]
      // The feed exists: while there is no room its reads are allowed, uncounted.
      const wait = feeds.hasRoomFor(who, now) ? feeds.hit(who, READS_PER_FEED, now) : 0
      const { count, endsAt } = feeds.window(who, now)
      return {
        limit: READS_PER_FEED,
        remaining: READS_PER_FEED - count,
        resetSeconds: seconds(endsAt - now),
        waitSeconds: seconds(report(wait, 'feed', who)),
      }
    },
    mail(what, who) {
      const now = clock.now()
      const wait = roomIn(mails[what], who, now) || mails[what].hit(who, mailPerMinute[what], now)
      return seconds(report(wait, `mail.${what}`, who, what === 'person' ? undefined : who))
    },
    reach(userId) {
      const now = clock.now()
      const wait = roomIn(reached, userId, now) || reached.hit(userId, HOSTS_PER_PERSON, now)
      const quotas = [{ name: 'named-hosts', count: HOSTS_PER_PERSON, ms: MINUTE }]
      requireNoWait(report(wait, 'named-hosts', userId), 'too_many_attempts', quotas)
    },
    async passkey(address, findBrowser) {
      if (address === undefined) return
      const now = clock.now()
      let wait = roomIn(passkeys, address, now) || passkeys.hit(address, PASSKEYS_PER_ADDRESS, now)
      const browser = wait > 0 ? await findBrowser() : undefined
      if (browser !== undefined) {
        const who = `browser ${browser}`
        wait = passkeys.hasRoomFor(who, now) ? passkeys.hit(who, PASSKEYS_PER_ADDRESS, now) : 0
      }
      const quotas = [{ name: 'passkeys', count: PASSKEYS_PER_ADDRESS, ms: MINUTE }]
      requireNoWait(report(wait, 'passkeys', address, address), 'too_many_attempts', quotas)
    },
    unknownFeed: (address) => countAttempt(unknownFeeds, 'unknown-feed', UNKNOWN_FEEDS_PER_ADDRESS, address),
    unknownPasskey: (address) =>
      countAttempt(unknownPasskeys, 'unknown-passkey', UNKNOWN_PASSKEYS_PER_ADDRESS, address),
    unknownLink: (address) => countAttempt(unknownLinks, 'unknown-link', UNKNOWN_LINKS_PER_ADDRESS, address),
    resetMail: (address) => countAttempt(resetMails, 'reset-mail', RESET_MAILS_PER_ADDRESS, address),
  }
}

/** Unknown clients count by their address and by the name that they try. */
function attemptsOf(guesser: Guesser): Attempt[] {
  if (guesser.known !== undefined) return [{ rule: 'known', who: guesser.known, whenFull: guesser.whenFull }]
  const { address, username } = guesser
  const ofName: Attempt = { rule: 'name', who: fold(username), address }
  return address === undefined ? [ofName] : [ofName, { rule: 'address', who: address }]
}

/** Folds usernames as the store does. */
const fold = (username: string) => username.toLowerCase()

const seconds = (ms: number): number => Math.ceil(ms / SECOND)

const roomIn = (rule: { hasRoomFor(who: string, now: number): boolean }, who: string, now: number): number =>
  rule.hasRoomFor(who, now) ? 0 : WAIT_FOR_ROOM_MS

// Calls in fixed windows of a minute

interface Counter {
  hasRoomFor(who: string, now: number): boolean
  /** Counts a call; milliseconds to wait if it is one too many, else 0. */
  hit(who: string, limit: number, now: number): number
  /** The calls of the current minute. */
  window(who: string, now: number): { endsAt: number; count: number }
}

function createCounter(entriesAtMost: number): Counter {
  const windows = createExpiringMap<{ endsAt: number; count: number }>(
    entriesAtMost,
    ({ endsAt }, now) => endsAt <= now || endsAt > now + MINUTE,
  )
  const current = (who: string, now: number) => windows.get(who, now) ?? { endsAt: now + MINUTE, count: 0 }
  return {
    hasRoomFor: windows.hasRoomFor,
    window: current,
    hit(who, limit, now) {
      const window = current(who, now)
      if (window.count >= limit) return window.endsAt - now
      window.count++
      windows.set(who, window)
      return 0
    },
  }
}

/** How many requests a rule allows within a time. */
interface Quota {
  name: string
  count: number
  ms: number
}

const signInQuotas: readonly Quota[] = triesAllowed.map((rule) => ({ name: 'sign-in', ...rule }))
const codeQuotas: readonly Quota[] = codesAllowed.map((rule) => ({ name: 'sign-in', ...rule }))
const toolQuotas: readonly Quota[] = [{ name: 'tool-calls', count: TOOL_CALLS_PER_CREDENTIAL, ms: MINUTE }]

/** The remaining allowance, as headers of draft-ietf-httpapi-ratelimit-headers. */
export const quotaHeaders = (
  quotas: readonly Quota[],
  remaining: number,
  inSeconds: number,
): Record<string, string> => ({
  'ratelimit-policy': quotas.map(({ name, count, ms }) => `"${name}";q=${count};w=${ms / SECOND}`).join(', '),
  ratelimit: `"${quotas[0]!.name}";r=${remaining};t=${inSeconds}`,
})

function requireNoWait(ms: number, what: WaitReason, quotas: readonly Quota[]): void {
  if (ms > 0) throw tooMany(what, seconds(ms), quotas)
}

type WaitReason = 'too_many_attempts' | 'too_many_calls' | 'too_many_at_once' | 'too_many_pictures'

/** The error for every wait, with the same number of seconds in `Retry-After`. */
export const tooMany = (reason: WaitReason, inSeconds: number, quotas: readonly Quota[] = []): AppError =>
  new AppError('too_many_requests', problem(reason, { seconds: inSeconds }), {
    headers: {
      'retry-after': String(inSeconds),
      ...(quotas.length > 0 ? quotaHeaders(quotas, 0, inSeconds) : {}),
    },
  })
