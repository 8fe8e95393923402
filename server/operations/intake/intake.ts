// Flights that arrive automatically, from a mailbox, a forwarded mail or a calendar: an ordinary import, of which only
// certain rows are committed without a person. The rest is pending, a notice reports both, and one undo reverts it.
import { createHash } from 'node:crypto'
import { AppError } from '../../base/errors.ts'
import type { IntakeWay } from '../../domain/intake/intake.ts'
import { MINUTE } from '../../domain/time/durations.ts'
import type { Services } from '../../door/services.ts'
import type { Draft } from '../../services/imports/drafting/draft.ts'
import { IntakeError } from '../../services/intake/reach.ts'
import { newLease } from '../../store/engine/leases.ts'
import { listDaysInBin } from '../../store/flights/bin.ts'
import { findForgottenImport } from '../../store/imports/imports.ts'
import { listRows, type StoredRow } from '../../store/imports/rows.ts'
import { hasNoticeOfImport, insertNotice } from '../../store/people/notices.ts'
import type { Executor, Transaction } from '../../store/store.ts'
import { importsFor, type PersonImports } from '../imports/for-person.ts'
import type { ImportView } from '../imports/schema.ts'

const ROWS_AT_ONCE = 500
/** For fetching and reading one calendar, or one message: in a mailbox it is renewed for each message. */
export const INTAKE_LEASE_MS = 5 * MINUTE

export const intakeLease = ({ clock }: Pick<Services, 'clock'>) => newLease(clock, INTAKE_LEASE_MS)

interface Arrival {
  userId: string
  way: IntakeWay
  /** The person's name for it. */
  name: string
  bytes: Uint8Array
  /** The file name of the import. */
  filename: string
  /** The sender, unless known to be the person. With an unknown sender, nothing is committed. */
  unknownSender?: string
  /** Whether an earlier reading handled this record; it is then neither created nor reported again. */
  isSettled?: (row: StoredRow) => boolean
  /** Whether this record was reported to the person before. */
  isTold?: (row: StoredRow) => boolean
}

export interface Arrived {
  /** Null: nothing is new to the person. */
  importId: number | null
  created: number
  waiting: number
  rows: readonly StoredRow[]
}

/**
 * Imports what arrived. `finish` runs in the transaction of the notice, so that a kill at any moment leads to a second
 * reading, but never to a second notice or a lost one: the same bytes are the same import. Throws IntakeError if the person
 * may no longer import, or if a calendar could not be read: it can be fetched again, while an unreadable mail is reported.
 */
export async function takeIn(
  services: Services,
  arrival: Arrival,
  finish: (tx: Transaction, arrived: Arrived) => Promise<unknown>,
): Promise<Arrived> {
  const arrived = (await takenBefore(services, arrival)) ?? (await takeNow(services, arrival))
  await services.store.transaction(async (tx) => {
    await finish(tx, arrived)
    if (arrived.importId !== null) await notify(tx, services, arrival, arrived)
  })
  return arrived
}

/**
 * If the process was killed between the commit and the notice, the import was not reported, and the file of a booking
 * was deleted with the commit: there is nothing left to handle.
 */
async function takenBefore(
  { store }: Pick<Services, 'store'>,
  { userId, bytes, filename }: Arrival,
): Promise<Arrived | undefined> {
  const found = await findForgottenImport(store.read, { userId, sha256: sha256Of(bytes) })
  if (found?.filename !== filename) return undefined
  return {
    importId: found.id,
    created: found.createdCount,
    waiting: 0,
    rows: await allRows(store.read, found.id),
  }
}

async function takeNow(services: Services, arrival: Arrival): Promise<Arrived> {
  const imports = importsFor(services, arrival.userId)
  const read = await readOrNot(imports, arrival)
  const isOwn = read !== null && !(read.repeated && read.filename !== arrival.filename)
  return isOwn ? settle(services, imports, arrival, read) : nothing
}

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const nothing: Arrived = { importId: null, created: 0, waiting: 0, rows: [] }

/** Named by its content, so that a second reading after a kill recognises its import. */
export const mailFilename = (bytes: Uint8Array): string => `mail-${sha256Of(bytes).slice(0, 8)}.eml`

/** Null: the mail is larger than any import may be. */
async function readOrNot(imports: PersonImports, { filename, bytes, way }: Arrival) {
  try {
    // A mail is only ever read as a mail, whatever a stranger put into it.
    return await imports.read({ filename, bytes, ...(way === 'calendar' ? {} : { source: 'email' }) })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'payload_too_large' && way === 'calendar') throw new IntakeError('too_large')
    if (error.code === 'payload_too_large' || error.code === 'bad_request') return null
    if (error.code === 'forbidden' || error.code === 'insufficient_scope')
      throw new IntakeError('access_lost')
    throw error
  }
}

async function settle(
  services: Services,
  imports: PersonImports,
  arrival: Arrival,
  read: ImportView & { repeated: boolean },
): Promise<Arrived> {
  if (read.status === 'failed') return settleFailed(imports, arrival, read)
  const db = services.store.read
  const rows = await allRows(db, read.id)
  const open = rows.filter((row) => row.done === null && !arrival.isSettled?.(row))
  const certain: number[] = []
  for (const row of open) if (await isCertain(db, arrival, row)) certain.push(row.number)
  const committed = certain.length > 0 ? await commitOrNot(imports, read.id, certain) : read
  const after = certain.length > 0 ? await allRows(db, read.id) : rows
  const created = committed.committed.created
  const waiting = after.filter((row) => !arrival.isSettled?.(row) && waitsForPerson(row))
  const isNews = created > 0 || waiting.some((row) => !arrival.isTold?.(row))
  if (isNews) return { importId: read.id, created, waiting: waiting.length, rows: after }
  // Deleted, so that newsletters do not fill the list of imports. An earlier import may still need the person.
  if (!read.repeated) await imports.delete(read.id)
  return { ...nothing, rows: after }
}

/** A mail may contain a flight, so the person has to look at it. A calendar is read again and reports its own problems. */
async function settleFailed(
  imports: PersonImports,
  { way }: Arrival,
  { id, repeated }: ImportView & { repeated: boolean },
): Promise<Arrived> {
  if (way !== 'calendar') return { importId: id, created: 0, waiting: 1, rows: [] }
  if (!repeated) await imports.delete(id)
  throw new IntakeError('failed')
}

/** The role may not permit what these flights need, such as other passengers: then all rows are pending. */
async function commitOrNot(imports: PersonImports, id: number, rows: readonly number[]): Promise<ImportView> {
  try {
    return await imports.commit(id, rows)
  } catch (error) {
    if (error instanceof AppError && ['forbidden', 'insufficient_scope'].includes(error.code)) {
      return { committed: { created: 0, updated: 0 } } as ImportView
    }
    throw error
  }
}

async function allRows(db: Executor, importId: number): Promise<StoredRow[]> {
  const rows: StoredRow[] = []
  for (;;) {
    const page = await listRows(db, { importId, after: rows.at(-1)?.number ?? 0, limit: ROWS_AT_ONCE })
    rows.push(...page)
    if (page.length < ROWS_AT_ONCE) return rows
  }
}

/**
 * The only rule for committing without a person: new, confirmed, complete, and certainly the owner's. A person's own
 * calendar need not name them; a mail must. Flights that the person deleted do not come back automatically.
 */
async function isCertain(
  db: Executor,
  { userId, way, unknownSender }: Arrival,
  row: StoredRow,
): Promise<boolean> {
  const draft = row.draft as Draft | null
  if (unknownSender !== undefined || row.verdict !== 'new' || row.choice !== null || draft === null)
    return false
  const { date, datePrecision, fromId, toId, people, isTravellerNamed } = draft
  if (date === null || datePrecision !== 'day' || fromId === null || toId === null) return false
  if (row.warnings.some(({ code }) => unconfirmed.has(code))) return false
  const isUnnamed = draft.passengers.length === 1 && people.length === 0
  if (!isTravellerNamed && !(way === 'calendar' && isUnnamed)) return false
  return !(await listDaysInBin(db, { userId, fromId, toId })).includes(date)
}

const unconfirmed: ReadonlySet<string> = new Set(['not_confirmed', 'year_assumed'])

/** Uncertain new flights, open questions, and changes or cancellations of a flight in the log. */
function waitsForPerson({ verdict, code, done, updates, of }: StoredRow): boolean {
  if (done !== null) return false
  if (verdict === 'new' || verdict === 'question' || verdict === 'similar') return true
  if (verdict === 'duplicate') return code === 'duplicate_in_log' && updates.length > 0
  return verdict === 'skipped' && code === 'cancelled' && of !== null
}

/** At most one notice per import. */
async function notify(
  tx: Transaction,
  { clock }: Pick<Services, 'clock'>,
  { userId, way, name, unknownSender }: Arrival,
  { importId, created, waiting }: Arrived,
): Promise<void> {
  if (importId === null || (await hasNoticeOfImport(tx, { userId, importId }))) return
  await insertNotice(tx, {
    userId,
    kind: 'import.arrived',
    at: new Date(clock.now()).toISOString(),
    data: { importId, way, name, sender: unknownSender ?? null, created, waiting },
    flightId: null,
    importId,
  })
}
