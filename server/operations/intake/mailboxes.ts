// Mailboxes: folders of a person's mail that are read for flights, and never changed. read-mailbox.ts reads them.
import { isIP } from 'node:net'
import * as z from 'zod'
import { AppError, detail, invalidField } from '../../base/errors.ts'
import { isLoopbackHost } from '../../base/network/outbound.ts'
import { because } from '../../base/request/validation.ts'
import {
  DAYS_BACK_AT_MOST,
  type IntakeProblem,
  intakeProblems,
  intakeStatuses,
  MAILBOXES_PER_PERSON,
  mailSecurities,
} from '../../domain/intake/intake.ts'
import { pick } from '../../domain/pick.ts'
import { problem } from '../../domain/reasons.ts'
import { RowId } from '../../domain/row-id.ts'
import { DAY } from '../../domain/time/durations.ts'
import { type Call, operation, person, takes } from '../../door/operation.ts'
import type { Services } from '../../door/services.ts'
import { type MailServer, openFolder } from '../../services/intake/imap.ts'
import { IntakeError, intakeRules, sealPurposes } from '../../services/intake/reach.ts'
import {
  mailboxes,
  type Mailbox as StoredMailbox,
  updateMailboxAccess,
} from '../../store/intake/mailboxes.ts'
import type { Transaction } from '../../store/store.ts'
import { authorOf, recordBy } from '../access/authority.ts'
import { list, nothing, onePage, pathId, single, strictQuery, timestamp } from '../wire/schemas.ts'
import { mailboxName, mailboxSchedule } from './read-mailbox.ts'
import { reasonOf } from './schedule.ts'

const tag = 'Imports'
const access = person(['flight.import.own'])
const TLS_PORT = 993

const Mailbox = z
  .object({
    id: RowId,
    host: z.string(),
    port: z.int(),
    security: z.enum(mailSecurities),
    user: z.string(),
    folder: z.string(),
    status: z
      .enum(intakeStatuses)
      .describe('`suspended`: its password cannot be read any more; add the mailbox again.'),
    problem: z.enum(intakeProblems).nullable().describe('Why the last reading failed.'),
    messages: z.int().describe('How many messages were read.'),
    lastCheckedAt: timestamp('When it was last read, or attempted to.').nullable(),
    nextCheckAt: timestamp('When it is read again.'),
    createdAt: timestamp('When it was added.'),
  })
  .meta({ id: 'Mailbox' })

const MailboxInput = z
  .strictObject({
    host: z
      .string()
      .trim()
      .min(1)
      .max(253)
      .refine((host) => /^[A-Za-z0-9._-]+$/.test(host) || isIP(host) === 6, because('mail_host_form'))
      .describe('Of the IMAP server.')
      .meta({ example: 'imap.example.org' }),
    port: z.int().min(1).max(65_535).default(TLS_PORT),
    security: z
      .enum(mailSecurities)
      .optional()
      .describe('Omitted: by the port. `none` only to this machine or a permitted private address.'),
    user: z.string().trim().min(1).max(320).meta({ example: 'ada@example.org' }),
    password: z.string().min(1).max(1000).describe('Best one that is only for Contrail.'),
    folder: z.string().trim().min(1).max(500).default('INBOX').describe('A folder or a label.'),
    days: z
      .int()
      .min(0)
      .max(DAYS_BACK_AT_MOST)
      .default(0)
      .describe('Read messages of so many days back too; 0: only what arrives from now on.'),
  })
  .meta({ id: 'MailboxInput' })
type MailboxInput = z.output<typeof MailboxInput>

const listed = list(Mailbox)

export const listMailboxes = operation({
  id: 'list-mailboxes',
  method: 'GET',
  path: '/mailboxes',
  door: 'app',
  tag,
  summary: 'List your mailboxes',
  access,
  query: strictQuery({}),
  output: listed.extend({
    page: listed.shape.page.extend({
      available: z.boolean().describe('This server reads mailboxes.'),
      max: z.int().describe('How many a person may have.'),
    }),
  }),
  async run({ principal, db, services }) {
    const { data, page } = onePage((await mailboxes.list(db, principal.user.id)).map(show))
    return { data, page: { ...page, available: services.config.mailboxes, max: MAILBOXES_PER_PERSON } }
  },
})

export const addMailbox = operation({
  id: 'add-mailbox',
  method: 'POST',
  path: '/mailboxes',
  door: 'app',
  tag,
  summary: 'Add a mailbox to read flights from',
  description:
    'It is opened first, and what is wrong is said. From then on it is read every ten minutes, without changing anything in it. The same folder again replaces its password.',
  access,
  query: strictQuery({}),
  body: takes(MailboxInput),
  output: single(Mailbox),
  otherStatuses: [201],
  errors: ['conflict', 'too_many_requests'],
  transaction: 'own',
  check: mailboxSchedule.requireOn,
  async run(call) {
    const { services, input } = call
    const server = serverOf(input)
    const position = await tryFolder(services, call.principal.user.id, server)
    const saved = await services.store.transaction((tx) => save({ ...call, db: tx }, server, position))
    if (saved.isNew) call.outcome.created = `/mailboxes/${saved.mailbox.id}`
    return { data: show(saved.mailbox) }
  },
})

export const deleteMailbox = operation({
  id: 'delete-mailbox',
  method: 'DELETE',
  path: '/mailboxes/{id}',
  door: 'app',
  tag,
  summary: 'Remove a mailbox',
  description: 'Its password is forgotten. What was imported from it stays.',
  access,
  params: pathId,
  query: strictQuery({}),
  output: nothing,
  status: 204,
  errors: ['not_found'],
  target: { find: mailboxSchedule.own },
  async run(call) {
    await mailboxSchedule.delete(call)
    await record(call, 'mailbox.removed', call.target)
  },
})

export const checkMailbox = operation({
  id: 'check-mailbox',
  method: 'POST',
  path: '/mailboxes/{id}/check',
  door: 'app',
  tag,
  summary: 'Read a mailbox now',
  access,
  params: pathId,
  query: strictQuery({}),
  output: single(Mailbox),
  errors: ['not_found', 'conflict', 'too_many_requests'],
  transaction: 'own',
  check: mailboxSchedule.requireOn,
  target: { find: mailboxSchedule.own },
  run: async (call) => ({ data: show(await mailboxSchedule.readNow(call, call.target)) }),
})

const show = (mailbox: StoredMailbox): z.input<typeof Mailbox> => ({
  ...pick(mailbox, ['id', 'host', 'port', 'security']),
  user: mailbox.username,
  ...pick(mailbox, ['folder', 'status', 'problem', 'messages', 'lastCheckedAt', 'nextCheckAt', 'createdAt']),
})

/** The default is the usual security of the port, and no encryption only on this machine. */
function serverOf({ host, port, security, user, password, folder }: MailboxInput): MailServer {
  const usual = port === TLS_PORT ? 'tls' : isLoopbackHost(host) ? 'none' : 'starttls'
  return { host, port, security: security ?? usual, username: user, password, folder }
}

/**
 * Opens the folder once, so that problems are reported while the person is there. Wrong passwords are limited as for
 * signing in: this server must not be used to guess the password of another person's mailbox.
 */
async function tryFolder(
  { limits, config }: Pick<Services, 'limits' | 'config'>,
  userId: string,
  server: MailServer,
) {
  limits.reach(userId)
  const known = `mailboxes of ${userId}`
  const attempt = await limits.takeTry({ known, whenFull: known })
  let isWrong = false
  try {
    const folder = await openFolder(server, intakeRules(config))
    folder.close()
    return { uidValidity: folder.uidValidity, lastUid: folder.uidNext - 1 }
  } catch (error) {
    if (!(error instanceof IntakeError)) throw error
    isWrong = error.problem === 'login_refused'
    throw refusal(error.problem, server)
  } finally {
    if (!isWrong) await attempt.giveBack()
  }
}

/** Reports a problem at its field. */
function refusal(found: IntakeProblem, { security }: MailServer): AppError {
  if (found === 'login_refused') {
    const details = ['user', 'password'].map((field) => detail([field], 'intake_login_refused'))
    return new AppError('validation_failed', 'validation_failed', { details })
  }
  if (found === 'folder_not_found') return invalidField(['folder'], 'intake_folder_not_found')
  if (found === 'encryption_missing' && security === 'none')
    return invalidField(['security'], 'mail_encryption_required')
  const field = found === 'encryption_missing' || found === 'no_connection' ? 'port' : 'host'
  return invalidField([field], reasonOf(found))
}
async function save(
  call: Call<MailboxInput> & { db: Transaction },
  server: MailServer,
  { uidValidity, lastUid }: { uidValidity: number; lastUid: number },
): Promise<{ mailbox: StoredMailbox; isNew: boolean }> {
  const { principal, input, db, now, services } = call
  const userId = principal.user.id
  const { password: given, ...settings } = server
  const password = services.secret.seal(sealPurposes.mailbox(userId), given)
  const own = await mailboxSchedule.countable(db, userId)
  const same = own.find(
    ({ host, port, username, folder }) =>
      host === settings.host &&
      port === settings.port &&
      username === settings.username &&
      folder === settings.folder,
  )
  const at = now.toISOString()
  if (same) {
    await updateMailboxAccess(db, { id: same.id, password, security: settings.security, now: at })
    return { mailbox: (await mailboxes.find(db, userId, same.id)) ?? same, isNew: false }
  }
  if (own.length >= MAILBOXES_PER_PERSON)
    throw new AppError('conflict', problem('too_many_mailboxes', { max: MAILBOXES_PER_PERSON }))
  const { days } = input
  const mailbox = await mailboxes.insert(db, {
    ...settings,
    userId,
    password,
    uidValidity,
    lastUid: days > 0 ? 0 : lastUid,
    since: new Date(now.getTime() - days * DAY).toISOString(),
    now: at,
  })
  await record(call, 'mailbox.added', mailbox)
  return { mailbox, isNew: true }
}

const record = (call: Call, kind: 'mailbox.added' | 'mailbox.removed', mailbox: StoredMailbox) =>
  recordBy(authorOf(call), call.db, kind, {
    details: { mailbox: mailbox.id, name: mailboxName(mailbox), host: mailbox.host },
  })
