// One reading of a mailbox: each new message since the last one becomes an import. The position moves with each
// message, so that the next process continues where a killed one stopped.

import { MAIL_BYTES_AT_MOST, MAILBOX_EVERY_MS } from '../../domain/intake/intake.ts'
import { DAY, MINUTE } from '../../domain/time/durations.ts'
import type { Services } from '../../door/services.ts'
import { type OpenFolder, openFolder } from '../../services/intake/imap.ts'
import { IntakeError, intakeRules, sealPurposes, unsealOrNot } from '../../services/intake/reach.ts'
import { advanceMailbox, type Mailbox, mailboxes } from '../../store/intake/mailboxes.ts'
import type { Transaction } from '../../store/store.ts'
import { type Arrived, INTAKE_LEASE_MS, mailFilename, takeIn } from './intake.ts'
import { createSchedule, readWell, type Turn } from './schedule.ts'

/** The rest is read right after, in the next run. */
const MESSAGES_AT_ONCE = 100
/** If a host takes longer than this, its remaining messages are read in the next run, so that other sources are read too. */
const TURN_MS = 10 * MINUTE

export const mailboxName = ({ username, host }: Pick<Mailbox, 'username' | 'host'>): string =>
  username.includes('@') ? username : `${username}@${host}`

export const mailboxSchedule = createSchedule<Mailbox>({
  what: 'mailbox',
  noun: 'Mailbox',
  setting: 'mailboxes',
  queries: mailboxes,
  everyMs: MAILBOX_EVERY_MS,
  nameOf: mailboxName,
  async read(services, turn, signal) {
    const pause = await readNew(services, turn, signal)
    const after = { ...turn.source, ...readWell(services, pause) }
    return services.store.transaction((tx) => mailboxes.finish(tx, after, turn.lease))
  },
})

/** Returns how long to wait before the next reading. */
async function readNew(
  services: Services,
  turn: Turn<Mailbox>,
  signal: AbortSignal | undefined,
): Promise<number> {
  const { source: mailbox } = turn
  const { clock } = services
  const end = clock.now() + TURN_MS
  const folder = await openFolder(serverOf(services, mailbox), intakeRules(services.config), signal)
  try {
    const isSame = mailbox.uidValidity === folder.uidValidity
    const since = sinceOf(mailbox, isSame)
    const found = await folder.list(isSame ? mailbox.lastUid : 0, since, MESSAGES_AT_ONCE + 1)
    for (const message of found.slice(0, MESSAGES_AT_ONCE)) {
      signal?.throwIfAborted()
      if (clock.now() > end) return MAILBOX_EVERY_MS
      await readMessage(services, turn, folder, message)
    }
    if (!isSame && found.length === 0)
      await moveTo(services, turn, folder, { lastUid: folder.uidNext - 1, read: 0 })
    return found.length > MESSAGES_AT_ONCE ? 0 : MAILBOX_EVERY_MS
  } finally {
    folder.close()
  }
}

/** Renumbered messages are all above the position. Those from before the last reading have been read. */
function sinceOf({ since, lastCheckedAt }: Mailbox, isSame: boolean): Date {
  const begun = Date.parse(since)
  if (isSame || lastCheckedAt === null) return new Date(begun)
  return new Date(Math.max(begun, Date.parse(lastCheckedAt) - DAY))
}

function serverOf({ secret }: Pick<Services, 'secret'>, mailbox: Mailbox) {
  const password = unsealOrNot(secret, sealPurposes.mailbox(mailbox.userId), mailbox.password)
  if (password === undefined) throw new IntakeError('secret_unreadable')
  const { host, port, security, username, folder } = mailbox
  return { host, port, security, username, folder, password }
}

/** Skips a message that is too large or gone. */
async function readMessage(
  services: Services,
  turn: Turn<Mailbox>,
  folder: OpenFolder,
  { uid, bytes: size }: { uid: number; bytes: number },
): Promise<void> {
  const { source: mailbox } = turn
  const bytes = size > MAIL_BYTES_AT_MOST ? undefined : await folder.read(uid)
  if (size > MAIL_BYTES_AT_MOST) services.intakeMetrics.countRefusedMail('too_large')
  if (!bytes || bytes.byteLength === 0) return moveTo(services, turn, folder, { lastUid: uid, read: 0 })
  const arrival = {
    userId: mailbox.userId,
    way: 'mailbox' as const,
    name: mailboxName(mailbox),
    bytes,
    filename: mailFilename(bytes),
  }
  const arrived = await takeIn(services, arrival, (tx) =>
    requireAdvance(tx, services, turn, folder, { lastUid: uid, read: 1 }),
  )
  services.intakeMetrics.countMail('mailbox')
  logArrival(services, 'read a mail', { mailbox: mailbox.id }, arrived)
}

/** Never logs the content. */
export function logArrival(
  { log }: Pick<Services, 'log'>,
  what: string,
  where: Record<string, unknown>,
  { importId, created, waiting }: Arrived,
): void {
  if (importId !== null) log.info(what, { ...where, import: importId, created, waiting })
  else log.debug(what, { ...where, created, waiting })
}

const moveTo = (
  services: Services,
  turn: Turn<Mailbox>,
  folder: OpenFolder,
  position: { lastUid: number; read: number },
): Promise<void> => services.store.transaction((tx) => requireAdvance(tx, services, turn, folder, position))

/** Throws if another process holds the lease or the mailbox was deleted: then nothing of this message is recorded. */
async function requireAdvance(
  tx: Transaction,
  { clock }: Pick<Services, 'clock'>,
  { source: mailbox, lease }: Turn<Mailbox>,
  { uidValidity }: OpenFolder,
  position: { lastUid: number; read: number },
): Promise<void> {
  const until = new Date(clock.now() + INTAKE_LEASE_MS).toISOString()
  const isHeld = await advanceMailbox(tx, { id: mailbox.id, lease, until, uidValidity, ...position })
  if (!isHeld) throw new IntakeError('failed')
}
