// Reads what is still readable in a damaged SQLite file. Rows are found through every intact index and through the table
// itself, and read one by one if necessary. Rows that refer to a lost row are treated as if that row had been deleted, so
// that the rest can be restored.

import { isDamage, lastIdGiven } from '../engine/dialect.ts'
import type { Executor, Row } from '../engine/engine.ts'
import { listApplied, migrations } from '../migrations/migrate.ts'
import type { Contents, TableName } from './backup.ts'

interface Missing {
  table: TableName
  /** Rows that could not be read. */
  unreadable: number
  /** False if no index could be read: `unreadable` then counts the possible ids, and there may be more. */
  isExact: boolean
  /** The first hundred integer keys that could not be read. */
  ids: number[]
  /** Rows left out because they belong to a lost row. */
  leftOut: number
  /** References to lost rows that were cleared. */
  cleared: number
}

interface Salvaged {
  contents: Contents
  missing: Missing[]
  rows(name: TableName): AsyncIterable<Row[]>
}

export interface Replacements {
  /** Rows with which the program can replace lost ones. */
  rows: Partial<Record<TableName, readonly Row[]>>
  /** Replacement values for references that may not be null, by `table.column`. */
  references: Record<string, string>
}

interface Table {
  name: TableName
  key: string
  counted?: true
}
interface Reference {
  column: string
  parent: string
  isCascade: boolean
}
interface Column {
  name: string
  type: string
  isRequired: boolean
}
interface Kept {
  rowids: number[]
  /** Columns to clear or replace, by rowid. */
  changes: Map<number, Row>
  keys: Set<unknown>
  added: readonly Row[]
}

const AT_ONCE = 200
/** Up to this many ids between two readable parts of a table are tried one by one. */
const GAP_AT_MOST = 200_000
const IDS_LISTED = 100

export async function salvage(
  db: Executor,
  tables: readonly Table[],
  replacements: Replacements,
): Promise<Salvaged> {
  const schemas = await db.query("select name from sqlite_schema where type = 'table'", [])
  const present = new Set(schemas.map((row) => row['name']))
  const contents: Contents = {
    schema: await orElse(
      () => listApplied(db),
      migrations.map(({ name }) => name),
    ),
    counts: {},
    lastIds: {},
  }
  const kept = new Map<string, Kept>()
  const missing: Missing[] = []
  for (const table of tables.filter(({ name }) => present.has(name))) {
    const { lost, ...found } = await salvageTable(db, table, kept, replacements)
    kept.set(table.name, found)
    contents.counts[table.name] = found.rowids.length + found.added.length
    if (table.counted) contents.lastIds[table.name] = await lastIdOf(db, table.name, found.rowids)
    if (lost.unreadable + lost.leftOut + lost.cleared > 0 || !lost.isExact) missing.push(lost)
  }
  return { contents, missing, rows: (name) => rowsOf(db, name, kept.get(name)) }
}

async function* rowsOf(db: Executor, name: TableName, kept: Kept | undefined): AsyncIterable<Row[]> {
  if (!kept) return
  for (const rowids of chunks(kept.rowids, AT_ONCE)) {
    const page = await readRows(db, name, rowids)
    yield page.map(({ rowid, row }) => ({ ...row, ...kept.changes.get(rowid) }))
  }
  if (kept.added.length > 0) yield [...kept.added]
}

async function salvageTable(
  db: Executor,
  { name, key }: Table,
  kept: ReadonlyMap<string, Kept>,
  { rows: spare, references: substitutes }: Replacements,
): Promise<Kept & { lost: Missing }> {
  const columns = await columnsOf(db, name)
  const references = await referencesOf(db, name)
  const { rowids, isExact } = await candidates(db, name)
  const found: Kept = { rowids: [], changes: new Map(), keys: new Set(), added: [] }
  const lost: Missing = { table: name, unreadable: 0, isExact, ids: [], leftOut: 0, cleared: 0 }
  const losesRow = (rowid: number) => {
    lost.unreadable++
    lost.ids.push(rowid)
  }

  const keep = (rowid: number, row: Row) => {
    if (found.keys.has(row[key]) || !isSound(row, columns)) return losesRow(rowid)
    const changes = settleReferences(row, name, references, columns, kept, substitutes)
    if (!changes) {
      lost.leftOut++
      return
    }
    const cleared = Object.keys(changes).length
    if (cleared > 0) found.changes.set(rowid, changes)
    lost.cleared += cleared
    found.rowids.push(rowid)
    found.keys.add(row[key])
  }
  for (const chunk of chunks(rowids, AT_ONCE)) {
    const read = new Map((await readRows(db, name, chunk)).map(({ rowid, row }) => [rowid, row]))
    for (const rowid of chunk) {
      const row = read.get(rowid)
      if (row) keep(rowid, row)
      else losesRow(rowid)
    }
  }
  if (lost.unreadable > 0 || !isExact) addSpareRows(found, lost, key, columns, spare[name] ?? [])
  // Only integer keys are ids that people know.
  const hasIntegerKey = columns.find(({ name: column }) => column === key)?.type === 'integer'
  return { ...found, lost: { ...lost, ids: hasIntegerKey ? lost.ids.slice(0, IDS_LISTED) : [] } }
}

/** Rows that the program can provide are not lost. */
function addSpareRows(
  found: Kept,
  lost: Missing,
  key: string,
  columns: readonly Column[],
  spare: readonly Row[],
): void {
  const added = spare.filter((row) => !found.keys.has(row[key]))
  const replaced = new Set(added.map((row) => row[key]))
  found.added = added.map((row) => Object.fromEntries(columns.map(({ name }) => [name, row[name] ?? null])))
  for (const id of replaced) found.keys.add(id)
  const isLost = (id: number) => !replaced.has(id)
  lost.ids = lost.ids.filter(isLost)
  lost.unreadable = lost.ids.length
}

/** The row as if the lost row had been deleted; undefined if this row would have been deleted too. */
function settleReferences(
  row: Row,
  table: string,
  references: readonly Reference[],
  columns: readonly Column[],
  kept: ReadonlyMap<string, Kept>,
  substitutes: Record<string, string>,
): Row | undefined {
  const changes: Row = {}
  for (const { column, parent, isCascade } of references) {
    if (row[column] === null || kept.get(parent)?.keys.has(row[column])) continue
    const substitute = substitutes[`${table}.${column}`]
    if (substitute !== undefined && kept.get(parent)?.keys.has(substitute)) changes[column] = substitute
    else if (isCascade || columns.find(({ name }) => name === column)?.isRequired) return undefined
    else changes[column] = null
  }
  return changes
}

/** All row ids found in an index or in the table. */
async function candidates(db: Executor, table: string): Promise<{ rowids: number[]; isExact: boolean }> {
  const ids = new Set<number>()
  let isExact = false
  for (const index of await fullIndexes(db, table)) {
    const scanned = await walk(db, `select rowid as id from ${table} indexed by "${index}"`)
    for (const id of scanned ?? []) ids.add(id)
    isExact ||= scanned !== undefined
  }
  const [fromStart, fromEnd] = [await scan(db, table, 'asc'), await scan(db, table, 'desc')]
  for (const id of [...fromStart.ids, ...fromEnd.ids]) ids.add(id)
  if (fromStart.isWhole) return { rowids: sorted(ids), isExact: true }
  const last = fromEnd.ids.at(-1) ?? (await orElse(() => lastSequence(db, table), 0))
  const first = fromStart.ids.at(-1) ?? 0
  if (!isExact && last - first < GAP_AT_MOST) for (let id = first + 1; id < last; id++) ids.add(id)
  return { rowids: sorted(ids), isExact }
}

const sorted = (ids: ReadonlySet<number>) => [...ids].sort((a, b) => a - b)

async function fullIndexes(db: Executor, table: string): Promise<string[]> {
  const list = await orElse(() => db.query(`pragma index_list(${table})`, []), [])
  return list.filter((row) => row['partial'] === 0).map((row) => row['name'] as string)
}

const walk = (db: Executor, sql: string): Promise<number[] | undefined> =>
  orElse(async () => (await db.query(sql, [])).map((row) => row['id'] as number), undefined)

/** Reads the table from one end up to the first unreadable page. */
async function scan(db: Executor, table: string, direction: 'asc' | 'desc') {
  const ids: number[] = []
  for (let limit = AT_ONCE; ; ) {
    const last = ids.at(-1)
    const from = last === undefined ? '' : `where rowid ${direction === 'asc' ? '>' : '<'} ${last}`
    const page = await walk(
      db,
      `select rowid as id from ${table} not indexed ${from} order by rowid ${direction} limit ${limit}`,
    )
    if (page) {
      ids.push(...page)
      if (page.length < limit) return { ids, isWhole: true }
    } else if (limit === 1) return { ids, isWhole: false }
    else limit = Math.ceil(limit / 2)
  }
}

const lastSequence = async (db: Executor, table: string): Promise<number> =>
  Number((await db.query(lastIdGiven.sqlite(table), []))[0]?.['value'] ?? 0)

const lastIdOf = async (db: Executor, table: string, rowids: readonly number[]): Promise<number> =>
  Math.max(await orElse(() => lastSequence(db, table), 0), rowids.at(-1) ?? 0)

/** The readable rows among these: read together if possible, otherwise in halves. */
async function readRows(
  db: Executor,
  table: string,
  rowids: readonly number[],
): Promise<{ rowid: number; row: Row }[]> {
  const sql = `select rowid as "rowid of this", * from ${table} not indexed where rowid in (${rowids.join(', ')}) order by rowid`
  const rows = await orElse(() => db.query(sql, []), undefined)
  if (rows) return rows.map(({ 'rowid of this': rowid, ...row }) => ({ rowid: rowid as number, row }))
  if (rowids.length === 1) return []
  const middle = Math.ceil(rowids.length / 2)
  return [
    ...(await readRows(db, table, rowids.slice(0, middle))),
    ...(await readRows(db, table, rowids.slice(middle))),
  ]
}

async function columnsOf(db: Executor, table: string): Promise<Column[]> {
  const rows = await db.query(`pragma table_info(${table})`, [])
  return rows.map((row) => ({
    name: row['name'] as string,
    type: String(row['type']).toLowerCase(),
    isRequired: row['notnull'] === 1 || row['pk'] !== 0,
  }))
}

async function referencesOf(db: Executor, table: string): Promise<Reference[]> {
  const rows = await db.query(`pragma foreign_key_list(${table})`, [])
  return rows.map((row) => ({
    column: row['from'] as string,
    parent: row['table'] as string,
    isCascade: row['on_delete'] === 'CASCADE',
  }))
}

/** Damage does not always cause an error: a corrupt page may yield rows that were never written. */
const isSound = (row: Row, columns: readonly Column[]): boolean =>
  columns.every(({ name, type, isRequired }) => {
    const value = row[name]
    if (value === null || value === undefined) return !isRequired
    if (type === 'integer') return Number.isInteger(value)
    if (type === 'real') return Number.isFinite(value)
    if (type === 'blob') return value instanceof Uint8Array
    // Never occurs in a text that the program stored.
    return typeof value === 'string' && !value.includes('\u0000')
  })

async function orElse<Result, Other>(work: () => Promise<Result>, instead: Other): Promise<Result | Other> {
  try {
    return await work()
  } catch (error) {
    if (!isDamage(error)) throw error
    return instead
  }
}

function* chunks<Item>(list: readonly Item[], size: number): Iterable<Item[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size)
}
