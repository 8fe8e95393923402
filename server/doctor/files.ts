// Checks of the disk, its permissions and the backups.
import { access, constants, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { systemClock } from '../base/clock.ts'
import type { Config } from '../base/config.ts'
import { Unavailable } from '../base/errors.ts'
import { freeBytes } from '../base/free-space.ts'
import {
  createInstanceSecret,
  type InstanceSecret,
  secretFile,
  Unreadable,
} from '../base/secret/instance-secret.ts'
import { HOUR } from '../domain/time/durations.ts'
import { verifyBackup } from '../services/backup/backup.ts'
import { copyFolder, findCopy } from '../services/backup/before-upgrade.ts'
import { type BackupFile, type BackupSituation, listBackups } from '../services/backup/folder.ts'
import { sqliteFile } from '../store/store.ts'
import { keptInFolder } from '../store/uploads/folder.ts'
import { keptInS3 } from '../store/uploads/s3.ts'
import { ageOf, type Finding, fail, ok, reasonOf, sizeOf, warn } from './finding.ts'

const LITTLE_BYTES = 1_000_000_000
const TOO_LITTLE_BYTES = 100_000_000

export async function checkDisk(name: string, folder: string): Promise<Finding> {
  const free = await freeBytes(folder)
  if (free === undefined)
    return warn(name, `free space of ${folder} cannot be read`, 'check that the folder exists')
  const found = `${sizeOf(free)} free in ${folder}`
  if (free < TOO_LITTLE_BYTES)
    return fail(name, found, 'free some space: nothing can be saved on a full disk')
  return free < LITTLE_BYTES ? warn(name, found, 'free some space before it is full') : ok(name, found)
}

/** Whether this user can read and write the data folder, and whether other users can read the database. */
export async function checkDataFolder(config: Config): Promise<Finding> {
  const { dataDir } = config
  const folder = await stat(dataDir).catch(() => undefined)
  if (!folder) {
    return config.databaseUrl
      ? ok('data folder', `${dataDir} does not exist yet; the first upload creates it`)
      : warn('data folder', `${dataDir} does not exist yet`, 'check DATA_DIR if this instance has run before')
  }
  if (!folder.isDirectory()) return fail('data folder', `${dataDir} is a file`, 'set DATA_DIR to a folder')
  const files = [dataDir, ...(config.databaseUrl ? [] : [sqliteFile(config)])]
  for (const path of files) {
    const problem = await access(path, constants.R_OK | constants.W_OK).catch((error) => error)
    if (problem && problem.code !== 'ENOENT') {
      return fail(
        'data folder',
        `${path} cannot be written by this user`,
        'run this command as the user of the server, or change the owner of the folder with chown -R',
      )
    }
  }
  const database = await stat(sqliteFile(config)).catch(() => undefined)
  const isOpen =
    process.platform !== 'win32' && (folder.mode & 0o005) !== 0 && ((database?.mode ?? 0) & 0o004) !== 0
  return isOpen
    ? warn(
        'data folder',
        `other users of this machine can read ${sqliteFile(config)}, which contains password hashes`,
        `chmod 700 ${dataDir}`,
      )
    : ok('data folder', `${dataDir} can be written`)
}

/** Where the way back from the last upgrade is. */
export async function checkCopy({ dataDir }: Config, now: number): Promise<Finding> {
  const copy = await findCopy(dataDir)
  const found = copy
    ? `a copy from before the last upgrade, ${ageOf(now - copy.at)} old: ${join(copyFolder(dataDir), copy.name)} (${sizeOf(copy.bytes)})`
    : 'no copy from before an upgrade'
  return ok('way back', found)
}

/** For uploads outside the folder: whether the store can be reached, and whether any are left in the folder. */
export async function checkUploads({ uploads, s3, dataDir }: Config): Promise<Finding> {
  const name = 'uploads'
  const inFolder = (await keptInFolder(dataDir).list('airlines')).length
  if (inFolder > 0)
    return warn(
      name,
      `${inFolder} are in ${dataDir}, UPLOADS is ${uploads}`,
      'run contrail uploads move folder',
    )
  if (uploads !== 's3' || !s3) return ok(name, 'kept in the database')
  const place = `${s3.bucket} at ${s3.endpoint}`
  try {
    return ok(name, `${(await keptInS3(s3, systemClock).list('airlines')).length} in ${place}`)
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
    return fail(name, `${place} cannot be read (${reasonOf(error.cause)})`, 'check S3_ENDPOINT and its key')
  }
}

/** Where the instance secret is, and whether others can read it. */
export async function checkSecret({ secretKey, dataDir, databaseUrl }: Config): Promise<Finding> {
  const name = 'secret'
  if (secretKey !== undefined) return ok(name, 'is SECRET_KEY')
  const file = secretFile(dataDir)
  const found = await stat(file).catch(() => undefined)
  if (found && process.platform !== 'win32' && (found.mode & 0o077) !== 0)
    return warn(name, `other users of this machine can read ${file}`, `chmod 600 ${file}`)
  const place = found ? `is ${file}, which no backup contains` : 'is created when the server starts'
  return ok(name, databaseUrl ? `${place}; if several machines use this database, set SECRET_KEY` : place)
}

/** Whether the instance secret opens the encrypted values; if not, it was lost or differs between machines. */
export async function checkSealed(
  config: Config,
  sealed: readonly { purpose: string; text: string }[],
): Promise<Finding> {
  const name = 'sealed'
  if (sealed.length === 0) return ok(name, 'nothing is encrypted with the secret')
  const exists =
    config.secretKey !== undefined || (await stat(secretFile(config.dataDir)).catch(() => undefined))
  // Unsealing would create a missing secret, and doctor changes nothing.
  const secret = exists ? createInstanceSecret(config) : undefined
  const unreadable = sealed.filter(({ purpose, text }) => !secret || !opens(secret, purpose, text)).length
  if (unreadable === 0) return ok(name, `the secret opens all ${sealed.length} encrypted values`)
  return warn(
    name,
    `${unreadable} of ${sealed.length} encrypted values cannot be opened with this secret`,
    'restore the former secret.key or SECRET_KEY, the same on every machine; otherwise owners of webhooks must rotate their secrets, owners of mailboxes and calendars must add them again, the key for notifications must be replaced with `contrail push reset`, and people with an authenticator app must sign in with a recovery code or a reset link',
  )
}

function opens(secret: InstanceSecret, purpose: string, text: string): boolean {
  try {
    secret.unseal(purpose, text)
    return true
  } catch (error) {
    if (error instanceof Unreadable) return false
    throw error
  }
}

/** Reads the newest backup completely, because it may have been damaged on the disk. */
export async function checkBackups(
  { backupDir, backupEveryMs, dataDir }: Config,
  situation: BackupSituation | undefined,
  instanceId: string | undefined,
  now: number,
): Promise<Finding> {
  if (backupDir === undefined) {
    return warn(
      'backups',
      'BACKUP_DIR is off, so no automatic backups are made',
      'set BACKUP_DIR to a folder on another disk, or unset it',
    )
  }
  let files: BackupFile[]
  try {
    files = await listBackups(backupDir).catch((error) => noneIfCreatable(backupDir, dataDir, error))
  } catch (error) {
    return fail(
      'backups',
      `${backupDir} cannot be read (${reasonOf(error)})`,
      'create the folder or correct BACKUP_DIR',
    )
  }
  const lastFailure = situation?.state === 'failed' ? situation.status.lastFailure : undefined
  if (lastFailure) {
    return fail(
      'backups',
      `the last one failed: ${lastFailure.message}`,
      'fix that; `contrail backup` makes one now',
    )
  }
  const newest = files.find(
    (file) => (instanceId === undefined || file.instanceId === instanceId) && file.at <= now + HOUR,
  )
  if (!newest)
    return warn(
      'backups',
      `there are none in ${backupDir} yet`,
      'the server makes the first one when it runs',
    )
  return judgeNewest(backupDir, newest, backupEveryMs, now)
}

/** The server can create the last folder of the path, and its data folder. */
async function noneIfCreatable(folder: string, dataDir: string, error: NodeJS.ErrnoException): Promise<[]> {
  const parent = dirname(folder)
  const isCreatable = parent === dataDir || (await stat(parent).catch(() => undefined)) !== undefined
  if (error.code === 'ENOENT' && isCreatable) return []
  throw error
}

async function judgeNewest(
  folder: string,
  { name, at }: BackupFile,
  everyMs: number,
  now: number,
): Promise<Finding> {
  try {
    const { counts } = await verifyBackup(join(folder, name))
    const found = `the newest is ${ageOf(now - at)} old and complete (${name}, ${counts['flight'] ?? 0} flights)`
    return now - at > 2 * everyMs
      ? warn(
          'backups',
          found,
          'the server should have made a newer one: is it running, and with this BACKUP_DIR?',
        )
      : ok('backups', found)
  } catch (error) {
    return fail(
      'backups',
      `the newest cannot be restored: ${reasonOf(error)}`,
      'make another with `contrail backup`; check the disk',
    )
  }
}
