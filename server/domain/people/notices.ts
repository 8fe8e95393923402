// The notices that people get. Each kind is declared here once, with the schema of its data; storage, API and documentation
// are derived from it.
import * as z from 'zod'
import { permissions } from '../access/access.ts'
import { datePrecisions } from '../enums.ts'
import { importStatuses } from '../imports/imports.ts'
import { failureReasons } from '../instance/backup-plan.ts'
import { intakeProblems, intakeWays } from '../intake/intake.ts'
import { RowId } from '../row-id.ts'
import { stopReasons } from '../webhooks/webhooks.ts'

/** How a person can remove a flight that others are on. */
const removals = ['left', 'deleted', 'erased'] as const
export type Removal = (typeof removals)[number]

export const noticeKinds = {
  /** Another person added the reader to a flight, who may keep it or leave it. */
  'flight.added': z.object({
    flightId: RowId,
    date: z.string().describe('Local date at departure.').meta({ format: 'date' }),
    datePrecision: z.enum(datePrecisions),
    from: z.string().nullable().describe('IATA code of the departure airport, else its ICAO code.'),
    to: z.string().nullable(),
    flightNumber: z.string().nullable(),
    addedBy: z.object({ id: z.string(), displayName: z.string() }).describe('The person who added you.'),
    importId: RowId.nullable().describe(
      'The import that added you. Then this notice, and keeping or leaving, is about all its flights.',
    ),
    more: z.int().describe('How many flights of that import you are on beside this one.'),
    state: z.enum(['open', 'kept', 'left']).describe('`open`: you can keep this flight or leave it.'),
  }),
  /** Another person removed flights that the reader was on, or left them. */
  'flight.removed': z.object({
    flightId: RowId.describe('The first of them.'),
    date: z.string().describe('Local date at departure.').meta({ format: 'date' }),
    datePrecision: z.enum(datePrecisions),
    from: z.string().nullable().describe('IATA code of the departure airport, else its ICAO code.'),
    to: z.string().nullable(),
    flightNumber: z.string().nullable(),
    how: z
      .enum(removals)
      .describe(
        '`left`: the person is no longer on it, and you are. `deleted`: it is in the bin for 30 days. `erased`: it is gone.',
      ),
    by: z
      .object({ id: z.string(), displayName: z.string() })
      .nullable()
      .describe('null: the account of the person who logged it was deleted.'),
    flights: z.int().describe('How many flights.'),
  }),
  /** One of the reader's webhooks has stopped sending. */
  'webhook.stopped': z.object({
    webhookId: RowId,
    name: z.string().describe('Its description, else its host.'),
    status: z.enum(['suspended', 'disabled']),
    because: z.enum(stopReasons),
  }),
  /** A mail or a calendar was imported automatically. */
  'import.arrived': z.object({
    importId: RowId,
    way: z.enum(intakeWays).describe('A mailbox that is read, a mail that was forwarded, or a calendar.'),
    name: z.string().describe('The user name of the mailbox, or the name of the calendar; empty for a mail.'),
    sender: z
      .string()
      .nullable()
      .describe('Who forwarded the mail, if that is not one of your addresses. Then nothing was created.'),
    created: z.int().describe('Flights that it created.'),
    waiting: z.int().describe('Records that wait for you.'),
    status: z.enum(importStatuses).describe('Of the import, now.'),
  }),
  /** One of the reader’s mailboxes or calendars is no longer read, or could not be read for days. */
  'intake.stopped': z.object({
    what: z.enum(['mailbox', 'subscription']),
    id: RowId,
    name: z.string(),
    because: z.enum(intakeProblems),
  }),
  /** The reader has not finished an import. */
  'import.waiting': z.object({
    importId: RowId,
    filename: z.string(),
    questions: z.int().describe('Questions without an answer, when the notice was written.'),
    status: z.enum(importStatuses).describe('Of the import, now.'),
  }),
  /** The reader, or another person, signed in with a browser that had not been used before. */
  'session.new': z.object({
    userAgent: z.string().nullable(),
    device: z
      .string()
      .nullable()
      .describe('The browser and the system that it names, such as “Firefox on Linux”; null if unknown.'),
    address: z.string().nullable().describe('The network address that the request came from.'),
    state: z.enum(['open', 'ended']).describe('`ended`: you said that it was not you.'),
  }),
  /** For the owner: people with this role have more permissions than before. */
  'role.gained': z.object({
    roleId: z.string(),
    name: z.string().describe('Of the role, after the change.'),
    permissions: z.array(z.enum(permissions)).describe('What it gained.'),
    by: z.object({ id: z.string(), displayName: z.string() }).describe('The person who changed it.'),
    isByProgram: z.boolean().describe('By an API key or a connected app of that person.'),
  }),
  /** A client that knows the reader's password sent wrong codes of the second factor; at most one notice a day. */
  'second-factor.failed': z.object({
    codes: z.int().describe('Wrong codes within a day, when the notice was written.'),
    address: z.string().nullable().describe('The network address that the last one came from.'),
  }),
  /** A program published flights of the reader: it created shares, or changed them to show more. */
  'share.published': z.object({
    shareId: RowId.describe('The last of them.'),
    program: z.string().nullable().describe('The name of the API key or the app.'),
    how: z.enum(['created', 'widened']).describe('`widened`: it shows more than before, or for longer.'),
    shares: z.int().describe('How many shares.'),
  }),
  /** For people who administer the instance: the last backup failed. */
  'backup.failed': z.object({ reason: z.enum(failureReasons) }),
  /** For people who administer the instance: it runs a newer version than before. */
  'instance.upgraded': z.object({ from: z.string(), to: z.string() }),
  /** For people who administer the instance: a newer version was published. */
  'release.available': z.object({
    version: z.string(),
    security: z.boolean().describe('It repairs a weakness.'),
  }),
} as const satisfies Record<string, z.ZodObject>

export type NoticeKind = keyof typeof noticeKinds
/** As the reader sees it. */
export type ShownNoticeData<Kind extends NoticeKind = NoticeKind> = z.output<(typeof noticeKinds)[Kind]>
/** As stored. `state`, `status` of an import, `more` and `device` are not stored; they are derived from what the notice refers to. */
export type NoticeData<Kind extends NoticeKind = NoticeKind> = Kind extends NoticeKind
  ? Omit<
      ShownNoticeData<Kind>,
      'state' | 'more' | 'device' | (Kind extends 'import.arrived' | 'import.waiting' ? 'status' : never)
    >
  : never

/** How many notices are kept per person, apart from those that need a decision. */
export const NOTICES_AT_MOST = 1000
