/** The browser and the system that a User-Agent header names. */

import { t } from '../../i18n/i18n.svelte.ts'

const browsers: [RegExp, string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'ChromeOS'],
  [/Mac OS X|Macintosh/, 'Mac'],
  [/Linux|X11/, 'Linux'],
]

interface Device {
  browser: string
  system: string | null
}

function deviceOf(userAgent: string | null): Device | null {
  const named = (table: [RegExp, string][]) => table.find(([form]) => form.test(userAgent ?? ''))?.[1] ?? null
  const browser = named(browsers)
  return browser ? { browser, system: named(systems) } : null
}

/** "Firefox on Windows" */
export function deviceName(userAgent: string | null): string {
  const device = deviceOf(userAgent)
  if (!device) return userAgent?.slice(0, 60) || t('settings.sessions.unknown')
  return device.system
    ? t('settings.sessions.on', { browser: device.browser, system: device.system })
    : device.browser
}
