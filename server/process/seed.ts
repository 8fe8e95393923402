// What every instance has from its first start: the built-in roles and the reference data.

import type { Logger } from '../base/log.ts'
import { builtInRoles, defaultRoleId } from '../domain/access.ts'
import { loadReference } from '../reference/load.ts'
import { insertRole } from '../store/roles.ts'
import { findSetting, writeSetting } from '../store/settings.ts'
import type { Store } from '../store/store.ts'

export async function seed(store: Store, log: Logger, now: Date): Promise<void> {
  await loadReference(store, log)
  if (await findSetting(store.read, 'defaultRoleId')) return
  await store.exclusively(() =>
    store.transaction(async (tx) => {
      // Built-in roles can be renamed or deleted and must not come back then.
      if (await findSetting(tx, 'defaultRoleId')) return
      for (const role of builtInRoles) await insertRole(tx, role.id, role, now.toISOString())
      await writeSetting(tx, 'defaultRoleId', defaultRoleId)
    }),
  )
}
