// Writes that are sent without waiting for the one before: this process prepares the next rows while PostgreSQL stores these.
// SQLite runs statements synchronously, so nothing changes there.
import type { Executor } from './engine.ts'

/**
 * Runs `work`; its writes of many rows (bulk.ts) are sent in their order, and are done when this returns. Rejects with the error of
 * the first statement that failed: PostgreSQL refuses all later ones because of it.
 */
export async function pipelined<Result>(
  tx: Executor,
  work: (tx: Executor) => Promise<Result>,
): Promise<Result> {
  if (tx.kind === 'sqlite') return work(tx)
  const sent: Promise<void>[] = []
  let failed = null as { error: unknown } | null
  const later = (write: Promise<unknown>): void => {
    const done = write.then(
      () => undefined,
      (error) => {
        failed ??= { error }
      },
    )
    sent.push(done)
  }
  const result = await work({ ...tx, later }).catch(async (error) => {
    await Promise.all(sent)
    throw failed ? failed.error : error
  })
  await Promise.all(sent)
  if (failed) throw failed.error
  return result
}
