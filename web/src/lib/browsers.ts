/** The browser and system in a User-Agent header, in the language of the app. */

import { deviceOf } from '../../../server/domain/accounts/devices.ts'
import { t } from '../i18n/i18n.svelte.ts'

/** "Firefox on Windows" */
export function deviceName(userAgent: string | null): string {
  const device = deviceOf(userAgent)
  if (!device) return userAgent?.slice(0, 60) || t('settings.sessions.unknown')
  return device.system
    ? t('settings.sessions.on', { browser: device.browser, system: device.system })
    : device.browser
}
