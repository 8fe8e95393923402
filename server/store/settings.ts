// Single values of the instance: the reference set's version and day, the form of its search texts, the default role, the state of the backups,
// whether writes need a condition.
import type { Executor } from './engine.ts'
import { first, query } from './query.ts'

type SettingName =
  | 'referenceVersion'
  | 'referenceSnapshot'
  | 'searchFormat'
  | 'defaultRoleId'
  | 'instanceId'
  | 'backupStatus'
  | 'requireIfMatch'

const byName = query<{ name: string }, { value: string }>((db, p) =>
  db.selectFrom('setting').select('value').where('name', '=', p.name),
)
export const findSetting = async (db: Executor, name: SettingName): Promise<string | undefined> =>
  (await first(byName(db, { name })))?.value

const upsert = query<{ name: string; value: string }, { name: string }>((db, p) =>
  db
    .insertInto('setting')
    .values({ name: p.name, value: p.value })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((eb) => ({ value: eb.ref('excluded.value') })),
    )
    .returning('name'),
)
export const writeSetting = (tx: Executor, name: SettingName, value: string) => upsert(tx, { name, value })

const lockRow = query<{ name: SettingName; initial: string }, { value: string }>((db, p) =>
  db
    .insertInto('setting')
    .values({ name: p.name, value: p.initial })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((eb) => ({ value: eb.ref('setting.value') })),
    )
    .returning('value'),
)
/** The value, `initial` if there was none; no other transaction changes it before this one ends. */
export const lockSetting = async (tx: Executor, name: SettingName, initial: string): Promise<string> =>
  (await lockRow(tx, { name, initial }))[0]!.value
