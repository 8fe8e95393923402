// Browsers in which a person chose not to be asked for a code after the password. The browser keeps a secret in a cookie, the
// database its hash.
import { createSecret, hashSecret, secretKind } from '../base/secrets.ts'
import { TRUSTED_BROWSER_MS } from '../domain/sign-in.ts'
import type { Call } from '../operation.ts'
import { insertTrustedBrowser, listTrustedBrowsers } from '../store/second-factors.ts'

type Visit = Pick<Call, 'db' | 'now' | 'web'>

/** How many people's trust one browser keeps. */
const PEOPLE_AT_MOST = 5

const trustedSecrets = ({ web }: Pick<Visit, 'web'>): string[] =>
  (web?.step('trusted') ?? '')
    .split('~', PEOPLE_AT_MOST)
    .filter((secret) => secretKind(secret) === 'trustedBrowser')

/** Whether this person chose not to be asked for a code in this browser. */
export async function isTrustedBrowser(visit: Visit, userId: string): Promise<boolean> {
  const hashes = new Set(trustedSecrets(visit).map(hashSecret))
  if (hashes.size === 0) return false
  return (await listTrustedBrowsers(visit.db, userId, visit.now.toISOString())).some((hash) =>
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
