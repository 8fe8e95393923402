/** The settings of notifications: each choice is shown immediately and sent after those before it. A late response overwrites none. */
import { client, dataOf } from '../../api/client.ts'
import type { components } from '../../api/schema.d.ts'
import { t } from '../../i18n/i18n.svelte.ts'
import { attempt } from '../../lib/kit/attempt.ts'
import { resource } from '../../lib/resource.svelte.ts'

export type Settings = components['schemas']['NotificationSettings']
type Change = components['schemas']['NotificationSettingsInput']

const withChange = (settings: Settings, change: Change) =>
  ({ ...settings, ...change, kinds: { ...settings.kinds, ...change.kinds } }) as Settings

export function notificationSettings() {
  const stored = resource((signal) => dataOf(client.GET('/notification-settings', { signal })))
  let unsent = $state.raw<Change[]>([])
  let queue: Promise<unknown> = Promise.resolve()
  let saved = $state('')
  const shown = $derived(stored.value && unsent.reduce(withChange, stored.value))

  async function send(change: Change): Promise<void> {
    const isSaved = await attempt(async () => {
      stored.set(await dataOf(client.PUT('/notification-settings', { body: change })))
    })
    unsent = unsent.filter((one) => one !== change)
    if (isSaved) saved = t('notify.saved')
  }
  return {
    get value() {
      return shown
    },
    get problem() {
      return stored.problem
    },
    get saved() {
      return saved
    },
    retry: () => stored.refresh(),
    save(change: Change): void {
      unsent = [...unsent, change]
      saved = ''
      queue = queue.then(() => send(change))
    },
  }
}
