// Writes many rows of one table: SQLite repeats one prepared statement, PostgreSQL gets one JSON document. Names may be those
// of the code or of the database.
import { inSteps } from '../../base/in-steps.ts'
import { columnOf, toColumns } from './columns.ts'
import { highestIdGiven } from './dialect.ts'
import type { Executor, Row, Value } from './engine.ts'

const ROWS_AT_ONCE = 5000

/**
 * Inserts the rows, or updates those whose `key` already exists, unless `keepsExisting`; without a key, an existing row is an error.
 * All rows have exactly the given columns; bytes are allowed.
 */
export async function upsertMany(
  tx: Executor,
  table: string,
  columns: readonly string[],
  key: readonly string[],
  rows: readonly Row[],
  { keepsExisting = false } = {},
): Promise<void> {
  const list = columns.map(quote).join(', ')
  const updates = columns
    .filter((column) => !keepsExisting && !key.includes(column))
    .map((column) => `${quote(column)} = excluded.${quote(column)}`)
  const conflict =
    key.length === 0
      ? ''
      : `on conflict (${key.map(quote).join(', ')}) do ${updates.length ? `update set ${updates.join(', ')}` : 'nothing'}`
  if (tx.kind === 'sqlite') {
    const text = `insert into ${quote(table)} (${list}) values (${columns.map(() => '?').join(', ')}) ${conflict}`
    return repeat(tx, text, columns, rows)
  }
  const text = `insert into ${quote(table)} (${list}) select ${list} from json_populate_recordset(null::${quote(table)}, $1) ${conflict}`
  await sendDocuments(tx, text, rows)
}

/** Sets the given columns of the rows that `key` identifies; all rows have exactly those columns and the key's. */
export async function updateMany(
  tx: Executor,
  table: string,
  columns: readonly string[],
  key: readonly string[],
  rows: readonly Row[],
): Promise<void> {
  if (tx.kind === 'sqlite') {
    const equal = (names: readonly string[]) => names.map((name) => `${quote(name)} = ?`)
    const text = `update ${quote(table)} set ${equal(columns).join(', ')} where ${equal(key).join(' and ')}`
    return repeat(tx, text, [...columns, ...key], rows)
  }
  const taken = columns.map((column) => `${quote(column)} = given.${quote(column)}`)
  const matched = key.map((column) => `${quote(table)}.${quote(column)} = given.${quote(column)}`)
  const text = `update ${quote(table)} set ${taken.join(', ')}
    from json_populate_recordset(null::${quote(table)}, $1) as given where ${matched.join(' and ')}`
  await sendDocuments(tx, text, rows)
}

async function sendDocuments(tx: Executor, text: string, rows: readonly Row[]): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    const sent = tx.query(text, [toDocument(rows.slice(start, start + ROWS_AT_ONCE))])
    await (tx.later ? tx.later(sent) : sent)
  }
}

/**
 * In steps, because SQLite runs synchronously. Without `returning`: in a savepoint, SQLite would copy every page that such a
 * statement changes.
 */
async function repeat(
  tx: Executor,
  text: string,
  columns: readonly string[],
  rows: readonly Row[],
): Promise<void> {
  await inSteps(rows, async (some) => {
    for (const row of some) {
      await tx.query(
        text,
        columns.map((column) => row[column] as Value),
      )
    }
  })
}

/** Inserts rows that all have the same columns and an `id` that is set here; returns the ids in the same order. */
export async function insertNew(
  tx: Executor,
  table: string,
  rows: readonly (Row & { id: number })[],
): Promise<number[]> {
  const [first] = rows
  if (!first) return []
  const given = await newIds(tx, table, rows.length)
  for (const [i, row] of rows.entries()) row.id = given[i]!
  await upsertMany(tx, table, Object.keys(first), [], rows)
  return given
}

const fromSequence = `select nextval(pg_get_serial_sequence($1, 'id')) as id from generate_series(1, $2)`

/** Ids that no row of the table has ever had. On SQLite, there is no other writer until this transaction ends. */
async function newIds(tx: Executor, table: string, count: number): Promise<number[]> {
  if (tx.kind === 'postgres')
    return (await tx.query(fromSequence, [columnOf(table), count])).map((row) => row['id'] as number)
  const [last] = await tx.query(highestIdGiven(columnOf(table)), [])
  return Array.from({ length: count }, (_, i) => (last!['value'] as number) + 1 + i)
}

const quote = (name: string) => `"${columnOf(name)}"`

/** Few tables have bytes, and checking every value with a replacer doubles the cost. */
function toDocument(rows: readonly Row[]): string {
  const names = Object.keys(rows[0] ?? {})
  const named = names.every((name) => name === columnOf(name)) ? rows : rows.map((row) => toColumns(row))
  return named.some((row) => Object.values(row).some((value) => value instanceof Uint8Array))
    ? JSON.stringify(named, hexBytes)
    : JSON.stringify(named)
}

/** Bytes in PostgreSQL's hex notation. Reads the original: `value` is a Buffer already converted by its `toJSON`. */
function hexBytes(this: unknown, key: string, value: unknown): unknown {
  const original = (this as Record<string, unknown>)[key]
  return original instanceof Uint8Array ? `\\x${Buffer.from(original).toString('hex')}` : value
}
