// One POST to /api/mcp on its way through the SDK. The calls of a batch run one after the other and share one
// allowance for their results, so that a single request can neither hold up other callers nor fill the memory.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Principal } from '../../auth/principal.ts'
import { type AppError, badRequest } from '../../base/errors.ts'

export const MESSAGES_AT_MOST = 10
export const RESULT_BYTES_AT_MOST = 4_000_000
/** A call that starts with less left would most likely do its work in vain. */
const BYTES_NEEDED = 64_000

export interface Exchange {
  principal: Principal
  era: 'modern' | 'legacy'
  /** The text of the body may hold characters that no engine can store. */
  suspicious: boolean
  /** A missing scope that the person could grant: the answer becomes a challenge. */
  stepUp: AppError | undefined
  /** The call before the next one. */
  running: Promise<unknown> | undefined
  resultBytesLeft: number
}

export const createExchange = (principal: Principal): Exchange => ({
  principal,
  era: 'modern',
  suspicious: false,
  stepUp: undefined,
  running: undefined,
  resultBytesLeft: RESULT_BYTES_AT_MOST,
})

/** Runs a call after those before it; between two of them the event loop serves other requests. */
export function inTurn<Result>(exchange: Exchange, call: () => Promise<Result>): Promise<Result> {
  const before = exchange.running
  const result = before ? before.then(() => nextTurn()).then(call) : call()
  exchange.running = result.catch(() => undefined)
  return result
}

/** Refuses a call before it does anything if its result could not be returned. */
export function requireRoom(exchange: Exchange): void {
  if (exchange.resultBytesLeft >= BYTES_NEEDED) return
  throw badRequest(
    'Not run: the results of the previous calls fill this response (at most 4 MB). Send this call in a separate request',
  )
}

/** Takes the room that a result needs in the response, or refuses it. What a write did, it has done. */
export function takeRoom(exchange: Exchange, bytes: number, isWritten = false): void {
  if (bytes > exchange.resultBytesLeft) {
    throw badRequest(
      isWritten
        ? 'The call succeeded, but its result does not fit into the response (at most 4 MB). Do not repeat the call; read the result instead'
        : 'The result does not fit into the response (at most 4 MB). Request less: a smaller limit, a narrower filter, or fewer calls in one batch',
    )
  }
  exchange.resultBytesLeft -= bytes
}

/** How many bytes a value takes in the response. */
export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))
