// What every instance has from its first start: the built-in roles and the reference data.
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Logger } from '../base/log.ts'
import { builtInRoles, defaultRoleId } from '../domain/access/access.ts'
import { isLoaded } from '../services/reference/shipped.ts'
import { hasIndexes } from '../services/reference/shipped-indexes.ts'
import { insertRole } from '../store/access/roles.ts'
import { findSetting, writeSetting } from '../store/instance/settings.ts'
import type { Store } from '../store/store.ts'
import type { FromLoader } from './load-reference.ts'

export async function seed(store: Store, log: Logger, now: Date): Promise<void> {
  if (!(await isLoaded(store.read))) {
    const { loadReference } = await import('../services/reference/load.ts')
    await loadReference(store, log)
  }
  await seedRoles(store, now)
}

/**
 * In a child process, loads the reference data if they are missing or old, and makes the files of their search indexes if there
 * are none. Returns when the data are loaded. `onProgress` gets the share that is loaded, from 0 to 1.
 */
export async function loadReferenceAside(
  store: Store,
  dataDir: string,
  onProgress: (share: number) => void,
): Promise<void> {
  const hasData = await isLoaded(store.read)
  if (hasData && (await hasIndexes(store.read, dataDir))) return
  if (!hasData) onProgress(0)
  const file = fileURLToPath(new URL('./load-reference.ts', import.meta.url))
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  // Without their files, searches make their own indexes.
  if (hasData) child.on('error', () => undefined)
  else await untilLoaded(child, onProgress)
}

async function untilLoaded(child: ChildProcess, onProgress: (share: number) => void): Promise<void> {
  const loaded = Promise.withResolvers<void>()
  let problem = ''
  child.on('message', (message: FromLoader) => {
    if ('share' in message) onProgress(message.share)
    else if ('isLoaded' in message) loaded.resolve()
    else problem = `: ${message.problem}`
  })
  child.on('error', loaded.reject)
  child.on('close', () => loaded.reject(new Error(`the reference data could not be loaded${problem}`)))
  await loaded.promise
}

export async function seedRoles(store: Store, now: Date): Promise<void> {
  if (await findSetting(store.read, { name: 'defaultRoleId' })) return
  await store.exclusively(() =>
    store.transaction(async (tx) => {
      // Built-in roles that were renamed or deleted must not come back.
      if (await findSetting(tx, { name: 'defaultRoleId' })) return
      for (const role of builtInRoles) await insertRole(tx, role.id, role, now.toISOString())
      await writeSetting(tx, { name: 'defaultRoleId', value: defaultRoleId })
    }),
  )
}
