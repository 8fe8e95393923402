// Links that make an account or set a new password, stored as hashes. A link is a row until it is used, revoked or expired.
import { flag, isSet } from './codecs.ts'
import type { Executor } from './engine.ts'
import { first, query } from './query.ts'

/** Which access ends when a reset link is used, beside the sessions. */
export interface EndsWithReset {
  endApiKeys: boolean
  endApps: boolean
  endSecondFactor: boolean
}

interface NewLink extends EndsWithReset {
  /** `mailed-reset`: the person asked for it, and it went to their mailbox. */
  purpose: 'invite' | 'reset' | 'mailed-reset'
  hash: string
  userId: string | null
  roleId: string | null
  /** null: the operator at the command line, or the server for the person themselves. */
  createdBy: string | null
  createdAt: string
  expiresAt: string
}

interface LinkRow extends Omit<NewLink, keyof EndsWithReset> {
  endApiKeys: 0 | 1
  endApps: 0 | 1
  endSecondFactor: 0 | 1
}
const insert = query<LinkRow, { id: number }>((db, p) =>
  db
    .insertInto('account_link')
    .values({
      purpose: p.purpose,
      hash: p.hash,
      user_id: p.userId,
      role_id: p.roleId,
      created_by: p.createdBy,
      created_at: p.createdAt,
      expires_at: p.expiresAt,
      end_api_keys: p.endApiKeys,
      end_apps: p.endApps,
      end_second_factor: p.endSecondFactor,
    })
    .returning('id'),
)
export async function insertAccountLink(tx: Executor, link: NewLink): Promise<number> {
  const [row] = await insert(tx, {
    ...link,
    endApiKeys: flag(link.endApiKeys),
    endApps: flag(link.endApps),
    endSecondFactor: flag(link.endSecondFactor),
  })
  return row!.id
}

// Invitations

interface Invitation {
  id: number
  /** null: the default role. */
  roleId: string | null
  createdBy: string | null
}
interface Wanted {
  hash: string
  now: string
}

const invitationColumns = ['id', 'role_id as roleId', 'created_by as createdBy'] as const

const invitation = query<Wanted, Invitation>((db, p) =>
  db
    .selectFrom('account_link')
    .select(invitationColumns)
    .where('hash', '=', p.hash)
    .where('purpose', '=', 'invite')
    .where('expires_at', '>', p.now),
)
/** Leaves it where it is, for the page with the form. */
export const findInvitation = (db: Executor, hash: string, now: string): Promise<Invitation | undefined> =>
  first(invitation(db, { hash, now }))

const takenInvitation = query<Wanted, Invitation>((db, p) =>
  db
    .deleteFrom('account_link')
    .where('hash', '=', p.hash)
    .where('purpose', '=', 'invite')
    .where('expires_at', '>', p.now)
    .returning(invitationColumns),
)
/** Of several who try, one gets it; it is there again if the transaction fails. */
export const takeInvitation = (tx: Executor, hash: string, now: string): Promise<Invitation | undefined> =>
  first(takenInvitation(tx, { hash, now }))

export interface ListedInvitation extends Invitation {
  /** Null as the role is. */
  roleName: string | null
  createdByName: string | null
  createdAt: string
  expiresAt: string
}
const openInvitations = query<{ now: string }, ListedInvitation>((db, p) =>
  db
    .selectFrom('account_link')
    .leftJoin('role', 'role.id', 'account_link.role_id')
    .leftJoin('person', 'person.id', 'account_link.created_by')
    .select([
      'account_link.id as id',
      'account_link.role_id as roleId',
      'account_link.created_by as createdBy',
      'role.name as roleName',
      'person.username as createdByName',
      'account_link.created_at as createdAt',
      'account_link.expires_at as expiresAt',
    ])
    .where('account_link.purpose', '=', 'invite')
    .where('account_link.expires_at', '>', p.now)
    .orderBy('account_link.id', 'desc'),
)
/** Newest first, without those that have expired. */
export const listInvitations = (db: Executor, now: string) => openInvitations(db, { now })

const deleteInvite = query<{ id: number; now: string }, Invitation>((db, p) =>
  db
    .deleteFrom('account_link')
    .where('id', '=', p.id)
    .where('purpose', '=', 'invite')
    .where('expires_at', '>', p.now)
    .returning(invitationColumns),
)
/** What was deleted, if it was open. */
export const deleteInvitation = (tx: Executor, id: number, now: string): Promise<Invitation | undefined> =>
  first(deleteInvite(tx, { id, now }))

// Reset links

interface ResetLink extends EndsWithReset {
  id: number
  userId: string
  createdBy: string | null
}
interface ResetRow extends Pick<LinkRow, keyof EndsWithReset> {
  id: number
  userId: string | null
  createdBy: string | null
}
const resetColumns = [
  'id',
  'user_id as userId',
  'created_by as createdBy',
  'end_api_keys as endApiKeys',
  'end_apps as endApps',
  'end_second_factor as endSecondFactor',
] as const
const resets = ['reset', 'mailed-reset'] as const

const toResetLink = (row: ResetRow | undefined): ResetLink | undefined =>
  row?.userId
    ? {
        id: row.id,
        userId: row.userId,
        createdBy: row.createdBy,
        endApiKeys: isSet(row.endApiKeys),
        endApps: isSet(row.endApps),
        endSecondFactor: isSet(row.endSecondFactor),
      }
    : undefined

const resetLink = query<Wanted, ResetRow>((db, p) =>
  db
    .selectFrom('account_link')
    .select(resetColumns)
    .where('hash', '=', p.hash)
    .where('purpose', 'in', resets)
    .where('expires_at', '>', p.now),
)
/** Leaves it where it is, for the page with the form. */
export const findResetLink = async (
  db: Executor,
  hash: string,
  now: string,
): Promise<ResetLink | undefined> => toResetLink(await first(resetLink(db, { hash, now })))

const takenReset = query<Wanted, ResetRow>((db, p) =>
  db
    .deleteFrom('account_link')
    .where('hash', '=', p.hash)
    .where('purpose', 'in', resets)
    .where('expires_at', '>', p.now)
    .returning(resetColumns),
)
/** Of several who try, one gets it; it is there again if the transaction fails. */
export const takeResetLink = async (
  tx: Executor,
  hash: string,
  now: string,
): Promise<ResetLink | undefined> => toResetLink(await first(takenReset(tx, { hash, now })))

const openResets = query<{ now: string }, { userId: string | null; expiresAt: string }>((db, p) =>
  db
    .selectFrom('account_link')
    .select(['user_id as userId', 'expires_at as expiresAt'])
    .where('purpose', '=', 'reset')
    .where('expires_at', '>', p.now),
)
/** Until when a link that someone made for a person is open, by the person's id. */
export const listOpenResetLinks = async (db: Executor, now: string): Promise<Map<string, string>> =>
  new Map(
    (await openResets(db, { now })).flatMap(({ userId, expiresAt }) => (userId ? [[userId, expiresAt]] : [])),
  )

const mailedLinks = query<{ userId: string; now: string }, { createdAt: string }>((db, p) =>
  db
    .selectFrom('account_link')
    .select('created_at as createdAt')
    .where('user_id', '=', p.userId)
    .where('purpose', '=', 'mailed-reset')
    .where('expires_at', '>', p.now)
    .orderBy('created_at', 'desc'),
)
/** When the links that are open were mailed to a person, the last one first. */
export const listMailedAt = async (db: Executor, userId: string, now: string): Promise<string[]> =>
  (await mailedLinks(db, { userId, now })).map(({ createdAt }) => createdAt)

const deleteResets = query<
  { userId: string; purpose: 'reset' | 'mailed-reset'; now: string },
  { id: number }
>((db, p) =>
  db
    .deleteFrom('account_link')
    .where('user_id', '=', p.userId)
    .where('purpose', '=', p.purpose)
    .where('expires_at', '>', p.now)
    .returning('id'),
)
/** The one that someone made for the person: true if it was open. */
export const deleteResetLink = async (tx: Executor, userId: string, now: string): Promise<boolean> =>
  (await deleteResets(tx, { userId, purpose: 'reset', now })).length > 0
/** Those that were mailed to the person. */
export const deleteMailedLinks = (tx: Executor, userId: string, now: string) =>
  deleteResets(tx, { userId, purpose: 'mailed-reset', now })
/** All of them: the password is a new one, or everything ends. */
export async function deleteResetLinksOf(tx: Executor, userId: string, now: string): Promise<void> {
  await deleteResetLink(tx, userId, now)
  await deleteMailedLinks(tx, userId, now)
}

// All of them

const deleteMade = query<{ userId: string }, { id: number; purpose: NewLink['purpose'] }>((db, p) =>
  db.deleteFrom('account_link').where('created_by', '=', p.userId).returning(['id', 'purpose']),
)
/** Those that a person made, when they are gone or end everything. */
export const deleteLinksMadeBy = (tx: Executor, userId: string) => deleteMade(tx, { userId })

const deleteMadeSince = query<{ userId: string; since: string }, { id: number }>((db, p) =>
  db
    .deleteFrom('account_link')
    .where('created_by', '=', p.userId)
    .where('created_at', '>=', p.since)
    .returning('id'),
)
/** Invitations and reset links that a person made since then. */
export const deleteLinksMadeSince = (tx: Executor, userId: string, since: string) =>
  deleteMadeSince(tx, { userId, since })

const deleteOld = query<{ now: string }, { id: number }>((db, p) =>
  db.deleteFrom('account_link').where('expires_at', '<=', p.now).returning('id'),
)
export const deleteExpiredLinks = (tx: Executor, now: string) => deleteOld(tx, { now })
