// Folders of mail that are read now and then; what they share with calendars is in intake-sources.ts.
import type { MailSecurity } from '../domain/intake.ts'
import type { Executor } from './engine.ts'
import { createIntakeQueries, type IntakeSource } from './intake-sources.ts'
import { query } from './query.ts'

interface MailboxSettings {
  host: string
  port: number
  security: MailSecurity
  username: string
  folder: string
}

export interface Mailbox extends MailboxSettings, IntakeSource {
  /** Sealed. */
  password: string
  uidValidity: number | null
  lastUid: number
  since: string
  messages: number
}

type NewMailbox = MailboxSettings & {
  password: string
  uidValidity: number
  lastUid: number
  since: string
}

export const mailboxes = createIntakeQueries<Mailbox, Mailbox, NewMailbox>({
  table: 'mailbox',
  columns: [
    'port',
    'security',
    'username',
    'password',
    'folder',
    'uid_validity as uidValidity',
    'last_uid as lastUid',
    'since',
    'messages',
  ],
  sealed: 'password',
  toSource: (row) => row,
  toRow: (mailbox) => mailbox,
  // The position moves with each message.
  changes: () => ({}),
  newColumns: (p) => ({
    host: p.host,
    port: p.port,
    security: p.security,
    username: p.username,
    password: p.password,
    folder: p.folder,
    uid_validity: p.uidValidity,
    last_uid: p.lastUid,
    since: p.since,
    messages: 0,
  }),
})

interface NewAccess {
  id: number
  password: string
  security: MailSecurity
  now: string
}
const replaceAccess = query<NewAccess, { id: number }>((db, p) =>
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
    .returning('id'),
)
/** The same folder with another password: its position stays. */
export const updateMailboxAccess = (tx: Executor, access: NewAccess) => replaceAccess(tx, access)

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
