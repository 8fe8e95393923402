// The instance's health, for administrators, and its settings, for the owner.
import * as z from 'zod'
import { AppError, forbidden } from '../../base/errors.ts'
import { failureReasons } from '../../domain/instance/backup-plan.ts'
import { releaseStates } from '../../domain/instance/release.ts'
import { isConditionRequired } from '../../door/open.ts'
import { type Call, operation, person, takes } from '../../door/operation.ts'
import type { Services } from '../../door/services.ts'
import { type BackupSituation, readSituation } from '../../services/backup/folder.ts'
import { isLooking, readRelease } from '../../services/instance/release.ts'
import { writeSetting } from '../../store/instance/settings.ts'
import type { Executor } from '../../store/store.ts'
import { single } from '../wire/schemas.ts'

const moment = z.string().meta({ format: 'date-time' })

const BackupHealth = z
  .object({
    state: z
      .enum(['off', 'ok', 'waiting', 'failed', 'overdue'])
      .describe(
        '`off`: BACKUP_DIR is `off`. `waiting`: no backup has been made yet. `failed`: the last attempt failed. `overdue`: the next backup is late.',
      ),
    folder: z.string().nullable().describe('Folder on the server.'),
    everySeconds: z.int().nullable(),
    keep: z.int().nullable().describe('Number of backups kept.'),
    lastSuccessAt: moment.nullable(),
    lastFailure: z
      .object({ at: moment, reason: z.enum(failureReasons), message: z.string() })
      .nullable()
      .describe('Kept even if a later attempt succeeded.'),
    nextAt: moment.nullable().describe('When the next attempt is made.'),
  })
  .meta({ id: 'BackupHealth' })

const ReleaseHealth = z
  .object({
    current: z.string().describe('The version that runs.'),
    latest: z.string().nullable().describe('The newest version that was found.'),
    notes: z.string().nullable().describe('Address of what it changes.'),
    security: z.boolean().describe('The newest version repairs a weakness of this one.'),
    checkedAt: moment.nullable().describe('When it was last looked for.'),
    state: z
      .enum(releaseStates)
      .describe(
        '`off`: the owner has not turned it on. `current`: nothing newer is known. `unreachable`: the last attempt failed.',
      ),
  })
  .meta({ id: 'ReleaseHealth' })

export const getInstanceHealth = operation({
  id: 'get-instance-health',
  method: 'GET',
  path: '/instance/health',
  door: 'app',
  tag: 'Instance',
  summary: 'Read the state of the automatic backups, and whether there is a newer version',
  access: person(['instance.release.check']),
  output: single(z.object({ backups: BackupHealth, release: ReleaseHealth }).meta({ id: 'InstanceHealth' })),
  async run({ db, now, services: { config } }) {
    const situation = await readSituation(db, config, now.getTime())
    const { isNewer: _, checkedAt, ...release } = await readRelease(db, config)
    return {
      data: {
        backups: situation ? describe(situation, config) : off,
        release: { ...release, checkedAt: checkedAt === null ? null : iso(checkedAt) },
      },
    }
  },
})

const off = {
  state: 'off' as const,
  folder: null,
  everySeconds: null,
  keep: null,
  lastSuccessAt: null,
  lastFailure: null,
  nextAt: null,
}

const iso = (time: number) => new Date(time).toISOString()

function describe(
  { state, folder, lastSuccess, next, status: { lastFailure } }: BackupSituation,
  { backupEveryMs, backupKeep }: { backupEveryMs: number; backupKeep: number },
): z.input<typeof BackupHealth> {
  return {
    state,
    folder,
    everySeconds: backupEveryMs / 1000,
    keep: backupKeep,
    lastSuccessAt: lastSuccess === undefined ? null : iso(lastSuccess),
    lastFailure: lastFailure
      ? { at: iso(lastFailure.at), reason: lastFailure.reason, message: lastFailure.message }
      : null,
    nextAt: iso(next),
  }
}

// Settings

const requireIfMatch = z
  .boolean()
  .describe('Programs may change a flight only with If-Match (ifVersion in MCP); otherwise 428.')
const updateCheck = z
  .boolean()
  .describe('Once a day this server reads the number of the newest version from `updateAddress`.')
const InstanceSettings = z
  .object({
    requireIfMatch,
    isFixed: z
      .boolean()
      .describe('REQUIRE_IF_MATCH is set on the server, so that it cannot be turned off here.'),
    updateCheck,
    updateAddress: z
      .string()
      .nullable()
      .describe(
        'null: this copy does not know where versions are published, so that it cannot look for them.',
      ),
  })
  .meta({ id: 'InstanceSettings' })

const ownSettings = {
  path: '/instance/settings',
  door: 'app',
  tag: 'Instance',
  access: person(),
  output: single(InstanceSettings),
} as const

function requireOwner({ principal }: Call): void {
  if (!principal.isOwner) throw forbidden()
}

const readSettings = async (
  db: Executor,
  { config }: Services,
): Promise<z.input<typeof InstanceSettings>> => ({
  requireIfMatch: await isConditionRequired(db, { config }),
  isFixed: config.requireIfMatch,
  updateCheck: await isLooking(db, config),
  updateAddress: config.docsAddress ?? null,
})

export const getInstanceSettings = operation({
  ...ownSettings,
  id: 'get-instance-settings',
  method: 'GET',
  summary: 'Read the settings of the instance',
  description: 'For the owner.',
  check: requireOwner,
  run: async ({ db, services }) => ({ data: await readSettings(db, services) }),
})

export const updateInstanceSettings = operation({
  ...ownSettings,
  id: 'update-instance-settings',
  method: 'PUT',
  confirms: true,
  summary: 'Change the settings of the instance',
  description: 'For the owner. What is absent stays as it is.',
  body: takes(
    z.strictObject({ requireIfMatch: requireIfMatch.optional(), updateCheck: updateCheck.optional() }),
  ),
  errors: ['conflict'],
  check: requireOwner,
  async run({ input, db, services }) {
    if (input.updateCheck && services.config.docsAddress === undefined)
      throw new AppError('conflict', 'no_update_address')
    for (const name of ['requireIfMatch', 'updateCheck'] as const)
      if (input[name] !== undefined) await writeSetting(db, { name, value: String(input[name]) })
    return { data: await readSettings(db, services) }
  },
})
