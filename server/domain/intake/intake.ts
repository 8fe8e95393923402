// Rules for imports that run automatically: mailboxes, forwarded mails and calendars.
import { DAY, HOUR, MINUTE } from '../time/durations.ts'

/** How a flight arrived. */
export const intakeWays = ['mailbox', 'mail', 'calendar'] as const
export type IntakeWay = (typeof intakeWays)[number]

/** `failing`: the last attempt failed and is retried later. `suspended`: it must be entered again. */
export const intakeStatuses = ['active', 'failing', 'suspended'] as const
export type IntakeStatus = (typeof intakeStatuses)[number]

/** Why a mailbox or a calendar could not be read. */
export const intakeProblems = [
  'address_refused',
  'name_not_found',
  'no_connection',
  'certificate_invalid',
  'timeout',
  'connection_broken',
  'encryption_missing',
  'login_refused',
  'folder_not_found',
  'not_a_mail_server',
  'http_status',
  'redirect_refused',
  'not_a_calendar',
  'too_large',
  'access_lost',
  'secret_unreadable',
  'failed',
] as const
export type IntakeProblem = (typeof intakeProblems)[number]

/** `tls` from the start, `starttls` before the password, or none: only to this machine or a permitted private address. */
export const mailSecurities = ['tls', 'starttls', 'none'] as const
export type MailSecurity = (typeof mailSecurities)[number]

export const MAILBOXES_PER_PERSON = 5
export const SUBSCRIPTIONS_PER_PERSON = 10
export const SENDERS_AT_MOST = 20
/** How far back a new mailbox is read at most. */
export const DAYS_BACK_AT_MOST = 365
/** Larger mails are skipped: a confirmation with its attachments is far smaller. */
export const MAIL_BYTES_AT_MOST = 25 * 1024 * 1024
export const CALENDAR_BYTES_AT_MOST = 10 * 1024 * 1024

export const MAILBOX_EVERY_MS = 10 * MINUTE
export const CALENDAR_EVERY_MS = HOUR
/** After failing for this long, its owner is notified once. */
export const NOTIFY_AFTER_MS = 2 * DAY
const LONGEST_PAUSE_MS = DAY

/** The pause after a number of consecutive failures: twice as long each time, up to a day. */
export const pauseAfter = (everyMs: number, failures: number): number =>
  Math.min(everyMs * 2 ** Math.min(failures, 10), Math.max(LONGEST_PAUSE_MS, everyMs))
