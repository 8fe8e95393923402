// POST /oauth/register: dynamic client registration (RFC 7591). It is open to everyone, so requests are small and
// rate-limited, and unused clients are deleted.
import { randomBytes } from 'node:crypto'
import * as z from 'zod'
import { AppError } from '../../base/errors.ts'
import { createSecret } from '../../base/secret/secrets.ts'
import { isScope } from '../../domain/access/access.ts'
import { messageOf } from '../../domain/reasons.ts'
import { nameFault } from '../../domain/text/names.ts'
import type { Services } from '../../door/services.ts'
import {
  deleteUnusedClientsBeyond,
  type OAuthClient,
  upsertClient,
} from '../../store/access/oauth/clients.ts'
import { parseJson } from '../body.ts'
import { OAuthError } from './errors.ts'
import { after, UNUSED_CLIENT_MS } from './lifetimes.ts'
import { redirectUriFault } from './redirect-uris.ts'

export const UNUSED_CLIENTS_AT_MOST = 1000

export const ClientName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .superRefine((name, context) => {
    const fault = nameFault(name)
    if (fault) context.addIssue(messageOf(fault))
  })

export const RedirectUris = z
  .array(
    z.string().superRefine((uri, context) => {
      const fault = redirectUriFault(uri)
      if (fault) context.addIssue(fault)
    }),
  )
  .min(1)
  .max(10)
  .transform((uris) => [...new Set(uris)])

const shortText = z.string().max(200)
const webAddress = z
  .string()
  .max(2000)
  .refine((text) => /^https?:\/\//i.test(text) && URL.canParse(text), 'must be a web address')

const ClientMetadata = z.object({
  client_name: ClientName.optional(),
  redirect_uris: RedirectUris,
  token_endpoint_auth_method: z.enum(['none', 'client_secret_post', 'client_secret_basic']).default('none'),
  grant_types: z
    .array(z.enum(['authorization_code', 'refresh_token']))
    .max(10)
    .optional(),
  response_types: z.array(z.literal('code')).max(10).optional(),
  application_type: z.enum(['web', 'native']).optional(),
  client_uri: webAddress.optional(),
  logo_uri: webAddress.optional(),
  scope: z.string().max(2000).optional(),
  software_id: shortText.optional(),
  software_version: shortText.optional(),
})

export async function register(services: Services, body: unknown, contentType: string | undefined) {
  const metadata = requireMetadata(await readJson(body, contentType))
  const { grant_types, response_types, scope, ...kept } = metadata
  const now = services.clock.now()
  const secret = metadata.token_endpoint_auth_method === 'none' ? undefined : createSecret('clientSecret')
  const client: OAuthClient = {
    id: `client_${randomBytes(18).toString('base64url')}`,
    source: 'registration',
    // The name is optional (RFC 7591); without one, pages show the host of the redirect URI.
    name: metadata.client_name ?? '',
    redirectUris: metadata.redirect_uris,
    authMethod: metadata.token_endpoint_auth_method,
    secretHash: secret?.hash ?? null,
  }
  await services.store.transaction((tx) => insertUnused(tx, client, now))
  return {
    client_id: client.id,
    client_id_issued_at: Math.floor(now / 1000),
    ...(secret ? { client_secret: secret.secret, client_secret_expires_at: 0 } : {}),
    ...kept,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    ...(scope === undefined ? {} : { scope: scope.split(/\s+/).filter(isScope).join(' ') }),
  }
}

/** Keeps the client for a day, or permanently once a user approves it. */
export async function insertUnused(
  tx: Parameters<typeof upsertClient>[0],
  client: OAuthClient,
  now: number,
): Promise<void> {
  await upsertClient(tx, client, after(now, 0), after(now, UNUSED_CLIENT_MS))
  await deleteUnusedClientsBeyond(tx, { keep: UNUSED_CLIENTS_AT_MOST })
}

async function readJson(body: unknown, contentType: string | undefined): Promise<unknown> {
  try {
    return await parseJson(body, contentType)
  } catch (error) {
    if (error instanceof AppError) throw new OAuthError('invalid_client_metadata', error.message)
    throw error
  }
}

function requireMetadata(body: unknown): z.output<typeof ClientMetadata> {
  const parsed = ClientMetadata.safeParse(body)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  const field = issue.path.join('.')
  throw new OAuthError(
    issue.path[0] === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata',
    field ? `${field}: ${issue.message}` : issue.message,
  )
}
