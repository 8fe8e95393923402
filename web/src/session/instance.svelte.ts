/** Health of the instance. Only administrators load it. */
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
  /** A problem that is shown to administrators on every page. */
  get backupProblem(): 'failed' | 'overdue' | null {
    const state = health?.backups.state
    return state === 'failed' || state === 'overdue' ? state : null
  },
}

export const maySeeHealth = () => may('instance.release.check')

export async function loadHealth(): Promise<Health> {
  health = await dataOf(client.GET('/instance/health'))
  return health
}

/** For the banner, which is about backups only: a failed request is ignored. */
export async function refreshHealth(): Promise<void> {
  if (maySeeHealth()) await loadHealth().catch(() => undefined)
}
