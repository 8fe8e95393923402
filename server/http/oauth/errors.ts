// OAuth errors (RFC 6749 §5.2, RFC 7591 §3.2.2, RFC 8707 §2). Descriptions are for developers and never say why a secret was
// refused.
import { AppError, HttpError, Unavailable } from '../../base/errors.ts'

type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'access_denied'
  | 'temporarily_unavailable'
  | 'server_error'

export class OAuthError extends HttpError {
  readonly code: OAuthErrorCode
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: OAuthErrorCode,
    description: string,
    more: { status?: number; headers?: Record<string, string> } = {},
  ) {
    super(description)
    this.code = code
    this.status = more.status ?? 400
    this.headers = more.headers ?? {}
  }

  get body() {
    return { error: this.code, error_description: this.message }
  }
}

/** The server's other errors as OAuth errors; undefined for internal ones. */
export function oauthErrorFrom(error: unknown): OAuthError | undefined {
  if (error instanceof OAuthError) return error
  if (!(error instanceof AppError)) return undefined
  const { message, status, headers } = error
  const code = error instanceof Unavailable ? 'temporarily_unavailable' : 'invalid_request'
  return new OAuthError(code, message, { status, headers: { ...headers } })
}
export const invalidRequest = (description: string) => new OAuthError('invalid_request', description)
export const invalidGrant = (description: string) => new OAuthError('invalid_grant', description)
