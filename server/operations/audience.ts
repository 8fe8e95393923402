// Whose flights a list, an export or statistics are about, and whether the caller may see them.
import { type Principal, requireScope } from '../auth/principal.ts'
import { type FlightAction, flightScope } from '../domain/access.ts'
import { badRequest } from '../errors.ts'
import type { Call } from '../operation.ts'
import { ALL_FLIGHTS, flightsOf, readRevisions } from '../store/revisions.ts'

export interface Asked {
  scope: 'mine' | 'user' | 'all'
  userId?: string | undefined
}

/** The user whose flights are asked for; null means everybody's. */
export function audienceOf(principal: Principal, asked: Asked): string | null {
  if (asked.scope === 'all') return null
  if (asked.scope === 'mine') return principal.user.id
  if (!asked.userId) throw badRequest('userId parameter is required for user scope')
  return asked.userId
}

/** One's own flights need the own scope, anything else the any scope; both are refused, never masked. */
export function requireAudience(principal: Principal, asked: Asked, action: FlightAction): void {
  const own = audienceOf(principal, asked) === principal.user.id
  requireScope(principal, flightScope(action, own ? 'own' : 'any'))
}

/** Everything that a read of these flights depends on. */
export async function audienceRevision(call: Call<Asked>): Promise<string> {
  const { principal, input, db } = call
  const audience = audienceOf(principal, input)
  const { people, reference } = principal.revisions
  const flights =
    audience === principal.user.id
      ? principal.revisions.flights
      : (await readRevisions(db, [audience === null ? ALL_FLIGHTS : flightsOf(audience)]))[0]!
  return `${audience ?? '*'}@${flights}.${people}.${reference}`
}
