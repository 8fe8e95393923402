// What people can sign in with: counted, never the secrets themselves.
import { sql } from 'kysely'
import type { WaysIn } from '../domain/sign-in.ts'
import type { Executor } from './engine.ts'
import { type Builder, first, query } from './query.ts'

interface WaysRow {
  userId: string
  hasPassword: number
  passkeys: number
  identities: number
  secondFactor: number
}

/** Identities of another provider than the present one open nothing. */
const waysOf = (db: Builder, p: { issuer: string }) =>
  db
    .selectFrom('person')
    .select([
      'person.id as userId',
      sql<number>`case when person.password_hash is null then 0 else 1 end`.as('hasPassword'),
      sql<number>`(select count(*) from passkey where passkey.user_id = person.id)`.as('passkeys'),
      sql<number>`(select count(*) from identity where identity.user_id = person.id and identity.issuer = ${p.issuer})`.as(
        'identities',
      ),
      sql<number>`(select count(*) from second_factor where second_factor.user_id = person.id and second_factor.enabled_at is not null)`.as(
        'secondFactor',
      ),
    ])

const toWays = (row: WaysRow): WaysIn => ({
  password: Number(row.hasPassword) === 1,
  passkeys: Number(row.passkeys),
  identities: Number(row.identities),
  secondFactor: Number(row.secondFactor) > 0,
})

const ofOne = query<{ userId: string; issuer: string }, WaysRow>((db, p) =>
  waysOf(db, p).where('person.id', '=', p.userId),
)
/** `issuer` is the provider's; undefined if the instance has none. */
export async function findWaysIn(
  db: Executor,
  userId: string,
  issuer: string | undefined,
): Promise<WaysIn | undefined> {
  const row = await first(ofOne(db, { userId, issuer: issuer ?? '' }))
  return row && toWays(row)
}

const ofAll = query<{ issuer: string }, WaysRow>((db, p) => waysOf(db, p))
/** Of everyone, by id. */
export const listWaysIn = async (db: Executor, issuer: string | undefined): Promise<Map<string, WaysIn>> =>
  new Map((await ofAll(db, { issuer: issuer ?? '' })).map((row) => [row.userId, toWays(row)]))

// Ways that were added since a moment

interface Since {
  userId: string
  since: string
}
const deletePasskeysSince = query<Since, { id: number }>((db, p) =>
  db.deleteFrom('passkey').where('user_id', '=', p.userId).where('created_at', '>=', p.since).returning('id'),
)
const deleteIdentitiesSince = query<Since, { id: number }>((db, p) =>
  db
    .deleteFrom('identity')
    .where('user_id', '=', p.userId)
    .where('created_at', '>=', p.since)
    .returning('id'),
)
export const deleteWaysSince = async (tx: Executor, userId: string, since: string) => ({
  passkeys: (await deletePasskeysSince(tx, { userId, since })).length,
  identities: (await deleteIdentitiesSince(tx, { userId, since })).length,
})

const passkeysBefore = query<Since, { id: number }>((db, p) =>
  db.selectFrom('passkey').select('id').where('user_id', '=', p.userId).where('created_at', '<', p.since),
)
const identitiesBefore = query<Since & { issuer: string }, { id: number }>((db, p) =>
  db
    .selectFrom('identity')
    .select('id')
    .where('user_id', '=', p.userId)
    .where('issuer', '=', p.issuer)
    .where('created_at', '<', p.since),
)
/** Whether a passkey or an identity was there before that opens this instance. */
export const hasWayFromBefore = async (
  db: Executor,
  userId: string,
  since: string,
  counted: { passkeys: boolean; issuer: string | undefined },
): Promise<boolean> =>
  (counted.passkeys && (await passkeysBefore(db, { userId, since })).length > 0) ||
  (await identitiesBefore(db, { userId, since, issuer: counted.issuer ?? '' })).length > 0
