// Two real PostgreSQL servers, one following the other by streaming replication: the first is stopped once, its folder
// copied, and the copy started as its standby. Each can be killed, stopped and promoted.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createFolder, createServer, endProcess, queryOnce, urlOf } from '../controlled-postgres.ts'
import { freePort } from '../postgres.ts'
import { until } from '../until.ts'

export interface PostgresServer {
  url: string
  /** Written as `host:port`. */
  place: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into rows of every shape
  query(sql: string): Promise<any[]>
  start(): Promise<void>
  /** SIGKILL to all its processes, as if the machine had failed; SIGINT is the usual stop. */
  stop(signal: 'SIGKILL' | 'SIGINT'): Promise<void>
}

export interface PostgresPair {
  primary: PostgresServer
  standby: PostgresServer
  folder: string
  /** Creates a failover from the current primary, with a following standby; the pair continues separately, without its data. */
  failOver(): Promise<{ promoted: PostgresServer; follower: PostgresServer }>
  close(): Promise<void>
}

/** `isSynchronous`: a commit is acknowledged once the standby has it on disk too. */
export async function startPostgresPair(
  name: string,
  prepare: (primaryUrl: string) => Promise<unknown>,
  { isSynchronous }: { isSynchronous: boolean },
): Promise<PostgresPair> {
  const folder = await createFolder(name)
  const [firstPort, secondPort] = [await freePort(), await freePort()]
  const data = [join(folder, 'first'), join(folder, 'second')] as const
  await createServer(data[0], firstPort, []).initialise()
  const alone = serverIn(data[0], firstPort, [])
  await alone.start()
  await prepare(alone.url)
  await alone.stop('SIGINT')
  const standby = standbyIn(data[1], secondPort, { data: data[0], port: firstPort })
  const waits = isSynchronous ? ['-c', 'synchronous_standby_names=second'] : []
  const primary = serverIn(data[0], firstPort, waits)
  await Promise.all([primary.start(), standby.start()])
  await untilFollowed(primary)
  const servers = [standby, primary]
  return {
    primary,
    standby,
    folder,
    async failOver() {
      await primary.stop('SIGINT')
      const [port, nextPort] = [await freePort(), await freePort()]
      const copies = [join(folder, 'third'), join(folder, 'fourth')] as const
      const promoted = standbyIn(copies[0], port, { data: data[0], port: firstPort })
      const follower = standbyIn(copies[1], nextPort, { data: copies[0], port })
      servers.unshift(follower, promoted)
      // Before the primary runs again: they get nothing that it does not have now.
      await Promise.all([promoted.start(), follower.start()])
      await promoted.query('select pg_promote()')
      await untilFollowed(promoted)
      await primary.start()
      await untilFollowed(primary)
      return { promoted, follower }
    },
    async close() {
      for (const server of servers) await server.stop('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A copy of a stopped server, which follows it. */
function standbyIn(databaseDir: string, port: number, of: { data: string; port: number }): PostgresServer {
  execFileSync('cp', ['-a', of.data, databaseDir])
  writeFileSync(join(databaseDir, 'standby.signal'), '')
  const follows = `host=127.0.0.1 port=${of.port} user=postgres password=postgres application_name=second`
  return serverIn(databaseDir, port, ['-c', `primary_conninfo=${follows}`])
}

const untilFollowed = (primary: PostgresServer) =>
  until('the standby follows', async () => {
    const following = await primary.query("select 1 from pg_stat_replication where state = 'streaming'")
    return following.length > 0
  })

const LOOPBACK = ['-c', 'listen_addresses=127.0.0.1']

function serverIn(databaseDir: string, port: number, flags: string[]): PostgresServer {
  const url = urlOf(port)
  let postmaster: number | undefined

  async function start(): Promise<void> {
    const log: string[] = []
    let ended: unknown
    const server = createServer(databaseDir, port, [...LOOPBACK, ...flags], (line) => log.push(line))
    // It waits for a message that a standby never sends.
    server.start().catch((error) => {
      ended = error ?? new Error('it ended')
    })
    await until('PostgreSQL takes connections', () => {
      if (ended) throw new Error(`PostgreSQL did not start: ${log.join('')}`)
      return log.join('').includes('ready to accept')
    })
    postmaster = Number(readFileSync(join(databaseDir, 'postmaster.pid'), 'utf8').split('\n')[0])
  }

  return {
    url,
    place: `127.0.0.1:${port}`,
    start,
    query: (sql) => queryOnce(url, sql),
    async stop(signal) {
      if (postmaster === undefined) return
      const pid = postmaster
      postmaster = undefined
      await endProcess(pid, signal)
    },
  }
}
