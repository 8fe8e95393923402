// Automatic backups: made when due and verified, after which the oldest are removed. Each runs in a child process at low
// priority, so that it does not delay requests.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { constants, hostname, setPriority } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Clock } from '../../base/clock.ts'
import type { Config } from '../../base/config.ts'
import { every } from '../../base/every.ts'
import type { Logger } from '../../base/log.ts'
import { randomText } from '../../base/secret/secrets.ts'
import type { FailureReason } from '../../domain/instance/backup-plan.ts'
import { HOUR, MINUTE, SECOND } from '../../domain/time/durations.ts'
import { isEmpty } from '../../store/instance/backup.ts'
import type { Store } from '../../store/store.ts'
import type { Uploads } from '../../store/uploads/pictures.ts'
import { asFolderError, BackupError, type Header, writeBackup } from './backup.ts'
import {
  type BackupFile,
  type BackupSituation,
  backupName,
  changeStatus,
  listBackups,
  listParts,
  readSituation,
  readStatus,
  requireInstanceId,
} from './folder.ts'

/** A server that keeps restarting must not make a backup on each start. */
const FIRST_CHECK_MS = 5_000
const CHECK_EVERY_MS = MINUTE
const HEARTBEAT_MS = 30_000
/** After this time without a heartbeat, the process that was making a backup has ended. */
const HEARTBEAT_TIMEOUT_MS = 2 * MINUTE
/** An incomplete file without writes for this long is left over from an interrupted attempt. */
const LEFT_OVER_MS = HOUR

// One backup

interface BackupRun {
  store: Store
  uploads: Uploads
  config: Pick<Config, 'backupDir' | 'backupKeep' | 'backupEveryMs'>
  clock: Clock
  signal?: AbortSignal | undefined
}

interface MadeBackup {
  file: string
  header: Header
  removed: string[]
}

const BUSY = 'another backup of this instance is being made'

/** Writes one backup to the folder. Records the outcome in the store, for the app and the metrics. */
export async function makeBackup(run: BackupRun): Promise<MadeBackup> {
  const release = await claim(run.store, run.clock)
  if (!release) throw new BackupError(BUSY)
  return writeIntoFolder(run).finally(release)
}

/** Makes no backup if another process is making one, or has made one since the caller looked. */
export async function makeBackupIfDue(run: BackupRun): Promise<MadeBackup | undefined> {
  const { store, config, clock } = run
  const release = await claim(store, clock)
  if (!release) return undefined
  try {
    const now = clock.now()
    const situation = await readSituation(store.read, config, now)
    return situation && (await isDue(store, situation, now)) ? await writeIntoFolder(run) : undefined
  } finally {
    await release()
  }
}

/** Before the instance is set up there is nothing to save. */
const isDue = async (store: Store, { next }: BackupSituation, now: number): Promise<boolean> =>
  now >= next && !(await isEmpty(store.read))

/** The caller sees to it that no other process does the same. */
export async function writeIntoFolder(run: BackupRun): Promise<MadeBackup> {
  const { store, config, clock } = run
  const folder = config.backupDir
  if (folder === undefined) throw new BackupError('BACKUP_DIR is off')
  const instanceId = await requireInstanceId(store)
  try {
    const began = clock.now()
    await mkdir(folder, { mode: 0o700 }).catch(ignoreIfExists)
    await removeLeftOvers(folder, instanceId, began)
    const name = freeName(folder, instanceId, began)
    const header = await writeBackup(
      { store, uploads: run.uploads, now: new Date(began), signal: run.signal },
      join(folder, name),
    )
    const { size } = await stat(join(folder, name))
    await changeStatus(store, (status) => ({
      ...status,
      lastSuccess: { at: began, file: name, bytes: size, ms: clock.now() - began, host: hostname() },
    }))
    return { file: join(folder, name), header, removed: await prune(folder, instanceId, name, config) }
  } catch (error) {
    const clear = asFolderError(error, folder)
    // The tables may be those of an older version, without notices.
    if (!run.signal?.aborted)
      await recordFailure(store, clock.now(), describeFailure(clear)).catch(() => undefined)
    throw clear
  }
}

/**
 * Allows one backup at a time per instance, across all of its processes and machines. Returns a function that ends the claim,
 * or undefined if another process has it.
 */
async function claim(store: Store, clock: Clock): Promise<(() => Promise<void>) | undefined> {
  const by = randomText(12)
  const beat = () =>
    changeStatus(store, (status) => {
      const { running } = status
      const now = clock.now()
      const isOthers = running && running.by !== by && isRunning(running.at, now)
      return isOthers ? undefined : { ...status, running: { by, at: now } }
    })
  if (!(await beat())) return undefined
  const heartbeat = setInterval(() => beat().catch(() => undefined), HEARTBEAT_MS)
  return async () => {
    clearInterval(heartbeat)
    await changeStatus(store, ({ running, ...status }) => (running?.by === by ? status : undefined))
  }
}

/** Names have seconds, so a second backup within one takes the next: a backup never replaces another. */
function freeName(folder: string, instanceId: string, at: number): string {
  const name = backupName(instanceId, at)
  return existsSync(join(folder, name)) ? freeName(folder, instanceId, at + SECOND) : name
}

function ignoreIfExists(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}

async function removeLeftOvers(folder: string, instanceId: string, now: number): Promise<void> {
  for (const name of await listParts(folder, instanceId)) {
    const found = await stat(join(folder, name)).catch(() => undefined)
    if (found && now - found.mtimeMs > LEFT_OVER_MS) await rm(join(folder, name), { force: true })
  }
}

/**
 * Removes only backups of this instance, and never the newest. Backups that were made shortly before another one go first, the
 * oldest of them before the others, so that several backups in one day do not replace those of earlier days.
 */
async function prune(
  folder: string,
  instanceId: string,
  made: string,
  { backupKeep, backupEveryMs }: BackupRun['config'],
): Promise<string[]> {
  const kept = (await listBackups(folder)).filter((file) => file.instanceId === instanceId)
  const removed: string[] = []
  while (kept.length > backupKeep) {
    const isRemovable = ({ name }: BackupFile) => name !== made
    const isClose = (file: BackupFile, index: number) =>
      isRemovable(file) && index > 0 && kept[index - 1]!.at - file.at < backupEveryMs / 2
    const close = kept.findLastIndex(isClose)
    const [{ name }] = kept.splice(close >= 0 ? close : kept.findLastIndex(isRemovable), 1) as [BackupFile]
    await rm(join(folder, name), { force: true })
    removed.push(name)
  }
  return removed
}

const recordFailure = (store: Store, at: number, failure: { reason: FailureReason; message: string }) =>
  changeStatus(store, (status) => ({
    ...status,
    failures: status.failures + 1,
    lastFailure: { at, ...failure },
  }))

const reasons: [RegExp, FailureReason][] = [
  [/^(ENOSPC|EDQUOT|SQLITE_FULL|53100)/, 'disk_full'],
  [/^(ENOENT|ENOTDIR)/, 'folder_missing'],
  [/^(EACCES|EPERM|EROFS|SQLITE_READONLY|25006)/, 'not_writable'],
  [/^SQLITE_(CORRUPT|NOTADB|IOERR)|^the database file is damaged/, 'database_damaged'],
  [/^(ECONN|ETIMEDOUT|ENOTFOUND|57P0|08|53300)|^Connection terminated/, 'database_unreachable'],
]

function describeFailure(error: unknown): { reason: FailureReason; message: string } {
  const { code = '', message, cause } = error as NodeJS.ErrnoException
  const names = [code, (cause as NodeJS.ErrnoException | undefined)?.code ?? '', message]
  const reason = reasons.find(([pattern]) => names.some((name) => pattern.test(name)))?.[1] ?? 'other'
  return { reason, message }
}

// The schedule

interface Schedule {
  store: Store
  config: Config
  clock: Clock
  log: Logger
}

/** Checks every minute whether a backup is due. The returned function stops the checks and a running attempt. */
export function startBackups(schedule: Schedule): () => Promise<void> {
  const { config, log } = schedule
  if (config.backupDir === undefined) return async () => {}
  const stopping = new AbortController()
  const attempts = createAttempts(schedule, stopping.signal)
  const stopChecking = every(CHECK_EVERY_MS, attempts.makeIfDue, {
    log,
    what: 'check whether a backup is due',
    firstMs: FIRST_CHECK_MS,
  })
  return () => {
    stopping.abort()
    return stopChecking()
  }
}

interface Failure {
  at: number
  reason: FailureReason
  message: string
}

function createAttempts(schedule: Schedule, signal: AbortSignal) {
  const { store, config, clock } = schedule
  /** A failure that could not be recorded because the store was unavailable. */
  let unrecorded: Failure | undefined

  async function record(failuresBefore: number): Promise<void> {
    if (unrecorded) await recordUnlessKnown(store, unrecorded, failuresBefore)
    unrecorded = undefined
  }

  return {
    async makeIfDue(): Promise<void> {
      const now = clock.now()
      const situation = await readSituation(store.read, config, now)
      if (!situation || signal.aborted) return
      const { status } = situation
      await record(status.failures)
      if (isRunning(status.running?.at, now) || !(await isDue(store, situation, now))) return
      unrecorded = await attempt(schedule, ['--if-due'], signal)
      await record(status.failures)
    },
  }
}

/** A backup on request, regardless of the schedule. */
export async function makeBackupNow(schedule: Schedule, signal: AbortSignal): Promise<void> {
  const { failures } = await readStatus(schedule.store.read)
  const failure = await attempt(schedule, [], signal, constants.priority.PRIORITY_BELOW_NORMAL)
  if (failure) await recordUnlessKnown(schedule.store, failure, failures)
}

/** Returns why it failed. */
async function attempt(
  { config, clock, log }: Schedule,
  options: readonly string[],
  signal: AbortSignal,
  priority: number = constants.priority.PRIORITY_LOW,
): Promise<Failure | undefined> {
  const { code, lastLine } = await makeInChildProcess(config, options, signal, priority)
  if (signal.aborted || lastLine === BUSY) return undefined
  if (code === 0) {
    if (lastLine !== '') log.info('backup made', { summary: lastLine })
    return undefined
  }
  log.error('backup failed', { reason: lastLine })
  return { at: clock.now(), reason: code === null ? 'interrupted' : 'other', message: lastLine }
}

/** The child process records its own failure unless it was killed or could not reach the store. */
const recordUnlessKnown = (store: Store, failure: Failure, failuresBefore: number) =>
  changeStatus(store, (status) =>
    status.failures > failuresBefore
      ? undefined
      : { ...status, failures: status.failures + 1, lastFailure: failure },
  )

export const isRunning = (heartbeat: number | undefined, now: number): boolean =>
  heartbeat !== undefined && Math.abs(now - heartbeat) < HEARTBEAT_TIMEOUT_MS

/** Runs `contrail backup` and waits for it; returns the exit code and the last line it printed. */
async function makeInChildProcess(
  { dataDir, databaseUrl, backupDir }: Config,
  options: readonly string[],
  signal: AbortSignal,
  priority: number,
): Promise<{ code: number | null; lastLine: string }> {
  const launcher = fileURLToPath(new URL('../../run.js', import.meta.url))
  const child = spawn(process.execPath, [launcher, 'cli', 'backup', ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl ?? '',
      DATABASE_URL_FILE: '',
      BACKUP_DIR: backupDir,
    },
  })
  const interrupt = () => child.kill('SIGTERM')
  signal.addEventListener('abort', interrupt)
  if (child.pid !== undefined) lowerPriority(child.pid, priority)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-2000)
    })
  }
  const [code, endedBy] = (await once(child, 'close')) as [number | null, string | null]
  signal.removeEventListener('abort', interrupt)
  const last = output
    .trim()
    .split('\n')
    .at(-1)!
    .replace(/^contrail: /, '')
  const isSilent = last === '' && code !== 0
  return { code, lastLine: isSilent ? `the process ended with ${endedBy ?? `exit code ${code}`}` : last }
}

/** If this is not permitted, the backup runs at normal priority. */
function lowerPriority(pid: number, priority: number): void {
  try {
    setPriority(pid, priority)
  } catch {
    return
  }
}
