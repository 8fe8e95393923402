// Typed SQL, compiled once. A query is declared with Kysely's builder and named parameters; a call runs the compiled text
// with an array of values.
import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { EngineKind } from './dialect.ts'
import type { Executor, Value } from './engine.ts'
import { inDatabaseNames } from './naming.ts'
import type { Schema } from './schema.ts'

export type Builder = Kysely<Schema>

class NamedSqlite extends SqliteQueryCompiler {
  override compileQuery: SqliteQueryCompiler['compileQuery'] = (root, id) =>
    super.compileQuery(inDatabaseNames(root), id)
}
class NamedPostgres extends PostgresQueryCompiler {
  override compileQuery: PostgresQueryCompiler['compileQuery'] = (root, id) =>
    super.compileQuery(inDatabaseNames(root), id)
}

const builders: Record<EngineKind, Builder> = {
  sqlite: new Kysely<Schema>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new NamedSqlite(),
    },
  }),
  postgres: new Kysely<Schema>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new NamedPostgres(),
    },
  }),
}

/** A placeholder in the compiled query for a parameter. */
class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

const slots = new Proxy(
  {},
  {
    get: (_target, name) => new Slot(String(name)),
    // A copy would be empty, and the statement would run without values.
    ownKeys: () => {
      throw new TypeError('the parameters of a query cannot be copied: name each one')
    },
  },
)

interface Compilable<Output> {
  compile(): CompiledQuery<Output>
}

type Build<Parameters, Row> = (db: Builder, p: Parameters, engine: EngineKind) => Compilable<Row>
type Given<Parameters> = object extends Parameters ? [parameters?: Parameters] : [parameters: Parameters]
export type Query<Parameters, Row> = (db: Executor, ...given: Given<Parameters>) => Promise<Row[]>

/**
 * Declares a query: `build` runs once per engine, with placeholders as parameters.
 * It must not branch on a parameter's value; declare two queries instead.
 */
export function query<Row, Parameters extends object = object>(
  build: Build<Parameters, Row>,
): Query<Parameters, Row>
export function query<Row, Result, Parameters extends object = object>(
  build: Build<Parameters, Row>,
  decode: (row: Row) => Result,
): Query<Parameters, Result>
export function query<Row, Parameters extends object>(
  build: Build<Parameters, Row>,
  decode?: (row: Row) => unknown,
) {
  const compiled: Partial<Record<EngineKind, CompiledQuery<Row>>> = {}
  return (db: Executor, parameters = {} as Parameters) => {
    compiled[db.kind] ??= build(builders[db.kind], slots as Parameters, db.kind).compile()
    const { sql, parameters: values } = compiled[db.kind]!
    const bound = values.map((value) =>
      value instanceof Slot ? parameters[value.name as keyof Parameters] : value,
    )
    const rows = db.query(sql, bound as Value[]) as Promise<Row[]>
    return decode ? rows.then((found) => found.map((row) => decode(row))) : rows
  }
}

/** The first row of a query that finds one thing or nothing. */
export const first = async <Row>(rows: Promise<Row[]>): Promise<Row | undefined> => (await rows)[0]

/** Declares a query that finds one thing or nothing. */
export function queryFirst<Row, Parameters extends object = object>(
  build: Build<Parameters, Row>,
): (db: Executor, ...given: Given<Parameters>) => Promise<Row | undefined>
export function queryFirst<Row, Result, Parameters extends object = object>(
  build: Build<Parameters, Row>,
  decode: (row: Row) => Result,
): (db: Executor, ...given: Given<Parameters>) => Promise<Result | undefined>
export function queryFirst<Row, Parameters extends object>(
  build: Build<Parameters, Row>,
  decode?: (row: Row) => unknown,
) {
  const rows = query(build)
  return async (db: Executor, ...given: Given<Parameters>) => {
    const row = await first(rows(db, ...given))
    return row && decode ? decode(row) : row
  }
}

/** Declares a query that returns whether it found or changed anything. */
export function queryAny<Row, Parameters extends object = object>(build: Build<Parameters, Row>) {
  const rows = query(build)
  return async (db: Executor, ...given: Given<Parameters>): Promise<boolean> =>
    (await rows(db, ...given)).length > 0
}

type BuildByList<Item, Extra, Row> = (
  db: Builder,
  list: Item[],
  p: Extra,
  engine: EngineKind,
) => Compilable<Row>
type QueryByList<Item, Extra, Row> = (
  db: Executor,
  list: readonly Item[],
  ...given: Given<Extra>
) => Promise<Row[]>

const LIST_SIZES = [1, 4, 16, 64, 256]

/**
 * Declares a query over a list of values of any length. The list is split into chunks padded to one of a few sizes, so that
 * a handful of prepared statements serve every length and no engine's parameter limit is reached.
 */
export function queryByList<Item extends string | number, Row, Extra extends object = object>(
  build: BuildByList<Item, Extra, Row>,
): QueryByList<Item, Extra, Row>
export function queryByList<Item extends string | number, Row, Result, Extra extends object = object>(
  build: BuildByList<Item, Extra, Row>,
  decode: (row: Row) => Result,
): QueryByList<Item, Extra, Result>
export function queryByList<Item extends string | number, Row, Extra extends object>(
  build: BuildByList<Item, Extra, Row>,
  decode?: (row: Row) => unknown,
): QueryByList<Item, Extra, unknown> {
  const bySize = new Map(
    LIST_SIZES.map((size) => [
      size,
      query((db, p: Record<string, unknown>, engine) =>
        build(
          db,
          Array.from({ length: size }, (_, i) => p[`item${i}`] as Item),
          p as Extra,
          engine,
        ),
      ),
    ]),
  )
  return async (db, list, ...[extra]) => {
    const rows: Row[] = []
    const most = LIST_SIZES.at(-1)!
    for (let start = 0; start < list.length; start += most) {
      const chunk = list.slice(start, start + most)
      const size = LIST_SIZES.find((candidate) => candidate >= chunk.length)!
      const parameters: Record<string, unknown> = { ...extra }
      for (let i = 0; i < size; i++) parameters[`item${i}`] = chunk[Math.min(i, chunk.length - 1)]
      rows.push(...(await bySize.get(size)!(db, parameters)))
    }
    return decode ? rows.map(decode) : rows
  }
}
