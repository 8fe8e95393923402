// On a fresh instance that is reachable from other machines, the first visitor could claim it. So the first set-up
// requires a token that is printed in the server's log only.
import { timingSafeEqual } from 'node:crypto'
import { createSecret, hashSecret } from '../base/secrets.ts'

export interface SetupToken {
  /** Printed in the log once. */
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
