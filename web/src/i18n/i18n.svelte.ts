import type { flight } from './en/flight.ts'
import type { history } from './en/history.ts'
import type { imports } from './en/imports.ts'
import type { en } from './en/index.ts'
import type { insights } from './en/insights.ts'
import type { line } from './en/line.ts'
import type { list } from './en/list.ts'
import type { people } from './en/people.ts'
import type { reasons } from './en/reasons.ts'
import type { scan } from './en/scan.ts'
import type { settingsPages } from './en/settings-pages.ts'
import type { stats } from './en/stats.ts'
import type { time } from './en/time.ts'
import type { trips } from './en/trips.ts'
import type { visited } from './en/visited.ts'
import type { waiting } from './en/waiting.ts'
import type { Arguments, Message, Plural, Values } from './messages.ts'

type Messages = typeof en &
  typeof flight &
  typeof history &
  typeof imports &
  typeof insights &
  typeof line &
  typeof list &
  typeof people &
  typeof reasons &
  typeof scan &
  typeof settingsPages &
  typeof stats &
  typeof time &
  typeof trips &
  typeof visited
  typeof visited &
  typeof waiting
type FirstKey = keyof typeof en
type Key = keyof Messages
/** Texts without placeholders, for tables of labels. */
export type PlainKey = { [K in Key]: keyof Values<Messages[K]> extends never ? K : never }[Key]
export const locales = ['en', 'de'] as const
export type Locale = (typeof locales)[number]

const loaders: Record<Locale, () => Promise<Record<FirstKey, Message>>> = {
  en: async () => (await import('./en/index.ts')).en,
  de: async () => (await import('./de/index.ts')).de,
}

/** Texts that only a few pages need, so that the first screen does not load them. */
const areas = {
  flight: {
    en: async () => (await import('./en/flight.ts')).flight,
    de: async () => (await import('./de/flight.ts')).flight,
  },
  insights: {
    en: async () => (await import('./en/insights.ts')).insights,
    de: async () => (await import('./de/insights.ts')).insights,
  },
  history: {
    en: async () => (await import('./en/history.ts')).history,
    de: async () => (await import('./de/history.ts')).history,
  },
  imports: {
    en: async () => (await import('./en/imports.ts')).imports,
    de: async () => (await import('./de/imports.ts')).imports,
  },
  line: {
    en: async () => (await import('./en/line.ts')).line,
    de: async () => (await import('./de/line.ts')).line,
  },
  list: {
    en: async () => (await import('./en/list.ts')).list,
    de: async () => (await import('./de/list.ts')).list,
  },
  people: {
    en: async () => (await import('./en/people.ts')).people,
    de: async () => (await import('./de/people.ts')).people,
  },
  reasons: {
    en: async () => (await import('./en/reasons.ts')).reasons,
    de: async () => (await import('./de/reasons.ts')).reasons,
  },
  settings: {
    en: async () => (await import('./en/settings-pages.ts')).settingsPages,
    de: async () => (await import('./de/settings-pages.ts')).settingsPages,
  },
  scan: {
    en: async () => (await import('./en/scan.ts')).scan,
    de: async () => (await import('./de/scan.ts')).scan,
  },
  stats: {
    en: async () => (await import('./en/stats.ts')).stats,
    de: async () => (await import('./de/stats.ts')).stats,
  },
  time: {
    en: async () => (await import('./en/time.ts')).time,
    de: async () => (await import('./de/time.ts')).time,
  },
  trips: {
    en: async () => (await import('./en/trips.ts')).trips,
    de: async () => (await import('./de/trips.ts')).trips,
  },
  visited: {
    en: async () => (await import('./en/visited.ts')).visited,
    de: async () => (await import('./de/visited.ts')).visited,
  },
  waiting: {
    en: async () => (await import('./en/waiting.ts')).waiting,
    de: async () => (await import('./de/waiting.ts')).waiting,
  },
} satisfies Record<string, Record<Locale, () => Promise<Record<string, Message>>>>
type Area = keyof typeof areas
const needed = new Set<Area>()

const store = 'contrail.locale'
let catalogue = $state.raw<Record<string, Message>>({})
let active = $state<Locale>('en')
/** Texts of an area are added to those of the first screen, in the same language. */
let started: Promise<void> = Promise.resolve()
const rules = $derived(new Intl.PluralRules(active))
const counts = $derived(new Intl.NumberFormat(regional(active)))

/** The reader's own variant of the language (en-GB, de-AT) decides how dates and numbers look. */
function regional(locale: Locale): string {
  return navigator.languages.find((tag) => tag.toLowerCase().startsWith(locale)) ?? locale
}

function preferred(): Locale {
  const chosen = localStorage.getItem(store)
  const wanted = [chosen, ...navigator.languages.map((tag) => tag.slice(0, 2))]
  return (
    locales.find((locale) => locale === wanted.find((tag) => locales.some((known) => known === tag))) ?? 'en'
  )
}

export const i18n = {
  get locale(): Locale {
    return active
  },
  /** A BCP 47 tag for Intl. */
  get tag(): string {
    return regional(active)
  },
}

export async function setLocale(locale: Locale): Promise<void> {
  localStorage.setItem(store, locale)
  await startI18n()
}

export function startI18n(): Promise<void> {
  started = loadTexts()
  return started
}

async function loadTexts(): Promise<void> {
  const locale = preferred()
  const more = await Promise.all([...needed].map((area) => areas[area][locale]()))
  catalogue = Object.assign({}, await loaders[locale](), ...more)
  active = locale
  document.documentElement.lang = locale
}

/** Loads a part of the app together with its texts. */
async function withTexts<Part>(area: Area, load: () => Promise<Part>): Promise<Part> {
  await started
  if (needed.has(area)) return load()
  const [part, texts] = await Promise.all([load(), areas[area][active]()])
  needed.add(area)
  catalogue = { ...catalogue, ...texts }
  return part
}

export const withImportTexts = <Page>(load: () => Promise<Page>): Promise<Page> => withTexts('imports', load)
export const withReasonTexts = <Part>(load: () => Promise<Part>): Promise<Part> => withTexts('reasons', load)
/** Offline they may be missing: then the server's English message is shown. */
export const loadReasonTexts = (): Promise<void> =>
  withReasonTexts(async () => undefined).catch(() => undefined)
export const withSettingsTexts = <Page>(load: () => Promise<Page>): Promise<Page> =>
  withTexts('settings', load)
export const withScanTexts = <Part>(load: () => Promise<Part>): Promise<Part> => withTexts('scan', load)
export const withHistoryTexts = <Part>(load: () => Promise<Part>): Promise<Part> => withTexts('history', load)
export const withInsightTexts = <Part>(load: () => Promise<Part>): Promise<Part> =>
  withTexts('insights', load)
export const withStatsTexts = <Part>(load: () => Promise<Part>): Promise<Part> => withTexts('stats', load)
export const withTimeTexts = <Part>(load: () => Promise<Part>): Promise<Part> => withTexts('time', load)
export const withTripTexts = <Part>(load: () => Promise<Part>): Promise<Part> => withTexts('trips', load)
export const withVisitedTexts = <Part>(load: () => Promise<Part>): Promise<Part> => withTexts('visited', load)
export const withFlightTexts = <Part>(load: () => Promise<Part>): Promise<Part> => withTexts('flight', load)
export const withListTexts = <Part>(load: () => Promise<Part>): Promise<Part> => withTexts('list', load)
export const withPeopleTexts = <Part>(load: () => Promise<Part>): Promise<Part> => withTexts('people', load)
export const withWaitingTexts = <Part>(load: () => Promise<Part>): Promise<Part> => withTexts('waiting', load)
export const withLineTexts = <Part>(load: () => Promise<Part>): Promise<Part> => withTexts('line', load)

function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name]
    if (value === undefined) return whole
    return typeof value === 'number' ? counts.format(value) : value
  })
}

function plural(message: Plural, count: number): string {
  return rules.select(count) === 'one' ? message.one : message.other
}

export function t<K extends Key>(key: K, ...[values]: Arguments<Messages[K]>): string {
  return textFor(key, values ?? {}) ?? key
}

/** For keys that come from the server; undefined if there is no such text. Use `t` for all others. */
export function textFor(key: string, values: Record<string, string | number>): string | undefined {
  const message = Object.hasOwn(catalogue, key) ? catalogue[key] : undefined
  if (message === undefined) return undefined
  return fill(typeof message === 'string' ? message : plural(message, Number(values['count'])), values)
}
