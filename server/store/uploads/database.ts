// Uploads as database rows, for several machines that share only the database.
import { readFile } from 'node:fs/promises'
import { systemClock } from '../../base/clock.ts'
import { createTurns } from '../../base/turns.ts'
import { hasNoTable } from '../engine/dialect.ts'
import type { Executor } from '../engine/engine.ts'
import { first, query } from '../engine/query.ts'
import type { Store } from '../store.ts'
import type { UploadPlace } from './place.ts'

const upsert = query((db, p: { path: string; bytes: Uint8Array; now: string }) =>
  db
    .insertInto('upload')
    .values({ path: p.path, bytes: p.bytes, writtenAt: p.now })
    .onConflict((conflict) =>
      conflict.column('path').doUpdateSet((eb) => ({
        bytes: eb.ref('excluded.bytes'),
        writtenAt: eb.ref('excluded.writtenAt'),
      })),
    )
    .returning('path'),
)
const bytesOf = query((db, p: { path: string }) =>
  db.selectFrom('upload').select('bytes').where('path', '=', p.path),
)
const pathOf = query((db, p: { path: string }) =>
  db.selectFrom('upload').select('path').where('path', '=', p.path),
)
const deleteRow = query((db, p: { path: string }) =>
  db.deleteFrom('upload').where('path', '=', p.path).returning('path'),
)
const inFolder = query((db, p: { first: string; end: string }) =>
  db
    .selectFrom('upload')
    .select(['path', 'writtenAt'])
    .where('path', '>=', p.first)
    .where('path', '<', p.end),
)

export function keptInDatabase(store: Store): UploadPlace {
  // A row is sent as a whole, so only one file at a time is in memory.
  const inTurn = createTurns({ atOnce: 1, waitingAtMost: 0 })
  async function write(path: string, bytes: Uint8Array, tx?: Executor): Promise<void> {
    // The system time, as in a file system, even if the application's clock differs.
    const now = new Date(systemClock.now()).toISOString()
    const put = (db: Executor) => upsert(db, { path, bytes, now })
    await (tx ? put(tx) : store.transaction(put))
  }
  return {
    write,
    take: (path, file) => inTurn(async () => write(path, await readFile(file.path)), 'server'),
    async read(path) {
      const row = await first(bytesOf(store.read, { path }))
      return row && Buffer.from(row.bytes)
    },
    has: async (path, tx) => (await first(pathOf(tx ?? store.read, { path }))) !== undefined,
    remove: async (path) => void (await store.transaction((tx) => deleteRow(tx, { path }))),
    async list(folder) {
      // `0` comes after `/`.
      const rows = await inFolder(store.read, { first: `${folder}/`, end: `${folder}0` }).catch(noneIfNoTable)
      return rows.map(({ path, writtenAt }) => ({ path, writtenAt: Date.parse(writtenAt) }))
    },
  }
}

/** For a backup of tables that are not migrated yet. */
function noneIfNoTable(error: unknown): [] {
  if (hasNoTable(error)) return []
  throw error
}
