// Clients whose id is the https URL of a document that describes them (draft-ietf-oauth-client-id-metadata-document). The
// client chooses the URL, so: only public addresses, pinned once checked, no redirects, small, with a short timeout.
import type { IncomingMessage } from 'node:http'
import https from 'node:https'
import * as z from 'zod'
import type { Clock } from '../../base/clock.ts'
import {
  connectTo,
  createResolve,
  OutboundError,
  publicOnly,
  type Resolve,
  requireAddress,
} from '../../base/network/outbound.ts'
import { DAY, MINUTE } from '../../domain/time/durations.ts'
import type { OAuthClient } from '../../store/access/oauth/clients.ts'
import { ClientName, RedirectUris } from './register.ts'

const TIMEOUT_MS = 5_000
const BYTES_AT_MOST = 5 * 1024
const FRESH_AT_LEAST_MS = 30_000
const FRESH_AT_MOST_MS = DAY
const FRESH_BY_DEFAULT_MS = 5 * MINUTE
const CACHED_AT_MOST = 500
const FETCHES_AT_ONCE = 10

/** Access to other hosts; tests use their own. */
export interface Outside {
  resolve: Resolve
  /** GET over TLS to exactly this address. */
  fetch(url: URL, address: string): Promise<FetchedDocument>
}
interface FetchedDocument {
  status: number
  body: string
  cacheControl: string | undefined
}

/** Why a document was not accepted; shown to the user. */
export class DocumentError extends Error {}

export interface ClientDocuments {
  /** The client behind a client id URL. Throws DocumentError. */
  find(clientId: string): Promise<OAuthClient>
}

export const isDocumentId = (clientId: string): boolean => clientId.startsWith('https://')

export function createClientDocuments(clock: Clock, outside: Outside = internet()): ClientDocuments {
  const fresh = new Map<string, { client: OAuthClient; until: number }>()
  const underWay = new Map<string, Promise<OAuthClient>>()

  async function fetchClient(clientId: string): Promise<OAuthClient> {
    const url = requireDocumentUrl(clientId)
    const address = await requirePublicAddress(url, outside)
    const response = await outside.fetch(url, address).catch((error) => {
      throw error instanceof DocumentError ? error : new DocumentError('its URL could not be reached')
    })
    if (response.status !== 200)
      throw new DocumentError(`its address responded with status ${response.status}`)
    const client = readDocument(clientId, response.body)
    cache(clientId, client, freshFor(response.cacheControl))
    return client
  }

  function cache(clientId: string, client: OAuthClient, ms: number) {
    fresh.delete(clientId)
    for (const oldest of fresh.keys()) {
      if (fresh.size < CACHED_AT_MOST) break
      fresh.delete(oldest)
    }
    fresh.set(clientId, { client, until: clock.now() + ms })
  }

  return {
    async find(clientId) {
      const known = fresh.get(clientId)
      if (known && known.until > clock.now()) return known.client
      let fetching = underWay.get(clientId)
      if (!fetching) {
        if (underWay.size >= FETCHES_AT_ONCE) throw new DocumentError('the server is busy; try again shortly')
        fetching = fetchClient(clientId).finally(() => underWay.delete(clientId))
        underWay.set(clientId, fetching)
      }
      return fetching
    },
  }
}

function requireDocumentUrl(clientId: string): URL {
  const url = URL.canParse(clientId) ? new URL(clientId) : undefined
  const acceptable =
    url &&
    url.protocol === 'https:' &&
    !url.username &&
    !url.password &&
    !clientId.includes('#') &&
    url.pathname !== '/' &&
    clientId.length <= 1000 &&
    // The URL must be in normal form: no dot segments, no default port, no upper-case host.
    url.href === clientId
  if (!acceptable) throw new DocumentError('its URL must be an https URL with a path')
  return url
}

async function requirePublicAddress(url: URL, outside: Outside): Promise<string> {
  try {
    return await requireAddress(url, publicOnly, outside.resolve)
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    throw new DocumentError(
      error.reason === 'name_not_found'
        ? 'its host name could not be resolved'
        : 'its host is not on the public internet',
    )
  }
}

const Document = z.object({
  client_id: z.string(),
  client_name: ClientName,
  redirect_uris: RedirectUris,
  token_endpoint_auth_method: z.literal('none').default('none'),
})

function readDocument(clientId: string, body: string): OAuthClient {
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    throw new DocumentError('its document is not JSON')
  }
  const parsed = Document.safeParse(json)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!
    throw new DocumentError(`its document is invalid at ${issue.path.join('.') || 'the top level'}`)
  }
  if (parsed.data.client_id !== clientId)
    throw new DocumentError('its document contains a different client_id')
  if (Object.keys(json as object).some((name) => name.startsWith('client_secret'))) {
    throw new DocumentError('its document contains a secret')
  }
  const { client_name: name, redirect_uris: redirectUris } = parsed.data
  return { id: clientId, source: 'document', name, redirectUris, authMethod: 'none', secretHash: null }
}

function freshFor(cacheControl: string | undefined): number {
  if (/\bno-(store|cache)\b/i.test(cacheControl ?? '')) return FRESH_AT_LEAST_MS
  const seconds = /\bmax-age=(\d{1,9})\b/i.exec(cacheControl ?? '')?.[1]
  const wanted = seconds === undefined ? FRESH_BY_DEFAULT_MS : Number(seconds) * 1000
  return Math.min(Math.max(wanted, FRESH_AT_LEAST_MS), FRESH_AT_MOST_MS)
}

/** The real internet. `ca` is for tests with their own TLS hosts. */
export const internet = (options: { ca?: string; timeoutMs?: number } = {}): Outside => ({
  resolve: createResolve(options.timeoutMs ?? TIMEOUT_MS),
  fetch: (url, address) => fetchFrom(url, address, options),
})

function fetchFrom(
  url: URL,
  address: string,
  { ca, timeoutMs = TIMEOUT_MS }: { ca?: string; timeoutMs?: number },
): Promise<FetchedDocument> {
  return new Promise((resolve, reject) => {
    const request = https.get(
      url,
      {
        ...connectTo(address),
        signal: AbortSignal.timeout(timeoutMs),
        headers: { accept: 'application/json', 'user-agent': 'contrail' },
        ...(ca ? { ca } : {}),
      },
      (response) => readBody(response).then(resolve, reject),
    )
    request.on('error', () => reject(new DocumentError('its URL could not be reached')))
  })
}

async function readBody(response: IncomingMessage): Promise<FetchedDocument> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of response) {
      size += (chunk as Buffer).byteLength
      if (size > BYTES_AT_MOST) throw new DocumentError('its document is too large')
      chunks.push(chunk as Buffer)
    }
  } catch (error) {
    response.destroy()
    throw error instanceof DocumentError ? error : new DocumentError('its document could not be read')
  }
  return {
    status: response.statusCode ?? 0,
    body: Buffer.concat(chunks).toString(),
    cacheControl: response.headers['cache-control'],
  }
}
