// The one error type that reaches a caller. Anything else is logged and answered as `internal_error`.
import type { Scope } from '../domain/access.ts'

export const errorStatus = {
  bad_request: 400,
  invalid_json: 400,
  unauthorized: 401,
  forbidden: 403,
  insufficient_scope: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  payload_too_large: 413,
  validation_failed: 422,
  too_many_requests: 429,
  internal_error: 500,
  unavailable: 503,
} as const
export type ErrorCode = keyof typeof errorStatus

export interface ErrorDetail {
  code: string
  path: string[]
  message: string
}

/** An error whose status and headers go to the caller. */
export abstract class HttpError extends Error {
  abstract readonly status: number
  abstract readonly headers: Readonly<Record<string, string>>
}

export class AppError extends HttpError {
  readonly code: ErrorCode
  readonly details: ErrorDetail[] | undefined
  /** For `insufficient_scope`: everything this call needs, so that a client can step up in one go. */
  readonly scopes: readonly Scope[]
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ErrorCode,
    message: string,
    more: { details?: ErrorDetail[]; scopes?: readonly Scope[]; headers?: Record<string, string> } = {},
  ) {
    super(message)
    this.code = code
    this.details = more.details
    this.scopes = more.scopes ?? []
    this.headers = more.headers ?? {}
  }

  get status(): number {
    return errorStatus[this.code]
  }

  get body() {
    const { code, message, details } = this
    return { error: details ? { code, message, details } : { code, message } }
  }
}

/** When a program may repeat a request that met a database or a disk that was away. */
const RETRY_AFTER_SECONDS = 5

/** The database is away or the disk is full: nothing is wrong with the request, which may be repeated. */
export class Unavailable extends AppError {
  constructor(message: string, cause?: unknown) {
    super('unavailable', message, { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } })
    this.cause = cause
  }
}

export const notFound = (what: string) => new AppError('not_found', `${what} not found`)
export const badRequest = (message: string) => new AppError('bad_request', message)
export const forbidden = (message = 'Your role does not permit this') => new AppError('forbidden', message)

/** What a request names was there when it was checked, and is gone by the time it is written. */
export const justDeleted = () =>
  new AppError('conflict', 'Something that this refers to has just been deleted')

/** A body that is well-formed but cannot be accepted; each issue names the field it concerns. */
export const invalid = (message: string, ...issues: { path: (string | number)[]; message: string }[]) =>
  new AppError('validation_failed', message, {
    details: issues.map((issue) => ({
      code: 'custom',
      path: issue.path.map(String),
      message: issue.message,
    })),
  })

export const insufficientScope = (missing: Scope, needed: readonly Scope[] = [missing]) =>
  new AppError('insufficient_scope', `This credential lacks the scope ${missing}`, { scopes: needed })
