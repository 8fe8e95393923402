/** The browser's copy of one log, in step with the server. One's own is kept between visits. */

import { ApiError } from '../api/client.ts'
import { type Audience, fetchLog, type LogPayload } from '../api/log.ts'
import { isCurrentUser, session } from '../session/session.svelte.ts'
import { eraseKeptLog, keepLog, readKeptLog } from './kept-log.ts'
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
  /** Whether there is a copy, be it an older one. */
  readonly isKnown: boolean
  /** Of the last attempt; null if it succeeded. */
  readonly error: unknown
  /** Fetches what changed. Never rejects. */
  load(): Promise<void>
}

const keeper = () => ({ userId: session.user?.id ?? '', version: session.instance.version })

const isRefused = (problem: unknown): problem is ApiError =>
  problem instanceof ApiError && (problem.status === 401 || problem.status === 403)

export function createCopy(of: Audience): LogCopy {
  let payload = $state.raw<LogPayload>(empty)
  let error = $state.raw<unknown>(null)
  /** Of the last response; newer than the payload's own if nothing changed. */
  let token = ''
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  const isOwn = of.scope === 'mine'

  /** One request at a time. A call while one is running starts another when that has ended, so that no write is missed. */
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
    try {
      if (payload === empty && isOwn) await showKept()
      const response = await fetchLog(of, token)
      // The browser has another session now: everything on this page belongs to the person before.
      if (isOwn && response.of !== session.user?.id) return location.reload()
      take(response)
      error = null
    } catch (problem) {
      error = problem
      if (isRefused(problem)) await forget(problem)
    }
  }

  async function showKept(): Promise<void> {
    const kept = await readKeptLog(keeper())
    if (!kept) return
    token = kept.token
    payload = kept
  }

  function take(response: LogPayload): void {
    const isKept = response.token === token && response.partial
    token = response.token
    payload = inStep(payload, response)
    const owner = session.user?.id
    if (isOwn && owner === payload.of && !isKept)
      void keepLog(keeper(), { ...payload, token }, () => isCurrentUser(owner))
  }

  /** A log that may no longer be read is not kept. After a lost session it stays on the page, which waits for the password. */
  async function forget({ status }: ApiError): Promise<void> {
    if (isOwn) await eraseKeptLog()
    if (status !== 403) return
    payload = empty
    token = ''
  }

  return {
    get payload() {
      return payload
    },
    get isKnown() {
      return payload !== empty
    },
    get error() {
      return error
    },
    load,
  }
}
