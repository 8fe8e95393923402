// `WWW-Authenticate` for bearer resources (RFC 6750 §3, RFC 9728 §5.1): one builder for REST and MCP.

import type { AppError } from '../base/errors.ts'
import type { Scope } from '../domain/access/access.ts'

interface ChallengeContext {
  origin: string
  /** The protected resource's path, such as /api/v1. */
  resource: string
  /** The scopes that the operation always needs. */
  scopes: readonly Scope[]
  /** `Authorization` as sent: only a bearer credential can be an invalid one (RFC 6750 §3.1). */
  authorization?: string | undefined
}

/** Used where any credential is enough: the list of scopes must not be empty, and a client has to request something. */
const leastScopes: readonly Scope[] = ['profile.read']

/** The header for an error that a new or wider credential could avoid; undefined for all others. */
export function challengeFor(error: AppError, context: ChallengeContext): string | undefined {
  const metadata = `resource_metadata="${context.origin}/.well-known/oauth-protected-resource${context.resource}"`
  if (error.code === 'unauthorized') {
    const scopes = context.scopes.length > 0 ? context.scopes : leastScopes
    const fault = /^bearer\b/i.test(context.authorization ?? '')
      ? ', error="invalid_token", error_description="The credential is invalid, expired or for another resource"'
      : ''
    return `Bearer realm="contrail", scope="${scopes.join(' ')}", ${metadata}${fault}`
  }
  if (error.code === 'insufficient_scope') {
    const needed = [...new Set([...context.scopes, ...error.scopes])].join(' ')
    return `Bearer realm="contrail", error="insufficient_scope", error_description="${error.message}", scope="${needed}", ${metadata}`
  }
  return undefined
}
