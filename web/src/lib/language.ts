/** Sets the language of this browser and of the preview images of the user's shares. */

import { explain } from '../api/explain.ts'
import { type Locale, setLocale } from '../i18n/i18n.svelte.ts'
import { savePreferences } from '../session/session.svelte.ts'
import { toast } from './overlay/toast.svelte.ts'

export async function chooseLanguage(locale: Locale): Promise<void> {
  await setLocale(locale)
  try {
    await savePreferences({ language: locale })
  } catch (error) {
    toast(explain(error), { tone: 'error' })
  }
}
