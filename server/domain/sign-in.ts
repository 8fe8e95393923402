// How people sign in: the ways, and how long each step of them is good for.

const SECOND = 1_000
const MINUTE = 60 * SECOND
const DAY = 86_400 * SECOND

/** How a session began. `account`: with the account itself, at set-up or by an invitation. */
export const signInWays = ['password', 'passkey', 'provider', 'account'] as const
export type SignInWay = (typeof signInWays)[number]

/** For this long after someone proved who they are, they are not asked again. */
export const CONFIRMED_MS = 5 * MINUTE
/** A password was right and the code of the second factor is still missing. */
/** So many wrong codes within a day are a notice. */
export const WRONG_CODES_NOTICED = 10
export const SECOND_FACTOR_STEP_MS = 10 * MINUTE
/** On the way to the provider and back, or while the local password is asked for to link an account. */
export const PROVIDER_STEP_MS = 10 * MINUTE
export const PASSKEY_CHALLENGE_MS = 5 * MINUTE
export const PASSKEYS_AT_MOST = 10
export const TRUSTED_BROWSER_MS = 30 * DAY
export const INVITATION_MS = 7 * DAY
export const RESET_LINK_MS = DAY
export const RECOVERY_CODES = 10
/** How long a used code of the app is remembered: longer than it is accepted, also if the clock is set back a little. */
export const USED_CODE_MS = 10 * MINUTE

/** What a person can sign in with. */
export interface WaysIn {
  password: boolean
  passkeys: number
  /** Linked at the provider that this instance uses now. */
  identities: number
  /** Asked for after the password. */
  secondFactor: boolean
}

/** How long to wait, in the abbreviations that all our languages share. */
export const shortWait = (seconds: number): string =>
  seconds <= 120 ? `${seconds}\u00a0s` : `${Math.ceil(seconds / 60)}\u00a0min`

/** Passkeys work on https with a name, and on this machine. */
export function passkeysWorkAt(origin: string): boolean {
  const { protocol, hostname } = new URL(origin)
  return hostname === 'localhost' || (protocol === 'https:' && !/^[\d.]+$|:/.test(hostname))
}
