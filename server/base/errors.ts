// The one error type that reaches a caller. Anything else is logged and reported as `internal_error`.
import type { Scope } from '../domain/access/access.ts'
import {
  asProblem,
  type Given,
  messageOf,
  type PlainReason,
  type Problem,
  problem,
  type Reason,
} from '../domain/reasons.ts'

export const errorStatus = {
  bad_request: 400,
  invalid_json: 400,
  unauthorized: 401,
  forbidden: 403,
  insufficient_scope: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  gone: 410,
  precondition_failed: 412,
  payload_too_large: 413,
  validation_failed: 422,
  precondition_required: 428,
  too_many_requests: 429,
  internal_error: 500,
  unavailable: 503,
} as const
export type ErrorCode = keyof typeof errorStatus

export interface ErrorDetail {
  code: string
  path: string[]
  reason: Reason
  message: string
  params?: object
}

/** An error whose status and headers go to the caller. */
export abstract class HttpError extends Error {
  abstract readonly status: number
  abstract readonly headers: Readonly<Record<string, string>>
}

export class AppError extends HttpError {
  readonly code: ErrorCode
  /** The reason with its parameters; the message comes from the catalogue in domain/reasons.ts. */
  readonly problem: Problem
  readonly details: ErrorDetail[] | undefined
  /** For `insufficient_scope`: everything this call needs, so that a client can request all of it together. */
  readonly scopes: readonly Scope[]
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ErrorCode,
    given: Given,
    more: { details?: ErrorDetail[]; scopes?: readonly Scope[]; headers?: Record<string, string> } = {},
  ) {
    super(messageOf(given))
    this.code = code
    this.problem = asProblem(given)
    this.details = more.details
    this.scopes = more.scopes ?? []
    this.headers = more.headers ?? {}
  }

  get status(): number {
    return errorStatus[this.code]
  }

  get body() {
    const { code, problem, details } = this
    return { error: { code, ...wireForm(problem), ...(details ? { details } : {}) } }
  }
}

/** A problem in the form that is sent to callers. */
const wireForm = (given: Given): { reason: Reason; message: string; params?: object } => {
  const { reason, params } = asProblem(given)
  return { reason, message: messageOf(given), ...(params === undefined ? {} : { params }) }
}

/** A problem with one part of a body. */
export const detail = (path: readonly PropertyKey[], given: Given, code: string = 'custom'): ErrorDetail => ({
  code,
  path: path.map(String),
  ...wireForm(given),
})

/** For a body that has more bytes than `max`. */
export const tooLarge = (max: number): AppError =>
  new AppError('payload_too_large', problem('payload_too_large', { max }))

/** When a client may retry after the database or the disk was unavailable. */
const RETRY_AFTER_SECONDS = 5

/** The database cannot be reached or the disk is full: nothing is wrong with the request, which may be repeated. */
export class Unavailable extends AppError {
  constructor(reason: PlainReason, cause?: unknown) {
    super('unavailable', reason, { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } })
    this.cause = cause
  }
}

const notFoundReasons = {
  Flight: 'flight_not_found',
  Change: 'change_not_found',
  Share: 'share_not_found',
  Feed: 'feed_not_found',
  Trip: 'trip_not_found',
  Role: 'role_not_found',
  User: 'user_not_found',
  Airport: 'airport_not_found',
  Airline: 'airline_not_found',
  Aircraft: 'aircraft_not_found',
  'Custom field': 'custom_field_not_found',
  'API key': 'api_key_not_found',
  'Boarding pass': 'kept_pass_not_found',
  Session: 'session_not_found',
  'Connected application': 'connected_app_not_found',
  Notice: 'notice_not_found',
  Webhook: 'webhook_not_found',
  Passkey: 'passkey_not_found',
  Delivery: 'delivery_not_found',
  Backup: 'backup_not_found',
  File: 'file_not_found',
  Import: 'import_not_found',
  'Import row': 'import_row_not_found',
  'Remembered answer': 'import_answer_not_found',
  Mailbox: 'mailbox_not_found',
  Subscription: 'subscription_not_found',
  'Mail address': 'mail_address_not_found',
  Device: 'device_not_found',
  Invitation: 'invitation_not_found',
  'Reset link': 'reset_link_not_found',
  Identity: 'identity_not_found',
  Provider: 'provider_not_found',
} as const
type Findable = keyof typeof notFoundReasons

export const notFound = (what: Findable) => new AppError('not_found', notFoundReasons[what])
export const badRequest = (given: Given) => new AppError('bad_request', given)
export const forbidden = (given: Given = 'forbidden') => new AppError('forbidden', given)

/** The flight is not in the state that the request requires. `tag` is the ETag of its current state. */
export const preconditionFailed = (reason: 'version_changed' | 'already_exists', tag: string | undefined) =>
  new AppError('precondition_failed', reason, {
    details: [detail([], reason, 'version')],
    headers: tag === undefined ? {} : { etag: tag },
  })
export const preconditionRequired = () => new AppError('precondition_required', 'precondition_required')

/** The changes since a token are no longer known: a client must read everything again. */
export const resyncRequired = () =>
  new AppError('gone', 'resync_required', { details: [detail([], 'resync_required', 'resync')] })

/** Something that a request refers to was deleted between the check and the write. */
export const justDeleted = () => new AppError('conflict', 'just_deleted')

/** For a well-formed body that is refused: one reason for the whole body, and one for each invalid field. */
export const invalid = (given: Given, ...fields: { path: (string | number)[]; problem: Given }[]) =>
  new AppError('validation_failed', given, {
    details: fields.map(({ path, problem }) => detail(path, problem)),
  })

/** Like `invalid`, for a single field. */
export const invalidField = (path: (string | number)[], given: Given) =>
  invalid(given, { path, problem: given })

export const insufficientScope = (missing: Scope, needed: readonly Scope[] = [missing]) =>
  new AppError('insufficient_scope', problem('insufficient_scope', { scope: missing }), { scopes: needed })

/** The message of anything that may be thrown. */
export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
