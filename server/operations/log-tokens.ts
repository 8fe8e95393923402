// The token of a log that a browser keeps: up to which change it is complete, and a fingerprint of everything else it
// was made from. A token of another person, of another version or from before a rename or a restore has another
// fingerprint. Tokens hold no secret, and a forged one reads nothing but the caller's own log.
import { hash } from 'node:crypto'
import { TOMBSTONE_DAYS } from '../domain/changes.ts'
import type { Call } from '../operation.ts'
import { type AudienceInput, audienceOf } from './audience.ts'

type LogCall = Call<AudienceInput>

const DAY_MS = 86_400_000

/** Days since 1970. */
export const dayOf = (now: Date): number => Math.floor(now.getTime() / DAY_MS)

/** A restore increments both revisions, so it needs no part of its own. */
function fingerprintOf({ principal, input, services }: LogCall): string {
  const { people, reference } = principal.revisions
  const audience = audienceOf(principal, input) ?? '*'
  return hash('sha1', `${services.version}/${audience}/${people}.${reference}`, 'base64url')
}

export const writeLogToken = (call: LogCall, number: number): string =>
  `${fingerprintOf(call)}.${number}.${dayOf(call.now)}`

/** The number of the last change that the token's log contains; undefined if only the whole log will do. */
export function readLogToken(call: LogCall, token: string | undefined): number | undefined {
  const [, fingerprint, number, day] = /^([\w-]{27})\.(\d{1,15})\.(\d{1,6})$/.exec(token ?? '') ?? []
  if (fingerprint !== fingerprintOf(call)) return undefined
  // Removals are remembered for a limited time; a day less, because both days are rounded.
  const age = dayOf(call.now) - Number(day)
  return age >= 0 && age < TOMBSTONE_DAYS - 1 ? Number(number) : undefined
}
