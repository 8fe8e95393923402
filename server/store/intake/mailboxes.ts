// Mail folders that are read on a schedule; sources.ts has what they share with calendars.
import type { MailSecurity } from '../../domain/intake/intake.ts'
import { renewed } from '../engine/leases.ts'
import { query, queryAny } from '../engine/query.ts'
import { createIntakeQueries, type IntakeSource } from './sources.ts'

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
    'uidValidity',
    'lastUid',
    'since',
    'messages',
  ],
  sealed: 'password',
  toSource: (row) => row,
  toRow: (mailbox) => mailbox,
  // `advanceMailbox` has already saved the position.
  changes: [],
  fresh: { messages: 0 },
})

interface NewAccess {
  id: number
  password: string
  security: MailSecurity
  now: string
}
/** The folder stays the same, so its position is kept. */
export const updateMailboxAccess = query((db, p: NewAccess) =>
  db
    .updateTable('mailbox')
    .set({
      password: p.password,
      security: p.security,
      status: 'active',
      problem: null,
      failingSince: null,
      failures: 0,
      nextCheckAt: p.now,
      updatedAt: p.now,
    })
    .where('id', '=', p.id)
    .returning('id'),
)

interface Progress {
  id: number
  lease: string
  until: string
  uidValidity: number
  lastUid: number
  read: number
}
/** Advances the position and extends the lease; false if the lease was lost. */
export const advanceMailbox = queryAny((db, p: Progress) =>
  renewed(db, 'mailbox', p)
    .set((eb) => ({
      uidValidity: p.uidValidity,
      lastUid: p.lastUid,
      messages: eb('messages', '+', p.read),
    }))
    .returning('id'),
)
