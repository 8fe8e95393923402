// Uploads as rows of the database: several machines share nothing else then.
import { readFile } from 'node:fs/promises'
import { systemClock } from '../base/clock.ts'
import { createTurns } from '../base/turns.ts'
import type { Executor } from './engine.ts'
import { first, query } from './query.ts'
import type { Store } from './store.ts'
import type { UploadPlace } from './upload-place.ts'

const upsert = query<{ path: string; bytes: Uint8Array; now: string }, { path: string }>((db, p) =>
  db
    .insertInto('upload')
    .values({ path: p.path, bytes: p.bytes, written_at: p.now })
    .onConflict((conflict) =>
      conflict.column('path').doUpdateSet((eb) => ({
        bytes: eb.ref('excluded.bytes'),
        written_at: eb.ref('excluded.written_at'),
      })),
    )
    .returning('path'),
)
const bytesOf = query<{ path: string }, { bytes: Uint8Array }>((db, p) =>
  db.selectFrom('upload').select('bytes').where('path', '=', p.path),
)
const pathOf = query<{ path: string }, { path: string }>((db, p) =>
  db.selectFrom('upload').select('path').where('path', '=', p.path),
)
const deleteRow = query<{ path: string }, { path: string }>((db, p) =>
  db.deleteFrom('upload').where('path', '=', p.path).returning('path'),
)
const inFolder = query<{ first: string; end: string }, { path: string; written_at: string }>((db, p) =>
  db
    .selectFrom('upload')
    .select(['path', 'written_at'])
    .where('path', '>=', p.first)
    .where('path', '<', p.end),
)

export function keptInDatabase(store: Store): UploadPlace {
  // A row is sent whole: one file at a time is in memory.
  const inTurn = createTurns({ atOnce: 1, waitingAtMost: 0 })
  async function write(path: string, bytes: Uint8Array, tx?: Executor): Promise<void> {
    // As a file system does it, whatever the clock of the application says.
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
      const rows = await inFolder(store.read, { first: `${folder}/`, end: `${folder}0` })
      return rows.map(({ path, written_at: at }) => ({ path, writtenAt: Date.parse(at) }))
    },
  }
}
