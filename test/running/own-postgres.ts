// A PostgreSQL that a suite may stop, kill and start again without disturbing the others.
import { existsSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createFolder, createServer, endProcess, queryOnce, urlOf } from '../controlled-postgres.ts'
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
  const folder = await createFolder(name)
  const databaseDir = join(folder, 'postgres')
  const port = await freePort()
  const postgres = createServer(databaseDir, port, flags)
  await postgres.initialise()
  const url = urlOf(port)
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

  const query = (sql: string) => queryOnce(url, sql)

  await start()
  return {
    url,
    port,
    folder,
    start,
    query,
    async stop(how) {
      const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
      await endProcess(pid, waysToStop[how])
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
