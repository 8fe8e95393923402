// The person's changes to an import: answers, options, columns, and decisions about single records. Each change
// evaluates the whole file again.
import * as z from 'zod'
import { AppError, invalidField, notFound } from '../../base/errors.ts'
import { flightFields, referenceFields } from '../../domain/flights/fields.ts'
import { type Call, credentialWith, operation, takes } from '../../door/operation.ts'
import { lockImport, type StoredImport } from '../../store/imports/imports.ts'
import { deleteChoices, findRow, type StoredChoice, saveChoice } from '../../store/imports/rows.ts'
import type { Transaction } from '../../store/store.ts'
import { type FlightInput, requireReferences } from '../flights/input.ts'
import { PathId, pathId, single, strictQuery } from '../wire/schemas.ts'
import { applyAnswers, confirmMapping } from './answers.ts'
import { restart } from './judging.ts'
import { importAccess, merged, requireOptions, withoutNulls } from './options.ts'
import { evaluated, previewed, rowsOfEach } from './preview.ts'
import {
  AnswerInput,
  DraftPatch,
  Import,
  ImportRow,
  MappingInput,
  OptionsInput,
  PreviewedImport,
  RowsPerVerdict,
  SourceIdInput,
} from './schema.ts'
import { requireOwnImport, showImport, showRows } from './view.ts'

const tag = 'Imports'

export const updateImport = operation({
  id: 'update-import',
  method: 'PATCH',
  path: '/imports/{id}',
  tag,
  summary: 'Answer questions and change options of an import',
  description:
    'Evaluates the whole file again. Options and answers are merged with those that were given before. Answers about airports, airlines, people and custom fields are remembered for your next imports, and so is what columns hold.',
  example: { params: { id: 1 }, body: { options: { includeCancelled: true } } },
  access: importAccess,
  params: pathId,
  body: takes(
    z
      .strictObject({
        source: SourceIdInput.optional(),
        options: OptionsInput.optional(),
        mapping: MappingInput.optional(),
        answers: z.array(AnswerInput).max(1000).optional(),
      })
      .meta({ id: 'ImportPatch' }),
    { size: 'many' },
  ),
  query: strictQuery({ rowsPerVerdict: RowsPerVerdict }),
  output: single(PreviewedImport),
  tool: {
    ...previewed,
    name: 'answer_import',
    shallow: ['mapping', 'options'],
    without: ['source'],
    title: 'Answer the questions of an import',
    description:
      'Give answers, options (as in preview_import) or a column mapping to an import; it is evaluated again. Answer with the id of a choice, or of a record that you looked up; leaveEmpty leaves the field empty, or rows with an unknown airport out. A mapping is {columns: [{index, field}]}, with fields as the preview names them. Ask the person rather than guess.',
  },
  errors: ['not_found', 'conflict'],
  transaction: 'own',
  check: (call) => requireOptions(call, call.input.options ?? {}),
  async run(call) {
    const { services, input } = call
    const { lease, until: leaseUntil } = services.imports.newLease()
    const restarted = await services.store.transaction(async (tx) => {
      const found = await lockOpen(call, tx)
      const { answers, confirmed } = await applyAnswers({ ...call, db: tx }, found, input.answers ?? [])
      const mapping = input.mapping
        ? await confirmMapping({ ...call, db: tx }, found, input.mapping)
        : (confirmed ?? found.confirmedMapping)
      const isOther = input.source !== undefined && input.source !== found.source
      if (isOther) await deleteChoices(tx, { importId: found.id })
      return restart(tx, found, {
        ...(input.source ? { source: input.source, detectedBy: 'choice' } : {}),
        options: merged(found.options, input.options ?? {}),
        confirmedMapping: isOther && !input.mapping ? null : mapping,
        answers,
        lease,
        leaseUntil,
        now: call.now.toISOString(),
      })
    })
    await evaluated(services, restarted, lease)
    const shown = await requireOwnImport(call.services.store.read, call.principal, input.id)
    return { data: { ...showImport(shown), ...(await rowsOfEach(call, shown, input.rowsPerVerdict)) } }
  },
})

export const updateImportRow = operation({
  id: 'update-import-row',
  method: 'PATCH',
  path: '/imports/{id}/rows/{row}',
  tag,
  summary: 'Decide about one record of an import',
  description:
    'Leave it out or bring it in (`include`), say that it is another flight or the same one (`accept`), or correct what was read (`draft`). null takes a decision back. Evaluates the whole file again.',
  example: { params: { id: 1, row: 1 }, body: { include: false } },
  access: credentialWith(['flight.import.own']),
  params: z.object({ id: PathId, row: PathId }),
  body: takes(
    z
      .strictObject({
        include: z.boolean().nullable().optional(),
        accept: z.enum(['new', 'same']).nullable().optional(),
        draft: DraftPatch.nullable().optional(),
      })
      .meta({ id: 'ImportRowPatch' }),
    { size: 'track' },
  ),
  output: z.object({ data: ImportRow, import: Import }),
  errors: ['not_found', 'conflict'],
  transaction: 'own',
  check: (call) => requireDraft(call, call.input.draft),
  async run(call) {
    const { services, input } = call
    const { lease, until: leaseUntil } = services.imports.newLease()
    const restarted = await services.store.transaction(async (tx) => {
      const found = await lockOpen(call, tx)
      const row = await findRow(tx, { importId: found.id, number: input.row })
      if (!row) throw notFound('Import row')
      if (row.done === 'created' || row.done === 'updated')
        throw new AppError('conflict', 'import_row_committed')
      await saveChoice(tx, found.id, input.row, choiceAfter(row.choice ?? {}, input))
      return restart(tx, found, { lease, leaseUntil, now: call.now.toISOString() })
    })
    await evaluated(services, restarted, lease)
    const shown = await requireOwnImport(call.services.store.read, call.principal, input.id)
    const row = await findRow(services.store.read, { importId: input.id, number: input.row })
    if (!row) throw notFound('Import row')
    return { data: (await showRows(call, shown, [row]))[0]!, import: showImport(shown) }
  },
})

/** The records that a correction refers to must exist. */
async function requireDraft(
  call: Call,
  draft: z.output<typeof DraftPatch> | null | undefined,
): Promise<void> {
  if (!draft) return
  const { passengers } = draft
  if (passengers !== undefined && !Array.isArray(passengers))
    throw invalidField(['draft', 'passengers'], 'not_a_list')
  await requireReferences(call, draft as FlightInput)
}

/** Null resets the choice; absent keeps it. */
function choiceAfter(
  before: StoredChoice,
  given: {
    include?: boolean | null | undefined
    accept?: 'new' | 'same' | null | undefined
    draft?: Record<string, unknown> | null | undefined
  },
): StoredChoice | null {
  const draft =
    given.draft === null ? undefined : given.draft ? typedOver(before.draft, given.draft) : before.draft
  const choice = withoutNulls({
    include: given.include === undefined ? before.include : given.include,
    accept: given.accept === undefined ? before.accept : given.accept,
    draft,
  })
  return Object.keys(choice).length === 0 ? null : choice
}

/** A record is given by its id or by a text: the later one wins. */
function typedOver(before: Record<string, unknown> = {}, given: Record<string, unknown>) {
  const typed = { ...before, ...given }
  for (const name of referenceFields) {
    const { shownAs } = flightFields[name]
    if (given[name] !== undefined) delete typed[shownAs]
    else if (given[shownAs] !== undefined) delete typed[name]
  }
  return typed
}

/** The caller's import, locked, in a state in which it can be evaluated. */
async function lockOpen(
  { principal, input, services }: Call<{ id: number }>,
  tx: Transaction,
): Promise<StoredImport> {
  const found = await lockImport(tx, { userId: principal.user.id, id: input.id })
  if (!found) throw notFound('Import')
  if (found.status === 'committing' || found.status === 'undoing')
    throw new AppError('conflict', 'import_busy')
  if (found.status === 'undone' || found.status === 'expired') throw new AppError('conflict', 'import_closed')
  // A restored backup contains the rows but not the files.
  if (found.file === null || !(await services.importFiles.has(found.file, tx)))
    throw new AppError('conflict', 'import_file_forgotten')
  return found
}
