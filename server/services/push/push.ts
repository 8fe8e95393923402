// Sends one message to one device. People choose push services, so requests go only to checked addresses; a connection to such
// an address is kept for a minute. The endpoint is a secret: neither it nor the response is logged.
import http from 'node:http'
import https from 'node:https'
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../base/clock.ts'
import type { Config } from '../../base/config.ts'
import {
  connectTo,
  createResolve,
  isLoopbackHost,
  isRefusedLiteral,
  type OutboundRules,
  type Resolve,
  requireAddress,
  rulesFor,
} from '../../base/network/outbound.ts'
import { errorOf, type PostError, post } from '../../base/network/post.ts'
import type { InstanceSecret } from '../../base/secret/instance-secret.ts'
import { pauseMs } from '../../domain/entry/lookup.ts'
import type { Urgency } from '../../domain/push/notifications.ts'
import { HOUR, MINUTE, SECOND } from '../../domain/time/durations.ts'
import type { Executor } from '../../store/engine/engine.ts'
import type { Subscription } from '../../store/push/subscriptions.ts'
import { unsealOrNot } from '../intake/reach.ts'
import { encryptMessage, type PushKeys, type ShownMessage } from './message.ts'
import { createVapid } from './vapid.ts'

const REQUEST_MS = 10 * SECOND
const RESOLVE_MS = 5 * SECOND
const CONNECTION_KEPT_MS = MINUTE
const HOSTS_KEPT = 200
const TOPIC_CHARACTERS = 24

interface PushMessage {
  shown: ShownMessage
  urgency: Urgency
  expiresAt: number
}

/** Why no request was made, or why it got no response. `push_unavailable`: the keys of this instance cannot be opened. */
export const pushProblems = [
  'address_refused',
  'name_not_found',
  'no_connection',
  'certificate_invalid',
  'timeout',
  'connection_broken',
  'push_unavailable',
  'keys_unreadable',
] as const satisfies readonly (PostError | string)[]
type PushProblem = (typeof pushProblems)[number]

export interface PushResult {
  status: number | null
  problem: PushProblem | null
  /** The pause that the response asks for; null if it states none. */
  retryAfterMs: number | null
}

export interface Push {
  /** The public key for browsers; makes the pair if there is none. */
  publicKey(tx: Executor): Promise<string>
  /** Throws only if aborted, never because of the push service. */
  send(
    db: Executor,
    subscription: Pick<Subscription, 'id' | 'userId' | 'endpoint' | 'keys'>,
    message: PushMessage,
    signal?: AbortSignal,
  ): Promise<PushResult>
  /** Closes idle connections. */
  stop(): void
}

interface PushParts {
  config: Pick<Config, 'host' | 'origin' | 'pushPrivateAddresses' | 'smtp'>
  secret: InstanceSecret
  clock: Clock
  version: string
  /** Tests use their own names and shorter limits. */
  resolve?: Resolve | undefined
  timeoutMs?: number | undefined
}

type PushConfig = Pick<Config, 'host' | 'origin' | 'pushPrivateAddresses'>
const pushRules = (config: PushConfig): OutboundRules => rulesFor(config, config.pushPrivateAddresses)

/** Whether this instance would send to an address: https, or http to this machine or, if permitted, a private one. */
export function mayBeEndpoint(text: string, config: PushConfig): boolean {
  const rules = pushRules(config)
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || url.username || url.password || text.includes('#')) return false
  const mayBePlain = rules.privateAddresses || (rules.loopback && isLoopbackHost(url.hostname))
  const isSecure = url.protocol === 'https:' || (url.protocol === 'http:' && mayBePlain)
  return isSecure && !isRefusedLiteral(url, rules)
}

export const sealPurpose = (userId: string): string => `push of ${userId}`

const failed = (problem: PushProblem): PushResult => ({ status: null, problem, retryAfterMs: null })

export function createPush({
  config,
  secret,
  clock,
  version,
  resolve,
  timeoutMs = REQUEST_MS,
}: PushParts): Push {
  const subject = config.origin.startsWith('https:')
    ? config.origin
    : `mailto:${config.smtp?.from ?? `contrail@${new URL(config.origin).hostname}`}`
  const vapid = createVapid({ secret, clock, subject })
  const rules = pushRules(config)
  const oneByOne = createPace()
  const connections = createConnections(rules, resolve ?? createResolve(Math.min(RESOLVE_MS, timeoutMs)))

  return {
    publicKey: vapid.prepare,
    async send(db, subscription, { shown, urgency, expiresAt }, signal = new AbortController().signal) {
      const authorization = await vapid.authorization(db)
      if (!authorization) return failed('push_unavailable')
      const opened = openSubscription(secret, subscription)
      if (!opened) return failed('keys_unreadable')
      const url = new URL(opened.endpoint)
      const tooLate = AbortSignal.timeout(timeoutMs)
      try {
        const body = await oneByOne(() => encryptMessage(shown, opened.keys))
        const headers = {
          authorization: await authorization(url),
          'content-type': 'application/notification+json',
          'content-encoding': 'aes128gcm',
          'content-length': String(body.length),
          ttl: String(Math.max(0, Math.round((expiresAt - clock.now()) / SECOND))),
          urgency,
          topic: secret.mac('push topic', `${subscription.id} ${shown.tag}`).slice(0, TOPIC_CHARACTERS),
          'user-agent': `Contrail/${version}`,
        }
        const connection = await connections.to(url)
        const { status, retryAfter } = await post(
          url,
          connection,
          headers,
          body,
          AbortSignal.any([tooLate, signal]),
        )
        return {
          status,
          problem: null,
          retryAfterMs: retryAfter === undefined ? null : Math.min(HOUR, pauseMs(retryAfter, clock.now())),
        }
      } catch (error) {
        signal.throwIfAborted()
        return failed(tooLate.aborted ? 'timeout' : errorOf(error))
      }
    },
    stop: connections.close,
  }
}

/** Undefined if it was sealed with another instance secret. */
function openSubscription(
  secret: InstanceSecret,
  { userId, endpoint, keys }: Pick<Subscription, 'userId' | 'endpoint' | 'keys'>,
): { endpoint: string; keys: PushKeys } | undefined {
  const [opened, openedKeys] = [endpoint, keys].map((text) => unsealOrNot(secret, sealPurpose(userId), text))
  if (opened === undefined || openedKeys === undefined) return undefined
  return { endpoint: opened, keys: JSON.parse(openedKeys) as PushKeys }
}

/** Runs work that takes a millisecond of CPU, and lets the event loop turn in between. */
function createPace() {
  let last: Promise<unknown> = Promise.resolve()
  return <Result>(work: () => Result): Promise<Result> => {
    const turn = last.then(async () => {
      await setImmediate()
      return work()
    })
    last = turn.catch(() => {})
    return turn
  }
}

interface Connection {
  agent: http.Agent
  until: number
}

/** Agents whose sockets lead to a checked address. The name is resolved and checked again after a minute. */
function createConnections(rules: OutboundRules, resolve: Resolve) {
  const kept = new Map<string, Promise<Connection>>()

  async function open(url: URL): Promise<Connection> {
    const address = await requireAddress(url, rules, resolve)
    const { lookup } = connectTo(address)
    const options = { keepAlive: true, maxSockets: 64, timeout: CONNECTION_KEPT_MS, lookup }
    const agent = url.protocol === 'https:' ? new https.Agent(options) : new http.Agent(options)
    return { agent, until: performance.now() + CONNECTION_KEPT_MS }
  }

  function drop(origin: string, old: Promise<Connection>): void {
    if (kept.get(origin) === old) kept.delete(origin)
    old.then(({ agent }) => closeIdle(agent)).catch(() => {})
  }

  return {
    /** Throws OutboundError. */
    async to(url: URL): Promise<{ agent: http.Agent }> {
      const found = kept.get(url.origin)
      const current = await found?.catch(() => undefined)
      if (found && current && performance.now() < current.until) return { agent: current.agent }
      if (found) drop(url.origin, found)
      if (kept.size >= HOSTS_KEPT) for (const [origin, old] of [...kept]) drop(origin, old)
      const opening = open(url)
      kept.set(url.origin, opening)
      opening.catch(() => drop(url.origin, opening))
      return { agent: (await opening).agent }
    },
    close() {
      for (const [origin, old] of [...kept]) drop(origin, old)
    },
  }
}

/** Requests in progress keep their sockets, which close when they have been idle for a minute. */
function closeIdle(agent: http.Agent): void {
  for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy()
}
