// `WWW-Authenticate` for bearer resources (RFC 6750 §3, RFC 9728 §5.1): one builder for REST and MCP.
import type { Scope } from '../domain/access.ts'
import type { AppError } from '../errors.ts'

export interface ChallengeContext {
  origin: string
  /** The protected resource's path, such as /api/v1. */
  resource: string
  /** What the operation always needs. */
  scopes: readonly Scope[]
  /** Whether the request carried a credential at all; without one the challenge names no error. */
  hadCredential: boolean
}

/** The header for an error that a new or wider credential could mend; undefined for all others. */
export function challengeFor(error: AppError, context: ChallengeContext): string | undefined {
  const metadata = `resource_metadata="${context.origin}/.well-known/oauth-protected-resource${context.resource}"`
  if (error.code === 'unauthorized') {
    const fault = context.hadCredential
      ? ', error="invalid_token", error_description="The credential is invalid, expired or for another resource"'
      : ''
    return `Bearer realm="contrail", scope="${context.scopes.join(' ')}", ${metadata}${fault}`
  }
  if (error.code === 'insufficient_scope') {
    const needed = [...new Set([...context.scopes, ...error.scopes])].join(' ')
    return `Bearer realm="contrail", error="insufficient_scope", error_description="${error.message}", scope="${needed}", ${metadata}`
  }
  return undefined
}
