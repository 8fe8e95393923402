// The first visitor could claim a fresh instance that is reachable from other machines. So set-up requires a token that is
// printed only in the server's log.
import { timingSafeEqual } from 'node:crypto'
import { createSecret, hashSecret } from '../../base/secret/secrets.ts'

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
