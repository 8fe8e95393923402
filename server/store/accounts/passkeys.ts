// Passkeys: public keys with which people sign in. Nothing here is secret.
import { pick } from '../../domain/pick.ts'
import { fromJson, toJson } from '../engine/codecs.ts'
import type { Executor } from '../engine/engine.ts'
import { query, queryAny, queryFirst } from '../engine/query.ts'
import type { RowOf } from '../engine/schema.ts'

export interface Passkey extends Omit<RowOf<'passkey'>, 'transports'> {
  transports: string[]
}

const columns = [
  'id',
  'userId',
  'credentialId',
  'publicKey',
  'counter',
  'transports',
  'name',
  'createdAt',
  'lastUsedAt',
] as const
type PasskeyRow = Omit<Passkey, 'transports'> & { transports: string }
const toPasskey = (row: PasskeyRow): Passkey => ({
  ...row,
  counter: Number(row.counter),
  transports: fromJson<string[]>(row.transports),
})
export const listPasskeys = query(
  (db, p: { userId: string }) =>
    db.selectFrom('passkey').select(columns).where('userId', '=', p.userId).orderBy('id'),
  toPasskey,
)

/** Any person's passkey: before it is found, the person signing in is not known. */
export const findPasskeyByCredential = queryFirst(
  (db, p: { credentialId: string }) =>
    db.selectFrom('passkey').select(columns).where('credentialId', '=', p.credentialId),
  toPasskey,
)

/** Whether anyone on this instance has a passkey. */
export const passkeyExists = queryAny((db) => db.selectFrom('passkey').select('id').limit(1))

type NewPasskey = Omit<Passkey, 'id' | 'lastUsedAt'>
const insertRow = query((db, p: Omit<NewPasskey, 'transports'> & { transports: string }) =>
  db
    .insertInto('passkey')
    .values({
      ...pick(p, ['userId', 'credentialId', 'publicKey', 'counter', 'transports', 'name', 'createdAt']),
      lastUsedAt: null,
    })
    .returning(columns),
)
/** A credential belongs to one person: a second insert violates `passkey_taken`. */
export async function insertPasskey(tx: Executor, passkey: NewPasskey): Promise<Passkey> {
  return toPasskey((await insertRow(tx, { ...passkey, transports: toJson(passkey.transports) }))[0]!)
}
export const updatePasskeyName = queryFirst(
  (db, p: { userId: string; id: number; name: string }) =>
    db
      .updateTable('passkey')
      .set({ name: p.name })
      .where('userId', '=', p.userId)
      .where('id', '=', p.id)
      .returning(columns),
  toPasskey,
)

/** Records a use and the counter that was sent; false if the counter did not increase or the passkey no longer exists. */
export const updatePasskeyUse = queryAny((db, p: { id: number; counter: number; now: string }) =>
  db
    .updateTable('passkey')
    .set({ counter: p.counter, lastUsedAt: p.now })
    .where('id', '=', p.id)
    // Authenticators without a counter always send 0.
    .where((eb) =>
      eb.or([eb('counter', '<', p.counter), eb.and([eb('counter', '=', 0), eb('counter', '=', p.counter)])]),
    )
    .returning('id'),
)

/** Returns the name of the deleted passkey; undefined if there was none. */
export const deletePasskey = queryFirst(
  (db, p: { userId: string; id: number }) =>
    db.deleteFrom('passkey').where('userId', '=', p.userId).where('id', '=', p.id).returning('name'),
  ({ name }) => name,
)
