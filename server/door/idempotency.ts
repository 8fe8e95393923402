// A request with an `Idempotency-Key` runs once; repeats get the first response, which is stored in the transaction of the
// request's effect. An operation with several transactions saves its progress in each, so that a repeat continues from there.
import type { Clock } from '../base/clock.ts'
import { AppError, detail, type ErrorCode } from '../base/errors.ts'
import { randomId } from '../base/secret/secrets.ts'
import { DAY } from '../domain/time/durations.ts'
import {
  claimKey,
  findKeyed,
  type KeptResponse,
  type KeyedRow,
  keepResponse,
  type RequestKey,
  updateProgress,
} from '../store/instance/idempotency.ts'
import type { Executor, Store } from '../store/store.ts'

export const KEPT_MS = DAY
/** An attempt whose lease is older than this ended without a response, for example because its process was killed. */
const STALE_MS = 15_000
/** How often a request that runs in several transactions renews its lease. */
const RENEW_MS = 5_000

/** Errors that depend only on the request. Others may no longer occur when it is repeated. */
const keptErrors: ReadonlySet<ErrorCode> = new Set([
  'not_found',
  'conflict',
  'gone',
  'precondition_failed',
  'validation_failed',
])

interface KeyedRequest extends RequestKey {
  bodyHash: string
}

/** For requests with their own transactions: each effect is saved together with the progress, or with the response. */
export interface Progress {
  /** What an unfinished attempt saved; null if there was none. */
  done: unknown
  save(tx: Executor, done: unknown): Promise<void>
  /** Stores the response in the transaction of the last effect. */
  respond(tx: Executor, output: unknown): Promise<void>
}

export interface Repeatable extends KeptResponse {
  isRepeated: boolean
}

/** Thrown inside a transaction to roll it back: the request has already run. */
class Repeated extends Error {
  readonly response: KeptResponse
  constructor(response: KeptResponse) {
    super('the request was made before')
    this.response = response
  }
}

/** Concerns another request with the same key, so it is not stored as the response to this one. */
class KeyInUse extends AppError {}

const running = () => new KeyInUse('conflict', 'idempotency_running', { headers: { 'retry-after': '1' } })

const mismatch = () =>
  new KeyInUse('validation_failed', 'idempotency_mismatch', {
    details: [detail([], 'idempotency_mismatch', 'idempotency_mismatch')],
  })

/** One attempt of a request. The door passes it to the operation's transaction. */
export class Attempt {
  readonly #store: Store
  readonly #request: KeyedRequest
  readonly #clock: Clock
  /** How the door renders the output; set before the operation runs. */
  render: (output: unknown) => KeptResponse = () => {
    throw new Error('the door has not set how to render the response')
  }
  response: KeptResponse | undefined

  constructor({ store, clock }: { store: Store; clock: Clock }, request: KeyedRequest) {
    this.#store = store
    this.#request = request
    this.#clock = clock
  }

  /** Runs an operation and stores its response in the same transaction. */
  async inside<Output>(tx: Executor, work: () => Promise<Output>): Promise<Output> {
    await this.#claim(tx, '')
    const output = await work()
    await this.#keep(tx, this.render(output))
    return output
  }

  /** Like `inside`, for an operation with its own transactions. */
  async across<Output>(work: (progress: Progress) => Promise<Output>): Promise<Output> {
    const { done, saved } = await this.#begin(randomId())
    // A transaction may be retried or fail, so saved progress counts only once it is committed.
    const last = { text: saved, isKept: false }
    const progress: Progress = {
      done,
      save: async (tx, now) => {
        const after = JSON.stringify({ ...JSON.parse(saved), done: now })
        await this.#advance(tx, last.text, after)
        tx.afterCommit?.(() => {
          last.text = after
        })
      },
      respond: async (tx, output) => {
        await this.#advance(tx, last.text, last.text)
        await this.#keep(tx, this.render(output))
        tx.afterCommit?.(() => {
          last.isKept = true
        })
      },
    }
    const stopRenewing = this.#renew(last)
    try {
      const output = await work(progress)
      if (!last.isKept) await this.#store.transaction((tx) => progress.respond(tx, output))
      return output
    } catch (error) {
      await stopRenewing()
      await this.#release(last.text)
      throw error
    } finally {
      await stopRenewing()
    }
  }

  /** Keeps a repeat from treating the running request as abandoned. If one renewal fails, the next one makes up for it. */
  #renew(last: { readonly text: string }): () => Promise<void> {
    let renewal = Promise.resolve()
    const renewOnce = () => this.#store.transaction((tx) => this.#advance(tx, last.text, last.text))
    const timer = setInterval(() => {
      renewal = renewOnce().catch(() => undefined)
    }, RENEW_MS).unref()
    return () => {
      clearInterval(timer)
      return renewal
    }
  }

  /** Claims the key, or continues an abandoned attempt. Writing the new owner ends the old attempt if it is still running. */
  #begin(owner: string): Promise<{ done: unknown; saved: string }> {
    return this.#store.transaction(async (tx) => {
      const found = await this.#claim(tx, JSON.stringify({ owner, done: null }))
      const { done } = JSON.parse(found) as { done: unknown }
      const saved = JSON.stringify({ owner, done })
      if (found !== saved) await this.#advance(tx, found, saved)
      return { done, saved }
    })
  }

  async #advance(tx: Executor, before: string, after: string, now = this.#at(0)): Promise<void> {
    if (!(await updateProgress(tx, this.#request, { before, after, now }))) throw running()
  }

  /** Lets the next attempt start without waiting for the lease to expire. If this fails, it has to wait. */
  async #release(saved: string): Promise<void> {
    const abandoned = this.#at(STALE_MS)
    await this.#store.transaction((tx) => this.#advance(tx, saved, saved, abandoned)).catch(() => undefined)
  }

  /** The stored response, if there is one. Throws if the request cannot run. */
  async known(): Promise<KeptResponse | undefined> {
    const row = await findKeyed(this.#store.read, this.#request, this.#at(KEPT_MS))
    if (!row) return undefined
    if (row.bodyHash !== this.#request.bodyHash) throw mismatch()
    if (row.response === undefined && row.touchedAt > this.#at(STALE_MS)) throw running()
    return row.response
  }

  /** The effect was rolled back, so the error is stored in a separate transaction. */
  keepError(error: AppError): Promise<void> {
    const { status, headers, body } = error
    const response = { status, headers: { ...headers, ...json }, body: JSON.stringify(body) }
    return this.#store.transaction(async (tx) => {
      await this.#claim(tx, '')
      await this.#keep(tx, response)
    })
  }

  /** The first statement of the transaction: other requests with the same key block until it ends. */
  async #claim(tx: Executor, progress: string): Promise<string> {
    const [now, expired, stale] = [this.#at(0), this.#at(KEPT_MS), this.#at(STALE_MS)]
    const claimed = await claimKey(tx, { ...this.#request, progress, now, expired, stale })
    if (claimed !== undefined) return claimed
    throw whyTaken(this.#request, await findKeyed(tx, this.#request, expired))
  }

  async #keep(tx: Executor, response: KeptResponse): Promise<void> {
    await keepResponse(tx, this.#request, response, this.#at(0))
    this.response = response
  }

  #at(agoMs: number): string {
    return new Date(this.#clock.now() - agoMs).toISOString()
  }
}

const json = { 'content-type': 'application/json' }

function whyTaken({ bodyHash }: KeyedRequest, row: KeyedRow | undefined): Error {
  if (!row) return running()
  if (row.bodyHash !== bodyHash) return mismatch()
  return row.response ? new Repeated(row.response) : running()
}

/** The response of the first attempt if there is one, otherwise what `respond` stores. */
export async function respondOnce(attempt: Attempt, respond: () => Promise<unknown>): Promise<Repeatable> {
  const known = await attempt.known()
  if (known) return { ...known, isRepeated: true }
  try {
    await respond()
    return { ...attempt.response!, isRepeated: false }
  } catch (error) {
    if (error instanceof Repeated) return { ...error.response, isRepeated: true }
    if (!(error instanceof AppError) || error instanceof KeyInUse || !keptErrors.has(error.code)) throw error
    return await keptOrRepeated(attempt, error)
  }
}

async function keptOrRepeated(attempt: Attempt, failure: AppError): Promise<Repeatable> {
  try {
    await attempt.keepError(failure)
  } catch (error) {
    if (error instanceof Repeated) return { ...error.response, isRepeated: true }
    throw error
  }
  throw failure
}
