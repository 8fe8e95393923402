// The first start: the person who sets up the instance becomes its owner.
import * as z from 'zod'
import { AppError, forbidden } from '../../base/errors.ts'
import { everyone, operation, takes } from '../../door/operation.ts'
import { hashPassword } from '../../services/accounts/passwords.ts'
import { ownerExists } from '../../store/people/people.ts'
import type { Executor, Store } from '../../store/store.ts'
import { type Author, type NamedPerson, orTaken } from '../access/authority.ts'
import { createPerson, DisplayName, NewPassword, Username } from '../people/create.ts'
import { nothing } from '../wire/schemas.ts'
import { setupTokenFor, startSession } from './sessions.ts'

export const setUp = operation({
  id: 'set-up',
  method: 'POST',
  path: '/setup',
  door: 'app',
  tag: 'Account',
  summary: 'Create the owner’s account on a new instance',
  access: everyone,
  body: takes(
    z.object({
      username: Username,
      displayName: DisplayName,
      password: NewPassword,
      token: z
        .string()
        .max(200)
        .optional()
        .describe('The one-time token that the server prints to its log at startup.'),
    }),
  ),
  output: nothing,
  status: 204,
  errors: ['conflict', 'forbidden', 'too_many_requests'],
  transaction: 'own',
  async run(call) {
    const { services, input, db, web, now } = call
    if (await ownerExists(db)) throw new AppError('conflict', 'already_set_up')
    const expected = setupTokenFor(call)
    if (expected && !expected.matches(input.token ?? '')) throw forbidden('setup_token_wrong')
    await createOwner(services.store, input, { now, address: web?.address }, (tx, owner) =>
      startSession({ ...call, db: tx }, owner.id, { way: 'account' }),
    )
  },
})

/** Creates the only owner, with everything in the same transaction. A second attempt is a conflict, even concurrently. */
export async function createOwner(
  store: Store,
  { username, displayName, password }: { username: string; displayName: string; password: string },
  author: Omit<Author, 'actor'> & Partial<Pick<Author, 'actor'>>,
  also?: (tx: Executor, owner: NamedPerson) => Promise<void>,
): Promise<void> {
  const passwordHash = await hashPassword(password)
  const owner = { username, displayName, passwordHash, role: null }
  await orTaken(
    store.transaction(async (tx) => {
      const created = await createPerson(tx, owner, author)
      await also?.(tx, created)
    }),
    'already_set_up',
  )
}
