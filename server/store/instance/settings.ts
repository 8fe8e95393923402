// Single values of the instance: version and date of the reference set, the sets that were loaded before it, the format of its search texts, the default role,
// the state of backups, whether writes need a condition, the version that last ran, what is known of
// newer ones, and the keys that sign notifications.
import type { Executor } from '../engine/engine.ts'
import { query, queryFirst } from '../engine/query.ts'

type SettingName =
  | 'referenceVersion'
  | 'referenceSnapshot'
  | 'referenceSets'
  | 'searchFormat'
  | 'defaultRoleId'
  | 'instanceId'
  | 'backupStatus'
  | 'requireIfMatch'
  | 'lastVersion'
  | 'updateCheck'
  | 'latestRelease'
  | 'pushKeys'

export const findSetting = queryFirst(
  (db, p: { name: SettingName }) => db.selectFrom('setting').select('value').where('name', '=', p.name),
  ({ value }) => value,
)

export const writeSetting = query((db, p: { name: SettingName; value: string }) =>
  db
    .insertInto('setting')
    .values({ name: p.name, value: p.value })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((eb) => ({ value: eb.ref('excluded.value') })),
    )
    .returning('name'),
)

const lockRow = query((db, p: { name: SettingName; initial: string }) =>
  db
    .insertInto('setting')
    .values({ name: p.name, value: p.initial })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((eb) => ({ value: eb.ref('setting.value') })),
    )
    .returning('value'),
)
/** The value, or `initial` if there was none; locked until the transaction ends. */
export const lockSetting = async (tx: Executor, name: SettingName, initial: string): Promise<string> =>
  (await lockRow(tx, { name, initial }))[0]!.value
