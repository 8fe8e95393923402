// A real IMAP server for tests: Debian's dovecot, without privileges, with its own port and folder, which is deleted with
// it. If it is not installed, tests that need it are skipped by name.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../postgres.ts'
import { until } from '../until.ts'

const PROGRAM = '/usr/sbin/dovecot'
export const withoutDovecot = existsSync(PROGRAM) ? false : 'dovecot is not installed'

export interface Dovecot {
  host: string
  port: number
  tlsPort: number
  user: string
  password: string
  /** Stores a message in a folder, as another program would. */
  deliver(folder: string, message: string, at?: Date): void
  /** The file names of a folder, which contain the flags of its messages. */
  files(folder: string): string[]
  /** Renumbers the messages. */
  renumber(folder: string): void
  stop(): Promise<void>
}

const unprivileged = 65_534

export async function startDovecot(): Promise<Dovecot> {
  const folder = mkdtempSync(join(tmpdir(), 'dovecot-'))
  const isRoot = process.getuid?.() === 0
  const name = isRoot ? 'nobody' : userInfo().username
  const [port, tlsPort] = [await freePort(), await freePort()]
  const mail = join(folder, 'mail')
  mkdirSync(mail)
  makeCertificate(folder)
  writeFileSync(join(folder, 'users'), 'ada:{PLAIN}open sesame::::::\n')
  writeFileSync(join(folder, 'dovecot.conf'), configOf({ folder, name, port, tlsPort }))
  if (isRoot) execFileSync('chown', ['-R', `${unprivileged}:${groupOf('nobody')}`, folder])
  const child = spawn(PROGRAM, ['-F', '-c', join(folder, 'dovecot.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(isRoot ? { uid: unprivileged, gid: groupOf('nobody') } : {}),
  })
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  await untilOpen(port, child, () => said)
  return handle({ folder, mail, port, tlsPort, child, isRoot })
}

const groupOf = (user: string): number => Number(execFileSync('id', ['-g', user]).toString())

function handle(parts: {
  folder: string
  mail: string
  port: number
  tlsPort: number
  child: ChildProcess
  isRoot: boolean
}): Dovecot {
  const { folder, mail, port, tlsPort, child, isRoot } = parts
  const pathOf = (name: string) => (name === 'INBOX' ? mail : join(mail, `.${name}`))
  let count = 0
  return {
    host: '127.0.0.1',
    port,
    tlsPort,
    user: 'ada',
    password: 'open sesame',
    deliver(name, message, at = new Date()) {
      const path = pathOf(name)
      for (const part of ['', 'cur', 'new', 'tmp']) mkdirSync(join(path, part), { recursive: true })
      const file = join(path, 'new', `${Math.floor(at.getTime() / 1000)}.M${++count}P${process.pid}.test`)
      writeFileSync(file, message)
      execFileSync('touch', ['-d', at.toISOString(), file])
      if (isRoot) execFileSync('chown', ['-R', `${unprivileged}:${groupOf('nobody')}`, path])
    },
    files: (name) =>
      ['cur', 'new'].flatMap((part) => {
        const path = join(pathOf(name), part)
        return existsSync(path) ? readdirSync(path).map((file) => `${part}/${file}`) : []
      }),
    renumber(name) {
      for (const file of globSync(join(pathOf(name), 'dovecot*'))) rmSync(file, { recursive: true })
    },
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null && child.signalCode === null)
        await new Promise((resolve) => child.once('exit', resolve))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function configOf({
  folder,
  name,
  port,
  tlsPort,
}: {
  folder: string
  name: string
  port: number
  tlsPort: number
}) {
  const group = execFileSync('id', ['-gn', name]).toString().trim()
  return `
protocols = imap
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
default_internal_user = ${name}
default_internal_group = ${group}
default_login_user = ${name}
first_valid_uid = 1
mail_location = maildir:${folder}/mail
ssl = yes
ssl_cert = <${folder}/cert.pem
ssl_key = <${folder}/key.pem
auth_mechanisms = plain login
auth_failure_delay = 0
passdb {
  driver = passwd-file
  args = ${folder}/users
}
userdb {
  driver = static
  args = uid=${name} gid=${group} home=${folder}
}
namespace inbox {
  inbox = yes
  separator = /
}
service anvil {
  chroot =
}
service imap-login {
  chroot =
  inet_listener imap {
    address = 127.0.0.1
    port = ${port}
  }
  inet_listener imaps {
    address = 127.0.0.1
    port = ${tlsPort}
    ssl = yes
  }
}
service stats {
  chroot =
}
`
}

function makeCertificate(folder: string): void {
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'].concat(
      '-keyout',
      join(folder, 'key.pem'),
      '-out',
      join(folder, 'cert.pem'),
    ),
    { stdio: 'ignore' },
  )
}

const untilOpen = (port: number, child: ChildProcess, said: () => string): Promise<boolean> =>
  until(`dovecot listens on ${port}`, () => {
    if (child.exitCode !== null) throw new Error(`dovecot ended: ${said()}`)
    return new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy()
        resolve(true)
      })
      socket.once('error', () => resolve(false))
    })
  })
