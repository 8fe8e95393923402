// The folder of automatic backups, and the stored status of the attempts. A file gets its final name only after it was read
// back completely, so the list of file names is the list of backups.
import { readdir } from 'node:fs/promises'
import { hostname } from 'node:os'
import * as z from 'zod'
import type { Config } from '../../base/config.ts'
import { randomText } from '../../base/secret/secrets.ts'
import { type BackupPlan, failureReasons, planBackups } from '../../domain/instance/backup-plan.ts'
import { findSetting, lockSetting, writeSetting } from '../../store/instance/settings.ts'
import { insertNoticeOnce } from '../../store/people/notices.ts'
import type { Executor, Store } from '../../store/store.ts'
import { listAdministrators } from '../instance/administrators.ts'

const Status = z.object({
  lastSuccess: z
    .object({
      at: z.number(),
      file: z.string(),
      bytes: z.number(),
      ms: z.number(),
      /** The machine that made it. */
      host: z.string().optional(),
    })
    .optional(),
  lastFailure: z.object({ at: z.number(), reason: z.enum(failureReasons), message: z.string() }).optional(),
  failures: z.number().default(0),
  /** Updated repeatedly by the process that is making a backup. */
  running: z.object({ by: z.string(), at: z.number() }).optional(),
})
type BackupStatus = z.output<typeof Status>

const noStatus: BackupStatus = { failures: 0 }

export async function readStatus(db: Executor): Promise<BackupStatus> {
  const stored = await findSetting(db, { name: 'backupStatus' })
  return stored === undefined ? noStatus : parseStatus(stored)
}

const parseStatus = (stored: string): BackupStatus => Status.safeParse(JSON.parse(stored)).data ?? noStatus

/**
 * Changes the status in one transaction; returns it, or undefined if `change` leaves it as it is. Administrators are notified
 * of a failure in the same transaction.
 */
export const changeStatus = (
  store: Store,
  change: (status: BackupStatus) => BackupStatus | undefined,
): Promise<BackupStatus | undefined> =>
  store.transaction(async (tx) => {
    const before = parseStatus(await lockSetting(tx, 'backupStatus', JSON.stringify(noStatus)))
    const changed = change(before)
    if (!changed) return undefined
    await writeSetting(tx, { name: 'backupStatus', value: JSON.stringify(changed) })
    if (changed.lastFailure && changed.failures > before.failures) await notify(tx, changed.lastFailure)
    return changed
  })

/** Notifies the people who may see the state of the backups. */
async function notify(tx: Executor, { at, reason }: NonNullable<BackupStatus['lastFailure']>): Promise<void> {
  const notice = { kind: 'backup.failed', at: new Date(at).toISOString(), flightId: null } as const
  for (const userId of await listAdministrators(tx))
    await insertNoticeOnce(tx, { ...notice, userId, data: { reason } })
}

/** Part of the names of an instance's backups, so that several instances can share a folder. */
export async function requireInstanceId(store: Store): Promise<string> {
  const found = await findSetting(store.read, { name: 'instanceId' })
  if (found !== undefined) return found
  return store.transaction((tx) => lockSetting(tx, 'instanceId', randomText(6)))
}

// Names

const namePattern = /^contrail-([a-z2-7]{6})-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.gz$/
const partPattern = /^contrail-([a-z2-7]{6})-\d{8}T\d{6}Z\.gz\.\d+\.part$/

export const backupName = (instanceId: string, at: number): string =>
  `contrail-${instanceId}-${new Date(at).toISOString().replace(/\.\d+/, '').replace(/[-:]/g, '')}.gz`

export interface BackupFile {
  name: string
  instanceId: string
  at: number
}

export function readBackupName(name: string): BackupFile | undefined {
  const match = namePattern.exec(name)
  if (!match) return undefined
  const [, instanceId, year, month, day, hour, minute, second] = match
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(at) ? undefined : { name, instanceId: instanceId!, at }
}

/** Newest first. */
export async function listBackups(folder: string): Promise<BackupFile[]> {
  const files = (await readdir(folder)).flatMap((name) => readBackupName(name) ?? [])
  return files.sort((a, b) => b.at - a.at)
}

/** The backups of this instance, newest first; none if the folder cannot be read. Several instances may share it. */
export async function listOwnBackups(db: Executor, folder: string | undefined): Promise<BackupFile[]> {
  const instanceId = await findSetting(db, { name: 'instanceId' })
  if (folder === undefined || instanceId === undefined) return []
  const files = await listBackups(folder).catch(() => [])
  return files.filter((file) => file.instanceId === instanceId)
}

/** Incomplete files of interrupted attempts of this instance. */
export const listParts = async (folder: string, instanceId: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => partPattern.exec(name)?.[1] === instanceId)

// Current state

export interface BackupSituation extends BackupPlan {
  folder: string
  status: BackupStatus
}

/** Undefined if automatic backups are off. */
export async function readSituation(
  db: Executor,
  { backupDir, backupEveryMs }: Pick<Config, 'backupDir' | 'backupEveryMs'>,
  now: number,
): Promise<BackupSituation | undefined> {
  if (backupDir === undefined) return undefined
  const status = await readStatus(db)
  const instanceId = await findSetting(db, { name: 'instanceId' })
  const made = await timesOf(backupDir, instanceId)
  const elsewhere = madeElsewhere(status)
  const plan = planBackups({
    everyMs: backupEveryMs,
    made: [...(made ?? []), ...elsewhere].sort((a, b) => b - a),
    lastFailure: status.lastFailure?.at,
    now,
  })
  // If the folder cannot be read, the last recorded success may still be in it.
  const remembered = made ? undefined : status.lastSuccess?.at
  return { ...plan, lastSuccess: plan.lastSuccess ?? remembered, folder: backupDir, status }
}

/** Each machine may have its own folder, and only one of them makes the backup. */
const madeElsewhere = ({ lastSuccess }: BackupStatus): number[] =>
  lastSuccess?.host === undefined || lastSuccess.host === hostname() ? [] : [lastSuccess.at]

/** Undefined if the folder cannot be read. */
async function timesOf(folder: string, instanceId: string | undefined): Promise<number[] | undefined> {
  try {
    const files = await listBackups(folder)
    return files.filter((file) => file.instanceId === instanceId).map(({ at }) => at)
  } catch {
    return undefined
  }
}
