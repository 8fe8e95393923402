// A part of a transaction that may fail alone. Both engines have the same statements for it.
import type { Transaction } from './engine.ts'

/** Runs `work`; if it throws, what it wrote is rolled back and the transaction goes on. */
export async function inSavepoint<Result>(tx: Transaction, work: () => Promise<Result>): Promise<Result> {
  await tx.execute('savepoint part')
  try {
    const result = await work()
    await tx.execute('release savepoint part')
    return result
  } catch (error) {
    await rollBack(tx, error)
    throw error
  }
}

/** If the whole transaction is gone already, as on a full disk, the first error says why. */
async function rollBack(tx: Transaction, reason: unknown): Promise<void> {
  try {
    await tx.execute('rollback to savepoint part')
    await tx.execute('release savepoint part')
  } catch {
    throw reason
  }
}
