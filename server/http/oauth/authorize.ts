// GET /oauth/authorize (RFC 6749 §4.1.1, RFC 7636, RFC 8707, RFC 9207). Until the redirect URI is known to belong to the
// client, errors are shown to the user; after that they are returned to the client. Anyone can register a client, so if no
// user has approved it yet, the user decides whether to follow the redirect (RFC 9700 §4.11).

import { hashSecret, randomText } from '../../base/secret/secrets.ts'
import { isScope, type Scope } from '../../domain/access/access.ts'
import type { Services } from '../../door/services.ts'
import type { Parameters } from '../../pages/form.ts'
import {
  findClient,
  insertRequest,
  isApprovedClient,
  type OAuthClient,
} from '../../store/access/oauth/clients.ts'
import { foreignKeyViolation } from '../../store/engine/dialect.ts'
import { type ClientDocuments, DocumentError, isDocumentId } from './client-documents.ts'
import { invalidRequest, OAuthError, oauthErrorFrom } from './errors.ts'
import { after, REQUEST_MS } from './lifetimes.ts'
import { isRegistered, withParameters } from './redirect-uris.ts'
import { insertUnused } from './register.ts'
import { findResource, type ProtectedResource } from './resources.ts'

/** An error that must not be redirected: the redirect URI is not known to be the client's. */
export class UntrustedRequest extends Error {}

interface AuthorizeParts {
  services: Services
  documents: ClientDocuments
}

/** The browser that sent the request, and its user if signed in. */
interface Visitor {
  browser: string
  userId: string | null
}

/** An error for the client, and whether the browser may be redirected without asking the user. */
interface Refusal {
  back: string
  message: string
  approved: boolean
}

/** Where the browser goes next: to the client with an error, or on with the stored request. */
type Onward = Refusal | { requestId: string }

export async function authorize(parts: AuthorizeParts, query: Parameters, visitor: Visitor): Promise<Onward> {
  const { origin } = parts.services.config
  const client = await requireClient(parts, query)
  const redirectUri = requireRedirectUri(query, client)
  try {
    const state = query.one('state') ?? null
    requireCodeResponse(query)
    const codeChallenge = requireCodeChallenge(query)
    const resource = requireResource(query, origin)
    const scopes = requireKnownScopes(query, resource)
    const request = { redirectUri, state, codeChallenge, resource: resource.url, scopes }
    return { requestId: await keep(parts.services, client, visitor, request) }
  } catch (error) {
    const known = oauthErrorFrom(error)
    if (!known) throw error
    const back = errorRedirect(origin, redirectUri, onlyState(query), known)
    const approved = await isApprovedClient(parts.services.store.read, client.id)
    return { back, message: known.message, approved }
  }
}

/** An authorization error response, with its issuer (RFC 9207). */
export const errorRedirect = (
  origin: string,
  redirectUri: string,
  state: string | null,
  { code, message }: OAuthError,
): string => withParameters(redirectUri, { error: code, error_description: message, state, iss: origin })

async function requireClient(
  { services, documents }: AuthorizeParts,
  query: Parameters,
): Promise<OAuthClient> {
  const id = onlyValue(query, 'client_id')
  if (!id) throw new UntrustedRequest('The app did not identify itself (client_id is missing or repeated).')
  const now = after(services.clock.now(), 0)
  if (!isDocumentId(id)) {
    const client = await findClient(services.store.read, { id, now })
    if (!client)
      throw new UntrustedRequest('This app is not registered here, or its registration has expired.')
    return client
  }
  if (!services.config.clientIdDocuments) {
    throw new UntrustedRequest('This server does not accept client ID metadata documents.')
  }
  return documents.find(id).catch((error: unknown) => {
    if (!(error instanceof DocumentError)) throw error
    throw new UntrustedRequest(`The metadata document of this app cannot be used: ${error.message}.`)
  })
}

function requireRedirectUri(query: Parameters, client: OAuthClient): string {
  const uri = onlyValue(query, 'redirect_uri')
  if (!uri) throw new UntrustedRequest('The app did not name the address to return to (redirect_uri).')
  if (!isRegistered(client.redirectUris, uri)) {
    throw new UntrustedRequest('The redirect_uri is not registered for this app.')
  }
  return uri
}

function requireCodeResponse(query: Parameters): void {
  const type = query.one('response_type')
  if (type === undefined) throw invalidRequest('response_type is required')
  if (type !== 'code') throw new OAuthError('unsupported_response_type', 'response_type must be code')
  const mode = query.one('response_mode')
  if (mode !== undefined && mode !== 'query') throw invalidRequest('response_mode must be query')
}

/** PKCE for every client, S256 only, and the method must be given: the default of RFC 7636 is `plain`. */
function requireCodeChallenge(query: Parameters): string {
  const challenge = query.one('code_challenge')
  if (challenge === undefined) throw invalidRequest('code_challenge is required')
  if (query.one('code_challenge_method') !== 'S256')
    throw invalidRequest('code_challenge_method must be S256')
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge)) {
    throw invalidRequest('code_challenge must be 43 base64url characters')
  }
  return challenge
}

function requireResource(query: Parameters, origin: string): ProtectedResource {
  const [given, ...more] = new Set(query.all('resource'))
  if (given === undefined) throw invalidRequest('resource is required')
  const resource = more.length === 0 ? findResource(origin, given) : undefined
  if (!resource) {
    throw new OAuthError('invalid_target', `resource must be ${origin}/api/v1 or ${origin}/api/mcp`)
  }
  return resource
}

function requireKnownScopes(query: Parameters, resource: ProtectedResource): Scope[] {
  const names = (query.one('scope') ?? '').split(/\s+/).filter(Boolean)
  if (names.length === 0) return [...resource.defaultScopes]
  if (!names.every(isScope)) throw new OAuthError('invalid_scope', 'A requested scope does not exist')
  return [...new Set(names)]
}

interface RequestedAccess {
  redirectUri: string
  state: string | null
  codeChallenge: string
  resource: string
  scopes: Scope[]
}

async function keep(
  { store, clock }: Pick<Services, 'store' | 'clock'>,
  client: OAuthClient,
  { browser, userId }: Visitor,
  requested: RequestedAccess,
): Promise<string> {
  const now = clock.now()
  const id = randomText(32)
  const request = { id, clientId: client.id, userId, browserHash: hashSecret(browser), ...requested }
  try {
    await store.transaction(async (tx) => {
      if (client.source === 'document') await insertUnused(tx, client, now)
      await insertRequest(tx, { ...request, expiresAt: after(now, REQUEST_MS) })
    })
  } catch (error) {
    // The client or the user was deleted concurrently.
    if (foreignKeyViolation(error)) throw new UntrustedRequest('This app is no longer registered here.')
    throw error
  }
  return id
}

const onlyValue = (query: Parameters, name: string): string | undefined => {
  const [value, ...more] = query.all(name)
  return more.length === 0 && !value?.includes('\u0000') ? value : undefined
}
const onlyState = (query: Parameters): string | null => onlyValue(query, 'state') ?? null
