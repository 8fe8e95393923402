// Backs up a whole instance to one file and restores it, on either engine. The file is gzipped JSON lines: a header, each
// table's columns and then its rows, uploaded files, and a last line with a checksum over all others. Of the shipped reference
// data, the file has only the records that the instance uses or has changed.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import * as z from 'zod'
import { errorMessage, Unavailable } from '../../base/errors.ts'
import { version } from '../../base/version.ts'
import { builtInRoles, defaultRoleId } from '../../domain/access/access.ts'
import { recordEvent } from '../../store/access/audit.ts'
import { roleRow } from '../../store/access/roles.ts'
import type { Executor, Row } from '../../store/engine/engine.ts'
import {
  type Contents,
  findDamage,
  isEmpty,
  openContents,
  startRestoring,
  type TableName,
  tables,
} from '../../store/instance/backup.ts'
import { type Replacements, salvage } from '../../store/instance/salvage.ts'
import { writeSetting } from '../../store/instance/settings.ts'
import { migrations } from '../../store/migrations/migrate.ts'
import type { Store } from '../../store/store.ts'
import { isUploadPath, type Uploads } from '../../store/uploads/pictures.ts'
import { shippedRows, upsertReference } from '../reference/load.ts'
import type { ReferenceSet } from '../reference/set.ts'

const FORMAT = 1
/** Partial backups have a higher format number, so that older versions refuse them. */
const PARTIAL_FORMAT = 2
const BATCH_BYTES = 4 * 1024 * 1024

/** A backup that cannot be made or restored. The message is shown to the operator. */
export class BackupError extends Error {}

const count = z.int().min(0)
const Missing = z.object({
  table: z.string(),
  unreadable: count,
  isExact: z.boolean(),
  ids: z.array(z.number()),
  leftOut: count,
  cleared: count,
})
const Header = z.object({
  contrail: z.literal('backup'),
  format: z.int(),
  version: z.string(),
  createdAt: z.string(),
  schema: z.array(z.string()).min(1),
  counts: z.record(z.string(), count),
  lastIds: z.record(z.string(), count),
  uploads: count,
  /** Present if the database was damaged: what is missing from the file. */
  partial: z.object({ damage: z.string(), missing: z.array(Missing) }).optional(),
})
export type Header = z.output<typeof Header>

const TableLine = z.object({
  table: z.enum(tables.map(({ name }) => name) as [TableName, ...TableName[]]),
  columns: z.array(z.string().regex(/^[a-z][a-z0-9_]*$/)).min(1),
})
const Cell = z.union([z.string(), z.number(), z.null(), z.object({ base64: z.base64() })])
const RowLine = z.array(Cell)
const UploadLine = z.object({ upload: z.string().refine(isUploadPath), base64: z.base64() })
const EndLine = z.object({ lines: z.int(), sha256: z.string() })
const Line = z.union([RowLine, TableLine, UploadLine])

// Writing

interface BackupParts {
  store: Store
  uploads: Uploads
  now: Date
  /** Aborts the backup and removes the incomplete file. */
  signal?: AbortSignal | undefined
}

interface BackupOptions {
  /** If the database is damaged, saves the readable rows instead of failing. */
  salvages?: boolean
}

/**
 * Writes a complete file or none: it gets its final name only after it was read back. A stream gets the bytes as they are made.
 */
export async function writeBackup(
  parts: BackupParts,
  file: string | NodeJS.WritableStream,
  { salvages = false }: BackupOptions = {},
): Promise<Header> {
  if (typeof file !== 'string') return writeTo(parts, file, salvages)
  await requireAbsent(file)
  const unfinished = `${file}.${process.pid}.part`
  // It contains password hashes, so only the file's owner may read it.
  const handle = await open(unfinished, 'wx', 0o600).catch((error) => {
    throw asFolderError(error, resolve(dirname(file)))
  })
  const target = handle.createWriteStream({ flush: true })
  try {
    const header = await writeTo(parts, target, salvages)
    await verifyBackup(unfinished, parts.signal)
    await giveName(unfinished, file)
    return header
  } catch (error) {
    // An error before the first line leaves the file open.
    if (!target.closed) await new Promise((resolve) => target.destroy().once('close', resolve))
    await rm(unfinished, { force: true })
    throw asFolderError(error, dirname(file))
  }
}

/** Durably. */
export async function giveName(unfinished: string, file: string): Promise<void> {
  await rename(unfinished, file)
  const folder = await open(dirname(file))
  await folder.sync().finally(() => folder.close())
}

/** Errors of the file system with a message for the operator; other errors unchanged. */
export function asFolderError(error: unknown, folder: string): Error {
  // During a snapshot the store reports a full disk as its own error, even if it is the disk of the backup.
  const cause = error instanceof Unavailable ? error.cause : error
  const { code } = cause as NodeJS.ErrnoException
  const withMessage = (message: string) => new BackupError(message, { cause })
  if (code === 'ENOSPC' || code === 'EDQUOT') return withMessage(`the disk of ${folder} is full`)
  if (code === 'ENOENT') return withMessage(`there is no folder ${folder}; create it first`)
  if (code === 'ENOTDIR') return withMessage(`${folder} is not a folder`)
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return withMessage(`this user may not write into ${folder}; choose another folder`)
  return error instanceof Error ? error : new Error(String(error))
}

async function requireAbsent(file: string): Promise<void> {
  const found = await open(file).catch(() => undefined)
  if (!found) return
  await found.close()
  throw new BackupError(`${file} already exists`)
}

async function writeTo(
  { store, uploads, now, signal }: BackupParts,
  target: NodeJS.WritableStream,
  salvages: boolean,
): Promise<Header> {
  return store.snapshot(async (db) => {
    const { rows, ...contents } = await openForBackup(db, salvages, now)
    const files = await uploads.list()
    const header: Header = {
      contrail: 'backup',
      format: contents.partial ? PARTIAL_FORMAT : FORMAT,
      version,
      createdAt: now.toISOString(),
      ...contents,
      uploads: files.length,
    }
    const lines = linesOf(header, rows, uploads, files)
    await pipeline([Readable.from(withChecksum(lines), { highWaterMark: 1 }), createGzip(), target], {
      signal,
    })
    return header
  })
}

type OpenedContents = Contents & Pick<Header, 'partial'> & { rows(name: TableName): AsyncIterable<Row[]> }

/** Checks for damage first, because rows of a damaged database can be missing without any error. */
async function openForBackup(db: Executor, salvages: boolean, now: Date): Promise<OpenedContents> {
  const damage = await findDamage(db)
  if (damage === undefined) return openContents(db)
  if (!salvages) {
    throw new BackupError(
      'the database file is damaged; `contrail backup FILE` saves what can be read; `contrail doctor` shows the damage',
    )
  }
  try {
    const { contents, missing, rows } = await salvage(db, tables, replacementsAt(now))
    return { ...contents, partial: { damage, missing }, rows }
  } catch (error) {
    const reason = errorMessage(error)
    throw new BackupError(`nothing in the database file can be read (${reason}); restore an earlier backup`)
  }
}

/** Replacements for lost rows. People whose role is lost get the role with the fewest permissions, under an unused name. */
function replacementsAt(now: Date): Replacements {
  const least = builtInRoles.find(({ id }) => id === defaultRoleId)!
  const role = roleRow(defaultRoleId, { ...least, name: `${least.name} (recovered)` }, now.toISOString())
  return {
    rows: { ...shippedRows(), role: [role], setting: [{ name: 'defaultRoleId', value: defaultRoleId }] },
    references: { 'person.role_id': defaultRoleId },
  }
}

async function* linesOf(
  header: Header,
  rows: (name: TableName) => AsyncIterable<Row[]>,
  uploads: Uploads,
  files: readonly string[],
): AsyncIterable<string[]> {
  yield [JSON.stringify(header)]
  for (const { name } of tables) {
    let columns: string[] | undefined
    for await (const page of rows(name)) {
      if (!columns) {
        columns = Object.keys(page[0]!)
        yield [JSON.stringify({ table: name, columns })]
      }
      yield page.map((row) => JSON.stringify(columns!.map((column) => toCell(row[column]))))
    }
  }
  for (const upload of files) {
    const file = await uploads.read(upload)
    // Empty if the upload was deleted after it was listed.
    yield [JSON.stringify({ upload, base64: file?.bytes.toString('base64') ?? '' })]
  }
}

const toCell = (value: unknown) =>
  value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value

async function* withChecksum(pages: AsyncIterable<string[]>): AsyncIterable<string> {
  const hash = createHash('sha256')
  let lines = 0
  for await (const page of pages) {
    const text = page.map((line) => `${line}\n`).join('')
    hash.update(text)
    lines += page.length
    yield text
  }
  yield `${JSON.stringify({ lines, sha256: hash.digest('hex') })}\n`
}

// Verifying

/** Reads the whole file and checks every line, the counts and the checksum. */
export async function verifyBackup(file: string, signal?: AbortSignal): Promise<Header> {
  const hash = createHash('sha256')
  const counted = createLineCounter()
  let header: Header | undefined
  let end: z.output<typeof EndLine> | undefined
  let lines = 0
  for await (const bytes of linesIn(file)) {
    signal?.throwIfAborted()
    if (end) throw damaged(file)
    const value = parsed(file, bytes)
    if (!header) header = requireHeader(file, value)
    else {
      end = Array.isArray(value) ? undefined : EndLine.safeParse(value).data
      if (end) continue
      if (!counted.add(value)) throw damaged(file)
    }
    hash.update(bytes).update('\n')
    lines++
  }
  if (!header || !end) throw new BackupError(`${file} is cut short`)
  if (end.lines !== lines || end.sha256 !== hash.digest('hex') || !counted.matches(header))
    throw damaged(file)
  return header
}

function createLineCounter() {
  const rows = new Map<string, number>()
  let [table, uploads] = ['', 0]
  return {
    /** False if the value is not a valid line of a backup. */
    add(value: unknown): boolean {
      const { data: line } = Line.safeParse(value)
      if (!line) return false
      if (Array.isArray(line)) rows.set(table, (rows.get(table) ?? 0) + 1)
      else if ('table' in line) table = line.table
      else uploads++
      return true
    },
    matches: (header: Header): boolean =>
      header.uploads === uploads &&
      rows.values().reduce((sum, n) => sum + n, 0) ===
        Object.values(header.counts).reduce((sum, n) => sum + n, 0) &&
      Object.entries(header.counts).every(([name, expected]) => (rows.get(name) ?? 0) === expected),
  }
}

const dataAfterEnd = (file: string) =>
  new BackupError(`${file} has data after its end; copy it from its source again`)
const damaged = (file: string) => new BackupError(`${file} is damaged; nothing was changed`)

function requireHeader(file: string, value: unknown): Header {
  const { data: header } = Header.safeParse(value)
  if (!header) throw new BackupError(`${file} is not a backup of Contrail`)
  const known = migrations.slice(0, header.schema.length).map(({ name }) => name)
  if (header.format > PARTIAL_FORMAT || header.schema.some((name, index) => name !== known[index])) {
    throw new BackupError(`${file} was made by a newer Contrail (${header.version}); update this one first`)
  }
  return header
}

function parsed(file: string, bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    throw damaged(file)
  }
}

/** Splits at line feeds only: JSON strings may contain other line separators unescaped. */
async function* linesIn(file: string): AsyncIterable<Buffer> {
  const source = createReadStream(file)
  const unzipped = createGunzip()
  const reading = pipeline(source, unzipped)
  reading.catch(() => undefined)
  let rest: Buffer[] = []
  try {
    for await (const chunk of unzipped as AsyncIterable<Buffer>) {
      let start = 0
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, start)) {
        yield Buffer.concat([...rest, chunk.subarray(start, at)])
        rest = []
        start = at + 1
      }
      if (start < chunk.length) rest.push(chunk.subarray(start))
    }
    await reading
    // Zero bytes after the end stop the decompression without an error if the file has been read by then.
    if (unzipped.bytesWritten < (await stat(file)).size) throw dataAfterEnd(file)
  } catch (error) {
    throw await asBackupError(file, error as NodeJS.ErrnoException)
  } finally {
    source.destroy()
  }
  if (rest.length > 0) throw new BackupError(`${file} is cut short`)
}

async function asBackupError(file: string, error: NodeJS.ErrnoException): Promise<Error> {
  if (error.code === 'ENOENT') return new BackupError(`there is no file ${file}`)
  if (error.code === 'Z_BUF_ERROR') return new BackupError(`${file} is cut short`)
  // Zero bytes after the end stop the decompression while the file is being read; others count as the header of another file.
  const isAboutHeader = error.code === 'Z_DATA_ERROR' && /header/.test(error.message)
  if (error.code === 'ABORT_ERR' || (isAboutHeader && (await isGzip(file)))) {
    return dataAfterEnd(file)
  }
  if (isAboutHeader) return new BackupError(`${file} is not a backup of Contrail`)
  return error.code?.startsWith('Z_') ? damaged(file) : error
}

async function isGzip(file: string): Promise<boolean> {
  const handle = await open(file)
  const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0).finally(() => handle.close())
  return buffer[0] === 0x1f && buffer[1] === 0x8b
}

// Restoring

/** Fills an empty store, or replaces its contents, in one transaction. Verifies the whole file first. Tests name a smaller set. */
export async function restoreBackup(
  { store, uploads, now }: BackupParts,
  file: string,
  { replace, partial, set }: { replace: boolean; partial: boolean; set?: ReferenceSet },
): Promise<Header> {
  const header = await verifyBackup(file)
  if (header.partial && !partial) {
    throw new BackupError(
      `${file} is a partial backup, made from a damaged database. Missing:\n${missingIn(header).join('\n')}\nRestore an earlier, complete backup if there is one. Use --partial to restore this one`,
    )
  }
  if (!replace) await requireEmpty(store)
  const restored = await store.exclusively(() =>
    store.transaction(async (tx) => {
      if (!replace && !(await isEmpty(tx))) throw notEmpty()
      const restoring = await startRestoring(store, tx, header.schema)
      for await (const { table, columns, rows } of batchesIn(file))
        await restoring.insert(table, columns, rows)
      await restoring.finish(header.lastIds as Contents['lastIds'], now.getTime())
      await upsertReference(tx, set)
      // The version of the backup is in its header; these tables are now this one's.
      await writeSetting(tx, { name: 'lastVersion', value: version })
      // The audit trail continues from the backup's; this event marks the restore.
      const details = { savedAt: header.createdAt, version: header.version, via: 'command line' }
      await recordEvent(tx, { kind: 'instance.restored', now, actor: null, details })
      // Before the commit, so that rows never refer to a missing file.
      return restoreUploads(uploads, file, tx)
    }),
  )
  for (const path of await uploads.list()) if (!restored.has(path)) await uploads.remove(path)
  return header
}

/** What is missing from a partial backup, one line per table. */
export const missingIn = ({ partial }: Header): string[] =>
  (partial?.missing ?? []).map(({ table, unreadable, isExact, ids, leftOut, cleared }) => {
    const facts = [
      isExact ? rowsLost(unreadable) : `an unknown number of rows (${unreadable} ids could not be read)`,
      leftOut > 0 && `${leftOut} left out because the rows they belong to are lost`,
      cleared > 0 && `${cleared} references cleared because their targets are lost`,
    ]
    const list = ids.length > 0 ? ` (ids ${ids.join(', ')}${ids.length < unreadable ? ', …' : ''})` : ''
    return `  ${table}: ${facts.filter(Boolean).join('; ')}${list}`
  })

const rowsLost = (rows: number) => rows > 0 && `${rows} ${rows === 1 ? 'row' : 'rows'} could not be read`

const notEmpty = () => new BackupError('this instance is not empty; --replace replaces everything in it')

async function requireEmpty(store: Store): Promise<void> {
  if (!(await isEmpty(store.read))) throw notEmpty()
}

async function restoreUploads(uploads: Uploads, file: string, tx: Executor): Promise<Set<string>> {
  const restored = new Set<string>()
  for await (const bytes of linesIn(file)) {
    if (!bytes.subarray(0, 10).toString().startsWith('{"upload"')) continue
    const { upload, base64 } = UploadLine.parse(JSON.parse(bytes.toString()))
    if (base64 === '') continue
    await uploads.restore(upload, Buffer.from(base64, 'base64'), tx)
    restored.add(upload)
  }
  return restored
}

interface Batch {
  table: TableName
  columns: string[]
  rows: Row[]
}

/** Rows in batches that fit into one statement. The file has been verified. */
async function* batchesIn(file: string): AsyncIterable<Batch> {
  let batch: Batch | undefined
  let size = 0
  for await (const bytes of linesIn(file)) {
    const line = Line.safeParse(JSON.parse(bytes.toString())).data
    if (Array.isArray(line) && batch) {
      batch.rows.push(toRow(batch.columns, line))
      size += bytes.length
      if (size < BATCH_BYTES) continue
      yield batch
      batch = { ...batch, rows: [] }
      size = 0
    } else if (line && 'table' in line) {
      if (batch?.rows.length) yield batch
      batch = { ...line, rows: [] }
      size = 0
    }
  }
  if (batch?.rows.length) yield batch
}

const toRow = (columns: readonly string[], cells: z.output<typeof RowLine>): Row =>
  Object.fromEntries(
    columns.map((column, index) => {
      const cell = cells[index]!
      return [column, typeof cell === 'object' && cell !== null ? Buffer.from(cell.base64, 'base64') : cell]
    }),
  )
