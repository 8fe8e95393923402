// The only place that checks passwords. Only a wrong one counts as an attempt, and beyond the limit nothing is hashed.
import type { Guesser, Limits, TakenTry } from '../access/limits.ts'
import { passwordMatches } from './passwords.ts'

export async function checkPassword(
  limits: Limits,
  guesser: Guesser,
  stored: string | null | undefined,
  password: string,
): Promise<boolean> {
  // Checked before queueing, or refused attempts would fill the queue.
  await limits.requireMayTry(guesser)
  const waiter = guesser.known === undefined ? 'stranger' : 'known'
  let taken: TakenTry | undefined
  let wrong = false
  try {
    // Checked again when its turn comes: other attempts may have failed meanwhile.
    const begin = async () => {
      taken = await limits.takeTry(guesser)
    }
    wrong = !(await passwordMatches(stored, password, { waiter, begin }))
    return !wrong
  } finally {
    if (!wrong) await taken?.giveBack()
  }
}
