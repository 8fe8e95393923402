// The instance's health, for administrators, and its settings, for the owner.
import * as z from 'zod'
import { forbidden } from '../../base/errors.ts'
import { failureReasons } from '../../domain/instance/backup-plan.ts'
import { isConditionRequired } from '../../door/open.ts'
import { type Call, operation, person, takes } from '../../door/operation.ts'
import { type BackupSituation, readSituation } from '../../services/backup/folder.ts'
import { writeSetting } from '../../store/instance/settings.ts'
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

export const getInstanceHealth = operation({
  id: 'get-instance-health',
  method: 'GET',
  path: '/instance/health',
  door: 'app',
  tag: 'Instance',
  summary: 'Read the state of the automatic backups',
  access: person(['instance.release.check']),
  output: single(z.object({ backups: BackupHealth }).meta({ id: 'InstanceHealth' })),
  async run({ db, now, services: { config } }) {
    const situation = await readSituation(db, config, now.getTime())
    return { data: { backups: situation ? describe(situation, config) : off } }
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
const InstanceSettings = z
  .object({
    requireIfMatch,
    isFixed: z
      .boolean()
      .describe('REQUIRE_IF_MATCH is set on the server, so that it cannot be turned off here.'),
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

export const getInstanceSettings = operation({
  ...ownSettings,
  id: 'get-instance-settings',
  method: 'GET',
  summary: 'Read the settings of the instance',
  description: 'For the owner.',
  check: requireOwner,
  run: async ({ services }) => ({
    data: { requireIfMatch: await isConditionRequired(services), isFixed: services.config.requireIfMatch },
  }),
})

export const updateInstanceSettings = operation({
  ...ownSettings,
  id: 'update-instance-settings',
  method: 'PUT',
  confirms: true,
  summary: 'Change the settings of the instance',
  description: 'For the owner.',
  body: takes(z.strictObject({ requireIfMatch })),
  check: requireOwner,
  async run({ input, db, services: { config } }) {
    await writeSetting(db, { name: 'requireIfMatch', value: String(input.requireIfMatch) })
    const isFixed = config.requireIfMatch
    return { data: { requireIfMatch: input.requireIfMatch || isFixed, isFixed } }
  },
})
