// API keys, stored as hashes.
import type { Scope } from '../../domain/access/access.ts'
import type { LegacyFormat } from '../../domain/enums.ts'
import { pick } from '../../domain/pick.ts'
import { fromJson, toJson } from '../engine/codecs.ts'
import type { Executor } from '../engine/engine.ts'
import { query, queryAny, queryFirst } from '../engine/query.ts'

interface ApiKey {
  id: number
  name: string
  lastFour: string
  scopes: Scope[]
  legacyFormat: LegacyFormat
  createdAt: string
  lastUsedAt: string | null
}
const apiKeyColumns = ['id', 'name', 'lastFour', 'scopes', 'legacyFormat', 'createdAt', 'lastUsedAt'] as const
type ApiKeyRow = Omit<ApiKey, 'scopes'> & { scopes: string }
const toApiKey = (row: ApiKeyRow): ApiKey => ({ ...row, scopes: fromJson<Scope[]>(row.scopes) })
export const listApiKeys = query(
  (db, p: { userId: string }) =>
    db.selectFrom('apiKey').select(apiKeyColumns).where('userId', '=', p.userId).orderBy('id', 'desc'),
  toApiKey,
)

interface NewApiKey {
  userId: string
  name: string
  hash: string
  lastFour: string
  scopes: readonly Scope[]
  legacyFormat: LegacyFormat
  createdAt: string
}
const insertKeyRow = query((db, p: Omit<NewApiKey, 'scopes'> & { scopes: string }) =>
  db
    .insertInto('apiKey')
    .values({
      ...pick(p, ['userId', 'name', 'hash', 'lastFour', 'scopes', 'legacyFormat', 'createdAt']),
      lastUsedAt: null,
    })
    .returning(apiKeyColumns),
)
export async function insertApiKey(tx: Executor, key: NewApiKey): Promise<ApiKey> {
  return toApiKey((await insertKeyRow(tx, { ...key, scopes: toJson(key.scopes) }))[0]!)
}
export const deleteApiKey = queryAny((db, p: { userId: string; id: number }) =>
  db.deleteFrom('apiKey').where('userId', '=', p.userId).where('id', '=', p.id).returning('id'),
)

export const deleteApiKeysOf = query((db, p: { userId: string }) =>
  db.deleteFrom('apiKey').where('userId', '=', p.userId).returning('id'),
)

/** Deletes any person's key, for the operator's command line; returns its owner. */
export const deleteApiKeyById = queryFirst(
  (db, p: { id: number }) => db.deleteFrom('apiKey').where('id', '=', p.id).returning('userId'),
  ({ userId }) => userId,
)

const touchKey = query((db, p: { id: number; now: string }) =>
  db.updateTable('apiKey').set({ lastUsedAt: p.now }).where('id', '=', p.id).returning('id'),
)
export const touchApiKey = (tx: Executor, id: number, now: string) => touchKey(tx, { id, now })
