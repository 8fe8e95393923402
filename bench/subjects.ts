// The measured servers: one for each size of log, started when first needed, on one engine.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import packageJson from '../package.json' with { type: 'json' }
import type { Postgres } from '../test/postgres.ts'
import { createDataset, type Dataset, ORIGIN } from './data.ts'
import { cpuOfChildren, type Measured, startProcess, WATCHED } from './processes.ts'

export type EngineName = 'sqlite' | 'postgres'
export type Place = Pick<Dataset, 'databaseUrl' | 'dataDir'>

export interface Subject {
  server: Measured
  dataset: Dataset
  /** Size of the database before measuring: some scenarios add flights. */
  databaseBytes: number
}

export interface Subjects {
  engine: EngineName
  /** The server whose log has this many flights. */
  of(flights: number): Promise<Subject>
  /** A separate one, which the caller stops; with `commitsTake`, each commit on PostgreSQL takes so many milliseconds longer. */
  another(flights: number, how?: { commitsTake?: number }): Promise<Subject>
  started(): Promise<Subject[]>
  /** CPU time of PostgreSQL's processes so far, in nanoseconds; 0 on SQLite, or if this run did not start it. */
  databaseCpu(): number
}

export function createSubjects(engine: EngineName, scratch: string, postgres: Postgres): Subjects {
  const subjects = new Map<number, Promise<Subject>>()
  let others = 0
  const start = async (flights: number, name: string, { commitsTake = 0 } = {}): Promise<Subject> => {
    const dataset = await createDataset(await postgres.place(engine, name), flights)
    if (commitsTake > 0) await delayCommits(dataset, commitsTake)
    return { dataset, server: await startContrail(dataset), databaseBytes: await databaseBytes(dataset) }
  }
  return {
    engine,
    of(flights) {
      const started = subjects.get(flights) ?? start(flights, `log${flights}`)
      subjects.set(flights, started)
      return started
    },
    another: (flights, how) => start(flights, `other${++others}`, how),
    started: () => Promise.all(subjects.values()),
    databaseCpu: () => (engine === 'sqlite' ? 0 : postgresCpu(scratch)),
  }
}

export function postgresCpu(scratch: string): number {
  const file = join(scratch, 'postgres', 'postmaster.pid')
  return existsSync(file) ? cpuOfChildren(readFileSync(file, 'utf8').split('\n', 1)[0]!) : 0
}

/** As `npm start` does, with the same flags. */
export const startContrail = (
  { dataDir, databaseUrl = '' }: Place,
  environment: Record<string, string> = {},
): Promise<Measured> =>
  startProcess(
    'server/run.js',
    {
      PORT: '0',
      HOST: '127.0.0.1',
      ORIGIN,
      ADDRESS_HEADER: 'x-bench-address',
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      BACKUP_DIR: 'off',
      ...environment,
    },
    [WATCHED, ...packageJson.scripts.start.split(' ').filter((word) => word.startsWith('--'))],
  )

/** As on a network disk, or with a synchronous replica. Applies to connections that are opened later. */
async function delayCommits({ databaseUrl }: Place, ms: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const name = client.escapeIdentifier(client.database!)
    await client.query(`alter database ${name} set commit_delay = ${ms * 1000}`)
    await client.query(`alter database ${name} set commit_siblings = 0`)
  } finally {
    await client.end()
  }
}

export async function databaseBytes({ databaseUrl, dataDir }: Place): Promise<number> {
  if (!databaseUrl) {
    const files = ['contrail.sqlite', 'contrail.sqlite-wal'].map((name) => join(dataDir, name))
    return files.filter(existsSync).reduce((sum, file) => sum + statSync(file).size, 0)
  }
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query('select pg_database_size(current_database()) as bytes')
    return Number(rows[0].bytes)
  } finally {
    await client.end()
  }
}
