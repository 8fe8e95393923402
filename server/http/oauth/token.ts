// POST /oauth/token: exchanges codes and refresh tokens for access tokens (RFC 6749 §4.1.3, §6; RFC 7636; RFC 8707).
// One transaction per exchange. A refused request consumes nothing; only reuse of a code or token has consequences.
import { createHash, timingSafeEqual } from 'node:crypto'
import { createSecret, hashSecret, randomText, secretKind } from '../../base/secret/secrets.ts'
import { covers, isScope, type Scope } from '../../domain/access/access.ts'
import { appName } from '../../domain/text/names.ts'
import type { Services } from '../../door/services.ts'
import type { Parameters } from '../../pages/form.ts'
import { type EventKind, recordEvent } from '../../store/access/audit.ts'
import type { OAuthClient } from '../../store/access/oauth/clients.ts'
import { lockGrant, touchGrant } from '../../store/access/oauth/grants.ts'
import {
  deleteFamily,
  deleteTokensOf,
  findCode,
  findRefreshToken,
  insertAccessToken,
  insertRefreshToken,
  useCode,
  useRefreshToken,
} from '../../store/access/oauth/tokens.ts'
import type { Executor } from '../../store/engine/engine.ts'
import { requireAuthenticatedClient } from './clients.ts'
import { invalidGrant, invalidRequest, OAuthError } from './errors.ts'
import { ACCESS_TOKEN_MS, after, REFRESH_TOKEN_MS } from './lifetimes.ts'
import { findResource } from './resources.ts'

interface TokenResponse {
  access_token: string
  refresh_token: string
  token_type: 'Bearer'
  expires_in: number
  scope: string
}

/** One exchange of a code or token, after its client and resource were identified. */
interface Exchange {
  services: Services
  form: Parameters
  client: OAuthClient
  resource: string
  now: number
}

export async function token(
  services: Services,
  form: Parameters,
  authorization: string | undefined,
): Promise<TokenResponse> {
  const grantType = requireParameter(form, 'grant_type')
  const now = services.clock.now()
  const client = await requireAuthenticatedClient(services.store.read, form, authorization, after(now, 0))
  const exchange = grants[grantType]
  if (!exchange)
    throw new OAuthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token')
  return exchange({ services, form, client, resource: requireResource(services, form), now })
}

const grants: Record<string, (exchange: Exchange) => Promise<TokenResponse>> = Object.assign(
  Object.create(null),
  { authorization_code: exchangeCode, refresh_token: exchangeRefreshToken },
)

function requireParameter(form: Parameters, name: string): string {
  const value = form.one(name)
  if (value === undefined) throw invalidRequest(`${name} is required`)
  return value
}

function requireResource({ config }: Pick<Services, 'config'>, form: Parameters): string {
  const given = requireParameter(form, 'resource')
  const resource = findResource(config.origin, given)
  if (!resource) throw new OAuthError('invalid_target', 'resource is not a protected resource of this server')
  return resource.url
}

const BAD_CODE =
  'The code is invalid, expired, already used, or was issued for another client, redirect URI or resource'

async function exchangeCode(exchange: Exchange): Promise<TokenResponse> {
  const { form, services, client, now } = exchange
  const secret = requireParameter(form, 'code')
  const verifier = requireParameter(form, 'code_verifier')
  const redirectUri = requireParameter(form, 'redirect_uri')
  const hash = hashSecret(secret)
  return settle(
    await services.store.transaction(async (tx) => {
      const known = secretKind(secret) === 'authorizationCode' ? await findCode(tx, { hash }) : undefined
      if (!known || known.clientId !== client.id) return invalidGrant(BAD_CODE)
      const grant = await lockGrant(tx, { id: known.grantId })
      // Read again, now that it is locked.
      const code = grant && (await findCode(tx, { hash }))
      if (!code) return invalidGrant(BAD_CODE)
      const subject = { id: code.userId, username: grant.username }
      if (code.usedAt !== null) return revokeAfterReplay(tx, exchange, code.grantId, subject)
      const matches =
        code.expiresAt > after(now, 0) &&
        code.redirectUri === redirectUri &&
        code.resource === exchange.resource &&
        provesPossession(verifier, code.codeChallenge)
      if (!matches || !(await useCode(tx, { hash, now: after(now, 0) }))) return invalidGrant(BAD_CODE)
      return issue(tx, exchange, code, code.scopes, code.scopes)
    }),
  )
}

/** RFC 7636 §4.6, S256 only. */
function provesPossession(verifier: string, challenge: string): boolean {
  if (!/^[A-Za-z0-9\-._~]{43,128}$/.test(verifier)) return false
  const computed = createHash('sha256').update(verifier).digest('base64url')
  return timingSafeEqual(Buffer.from(computed), Buffer.from(challenge))
}

/** If a client uses its code twice, the code was stolen: everything issued for it is revoked. */
async function revokeAfterReplay(
  tx: Executor,
  exchange: Exchange,
  grantId: number,
  subject: { id: string; username: string },
): Promise<OAuthError> {
  await deleteTokensOf(tx, grantId)
  await recordReuse(tx, exchange, 'app.code-replayed', subject)
  return invalidGrant(BAD_CODE)
}

const BAD_REFRESH =
  'The refresh token is invalid, expired, already used, or was issued for another client or resource'

async function exchangeRefreshToken(exchange: Exchange): Promise<TokenResponse> {
  const { form, services, client, now } = exchange
  const secret = requireParameter(form, 'refresh_token')
  const requested = form.one('scope')
  const hash = hashSecret(secret)
  return settle(
    await services.store.transaction(async (tx) => {
      const kind = secretKind(secret)
      const known = kind === 'refreshToken' ? await findRefreshToken(tx, { hash }) : undefined
      if (!known || known.clientId !== client.id) return invalidGrant(BAD_REFRESH)
      const grant = await lockGrant(tx, { id: known.grantId })
      const found = grant && (await findRefreshToken(tx, { hash }))
      if (!found) return invalidGrant(BAD_REFRESH)
      const subject = { id: found.userId, username: grant.username }
      // Checked before expiry: reuse of a token is an alarm at any age.
      if (found.usedAt !== null) return revokeAfterReuse(tx, exchange, found.family, subject)
      if (found.expiresAt <= after(now, 0) || found.resource !== exchange.resource) {
        return invalidGrant(BAD_REFRESH)
      }
      const held = inBoth(found.scopes, grant.scopes)
      const wanted = requested === undefined ? held : narrowed(held, requested)
      if (!wanted) return new OAuthError('invalid_scope', 'scope exceeds what was granted')
      if (!(await useRefreshToken(tx, { hash, now: after(now, 0) }))) return invalidGrant(BAD_REFRESH)
      return issue(tx, exchange, found, wanted, held)
    }),
  )
}

async function revokeAfterReuse(
  tx: Executor,
  exchange: Exchange,
  family: string,
  subject: { id: string; username: string },
): Promise<OAuthError> {
  await deleteFamily(tx, family)
  await recordReuse(tx, exchange, 'app.refresh-token-reused', subject)
  return invalidGrant(BAD_REFRESH)
}

/** The scopes in both lists: a consent that was narrowed later narrows the token; a widened one does not widen it. */
function inBoth(first: readonly Scope[], second: readonly Scope[]): Scope[] {
  const [one, other] = [new Set<string>(first), new Set<string>(second)]
  return [...new Set([...first, ...second])].filter((scope) => covers(one, scope) && covers(other, scope))
}

function narrowed(held: readonly Scope[], requested: string): Scope[] | undefined {
  const names = [...new Set(requested.split(/\s+/).filter(Boolean))]
  const set = new Set<string>(held)
  return names.every((name): name is Scope => isScope(name) && covers(set, name))
    ? (names as Scope[])
    : undefined
}

async function issue(
  tx: Executor,
  { now }: Exchange,
  { grantId, family }: { grantId: number; family: string },
  accessScopes: readonly Scope[],
  refreshScopes: readonly Scope[],
): Promise<TokenResponse> {
  const access = createSecret('accessToken')
  const refresh = createSecret('refreshToken')
  const of = { grantId, family }
  const accessEnds = after(now, ACCESS_TOKEN_MS)
  await insertAccessToken(tx, { ...of, hash: access.hash, scopes: accessScopes, expiresAt: accessEnds })
  const refreshEnds = after(now, REFRESH_TOKEN_MS)
  await insertRefreshToken(tx, { ...of, hash: refresh.hash, scopes: refreshScopes, expiresAt: refreshEnds })
  await touchGrant(tx, grantId, after(now, 0))
  return {
    access_token: access.secret,
    refresh_token: refresh.secret,
    token_type: 'Bearer',
    expires_in: ACCESS_TOKEN_MS / 1000,
    scope: accessScopes.join(' '),
  }
}

export const newFamily = (): string => randomText(24)

const recordReuse = (
  tx: Executor,
  { client, now }: Exchange,
  kind: EventKind,
  subject: { id: string; username: string },
) =>
  recordEvent(tx, {
    kind,
    now: new Date(now),
    actor: null,
    subject,
    details: { app: appName(client.name, client.redirectUris[0]!) },
  })

/** A refusal may have effects that must be committed, so the transaction returns it as a value and this throws it. */
function settle(result: TokenResponse | OAuthError): TokenResponse {
  if (result instanceof OAuthError) throw result
  return result
}
