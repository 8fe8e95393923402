/** "Firefox on Windows" from a User-Agent header; null if it is not recognised. */
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

export function deviceOf(userAgent: string | null): Device | null {
  const named = (table: [RegExp, string][]) => table.find(([form]) => form.test(userAgent ?? ''))?.[1] ?? null
  const browser = named(browsers)
  return browser ? { browser, system: named(systems) } : null
}
