// Every password that is checked is checked here. Only a wrong one counts as an attempt, and beyond the limit nothing is
// hashed.
import type { Guesser, Limits } from './limits.ts'
import { passwordMatches } from './passwords.ts'

export async function checkPassword(
  limits: Limits,
  guesser: Guesser,
  stored: string | null | undefined,
  password: string,
): Promise<boolean> {
  // Before queueing, or refused attempts would fill the queue.
  limits.requireMayTry(guesser)
  const queue = guesser.known === undefined ? 'strangers' : 'known'
  let taken: { giveBack(): void } | undefined
  let wrong = false
  try {
    // Again when its turn comes: other attempts may have failed meanwhile.
    const begin = () => {
      taken = limits.takeTry(guesser)
    }
    wrong = !(await passwordMatches(stored, password, { queue, begin }))
    return !wrong
  } finally {
    if (!wrong) taken?.giveBack()
  }
}
