// The automatic backups in the web app: listing, creating, checking whether one can be restored, and downloading.
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { AppError, notFound } from '../../base/errors.ts'
import { backupPermissions } from '../../domain/access/access.ts'
import { type Call, operation, person } from '../../door/operation.ts'
import { BackupError, verifyBackup } from '../../services/backup/backup.ts'
import { type BackupFile, listOwnBackups, readStatus } from '../../services/backup/folder.ts'
import { isRunning, makeBackupNow } from '../../services/backup/schedule.ts'
import { authorOf, recordBy } from '../access/authority.ts'
import { nothing, single } from '../wire/schemas.ts'

const shared = { door: 'app', tag: 'Instance' } as const
const access = person(['instance.release.check'])
const params = z.object({ name: z.string().max(100).describe('As listed.') })
const count = z.int()

const Backup = z
  .object({
    name: z.string(),
    createdAt: z.string().meta({ format: 'date-time' }),
    bytes: count,
  })
  .meta({ id: 'BackupFile' })

export const listBackups = operation({
  ...shared,
  id: 'list-backups',
  method: 'GET',
  path: '/backups',
  summary: 'List the backups on the server, newest first',
  access,
  output: z.object({
    data: z.array(Backup),
    isRunning: z.boolean().describe('Whether one is being made.'),
  }),
  async run({ db, now, services: { config } }) {
    const { running } = await readStatus(db)
    const files = await listOwnBackups(db, config.backupDir)
    const shown = await Promise.all(files.map((file) => show(file, config.backupDir!)))
    return {
      data: shown.filter((file) => file !== undefined),
      isRunning: isRunning(running?.at, now.getTime()),
    }
  },
})

/** Undefined if the backup was removed after it was listed. */
async function show({ name, at }: BackupFile, folder: string): Promise<z.output<typeof Backup> | undefined> {
  const found = await stat(join(folder, name)).catch(() => undefined)
  return found && { name, createdAt: new Date(at).toISOString(), bytes: found.size }
}

export const makeBackup = operation({
  ...shared,
  id: 'make-backup',
  method: 'POST',
  path: '/backups',
  summary: 'Make a backup',
  description: 'It is listed once it is complete; if it fails, the health of the instance says why.',
  access,
  output: nothing,
  status: 204,
  errors: ['conflict'],
  transaction: 'own',
  async run(call) {
    const { db, now, services } = call
    if (services.config.backupDir === undefined) throw new AppError('conflict', 'backups_off')
    const { running } = await readStatus(db)
    if (isRunning(running?.at, now.getTime())) throw new AppError('conflict', 'backup_running')
    await services.store.transaction((tx) => recordBy(authorOf(call), tx, 'backup.requested'))
    services.background.start('backup', (signal) => makeBackupNow(services, signal))
  },
})

export const checkBackup = operation({
  ...shared,
  id: 'check-backup',
  method: 'POST',
  path: '/backups/{name}/check',
  summary: 'Check whether a backup is complete',
  description: 'Reads the whole file and compares its contents with its checksum. Nothing is restored.',
  access,
  params,
  output: single(
    z
      .object({
        problem: z.string().nullable().describe('Why it cannot be restored; null if it can.'),
        file: z.string().describe('Its path on the server, for `contrail restore`.'),
        contents: z
          .object({
            createdAt: z.string().meta({ format: 'date-time' }),
            version: z.string().describe('Of the program that made it.'),
            people: count,
            flights: count,
            uploads: count,
          })
          .nullable(),
      })
      .meta({ id: 'CheckedBackup' }),
  ),
  errors: ['not_found'],
  transaction: 'none',
  target: { find: findNamed },
  async run({ target: { path }, services }) {
    // Reading a whole file is slow: limited like exports.
    return { data: { file: path, ...(await services.exportTurns(() => examine(path))) } }
  },
})

async function examine(file: string) {
  try {
    const { createdAt, version, counts, uploads } = await verifyBackup(file)
    const [people, flights] = [counts['person'] ?? 0, counts['flight'] ?? 0]
    return { problem: null, contents: { createdAt, version, people, flights, uploads } }
  } catch (error) {
    if (!(error instanceof BackupError)) throw error
    return { problem: error.message, contents: null }
  }
}

export const downloadBackup = operation({
  ...shared,
  id: 'download-backup',
  method: 'GET',
  path: '/backups/{name}',
  summary: 'Download a backup',
  description: 'It holds the data of every person.',
  access: person([...backupPermissions]),
  confirms: true,
  params,
  output: single(Backup),
  errors: ['not_found'],
  cached: { control: 'no-store' },
  target: { find: findNamed },
  run: async ({ target: { path: _, ...data } }) => ({ data }),
  sends: {
    mediaTypes: ['application/gzip'],
    async stream({ target: { path, name, bytes }, ...call }) {
      await call.services.store.transaction((tx) =>
        recordBy(authorOf(call), tx, 'backup.downloaded', { details: { name } }),
      )
      return {
        headers: {
          'content-type': 'application/gzip',
          'content-length': String(bytes),
          'content-disposition': `attachment; filename="${name}"`,
        },
        body: createReadStream(path),
      }
    },
  },
})

/** Accepts only names in the folder's list, so that no path leads outside of it. */
async function findNamed({ db, input, services: { config } }: Call<{ name: string }, unknown, undefined>) {
  const files = await listOwnBackups(db, config.backupDir)
  const listed = files.find(({ name }) => name === input.name)
  const found = listed && (await show(listed, config.backupDir!))
  if (!found) throw notFound('Backup')
  return { ...found, path: join(config.backupDir!, found.name) }
}
