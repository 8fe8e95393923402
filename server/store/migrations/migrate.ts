// Brings an engine's tables up to date: an append-only list, each entry applied once, in order. All that are due are one
// transaction: if one fails, the previous version still runs.
import { errorMessage } from '../../base/errors.ts'
import { columnTypes, mayRetry, storageProblem, withoutTimeouts } from '../engine/dialect.ts'
import type { Engine, Executor, Transaction } from '../engine/engine.ts'
import { foundation } from './001-foundation.ts'
import { oauth } from './002-oauth.ts'
import { demo } from './003-demo.ts'
import { bin } from './004-bin.ts'
import { notices } from './005-notices.ts'
import { reference } from './006-reference.ts'
import { changes } from './007-changes.ts'
import { webhooks } from './008-webhooks.ts'
import { feeds } from './009-feeds.ts'
import { imports } from './010-imports.ts'
import { intake } from './011-intake.ts'
import { lookups } from './012-lookups.ts'
import { history } from './013-history.ts'
import { trips } from './014-trips.ts'
import { tripOrigins } from './015-trip-origins.ts'
import { signIn } from './016-sign-in.ts'
import { severalMachines } from './017-several-machines.ts'
import { verifiedEmail } from './018-verified-email.ts'
import { importReceipts } from './019-import-receipts.ts'
import { largeIds } from './020-large-ids.ts'
import { notifications } from './021-notifications.ts'
import { keptPasses } from './022-kept-passes.ts'
import type { Migration } from './migration.ts'

export const migrations: readonly Migration[] = [
  foundation,
  oauth,
  demo,
  bin,
  notices,
  reference,
  changes,
  webhooks,
  feeds,
  imports,
  intake,
  lookups,
  history,
  trips,
  tripOrigins,
  signIn,
  severalMachines,
  verifiedEmail,
  importReceipts,
  largeIds,
  notifications,
  keptPasses,
]

/** Keeps the data as they are, for a way back. `db` sees what the migrations will see. */
export type KeepBefore = (engine: Engine, db: Executor) => Promise<void>

const keepNothing: KeepBefore = async () => {}

/** `keepBefore` runs before tables that are in use are changed, in the process that changes them; if it throws, they are not. */
export async function migrate(
  engine: Engine,
  list: readonly Migration[] = migrations,
  keepBefore = keepNothing,
): Promise<void> {
  const { text } = columnTypes[engine.kind]
  await engine.exclusively(async () => {
    await engine.transaction((tx) =>
      tx.execute(
        `create table if not exists migration (name ${text} primary key, applied_at ${text} not null)`,
      ),
    )
    const keepIfDue = async (db: Executor) => {
      const done = await listApplied(db)
      requireKnown(done, list)
      if (done.length > 0 && dueOf(list, done).length > 0) await keepBefore(engine, db)
    }
    // A server keeps other processes out until here, and needs its connections. A file does so in a transaction only.
    if (engine.kind === 'postgres') await keepIfDue(engine.read)
    await engine.transaction(async (tx) => {
      if (engine.kind === 'sqlite') await keepIfDue(tx)
      await applyMigrations(engine, tx, list)
    })
    requireKnown(await listApplied(engine.read), list)
  })
}

/** Applies those that are due. Checked inside the transaction, because several processes may start at once. */
export async function applyMigrations(
  engine: Engine,
  tx: Transaction,
  list: readonly Migration[],
): Promise<void> {
  const due = dueOf(list, await listApplied(tx))
  if (due.length > 0) for (const statement of withoutTimeouts[engine.kind]) await tx.execute(statement)
  for (const { name, statements } of due) {
    try {
      for (const statement of statements(columnTypes[engine.kind])) await tx.execute(statement)
    } catch (error) {
      throw storageProblem(error) === undefined && !mayRetry(error) ? new FailedMigration(name, error) : error
    }
    await tx.execute(
      `insert into migration (name, applied_at) values ('${name}', '${new Date().toISOString()}')`,
    )
  }
}

const dueOf = (list: readonly Migration[], done: readonly string[]): Migration[] =>
  list.filter(({ name }) => !done.includes(name))

/** Its own fault, not that of the disk or the connection. */
export class FailedMigration extends Error {
  constructor(name: string, cause: unknown) {
    const reason = errorMessage(cause)
    super(
      `the update ${name} failed: ${reason}; nothing was changed; go back to the previous version or report this`,
      { cause },
    )
  }
}

/** The data could not be kept as they are, so they were not changed. */
export class NotKept extends Error {}

/** In the order in which they were applied. */
export const listApplied = async (db: Executor): Promise<string[]> =>
  (await db.query('select name from migration order by name', [])).map((row) => row['name'] as string)

/** Throws if a newer version has changed the tables: this one must not write to them. */
export function requireKnown(applied: readonly string[], known = migrations): void {
  const unknown = applied.find((name) => !known.some((migration) => migration.name === name))
  if (unknown) {
    throw new Error(`the database was made by a newer Contrail (it has ${unknown}); update this one`)
  }
}
