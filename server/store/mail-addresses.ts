// The address to which a person forwards mails, and whose mails are committed by themselves.
import { fromJson, toJson } from './codecs.ts'
import { hasNoTable } from './dialect.ts'
import type { Executor } from './engine.ts'
import { first, query } from './query.ts'

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
  'mail_address.user_id as userId',
  'mail_address.token',
  'mail_address.senders',
  'mail_address.messages',
  'mail_address.last_mail_at as lastMailAt',
  'mail_address.created_at as createdAt',
] as const

const orUndefined = (row: MailAddressRow | undefined): MailAddress | undefined =>
  row && { ...row, senders: fromJson<string[]>(row.senders) }

const ofPerson = query<{ userId: string }, MailAddressRow>((db, p) =>
  db.selectFrom('mail_address').select(columns).where('user_id', '=', p.userId),
)
export const findMailAddress = async (db: Executor, userId: string): Promise<MailAddress | undefined> =>
  orUndefined(await first(ofPerson(db, { userId })))

const byHash = query<{ hash: string }, MailAddressRow>((db, p) =>
  db.selectFrom('mail_address').select(columns).where('hash', '=', p.hash),
)
/** The person to whom a mail is addressed. */
export const findMailAddressByHash = async (db: Executor, hash: string): Promise<MailAddress | undefined> =>
  orUndefined(await first(byHash(db, { hash })))

interface NewMailAddress {
  userId: string
  token: string
  hash: string
  now: string
}
const upsert = query<NewMailAddress & { senders: string }, MailAddressRow>((db, p) =>
  db
    .insertInto('mail_address')
    .values({
      user_id: p.userId,
      token: p.token,
      hash: p.hash,
      senders: p.senders,
      messages: 0,
      last_mail_at: null,
      created_at: p.now,
    })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ token: p.token, hash: p.hash, created_at: p.now }),
    )
    .returning(columns),
)
/** Makes the address, or replaces it: the senders stay. */
export const saveMailAddress = async (tx: Executor, address: NewMailAddress): Promise<MailAddress> =>
  orUndefined((await upsert(tx, { ...address, senders: toJson([]) }))[0])!

const setSenders = query<{ userId: string; senders: string }, MailAddressRow>((db, p) =>
  db
    .updateTable('mail_address')
    .set({ senders: p.senders })
    .where('user_id', '=', p.userId)
    .returning(columns),
)
export const updateSenders = async (
  tx: Executor,
  userId: string,
  senders: readonly string[],
): Promise<MailAddress | undefined> =>
  orUndefined(await first(setSenders(tx, { userId, senders: toJson(senders) })))

const count = query<{ userId: string; now: string }, { id: number }>((db, p) =>
  db
    .updateTable('mail_address')
    .set((eb) => ({ messages: eb('messages', '+', 1), last_mail_at: p.now }))
    .where('user_id', '=', p.userId)
    .returning('id'),
)
export const countMail = (tx: Executor, userId: string, now: string) => count(tx, { userId, now })

const remove = query<{ userId: string }, { id: number }>((db, p) =>
  db.deleteFrom('mail_address').where('user_id', '=', p.userId).returning('id'),
)
export const deleteMailAddress = async (tx: Executor, userId: string): Promise<boolean> =>
  (await remove(tx, { userId })).length > 0

const everyToken = query<object, { userId: string; text: string }>((db) =>
  db.selectFrom('mail_address').select(['user_id as userId', 'token as text']),
)
/** Empty also where the table does not exist yet. */
export async function listTokensIfAny(db: Executor): Promise<{ userId: string; text: string }[]> {
  try {
    return await everyToken(db, {})
  } catch (error) {
    if (hasNoTable(error)) return []
    throw error
  }
}
