// Browsers in which a person chose to skip the code after the password. The browser has a secret in a cookie, the
// database its hash.
import { createSecret, hashSecret, secretKind } from '../../base/secret/secrets.ts'
import { TRUSTED_BROWSER_MS } from '../../domain/accounts/sign-in.ts'
import type { Call } from '../../door/operation.ts'
import { insertTrustedBrowser, listTrustedBrowsers } from '../../store/accounts/second-factors.ts'

type Visit = Pick<Call, 'db' | 'now' | 'web'>

/** The number of people who can trust the same browser. */
const PEOPLE_AT_MOST = 5

const trustedSecrets = ({ web }: Pick<Visit, 'web'>): string[] =>
  (web?.step('trusted') ?? '')
    .split('~', PEOPLE_AT_MOST)
    .filter((secret) => secretKind(secret) === 'trustedBrowser')

/** Whether this person chose to skip the code in this browser. */
export async function isTrustedBrowser(visit: Visit, userId: string): Promise<boolean> {
  const hashes = new Set(trustedSecrets(visit).map(hashSecret))
  if (hashes.size === 0) return false
  return (await listTrustedBrowsers(visit.db, { userId, now: visit.now.toISOString() })).some((hash) =>
    hashes.has(hash),
  )
}

export async function trustThisBrowser(visit: Visit, userId: string): Promise<void> {
  const { db, now, web } = visit
  const { secret, hash } = createSecret('trustedBrowser')
  const expiresAt = new Date(now.getTime() + TRUSTED_BROWSER_MS).toISOString()
  await insertTrustedBrowser(db, { hash, userId, expiresAt })
  const kept = [secret, ...trustedSecrets(visit)].slice(0, PEOPLE_AT_MOST).join('~')
  web?.keepStep('trusted', kept, TRUSTED_BROWSER_MS)
}
