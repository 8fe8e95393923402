// Requests with an idempotency key, their progress and their responses.
import { sql } from 'kysely'
import { pick } from '../../domain/pick.ts'
import { fromJson, toJson } from '../engine/codecs.ts'
import type { Executor } from '../engine/engine.ts'
import { first, query } from '../engine/query.ts'

/** Keys are unique per credential, method and path. */
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
  /** Undefined while the request is running, or if it ended without a response. */
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

const claimRow = query((db, p: Claim) =>
  db
    .insertInto('idempotency')
    .values({
      ...pick(p, ['credential', 'method', 'path', 'key', 'bodyHash', 'progress']),
      createdAt: p.now,
      touchedAt: p.now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(keyColumns)
        .doUpdateSet((eb) => ({
          bodyHash: eb.ref('excluded.bodyHash'),
          status: null,
          headers: null,
          body: null,
          progress: sql<string>`case when idempotency.created_at <= ${p.expired} then excluded.progress else idempotency.progress end`,
          createdAt: sql<string>`case when idempotency.created_at <= ${p.expired} then excluded.created_at else idempotency.created_at end`,
          touchedAt: eb.ref('excluded.touchedAt'),
        }))
        .where(
          sql<boolean>`idempotency.created_at <= ${p.expired} or (idempotency.status is null
            and idempotency.touched_at <= ${p.stale} and idempotency.body_hash = excluded.body_hash)`,
        ),
    )
    .returning('progress'),
)
/**
 * Claims a key for a request. Succeeds if the key is free or expired, or if the same request ended without a response.
 * Returns the saved progress, or `progress` if there is none; undefined if the key is in use (see `findKeyed`).
 */
export const claimKey = async (tx: Executor, claim: Claim): Promise<string | undefined> => {
  const row = await first(claimRow(tx, claim))
  return row && (row.progress ?? claim.progress)
}
const rowOf = query((db, p: RequestKey & { expired: string }) =>
  db
    .selectFrom('idempotency')
    .select(['bodyHash', 'status', 'headers', 'body', 'touchedAt'])
    .where('credential', '=', p.credential)
    .where('method', '=', p.method)
    .where('path', '=', p.path)
    .where('key', '=', p.key)
    .where('createdAt', '>', p.expired),
)
/** The request that used this key, unless the key has expired. */
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
const finishRow = query((db, p: Finish) =>
  db
    .updateTable('idempotency')
    .set({ status: p.status, headers: p.headers, body: p.body, progress: null, touchedAt: p.now })
    .where('credential', '=', p.credential)
    .where('method', '=', p.method)
    .where('path', '=', p.path)
    .where('key', '=', p.key)
    .returning('key'),
)
/** Stores the response of a request that holds its key. */
export const keepResponse = (
  tx: Executor,
  request: RequestKey,
  { status, headers, body }: KeptResponse,
  now: string,
) => finishRow(tx, { ...request, status, headers: toJson(headers), body, now })

const progressRow = query((db, p: RequestKey & { before: string; after: string; now: string }) =>
  db
    .updateTable('idempotency')
    .set({ progress: p.after, touchedAt: p.now })
    .where('credential', '=', p.credential)
    .where('method', '=', p.method)
    .where('path', '=', p.path)
    .where('key', '=', p.key)
    .where('progress', '=', p.before)
    .returning('key'),
)
/** False if another process has taken over the request: the caller must stop. */
export const updateProgress = async (
  tx: Executor,
  request: RequestKey,
  { before, after, now }: { before: string; after: string; now: string },
): Promise<boolean> => (await progressRow(tx, { ...request, before, after, now })).length > 0
export const deleteExpiredKeys = query((db, p: { expired: string }) =>
  db.deleteFrom('idempotency').where('createdAt', '<=', p.expired).returning('key'),
)
