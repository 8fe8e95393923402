// POST /oauth/revoke (RFC 7009): revokes a single access token, or a refresh token with its whole family. Tokens that are
// unknown or belong to another client get the same response and are not touched.
import { hashSecret, secretKind } from '../../base/secret/secrets.ts'
import { appName } from '../../domain/text/names.ts'
import type { Services } from '../../door/services.ts'
import type { Parameters } from '../../pages/form.ts'
import { recordEvent } from '../../store/access/audit.ts'
import type { OAuthClient } from '../../store/access/oauth/clients.ts'
import { lockGrant } from '../../store/access/oauth/grants.ts'
import { deleteAccessToken, deleteFamily, findRefreshToken } from '../../store/access/oauth/tokens.ts'
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
    await services.store.transaction((tx) =>
      deleteAccessToken(tx, { hash: hashSecret(secret), clientId: client.id }),
    )
  }
  if (kind === 'refreshToken') await revokeFamily(services, client, hashSecret(secret), now)
}

async function revokeFamily(
  { store }: Pick<Services, 'store'>,
  client: OAuthClient,
  hash: string,
  now: Date,
): Promise<void> {
  await store.transaction(async (tx) => {
    const found = await findRefreshToken(tx, { hash })
    if (!found || found.clientId !== client.id) return
    const grant = await lockGrant(tx, { id: found.grantId })
    if (!grant) return
    await deleteFamily(tx, found.family)
    const subject = { id: found.userId, username: grant.username }
    const details = { app: appName(client.name, client.redirectUris[0]!), by: 'the app itself' }
    await recordEvent(tx, { kind: 'app.revoked', now, actor: null, subject, details })
  })
}
