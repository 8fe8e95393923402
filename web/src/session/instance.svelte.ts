/** How the instance is doing, for those who look after it; nobody else asks. */
import { client, dataOf } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'
import { may } from './session.svelte.ts'

type Health = components['schemas']['InstanceHealth']

let health = $state.raw<Health | null>(null)

export const instance = {
  /** Null for everyone else, and until the first response. */
  get health(): Health | null {
    return health
  },
  /** Something an administrator should look at, wherever they are in the app. */
  get backupTrouble(): 'failed' | 'overdue' | null {
    const state = health?.backups.state
    return state === 'failed' || state === 'overdue' ? state : null
  },
}

export const mayLookAfterInstance = () => may('instance.release.check')

export async function loadHealth(): Promise<Health> {
  health = await dataOf(client.GET('/instance/health'))
  return health
}

/** For the banner: a problem with asking is no problem of the backups. */
export async function refreshHealth(): Promise<void> {
  if (mayLookAfterInstance()) await loadHealth().catch(() => undefined)
}
