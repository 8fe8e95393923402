// Imports: a file, what would become of each of its records, and what the person says about it. Nothing here changes the
// log: import-commit.ts does.
import * as z from 'zod'
import { type Principal, requireScope } from '../auth/principal.ts'
import { AppError, invalidField, notFound } from '../base/errors.ts'
import type { Scope } from '../domain/access.ts'
import { IMPORT_EXPIRES_DAYS, type ImportOptions, type SourceId, verdicts } from '../domain/imports.ts'
import { problem } from '../domain/reasons.ts'
import { timeZoneNamed } from '../domain/time.ts'
import { type Call, credentialWith, operation, type Services } from '../operation.ts'
import { deleteChoices, findRow, listRows, type StoredChoice, saveChoice } from '../store/import-rows.ts'
import {
  deleteImport as deleteStoredImport,
  findImportByContent,
  insertImport,
  listImports as listStoredImports,
  lockImport,
  restartImport,
  type StoredImport,
} from '../store/imports.ts'
import { existingPeople } from '../store/people.ts'
import { importingFor, incrementRevisions } from '../store/revisions.ts'
import type { Transaction } from '../store/store.ts'
import { createIdCursors, createNumberCursors } from './cursors.ts'
import { type FlightInput, requireReferences } from './flight-input.ts'
import { applyAnswers, confirmMapping } from './import-answers.ts'
import {
  AnswerInput,
  DraftPatch,
  Filename,
  Import,
  ImportRow,
  MappingInput,
  OptionsInput,
  PreviewedImport,
  RowsPerVerdict,
  type RowView,
  SourceIdInput,
  StartedImport,
} from './import-schema.ts'
import { importTag, isBeingWorkedOn, requireOwnImport, showImport, showRows } from './import-view.ts'
import { Limit, list, nothing, PathId, pathId, single, strictQuery } from './schemas.ts'

const tag = 'Imports'

/** Some options bring in flights of others. */
const wider: Scope[] = ['flight.import.any', 'users.directory.read']
const access = credentialWith(['flight.import.own'], wider)
const readAccess = credentialWith(['flight.import.own'])

const FILENAME_AT_MOST = 255
/** A file of this size is evaluated before the response; a larger one gets a second. */
const SMALL_BYTES = 1024 * 1024
const SMALL_WAIT_MS = 20_000
const LARGE_WAIT_MS = 1000
const DAY_MS = 86_400_000
const DRAFTS_AT_MOST = 5000
/** In a list; one import has them all. */
const QUESTIONS_LISTED = 20

// Starting

/** What an assistant gets of an import, and which part of it is the file's own text. */
const previewed = {
  always: { rowsPerVerdict: 20 },
  quotes: ['data.filename', 'data.questions', 'data.mapping', 'data.rows.raw', 'data.rows.draft'],
}

/** The first rows of each verdict, so that a preview needs no second request. */
async function rowsOfEach(
  call: Call,
  found: StoredImport,
  limit: number,
): Promise<{ rows?: RowView[] | undefined }> {
  if (limit === 0) return {}
  const rows = []
  for (const verdict of verdicts) {
    rows.push(...(await listRows(call.services.store.read, { importId: found.id, verdict, after: 0, limit })))
  }
  return { rows: await showRows(call, found, rows) }
}

const StartInput = z
  .strictObject({
    filename: Filename.optional(),
    text: z.string().optional().describe('The content as text.'),
    base64: z.string().optional().describe('The content as base64.'),
    drafts: z
      // One that is wrong is one row with an error, not a refused request.
      .array(z.unknown())
      .min(1)
      .max(DRAFTS_AT_MOST)
      .optional()
      .describe(
        'With `source: "drafts"`: flights as a program or an assistant read them; `from`, `to`, `airline` and `aircraft` may be codes or names.',
      ),
    source: SourceIdInput.optional(),
    options: OptionsInput.optional(),
  })
  .meta({ id: 'ImportInput' })

export const startImport = operation({
  id: 'start-import',
  method: 'POST',
  path: '/imports',
  tag,
  summary: 'Bring in a file of flights',
  description:
    'The file itself as the body, with any media type but JSON, or JSON that contains it. Its source is recognised by content. Nothing enters the log before commit-import: the response says what would become of each record. A large file has the status `reading`; read it again until it has another one. The same bytes again return the earlier import with status 200 and `repeated`, unless that one failed, was undone or has expired.',
  example: {
    body: {
      filename: 'flights.csv',
      text: 'Date,Flight number,From,To\n2026-02-20,SK915,CPH,EWR\n',
    },
  },
  access,
  query: strictQuery({
    filename: Filename.optional(),
    source: SourceIdInput.optional(),
    timezoneHint: z.string().max(100).optional().describe('IANA time zone for times without one.'),
    rowsPerVerdict: RowsPerVerdict,
  }),
  body: StartInput,
  bodyMembersAtMost: 250_000,
  file: {
    atMostBytes: ({ importSizeLimit }) => importSizeLimit,
    mediaTypes: ['application/octet-stream', 'text/csv', '*/*'],
  },
  output: single(StartedImport),
  otherStatuses: [201],
  errors: ['payload_too_large'],
  managesTransaction: true,
  tool: {
    ...previewed,
    name: 'preview_import',
    title: 'Preview a file of flights',
    description:
      'Reads a file of flights (CSV, JSON or another app’s export, as text or base64), or flights that you read yourself (`source: "drafts"` with `drafts`), and says what would become of each record. Writes nothing. Ask the user the open questions, answer them with answer_import, then commit_import after a yes.',
    without: ['timezoneHint'],
  },
  check(call) {
    const { options = {}, timezoneHint = options.timezoneHint } = call.input
    return requireOptions(call, { ...options, timezoneHint })
  },
  async run(call) {
    const { services, principal, outcome } = call
    const given = fileOf(call)
    requireSize(given.bytes, services)
    const sha256 = await sha256Of(given.bytes)
    const known = await findImportByContent(services.store.read, principal.user.id, sha256)
    const started = known ? { import: known, lease: undefined } : await keepFile(call, given, sha256)
    if (started.lease !== undefined) {
      outcome.created = `/imports/${started.import.id}`
      await evaluated(services, started.import, started.lease)
    }
    const shown = await requireOwnImport(call.services.store.read, call.principal, started.import.id)
    const rows = await rowsOfEach(call, shown, call.input.rowsPerVerdict)
    return { data: { ...showImport(shown), ...rows, repeated: started.lease === undefined } }
  },
})

interface GivenFile {
  bytes: Uint8Array
  filename: string
  source: SourceId | null
  options: ImportOptions
}

type StartCall = Call<{
  filename?: string | undefined
  source?: SourceId | undefined
  timezoneHint?: string | undefined
  text?: string | undefined
  base64?: string | undefined
  drafts?: unknown[] | undefined
  options?: z.output<typeof OptionsInput> | undefined
}>

function fileOf({ input, file }: StartCall): GivenFile {
  const { source = null, timezoneHint } = input
  const options = { ...withoutNulls(input.options ?? {}), ...(timezoneHint ? { timezoneHint } : {}) }
  const named = (otherwise: string) => cleanName(input.filename) || otherwise
  if (file) return { bytes: file, filename: named('file'), source, options }
  const given = [input.text, input.base64, input.drafts].filter((content) => content !== undefined)
  if (given.length !== 1 || (input.drafts && source !== 'drafts'))
    throw invalidField(['text'], 'import_content_needed')
  if (input.drafts) {
    const bytes = Buffer.from(JSON.stringify({ source: 'drafts', drafts: input.drafts }))
    return { bytes, filename: named('drafts.json'), source: 'drafts', options }
  }
  return { bytes: contentOf(input), filename: named('file'), source, options }
}

function contentOf({ text, base64 }: StartCall['input']): Uint8Array {
  if (text !== undefined) return Buffer.from(text)
  if (!base64Form.test(base64!)) throw invalidField(['base64'], 'import_bad_encoding')
  return Buffer.from(base64!, 'base64')
}
const base64Form = /^[A-Za-z0-9+/_-]*={0,2}\s*$/

/** Without a path and without what cannot be shown. */
const cleanName = (given: string | undefined): string =>
  (given ?? '')
    .toWellFormed()
    .replace(/^.*[/\\]/s, '')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .slice(0, FILENAME_AT_MOST)
    .toWellFormed()

function requireSize({ byteLength }: Uint8Array, { config: { importSizeLimit: max } }: Services): void {
  if (byteLength === 0) throw new AppError('bad_request', 'import_empty')
  if (byteLength > max) throw new AppError('payload_too_large', problem('import_too_large', { max }))
}

/** In another thread: a large file would hold up every other request. */
const sha256Of = async (bytes: Uint8Array): Promise<string> =>
  Buffer.from(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)).toString('hex')

/** The file is safe on disk before the import names it. Of two requests with the same bytes, one starts the import. */
async function keepFile(
  { services, principal, now }: StartCall,
  { bytes, ...given }: GivenFile,
  sha256: string,
): Promise<{ import: StoredImport; lease: string | undefined }> {
  const { store, importFiles, imports } = services
  const userId = principal.user.id
  const file = await importFiles.save(bytes)
  let isKept = false
  try {
    const { lease, leaseUntil } = imports.newLease()
    const started = await store.transaction(async (tx) => {
      await incrementRevisions(tx, [importingFor(userId)])
      const known = await findImportByContent(tx, userId, sha256)
      if (known) return { import: known, lease: undefined }
      const times = { now: now.toISOString(), expiresAt: expiryOf(now) }
      const row = { ...given, ...times, bytes: bytes.byteLength, sha256, file, lease, leaseUntil }
      return { import: await insertImport(tx, userId, row), lease }
    })
    isKept = started.lease !== undefined
    return started
  } finally {
    if (!isKept) await importFiles.remove(file)
  }
}

const expiryOf = (now: Date): string => new Date(now.getTime() + IMPORT_EXPIRES_DAYS * DAY_MS).toISOString()

/** Until it is evaluated, or as long as a person waits for a response. */
async function evaluated(services: Services, given: StoredImport, lease: string): Promise<void> {
  const waitMs = given.bytes <= SMALL_BYTES ? SMALL_WAIT_MS : LARGE_WAIT_MS
  let timer: NodeJS.Timeout | undefined
  const waited = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, waitMs)
  })
  await Promise.race([services.imports.evaluate(given, lease), waited])
  clearTimeout(timer)
}

// Reading

const cursors = createIdCursors('i1')

export const listImports = operation({
  id: 'list-imports',
  method: 'GET',
  path: '/imports',
  tag,
  summary: 'List your imports',
  description: `Newest first, each with at most ${QUESTIONS_LISTED} of its questions.`,
  access: readAccess,
  query: strictQuery({ limit: Limit, cursor: cursors.Cursor }),
  output: list(Import),
  tool: { title: 'List imports', quotes: ['data.filename', 'data.questions'] },
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
  access: readAccess,
  params: pathId,
  output: single(Import),
  conditional: true,
  errors: ['not_found'],
  async run(call) {
    const found = await requireOwnImport(call.services.store.read, call.principal, call.input.id)
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
  access: readAccess,
  params: pathId,
  query: strictQuery({
    verdict: z.enum(verdicts).optional(),
    code: z
      .string()
      .regex(/^[a-z_]{1,40}$/)
      .optional()
      .describe('The reason of the verdict.'),
    limit: Limit,
    cursor: rowCursors.Cursor,
  }),
  output: list(ImportRow),
  errors: ['not_found'],
  async run(call) {
    const { db, input } = call
    const { id, verdict, code, limit, cursor } = input
    const found = await requireOwnImport(call.services.store.read, call.principal, id)
    const request = { importId: id, verdict, code: code as never, after: cursor, limit: limit + 1 }
    const { rows, nextCursor } = rowCursors.cut(await listRows(db, request), limit, ({ number }) => number)
    return { data: await showRows(call, found, rows), page: { nextCursor } }
  },
})

// Saying something about it

export const updateImport = operation({
  id: 'update-import',
  method: 'PATCH',
  path: '/imports/{id}',
  tag,
  summary: 'Answer questions and change options of an import',
  description:
    'Evaluates the whole file again. Options and answers are merged with those that were given before. Answers about airports, airlines, people and custom fields are remembered for your next imports, and so is what columns hold.',
  example: { params: { id: 1 }, body: { options: { includeCancelled: true } } },
  access,
  params: pathId,
  body: z
    .strictObject({
      source: SourceIdInput.optional(),
      options: OptionsInput.optional(),
      mapping: MappingInput.optional(),
      answers: z.array(AnswerInput).max(1000).optional(),
    })
    .meta({ id: 'ImportPatch' }),
  query: strictQuery({ rowsPerVerdict: RowsPerVerdict }),
  output: single(PreviewedImport),
  tool: {
    ...previewed,
    name: 'answer_import',
    shallow: ['mapping', 'options'],
    title: 'Answer the questions of an import',
    description:
      'Gives answers, options (as of preview_import) or a column mapping to an import and evaluates it again. Answer with the `id` of a choice, or of a record that you looked up; `leaveEmpty` leaves the field empty, or rows with an unknown airport out. A mapping is `{columns: [{index, field}]}`, with fields as the preview names them. Ask the user rather than guess.',
  },
  errors: ['not_found', 'conflict'],
  managesTransaction: true,
  check: (call) => requireOptions(call, call.input.options ?? {}),
  async run(call) {
    const { services, input } = call
    const { lease, leaseUntil } = services.imports.newLease()
    const restarted = await services.store.transaction(async (tx) => {
      const found = await lockOpen(call, tx)
      const { answers, confirmed } = await applyAnswers({ ...call, db: tx }, found, input.answers ?? [])
      const mapping = input.mapping
        ? await confirmMapping({ ...call, db: tx }, found, input.mapping)
        : (confirmed ?? found.confirmedMapping)
      const isOther = input.source !== undefined && input.source !== found.source
      if (isOther) await deleteChoices(tx, found.id)
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
  access: readAccess,
  params: z.object({ id: PathId, row: PathId }),
  body: z
    .strictObject({
      include: z.boolean().nullable().optional(),
      accept: z.enum(['new', 'same']).nullable().optional(),
      draft: DraftPatch.nullable().optional(),
    })
    .meta({ id: 'ImportRowPatch' }),
  output: z.object({ data: ImportRow, import: Import }),
  errors: ['not_found', 'conflict'],
  managesTransaction: true,
  check: (call) => requireDraft(call, call.input.draft),
  async run(call) {
    const { services, input } = call
    const { lease, leaseUntil } = services.imports.newLease()
    const restarted = await services.store.transaction(async (tx) => {
      const found = await lockOpen(call, tx)
      const row = await findRow(tx, found.id, input.row)
      if (!row) throw notFound('Import row')
      if (row.done === 'created' || row.done === 'updated')
        throw new AppError('conflict', 'import_row_committed')
      await saveChoice(tx, found.id, input.row, choiceAfter(row.choice ?? {}, input))
      return restart(tx, found, { lease, leaseUntil, now: call.now.toISOString() })
    })
    await evaluated(services, restarted, lease)
    const shown = await requireOwnImport(call.services.store.read, call.principal, input.id)
    const row = await findRow(services.store.read, input.id, input.row)
    if (!row) throw notFound('Import row')
    return { data: (await showRows(call, shown, [row]))[0]!, import: showImport(shown) }
  },
})

/** What a correction refers to must exist. */
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

/** Null takes back, absent keeps. */
function choiceAfter(
  before: StoredChoice,
  given: {
    include?: boolean | null | undefined
    accept?: 'new' | 'same' | null | undefined
    draft?: Record<string, unknown> | null | undefined
  },
): StoredChoice | null {
  const draft =
    given.draft === null ? undefined : given.draft ? { ...before.draft, ...given.draft } : before.draft
  const choice = withoutNulls({
    include: given.include === undefined ? before.include : given.include,
    accept: given.accept === undefined ? before.accept : given.accept,
    draft,
  })
  return Object.keys(choice).length === 0 ? null : choice
}

type Restarted = Parameters<typeof restartImport>[1]

async function restart(
  tx: Transaction,
  found: StoredImport,
  changed: Partial<Restarted> & Pick<Restarted, 'lease' | 'leaseUntil' | 'now'>,
): Promise<StoredImport> {
  const { id, source, detectedBy, options, confirmedMapping, answers } = found
  return (await restartImport(tx, {
    ...{ id, source, detectedBy, options, confirmedMapping, answers },
    ...changed,
  }))!
}

/** The caller's import, in a state in which it can be evaluated. */
async function lockOpen(
  { principal, input, services }: Call<{ id: number }>,
  tx: Transaction,
): Promise<StoredImport> {
  const found = await lockImport(tx, principal.user.id, input.id)
  if (!found) throw notFound('Import')
  if (found.status === 'committing' || found.status === 'undoing')
    throw new AppError('conflict', 'import_busy')
  if (found.status === 'undone' || found.status === 'expired') throw new AppError('conflict', 'import_closed')
  // A restored backup has the rows, not the files.
  if (found.file === null || !(await services.importFiles.has(found.file)))
    throw new AppError('conflict', 'import_file_forgotten')
  return found
}

export const deleteImport = operation({
  id: 'delete-import',
  method: 'DELETE',
  path: '/imports/{id}',
  tag,
  summary: 'Delete an import',
  description:
    'Its file and its records are gone. Flights that it brought into the log stay, and can no longer be undone together.',
  example: { params: { id: 2 } },
  access: readAccess,
  params: pathId,
  output: nothing,
  status: 204,
  errors: ['not_found', 'conflict'],
  managesTransaction: true,
  async run({ services, principal, input }) {
    const { store, importFiles } = services
    const gone = await store.transaction(async (tx) => {
      const found = await lockImport(tx, principal.user.id, input.id)
      if (!found) throw notFound('Import')
      if (found.status === 'committing' || found.status === 'undoing')
        throw new AppError('conflict', 'import_busy')
      return deleteStoredImport(tx, principal.user.id, input.id)
    })
    if (gone?.file) await importFiles.remove(gone.file)
  },
})

// Options

type GivenOptions = z.output<typeof OptionsInput>

/** Without the members that are null or absent. */
const withoutNulls = <Given extends object>(given: Given) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== undefined)) as {
    [Name in keyof Given]?: NonNullable<Given[Name]>
  }

const merged = (before: ImportOptions, given: GivenOptions): ImportOptions =>
  withoutNulls({ ...before, ...given })

/** Flights of others need a wider scope, and those who are named must exist. */
async function requireOptions(
  { principal, db }: Pick<Call, 'principal' | 'db'>,
  { mode, users, timezoneHint }: GivenOptions,
): Promise<void> {
  const people = Object.values(users ?? {}).flatMap((id) => id ?? [])
  if (mode === 'restore' || people.some((id) => id !== principal.user.id)) requireWider(principal)
  if (timezoneHint && !timeZoneNamed(timezoneHint))
    throw invalidField(['options', 'timezoneHint'], 'unknown_time_zone')
  const known = await existingPeople(db, people)
  for (const [account, id] of Object.entries(users ?? {})) {
    if (id !== null && !known.has(id)) throw invalidField(['options', 'users', account], 'no_such_user')
  }
}

function requireWider(principal: Principal): void {
  const needed: Scope[] = ['flight.import.own', ...wider]
  for (const scope of wider) requireScope(principal, scope, needed)
}
