// A real pooler for tests: Debian's PgBouncer in transaction mode, without privileges, on its own port in front of the
// PostgreSQL of the run. If it is not installed, tests that need it are skipped by name.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../postgres.ts'
import { until } from '../until.ts'

const PROGRAM = '/usr/sbin/pgbouncer'
export const withoutPgbouncer = existsSync(PROGRAM) ? false : 'PgBouncer is not installed'

export interface Pgbouncer {
  /** The same database, through the pooler. */
  through(databaseUrl: string): string
  stop(): Promise<void>
}

const unprivileged = 65_534

/** `size`: connections to each database; many clients share them. */
export async function startPgbouncer(postgresUrl: string, size: number): Promise<Pgbouncer> {
  const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'))
  const { hostname, port: serverPort, username, password } = new URL(postgresUrl)
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
* = host=${hostname} port=${serverPort} user=${username} password=${decodeURIComponent(password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${size}
max_client_conn = 500
`,
  )
  const isRoot = process.getuid?.() === 0
  if (isRoot) execFileSync('chown', ['-R', String(unprivileged), folder])
  const child = spawn(PROGRAM, ['-q', file], { stdio: 'ignore', ...(isRoot ? { uid: unprivileged } : {}) })
  await until('PgBouncer takes connections', () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}`)
    return isOpen(port)
  })
  return {
    through(databaseUrl) {
      const url = new URL(databaseUrl)
      url.host = `127.0.0.1:${port}`
      return url.href
    },
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
