// POST /oauth/revoke (RFC 7009): an access token is revoked alone, a refresh token with its whole family. An unknown
// token or another client's gets the same response and is left alone.
import { hashSecret, secretKind } from '../base/secrets.ts'
import { appName } from '../domain/names.ts'
import type { Services } from '../operation.ts'
import type { Parameters } from '../pages/form.ts'
import { recordEvent } from '../store/audit.ts'
import type { OAuthClient } from '../store/oauth-clients.ts'
import { lockGrant } from '../store/oauth-grants.ts'
import { deleteAccessToken, deleteFamily, findRefreshToken } from '../store/oauth-tokens.ts'
import { requireAuthenticatedClient } from './clients.ts'
import { invalidRequest } from './errors.ts'

export async function revoke(
  services: Services,
  form: Parameters,
  authorization: string | undefined,
): Promise<void> {
  const now = new Date(services.clock.now())
  const client = await requireAuthenticatedClient(services.store.read, form, authorization, now.toISOString())
  const secret = form.one('token')
  if (secret === undefined) throw invalidRequest('token is required')
  const kind = secretKind(secret)
  if (kind === 'accessToken') {
    await services.store.transaction((tx) => deleteAccessToken(tx, hashSecret(secret), client.id))
  }
  if (kind === 'refreshToken') await revokeFamily(services, client, hashSecret(secret), now)
}

async function revokeFamily(
  { store }: Services,
  client: OAuthClient,
  hash: string,
  now: Date,
): Promise<void> {
  await store.transaction(async (tx) => {
    const found = await findRefreshToken(tx, hash)
    if (!found || found.clientId !== client.id) return
    const grant = await lockGrant(tx, found.grantId)
    if (!grant) return
    await deleteFamily(tx, found.family)
    const subject = { id: found.userId, username: grant.username }
    const details = { app: appName(client.name, client.redirectUris[0]!), by: 'the app itself' }
    await recordEvent(tx, { kind: 'app.revoked', now, actor: null, subject, details })
  })
}
