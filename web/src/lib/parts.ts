/** Code that is loaded on first use. If it cannot be loaded, the person is told and can try again. */

import { t } from '../i18n/i18n.svelte.ts'
import { toast } from './overlay/toast.svelte.ts'

/** Loads a part and uses it. */
export async function withPart<Part>(load: () => Promise<Part>, use: (part: Part) => unknown): Promise<void> {
  let part: Part
  try {
    part = await load()
  } catch {
    const action = { label: t('app.retry'), run: () => void withPart(load, use) }
    toast(t('app.partFailed'), { tone: 'error', action })
    return
  }
  await use(part)
}
