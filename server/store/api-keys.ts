// API keys, stored as hashes.
import type { Scope } from '../domain/access.ts'
import type { LegacyFormat } from '../domain/enums.ts'
import { fromJson, toJson } from './codecs.ts'
import type { Executor } from './engine.ts'
import { query } from './query.ts'

interface ApiKey {
  id: number
  name: string
  lastFour: string
  scopes: Scope[]
  legacyFormat: LegacyFormat
  createdAt: string
  lastUsedAt: string | null
}
const apiKeyColumns = [
  'id',
  'name',
  'last_four as lastFour',
  'scopes',
  'legacy_format as legacyFormat',
  'created_at as createdAt',
  'last_used_at as lastUsedAt',
] as const
type ApiKeyRow = Omit<ApiKey, 'scopes'> & { scopes: string }
const toApiKey = (row: ApiKeyRow): ApiKey => ({ ...row, scopes: fromJson<Scope[]>(row.scopes) })

const keysOf = query<{ userId: string }, ApiKeyRow>((db, p) =>
  db.selectFrom('api_key').select(apiKeyColumns).where('user_id', '=', p.userId).orderBy('id', 'desc'),
)
export const listApiKeys = async (db: Executor, userId: string): Promise<ApiKey[]> =>
  (await keysOf(db, { userId })).map(toApiKey)

interface NewApiKey {
  userId: string
  name: string
  hash: string
  lastFour: string
  scopes: readonly Scope[]
  legacyFormat: LegacyFormat
  createdAt: string
}
const insertKeyRow = query<Omit<NewApiKey, 'scopes'> & { scopes: string }, ApiKeyRow>((db, p) =>
  db
    .insertInto('api_key')
    .values({
      user_id: p.userId,
      name: p.name,
      hash: p.hash,
      last_four: p.lastFour,
      scopes: p.scopes,
      legacy_format: p.legacyFormat,
      created_at: p.createdAt,
      last_used_at: null,
    })
    .returning(apiKeyColumns),
)
export async function insertApiKey(tx: Executor, key: NewApiKey): Promise<ApiKey> {
  return toApiKey((await insertKeyRow(tx, { ...key, scopes: toJson(key.scopes) }))[0]!)
}

const deleteKeyRow = query<{ userId: string; id: number }, { id: number }>((db, p) =>
  db.deleteFrom('api_key').where('user_id', '=', p.userId).where('id', '=', p.id).returning('id'),
)
export const deleteApiKey = async (tx: Executor, userId: string, id: number): Promise<boolean> =>
  (await deleteKeyRow(tx, { userId, id })).length > 0

const deleteKeysOf = query<{ userId: string }, { id: number }>((db, p) =>
  db.deleteFrom('api_key').where('user_id', '=', p.userId).returning('id'),
)
export const deleteApiKeysOf = (tx: Executor, userId: string) => deleteKeysOf(tx, { userId })

const deleteKeyByIdRow = query<{ id: number }, { userId: string }>((db, p) =>
  db.deleteFrom('api_key').where('id', '=', p.id).returning('user_id as userId'),
)
/** Deletes any person's key, for the operator's command line; returns whose it was. */
export const deleteApiKeyById = async (tx: Executor, id: number): Promise<string | undefined> =>
  (await deleteKeyByIdRow(tx, { id }))[0]?.userId

const touchKey = query<{ id: number; now: string }, { id: number }>((db, p) =>
  db.updateTable('api_key').set({ last_used_at: p.now }).where('id', '=', p.id).returning('id'),
)
export const touchApiKey = (tx: Executor, id: number, now: string) => touchKey(tx, { id, now })
