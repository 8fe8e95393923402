// One reading of a mailbox: what arrived since the last one becomes imports, message by message. The position moves with
// each, so that a process that is killed goes on where it was.
import {
  type IntakeProblem,
  MAIL_BYTES_AT_MOST,
  MAILBOX_EVERY_MS,
  NOTIFY_AFTER_MS,
  pauseAfter,
} from '../domain/intake.ts'
import { type OpenFolder, openFolder } from '../intake/imap.ts'
import { IntakeError, intakeRules, sealPurposes, unsealOrNot } from '../intake/reach.ts'
import type { Services } from '../operation.ts'
import {
  advanceMailbox,
  claimMailbox,
  claimThisMailbox,
  finishMailbox,
  hasDueMailbox,
  type Mailbox,
  releaseMailbox,
} from '../store/mailboxes.ts'
import { insertNotice } from '../store/notices.ts'
import type { Transaction } from '../store/store.ts'
import { type Arrived, INTAKE_LEASE_MS, intakeLease, mailFilename, takeIn } from './intake.ts'

/** The rest follows at once, in the next turn. */
const MESSAGES_AT_ONCE = 100
/** A host that takes longer for them waits for its next turn, so that others have theirs. */
const TURN_MS = 10 * 60_000
const DAY_MS = 86_400_000

export const mailboxName = ({ username, host }: Pick<Mailbox, 'username' | 'host'>): string =>
  username.includes('@') ? username : `${username}@${host}`

/** Takes the lease of a mailbox that is due; undefined if none is. */
export async function claimDueMailbox(services: Services): Promise<Turn | undefined> {
  const lease = intakeLease(services)
  if (!(await hasDueMailbox(services.store.read, lease.now))) return undefined
  const mailbox = await services.store.transaction((tx) => claimMailbox(tx, lease))
  return mailbox && { mailbox, lease: lease.lease }
}

/** Of this one; undefined if a process reads it at the moment. */
export async function claimOneMailbox(services: Services, id: number): Promise<Turn | undefined> {
  const lease = intakeLease(services)
  const mailbox = await services.store.transaction((tx) => claimThisMailbox(tx, { ...lease, id }))
  return mailbox && { mailbox, lease: lease.lease }
}

interface Turn {
  mailbox: Mailbox
  lease: string
}

/** Reads what is new and records the result. Never throws because of the mail server; aborting gives the lease back. */
export async function readMailbox(
  services: Services,
  turn: Turn,
  signal?: AbortSignal,
): Promise<Mailbox | undefined> {
  const { store, log } = services
  const { mailbox, lease } = turn
  try {
    const pause = await readNew(services, turn, signal)
    return await store.transaction((tx) =>
      finishMailbox(tx, { ...succeeded(services, pause), id: mailbox.id, lease }),
    )
  } catch (error) {
    if (signal?.aborted) {
      await store.transaction((tx) => releaseMailbox(tx, mailbox.id, lease))
      return undefined
    }
    if (!(error instanceof IntakeError)) throw error
    log.info('a mailbox could not be read', {
      mailbox: mailbox.id,
      host: mailbox.host,
      problem: error.problem,
    })
    return store.transaction((tx) => recordFailure(tx, services, turn, error.problem))
  }
}

function succeeded({ clock }: Services, pauseMs: number) {
  const now = clock.now()
  return {
    status: 'active' as const,
    problem: null,
    failingSince: null,
    failures: 0,
    lastCheckedAt: new Date(now).toISOString(),
    nextCheckAt: new Date(now + pauseMs).toISOString(),
  }
}

/** Returns how long to wait before the next reading. */
async function readNew(services: Services, turn: Turn, signal: AbortSignal | undefined): Promise<number> {
  const { mailbox } = turn
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

/** A server that gave its messages new numbers has them all above the position; those of before the last reading were read. */
function sinceOf({ since, lastCheckedAt }: Mailbox, isSame: boolean): Date {
  const begun = Date.parse(since)
  if (isSame || lastCheckedAt === null) return new Date(begun)
  return new Date(Math.max(begun, Date.parse(lastCheckedAt) - DAY_MS))
}

function serverOf({ secret }: Services, mailbox: Mailbox) {
  const password = unsealOrNot(secret, sealPurposes.mailbox(mailbox.userId), mailbox.password)
  if (password === undefined) throw new IntakeError('secret_unreadable')
  const { host, port, security, username, folder } = mailbox
  return { host, port, security, username, folder, password }
}

/** One that is too large or gone is passed over. */
async function readMessage(
  services: Services,
  turn: Turn,
  folder: OpenFolder,
  { uid, bytes: size }: { uid: number; bytes: number },
): Promise<void> {
  const { mailbox } = turn
  const bytes = size > MAIL_BYTES_AT_MOST ? undefined : await folder.read(uid)
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
  logArrival(services, 'read a mail', { mailbox: mailbox.id }, arrived)
}

/** Never what is in it. */
export function logArrival(
  { log }: Services,
  what: string,
  where: Record<string, unknown>,
  { importId, created, waiting }: Arrived,
): void {
  if (importId !== null) log.info(what, { ...where, import: importId, created, waiting })
  else log.debug(what, { ...where, created, waiting })
}

const moveTo = (
  services: Services,
  turn: Turn,
  folder: OpenFolder,
  position: { lastUid: number; read: number },
): Promise<void> => services.store.transaction((tx) => requireAdvance(tx, services, turn, folder, position))

/** Throws if the lease is another's or the mailbox is gone: then nothing of this message is recorded. */
async function requireAdvance(
  tx: Transaction,
  { clock }: Services,
  { mailbox, lease }: Turn,
  { uidValidity }: OpenFolder,
  position: { lastUid: number; read: number },
): Promise<void> {
  const until = new Date(clock.now() + INTAKE_LEASE_MS).toISOString()
  const isHeld = await advanceMailbox(tx, { id: mailbox.id, lease, until, uidValidity, ...position })
  if (!isHeld) throw new IntakeError('failed')
}

async function recordFailure(
  tx: Transaction,
  { clock }: Services,
  { mailbox, lease }: Turn,
  problem: IntakeProblem,
): Promise<Mailbox | undefined> {
  const now = clock.now()
  const at = new Date(now).toISOString()
  const failures = mailbox.failures + 1
  const failingSince = mailbox.failingSince ?? at
  const status = problem === 'secret_unreadable' ? ('suspended' as const) : ('failing' as const)
  const after = await finishMailbox(tx, {
    id: mailbox.id,
    lease,
    status,
    problem,
    failingSince,
    failures,
    lastCheckedAt: at,
    nextCheckAt: new Date(now + pauseAfter(MAILBOX_EVERY_MS, failures)).toISOString(),
  })
  if (after && isTimeToNotify(mailbox, status, failingSince, now)) {
    await insertNotice(tx, {
      userId: mailbox.userId,
      kind: 'intake.stopped',
      at,
      data: { what: 'mailbox', id: mailbox.id, name: mailboxName(mailbox), because: problem },
      flightId: null,
    })
  }
  return after
}

/** At once when it is suspended, else when it has failed for days: once, at the failure that passes that time. */
export function isTimeToNotify(
  { lastCheckedAt }: Pick<Mailbox, 'lastCheckedAt'>,
  status: 'failing' | 'suspended',
  failingSince: string,
  now: number,
): boolean {
  if (status === 'suspended') return true
  const from = Date.parse(failingSince) + NOTIFY_AFTER_MS
  return now >= from && (lastCheckedAt === null || Date.parse(lastCheckedAt) < from)
}
