// GET and POST /oauth/consent: the user's decision. A request can be decided once, in the browser that started it and by
// the user who saw it.

import { createSecret, hashSecret } from '../../base/secret/secrets.ts'
import { grantableScopes, isScope, type Scope } from '../../domain/access/access.ts'
import { appName } from '../../domain/text/names.ts'
import type { Services } from '../../door/services.ts'
import type { Principal } from '../../services/access/principal.ts'
import { type EventKind, recordEvent } from '../../store/access/audit.ts'
import {
  type AuthorizationRequest,
  claimRequest,
  findClient,
  type OAuthClient,
  takeRequest,
} from '../../store/access/oauth/clients.ts'
import { findGrantedScopes, upsertGrant } from '../../store/access/oauth/grants.ts'
import { insertCode } from '../../store/access/oauth/tokens.ts'
import type { Executor } from '../../store/engine/engine.ts'
import { errorRedirect } from './authorize.ts'
import { OAuthError } from './errors.ts'
import { after, CODE_MS } from './lifetimes.ts'
import { withParameters } from './redirect-uris.ts'
import { newFamily } from './token.ts'

/** The user who decides, and the request. */
export interface Decider {
  requestId: string
  browser: string
  person: Principal
  address: string | undefined
}

interface WaitingRequest {
  request: AuthorizationRequest
  client: OAuthClient
  granted: Scope[] | undefined
}

/** The request for the consent page, now bound to this user; undefined if this user may not decide it. */
export async function findWaiting(services: Services, decider: Decider): Promise<WaitingRequest | undefined> {
  const now = after(services.clock.now(), 0)
  return services.store.transaction(async (tx) => {
    const request = await claimRequest(tx, keyOf(decider, now))
    const client = request && (await findClient(tx, { id: request.clientId, now }))
    if (!client) return undefined
    const { clientId, resource, redirectUri } = request
    const granted = await findGrantedScopes(tx, { clientId, resource, userId: decider.person.user.id })
    return { request, client: { ...client, name: appName(client.name, redirectUri) }, granted }
  })
}

export type Decision = { approved: false } | { approved: true; scopes: readonly string[] }

/** Stores the decision and returns where the browser goes; undefined if the request cannot be decided (any more). */
export async function decide(
  services: Services,
  decider: Decider,
  decision: Decision,
): Promise<string | undefined> {
  const now = services.clock.now()
  return services.store.transaction(async (tx) => {
    const request = await takeRequest(tx, keyOf(decider, after(now, 0)))
    const client = request && (await findClient(tx, { id: request.clientId, now: after(now, 0) }))
    if (!client) return undefined
    const refuse = (error: OAuthError) =>
      errorRedirect(services.config.origin, request.redirectUri, request.state, error)
    if (!decision.approved) {
      await recordDecision(tx, decider, 'app.denied', client, request, now, [])
      return refuse(new OAuthError('access_denied', 'The user denied the request'))
    }
    const scopes = withinRole(decider.person, decision.scopes)
    if (!scopes)
      return refuse(
        new OAuthError('invalid_scope', 'A scope is unknown or not permitted by the role of the user'),
      )
    const code = await approve(tx, decider, request, scopes, now)
    await recordDecision(tx, decider, 'app.approved', client, request, now, scopes)
    const { redirectUri, state } = request
    return withParameters(redirectUri, { code, state, iss: services.config.origin })
  })
}

/** The chosen scopes in catalogue order; undefined if this user cannot grant one of them. */
function withinRole(person: Principal, chosen: readonly string[]): Scope[] | undefined {
  const grantable = grantableScopes(person.permissions)
  if (!chosen.every((name) => isScope(name) && grantable.includes(name))) return undefined
  return grantable.filter((scope) => chosen.includes(scope))
}

async function approve(
  tx: Executor,
  { person }: Decider,
  { clientId, resource, redirectUri, codeChallenge }: AuthorizationRequest,
  scopes: readonly Scope[],
  now: number,
): Promise<string> {
  const userId = person.user.id
  const grant = { clientId, userId, resource, redirectUri, scopes, now: after(now, 0) }
  const grantId = await upsertGrant(tx, grant)
  const { secret, hash } = createSecret('authorizationCode')
  const expiresAt = after(now, CODE_MS)
  await insertCode(tx, { hash, grantId, family: newFamily(), redirectUri, codeChallenge, scopes, expiresAt })
  return secret
}

const keyOf = ({ requestId, browser, person }: Decider, now: string) => ({
  id: requestId,
  browserHash: hashSecret(browser),
  userId: person.user.id,
  now,
})

const recordDecision = (
  tx: Executor,
  { person, address }: Decider,
  kind: EventKind,
  client: OAuthClient,
  { resource, redirectUri }: AuthorizationRequest,
  now: number,
  scopes: readonly Scope[],
) =>
  recordEvent(tx, {
    kind,
    now: new Date(now),
    actor: person.user,
    address,
    details: { app: appName(client.name, redirectUri), resource, scopes },
  })
