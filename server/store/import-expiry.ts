// What time does to imports: a person is reminded of one that was left unfinished, one that was not committed is forgotten,
// and of a committed one the file and its texts.
import { sql } from 'kysely'
import { fromJson } from './codecs.ts'
import { insertNotice } from './notices.ts'
import { first, query } from './query.ts'
import type { Store } from './store.ts'

/** Rows in one transaction, so that other writers go on. */
const ROWS_AT_ONCE = 1000

interface Expired {
  id: number
  /** Something of it is in the log, or was and can come back: its rows stay. */
  isCommitted: number
}
const expired = query<{ now: string }, Expired>((db, p) =>
  db
    .selectFrom('import')
    .select([
      'id',
      sql<number>`case when committed_at is null and created_count + updated_count = 0 then 0 else 1 end`.as(
        'isCommitted',
      ),
    ])
    .where('expires_at', '<=', p.now)
    .where('file', 'is not', null)
    .where((eb) => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<=', p.now)]))
    .orderBy('id')
    .limit(1),
)

const deleteSome = query<{ importId: number }, { id: number }>((db, p) =>
  db
    .deleteFrom('import_row')
    .where('id', 'in', (eb) =>
      eb.selectFrom('import_row').select('id').where('import_id', '=', p.importId).limit(ROWS_AT_ONCE),
    )
    .returning('id'),
)
const forgetSome = query<{ importId: number }, { id: number }>((db, p) =>
  db
    .updateTable('import_row')
    .set({ raw: null })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('import_row')
        .select('id')
        .where('import_id', '=', p.importId)
        .where('raw', 'is not', null)
        .limit(ROWS_AT_ONCE),
    )
    .returning('id'),
)
const forgetFile = query<{ id: number; now: string }, { id: number }>((db, p) =>
  db
    .updateTable('import')
    .set({ file: null, version: sql<number>`version + 1`, updated_at: p.now })
    .where('id', '=', p.id)
    .returning('id'),
)
const setExpired = query<{ id: number; now: string }, { id: number }>((db, p) =>
  db
    .updateTable('import')
    .set({
      status: 'expired',
      file: null,
      questions: '[]',
      answers: '[]',
      lease: null,
      lease_until: null,
      version: sql<number>`version + 1`,
      updated_at: p.now,
    })
    .where('id', '=', p.id)
    .returning('id'),
)

interface LeftWaiting {
  id: number
  userId: string
  filename: string
  questions: string
}
const leftWaiting = query<{ before: string }, LeftWaiting>((db, p) =>
  db
    .selectFrom('import')
    .select(['id', 'user_id as userId', 'filename', 'questions'])
    .where('status', 'in', ['questions', 'ready'])
    .where('updated_at', '<=', p.before)
    // One that arrived by itself has a notice since then.
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('notice')
            .select('notice.id')
            .whereRef('notice.import_id', '=', 'import.id')
            .where('notice.kind', 'in', ['import.arrived', 'import.waiting']),
        ),
      ),
    )
    .orderBy('id'),
)

/** Notifies people, once, of imports that they have not touched since `before`. */
export const remindOfImports = (store: Store, before: string, now: string): Promise<void> =>
  store.transaction(async (tx) => {
    for (const { id, userId, filename, questions } of await leftWaiting(tx, { before })) {
      const open = fromJson<{ answer?: unknown }[]>(questions).filter(({ answer }) => answer == null)
      const data = { importId: id, filename, questions: open.length }
      await insertNotice(tx, { userId, kind: 'import.waiting', at: now, data, flightId: null, importId: id })
    }
  })

/** Forgets what has expired by now. Files that no import names are removed elsewhere. */
export async function expireImports(store: Store, now: string): Promise<void> {
  for (;;) {
    const found = await first(expired(store.read, { now }))
    if (!found) return
    const { id, isCommitted } = found
    if (isCommitted) await forgetTexts(store, id, now)
    else await expire(store, id, now)
  }
}

async function expire(store: Store, id: number, now: string): Promise<void> {
  while ((await store.transaction((tx) => deleteSome(tx, { importId: id }))).length === ROWS_AT_ONCE);
  await store.transaction((tx) => setExpired(tx, { id, now }))
}

/** Of a committed import: its texts, and which file it was. Its rows stay for an undo. */
export async function forgetTexts(store: Store, id: number, now: string): Promise<void> {
  while ((await store.transaction((tx) => forgetSome(tx, { importId: id }))).length === ROWS_AT_ONCE);
  await store.transaction((tx) => forgetFile(tx, { id, now }))
}
