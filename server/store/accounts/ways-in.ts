// Counts of the ways in which people can sign in, never their secrets.
import { sql } from 'kysely'
import type { WaysIn } from '../../domain/accounts/sign-in.ts'
import type { Executor } from '../engine/engine.ts'
import { type Builder, query, queryFirst } from '../engine/query.ts'

interface WaysRow {
  userId: string
  hasPassword: number
  passkeys: number
  identities: number
  secondFactor: number
}

/** Only identities of the current provider count. */
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

const ofOne = queryFirst(
  (db, p: { userId: string; issuer: string }) => waysOf(db, p).where('person.id', '=', p.userId),
  toWays,
)
/** `issuer` is the provider's; undefined if the instance has none. */
export const findWaysIn = (
  db: Executor,
  userId: string,
  issuer: string | undefined,
): Promise<WaysIn | undefined> => ofOne(db, { userId, issuer: issuer ?? '' })

const ofAll = query((db, p: { issuer: string }) => waysOf(db, p))
/** Everyone's, by id. */
export const listWaysIn = async (db: Executor, issuer: string | undefined): Promise<Map<string, WaysIn>> =>
  new Map((await ofAll(db, { issuer: issuer ?? '' })).map((row) => [row.userId, toWays(row)]))

// Ways that were added after a certain time

interface Since {
  userId: string
  since: string
}
const deletePasskeysSince = query((db, p: Since) =>
  db.deleteFrom('passkey').where('userId', '=', p.userId).where('createdAt', '>=', p.since).returning('id'),
)
const deleteIdentitiesSince = query((db, p: Since) =>
  db.deleteFrom('identity').where('userId', '=', p.userId).where('createdAt', '>=', p.since).returning('id'),
)
export const deleteWaysSince = async (tx: Executor, userId: string, since: string) => ({
  passkeys: (await deletePasskeysSince(tx, { userId, since })).length,
  identities: (await deleteIdentitiesSince(tx, { userId, since })).length,
})

const passkeysBefore = query((db, p: Since) =>
  db.selectFrom('passkey').select('id').where('userId', '=', p.userId).where('createdAt', '<', p.since),
)
const identitiesBefore = query((db, p: Since & { issuer: string }) =>
  db
    .selectFrom('identity')
    .select('id')
    .where('userId', '=', p.userId)
    .where('issuer', '=', p.issuer)
    .where('createdAt', '<', p.since),
)
/** Whether the person had a passkey or a usable identity before then. */
export const hasWayFromBefore = async (
  db: Executor,
  userId: string,
  since: string,
  counted: { passkeys: boolean; issuer: string | undefined },
): Promise<boolean> =>
  (counted.passkeys && (await passkeysBefore(db, { userId, since })).length > 0) ||
  (await identitiesBefore(db, { userId, since, issuer: counted.issuer ?? '' })).length > 0
