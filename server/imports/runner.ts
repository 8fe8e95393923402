// Evaluates imports in a process: those that requests start, and those that a killed process left behind. Who works on an
// import holds its lease, and every batch of rows is written only while it does.
import { tooMany } from '../auth/limits.ts'
import { everyScope, type Principal, principalFrom } from '../auth/principal.ts'
import type { Clock } from '../base/clock.ts'
import { inSteps } from '../base/in-steps.ts'
import type { Logger } from '../base/log.ts'
import { randomText } from '../base/secrets.ts'
import { createQueues, createTurns, type Waiter } from '../base/turns.ts'
import { type ImportDateOrder, type ImportMapping, type ImportStatus, noCounts } from '../domain/imports.ts'
import type { Preferences } from '../domain/preferences.ts'
import type { Reference } from '../reference/reference.ts'
import { findCallerByPerson } from '../store/callers.ts'
import { listAnswers, type RememberedAnswer } from '../store/import-answers.ts'
import type { ImportFiles } from '../store/import-files.ts'
import {
  amendRows,
  deleteRowsAfter,
  listChoices,
  listCommittedRows,
  type PackedRow,
  packRow,
  saveRows,
} from '../store/import-rows.ts'
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
} from '../store/imports.ts'
import { findPreferences } from '../store/people.ts'
import { CHANGES, readRevisions } from '../store/revisions.ts'
import { type Store, storageProblem, type Transaction } from '../store/store.ts'
import type { Answer } from './draft.ts'
import { type Evaluation, evaluate, type Outcome, type Sink } from './evaluate.ts'
import { read } from './read.ts'
import type { SourceRecord } from './source.ts'
import { type ReadRequest, UnreadableFile } from './stages.ts'
import { withProgress } from './trips.ts'

/** Renewed three times as often. */
const LEASE_MS = 30_000
const AT_ONCE = 2
/** An import that ended its process this often is not tried again. */
const ATTEMPTS_AT_MOST = 3
/** Rows in one transaction, and characters of them: a track can be large. */
const ROWS_TOGETHER = 1000
const SIZE_TOGETHER = 4_000_000
/** Rows written without a pause. */
const ROWS_AT_ONCE = 250
/** Bytes that are not kept are in memory until they are read: 10 pictures of 20 MiB at most. */
const UNKEPT_AT_MOST = 10
const RETRY_AFTER_SECONDS = 10

export interface Imports {
  /** The times of a lease that is taken now. */
  newLease(): { lease: string; leaseUntil: string }
  /** Evaluates an import whose lease the caller took. Never rejects: what went wrong is in the import. */
  evaluate(given: Pick<StoredImport, 'id' | 'userId'>, lease: string): Promise<void>
  /** The records of bytes that are not kept, read in turn with imports. Rejects with `UnreadableFile`, or if too many are read already. */
  read(userId: string, bytes: Uint8Array, request: Omit<ReadRequest, 'signal'>): Promise<SourceRecord[]>
  /** Takes up what is being read and has no live lease; returns when all of it is evaluated. */
  resumeAbandoned(): Promise<void>
  /** Removes files that no import names: of deleted people, and of requests that a kill interrupted. */
  removeLeftFiles(): Promise<void>
  /** Ends evaluations that are under way; another process, or the next start, takes them up. */
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

/** The lease is another's, or the import is gone. */
class LeaseLost extends Error {}

export function createImports(parts: ImportParts): Imports {
  const { store, clock, log } = parts
  const turns = createTurns({ atOnce: AT_ONCE, waitingAtMost: UNKEPT_AT_MOST })
  const byPerson = createQueues()
  /** A person has one place at most: files that take long hold up no one else. */
  const inTurn = <Result>(userId: string, work: () => Promise<Result>, waiter?: Waiter) =>
    byPerson(userId, () => turns(work, waiter))
  const running = new Set<Promise<void>>()
  const stopping = new AbortController()
  let unkept = 0
  const until = () => new Date(clock.now() + LEASE_MS).toISOString()

  async function attempt(given: Pick<StoredImport, 'id' | 'userId'>, lease: string): Promise<void> {
    const work = new Work(parts, given.id, lease, stopping.signal, until)
    try {
      await inTurn(given.userId, () => work.evaluate(given.userId), 'server')
    } catch (error) {
      if (error instanceof LeaseLost) return
      // The lease ends by itself, and then the import is taken up again.
      if (!stopping.signal.aborted && storageProblem(error) !== undefined) {
        log.warn('could not evaluate an import', { import: given.id, reason: storageProblem(error) })
        return
      }
      if (stopping.signal.aborted) await store.transaction((tx) => releaseImportLease(tx, given.id, lease))
      else throw error
    } finally {
      work.end()
    }
  }

  function start(given: Pick<StoredImport, 'id' | 'userId'>, lease: string): Promise<void> {
    const done: Promise<void> = attempt(given, lease)
      // The message of an error may contain what is in the file.
      .catch((error) =>
        log.error('could not evaluate an import', { import: given.id, reason: placeOf(error) }),
      )
      .finally(() => running.delete(done))
    running.add(done)
    return done
  }

  return {
    newLease: () => ({ lease: randomText(16), leaseUntil: until() }),
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
        const now = new Date(clock.now()).toISOString()
        if (!(await hasAbandonedImport(store.read, now))) break
        const lease = randomText(16)
        const found = await store.transaction((tx) =>
          claimAbandonedImport(tx, { lease, until: until(), now }),
        )
        if (!found) break
        if (found.attempts > ATTEMPTS_AT_MOST) await giveUp(parts, found, lease)
        else taken.push(start(found, lease))
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

/** A file is written before its import; one that is younger may belong to a request that is under way. */
const LEFT_AFTER_MS = 3_600_000

async function removeLeftFiles({ store, files }: ImportParts): Promise<void> {
  // The time of the file system, not of the clock that tests move.
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
  message: 'The file could not be processed. The administrator finds the reason in the log of the server.',
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
  readonly #until: () => string
  readonly #ending = new AbortController()
  readonly #signal: AbortSignal
  readonly #heartbeat: NodeJS.Timeout
  /** Judged, and not yet written. */
  #waiting: PackedRow[] = []
  #waitingSize = 0
  #rowsDone = 0

  constructor(parts: ImportParts, id: number, lease: string, stopping: AbortSignal, until: () => string) {
    this.#parts = parts
    this.#id = id
    this.#lease = lease
    this.#until = until
    this.#signal = AbortSignal.any([stopping, this.#ending.signal])
    this.#heartbeat = setInterval(() => this.#beat(), LEASE_MS / 3)
    this.#heartbeat.unref()
  }

  end(): void {
    clearInterval(this.#heartbeat)
    this.#ending.abort()
  }

  /** While a large file is read, or others are before this one, no row is written. */
  #beat(): void {
    this.#parts.store
      .transaction((tx) => this.#renew(tx))
      .catch((error) => {
        if (error instanceof LeaseLost) this.#ending.abort()
      })
  }

  async #renew(tx: Transaction): Promise<void> {
    const held = { id: this.#id, lease: this.#lease, until: this.#until(), rowsDone: this.#rowsDone }
    if (!(await renewImportLease(tx, held))) throw new LeaseLost()
  }

  async evaluate(userId: string): Promise<void> {
    const { store, files } = this.#parts
    this.#signal.throwIfAborted()
    const found = await findImport(store.read, userId, this.#id)
    if (found?.lease !== this.#lease) throw new LeaseLost()
    const bytes = found.file === null ? undefined : await files.read(found.file)
    if (!bytes) return this.#fail(found, { code: 'file_missing', message: 'The file no longer exists.' })
    const [seenChanges = 0] = await readRevisions(store.read, [CHANGES])
    const evaluation = await this.#prepare(found, bytes)
    if (!evaluation) throw new LeaseLost()
    try {
      await this.#finish(found, await evaluate(evaluation, this.#sink), seenChanges)
    } catch (error) {
      if (this.#signal.aborted || error instanceof LeaseLost) throw error
      if (error instanceof UnreadableFile) {
        return this.#fail(found, { code: error.code, message: error.message })
      }
      if (storageProblem(error) !== undefined) throw error
      await this.#fail(found, unknownProblem)
      throw error
    }
  }

  /** Everything that the result depends on. Undefined if the person is gone. */
  async #prepare(found: StoredImport, bytes: Uint8Array): Promise<Evaluation | undefined> {
    const { store, reference, clock } = this.#parts
    const { read: db } = store
    const principal = await importerOf(store, found.userId)
    const preferences = await findPreferences(db, found.userId)
    if (!principal || !preferences) return undefined
    const remembered = await listAnswers(db, found.userId)
    const committed = await listCommittedRows(db, found.id)
    return {
      db,
      reference,
      principal,
      bytes,
      filename: found.filename,
      source: found.detectedBy === 'choice' || found.detectedBy === null ? found.source : null,
      options: found.options,
      mapping: found.confirmedMapping,
      knownMappings: mappingsOf(remembered),
      answers: [...(found.answers as Answer[]), ...answersOf(remembered)],
      choices: await listChoices(db, found.id),
      committed: new Map(committed.map(({ number, verdict }) => [number, verdict])),
      preferredOrder: preferredOrders[preferences.dateFormat],
      documentDate: found.createdAt.slice(0, 10),
      kitineraryPath: this.#parts.kitineraryPath ?? null,
      now: new Date(clock.now()),
      signal: this.#signal,
    }
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

  /** Rows of an evaluation that did not end are no one's verdicts. */
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
      await deleteRowsAfter(tx, this.#id, lastRow)
    })
  }
}

const sizeOf = ({ raw, draft }: PackedRow): number => String(raw ?? '').length + String(draft ?? '').length

/** What is left to do decides, also after a part of it was committed. */
function statusAfter({ committedAt, undoneAt }: StoredImport, { counts, questions }: Outcome): ImportStatus {
  if (counts.question > 0 || questions.some(({ answer, kind }) => !answer && kind === 'column_mapping'))
    return 'questions'
  return committedAt !== null && undoneAt === null && counts.new === 0 ? 'committed' : 'ready'
}

/** As the person's role permits now. What the credential of a request may not do is refused by that request. */
async function importerOf(store: Store, userId: string): Promise<Principal | undefined> {
  const caller = await findCallerByPerson(store.read, userId)
  return caller && principalFrom(caller, { kind: 'session', credentialId: 'import', scopes: everyScope })
}

const preferredOrders: Record<Preferences['dateFormat'], ImportDateOrder | null> = {
  auto: null,
  iso: null,
  us: 'mdy',
  eu: 'dmy',
}

/** What the person said for earlier imports; columns apart. */
export const answersOf = (remembered: readonly RememberedAnswer[]): Answer[] =>
  remembered.flatMap(({ kind, answer }) => (kind === 'column_mapping' ? [] : (answer as Answer)))

const mappingsOf = (remembered: readonly RememberedAnswer[]): Map<string, ImportMapping> =>
  new Map(
    remembered.flatMap(({ kind, value, answer }): [string, ImportMapping][] =>
      kind === 'column_mapping' ? [[value, (answer as { mapping: ImportMapping }).mapping]] : [],
    ),
  )
