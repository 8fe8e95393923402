// Why a store cannot be opened and what to do, in one line for the operator. Never contains the password.
import { type Stats, statfsSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { placesIn, serversOf } from '../../base/database-url.ts'
import { Unavailable } from '../../base/errors.ts'
import { messageOf } from '../../domain/reasons.ts'
import { NOTHING_WRITABLE, storageProblem } from './dialect.ts'

interface Address {
  host: string
  user: string
  database: string
}

export function explainPostgres(databaseUrl: string, thrown: unknown): string {
  const address = addressOf(databaseUrl)
  const error = causeOf(thrown)
  const code = codeOf(error)
  const reason =
    byCode[code]?.(address) ?? explainTls(error, code) ?? explainMessage(error.message) ?? plainReason(error)
  return `cannot use PostgreSQL at ${address.host}: ${reason}`
}

export function explainSqlite(dataDir: string, thrown: unknown): string {
  const error = causeOf(thrown)
  const code = codeOf(error)
  // On a full disk SQLite cannot create the files that it needs, and only reports that it cannot open them.
  const isFull = storageProblem(error) === 'database_unreadable' && freeBytes(dataDir) < NEARLY_FULL_BYTES
  const foreign = code === 'EACCES' || code === 'EPERM' ? explainOwner(dataDir) : undefined
  const reason = foreign ?? folderProblems[isFull ? 'ENOSPC' : code] ?? plainReason(error)
  return `cannot use the data folder ${dataDir}: ${reason}`
}

const NEARLY_FULL_BYTES = 1024 * 1024

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/** The image's data folder is one of the host, under another name there. */
const IN_IMAGE = '/data'

/** Undefined if the folder and its database belong to the user that runs the server, or cannot be seen. */
function explainOwner(dataDir: string): string | undefined {
  const runsAs = `${process.geteuid?.()}:${process.getegid?.()}`
  const fix =
    dataDir === IN_IMAGE
      ? `run "chown -R ${runsAs} FOLDER" on the host, or set PUID and PGID`
      : `run "chown -R ${runsAs} ${dataDir}", or set DATA_DIR to another folder`
  for (const file of ['', 'contrail.sqlite']) {
    const owner = ownerOf(join(dataDir, file))
    if (owner && owner.uid !== process.geteuid?.())
      return `${file || 'it'} belongs to ${owner.uid}:${owner.gid} and the server runs as ${runsAs}; ${fix}`
  }
  return undefined
}

function ownerOf(file: string): Stats | undefined {
  try {
    return statSync(file)
  } catch {
    return undefined
  }
}

/** The engine's `Unavailable` is meant for API callers; the operator needs its cause. */
function causeOf(thrown: unknown): Error {
  if (thrown instanceof Unavailable && thrown.cause instanceof Error) return causeOf(thrown.cause)
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}

const codeOf = (error: Error): string => ('code' in error ? String(error.code) : '')

const plainReason = (error: Error): string => {
  const problem = storageProblem(error)
  return problem === undefined ? error.message : messageOf(problem)
}

const byCode: Record<string, (address: Address) => string> = {
  ECONNREFUSED: () =>
    'connection refused; is PostgreSQL running there and listening on this address and port?',
  ENOTFOUND: ({ host }) => `no such host ${host.replace(/:\d+$/, '')}; check the host name in DATABASE_URL`,
  EAI_AGAIN: ({ host }) =>
    `the name ${host.replace(/:\d+$/, '')} cannot be resolved; check the host name in DATABASE_URL and the DNS`,
  ENOENT: () => 'there is no such socket; is PostgreSQL running on this machine?',
  EHOSTUNREACH: () => 'the host cannot be reached; check the network and the firewall',
  ENETUNREACH: () => 'the network cannot be reached; check the network and the firewall',
  ETIMEDOUT: () => 'no response; check the address and the firewall',
  '28P01': ({ user }) =>
    `authentication failed for user ${user}; check the user and the password in DATABASE_URL`,
  '28000': ({ user }) =>
    `the server refuses user ${user} from this address; check pg_hba.conf there, and whether it requires TLS (sslmode in DATABASE_URL)`,
  '3D000': ({ user, database }) =>
    `the database ${database} does not exist; create it with: createdb --owner ${user} ${database}`,
  '42501': ({ user, database }) =>
    `user ${user} may not create tables; run in the database ${database}: grant usage, create on schema public to ${user}`,
  '3F000': ({ user, database }) =>
    `there is no schema to create tables in; run in the database ${database}: create schema public authorization ${user}`,
  '57P03': () => 'it is starting up or shutting down; try again in a moment',
  '53300': () => 'it has no connection left; raise max_connections there or lower DATABASE_CONNECTIONS here',
  '25006': () => 'it is read-only, perhaps a standby; name the primary server in DATABASE_URL',
}

function explainTls(error: Error, code: string): string | undefined {
  if (!/^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code)) return undefined
  return `its TLS certificate is not accepted (${error.message}); name its authority with sslrootcert=FILE in DATABASE_URL`
}

function explainMessage(message: string): string | undefined {
  if (message === NOTHING_WRITABLE)
    return 'none of these servers accepts writes; start the primary server, or promote a standby'
  if (message.includes('does not support SSL'))
    return 'the server offers no TLS; turn it on there or remove sslmode from DATABASE_URL'
  if (message.includes('password must be a string'))
    return 'the server wants a password and DATABASE_URL has none; write it as postgres://USER:PASSWORD@HOST/DATABASE'
  if (/timeout/.test(message)) return 'no response in time; check the address and the firewall'
  return undefined
}

/** The parts as the driver parses them; `readConfig` has checked that the URL is valid. */
function addressOf(databaseUrl: string): Address {
  const { username, pathname, searchParams } = new URL(serversOf(databaseUrl)[0]!)
  const user = decodeURIComponent(username) || searchParams.get('user') || ownUser()
  return {
    host: placesIn(databaseUrl),
    user,
    database: decodeURIComponent(pathname.slice(1)) || user,
  }
}

/** In a container the server may run as any id, also as one without a name. */
function ownUser(): string {
  try {
    return userInfo().username
  } catch {
    return `${process.geteuid?.()}`
  }
}

const folderProblems: Record<string, string> = {
  EEXIST: 'it is a file, not a folder; set DATA_DIR to a folder',
  ENOTDIR: 'a part of this path is a file, not a folder; set DATA_DIR to a folder',
  EACCES:
    'this user may not write there; give it to the user that runs Contrail (chown) or set DATA_DIR to another folder',
  EPERM:
    'this user may not write there; give it to the user that runs Contrail (chown) or set DATA_DIR to another folder',
  EROFS: 'it is on a read-only file system; mount it for writing or set DATA_DIR to another folder',
  ENOSPC: 'the disk is full; free some space',
}
