// Commits an import: new and accepted rows become flights, chosen rows update flights, and flights that an undo
// removed are restored. Another commit continues with the remaining rows.
import { setImmediate } from 'node:timers/promises'
import * as z from 'zod'
import { AppError } from '../../base/errors.ts'
import { createSlices, inSteps } from '../../base/in-steps.ts'
import type { Scope } from '../../domain/access/access.ts'
import { IMPORT_RECORDS_AT_MOST, type ImportOptions } from '../../domain/imports/imports.ts'
import { type Call, credentialWith, operation, takes } from '../../door/operation.ts'
import { Newcomers } from '../../services/imports/verdicts/newcomers.ts'
import { type CommitRecord, listCommitRows, listNamedCommitRows } from '../../store/imports/commits.ts'
import type { StoredImport } from '../../store/imports/imports.ts'
import type { Executor } from '../../store/store.ts'
import { pathId, single } from '../wire/schemas.ts'
import { ImportBatch, ROWS_OF_PART } from './batch.ts'
import { judgedNow } from './judging.ts'
import { briefImport, type WorkedView } from './preview.ts'
import { plannedRows, requireScopes, restoreScopes, scopesFor } from './rows.ts'
import { Import } from './schema.ts'
import { commitTrips } from './trips.ts'
import { importTag, requireOwnImport, showImport } from './view.ts'
import {
  attemptOf,
  type Held,
  hold,
  letGo,
  ROWS_AT_ONCE,
  runNowOrLater,
  type Step,
  stopWork,
} from './work.ts'

const tag = 'Imports'
/** The number of rows read together when nothing is written. */
const ROWS_LOOKED_AT = 250

const commitConditions: Scope[] = [
  'flight.import.any',
  'users.directory.read',
  'flight.passengers.manage.own',
  'flight.passengers.manage.any',
  'tracks.write',
]

export const commitImport = operation({
  id: 'commit-import',
  method: 'POST',
  path: '/imports/{id}/commit',
  tag,
  summary: 'Commit an import',
  description:
    'Compares the rows with the log as it is now, creates flights of all that are new or accepted, applies the updates that were chosen, and brings in the trips of an export that you do not have. Repeating it changes nothing; after more answers, it goes on with the rest. After an undo, it brings the same flights back. A large import is `committing` in the response and goes on: read it until it is `committed`.',
  example: { params: { id: 1 }, body: {} },
  access: credentialWith(['flight.import.own'], commitConditions),
  params: pathId,
  body: takes(
    z.strictObject({
      rows: z
        .array(z.int().min(1).max(IMPORT_RECORDS_AT_MOST))
        .max(IMPORT_RECORDS_AT_MOST)
        .optional()
        .describe('Only these rows, as far as they are new or accepted.'),
    }),
    { size: 'many', optional: true },
  ),
  output: single(Import),
  errors: ['not_found', 'conflict'],
  transaction: 'own',
  tool: {
    title: 'Commit an import',
    description:
      'Add the flights of a previewed import to the log. Tell the person first how many will be added, and wait for a yes. undo_import takes it back.',
    destructive: false,
    quotes: ['data.filename'],
    brief: ({ data }) => ({ data: briefImport(data) }),
    says: ({ data }) => committedText(data),
  },
  async run(call) {
    const { id, rows: named } = call.input
    if (attemptOf(call)?.isFinished)
      return answer(call, await requireOwnImport(call.services.store.read, call.principal, id))
    if (!attemptOf(call)) await judgedNow(call, id, { whole: true })
    const held = await hold(call, id, 'committing', requireCommittable)
    const rows = new RowPages(held.given, named)
    let planned: { count: number; needed: ReadonlySet<Scope> }
    try {
      planned = await requireAllowed(call, held, rows)
    } catch (error) {
      await letGo(call, held)
      throw error
    }
    const pages = new RowPages(held.given, named)
    const newcomers = new Newcomers(call.principal.user.id, held.given)
    const work = {
      held,
      needed: planned.needed,
      status: 'committed' as const,
      async batch(batchCall: Call): Promise<Step | null> {
        const step = await commitBatch(batchCall, held.given, pages, newcomers)
        // Runs last, when all rows that become flights have done so.
        if (!step) await commitTrips(batchCall, held.given)
        return step
      },
      advance: () => {
        pages.advance()
        newcomers.advance()
      },
    }
    return answer(call, await runNowOrLater(call, work, planned.count))
  },
})

function answer(call: Call, after: StoredImport) {
  call.validator.tag = importTag(after)
  return { data: showImport(after) }
}

export const stopImport = operation({
  id: 'stop-import',
  method: 'POST',
  path: '/imports/{id}/stop',
  tag,
  summary: 'Stop a commit or an undo that is running',
  description:
    'What is written stays, as one import that can be undone or committed further. Without effect if nothing is running.',
  example: { params: { id: 1 } },
  access: credentialWith(['flight.import.own']),
  params: pathId,
  output: single(Import),
  errors: ['not_found'],
  async run(call) {
    return answer(call, await stopWork(call, call.input.id))
  },
})

function committedText({
  id,
  filename,
  status,
  counts,
  committed: { created, updated },
}: WorkedView): string {
  const left = (['question', 'similar', 'duplicate', 'skipped', 'error'] as const).flatMap((verdict) =>
    counts[verdict] ? `${counts[verdict]} ${verdict}` : [],
  )
  return [
    status === 'committing'
      ? `Import ${id} (${filename}) is still being committed. list_imports shows when it is done.`
      : `Import ${id} (${filename}): ${created} flights added, ${updated} updated in total.`,
    ...(left.length > 0 ? [`Not added: ${left.join(', ')}.`] : []),
    'Use undo_import to undo the whole import, or undo for single flights.',
  ].join(' ')
}

function requireCommittable({ status }: StoredImport): void {
  if (status === 'failed' || status === 'expired') throw new AppError('conflict', 'import_unusable')
}

/** Pages through the rows that a commit may write: all of them, or the requested ones. */
class RowPages {
  readonly #importId: number
  readonly #options: ImportOptions
  readonly #named: readonly number[] | undefined
  #after = 0
  #last = 0

  constructor({ id, options }: StoredImport, named: readonly number[] | undefined) {
    this.#importId = id
    this.#options = options
    this.#named = named && [...new Set(named)].sort((a, b) => a - b)
  }

  /** The page after the last one that was passed; empty at the end. */
  async read(db: Executor, limit: number): Promise<CommitRecord[]> {
    const rows = this.#named ? await this.#readNamed(db, limit) : await this.#readAll(db, limit)
    this.#last = rows.at(-1)?.number ?? this.#last
    return rows
  }

  advance(): void {
    this.#after = this.#last
  }

  #readAll(db: Executor, limit: number): Promise<CommitRecord[]> {
    const { duplicates } = this.#options
    const withDuplicates = duplicates === 'update' || duplicates === 'create'
    return listCommitRows(db, { importId: this.#importId, after: this.#after, limit, withDuplicates })
  }

  /** Skips numbers that no row has. */
  async #readNamed(db: Executor, limit: number): Promise<CommitRecord[]> {
    const left = this.#named!.filter((number) => number > this.#after)
    for (let start = 0; start < left.length; start += limit) {
      const rows = await listNamedCommitRows(db, this.#importId, left.slice(start, start + limit))
      if (rows.length > 0) return rows
    }
    return []
  }
}

/** Checks access for all rows before anything is written. Returns the scopes and the number of rows. */
async function requireAllowed(
  call: Call,
  { given }: Held,
  pages: RowPages,
): Promise<{ count: number; needed: ReadonlySet<Scope> }> {
  const { principal, services } = call
  const needed = new Set<Scope>(given.options.mode === 'restore' ? restoreScopes : [])
  let count = 0
  for (;;) {
    const rows = await pages.read(services.store.read, ROWS_LOOKED_AT)
    if (rows.length === 0) break
    const planned = plannedRows(rows, given.options)
    for (const row of planned) for (const scope of scopesFor(row, principal)) needed.add(scope)
    count += planned.length
    pages.advance()
    // SQLite returns without waiting: this lets other requests run in between.
    await setImmediate()
  }
  requireScopes(principal, needed)
  return { count, needed: needed.add('flight.import.own') }
}

async function commitBatch(
  call: Call,
  { id, options }: StoredImport,
  pages: RowPages,
  newcomers: Newcomers,
): Promise<Step | null> {
  const rows = await pages.read(call.db, ROWS_AT_ONCE)
  if (rows.length === 0) return null
  const batch = new ImportBatch(call, id, options, newcomers)
  const slices = createSlices()
  await batch.begin(rows)
  // SQLite returns without waiting: steps let other requests run in between.
  const size = ROWS_OF_PART[call.db.kind]
  await inSteps(rows, (some) => batch.write(plannedRows(some, options)), { size, slices })
  return { rows: rows.length, ...batch.written, restored: batch.restored }
}
