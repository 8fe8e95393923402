// Accepts a file: stores it, reads it, and previews what would become of its records.
import * as z from 'zod'
import { AppError, invalidField } from '../../base/errors.ts'
import type { IncomingFile } from '../../base/request/incoming-files.ts'
import { IMPORT_EXPIRES_DAYS, type ImportOptions, type SourceId } from '../../domain/imports/imports.ts'
import { problem } from '../../domain/reasons.ts'
import { DAY } from '../../domain/time/durations.ts'
import { type Call, operation, takes } from '../../door/operation.ts'
import type { Services } from '../../door/services.ts'
import { importingFor, incrementRevisions } from '../../store/engine/revisions.ts'
import { findImportByContent, insertImport, type StoredImport } from '../../store/imports/imports.ts'
import { single, strictQuery } from '../wire/schemas.ts'
import { judgedNow } from './judging.ts'
import { importAccess, requireOptions, withoutNulls } from './options.ts'
import { evaluated, previewed, rowsOfEach } from './preview.ts'
import { Filename, OptionsInput, RowsPerVerdict, SourceIdInput, StartedImport } from './schema.ts'
import { requireOwnImport, showImport } from './view.ts'

const tag = 'Imports'
const FILENAME_AT_MOST = 255
const DRAFTS_AT_MOST = 5000

const StartInput = z
  .strictObject({
    filename: Filename.optional(),
    text: z.string().optional().describe('The content as text.'),
    base64: z.string().optional().describe('The content as base64.'),
    drafts: z
      // An invalid record becomes a row with an error; the request is not rejected.
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
  access: importAccess,
  query: strictQuery({
    filename: Filename.optional(),
    source: SourceIdInput.optional(),
    timezoneHint: z.string().max(100).optional().describe('IANA time zone for times without one.'),
    rowsPerVerdict: RowsPerVerdict,
  }),
  body: takes(StartInput, {
    size: 'many',
    file: {
      atMostBytes: ({ importSizeLimit }) => importSizeLimit,
      mediaTypes: ['application/octet-stream', 'text/csv', '*/*'],
      isLarge: true,
    },
  }),
  output: single(StartedImport),
  otherStatuses: [201],
  errors: ['payload_too_large', 'too_many_requests'],
  transaction: 'own',
  tool: {
    ...previewed,
    name: 'preview_import',
    title: 'Preview a file of flights',
    description:
      'Read a file of flights (CSV, JSON, another app’s export; as text or base64), or flights that you read yourself (source "drafts" with drafts), and say what would become of each record. Adds no flights. A few flights typed in the conversation: log_flights. Ask the person the open questions, pass the answers to answer_import, then commit_import after a yes. Options: dateOrder (dmy, mdy, ymd), timesAreUtc, includeCancelled, duplicates (skip, update, create), airline, timezoneHint.',
    shallow: ['source', 'options'],
    without: ['timezoneHint'],
  },
  check(call) {
    const { options = {}, timezoneHint = options.timezoneHint } = call.input
    return requireOptions(call, { ...options, timezoneHint })
  },
  async run(call) {
    const { services, principal, outcome } = call
    const before = call.progress?.done as { importId: number } | null | undefined
    if (before) return startedBefore(call, before.importId)
    const given = fileOf(call)
    requireSize(sizeOf(given.content), services)
    const sha256 = await sha256Of(given.content)
    const known = await findImportByContent(services.store.read, principal.user.id, sha256, call.now)
    const started = known ? { import: known, lease: undefined } : await keepFile(call, given, sha256)
    if (started.lease === undefined) await judgedNow(call, started.import.id)
    else {
      outcome.created = `/imports/${started.import.id}`
      await evaluated(services, started.import, started.lease)
    }
    return answer(call, started.import.id, started.lease === undefined)
  },
})

async function answer(call: StartCall & Call<{ rowsPerVerdict: number }>, id: number, repeated: boolean) {
  const shown = await requireOwnImport(call.services.store.read, call.principal, id)
  const rows = await rowsOfEach(call, shown, call.input.rowsPerVerdict)
  return { data: { ...showImport(shown), ...rows, repeated } }
}

/** Started by an unfinished attempt of the same request. The rest of the file is read later. */
function startedBefore(call: Parameters<typeof answer>[0], id: number) {
  call.outcome.created = `/imports/${id}`
  return answer(call, id, false)
}

interface GivenFile {
  content: Uint8Array | IncomingFile
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

function fileOf({ input, file, upload }: StartCall): GivenFile {
  const { source = null, timezoneHint } = input
  const options = { ...withoutNulls(input.options ?? {}), ...(timezoneHint ? { timezoneHint } : {}) }
  const named = (otherwise: string) => cleanName(input.filename) || otherwise
  const sent = upload ?? file
  if (sent) return { content: sent, filename: named('file'), source, options }
  const given = [input.text, input.base64, input.drafts].filter((content) => content !== undefined)
  if (given.length !== 1 || (input.drafts && source !== 'drafts'))
    throw invalidField(['text'], 'import_content_needed')
  if (input.drafts) {
    const content = Buffer.from(JSON.stringify({ source: 'drafts', drafts: input.drafts }))
    return { content, filename: named('drafts.json'), source: 'drafts', options }
  }
  return { content: contentOf(input), filename: named('file'), source, options }
}

function contentOf({ text, base64 }: StartCall['input']): Uint8Array {
  if (text !== undefined) return Buffer.from(text)
  if (!base64Form.test(base64!)) throw invalidField(['base64'], 'import_bad_encoding')
  return Buffer.from(base64!, 'base64')
}
const base64Form = /^[A-Za-z0-9+/_-]*={0,2}\s*$/

/** Without a path and without characters that cannot be shown. */
const cleanName = (given: string | undefined): string =>
  (given ?? '')
    .toWellFormed()
    .replace(/^.*[/\\]/s, '')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .slice(0, FILENAME_AT_MOST)
    .toWellFormed()

const sizeOf = (content: GivenFile['content']): number =>
  content instanceof Uint8Array ? content.byteLength : content.bytes

function requireSize(bytes: number, { config: { importSizeLimit: max } }: Services): void {
  if (bytes === 0) throw new AppError('bad_request', 'import_empty')
  if (bytes > max) throw new AppError('payload_too_large', problem('import_too_large', { max }))
}

/** Runs in another thread: a large file would block every other request. */
const sha256Of = async (content: GivenFile['content']): Promise<string> =>
  content instanceof Uint8Array
    ? Buffer.from(await crypto.subtle.digest('SHA-256', content as Uint8Array<ArrayBuffer>)).toString('hex')
    : content.sha256

/** The file is safely on disk before the import refers to it. If two requests have the same bytes, one starts the import. */
async function keepFile(
  { services, principal, now, progress }: StartCall,
  { content, ...given }: GivenFile,
  sha256: string,
): Promise<{ import: StoredImport; lease: string | undefined }> {
  const { store, importFiles, imports } = services
  const userId = principal.user.id
  const file = await importFiles.save(content)
  let isKept = false
  try {
    const { lease, until: leaseUntil } = imports.newLease()
    const started = await store.transaction(async (tx) => {
      await incrementRevisions(tx, [importingFor(userId)])
      const known = await findImportByContent(tx, userId, sha256, now)
      if (known) return { import: known, lease: undefined }
      const times = { now: now.toISOString(), expiresAt: expiryOf(now) }
      const row = { ...given, ...times, bytes: sizeOf(content), sha256, file, lease, leaseUntil }
      const started = await insertImport(tx, userId, row)
      await progress?.save(tx, { importId: started.id })
      return { import: started, lease }
    })
    isKept = started.lease !== undefined
    return started
  } finally {
    if (!isKept) await importFiles.remove(file)
  }
}

const expiryOf = (now: Date): string => new Date(now.getTime() + IMPORT_EXPIRES_DAYS * DAY).toISOString()
