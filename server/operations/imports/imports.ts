// Imports: a file, what would become of each of its records, and the person's choices. Nothing here changes the log;
// commit.ts does. start.ts reads a file, update.ts evaluates it again.
import * as z from 'zod'
import { AppError, notFound } from '../../base/errors.ts'
import { verdicts } from '../../domain/imports/imports.ts'
import { credentialWith, operation } from '../../door/operation.ts'
import {
  deleteImport as deleteStoredImport,
  listImports as listStoredImports,
  lockImport,
} from '../../store/imports/imports.ts'
import { listRows } from '../../store/imports/rows.ts'
import { createIdCursors, createNumberCursors } from '../wire/cursors.ts'
import { Limit, list, nothing, pathId, single, strictQuery, Truth } from '../wire/schemas.ts'
import { judgedNow } from './judging.ts'
import { Import, ImportRow } from './schema.ts'
import { importTag, isBeingWorkedOn, showImport, showRows } from './view.ts'

const tag = 'Imports'
const access = credentialWith(['flight.import.own'])

/** Per import in a list; a single import has all of them. */
const QUESTIONS_LISTED = 20

const cursors = createIdCursors('i1')

export const listImports = operation({
  id: 'list-imports',
  method: 'GET',
  path: '/imports',
  tag,
  summary: 'List your imports',
  description: `Newest first, each with at most ${QUESTIONS_LISTED} of its questions.`,
  access,
  query: strictQuery({ limit: Limit, cursor: cursors.Cursor }),
  output: list(Import),
  tool: { title: 'List imports', quotes: ['data[].filename', 'data[].questions', 'data[].mapping'] },
  async run({ principal, db, input: { limit, cursor } }) {
    const request = { userId: principal.user.id, before: cursor, limit: limit + 1 }
    const { rows, nextCursor } = cursors.cut(await listStoredImports(db, request), limit, ({ id }) => id)
    const shown = rows.map((one) => ({ ...one, questions: one.questions.slice(0, QUESTIONS_LISTED) }))
    return { data: shown.map(showImport), page: { nextCursor } }
  },
})

export const getImport = operation({
  id: 'get-import',
  method: 'GET',
  path: '/imports/{id}',
  tag,
  summary: 'Read an import',
  example: { params: { id: 1 } },
  access,
  params: pathId,
  output: single(Import),
  target: { conditional: true },
  errors: ['not_found'],
  async run(call) {
    const found = await judgedNow(call, call.input.id)
    call.validator.tag = importTag(found)
    call.validator.isComplete = !isBeingWorkedOn(found)
    return { data: showImport(found) }
  },
})

const rowCursors = createNumberCursors('ir1')

export const listImportRows = operation({
  id: 'list-import-rows',
  method: 'GET',
  path: '/imports/{id}/rows',
  tag,
  summary: 'List the records of an import',
  description: 'In the order of the file: what each says, what would become of it, and why.',
  example: { params: { id: 1 }, query: { verdict: 'new' } },
  access,
  params: pathId,
  query: strictQuery({
    verdict: z.enum(verdicts).optional(),
    code: z
      .string()
      .regex(/^[a-z_]{1,40}$/)
      .optional()
      .describe('The reason of the verdict.'),
    remarks: Truth.optional().describe(
      '`true`: only rows with a warning that a value was left out or assumed.',
    ),
    limit: Limit,
    cursor: rowCursors.Cursor,
  }),
  output: list(ImportRow),
  errors: ['not_found'],
  async run(call) {
    const { services, input } = call
    const { id, verdict, code, remarks, limit, cursor } = input
    const found = await judgedNow(call, id)
    const request = { importId: id, verdict, code: code as never, remarks, after: cursor, limit: limit + 1 }
    const { rows, nextCursor } = rowCursors.cut(
      await listRows(services.store.read, request),
      limit,
      ({ number }) => number,
    )
    return { data: await showRows(call, found, rows), page: { nextCursor } }
  },
})

export const deleteImport = operation({
  id: 'delete-import',
  method: 'DELETE',
  path: '/imports/{id}',
  tag,
  summary: 'Delete an import',
  description:
    'Its file and its records are gone. Flights that it brought into the log stay, and can no longer be undone together.',
  example: { params: { id: 2 } },
  access,
  params: pathId,
  output: nothing,
  status: 204,
  errors: ['not_found', 'conflict'],
  transaction: 'own',
  async run({ services, principal, input }) {
    const { store, importFiles } = services
    const gone = await store.transaction(async (tx) => {
      const found = await lockImport(tx, { userId: principal.user.id, id: input.id })
      if (!found) throw notFound('Import')
      if (found.status === 'committing' || found.status === 'undoing')
        throw new AppError('conflict', 'import_busy')
      return deleteStoredImport(tx, { userId: principal.user.id, id: input.id })
    })
    if (gone?.file) await importFiles.remove(gone.file)
  },
})
