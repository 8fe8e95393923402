// Uploads as rows of the database: several machines share nothing else then. They are small pictures.
import type { Executor } from './engine.ts'
import { first, query } from './query.ts'
import type { Store } from './store.ts'
import type { UploadPlace } from './upload-place.ts'

const upsert = query<{ path: string; bytes: Uint8Array }, { path: string }>((db, p) =>
  db
    .insertInto('upload')
    .values({ path: p.path, bytes: p.bytes })
    .onConflict((conflict) =>
      conflict.column('path').doUpdateSet((eb) => ({ bytes: eb.ref('excluded.bytes') })),
    )
    .returning('path'),
)
const bytesOf = query<{ path: string }, { bytes: Uint8Array }>((db, p) =>
  db.selectFrom('upload').select('bytes').where('path', '=', p.path),
)
const deleteRow = query<{ path: string }, { path: string }>((db, p) =>
  db.deleteFrom('upload').where('path', '=', p.path).returning('path'),
)
const everyPath = query<object, { path: string }>((db) => db.selectFrom('upload').select('path'))

export function keptInDatabase(store: Store): UploadPlace {
  return {
    async write(path, bytes, tx) {
      const write = (db: Executor) => upsert(db, { path, bytes })
      await (tx ? write(tx) : store.transaction(write))
    },
    async read(path) {
      const row = await first(bytesOf(store.read, { path }))
      return row && Buffer.from(row.bytes)
    },
    remove: async (path) => void (await store.transaction((tx) => deleteRow(tx, { path }))),
    list: async () => (await everyPath(store.read, {})).map(({ path }) => path),
  }
}
