// What is measured of the whole instance and not of one process: its disk, its write-ahead log, its backups. Whoever is
// asked for metrics reads them, once for all processes.
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type BackupSituation, readSituation } from '../backup/folder.ts'
import type { Clock } from '../base/clock.ts'
import type { Config } from '../base/config.ts'
import { type Store, sqliteFile } from '../store/store.ts'
import { walBytes } from '../store/write-ahead-log.ts'
import { type Family, single } from './metrics.ts'

/** A database that is away must not keep the metrics away. */
const STORE_WITHIN_MS = 1_000

interface Parts {
  store: Store
  config: Config
  clock: Clock
}

export function createInstanceMetrics({ store, config, clock }: Parts): () => Promise<Family[]> {
  let known: BackupSituation | undefined
  const readBackups = async () => {
    known = await inTime(readSituation(store.read, config, clock.now()), known)
    return backupFamilies(config, known)
  }
  return async () => (await Promise.all([readDisk(config), readWal(config), readBackups()])).flat()
}

/** What was known before, if the store fails or takes too long. */
async function inTime<Result>(reading: Promise<Result>, otherwise: Result): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<Result>((resolve) => {
    timer = setTimeout(resolve, STORE_WITHIN_MS, otherwise)
  })
  return Promise.race([reading.catch(() => otherwise), tooLate]).finally(() => clearTimeout(timer))
}

async function readDisk({ dataDir }: Config): Promise<Family[]> {
  const free = await freeBytes(dataDir)
  return [single('contrail_data_free_bytes', 'gauge', 'Free space on the disk of DATA_DIR.', free ?? 0)]
}

/** Where the folder is, or will be; undefined if that cannot be told. */
export async function freeBytes(folder: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    return isMissing && dirname(folder) !== folder ? freeBytes(dirname(folder)) : undefined
  }
}

async function readWal(config: Config): Promise<Family[]> {
  const bytes = config.databaseUrl ? 0 : await walBytes(sqliteFile(config))
  return [single('contrail_wal_bytes', 'gauge', 'Size of SQLite’s write-ahead log.', bytes)]
}

function backupFamilies(
  { backupDir, backupEveryMs }: Config,
  situation: BackupSituation | undefined,
): Family[] {
  const last = (situation?.lastSuccess ?? 0) / 1000
  const every = backupDir === undefined ? 0 : backupEveryMs / 1000
  const failures = situation?.status.failures ?? 0
  return [
    single(
      'contrail_backup_last_success_timestamp_seconds',
      'gauge',
      'When the newest automatic backup was made; 0: none yet.',
      last,
    ),
    single(
      'contrail_backup_interval_seconds',
      'gauge',
      'How often a backup is to be made; 0: automatic backups are off.',
      every,
    ),
    single('contrail_backups_failed_total', 'counter', 'Automatic backups that failed.', failures),
  ]
}
