// Typed SQL, compiled once. A query is declared with Kysely's builder against named parameters; each call runs a
// finished text with an array of values.
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
import type { Schema } from './schema.ts'

export type Builder = Kysely<Schema>

const builders: Record<EngineKind, Builder> = {
  sqlite: new Kysely<Schema>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  }),
  postgres: new Kysely<Schema>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }),
}

/** A placeholder in the compiled query for a call's value. */
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
    // A copy would have none of them, and the statement would run with no values.
    ownKeys: () => {
      throw new TypeError('the parameters of a query cannot be copied: name each one')
    },
  },
)

interface Compilable<Output> {
  compile(): CompiledQuery<Output>
}

export type Query<Parameters, Output> = (db: Executor, parameters: Parameters) => Promise<Output[]>

/**
 * Declares a query: `build` runs once per engine, with a placeholder for each parameter.
 * It must not branch on a parameter's value; declare two queries instead.
 */
export function query<Parameters extends object, Output>(
  build: (db: Builder, p: Parameters, engine: EngineKind) => Compilable<Output>,
): Query<Parameters, Output> {
  const compiled: Partial<Record<EngineKind, CompiledQuery<Output>>> = {}
  return (db, parameters) => {
    compiled[db.kind] ??= build(builders[db.kind], slots as Parameters, db.kind).compile()
    const { sql, parameters: values } = compiled[db.kind]!
    const bound = values.map((value) =>
      value instanceof Slot ? parameters[value.name as keyof Parameters] : value,
    )
    return db.query(sql, bound as Value[]) as Promise<Output[]>
  }
}

/** The first row of a query that finds one thing or nothing. */
export const first = async <Output>(rows: Promise<Output[]>): Promise<Output | undefined> => (await rows)[0]

const LIST_SIZES = [1, 4, 16, 64, 256]

/**
 * Declares a query over a list of values of any length. The list is cut into chunks padded to one of a few sizes, so
 * that a handful of prepared statements serve every length and no engine's parameter limit is reached.
 */
export function queryByList<Item extends string | number, Output, Extra extends object = object>(
  build: (db: Builder, list: Item[], p: Extra, engine: EngineKind) => Compilable<Output>,
): (db: Executor, list: readonly Item[], extra?: Extra) => Promise<Output[]> {
  const bySize = new Map(
    LIST_SIZES.map((size) => [
      size,
      query<Record<string, unknown>, Output>((db, p, engine) =>
        build(
          db,
          Array.from({ length: size }, (_, i) => p[`item${i}`] as Item),
          p as Extra,
          engine,
        ),
      ),
    ]),
  )
  return async (db, list, extra) => {
    const rows: Output[] = []
    const most = LIST_SIZES.at(-1)!
    for (let start = 0; start < list.length; start += most) {
      const chunk = list.slice(start, start + most)
      const size = LIST_SIZES.find((candidate) => candidate >= chunk.length)!
      const parameters: Record<string, unknown> = { ...extra }
      for (let i = 0; i < size; i++) parameters[`item${i}`] = chunk[Math.min(i, chunk.length - 1)]
      rows.push(...(await bySize.get(size)!(db, parameters)))
    }
    return rows
  }
}
