/** Whose flights the screens show, as in their addresses: `people=all`, or ids of users; absent means oneself. */

import type { Audience, LogPayload, LogScope } from '../api/flights-of-log.ts'

const EVERYONE = 'all'

const screens = /^\/(flights|countries|stats(\/.*)?)?$/
/** Whether the address of a screen says whose flights it shows. On other screens the selection stays the same. */
export const showsFlights = (path: string): boolean => screens.test(path)

export function scopeIn(people: string, me: string): LogScope {
  if (people === EVERYONE) return { scope: 'all' }
  const ids = [...new Set(people.split(',').filter(Boolean))]
  return scopeOf(ids, me)
}

/** The people with these ids; oneself if there are none. */
export function scopeOf(ids: readonly string[], me: string): LogScope {
  const [first = me, ...others] = ids
  if (others.length > 0) return { scope: 'several', userIds: [first, ...others] }
  return first === me ? { scope: 'mine' } : { scope: 'user', userId: first }
}

/** The people in a scope; null for everyone. */
export function peopleIn({ scope, userId, userIds }: LogScope, me: string): readonly string[] | null {
  if (scope === 'all') return null
  return scope === 'several' ? (userIds ?? []) : [scope === 'user' ? (userId ?? me) : me]
}

/** Whose seats, classes and reasons count: those of these people, or in everyone's log those of every passenger. */
export function countedIn(scope: LogScope, me: string): (passenger: { user: string | null }) => boolean {
  const people = peopleIn(scope, me)
  return ({ user }) => people === null || (user !== null && people.includes(user))
}

/** As in the address; empty for oneself. */
export function peopleText(scope: LogScope, me: string): string {
  if (scope.scope === 'mine') return ''
  return peopleIn(scope, me)?.join(',') ?? EVERYONE
}

/** The logs that a scope consists of. */
export const audiencesOf = (scope: LogScope, me: string): Audience[] =>
  peopleIn(scope, me)?.map((id) => (id === me ? { scope: 'mine' } : { scope: 'user', userId: id })) ?? [
    { scope: 'all' },
  ]

/** Several logs as one. A flight shared by several people is in it once. */
export function unionOf(logs: readonly LogPayload[]): LogPayload {
  const [first, ...others] = logs
  if (!first || others.length === 0) return first!
  const flights = new Map(logs.flatMap((log) => log.flights.map((flight) => [flight.id, flight])))
  return {
    ...first,
    of: null,
    flights: [...flights.values()],
    airports: Object.assign({}, ...logs.map(({ airports }) => airports)),
    airlines: Object.assign({}, ...logs.map(({ airlines }) => airlines)),
    aircraft: Object.assign({}, ...logs.map(({ aircraft }) => aircraft)),
    users: Object.assign({}, ...logs.map(({ users }) => users)),
    homes: Object.assign({}, ...logs.map(({ homes }) => homes)),
  }
}
