// node tools/node.js bench/partitions.ts: partitioning by person tried on PostgreSQL. The tables of a filled instance are copied into
// a schema of each layout, declaratively partitioned by hash; our own queries then run against each.
//
//   --people 2000 --flights 1000000 --partitions 16 --executions 300
//   --markdown   tables for documents      --write   puts them into docs/
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { createLogger } from '../server/base/log.ts'
import { seed } from '../server/process/seed.ts'
import type { Executor, Value } from '../server/store/engine/engine.ts'
import { findFlight, listFlights, START } from '../server/store/flights/flights.ts'
import { listLog } from '../server/store/flights/log.ts'
import { listChanges } from '../server/store/history/changes.ts'
import { openStore, type Store } from '../server/store/store.ts'
import { startPostgres } from '../test/postgres.ts'
import { insertPeople, type Keyholder } from './data.ts'
import { fillLogs, NOW } from './fill.ts'
import { median } from './load.ts'
import { cpuOf } from './processes.ts'
import { createTable, fillIn, markdownOf, type Table } from './report.ts'

const { values: options } = parseArgs({
  options: {
    people: { type: 'string', default: '2000' },
    flights: { type: 'string', default: '1000000' },
    partitions: { type: 'string', default: '16' },
    executions: { type: 'string', default: '300' },
    markdown: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})
const say = (line: string) => void (options.markdown || process.stdout.write(`${line}\n`))

/** The partition key of each table; a table that is not named stays as it is. */
type Layout = { name: string; keys: Record<string, string> }
const layouts: Layout[] = [
  { name: 'as_it_is', keys: {} },
  {
    name: 'by_person',
    keys: { flight: 'id', track: 'flight_id', flight_passenger: 'user_id', change: 'viewer' },
  },
  {
    name: 'by_flight',
    keys: { flight: 'id', track: 'flight_id', flight_passenger: 'flight_id', change: 'viewer' },
  },
]
const tables = ['flight', 'track', 'flight_passenger', 'change']
/** Executions of each statement, each for another person. */
const EXECUTIONS = Number(options.executions)
const IN_TURNS = 40

async function main(): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'contrail-partitions-'))
  chmodSync(scratch, 0o755)
  const postgres = await startPostgres(scratch, true)
  try {
    const place = await postgres.place('postgres', 'partitions')
    const store = await openStore(place, createLogger('silent'))
    const people = await fill(store)
    const found = await tryLayouts(place.databaseUrl!, store, people)
    await store.close()
    publish(found)
  } finally {
    await postgres.stop()
    rmSync(scratch, { recursive: true, force: true })
  }
}

async function fill(store: Store): Promise<Keyholder[]> {
  await seed(store, createLogger('silent'), new Date(NOW))
  const people = await insertPeople(store, Number(options.people))
  const flights = Math.round(Number(options.flights) / people.length)
  await fillLogs(
    store,
    people.map((person) => ({ ...person, flights })),
    { inTurns: IN_TURNS },
  )
  return people
}

async function tryLayouts(url: string, store: Store, people: readonly Keyholder[]): Promise<Table[]> {
  const queries = await hotQueries(store, people)
  const clients = layouts.map(() => new pg.Client({ connectionString: url }))
  try {
    await Promise.all(clients.map((client) => client.connect()))
    const changes = createTable('partitions-changes', ['layout', 'what our schema would have to change'], say)
    for (const [i, layout] of layouts.entries())
      for (const change of await build(clients[i]!, layout)) changes.add(spoken(layout), change)
    const costs = createTable('partitions-costs', ['CPU of PostgreSQL', ...layouts.map(spoken)], say)
    for (const [name, statements] of queries)
      costs.add(`${name}, µs`, ...(await onEach(clients, (client) => cpuOfStatements(client, statements))))
    costs.add('new flight with its passenger and changes, µs', ...(await onEach(clients, cpuOfCreate)))
    costs.add('vacuum of passengers after a tenth changed, ms', ...(await onEach(clients, cpuOfVacuum)))
    costs.add('largest part to vacuum or rebuild, MB', ...(await onEach(clients, largestMb)))
    return [changes.table, costs.table]
  } finally {
    await Promise.all(clients.map((client) => client.end()))
  }
}

const spoken = ({ name }: Layout): string => name.replaceAll('_', ' ')

async function onEach(clients: readonly pg.Client[], measure: (client: pg.Client) => Promise<number>) {
  const found: number[] = []
  for (const client of clients) found.push(await measure(client))
  return found
}

// Layouts

/** Copies the tables into a schema of the layout; returns the keys and constraints that PostgreSQL refused. */
async function build(client: pg.Client, { name, keys }: Layout): Promise<string[]> {
  await client.query(`create schema ${name}`)
  await client.query(`set search_path = ${name}, public`)
  const refused: string[] = []
  for (const table of tables) {
    const key = keys[table]
    const partitioned = key === undefined ? '' : `partition by hash (${key})`
    await client.query(
      `create table ${name}.${table} (like public.${table} including defaults) ${partitioned}`,
    )
    for (let i = 0; key !== undefined && i < Number(options.partitions); i++)
      await client.query(
        `create table ${name}.${table}_${i} partition of ${name}.${table} for values with (modulus ${options.partitions}, remainder ${i})`,
      )
    await client.query(`insert into ${name}.${table} select * from public.${table}`)
    refused.push(...(await addIndexes(client, name, table, key)))
  }
  for (const table of tables) refused.push(...(await addReferences(client, name, table)))
  await client.query(`analyze ${tables.map((table) => `${name}.${table}`).join(', ')}`)
  return refused
}

/** All our indexes. A unique one that PostgreSQL refuses is created with the partition key in it. */
async function addIndexes(client: pg.Client, layout: string, table: string, key: string | undefined) {
  const refused: string[] = []
  const { rows } = await client.query<{ name: string; sql: string }>(
    `select indexname as name, indexdef as sql from pg_indexes where schemaname = 'public' and tablename = $1`,
    [table],
  )
  for (const { name, sql } of rows) {
    const here = sql.replace('public.', `${layout}.`)
    try {
      await client.query(here)
    } catch (error) {
      refused.push(`${table}: ${name} is refused (${messageOf(error)})`)
      await client.query(here.replace(/\(([^()]+)\)/, `($1, ${key})`))
    }
  }
  return refused
}

async function addReferences(client: pg.Client, layout: string, table: string): Promise<string[]> {
  const refused: string[] = []
  const { rows } = await client.query<{ name: string; sql: string }>(
    `select conname as name, pg_get_constraintdef(oid) as sql from pg_constraint
      where conrelid = $1::regclass and contype = 'f'`,
    [`public.${table}`],
  )
  for (const { name, sql } of rows) {
    const here = sql.replace(/REFERENCES (?:public\.)?(\w+)/, (whole, to) =>
      tables.includes(to) ? `REFERENCES ${layout}.${to}` : whole,
    )
    try {
      await client.query(`alter table ${layout}.${table} add constraint ${name} ${here}`)
    } catch (error) {
      refused.push(`${table}: the reference ${name} is refused (${messageOf(error)})`)
    }
  }
  return refused
}

const messageOf = (error: unknown): string => (error as Error).message

// Costs

interface Statement {
  sql: string
  parameters: readonly Value[]
}

/** The statements of our own store, each for many people. */
async function hotQueries(store: Store, people: readonly Keyholder[]): Promise<[string, Statement[]][]> {
  const some = Array.from({ length: EXECUTIONS }, (_, i) => people[(i * 7919) % people.length]!)
  const highest = Number((await store.read.query('select max(id) as id from flight', []))[0]!['id'])
  const sent = async (read: (db: Executor, person: Keyholder, i: number) => Promise<unknown>) => {
    const statements: Statement[] = []
    const recorder: Executor = {
      kind: 'postgres',
      query(sql, parameters) {
        statements.push({ sql, parameters })
        return store.read.query(sql, parameters)
      },
    }
    for (const [i, person] of some.entries()) await read(recorder, person, i)
    return statements
  }
  return [
    ['page of 50 flights', await sent((db, { userId }) => listFlights(db, userId, START, 50))],
    ['page of 50 of everyone', await sent((db) => listFlights(db, null, START, 50))],
    ['flight by id', await sent((db, _person, i) => findFlight(db, 1 + ((i * 7919) % highest)))],
    ['whole log, for statistics', await sent((db, { userId }) => listLog(db, userId))],
    [
      'changes, the last hundred',
      await sent((db, { userId }) => listChanges(db, userId, 'flight', highest - 100, 100)),
    ],
  ]
}

/** Prepared once, like our pool's. Returns the median of some batches. */
async function cpuOfStatements(client: pg.Client, statements: readonly Statement[]): Promise<number> {
  const names = new Map<string, string>()
  const nameOf = (sql: string) => {
    const name = names.get(sql) ?? `p${names.size}_${sql.length}`
    names.set(sql, name)
    return name
  }
  const batch = async () => {
    for (const { sql, parameters } of statements)
      await client.query({ name: nameOf(sql), text: sql, values: [...parameters] })
  }
  await batch()
  const costs: number[] = []
  for (let i = 0; i < 3; i++) costs.push((await cpuDuring(client, batch)) / statements.length / 1000)
  return median(costs)
}

/** CPU time of the process behind a connection, in nanoseconds. */
async function cpuDuring(client: pg.Client, work: () => Promise<void>): Promise<number> {
  const { rows } = await client.query('select pg_backend_pid() as pid')
  const pid = String(rows[0].pid)
  const before = cpuOf(pid)
  await work()
  return cpuOf(pid) - before
}

/** The writes of a create, as one person; rolled back at the end. */
async function cpuOfCreate(client: pg.Client): Promise<number> {
  const next = Number((await client.query('select max(id) as id from flight')).rows[0].id) + 1
  const { rows } = await client.query('select * from flight where id = $1', [next - 1])
  const { rows: passengers } = await client.query('select * from flight_passenger where flight_id = $1', [
    next - 1,
  ])
  await client.query('begin')
  const cpu = await cpuDuring(client, async () => {
    for (let i = 0; i < EXECUTIONS; i++) {
      const [id, userId] = [next + i, passengers[0].user_id]
      await insert(client, 'flight', { ...rows[0], id })
      await insert(client, 'flight_passenger', { ...passengers[0], id, flight_id: id })
      for (const viewer of ['*', userId])
        await insert(client, 'change', {
          viewer,
          type: 'flight',
          item_id: id,
          number: id,
          appeared: id,
          version: 1,
          at: NOW,
          since: id,
        })
    }
  })
  await client.query('rollback')
  return cpu / EXECUTIONS / 1000
}

async function insert(client: pg.Client, table: string, row: Record<string, unknown>): Promise<void> {
  const columns = Object.keys(row)
  const places = columns.map((_, i) => `$${i + 1}`)
  const text = `insert into ${table} (${columns.join(', ')}) values (${places.join(', ')})`
  await client.query({ name: `insert_${table}`, text, values: Object.values(row) })
}

async function cpuOfVacuum(client: pg.Client): Promise<number> {
  await client.query('update flight_passenger set seat = seat where flight_id % 10 = 0')
  return (await cpuDuring(client, async () => void (await client.query('vacuum flight_passenger')))) / 1e6
}

async function largestMb(client: pg.Client): Promise<number> {
  const { rows } = await client.query(
    `select max(pg_total_relation_size(oid)) as bytes from pg_class
      where relkind = 'r' and relnamespace = current_schema()::regnamespace`,
  )
  return Number(rows[0].bytes) / 1e6
}

function publish(found: readonly Table[]): void {
  if (options.markdown)
    for (const table of found) process.stdout.write(`\n### ${table.name}\n\n${markdownOf(table)}\n`)
  if (options.write) say(`docs/scaling.md: ${fillIn('docs/scaling.md', found).join(', ')}`)
}

await main()
