// Names in the database: `departureGate` is the column `departure_gate`.

export type SnakeCase<Name extends string> = Name extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${SnakeCase<Rest>}`
  : ''

/** There are few names, and they are converted for many rows. */
const converted = new Map<string, string>()

/** Leaves snake_case names unchanged. */
export function columnOf<Name extends string>(name: Name): SnakeCase<Name> {
  let column = converted.get(name)
  if (column === undefined) {
    column = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    converted.set(name, column)
  }
  return column as SnakeCase<Name>
}

/** The select list for these columns of a table. */
export const selectionOf = <Table extends string, Name extends string>(
  table: Table,
  names: readonly Name[],
): `${Table}.${Name}`[] => names.map((name) => `${table}.${name}` as const)

/** Fields as a row of the database. */
export const toColumns = <Fields extends object>(
  fields: Fields,
  names: readonly (keyof Fields & string)[] = Object.keys(fields) as (keyof Fields & string)[],
): Record<string, unknown> => Object.fromEntries(names.map((name) => [columnOf(name), fields[name]]))

/** Reads fields from a row of the database. A column that is newer than the row is missing; its value is that of `absent`, or null. */
export const fromColumns = <Fields>(
  row: Readonly<Record<string, unknown>>,
  names: readonly (keyof Fields & string)[],
  absent: Partial<Fields> = {},
): Fields =>
  Object.fromEntries(names.map((name) => [name, row[columnOf(name)] ?? absent[name] ?? null])) as Fields
