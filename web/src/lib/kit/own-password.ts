/** Whether a change needs the current password: it is not requested again within minutes of signing in. */
import type { paths } from '../../api/schema.d.ts'

type Account = paths['/account']['get']['responses'][200]['content']['application/json']['data']

/** `fresh`: not needed. `other`: a passkey or the provider can be used instead. */
export type Proof = 'fresh' | 'other' | 'password'

/** Until the account is known, the password is needed. */
export function proofOf(account: Account | null): Proof {
  if (account === null) return 'password'
  const { confirmedUntil, waysIn, passkeysWork, provider } = account
  if (confirmedUntil !== null && Date.parse(confirmedUntil) > Date.now()) return 'fresh'
  const hasPasskey = waysIn.passkeys > 0 && passkeysWork
  return hasPasskey || (waysIn.identities > 0 && provider) ? 'other' : 'password'
}
