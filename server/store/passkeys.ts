// Passkeys: public keys by which people sign in. Nothing here is secret.
import { fromJson, toJson } from './codecs.ts'
import type { Executor } from './engine.ts'
import { first, query } from './query.ts'

export interface Passkey {
  id: number
  userId: string
  credentialId: string
  /** COSE, as base64url. */
  publicKey: string
  counter: number
  transports: string[]
  name: string
  createdAt: string
  lastUsedAt: string | null
}

const columns = [
  'id',
  'user_id as userId',
  'credential_id as credentialId',
  'public_key as publicKey',
  'counter',
  'transports',
  'name',
  'created_at as createdAt',
  'last_used_at as lastUsedAt',
] as const
type PasskeyRow = Omit<Passkey, 'transports'> & { transports: string }
const toPasskey = (row: PasskeyRow): Passkey => ({
  ...row,
  counter: Number(row.counter),
  transports: fromJson<string[]>(row.transports),
})

const passkeysOf = query<{ userId: string }, PasskeyRow>((db, p) =>
  db.selectFrom('passkey').select(columns).where('user_id', '=', p.userId).orderBy('id'),
)
export const listPasskeys = async (db: Executor, userId: string): Promise<Passkey[]> =>
  (await passkeysOf(db, { userId })).map(toPasskey)

const byCredential = query<{ credentialId: string }, PasskeyRow>((db, p) =>
  db.selectFrom('passkey').select(columns).where('credential_id', '=', p.credentialId),
)
/** Anyone's: who signs in is not known before. */
export async function findPasskeyByCredential(
  db: Executor,
  credentialId: string,
): Promise<Passkey | undefined> {
  const row = await first(byCredential(db, { credentialId }))
  return row && toPasskey(row)
}

const anyone = query<object, { id: number }>((db) => db.selectFrom('passkey').select('id').limit(1))
/** Whether anyone on this instance has a passkey. */
export const passkeyExists = async (db: Executor): Promise<boolean> => (await anyone(db, {})).length > 0

type NewPasskey = Omit<Passkey, 'id' | 'lastUsedAt'>
const insertRow = query<Omit<NewPasskey, 'transports'> & { transports: string }, PasskeyRow>((db, p) =>
  db
    .insertInto('passkey')
    .values({
      user_id: p.userId,
      credential_id: p.credentialId,
      public_key: p.publicKey,
      counter: p.counter,
      transports: p.transports,
      name: p.name,
      created_at: p.createdAt,
      last_used_at: null,
    })
    .returning(columns),
)
/** A credential is registered once, for one person: the second insert violates `passkey_taken`. */
export async function insertPasskey(tx: Executor, passkey: NewPasskey): Promise<Passkey> {
  return toPasskey((await insertRow(tx, { ...passkey, transports: toJson(passkey.transports) }))[0]!)
}

const rename = query<{ userId: string; id: number; name: string }, PasskeyRow>((db, p) =>
  db
    .updateTable('passkey')
    .set({ name: p.name })
    .where('user_id', '=', p.userId)
    .where('id', '=', p.id)
    .returning(columns),
)
export async function updatePasskeyName(
  tx: Executor,
  userId: string,
  id: number,
  name: string,
): Promise<Passkey | undefined> {
  const row = await first(rename(tx, { userId, id, name }))
  return row && toPasskey(row)
}

const use = query<{ id: number; counter: number; now: string }, { id: number }>((db, p) =>
  db
    .updateTable('passkey')
    .set({ counter: p.counter, last_used_at: p.now })
    .where('id', '=', p.id)
    // Authenticators without a counter always send 0.
    .where((eb) =>
      eb.or([eb('counter', '<', p.counter), eb.and([eb('counter', '=', 0), eb('counter', '=', p.counter)])]),
    )
    .returning('id'),
)
/** Notes a use, with the counter that was sent; false if the counter did not go up, or the passkey is gone. */
export const updatePasskeyUse = async (
  tx: Executor,
  id: number,
  counter: number,
  now: string,
): Promise<boolean> => (await use(tx, { id, counter, now })).length > 0

const deleteRow = query<{ userId: string; id: number }, { name: string }>((db, p) =>
  db.deleteFrom('passkey').where('user_id', '=', p.userId).where('id', '=', p.id).returning('name'),
)
/** What it was called; undefined if there is none. */
export const deletePasskey = async (tx: Executor, userId: string, id: number): Promise<string | undefined> =>
  (await first(deleteRow(tx, { userId, id })))?.name
