// Writing many rows of one table: SQLite repeats one prepared statement, PostgreSQL takes them as one JSON document.
import type { Executor, Row, Value } from './engine.ts'

const ROWS_AT_ONCE = 5000

/**
 * Inserts the rows, or updates those whose `key` columns exist; without a key, a row that exists is an error. All rows
 * have exactly the given columns; bytes are allowed.
 */
export async function upsertMany(
  tx: Executor,
  table: string,
  columns: readonly string[],
  key: readonly string[],
  rows: readonly Row[],
): Promise<void> {
  const list = columns.map(quote).join(', ')
  const updates = columns
    .filter((column) => !key.includes(column))
    .map((column) => `${quote(column)} = excluded.${quote(column)}`)
  const conflict =
    key.length === 0
      ? ''
      : `on conflict (${key.map(quote).join(', ')}) do ${updates.length ? `update set ${updates.join(', ')}` : 'nothing'}`
  if (tx.kind === 'sqlite') {
    const text = `insert into ${quote(table)} (${list}) values (${columns.map(() => '?').join(', ')}) ${conflict}`
    for (const row of rows)
      await tx.query(
        text,
        columns.map((column) => row[column] as Value),
      )
    return
  }
  const text = `insert into ${quote(table)} (${list}) select ${list} from json_populate_recordset(null::${quote(table)}, $1) ${conflict}`
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    await tx.query(text, [JSON.stringify(rows.slice(start, start + ROWS_AT_ONCE), hexBytes)])
  }
}

/** Sets the given columns of the rows that `key` names; all rows have exactly those columns and the key's. */
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
    for (const row of rows)
      await tx.query(
        text,
        [...columns, ...key].map((column) => row[column] as Value),
      )
    return
  }
  const taken = columns.map((column) => `${quote(column)} = given.${quote(column)}`)
  const matched = key.map((column) => `${quote(table)}.${quote(column)} = given.${quote(column)}`)
  const text = `update ${quote(table)} set ${taken.join(', ')}
    from json_populate_recordset(null::${quote(table)}, $1) as given where ${matched.join(' and ')}`
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    await tx.query(text, [JSON.stringify(rows.slice(start, start + ROWS_AT_ONCE), hexBytes)])
  }
}

const ids = `select nextval(pg_get_serial_sequence($1, 'id')) as id from generate_series(1, $2)`

/** Inserts rows that all have the same columns; returns the ids that the engine gives them, in the same order. */
export async function insertNew(tx: Executor, table: string, rows: readonly Row[]): Promise<number[]> {
  const [first] = rows
  if (!first) return []
  const columns = Object.keys(first)
  if (tx.kind === 'postgres') {
    const given = (await tx.query(ids, [table, rows.length])).map((row) => row['id'] as number)
    const numbered = rows.map((row, i) => ({ ...row, id: given[i] }))
    await upsertMany(tx, table, ['id', ...columns], [], numbered)
    return given
  }
  const text = `insert into ${quote(table)} (${columns.map(quote).join(', ')})
    values (${columns.map(() => '?').join(', ')}) returning id`
  const given: number[] = []
  for (const row of rows) {
    const values = columns.map((column) => row[column] as Value)
    given.push((await tx.query(text, values))[0]!['id'] as number)
  }
  return given
}

const quote = (name: string) => `"${name}"`

/** Bytes in PostgreSQL's hex notation. Reads the original: `value` is a Buffer already converted by its `toJSON`. */
function hexBytes(this: unknown, key: string, value: unknown): unknown {
  const original = (this as Record<string, unknown>)[key]
  return original instanceof Uint8Array ? `\\x${Buffer.from(original).toString('hex')}` : value
}
