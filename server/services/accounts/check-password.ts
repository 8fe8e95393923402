// The only place that checks passwords. Only a wrong one counts as an attempt, and beyond the limit nothing is hashed.
import type { Guesser, Limits } from '../access/limits.ts'
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
  // Checked again when its turn comes: other attempts may have failed meanwhile. A try is given back before the turn ends, so
  // that right passwords that are sent concurrently do not use up the limit.
  async function guard(check: () => Promise<boolean>): Promise<boolean> {
    const taken = await limits.takeTry(guesser)
    let isWrong = false
    try {
      isWrong = !(await check())
      return !isWrong
    } finally {
      if (!isWrong) await taken.giveBack()
    }
  }
  return passwordMatches(stored, password, { waiter, guard })
}
