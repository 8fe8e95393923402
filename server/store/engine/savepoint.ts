// A part of a transaction that may fail on its own. The statements are the same on both engines.
import type { Transaction } from './engine.ts'

/** Runs `work`; if it throws, its writes are rolled back and the transaction continues. */
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

/** If the whole transaction was already rolled back, as on a full disk, the first error has the cause. */
async function rollBack(tx: Transaction, reason: unknown): Promise<void> {
  try {
    await tx.execute('rollback to savepoint part')
    await tx.execute('release savepoint part')
  } catch {
    throw reason
  }
}
