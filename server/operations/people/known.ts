// The people whom the caller may name: those on their own flights, and everyone here if they may list users.

import * as z from 'zod'
import { writtenDate } from '../../domain/time/calendar.ts'
import { type Call, credentialWith, operation } from '../../door/operation.ts'
import { peopleKnownTo } from '../../services/reference/resolve/people.ts'
import { loadCountedLog } from '../flights/flown.ts'
import { list, onePage, strictQuery } from '../wire/schemas.ts'

const PersonKnown = z
  .object({
    id: z.string().nullable().describe('Of a user; null for a guest, who has only a name.'),
    username: z.string().nullable(),
    name: z.string(),
    flights: z.int().describe('Flown together, as in a comparison.'),
    lastDate: z
      .string()
      .nullable()
      .describe('Of the last of these, as far as it is known: YYYY-MM-DD, YYYY-MM or YYYY.'),
    upcoming: z.int().describe('Still to come, without cancelled ones.'),
  })
  .meta({ id: 'KnownPerson' })

export const listPeople = operation({
  id: 'list-people',
  method: 'GET',
  path: '/people',
  tag: 'Flights',
  summary: 'List the people you fly with',
  description:
    'Users and guests on your flights, those with the most flights first. With `users.directory.read`, the other users of this instance too. You are not among them.',
  access: credentialWith(['flight.read.own'], ['users.directory.read']),
  query: strictQuery({}),
  output: list(PersonKnown),
  tool: {
    title: 'List people',
    description:
      'Users of this instance and guests, with the number of flights together and the last date; without the right to list users, those on the person’s flights. Other tools take their names as they are; call it for questions such as "who do I fly with most?" or when a name is unknown or ambiguous.',
    says: ({ data }) =>
      data.length === 0 ? 'These flights have no other passengers.' : data.map(shown).join('\n'),
  },
  async run(call) {
    const { others } = await peopleKnownTo(call)
    const together = await flightsTogether(call)
    const people = others.map((person) => ({
      ...{ id: person.userId, username: person.username ?? null, name: person.name },
      ...(together.get(keyOf(person.userId, person.name)) ?? none),
    }))
    return onePage(people.toSorted((a, b) => b.flights - a.flights || b.upcoming - a.upcoming))
  },
})

type Together = Pick<z.input<typeof PersonKnown>, 'flights' | 'lastDate' | 'upcoming'>
const none: Together = { flights: 0, lastDate: null, upcoming: 0 }

const keyOf = (userId: string | null, guestName: string | null) => userId ?? `guest ${guestName}`

/** By person, from the caller's log, which is newest first. */
async function flightsTogether(call: Call): Promise<Map<string, Together>> {
  const { user, revisions } = call.principal
  const { flights, completions } = await loadCountedLog(call, user.id, revisions.reference, undefined)
  const together = new Map<string, Together>()
  for (const [i, flight] of flights.entries()) {
    const isFlown = completions[i]! < call.now.getTime()
    for (const key of new Set(flight.passengers.map(({ userId, guestName }) => keyOf(userId, guestName)))) {
      const before = together.get(key) ?? none
      together.set(key, {
        flights: before.flights + (isFlown ? 1 : 0),
        lastDate: before.lastDate ?? (isFlown ? writtenDate(flight) : null),
        upcoming: before.upcoming + (isFlown ? 0 : 1),
      })
    }
  }
  return together
}

const shown = ({ username, name, flights, lastDate, upcoming }: z.output<typeof PersonKnown>): string =>
  [
    `${name} (${username === null ? 'guest' : `@${username}`}): ${flights} ${flights === 1 ? 'flight' : 'flights'} together`,
    ...(lastDate === null ? [] : [`last ${lastDate}`]),
    ...(upcoming === 0 ? [] : [`${upcoming} upcoming`]),
  ].join(', ')
