// A request with an `Idempotency-Key` runs once: repeats get the first response. It is written in the transaction of what
// the request does, so that neither can exist without the other.
import type { Clock } from './base/clock.ts'
import { AppError, detail, type ErrorCode } from './base/errors.ts'
import { randomId } from './base/secrets.ts'
import {
  claimKey,
  findKeyed,
  type KeptResponse,
  type KeyedRow,
  keepResponse,
  type RequestKey,
  updateProgress,
} from './store/idempotency.ts'
import type { Executor, Store } from './store/store.ts'

export const KEPT_MS = 24 * 3600 * 1000
/** A request that did not advance for so long has ended without a response, as when its process was killed. */
const STALE_MS = 15_000
/** So often a request that runs in several transactions says that it is alive. */
const RENEW_MS = 5_000

/** Errors that say something about the request itself. Others may be gone when it is repeated. */
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

/** For requests that run in transactions of their own: each effect is saved with how far the request came, or with its response. */
export interface Progress {
  /** What an attempt that did not end has saved; null if there was none. */
  done: unknown
  save(tx: Executor, done: unknown): Promise<void>
  /** Keeps the response in the transaction of the last effect. */
  respond(tx: Executor, output: unknown): Promise<void>
}

export interface Repeatable extends KeptResponse {
  isRepeated: boolean
}

/** Found inside a transaction that must not do anything then. */
class Repeated extends Error {
  readonly response: KeptResponse
  constructor(response: KeptResponse) {
    super('the request was made before')
    this.response = response
  }
}

/** Says nothing about the request, only about another one with its key. */
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
  /** As the door sends it; set before the operation runs. */
  render: (output: unknown) => KeptResponse = () => {
    throw new Error('the door has not said how it responds')
  }
  response: KeptResponse | undefined

  constructor({ store, clock }: { store: Store; clock: Clock }, request: KeyedRequest) {
    this.#store = store
    this.#request = request
    this.#clock = clock
  }

  /** Runs the work of an operation and keeps its response, in the transaction of the operation. */
  async inside<Output>(tx: Executor, work: () => Promise<Output>): Promise<Output> {
    await this.#claim(tx, '')
    const output = await work()
    await this.#keep(tx, this.render(output))
    return output
  }

  /** The same for an operation that runs in transactions of its own. */
  async across<Output>(work: (progress: Progress) => Promise<Output>): Promise<Output> {
    const { done, saved } = await this.#begin(randomId())
    // Each transaction may run again or fail: what it saves counts once it is committed.
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

  /** While the request runs, no repetition takes it for abandoned. A renewal that fails is made up for by the next one. */
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

  /** Claims the key, or continues what an abandoned attempt has begun. The owner's name ends that attempt if it is alive. */
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

  /** The next attempt need not wait until this one looks abandoned. If this fails, it waits. */
  async #release(saved: string): Promise<void> {
    const abandoned = this.#at(STALE_MS)
    await this.#store.transaction((tx) => this.#advance(tx, saved, saved, abandoned)).catch(() => undefined)
  }

  /** What is known of the request before it runs; throws if it cannot run. */
  async known(): Promise<KeptResponse | undefined> {
    const row = await findKeyed(this.#store.read, this.#request, this.#at(KEPT_MS))
    if (!row) return undefined
    if (row.bodyHash !== this.#request.bodyHash) throw mismatch()
    if (row.response === undefined && row.touchedAt > this.#at(STALE_MS)) throw running()
    return row.response
  }

  /** The effect was rolled back, so the error has a transaction of its own. */
  keepError(error: AppError): Promise<void> {
    const { status, headers, body } = error
    const response = { status, headers: { ...headers, ...json }, body: JSON.stringify(body) }
    return this.#store.transaction(async (tx) => {
      await this.#claim(tx, '')
      await this.#keep(tx, response)
    })
  }

  /** First in a transaction: others with the same key wait for its end. */
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

/** The response of a request: that of the first attempt if there was one, else what `respond` keeps. */
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
