// The address to which a person forwards mail, and the senders whose mail is committed automatically.
import { pick } from '../../domain/pick.ts'
import { fromJson, toJson } from '../engine/codecs.ts'
import { hasNoTable } from '../engine/dialect.ts'
import type { Executor } from '../engine/engine.ts'
import { query, queryAny, queryFirst } from '../engine/query.ts'

export interface MailAddress {
  userId: string
  /** Sealed. */
  token: string
  senders: string[]
  messages: number
  lastMailAt: string | null
  createdAt: string
}
type MailAddressRow = Omit<MailAddress, 'senders'> & { senders: string }

const columns = [
  'mailAddress.userId',
  'mailAddress.token',
  'mailAddress.senders',
  'mailAddress.messages',
  'mailAddress.lastMailAt',
  'mailAddress.createdAt',
] as const

const toMailAddress = (row: MailAddressRow): MailAddress => ({
  ...row,
  senders: fromJson<string[]>(row.senders),
})
export const findMailAddress = queryFirst(
  (db, p: { userId: string }) => db.selectFrom('mailAddress').select(columns).where('userId', '=', p.userId),
  toMailAddress,
)
/** The person to whom a mail is addressed. */
export const findMailAddressByHash = queryFirst(
  (db, p: { hash: string }) => db.selectFrom('mailAddress').select(columns).where('hash', '=', p.hash),
  toMailAddress,
)

interface NewMailAddress {
  userId: string
  token: string
  hash: string
  now: string
}
const upsert = queryFirst(
  (db, p: NewMailAddress & { senders: string }) =>
    db
      .insertInto('mailAddress')
      .values({
        ...pick(p, ['userId', 'token', 'hash', 'senders']),
        messages: 0,
        lastMailAt: null,
        createdAt: p.now,
      })
      .onConflict((conflict) =>
        conflict.column('userId').doUpdateSet({ token: p.token, hash: p.hash, createdAt: p.now }),
      )
      .returning(columns),
  toMailAddress,
)
/** Creates or replaces the address; the senders stay. */
export const saveMailAddress = async (tx: Executor, address: NewMailAddress): Promise<MailAddress> =>
  (await upsert(tx, { ...address, senders: toJson([]) }))!

const setSenders = queryFirst(
  (db, p: { userId: string; senders: string }) =>
    db
      .updateTable('mailAddress')
      .set({ senders: p.senders })
      .where('userId', '=', p.userId)
      .returning(columns),
  toMailAddress,
)
export const updateSenders = (
  tx: Executor,
  userId: string,
  senders: readonly string[],
): Promise<MailAddress | undefined> => setSenders(tx, { userId, senders: toJson(senders) })

export const countMail = query((db, p: { userId: string; now: string }) =>
  db
    .updateTable('mailAddress')
    .set((eb) => ({ messages: eb('messages', '+', 1), lastMailAt: p.now }))
    .where('userId', '=', p.userId)
    .returning('id'),
)

export const deleteMailAddress = queryAny((db, p: { userId: string }) =>
  db.deleteFrom('mailAddress').where('userId', '=', p.userId).returning('id'),
)

const everyToken = query((db) => db.selectFrom('mailAddress').select(['userId', 'token as text']))
/** Empty if the table does not exist yet. */
export async function listTokensIfAny(db: Executor): Promise<{ userId: string; text: string }[]> {
  try {
    return await everyToken(db, {})
  } catch (error) {
    if (hasNoTable(error)) return []
    throw error
  }
}
