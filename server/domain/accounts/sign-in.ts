// The ways to sign in, and how long each step of a sign-in is valid.
import { DAY, MINUTE } from '../time/durations.ts'

/** How a session began. `account`: by creating the account, at set-up or by an invitation. */
export const signInWays = ['password', 'passkey', 'provider', 'account'] as const
export type SignInWay = (typeof signInWays)[number]

/** For this long after a person confirmed their identity, they need not confirm it again. */
export const CONFIRMED_MS = 5 * MINUTE
/** This many wrong codes within a day cause a notice. */
export const WRONG_CODES_NOTICED = 10
/** After the password, while the code of the second factor is missing. */
export const SECOND_FACTOR_STEP_MS = 10 * MINUTE
/** For the way to the provider and back, or for entering the local password to link an account. */
export const PROVIDER_STEP_MS = 10 * MINUTE
export const PASSKEY_CHALLENGE_MS = 5 * MINUTE
export const PASSKEYS_AT_MOST = 10
export const TRUSTED_BROWSER_MS = 30 * DAY
export const INVITATION_MS = 7 * DAY
export const RESET_LINK_MS = DAY
export const RECOVERY_CODES = 10
/** How long a used code of the app is remembered: longer than it is valid, even if the clock is set back a little. */
export const USED_CODE_MS = 10 * MINUTE

/** The credentials that a person can sign in with. */
export interface WaysIn {
  password: boolean
  passkeys: number
  /** Linked to the provider that this instance uses now. */
  identities: number
  /** Required after the password. */
  secondFactor: boolean
}

/** A waiting time, in abbreviations that all our languages share. */
export const shortWait = (seconds: number): string =>
  seconds <= 120 ? `${seconds}\u00a0s` : `${Math.ceil(seconds / 60)}\u00a0min`

/** Passkeys work on https with a host name, and on localhost. */
export function passkeysWorkAt(origin: string): boolean {
  const { protocol, hostname } = new URL(origin)
  return hostname === 'localhost' || (protocol === 'https:' && !/^[\d.]+$|:/.test(hostname))
}
