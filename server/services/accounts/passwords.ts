// Passwords: Argon2id, compared in constant time by the library, with the same work for an unknown user. Hashing runs on the
// threads that also compress and read files, so it uses two of them at most and other callers queue.
import { hash, verify } from '@node-rs/argon2'
import { createTurns, type Waiter } from '../../base/turns.ts'
import { tooMany } from '../access/limits.ts'

const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 }

/** The queues are a second or two of work. Known callers go first, so that unknown clients cannot delay them. */
const inTurn = createTurns({
  atOnce: 2,
  waitingAtMost: 32,
  refuse: () => tooMany('too_many_at_once', RETRY_AFTER_SECONDS),
})
const RETRY_AFTER_SECONDS = 5

export const hashPassword = (password: string): Promise<string> =>
  inTurn(() => hash(password.normalize('NFKC'), options))

/** The hash of a discarded password: verifying against it costs as much as a real one. */
const DECOY =
  '$argon2id$v=19$m=19456,t=2,p=1$1q/ZkV37z5w2BSVcOHjxlQ$SI+d0V6aumdhc0C8eIKXpISbhtcte9/jhTQvkfPs/a4'

/**
 * False for a wrong password and, after the same work, for a user who does not exist or has no password. `guard` runs when it is
 * this caller's turn, which ends with it. It calls `check`, or refuses by throwing.
 */
export async function passwordMatches(
  stored: string | null | undefined,
  password: string,
  { waiter, guard }: { waiter: Waiter; guard(check: () => Promise<boolean>): Promise<boolean> },
): Promise<boolean> {
  const check = async () => (await verify(stored ?? DECOY, password.normalize('NFKC'))) && Boolean(stored)
  return inTurn(() => guard(check), waiter)
}
