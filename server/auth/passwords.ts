// Passwords: Argon2id, compared in constant time by the library, with the same work done for an unknown user. The work
// is done by the threads that also compress and read files, so it takes two of them at most and other callers queue.
import { hash, verify } from '@node-rs/argon2'
import { tooMany } from './limits.ts'

const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 }

const AT_ONCE = 2
/** In each queue: a second or two of work. Later requests are refused with 429. */
const WAITING_AT_MOST = 32
const RETRY_AFTER_SECONDS = 5

/** Known callers go first, so that unknown clients cannot delay them. */
type Queue = 'known' | 'strangers'
const waiting: Record<Queue, (() => void)[]> = { known: [], strangers: [] }
let running = 0

/** Runs the work when its turn has come; throws if too many wait already. */
async function inTurn<Result>(queue: Queue, work: () => Promise<Result>): Promise<Result> {
  if (running < AT_ONCE) running++
  else await place(queue)
  try {
    return await work()
  } finally {
    // The next in the queue takes over this place.
    const next = waiting.known.shift() ?? waiting.strangers.shift()
    if (next) next()
    else running--
  }
}

function place(queue: Queue): Promise<void> {
  if (waiting[queue].length >= WAITING_AT_MOST) throw tooMany('too_many_at_once', RETRY_AFTER_SECONDS)
  return new Promise((resolve) => waiting[queue].push(resolve))
}

export const hashPassword = (password: string): Promise<string> =>
  inTurn('known', () => hash(password.normalize('NFKC'), options))

/** A hash of a password that was thrown away: verifying against it costs what a real one costs. */
const DECOY =
  '$argon2id$v=19$m=19456,t=2,p=1$1q/ZkV37z5w2BSVcOHjxlQ$SI+d0V6aumdhc0C8eIKXpISbhtcte9/jhTQvkfPs/a4'

/**
 * False for a wrong password and, after the same work, for a user that does not exist or has none. `begin` is called
 * when the turn has come, and may refuse by throwing.
 */
export async function passwordMatches(
  stored: string | null | undefined,
  password: string,
  { queue, begin }: { queue: Queue; begin(): void },
): Promise<boolean> {
  return inTurn(queue, async () => {
    begin()
    const matches = await verify(stored ?? DECOY, password.normalize('NFKC'))
    return matches && Boolean(stored)
  })
}
