// Brings an engine's tables up to date: an append-only list, each entry applied once, in order, as one transaction.
import { columnTypes } from './dialect.ts'
import type { Engine } from './engine.ts'
import { foundation } from './migrations/001-foundation.ts'
import { oauth } from './migrations/002-oauth.ts'
import { demo } from './migrations/003-demo.ts'

export interface Migration {
  name: string
  /** Statements in order; released migrations are never edited. */
  statements(types: (typeof columnTypes)['sqlite']): string[]
}

export const migrations: readonly Migration[] = [foundation, oauth, demo]

export async function migrate(engine: Engine, list: readonly Migration[] = migrations): Promise<void> {
  const { text } = columnTypes[engine.kind]
  await engine.exclusively(async () => {
    await engine.transaction((tx) =>
      engine.execute(
        tx,
        `create table if not exists migration (name ${text} primary key, applied_at ${text} not null)`,
      ),
    )
    for (const migration of list) {
      // Whether it is due is read inside the transaction: five processes may be starting at once.
      await engine.transaction(async (tx) => {
        const done = await tx.query('select name from migration', [])
        if (done.some((row) => row['name'] === migration.name)) return
        for (const statement of migration.statements(columnTypes[engine.kind]))
          await engine.execute(tx, statement)
        await engine.execute(
          tx,
          `insert into migration (name, applied_at) values ('${migration.name}', '${new Date().toISOString()}')`,
        )
      })
    }
  })
}
