// Requests with an idempotency key: which were made, how far they came, and what the response was.
import { sql } from 'kysely'
import { fromJson, toJson } from './codecs.ts'
import type { Executor } from './engine.ts'
import { first, query } from './query.ts'

/** What a key belongs to. */
export interface RequestKey {
  credential: string
  method: string
  path: string
  key: string
}

export interface KeptResponse {
  status: number
  headers: Record<string, string>
  /** Null if the response has none. */
  body: string | null
}

export interface KeyedRow {
  bodyHash: string
  /** Undefined while the request runs, or if it ended without a response. */
  response: KeptResponse | undefined
  touchedAt: string
}

const keyColumns = ['credential', 'method', 'path', 'key'] as const

interface Claim extends RequestKey {
  bodyHash: string
  progress: string
  now: string
  expired: string
  stale: string
}

const claimRow = query<Claim, { progress: string | null }>((db, p) =>
  db
    .insertInto('idempotency')
    .values({
      credential: p.credential,
      method: p.method,
      path: p.path,
      key: p.key,
      body_hash: p.bodyHash,
      progress: p.progress,
      created_at: p.now,
      touched_at: p.now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(keyColumns)
        .doUpdateSet((eb) => ({
          body_hash: eb.ref('excluded.body_hash'),
          status: null,
          headers: null,
          body: null,
          progress: sql<string>`case when idempotency.created_at <= ${p.expired} then excluded.progress else idempotency.progress end`,
          created_at: sql<string>`case when idempotency.created_at <= ${p.expired} then excluded.created_at else idempotency.created_at end`,
          touched_at: eb.ref('excluded.touched_at'),
        }))
        .where(
          sql<boolean>`idempotency.created_at <= ${p.expired} or (idempotency.status is null
            and idempotency.touched_at <= ${p.stale} and idempotency.body_hash = excluded.body_hash)`,
        ),
    )
    .returning('progress'),
)
/**
 * Claims a key for a request. It succeeds if the key is free or expired, or if the same request ended without a response;
 * then it returns how far that came, else the given start. Undefined: see `findKeyed`.
 */
export const claimKey = async (tx: Executor, claim: Claim): Promise<string | undefined> => {
  const row = await first(claimRow(tx, claim))
  return row && (row.progress ?? claim.progress)
}

interface StoredRow {
  bodyHash: string
  status: number | null
  headers: string | null
  body: string | null
  touchedAt: string
}
const rowOf = query<RequestKey & { expired: string }, StoredRow>((db, p) =>
  db
    .selectFrom('idempotency')
    .select(['body_hash as bodyHash', 'status', 'headers', 'body', 'touched_at as touchedAt'])
    .where('credential', '=', p.credential)
    .where('method', '=', p.method)
    .where('path', '=', p.path)
    .where('key', '=', p.key)
    .where('created_at', '>', p.expired),
)
/** The request that used this key, unless it has expired. */
export async function findKeyed(
  db: Executor,
  { credential, method, path, key }: RequestKey,
  expired: string,
): Promise<KeyedRow | undefined> {
  const row = await first(rowOf(db, { credential, method, path, key, expired }))
  if (!row) return undefined
  const { bodyHash, status, headers, body, touchedAt } = row
  const response =
    status === null ? undefined : { status, headers: fromJson<Record<string, string>>(headers ?? '{}'), body }
  return { bodyHash, response, touchedAt }
}

interface Finish extends RequestKey {
  status: number
  headers: string
  body: string | null
  now: string
}
const finishRow = query<Finish, { key: string }>((db, p) =>
  db
    .updateTable('idempotency')
    .set({ status: p.status, headers: p.headers, body: p.body, progress: null, touched_at: p.now })
    .where('credential', '=', p.credential)
    .where('method', '=', p.method)
    .where('path', '=', p.path)
    .where('key', '=', p.key)
    .returning('key'),
)
/** Keeps the response of a request that holds its key. */
export const keepResponse = (
  tx: Executor,
  request: RequestKey,
  { status, headers, body }: KeptResponse,
  now: string,
) => finishRow(tx, { ...request, status, headers: toJson(headers), body, now })

const progressRow = query<RequestKey & { before: string; after: string; now: string }, { key: string }>(
  (db, p) =>
    db
      .updateTable('idempotency')
      .set({ progress: p.after, touched_at: p.now })
      .where('credential', '=', p.credential)
      .where('method', '=', p.method)
      .where('path', '=', p.path)
      .where('key', '=', p.key)
      .where('progress', '=', p.before)
      .returning('key'),
)
/** False if another process has continued the request since: then this one must not go on. */
export const updateProgress = async (
  tx: Executor,
  request: RequestKey,
  { before, after, now }: { before: string; after: string; now: string },
): Promise<boolean> => (await progressRow(tx, { ...request, before, after, now })).length > 0

const deleteOlder = query<{ expired: string }, { key: string }>((db, p) =>
  db.deleteFrom('idempotency').where('created_at', '<=', p.expired).returning('key'),
)
export const deleteExpiredKeys = (tx: Executor, expired: string) => deleteOlder(tx, { expired })
