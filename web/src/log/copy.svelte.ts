/** The browser's copy of one log, kept in sync with the server. One's own is kept between visits. */

import { ApiError } from '../api/client.ts'
import { eraseKeptLog, type KeptLog, keepLog, readKeptLog } from '../api/kept-log.ts'
import { type Audience, fetchLog, type LogPayload } from '../api/log.ts'
import { noteNoResponse } from '../api/network.svelte.ts'
import { type PackedLog, unpackLog } from '../api/packed-log.ts'
import { COPY_AFTER_MS } from '../api/unreached.ts'
import { isCurrentUser, reloadWithoutCopy, session } from '../session/session.svelte.ts'
import { inStep } from './step.ts'

const empty: LogPayload = {
  of: null,
  partial: false,
  token: '',
  flights: [],
  removed: [],
  airports: {},
  airlines: {},
  aircraft: {},
  users: {},
}

export interface LogCopy {
  readonly payload: LogPayload
  /** Whether there is a copy, even an older one. */
  readonly isKnown: boolean
  /** There is no copy, and the whole log is on its way. */
  readonly isArriving: boolean
  /** Error of the last attempt; null if it succeeded. */
  readonly error: unknown
  /** Fetches what changed. Never rejects. */
  load(): Promise<void>
}

/** Changes that are stored next to a packed log. */
const LATER = 2000
const KEEP_AFTER_MS = 2000

const whole = (log: LogPayload | PackedLog): LogPayload => ('packed' in log ? unpackLog(log) : log)

/** A response without flights is not stored: its home airports, if any, come with the next one too. */
const withLater = (later: readonly LogPayload[], response: LogPayload): readonly LogPayload[] =>
  response.flights.length + response.removed.length > 0 ? [...later, response] : later

const keeper = () => ({ userId: session.user?.id ?? '', version: session.instance.version })

const isRefused = (problem: unknown): problem is ApiError =>
  problem instanceof ApiError && (problem.status === 401 || problem.status === 403)

export function createCopy(of: Audience): LogCopy {
  let payload = $state.raw<LogPayload>(empty)
  let isArriving = $state(false)
  let error = $state.raw<unknown>(null)
  /** From the last response; newer than that of the payload if nothing changed. */
  let token = ''
  /** The parts of the payload, as they are stored. */
  let parts: Pick<KeptLog, 'log' | 'later'> = { log: empty, later: [] }
  let keeping: ReturnType<typeof setTimeout> | undefined
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  const isOwn = of.scope === 'mine'

  /** One request at a time. A call during a request starts another one afterwards, so that no write is missed. */
  function load(): Promise<void> {
    if (running) {
      next ??= running.then(() => {
        next = undefined
        return load()
      })
      return next
    }
    running = step().finally(() => {
      running = undefined
    })
    return running
  }

  async function step(): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined
    try {
      if (payload === empty && isOwn) await showKept()
      isArriving = payload === empty
      timer = setTimeout(noteLate, COPY_AFTER_MS)
      const response = await fetchLog(of, token, () => {
        clearTimeout(timer)
        error = null
      })
      // The browser has another session now: everything on this page belongs to the previous person.
      if (isOwn && response.of !== session.user?.id) return reloadWithoutCopy()
      take(response)
      error = null
    } catch (problem) {
      error = problem
      if (isRefused(problem)) await forget(problem)
    } finally {
      clearTimeout(timer)
      isArriving = false
    }
  }

  /** The screens report the delay and show the copy if there is one. The response is still used when it arrives. */
  function noteLate(): void {
    noteNoResponse()
    error ??= new ApiError(0, { code: 'offline', reason: 'offline', message: 'No response yet' })
  }

  async function showKept(): Promise<void> {
    const kept = await readKeptLog(keeper())
    if (!kept) return
    // After many changes the log is fetched whole and stored as one again.
    if (kept.later.reduce((sum, { flights, removed }) => sum + flights.length + removed.length, 0) > LATER)
      return
    token = kept.token
    parts = kept
    payload = kept.later.reduce(inStep, whole(kept.log))
  }

  function take(response: LogPayload | PackedLog): void {
    const isKept = response.token === token && response.partial
    token = response.token
    payload = 'packed' in response ? whole(response) : inStep(payload, response)
    if ('packed' in response) parts = { log: response, later: [] }
    else if ('packed' in parts.log && response.partial)
      parts = { ...parts, later: withLater(parts.later, response) }
    else parts = { log: payload, later: [] }
    const owner = session.user?.id
    if (isOwn && owner === payload.of && !isKept) keepFor(owner)
  }

  /** Writing a large log blocks the page as long as showing it, so writing is delayed and only the latest state is written. */
  function keepFor(owner: string): void {
    clearTimeout(keeping)
    const keep = () => void keepLog(keeper(), { ...parts, token }, () => isCurrentUser(owner))
    if ('packed' in parts.log) keeping = setTimeout(keep, KEEP_AFTER_MS)
    else keep()
  }

  /** A log that may no longer be read is not stored. After a lost session it stays on the page until the person signs in. */
  async function forget({ status }: ApiError): Promise<void> {
    clearTimeout(keeping)
    if (isOwn) await eraseKeptLog()
    if (status !== 403) return
    payload = empty
    parts = { log: empty, later: [] }
    token = ''
  }

  return {
    get payload() {
      return payload
    },
    get isKnown() {
      return payload !== empty
    },
    get isArriving() {
      return isArriving
    },
    get error() {
      return error
    },
    load,
  }
}
