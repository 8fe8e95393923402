// The browser and the system in a User-Agent header.

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

/** Null if it is no browser that we know. */
export function deviceOf(userAgent: string | null): Device | null {
  const named = (table: [RegExp, string][]) => table.find(([form]) => form.test(userAgent ?? ''))?.[1] ?? null
  const browser = named(browsers)
  return browser ? { browser, system: named(systems) } : null
}

/** "Firefox on Linux"; null if unknown. The web app has its own text in each language. */
export function deviceText(userAgent: string | null): string | null {
  const device = deviceOf(userAgent)
  return device && (device.system ? `${device.browser} on ${device.system}` : device.browser)
}
