/** Sets the language of this browser and of the preview images of the user's shares. */

import { type Locale, setLocale } from '../i18n/i18n.svelte.ts'
import { savePreferences } from '../session/session.svelte.ts'
import { attempt } from './kit/attempt.ts'

export async function chooseLanguage(locale: Locale): Promise<void> {
  await setLocale(locale)
  await attempt(() => savePreferences({ language: locale }))
}
