// How declared fields are named in the database: `departureGate` is the column `departure_gate`. The types follow the
// same rule, so that Kysely checks every statement that is derived from a table of fields.

type SnakeCase<Name extends string> = Name extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${SnakeCase<Rest>}`
  : ''

/** The columns that hold these fields. */
export type Columns<Fields> = {
  [Name in keyof Fields & string as SnakeCase<Name>]: Fields[Name]
}

/** Few names, and each is converted for every row that is written. */
const converted = new Map<string, string>()

export function columnOf<Name extends string>(name: Name): SnakeCase<Name> {
  let column = converted.get(name)
  if (column === undefined) {
    column = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    converted.set(name, column)
  }
  return column as SnakeCase<Name>
}

type Selected<Table extends string, Name extends string> = Name extends string
  ? `${Table}.${SnakeCase<Name>} as ${Name}`
  : never

/** The select list that reads columns of a table under their fields' names. */
export const selectionOf = <Table extends string, Name extends string>(
  table: Table,
  names: readonly Name[],
): Selected<Table, Name>[] =>
  names.map((name) => `${table}.${columnOf(name)} as ${name}` as Selected<Table, Name>)

/** Fields as a row for a write. */
export function toColumns<Fields extends object>(
  fields: Fields,
  names: readonly (keyof Fields & string)[],
): Columns<Fields> {
  const row: Record<string, unknown> = {}
  for (const name of names) row[columnOf(name)] = fields[name]
  return row as Columns<Fields>
}

/** Reads fields from a row. A row older than a column lacks it; then the value is that of `absent`, else null. */
export const fromColumns = <Fields>(
  row: Readonly<Record<string, unknown>>,
  names: readonly (keyof Fields & string)[],
  absent: Partial<Fields> = {},
): Fields =>
  Object.fromEntries(names.map((name) => [name, row[columnOf(name)] ?? absent[name] ?? null])) as Fields
