// Looks up flights at providers: earlier results are cached in the store, all processes share one rate per provider, and one
// person cannot use up everyone's quota. Nothing here throws because of a provider.
import { setTimeout } from 'node:timers/promises'
import type { Clock } from '../../base/clock.ts'
import type { Config } from '../../base/config.ts'
import type { Logger } from '../../base/log.ts'
import { getFrom, HostError, type HostResponse } from '../../base/network/get.ts'
import {
  DAYS_ASKED_BACK,
  DAYS_KNOWN,
  keptMs,
  type LookupProvider,
  type LookupReason,
  paceMs,
  pauseMs,
  RESPONSE_BYTES_AT_MOST,
  RESPONSE_WITHIN_MS,
  requestsPerDay,
  WAIT_AT_MOST_MS,
} from '../../domain/entry/lookup.ts'
import { daysBetween, utcDate } from '../../domain/time/calendar.ts'
import { DAY } from '../../domain/time/durations.ts'
import {
  type Asked,
  countUses,
  findAnswer,
  insertAnswer,
  insertUse,
  lockPace,
  updatePace,
  updatePause,
} from '../../store/entry/lookups.ts'
import type { Store } from '../../store/store.ts'
import type { SourceRecord } from '../imports/reading/source.ts'
import { aircraftNamed, namedBy } from '../imports/values/named.ts'
import { type AircraftType, readRoute, readType, recordsOfRoute, type UsualRoute } from './adsbdb.ts'
import { type Leg, readLegs, recordsOfLegs } from './aerodatabox.ts'

/** The person whose quota a request counts against. */
interface Asker {
  userId: string
  isOwner: boolean
}

interface Wanted {
  /** With the airline's IATA code if it has one. */
  number: string
  /** The number with the ICAO code, if that differs. */
  icaoNumber: string | null
  /** The local date of departure. */
  date: string
}

/** Records of one provider, or why there are none. */
interface Said {
  provider: LookupProvider
  records: SourceRecord[]
  reason: LookupReason | null
  /** When a retry makes sense, if known. */
  retryAt: number | null
}

export interface Lookups {
  /** The providers of this instance, in order. */
  readonly providers: readonly LookupProvider[]
  /** Tries one after the other until one knows the number. */
  find(asker: Asker, wanted: Wanted): Promise<Said[]>
}

interface LookupParts {
  store: Store
  config: Config
  clock: Clock
  log: Logger
  /** Tests do not wait, and have shorter limits. */
  wait?: ((ms: number) => Promise<unknown>) | undefined
  timeoutMs?: number | undefined
}

type Answer<Value> = { value: Value } | { reason: LookupReason; retryAt: number | null }

/** One request to a provider: its address, and how to read the response. */
interface Question<Value> extends Asked {
  path: string
  read(body: string): Value | undefined
}

export function createLookups(parts: LookupParts): Lookups {
  const { config, clock } = parts
  const ask = createAsking(parts)
  const providers: LookupProvider[] = [
    ...(config.aerodataboxKey === undefined ? [] : (['aerodatabox'] as const)),
    ...(config.adsbdb ? (['adsbdb'] as const) : []),
  ]

  async function flights(asker: Asker, { number, date }: Wanted): Promise<Said> {
    const said = (records: SourceRecord[], reason: LookupReason | null, retryAt: number | null = null) => ({
      provider: 'aerodatabox' as const,
      records,
      reason,
      retryAt,
    })
    const daysAgo = daysBetween(date, utcDate(clock.now()))
    const notFound = daysAgo > DAYS_KNOWN ? 'too_far_back' : 'not_found'
    if (daysAgo > DAYS_ASKED_BACK) return said([], 'too_far_back')
    if (daysAgo < -DAYS_KNOWN) return said([], 'too_far_ahead')
    const answer = await ask(asker, legsQuestion(number, date))
    if (!('value' in answer))
      return said([], answer.reason === 'not_found' ? notFound : answer.reason, answer.retryAt)
    const records = recordsOfLegs(answer.value, number, date, clock.now())
    for (const record of records) await completeType(asker, record)
    return said(records, records.length === 0 ? notFound : null)
  }

  /** Adds the type of a registration if the flight has none. Nothing is reported if it is unknown. */
  async function completeType(asker: Asker, { flight }: SourceRecord): Promise<void> {
    if (!config.adsbdb || !flight?.aircraftReg || flight.aircraft) return
    const answer = await ask(asker, typeQuestion(flight.aircraftReg))
    if (!('value' in answer)) return
    const { icao, name } = answer.value
    flight.aircraft = icao ? namedBy([icao], name) : aircraftNamed(name)
  }

  async function route(asker: Asker, { number, icaoNumber, date }: Wanted): Promise<Said> {
    let last: Answer<UsualRoute> | undefined
    for (const form of [number, icaoNumber]) {
      if (form === null) continue
      last = await ask(asker, routeQuestion(form))
      if ('value' in last)
        return {
          provider: 'adsbdb',
          records: recordsOfRoute(last.value, number, date),
          reason: null,
          retryAt: null,
        }
      if (last.reason !== 'not_found') break
    }
    const { reason, retryAt } = last as Exclude<Answer<UsualRoute>, { value: unknown }>
    return { provider: 'adsbdb', records: [], reason, retryAt }
  }

  return {
    providers,
    async find(asker, wanted) {
      const all: Said[] = []
      for (const provider of providers) {
        const said = await (provider === 'aerodatabox' ? flights : route)(asker, wanted)
        all.push(said)
        if (said.records.length > 0) break
      }
      return all
    },
  }
}

const legsQuestion = (number: string, date: string): Question<Leg[]> => ({
  provider: 'aerodatabox',
  what: 'flights',
  number,
  date,
  path: `/flights/number/${encodeURIComponent(number)}/${date}`,
  read: readLegs,
})
const routeQuestion = (number: string): Question<UsualRoute> => ({
  provider: 'adsbdb',
  what: 'route',
  number,
  date: '',
  path: `/v0/callsign/${encodeURIComponent(number)}`,
  read: readRoute,
})
const typeQuestion = (registration: string): Question<AircraftType> => ({
  provider: 'adsbdb',
  what: 'type',
  number: registration,
  date: '',
  path: `/v0/aircraft/${encodeURIComponent(registration)}`,
  read: readType,
})

// Requests: the cache, then a turn, then the request

function createAsking({
  store,
  config,
  clock,
  log,
  wait = setTimeout,
  timeoutMs = RESPONSE_WITHIN_MS,
}: LookupParts) {
  const underWay = new Map<string, Promise<Answer<unknown>>>()
  const iso = (time: number) => new Date(time).toISOString()

  /** A place in the provider's queue, counted against the person's quota, or the reason for none. */
  function takeTurn(provider: LookupProvider, { userId, isOwner }: Asker) {
    const now = clock.now()
    const day = utcDate(now)
    return store.transaction(
      async (tx): Promise<{ at: number } | { reason: LookupReason; retryAt: number | null }> => {
        const { nextAt, pausedUntil } = await lockPace(tx, provider)
        if (pausedUntil > now) return { reason: 'quota_used', retryAt: pausedUntil }
        // A turn far in the future was taken before the clock was set back.
        const isSound = nextAt - now <= WAIT_AT_MOST_MS + paceMs[provider]
        const at = isSound ? Math.max(now, nextAt) : now
        if (at - now > WAIT_AT_MOST_MS) return { reason: 'busy', retryAt: at }
        const use = { userId, provider, day }
        if ((await countUses(tx, use)) >= requestsPerDay(provider, isOwner))
          return { reason: 'too_many_lookups', retryAt: Date.parse(`${day}T00:00:00Z`) + DAY }
        await insertUse(tx, use)
        await updatePace(tx, { provider, nextAt: at + paceMs[provider] })
        return { at }
      },
    )
  }

  async function request<Value>(asker: Asker, question: Question<Value>): Promise<Answer<Value>> {
    const { provider } = question
    const turn = await takeTurn(provider, asker)
    if ('reason' in turn) return turn
    if (turn.at > clock.now()) await wait(turn.at - clock.now())
    const answer = await send(question)
    const now = clock.now()
    // A temporary refusal says nothing about the number, so it is not cached.
    if ('reason' in answer && answer.reason === 'quota_used') {
      await store.transaction((tx) => updatePause(tx, { provider, until: answer.retryAt! }))
      return answer
    }
    await keep(question, answer, now)
    return answer
  }

  function keep<Value>(question: Question<Value>, answer: Answer<Value>, now: number) {
    const { provider, what, number, date } = question
    const reason = 'reason' in answer ? answer.reason : null
    const daysAgo = date === '' ? 0 : daysBetween(date, utcDate(now))
    const ms = keptMs(reason, what, daysAgo)
    return store.transaction((tx) =>
      insertAnswer(tx, {
        provider,
        what,
        number,
        date,
        reason,
        answer: 'value' in answer ? answer.value : null,
        askedAt: iso(now),
        expiresAt: ms === null ? null : iso(now + ms),
      }),
    )
  }

  async function send<Value>(question: Question<Value>): Promise<Answer<Value>> {
    const { provider, path } = question
    const { base, headers } = hostOf(config, provider)
    try {
      const response = await getFrom(`${base}${path}`, {
        headers,
        timeoutMs,
        // The operator chose the host.
        rules: { privateAddresses: true, loopback: true },
        bytesAtMost: RESPONSE_BYTES_AT_MOST,
      })
      const answer = meaningOf(question, response, clock.now())
      if ('reason' in answer && answer.reason !== 'not_found')
        log.info('a provider returned no flight', {
          provider,
          reason: answer.reason,
          status: response.status,
        })
      return answer
    } catch (error) {
      if (!(error instanceof HostError)) throw error
      log.info('a provider returned no flight', { provider, reason: error.reason })
      return { reason: error.reason, retryAt: null }
    }
  }

  return async <Value>(asker: Asker, question: Question<Value>): Promise<Answer<Value>> => {
    const kept = await findAnswer(store.read, question, iso(clock.now()))
    if (kept)
      return kept.reason === null ? { value: kept.answer as Value } : { reason: kept.reason, retryAt: null }
    const key = `${question.provider} ${question.path}`
    let asking = underWay.get(key)
    if (!asking) {
      asking = request(asker, question).finally(() => underWay.delete(key))
      underWay.set(key, asking)
    }
    return asking as Promise<Answer<Value>>
  }
}

/** Interprets a status. */
function meaningOf<Value>(
  { read, date }: Question<Value>,
  { status, body, retryAfter }: HostResponse,
  now: number,
): Answer<Value> {
  const failed = (reason: LookupReason): Answer<Value> => ({ reason, retryAt: null })
  if (status === 204 || status === 404 || (status === 200 && body.trim() === '')) return failed('not_found')
  if (status === 401 || status === 403) return failed('key_refused')
  if (status === 429) return { reason: 'quota_used', retryAt: now + pauseMs(retryAfter, now) }
  if (status === 400) return failed(beyondPlan(date, now))
  if (status >= 500) return failed('no_response')
  const value = status === 200 ? read(body) : undefined
  if (value === undefined) return failed('bad_response')
  return Array.isArray(value) && value.length === 0 ? failed('not_found') : { value }
}

/** The range of days depends on the plan; a day outside of it is refused as a bad request. */
const NEAR_DAYS = 7
function beyondPlan(date: string, now: number): LookupReason {
  const daysAgo = date === '' ? 0 : daysBetween(date, utcDate(now))
  if (Math.abs(daysAgo) <= NEAR_DAYS) return 'bad_response'
  return daysAgo > 0 ? 'too_far_back' : 'too_far_ahead'
}

function hostOf(config: Config, provider: LookupProvider): { base: string; headers: Record<string, string> } {
  if (provider === 'adsbdb') return { base: config.adsbdbUrl, headers: {} }
  const base = config.aerodataboxUrl
  const key = config.aerodataboxKey!
  const { host } = new URL(base)
  // API.Market uses a different header for the same service.
  const isApiMarket = /(^|\.)api\.market$/.test(host)
  return {
    base,
    headers: isApiMarket ? { 'x-magicapi-key': key } : { 'x-rapidapi-key': key, 'x-rapidapi-host': host },
  }
}
