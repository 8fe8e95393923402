// Whose flights a list, an export or statistics are about, and whether the caller may see them.

import { badRequest } from '../../base/errors.ts'
import { type FlightAction, flightScope } from '../../domain/access/access.ts'
import type { FlightScope } from '../../domain/enums.ts'
import { handleIn } from '../../domain/people/names.ts'
import { recordOf } from '../../domain/reference/resolution.ts'
import type { Call } from '../../door/operation.ts'
import { type Principal, requireScope } from '../../services/access/principal.ts'
import { resolvePerson } from '../../services/reference/resolve/people.ts'
import { CHANGES, EVERYONE, flightsOf, namesOn, readRevisions } from '../../store/engine/revisions.ts'
import { existingPeople } from '../../store/people/people.ts'

export interface AudienceInput {
  scope: FlightScope
  userId?: string | undefined
}

/** The user whose flights are requested; null means everyone's. */
export function audienceOf(principal: Principal, input: AudienceInput): string | null {
  if (input.scope === 'all') return null
  if (input.scope === 'mine') return principal.user.id
  if (!input.userId) throw badRequest('user_id_required')
  return input.userId
}

/** Own flights need the own scope, all others the any scope. A missing scope is an error; nothing is left out silently. */
export function requireAudience(principal: Principal, input: AudienceInput, action: FlightAction): void {
  const own = audienceOf(principal, input) === principal.user.id
  requireScope(principal, flightScope(action, own ? 'own' : 'any'))
}

/** Also checks that the user exists, because an empty log would hide a typo. Only callers with the any scope can find out. */
export async function requireKnownAudience(call: Call<AudienceInput>, action: FlightAction): Promise<void> {
  const { principal, input, db } = call
  // If `userId` were ignored here, the caller might take these flights for that user's.
  if (input.userId !== undefined && input.scope !== 'user' && !isOwnLog(principal, input))
    throw badRequest('user_id_without_user_scope')
  requireAudience(principal, input, action)
  const userId = audienceOf(principal, input)
  if (userId === null || userId === principal.user.id) return
  if (!(await existingPeople(db, [userId])).has(userId)) throw badRequest('user_id_unknown')
}

/** The id of the user with this id or user name; other texts are returned as they are, to be rejected as unknown. */
export async function userIdOf(db: Call['db'], text: string): Promise<string> {
  if ((await existingPeople(db, [text])).has(text)) return text
  return recordOf(await resolvePerson(db, handleIn(text) ?? text))?.id ?? text
}

const isOwnLog = ({ user }: Principal, { scope, userId }: AudienceInput): boolean =>
  scope === 'mine' && userId === user.id

/**
 * The cache key for reading these flights. Includes the caller, because external ids are private. Records are covered
 * as far as these flights refer to them; if you read others too, add `revisions.reference`.
 */
export async function audienceRevision(call: Call<AudienceInput>): Promise<string> {
  const { principal, input, db } = call
  const audience = audienceOf(principal, input)
  if (audience === principal.user.id) return ownRevision(principal)
  const { presentation } = principal.revisions
  const counters = audience === null ? [CHANGES, namesOn(EVERYONE)] : [flightsOf(audience), namesOn(audience)]
  const others = await readRevisions(db, counters)
  return `${audience ?? EVERYONE}/${principal.user.id}@${others.join('.')}.${presentation}`
}

/** The same for the caller's own flights. */
export const ownRevision = ({ user, revisions: { flights, names, presentation } }: Principal): string =>
  `${user.id}@${flights}.${names}.${presentation}`

/** The revision of the names that these flights show: of people, records and custom fields. */
export async function namesRevision({ principal, input, db }: Call<AudienceInput>): Promise<string> {
  const audience = audienceOf(principal, input)
  const { names, presentation } = principal.revisions
  if (audience === principal.user.id) return `${names}.${presentation}`
  return `${(await readRevisions(db, [namesOn(audience ?? EVERYONE)]))[0]}.${presentation}`
}
