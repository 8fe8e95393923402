/** The demo flights: added to an empty log, removed from the banner. */

import { loadDemo, removeDemo } from '../api/flights.ts'
import { t } from '../i18n/i18n.svelte.ts'
import { attempt } from '../lib/kit/attempt.ts'
import { toast } from '../lib/overlay/toast.svelte.ts'
import { log } from '../log/log.svelte.ts'

const store = 'contrail.demo'
let active = $state(localStorage.getItem(store) !== null)
let busy = $state(false)

export const demo = {
  get active(): boolean {
    return active && log.own.length > 0
  },
  get busy(): boolean {
    return busy
  },
}

function mark(on: boolean): void {
  active = on
  if (on) localStorage.setItem(store, '1')
  else localStorage.removeItem(store)
}

async function change(act: () => Promise<unknown>, on: boolean): Promise<boolean> {
  busy = true
  const isDone = await attempt(async () => {
    await act()
    await log.refresh()
    mark(on)
  })
  busy = false
  return isDone
}

export async function startDemo(): Promise<void> {
  if (await change(loadDemo, true)) toast(t('demo.added'))
}

export async function endDemo(): Promise<void> {
  if (await change(removeDemo, false)) toast(t('demo.removed'))
}
