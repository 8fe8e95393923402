// Links that create an account or set a new password, stored as hashes. A row exists until its link is used, revoked or expired.
import { flag, isSet } from '../engine/codecs.ts'
import type { Executor } from '../engine/engine.ts'
import { first, query, queryFirst } from '../engine/query.ts'

/** What a reset link revokes when it is used, in addition to the sessions. */
export interface EndsWithReset {
  endApiKeys: boolean
  endApps: boolean
  endSecondFactor: boolean
}

interface NewLink extends EndsWithReset {
  /** `mailed-reset`: requested by the person and sent to their mailbox. */
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
const insert = query((db, p: LinkRow) =>
  db
    .insertInto('accountLink')
    .values({
      purpose: p.purpose,
      hash: p.hash,
      userId: p.userId,
      roleId: p.roleId,
      createdBy: p.createdBy,
      createdAt: p.createdAt,
      expiresAt: p.expiresAt,
      endApiKeys: p.endApiKeys,
      endApps: p.endApps,
      endSecondFactor: p.endSecondFactor,
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

const invitationColumns = ['id', 'roleId', 'createdBy'] as const
/** Does not use the link up; for the page with the form. */
export const findInvitation = queryFirst((db, p: { hash: string; now: string }) =>
  db
    .selectFrom('accountLink')
    .select(invitationColumns)
    .where('hash', '=', p.hash)
    .where('purpose', '=', 'invite')
    .where('expiresAt', '>', p.now),
)

/** Uses the link up. Only one of several concurrent calls gets it; a rollback restores it. */
export const takeInvitation = queryFirst((db, p: { hash: string; now: string }) =>
  db
    .deleteFrom('accountLink')
    .where('hash', '=', p.hash)
    .where('purpose', '=', 'invite')
    .where('expiresAt', '>', p.now)
    .returning(invitationColumns),
)

export interface ListedInvitation extends Invitation {
  /** Null if `roleId` is. */
  roleName: string | null
  createdByName: string | null
  createdAt: string
  expiresAt: string
}
/** Newest first, without expired ones. */
export const listInvitations = query((db, p: { now: string }) =>
  db
    .selectFrom('accountLink')
    .leftJoin('role', 'role.id', 'accountLink.roleId')
    .leftJoin('person', 'person.id', 'accountLink.createdBy')
    .select([
      'accountLink.id',
      'accountLink.roleId',
      'accountLink.createdBy',
      'role.name as roleName',
      'person.username as createdByName',
      'accountLink.createdAt',
      'accountLink.expiresAt',
    ])
    .where('accountLink.purpose', '=', 'invite')
    .where('accountLink.expiresAt', '>', p.now)
    .orderBy('accountLink.id', 'desc'),
)

/** Returns the deleted invitation; undefined if it was no longer open. */
export const deleteInvitation = queryFirst((db, p: { id: number; now: string }) =>
  db
    .deleteFrom('accountLink')
    .where('id', '=', p.id)
    .where('purpose', '=', 'invite')
    .where('expiresAt', '>', p.now)
    .returning(invitationColumns),
)

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
const resetColumns = ['id', 'userId', 'createdBy', 'endApiKeys', 'endApps', 'endSecondFactor'] as const
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

const resetLink = query((db, p: Wanted) =>
  db
    .selectFrom('accountLink')
    .select(resetColumns)
    .where('hash', '=', p.hash)
    .where('purpose', 'in', resets)
    .where('expiresAt', '>', p.now),
)
/** Does not use the link up; for the page with the form. */
export const findResetLink = async (
  db: Executor,
  hash: string,
  now: string,
): Promise<ResetLink | undefined> => toResetLink(await first(resetLink(db, { hash, now })))

const takenReset = query((db, p: Wanted) =>
  db
    .deleteFrom('accountLink')
    .where('hash', '=', p.hash)
    .where('purpose', 'in', resets)
    .where('expiresAt', '>', p.now)
    .returning(resetColumns),
)
/** Uses the link up. Only one of several concurrent calls gets it; a rollback restores it. */
export const takeResetLink = async (
  tx: Executor,
  hash: string,
  now: string,
): Promise<ResetLink | undefined> => toResetLink(await first(takenReset(tx, { hash, now })))

const openResets = query((db, p: { now: string }) =>
  db
    .selectFrom('accountLink')
    .select(['userId', 'expiresAt'])
    .where('purpose', '=', 'reset')
    .where('expiresAt', '>', p.now),
)
/** When the reset links that others created for people expire, by the person's id. */
export const listOpenResetLinks = async (db: Executor, now: string): Promise<Map<string, string>> =>
  new Map(
    (await openResets(db, { now })).flatMap(({ userId, expiresAt }) => (userId ? [[userId, expiresAt]] : [])),
  )
/** When the open links of a person were mailed, newest first. */
export const listMailedAt = query(
  (db, p: { userId: string; now: string }) =>
    db
      .selectFrom('accountLink')
      .select('createdAt')
      .where('userId', '=', p.userId)
      .where('purpose', '=', 'mailed-reset')
      .where('expiresAt', '>', p.now)
      .orderBy('createdAt', 'desc'),
  ({ createdAt }) => createdAt,
)

const deleteResets = query((db, p: { userId: string; purpose: 'reset' | 'mailed-reset'; now: string }) =>
  db
    .deleteFrom('accountLink')
    .where('userId', '=', p.userId)
    .where('purpose', '=', p.purpose)
    .where('expiresAt', '>', p.now)
    .returning('id'),
)
/** Deletes the link that someone created for the person; true if it was still open. */
export const deleteResetLink = async (tx: Executor, userId: string, now: string): Promise<boolean> =>
  (await deleteResets(tx, { userId, purpose: 'reset', now })).length > 0
/** Deletes the links that were mailed to the person. */
export const deleteMailedLinks = (tx: Executor, userId: string, now: string) =>
  deleteResets(tx, { userId, purpose: 'mailed-reset', now })
/** Deletes all reset links of the person: their password has changed, or all access is revoked. */
export async function deleteResetLinksOf(tx: Executor, userId: string, now: string): Promise<void> {
  await deleteResetLink(tx, userId, now)
  await deleteMailedLinks(tx, userId, now)
}

// Both kinds

/** Links that a person created, when the account is deleted or all access is revoked. */
export const deleteLinksMadeBy = query((db, p: { userId: string }) =>
  db.deleteFrom('accountLink').where('createdBy', '=', p.userId).returning(['id', 'purpose']),
)

/** Invitations and reset links that a person created since then. */
export const deleteLinksMadeSince = query((db, p: { userId: string; since: string }) =>
  db
    .deleteFrom('accountLink')
    .where('createdBy', '=', p.userId)
    .where('createdAt', '>=', p.since)
    .returning('id'),
)

export const deleteExpiredLinks = query((db, p: { now: string }) =>
  db.deleteFrom('accountLink').where('expiresAt', '<=', p.now).returning('id'),
)
