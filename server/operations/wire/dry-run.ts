// A dry run does the same as a real run, then rolls back.
import type { Transaction } from '../../store/store.ts'

type Work<Found> = (tx: Transaction) => Promise<Found>

class RolledBack extends Error {}

/** Returns the result of the work; a dry run rolls the transaction back. */
export async function orDryRun<Found>(
  isDry: boolean,
  inTransaction: (work: Work<Found>) => Promise<Found>,
  work: Work<Found>,
): Promise<Found> {
  let found: [Found] | undefined
  try {
    return await inTransaction(async (tx) => {
      const value = await work(tx)
      if (!isDry) return value
      found = [value]
      throw new RolledBack('a dry run keeps nothing')
    })
  } catch (error) {
    if (error instanceof RolledBack && found) return found[0]
    throw error
  }
}
