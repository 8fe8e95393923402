// The people whom the caller may name: those on the caller's own flights, and everyone on this instance for those who may list them.
import * as z from 'zod'
import { credentialWith, operation } from '../operation.ts'
import { type KnownPerson, peopleKnownTo } from '../resolve/people.ts'
import { list, onePage, strictQuery } from './schemas.ts'

const PersonKnown = z
  .object({
    id: z.string().nullable().describe('Of a user; null for a guest, who has only a name.'),
    username: z.string().nullable(),
    name: z.string(),
    flights: z.int().describe('How many flights you have together, without cancelled ones.'),
    lastDate: z
      .string()
      .nullable()
      .describe('Of the last of them, as far as it is known: YYYY-MM-DD, YYYY-MM or YYYY.'),
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
    quotes: ['data.name'],
    says: ({ data }) =>
      data.length === 0 ? 'There is no other person on these flights.' : data.map(shown).join('\n'),
  },
  run: async (call) => onePage((await peopleKnownTo(call)).others.map(view)),
})

const view = ({ userId, username, name, flights, lastDate }: KnownPerson): z.input<typeof PersonKnown> => ({
  ...{ id: userId, username: username ?? null, name, flights, lastDate },
})

const shown = ({ username, name, flights, lastDate }: z.output<typeof PersonKnown>): string => {
  const count = `${flights} ${flights === 1 ? 'flight' : 'flights'} together`
  return `${name} (${username === null ? 'guest' : `@${username}`}): ${count}${lastDate === null ? '' : `, last ${lastDate}`}`
}
