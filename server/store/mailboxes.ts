// Folders of mail that are read now and then. The process that holds the lease of one reads it; a lease that expires
// returns to the others.
import type { IntakeProblem, IntakeStatus, MailSecurity } from '../domain/intake.ts'
import { hasNoTable, locksRows } from './dialect.ts'
import type { Executor } from './engine.ts'
import { type Builder, first, query } from './query.ts'

interface MailboxSettings {
  host: string
  port: number
  security: MailSecurity
  username: string
  folder: string
}

export interface Mailbox extends MailboxSettings {
  id: number
  userId: string
  /** Sealed. */
  password: string
  uidValidity: number | null
  lastUid: number
  since: string
  status: IntakeStatus
  problem: IntakeProblem | null
  failingSince: string | null
  failures: number
  messages: number
  lastCheckedAt: string | null
  nextCheckAt: string
  createdAt: string
}

const columns = [
  'mailbox.id',
  'mailbox.user_id as userId',
  'mailbox.host',
  'mailbox.port',
  'mailbox.security',
  'mailbox.username',
  'mailbox.password',
  'mailbox.folder',
  'mailbox.uid_validity as uidValidity',
  'mailbox.last_uid as lastUid',
  'mailbox.since',
  'mailbox.status',
  'mailbox.problem',
  'mailbox.failing_since as failingSince',
  'mailbox.failures',
  'mailbox.messages',
  'mailbox.last_checked_at as lastCheckedAt',
  'mailbox.next_check_at as nextCheckAt',
  'mailbox.created_at as createdAt',
] as const

// Mailboxes

const ofPerson = query<{ userId: string }, Mailbox>((db, p) =>
  db.selectFrom('mailbox').select(columns).where('user_id', '=', p.userId).orderBy('id'),
)
export const listMailboxes = (db: Executor, userId: string): Promise<Mailbox[]> => ofPerson(db, { userId })

const byId = query<{ userId: string; id: number }, Mailbox>((db, p) =>
  db.selectFrom('mailbox').select(columns).where('user_id', '=', p.userId).where('id', '=', p.id),
)
/** One of this person's mailboxes. */
export const findMailbox = (db: Executor, userId: string, id: number): Promise<Mailbox | undefined> =>
  first(byId(db, { userId, id }))

type NewMailbox = MailboxSettings & {
  userId: string
  password: string
  uidValidity: number
  lastUid: number
  since: string
  now: string
}
const insert = query<NewMailbox, Mailbox>((db, p) =>
  db
    .insertInto('mailbox')
    .values({
      user_id: p.userId,
      host: p.host,
      port: p.port,
      security: p.security,
      username: p.username,
      password: p.password,
      folder: p.folder,
      uid_validity: p.uidValidity,
      last_uid: p.lastUid,
      since: p.since,
      status: 'active',
      problem: null,
      failing_since: null,
      failures: 0,
      messages: 0,
      last_checked_at: null,
      next_check_at: p.now,
      lease: null,
      lease_until: null,
      created_at: p.now,
      updated_at: p.now,
    })
    .returning(columns),
)
export const insertMailbox = async (tx: Executor, mailbox: NewMailbox): Promise<Mailbox> =>
  (await insert(tx, mailbox))[0]!

interface NewAccess {
  id: number
  password: string
  security: MailSecurity
  now: string
}
const replaceAccess = query<NewAccess, Mailbox>((db, p) =>
  db
    .updateTable('mailbox')
    .set({
      password: p.password,
      security: p.security,
      status: 'active',
      problem: null,
      failing_since: null,
      failures: 0,
      next_check_at: p.now,
      updated_at: p.now,
    })
    .where('id', '=', p.id)
    .returning(columns),
)
/** The same folder with another password: its position stays. */
export const updateMailboxAccess = (tx: Executor, access: NewAccess): Promise<Mailbox | undefined> =>
  first(replaceAccess(tx, access))

const remove = query<{ userId: string; id: number }, { id: number }>((db, p) =>
  db.deleteFrom('mailbox').where('user_id', '=', p.userId).where('id', '=', p.id).returning('id'),
)
export const deleteMailbox = async (tx: Executor, userId: string, id: number): Promise<boolean> =>
  (await remove(tx, { userId, id })).length > 0

const everyPassword = query<object, { userId: string; text: string }>((db) =>
  db.selectFrom('mailbox').select(['user_id as userId', 'password as text']),
)
/** Empty also where the table does not exist yet. */
export async function listPasswordsIfAny(db: Executor): Promise<{ userId: string; text: string }[]> {
  try {
    return await everyPassword(db, {})
  } catch (error) {
    if (hasNoTable(error)) return []
    throw error
  }
}

// Reading them

const due = (db: Builder, p: { now: string }) =>
  db
    .selectFrom('mailbox')
    .where('mailbox.status', '!=', 'suspended')
    .where('mailbox.next_check_at', '<=', p.now)
    .where((eb) => eb.or([eb('mailbox.lease_until', 'is', null), eb('mailbox.lease_until', '<=', p.now)]))

const anyDue = query<{ now: string }, { id: number }>((db, p) => due(db, p).select('mailbox.id').limit(1))
/** A read, so that an instance without mailboxes never waits to write. */
export const hasDueMailbox = async (db: Executor, now: string): Promise<boolean> =>
  (await anyDue(db, { now })).length > 0

interface Lease {
  lease: string
  now: string
  until: string
}
const claim = query<Lease, Mailbox>((db, p, engine) =>
  db
    .updateTable('mailbox')
    .set({ lease: p.lease, lease_until: p.until })
    .where('id', '=', () =>
      due(db, p)
        .select('mailbox.id')
        .orderBy('mailbox.next_check_at')
        .limit(1)
        .$if(locksRows(engine), (found) => found.forUpdate().skipLocked()),
    )
    .returning(columns),
)
/** Takes the lease of a mailbox that is to be read and that no process reads. */
export const claimMailbox = (tx: Executor, lease: Lease): Promise<Mailbox | undefined> =>
  first(claim(tx, lease))

const claimOne = query<Lease & { id: number }, Mailbox>((db, p) =>
  db
    .updateTable('mailbox')
    .set({ lease: p.lease, lease_until: p.until })
    .where('id', '=', p.id)
    .where((eb) => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<=', p.now)]))
    .returning(columns),
)
/** This one, whenever it is due; undefined if a process reads it. */
export const claimThisMailbox = (tx: Executor, lease: Lease & { id: number }): Promise<Mailbox | undefined> =>
  first(claimOne(tx, lease))

interface Progress {
  id: number
  lease: string
  until: string
  uidValidity: number
  lastUid: number
  read: number
}
const advance = query<Progress, { id: number }>((db, p) =>
  db
    .updateTable('mailbox')
    .set((eb) => ({
      lease_until: p.until,
      uid_validity: p.uidValidity,
      last_uid: p.lastUid,
      messages: eb('messages', '+', p.read),
    }))
    .where('id', '=', p.id)
    .where('lease', '=', p.lease)
    .returning('id'),
)
/** Moves the position and extends the lease; false if it was lost. */
export const advanceMailbox = async (tx: Executor, progress: Progress): Promise<boolean> =>
  (await advance(tx, progress)).length > 0

interface Result {
  id: number
  lease: string
  status: IntakeStatus
  problem: IntakeProblem | null
  failingSince: string | null
  failures: number
  lastCheckedAt: string
  nextCheckAt: string
}
const finish = query<Result, Mailbox>((db, p) =>
  db
    .updateTable('mailbox')
    .set({
      status: p.status,
      problem: p.problem,
      failing_since: p.failingSince,
      failures: p.failures,
      last_checked_at: p.lastCheckedAt,
      next_check_at: p.nextCheckAt,
      lease: null,
      lease_until: null,
    })
    .where('id', '=', p.id)
    .where('lease', '=', p.lease)
    .returning(columns),
)
/** Releases the lease; undefined if it was lost. */
export const finishMailbox = (tx: Executor, result: Result): Promise<Mailbox | undefined> =>
  first(finish(tx, result))

const release = query<{ id: number; lease: string }, { id: number }>((db, p) =>
  db
    .updateTable('mailbox')
    .set({ lease: null, lease_until: null })
    .where('id', '=', p.id)
    .where('lease', '=', p.lease)
    .returning('id'),
)
export const releaseMailbox = (tx: Executor, id: number, lease: string) => release(tx, { id, lease })
