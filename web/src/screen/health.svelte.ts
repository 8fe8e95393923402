/** Health of the instance. Only administrators load it. */
import { client, dataOf } from '../api/client.ts'
import { Resource } from '../lib/resource.svelte.ts'
import { may } from '../session/session.svelte.ts'

export const health = new Resource((signal) => dataOf(client.GET('/instance/health', { signal })))

export const maySeeHealth = () => may('instance.release.check')

/** A problem shown to administrators on every page. */
export function backupProblem(): 'failed' | 'overdue' | null {
  const state = health.value?.backups.state
  return state === 'failed' || state === 'overdue' ? state : null
}

/** For the banner, which covers only backups and does not report a failed request. */
export async function refreshHealth(): Promise<void> {
  if (maySeeHealth()) await health.refresh()
}
