// A dry run does everything that a real one does and keeps nothing.
import type { Transaction } from '../store/store.ts'

type Work<Found> = (tx: Transaction) => Promise<Found>

class RolledBack extends Error {}

/** What the work returns; of a dry run the transaction is rolled back. */
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
