// What arrives by itself, from a mailbox, a forwarded mail or a calendar: the same import as any other, of which only what
// is certain enters the log without a person. The rest waits, a notice tells of both, and one undo takes it back.
import { createHash } from 'node:crypto'
import { AppError } from '../base/errors.ts'
import { randomText } from '../base/secrets.ts'
import type { IntakeWay } from '../domain/intake.ts'
import type { Draft } from '../imports/draft.ts'
import { IntakeError } from '../intake/reach.ts'
import type { Services } from '../operation.ts'
import { listDaysInBin } from '../store/deleted-flights.ts'
import { listRows, type StoredRow } from '../store/import-rows.ts'
import { findForgottenImport } from '../store/imports.ts'
import { hasNoticeOfImport, insertNotice } from '../store/notices.ts'
import type { Executor, Transaction } from '../store/store.ts'
import { importsFor, type PersonImports } from './import-for-person.ts'
import type { ImportView } from './import-schema.ts'

const ROWS_AT_ONCE = 500
/** For the fetching and the reading of one calendar, or of one message: of a mailbox it is renewed with each. */
export const INTAKE_LEASE_MS = 5 * 60_000

export const intakeLease = ({ clock }: Pick<Services, 'clock'>) => {
  const now = clock.now()
  return {
    lease: randomText(16),
    now: new Date(now).toISOString(),
    until: new Date(now + INTAKE_LEASE_MS).toISOString(),
  }
}

interface Arrival {
  userId: string
  way: IntakeWay
  /** What the person calls it. */
  name: string
  bytes: Uint8Array
  /** Of the import. */
  filename: string
  /** Who sent it, if it is not known that the person did: then nothing is committed. */
  unknownSender?: string
  /** Whether an earlier reading dealt with this record; such a one is neither created nor told of again. */
  isSettled?: (row: StoredRow) => boolean
  /** Whether the person was told of this record before. */
  isTold?: (row: StoredRow) => boolean
}

export interface Arrived {
  /** Null: nothing that is new to the person. */
  importId: number | null
  created: number
  waiting: number
  rows: readonly StoredRow[]
}

/**
 * Brings in what arrived. `finish` runs in the transaction of the notice, so that a kill at any moment leads to a second
 * reading, never to a second notice or a lost one: the same bytes are the same import. Throws IntakeError if the person
 * may not import any more, or if a calendar could not be read: that one can be fetched again, a mail is told of.
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
 * After a kill between the commit and the notice no one was told of the import, and the file of a booking is forgotten with
 * its commit: there is nothing left to settle.
 */
async function takenBefore(
  { store }: Services,
  { userId, bytes, filename }: Arrival,
): Promise<Arrived | undefined> {
  const found = await findForgottenImport(store.read, userId, sha256Of(bytes))
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

/** Named by its content, so that a second reading after a kill knows its own import again. */
export const mailFilename = (bytes: Uint8Array): string => `mail-${sha256Of(bytes).slice(0, 8)}.eml`

/** Null: a mail that is larger than anything that may be imported here. */
async function readOrNot(imports: PersonImports, { filename, bytes, way }: Arrival) {
  try {
    // What came as a mail is read as nothing else, whatever a stranger put into it.
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
  // Without a trace, so that newsletters do not fill the list of imports. An earlier one may wait for the person.
  if (!read.repeated) await imports.delete(read.id)
  return { ...nothing, rows: after }
}

/** A mail may have had a flight, so its person looks at it. A calendar is read again, and says so itself. */
async function settleFailed(
  imports: PersonImports,
  { way }: Arrival,
  { id, repeated }: ImportView & { repeated: boolean },
): Promise<Arrived> {
  if (way !== 'calendar') return { importId: id, created: 0, waiting: 1, rows: [] }
  if (!repeated) await imports.delete(id)
  throw new IntakeError('failed')
}

/** The role may not permit what these flights need, such as people beside the owner: then all of it waits. */
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
 * The one rule of what is committed without a person: new, confirmed, complete, and certainly the owner's. A calendar of
 * one's own need not name its owner; a mail must. What the person deleted does not come back by itself.
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

const unconfirmed: ReadonlySet<string> = new Set(['not_confirmed'])

/** New and not certain, open, or about a flight in the log that it would change or cancel. */
function waitsForPerson({ verdict, code, done, updates, of }: StoredRow): boolean {
  if (done !== null) return false
  if (verdict === 'new' || verdict === 'question' || verdict === 'similar') return true
  if (verdict === 'duplicate') return code === 'duplicate_in_log' && updates.length > 0
  return verdict === 'skipped' && code === 'cancelled' && of !== null
}

/** Once for an import. */
async function notify(
  tx: Transaction,
  { clock }: Services,
  { userId, way, name, unknownSender }: Arrival,
  { importId, created, waiting }: Arrived,
): Promise<void> {
  if (importId === null || (await hasNoticeOfImport(tx, userId, importId))) return
  await insertNotice(tx, {
    userId,
    kind: 'import.arrived',
    at: new Date(clock.now()).toISOString(),
    data: { importId, way, name, sender: unknownSender ?? null, created, waiting },
    flightId: null,
    importId,
  })
}
