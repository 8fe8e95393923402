// A way back from an upgrade: before migrations change an instance that is in use, its SQLite file is copied, or PostgreSQL's
// data get an automatic backup.
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { systemClock } from '../../base/clock.ts'
import type { Config } from '../../base/config.ts'
import { errorMessage } from '../../base/errors.ts'
import { freeBytes } from '../../base/free-space.ts'
import type { Logger } from '../../base/log.ts'
import { DAY } from '../../domain/time/durations.ts'
import { walBytes } from '../../store/engine/write-ahead-log.ts'
import { findLastVersion } from '../../store/instance/last-version.ts'
import { NotKept } from '../../store/migrations/migrate.ts'
import { ownerExists } from '../../store/people/people.ts'
import { openStore, openStoreAsItIs, type Store, sqliteFile } from '../../store/store.ts'
import { createUploads } from '../../store/uploads/pictures.ts'
import { giveName } from './backup.ts'
import { writeIntoFolder } from './schedule.ts'

const KEPT_MS = 30 * DAY
/** Of the file's size: the copy, and as much for what the migrations write. */
const SPACE_NEEDED = 2

/** Opens the store and migrates it, after keeping what the migrations change. */
export const openUpToDate = (config: Config, log: Logger): Promise<Store> =>
  openStore(config, log, async ({ copyTo }, db) => {
    if (!(await ownerExists(db))) return
    if (copyTo) await makeCopy(config, (await findLastVersion(db))!, copyTo, log)
    else await makeBackup(config, log)
  })

// PostgreSQL

/**
 * With connections of its own: those of the store may be too few while it is locked. An automatic backup that an older server is
 * making, or was making when it was killed, is not waited for: it lacks what was written since it began.
 */
async function makeBackup(config: Config, log: Logger): Promise<void> {
  if (config.backupDir === undefined) {
    log.warn('no backup was made before the upgrade', { reason: 'BACKUP_DIR is off' })
    return
  }
  const store = await openStoreAsItIs(config, log)
  try {
    // Where it is by default; nothing may have needed the data folder so far.
    if (dirname(config.backupDir) === config.dataDir)
      await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
    const uploads = createUploads({ config, store, clock: systemClock })
    const { file } = await writeIntoFolder({ store, uploads, config, clock: systemClock })
    log.info('made a backup before the upgrade', { file })
  } catch (error) {
    throw new NotKept(
      `the backup before the upgrade failed: ${errorMessage(error)}; nothing was changed; correct that, or set BACKUP_DIR=off to upgrade without a backup`,
    )
  } finally {
    await store.close()
  }
}

// SQLite

export const copyFolder = (dataDir: string): string => join(dataDir, 'before-upgrade')

const copyName = (lastVersion: string): string => `contrail-${encodeURIComponent(lastVersion)}.sqlite`

/** The caller keeps other processes from writing. Without a copy the upgrade continues, because a backup is a way back too. */
async function makeCopy(
  { dataDir }: Config,
  lastVersion: string,
  copyTo: (target: string) => Promise<void>,
  log: Logger,
): Promise<void> {
  const name = copyName(lastVersion)
  const file = join(copyFolder(dataDir), name)
  try {
    await removeAllBut(dataDir, isWhole)
    await requireSpace(dataDir)
    await mkdir(copyFolder(dataDir), { recursive: true, mode: 0o700 })
    await writeWhole(file, copyTo)
    await removeAllBut(dataDir, (other) => other === name)
    log.info('made a copy before the upgrade', { file })
  } catch (error) {
    log.warn('no copy was made before the upgrade', { reason: errorMessage(error) })
  }
}

async function requireSpace(dataDir: string): Promise<void> {
  const database = sqliteFile({ dataDir })
  const needed = SPACE_NEEDED * ((await stat(database)).size + (await walBytes(database)))
  const free = await freeBytes(dataDir)
  if (free !== undefined && free < needed)
    throw new Error(`it needs ${needed} bytes of free space in ${dataDir}, there are ${free}`)
}

/** It gets its name only when it is complete, so a process that is killed leaves none that looks whole. */
async function writeWhole(file: string, copyTo: (target: string) => Promise<void>): Promise<void> {
  const unfinished = `${file}.part`
  try {
    // It contains password hashes. SQLite keeps the mode of a file that is there.
    await (await open(unfinished, 'wx', 0o600)).close()
    await copyTo(unfinished)
    await giveName(unfinished, file)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

const isWhole = (name: string): boolean => name.endsWith('.sqlite')

async function removeAllBut(dataDir: string, stays: (name: string) => boolean): Promise<void> {
  for (const { name } of await listFiles(dataDir))
    if (!stays(name)) await rm(join(copyFolder(dataDir), name), { force: true })
}

interface CopyFile {
  name: string
  at: number
  bytes: number
}

async function listFiles(dataDir: string): Promise<CopyFile[]> {
  const folder = copyFolder(dataDir)
  const names = await readdir(folder).catch(() => [])
  const found = names.map(async (name) => {
    const { mtimeMs, size } = await stat(join(folder, name))
    return { name, at: mtimeMs, bytes: size }
  })
  return Promise.all(found)
}

/** Undefined if there is none. */
export const findCopy = async (dataDir: string): Promise<CopyFile | undefined> =>
  (await listFiles(dataDir)).filter(({ name }) => isWhole(name)).sort((a, b) => b.at - a.at)[0]

/** And what a killed process has left. */
export async function removeOldCopies(dataDir: string, now: number): Promise<void> {
  for (const { name, at } of await listFiles(dataDir))
    if (now - at > KEPT_MS) await rm(join(copyFolder(dataDir), name), { force: true })
}
