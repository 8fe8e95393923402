// Metrics of the whole instance, not of one process: version, disk, write-ahead log, backups. Only the process that receives the scrape
// reads them.
import { Counter, Gauge, Registry } from 'prom-client'
import type { Clock } from '../../base/clock.ts'
import type { Config } from '../../base/config.ts'
import { freeBytes } from '../../base/free-space.ts'
import { version } from '../../base/version.ts'
import { walBytes } from '../../store/engine/write-ahead-log.ts'
import { countWaiting } from '../../store/push/queue.ts'
import { type Store, sqliteFile } from '../../store/store.ts'
import { type BackupSituation, readSituation } from '../backup/folder.ts'
import { readRelease } from '../instance/release.ts'
import { type Family, setCounter } from './metrics.ts'

/** Metrics are sent even while the database does not respond. */
const STORE_TIMEOUT_MS = 1_000

interface Parts {
  store: Store
  config: Config
  clock: Clock
}

export function createInstanceMetrics({ store, config, clock }: Parts): () => Promise<Family[]> {
  const registry = new Registry()
  addBuildMetric([registry], store)
  addDiskMetrics([registry], config)
  const setBackups = createBackupMetrics([registry], config)
  const available = new Gauge({
    name: 'contrail_update_available',
    help: 'Whether a newer version is known; 0 also while the owner has not turned the search on.',
    registers: [registry],
  })
  const waiting = new Gauge({
    name: 'contrail_notifications_waiting',
    help: 'Notifications that are to be sent, those that failed before included.',
    registers: [registry],
  })
  let waitingNow = 0
  let known: BackupSituation | undefined
  let isAvailable = false
  return async () => {
    known = await inTime(readSituation(store.read, config, clock.now()), known)
    setBackups(known)
    const release = readRelease(store.read, config).then(({ isNewer }) => isNewer)
    isAvailable = await inTime(release, isAvailable)
    available.set(isAvailable ? 1 : 0)
    waitingNow = await inTime(countWaiting(store.read), waitingNow)
    waiting.set(waitingNow)
    return registry.getMetricsAsJSON()
  }
}

/** The previous value if the store fails or takes too long. */
async function inTime<Result>(reading: Promise<Result>, otherwise: Result): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<Result>((resolve) => {
    timer = setTimeout(resolve, STORE_TIMEOUT_MS, otherwise)
  })
  return Promise.race([reading.catch(() => otherwise), tooLate]).finally(() => clearTimeout(timer))
}

function addBuildMetric(registers: Registry[], { kind }: Store): void {
  const build = new Gauge({
    name: 'contrail_build_info',
    help: 'The version of Contrail, of Node, and the engine; always 1.',
    labelNames: ['version', 'node', 'engine'],
    registers,
  })
  build.set({ version, node: process.versions.node, engine: kind }, 1)
}

function addDiskMetrics(registers: Registry[], config: Config): void {
  new Gauge({
    name: 'contrail_data_free_bytes',
    help: 'Free space on the disk of DATA_DIR.',
    registers,
    async collect() {
      this.set((await freeBytes(config.dataDir)) ?? 0)
    },
  })
  new Gauge({
    name: 'contrail_wal_bytes',
    help: 'Size of SQLite’s write-ahead log.',
    registers,
    async collect() {
      this.set(config.databaseUrl ? 0 : await walBytes(sqliteFile(config)))
    },
  })
}

function createBackupMetrics(registers: Registry[], { backupDir, backupEveryMs }: Config) {
  const last = new Gauge({
    name: 'contrail_backup_last_success_timestamp_seconds',
    help: 'When the newest automatic backup was made; 0: none yet.',
    registers,
  })
  const interval = new Gauge({
    name: 'contrail_backup_interval_seconds',
    help: 'How often a backup is to be made; 0: automatic backups are off.',
    registers,
  })
  const failures = new Counter({
    name: 'contrail_backups_failed_total',
    help: 'Automatic backups that failed.',
    registers,
  })
  return (situation: BackupSituation | undefined) => {
    last.set((situation?.lastSuccess ?? 0) / 1000)
    interval.set(backupDir === undefined ? 0 : backupEveryMs / 1000)
    setCounter(failures, situation?.status.failures ?? 0)
  }
}
