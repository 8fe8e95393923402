// Signing out here and at the identity provider: signing out here continues there, and signing out there ends the
// sessions here.

import { createSecret, hashSecret } from '../../base/secret/secrets.ts'
import { PROVIDER_STEP_MS } from '../../domain/accounts/sign-in.ts'
import type { Call } from '../../door/operation.ts'
import type { Services } from '../../door/services.ts'
import { LOGOUT_TOKEN_SECONDS, type LogoutClaims } from '../../services/accounts/logout-token.ts'
import { findSessionOrigin, listSessionsOfProvider } from '../../store/accounts/identities.ts'
import { findOneTime, insertOneTime, takeOneTime } from '../../store/accounts/one-time.ts'
import { deleteSession } from '../../store/accounts/sessions.ts'
import { recordBy } from '../access/authority.ts'

export const ID_TOKEN_SEAL = 'id token'

/** Called before a session that began at the provider ends: the next page leads to sign-out there. */
export async function keepWayOut({
  principal,
  db,
  now,
  web,
  services,
}: Pick<Call, 'principal' | 'db' | 'now' | 'web' | 'services'>): Promise<void> {
  const origin = await findSessionOrigin(db, { id: Number(principal.credentialId) })
  if (!origin || origin.issuer !== services.provider?.issuer) return
  const { secret, hash } = createSecret('step')
  const expiresAt = new Date(now.getTime() + PROVIDER_STEP_MS).toISOString()
  const data = { idToken: origin.idToken }
  await insertOneTime(db, { purpose: 'sign-out', hash, browser: null, userId: null, data, expiresAt })
  web?.keepStep('signed-out', secret, PROVIDER_STEP_MS)
}

/** Where to go after signing out, if the session began at the provider. An unreachable provider does not keep people here. */
export async function findWayOut(
  { services, now, web }: Pick<Call, 'services' | 'now' | 'web'>,
  backTo: string,
): Promise<string | undefined> {
  const { provider, store } = services
  const step = web?.step('signed-out')
  if (!provider || step === undefined) return undefined
  web?.keepStep('signed-out')
  const wanted = { purpose: 'sign-out', hash: hashSecret(step), now: now.toISOString() } as const
  const kept = await store.transaction((tx) => takeOneTime<{ idToken: string | null }>(tx, wanted))
  if (!kept) return undefined
  try {
    return await provider.signOutUrl(unsealed(services, kept.data.idToken), backTo)
  } catch {
    return undefined
  }
}

/** null if the instance secret was replaced. */
function unsealed({ secret }: Pick<Services, 'secret'>, sealed: string | null): string | null {
  try {
    return sealed === null ? null : secret.unseal(ID_TOKEN_SEAL, sealed)
  } catch {
    return null
  }
}

/** Ends the sessions that belong to the provider's ended session. False if this was reported before. */
export async function endSessionsOfProvider(
  { services, now, web }: Pick<Call, 'services' | 'now' | 'web'>,
  { id, subject, session }: LogoutClaims,
): Promise<boolean> {
  const issuer = services.provider!.issuer
  const token = { purpose: 'logout-token', hash: hashSecret(`${issuer} ${id}`) } as const
  return services.store.transaction(async (tx) => {
    if (await findOneTime(tx, { ...token, now: now.toISOString() })) return false
    const expiresAt = new Date(now.getTime() + 2 * LOGOUT_TOKEN_SECONDS * 1000).toISOString()
    await insertOneTime(tx, { ...token, browser: null, userId: null, data: {}, expiresAt })
    const ended = await listSessionsOfProvider(tx, { issuer, subject, session })
    const people = Map.groupBy(ended, ({ userId }) => userId)
    for (const [userId, sessions] of people) {
      for (const each of sessions) await deleteSession(tx, { userId, id: each.id })
      const subjectOfEvent = { id: userId, username: sessions[0]!.username }
      const author = { now, actor: null, address: web?.address, via: 'provider' } as const
      await recordBy(author, tx, 'session.ended', {
        subject: subjectOfEvent,
        details: { count: sessions.length },
      })
    }
    return true
  })
}
