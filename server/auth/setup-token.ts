// On a fresh instance that is reachable from beyond this machine, whoever comes first would own it. So the first
// set-up asks for a token that only someone who can read the server's log knows.
import { timingSafeEqual } from 'node:crypto'
import { createSecret, hashSecret } from '../base/secrets.ts'

export interface SetupToken {
  /** For the log, once. */
  readonly secret: string
  matches(given: string): boolean
}

export const createSetupToken = (): SetupToken => setupTokenFrom(createSecret('setupToken').secret)

/** The token that another process of this instance has made. */
export function setupTokenFrom(secret: string): SetupToken {
  const hash = hashSecret(secret)
  return {
    secret,
    matches: (given) => timingSafeEqual(Buffer.from(hashSecret(given.trim())), Buffer.from(hash)),
  }
}
