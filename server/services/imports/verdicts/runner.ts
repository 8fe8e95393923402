// Evaluates imports in a process: those that requests start, and those that a killed process left behind. The worker holds the
// lease of an import, and writes a batch of rows only while it does.

import type { Clock } from '../../../base/clock.ts'
import { inSteps } from '../../../base/in-steps.ts'
import type { Logger } from '../../../base/log.ts'
import { createQueues, createTurns, type Waiter } from '../../../base/turns.ts'
import {
  type ImportDateOrder,
  type ImportMapping,
  type ImportStatus,
  noCounts,
} from '../../../domain/imports/imports.ts'
import type { Preferences } from '../../../domain/people/preferences.ts'
import { HOUR } from '../../../domain/time/durations.ts'
import { findCallerByPerson } from '../../../store/access/callers.ts'
import { type Lease, leaseTimes, newLease } from '../../../store/engine/leases.ts'
import { CHANGES, readRevisions } from '../../../store/engine/revisions.ts'
import { listAnswers, type RememberedAnswer } from '../../../store/imports/answers.ts'
import type { ImportFiles } from '../../../store/imports/files.ts'
import {
  claimAbandonedImport,
  type Evaluated,
  findImport,
  hasAbandonedImport,
  type ImportProblem,
  listAllImportFiles,
  releaseImportLease,
  renewImportLease,
  type StoredImport,
  saveEvaluation,
} from '../../../store/imports/imports.ts'
import {
  amendRows,
  deleteRowsAfter,
  listChoices,
  listCommittedRows,
  type PackedRow,
  packRow,
  saveRows,
} from '../../../store/imports/rows.ts'
import { findPreferences } from '../../../store/people/people.ts'
import { type Store, storageProblem, type Transaction } from '../../../store/store.ts'
import { tooMany } from '../../access/limits.ts'
import { everyScope, type Principal, principalFrom } from '../../access/principal.ts'
import type { Reference } from '../../reference/reference.ts'
import type { Answer } from '../drafting/draft.ts'
import { withProgress } from '../drafting/trips.ts'
import { read } from '../reading/read.ts'
import type { SourceRecord } from '../reading/source.ts'
import { type ReadRequest, UnreadableFile } from '../reading/stages.ts'
import { type Evaluation, evaluate, type Outcome, type Sink } from './evaluate.ts'

/** Renewed three times within this period. */
const LEASE_MS = 30_000
const AT_ONCE = 2
/** An import is not tried again after it has crashed its process this often. */
const ATTEMPTS_AT_MOST = 3
/**
 * The most rows in one transaction, and the most characters, because a track can be large. SQLite writes and syncs them while others
 * wait, and those that wait to be written for longer would become old in the heap.
 */
const ROWS_TOGETHER = 250
const SIZE_TOGETHER = 4_000_000
/** Rows written without a pause. */
const ROWS_AT_ONCE = 250
/** The most files that are not kept; they are in memory until they are read: 10 pictures of up to 20 MiB. */
const UNKEPT_AT_MOST = 10
const RETRY_AFTER_SECONDS = 10

export interface Imports {
  newLease(): Lease
  /** Evaluates an import whose lease the caller holds. Never rejects; a problem is stored in the import. */
  evaluate(given: Pick<StoredImport, 'id' | 'userId'>, lease: string): Promise<void>
  /** Reads bytes that are not kept, queued with imports. Rejects with `UnreadableFile`, or if too many are being read. */
  read(userId: string, bytes: Uint8Array, request: Omit<ReadRequest, 'signal'>): Promise<SourceRecord[]>
  /** Resumes imports in progress without a live lease; returns when all of them are evaluated. */
  resumeAbandoned(): Promise<void>
  /** Removes files without an import: those of deleted people and of interrupted requests. */
  removeLeftFiles(): Promise<void>
  /** Stops running evaluations; another process, or the next start, resumes them. */
  stop(): Promise<void>
}

interface ImportParts {
  store: Store
  files: ImportFiles
  reference: Reference
  clock: Clock
  log: Logger
  /** The program of KItinerary, if there is one. */
  kitineraryPath?: string | null
}

/** Another process has the lease, or the import no longer exists. */
class LeaseLost extends Error {}

class FileMissing extends Error {
  readonly code = 'file_missing'
}

export function createImports(parts: ImportParts): Imports {
  const { store, clock, log } = parts
  const turns = createTurns({ atOnce: AT_ONCE, waitingAtMost: UNKEPT_AT_MOST })
  const byPerson = createQueues()
  /** Each person has at most one place, so that slow files do not delay other people. */
  const inTurn = <Result>(userId: string, work: () => Promise<Result>, waiter?: Waiter) =>
    byPerson(userId, () => turns(work, waiter))
  const running = new Set<Promise<void>>()
  const stopping = new AbortController()
  let unkept = 0

  async function attempt(given: Pick<StoredImport, 'id' | 'userId'>, lease: string): Promise<void> {
    const work = new Work(parts, given.id, lease, stopping.signal)
    try {
      await inTurn(given.userId, () => work.evaluate(given.userId), 'server')
    } catch (error) {
      if (error instanceof LeaseLost) return
      // The lease expires, and then the import is resumed.
      if (!stopping.signal.aborted && storageProblem(error) !== undefined) {
        log.warn('could not evaluate an import', { import: given.id, reason: storageProblem(error) })
        return
      }
      if (stopping.signal.aborted)
        await store.transaction((tx) => releaseImportLease(tx, { id: given.id, lease }))
      else throw error
    } finally {
      work.end()
    }
  }

  function start(given: Pick<StoredImport, 'id' | 'userId'>, lease: string): Promise<void> {
    const done: Promise<void> = attempt(given, lease)
      // The message of an error may contain content of the file.
      .catch((error) =>
        log.error('could not evaluate an import', { import: given.id, reason: placeOf(error) }),
      )
      .finally(() => running.delete(done))
    running.add(done)
    return done
  }

  return {
    newLease: () => newLease(clock, LEASE_MS),
    evaluate: start,
    async read(userId, bytes, request) {
      if (unkept >= UNKEPT_AT_MOST) throw tooMany('too_many_pictures', RETRY_AFTER_SECONDS)
      unkept++
      try {
        return await inTurn(userId, () => recordsOf(bytes, { ...request, signal: stopping.signal }))
      } finally {
        unkept--
      }
    },
    async resumeAbandoned() {
      const taken: Promise<void>[] = []
      while (!stopping.signal.aborted) {
        const lease = newLease(clock, LEASE_MS)
        if (!(await hasAbandonedImport(store.read, { now: lease.now }))) break
        const found = await store.transaction((tx) => claimAbandonedImport(tx, lease))
        if (!found) break
        if (found.attempts > ATTEMPTS_AT_MOST) await giveUp(parts, found, lease.lease)
        else taken.push(start(found, lease.lease))
      }
      await Promise.all(taken)
    },
    removeLeftFiles: () => removeLeftFiles(parts),
    async stop() {
      stopping.abort()
      await Promise.all(running)
    },
  }
}

async function recordsOf(bytes: Uint8Array, request: ReadRequest): Promise<SourceRecord[]> {
  const { batches } = await read(bytes, request)
  const records: SourceRecord[] = []
  for await (const batch of batches) records.push(...batch)
  return records
}

/** A file is written before its import, so a younger file may belong to a request in progress. */
const LEFT_AFTER_MS = HOUR

async function removeLeftFiles({ store, files }: ImportParts): Promise<void> {
  // Compared with the real time, because file times ignore the clock that tests move.
  const old = (await files.list()).filter(({ writtenAt }) => writtenAt < Date.now() - LEFT_AFTER_MS)
  if (old.length === 0) return
  const named = await listAllImportFiles(store.read)
  for (const { name } of old) if (!named.has(name)) await files.remove(name)
}

/** Where an error was thrown, without its message. */
const placeOf = (error: unknown): string =>
  error instanceof Error
    ? `${error.name} ${error.stack?.split('\n').find((line) => line.trimStart().startsWith('at ')) ?? ''}`
    : typeof error

const unknownProblem: ImportProblem = {
  code: 'internal_error',
  message: 'The file could not be processed. An administrator can find the reason in the server’s log.',
}

async function giveUp({ store, clock }: ImportParts, given: StoredImport, lease: string): Promise<void> {
  const now = new Date(clock.now()).toISOString()
  const { id, source, detectedBy, mapping, counts, trips } = given
  const about = { source, detectedBy, mapping, counts, trips, questions: [] }
  const failed = { id, lease, status: 'failed' as const, ...about }
  const end = { ...failed, problem: unknownProblem, seenChanges: null, now }
  await store.transaction((tx) => saveEvaluation(tx, end))
}

/** One evaluation, from the lease to the result. */
class Work {
  readonly #parts: ImportParts
  readonly #id: number
  readonly #lease: string
  readonly #ending = new AbortController()
  readonly #signal: AbortSignal
  readonly #heartbeat: NodeJS.Timeout
  /** Judged but not yet written. */
  #waiting: PackedRow[] = []
  #waitingSize = 0
  #rowsDone = 0

  constructor(parts: ImportParts, id: number, lease: string, stopping: AbortSignal) {
    this.#parts = parts
    this.#id = id
    this.#lease = lease
    this.#signal = AbortSignal.any([stopping, this.#ending.signal])
    this.#heartbeat = setInterval(() => this.#beat(), LEASE_MS / 3)
    this.#heartbeat.unref()
  }

  end(): void {
    clearInterval(this.#heartbeat)
    this.#ending.abort()
  }

  /** Renews the lease, because no row is written while a large file is read or this one is queued. */
  #beat(): void {
    this.#parts.store
      .transaction((tx) => this.#renew(tx))
      .catch((error) => {
        if (error instanceof LeaseLost) this.#ending.abort()
      })
  }

  async #renew(tx: Transaction): Promise<void> {
    const { until } = leaseTimes(this.#parts.clock, LEASE_MS)
    const held = { id: this.#id, lease: this.#lease, until, rowsDone: this.#rowsDone }
    if (!(await renewImportLease(tx, held))) throw new LeaseLost()
  }

  async evaluate(userId: string): Promise<void> {
    const { store } = this.#parts
    this.#signal.throwIfAborted()
    const found = await findImport(store.read, { userId, id: this.#id })
    if (found?.lease !== this.#lease) throw new LeaseLost()
    const [seenChanges = 0] = await readRevisions(store.read, [CHANGES])
    const evaluation = await this.#prepare(found)
    if (!evaluation) throw new LeaseLost()
    try {
      await this.#finish(found, await evaluate(evaluation, this.#sink), seenChanges)
    } catch (error) {
      if (this.#signal.aborted || error instanceof LeaseLost) throw error
      if (error instanceof FileMissing || error instanceof UnreadableFile) {
        return this.#fail(found, { code: error.code, message: error.message })
      }
      if (storageProblem(error) !== undefined) throw error
      await this.#fail(found, unknownProblem)
      throw error
    }
  }

  /** Everything that the result depends on. Undefined if the person no longer exists. */
  async #prepare(found: StoredImport): Promise<Evaluation | undefined> {
    const { store, reference, clock } = this.#parts
    const { read: db } = store
    const principal = await importerOf(store, found.userId)
    const preferences = await findPreferences(db, found.userId)
    if (!principal || !preferences) return undefined
    const remembered = await listAnswers(db, { userId: found.userId })
    const committed = await listCommittedRows(db, { importId: found.id })
    return {
      db,
      reference,
      principal,
      open: () => this.#fileOf(found),
      filename: found.filename,
      source: found.detectedBy === 'choice' || found.detectedBy === null ? found.source : null,
      options: found.options,
      mapping: found.confirmedMapping,
      knownMappings: mappingsOf(remembered),
      answers: [...(found.answers as Answer[]), ...answersOf(remembered)],
      choices: await listChoices(db, found.id),
      committed: new Map(committed.map(({ number, verdict }) => [number, verdict])),
      own: new Set(committed.flatMap(({ done, flightId }) => (done === 'created' ? (flightId ?? []) : []))),
      preferredOrder: preferredOrders[preferences.dateFormat],
      documentDate: found.createdAt.slice(0, 10),
      kitineraryPath: this.#parts.kitineraryPath ?? null,
      now: new Date(clock.now()),
      signal: this.#signal,
    }
  }

  async #fileOf({ file }: StoredImport): Promise<Uint8Array> {
    const bytes = file === null ? undefined : await this.#parts.files.read(file)
    if (!bytes) throw new FileMissing('The file no longer exists.')
    return bytes
  }

  readonly #sink: Sink = {
    save: async (rows) => {
      for (const row of rows) {
        const packed = packRow(this.#id, row)
        this.#waiting.push(packed)
        this.#waitingSize += sizeOf(packed)
      }
      if (this.#waiting.length >= ROWS_TOGETHER || this.#waitingSize >= SIZE_TOGETHER)
        await this.#writeWaiting()
    },
    amend: async (rows) => {
      await this.#writeWaiting()
      for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
        await this.#parts.store.transaction(async (tx) => {
          await this.#renew(tx)
          await amendRows(tx, this.#id, rows.slice(start, start + ROWS_AT_ONCE))
        })
      }
    },
  }

  async #writeWaiting(): Promise<void> {
    const rows = this.#waiting
    if (rows.length === 0) return
    this.#waiting = []
    this.#waitingSize = 0
    this.#rowsDone = Number(rows.at(-1)!.number)
    await this.#parts.store.transaction(async (tx) => {
      await this.#renew(tx)
      await inSteps(rows, (some) => saveRows(tx, some), { size: ROWS_AT_ONCE })
    })
  }

  async #finish(found: StoredImport, outcome: Outcome, seenChanges: number): Promise<void> {
    await this.#writeWaiting()
    const status = statusAfter(found, outcome)
    const trips = withProgress(outcome.trips, found.trips)
    await this.#save({ ...outcome, trips, status, problem: null, seenChanges }, outcome.counts.rows)
  }

  /** Discards the rows of an evaluation that did not finish. */
  async #fail({ source, detectedBy, mapping, trips }: StoredImport, problem: ImportProblem): Promise<void> {
    const nothing = { counts: noCounts, questions: [], status: 'failed' as const }
    const result = { source, detectedBy, mapping, trips, ...nothing }
    await this.#save({ ...result, problem, seenChanges: null }, 0)
  }

  async #save(result: Omit<Evaluated, 'id' | 'lease' | 'now'>, lastRow: number): Promise<void> {
    const { store, clock } = this.#parts
    const held = { id: this.#id, lease: this.#lease, now: new Date(clock.now()).toISOString() }
    await store.transaction(async (tx) => {
      if (!(await saveEvaluation(tx, { ...held, ...result }))) throw new LeaseLost()
      await deleteRowsAfter(tx, { importId: this.#id, last: lastRow })
    })
  }
}

const sizeOf = ({ raw, draft }: PackedRow): number => String(raw ?? '').length + String(draft ?? '').length

/** The status follows from the remaining rows, even after some were committed. */
function statusAfter(
  { committedAt, undoneAt }: StoredImport,
  { counts, questions, left }: Outcome,
): ImportStatus {
  if (counts.question > 0 || questions.some(({ answer, kind }) => !answer && kind === 'column_mapping'))
    return 'questions'
  return committedAt !== null && undoneAt === null && left === 0 ? 'committed' : 'ready'
}

/** The importer with the current permissions of their role. Requests check the scopes of their own credential. */
async function importerOf(store: Store, userId: string): Promise<Principal | undefined> {
  const caller = await findCallerByPerson(store.read, { userId })
  return caller && principalFrom(caller, { kind: 'session', credentialId: 'import', scopes: everyScope })
}

const preferredOrders: Record<Preferences['dateFormat'], ImportDateOrder | null> = {
  auto: null,
  iso: null,
  us: 'mdy',
  eu: 'dmy',
}

/** The person's answers from earlier imports, except column mappings. */
export const answersOf = (remembered: readonly RememberedAnswer[]): Answer[] =>
  remembered.flatMap(({ kind, answer }) => (kind === 'column_mapping' ? [] : (answer as Answer)))

const mappingsOf = (remembered: readonly RememberedAnswer[]): Map<string, ImportMapping> =>
  new Map(
    remembered.flatMap(({ kind, value, answer }): [string, ImportMapping][] =>
      kind === 'column_mapping' ? [[value, (answer as { mapping: ImportMapping }).mapping]] : [],
    ),
  )
