// One POST to /api/mcp on its way through the SDK. The calls of a batch run one after the other and share one size limit
// for their results, so that a single request can neither delay other callers nor fill the memory.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type AppError, badRequest } from '../../base/errors.ts'
import type { Principal } from '../../services/access/principal.ts'

export const MESSAGES_AT_MOST = 10
const RESULT_BYTES_AT_MOST = 4_000_000
/** With less room left, the result of a call would probably not fit. */
const BYTES_NEEDED = 64_000

export interface Exchange {
  principal: Principal
  /** The address has `?tools=all`: tools made for programs are listed too. */
  listsAllTools: boolean
  era: 'modern' | 'legacy'
  /** The instructions for this credential, if a response carries them. */
  instructions: string | undefined
  /** The body may contain characters that no engine can store. */
  suspicious: boolean
  /** A missing scope that the user could grant; the response becomes a challenge. */
  stepUp: AppError | undefined
  /** The call that the next one waits for. */
  running: Promise<unknown> | undefined
  resultBytesLeft: number
}

export const createExchange = (principal: Principal, listsAllTools: boolean): Exchange => ({
  principal,
  listsAllTools,
  era: 'modern',
  instructions: undefined,
  suspicious: false,
  stepUp: undefined,
  running: undefined,
  resultBytesLeft: RESULT_BYTES_AT_MOST,
})

/** Runs a call after the previous ones; the event loop serves other requests in between. */
export function inTurn<Result>(exchange: Exchange, call: () => Promise<Result>): Promise<Result> {
  const before = exchange.running
  const result = before ? before.then(() => nextTurn()).then(call) : call()
  exchange.running = result.catch(() => undefined)
  return result
}

/** Refuses a call before it has any effect if its result could not be returned. */
export function requireRoom(exchange: Exchange): void {
  if (exchange.resultBytesLeft >= BYTES_NEEDED) return
  throw badRequest('response_full')
}

/** Reserves room for a result in the response, or refuses it. The effect of a write stays. */
export function takeRoom(exchange: Exchange, bytes: number, isWritten = false): void {
  if (bytes > exchange.resultBytesLeft) {
    throw badRequest(isWritten ? 'done_result_too_large' : 'result_too_large')
  }
  exchange.resultBytesLeft -= bytes
}

/** The size of a value in the response. */
export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))
