// Expiry of imports: people are reminded of unfinished imports, uncommitted imports expire, and committed ones lose
// their file and its texts.
import { sql } from 'kysely'
import { fromJson } from '../engine/codecs.ts'
import { isFree } from '../engine/leases.ts'
import { first, query } from '../engine/query.ts'
import { insertNotice } from '../people/notices.ts'
import type { Store } from '../store.ts'

/** Rows per transaction, so that other writers can proceed. */
const ROWS_AT_ONCE = 1000
const expired = query((db, p: { now: string }) =>
  db
    .selectFrom('import')
    .select([
      'id',
      sql<number>`case when committed_at is null and created_count + updated_count = 0 then 0 else 1 end`.as(
        'isCommitted',
      ),
    ])
    .where('expiresAt', '<=', p.now)
    .where('file', 'is not', null)
    .where(isFree(p))
    .orderBy('id')
    .limit(1),
)

const deleteSome = query((db, p: { importId: number }) =>
  db
    .deleteFrom('importRow')
    .where('id', 'in', (eb) =>
      eb.selectFrom('importRow').select('id').where('importId', '=', p.importId).limit(ROWS_AT_ONCE),
    )
    .returning('id'),
)
const forgetSome = query((db, p: { importId: number }) =>
  db
    .updateTable('importRow')
    .set({ raw: null })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('importRow')
        .select('id')
        .where('importId', '=', p.importId)
        .where('raw', 'is not', null)
        .limit(ROWS_AT_ONCE),
    )
    .returning('id'),
)
const forgetFile = query((db, p: { id: number; now: string }) =>
  db
    .updateTable('import')
    .set({ file: null, version: sql<number>`version + 1`, updatedAt: p.now })
    .where('id', '=', p.id)
    .returning('id'),
)
const setExpired = query((db, p: { id: number; now: string }) =>
  db
    .updateTable('import')
    .set({
      status: 'expired',
      file: null,
      questions: '[]',
      answers: '[]',
      lease: null,
      leaseUntil: null,
      version: sql<number>`version + 1`,
      updatedAt: p.now,
    })
    .where('id', '=', p.id)
    .returning('id'),
)
const leftWaiting = query((db, p: { before: string }) =>
  db
    .selectFrom('import')
    .select(['id', 'userId', 'filename', 'questions'])
    .where('status', 'in', ['questions', 'ready'])
    .where('updatedAt', '<=', p.before)
    // An import that arrived automatically has had a notice since it arrived.
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('notice')
            .select('notice.id')
            .whereRef('notice.importId', '=', 'import.id')
            .where('notice.kind', 'in', ['import.arrived', 'import.waiting']),
        ),
      ),
    )
    .orderBy('id'),
)

/** Notifies people once about imports that they have not touched since `before`. */
export const remindOfImports = (store: Store, before: string, now: string): Promise<void> =>
  store.transaction(async (tx) => {
    for (const { id, userId, filename, questions } of await leftWaiting(tx, { before })) {
      const open = fromJson<{ answer?: unknown }[]>(questions).filter(({ answer }) => answer == null)
      const data = { importId: id, filename, questions: open.length }
      await insertNotice(tx, { userId, kind: 'import.waiting', at: now, data, flightId: null, importId: id })
    }
  })

/** Expires old imports. Files without an import are removed elsewhere. */
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

export const updateExpiry = query((db, p: { id: number; expiresAt: string }) =>
  db.updateTable('import').set({ expiresAt: p.expiresAt }).where('id', '=', p.id).returning('id'),
)

/** Deletes the texts of a committed import and the reference to its file. Its rows stay for an undo. */
export async function forgetTexts(store: Store, id: number, now: string): Promise<void> {
  while ((await store.transaction((tx) => forgetSome(tx, { importId: id }))).length === ROWS_AT_ONCE);
  await store.transaction((tx) => forgetFile(tx, { id, now }))
}
