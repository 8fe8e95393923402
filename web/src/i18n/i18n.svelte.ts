import { languages } from '../../../server/domain/languages.ts'
import type { CityNames } from '../../../server/domain/reference/cities.ts'
import {
  type Arguments,
  fill,
  type Message,
  pluralFor,
  type Values,
} from '../../../server/domain/text/messages.ts'
import type { first } from './en/first.ts'
import type { flight } from './en/flight.ts'
import type { history } from './en/history.ts'
import type { imports } from './en/imports.ts'
import type { insights } from './en/insights.ts'
import type { keys } from './en/keys.ts'
import type { line } from './en/line.ts'
import type { list } from './en/list.ts'
import type { people } from './en/people.ts'
import type { reasons } from './en/reasons.ts'
import type { scan } from './en/scan.ts'
import type { settingsPages } from './en/settings-pages.ts'
import type { stats } from './en/stats.ts'
import type { time } from './en/time.ts'
import type { today } from './en/today.ts'
import type { trips } from './en/trips.ts'
import type { visited } from './en/visited.ts'
import type { waiting } from './en/waiting.ts'

type Messages = typeof first &
  typeof flight &
  typeof history &
  typeof imports &
  typeof insights &
  typeof keys &
  typeof line &
  typeof list &
  typeof people &
  typeof reasons &
  typeof scan &
  typeof settingsPages &
  typeof stats &
  typeof time &
  typeof today &
  typeof trips &
  typeof visited &
  typeof waiting
type Key = keyof Messages
/** Texts without placeholders, for tables of labels. */
export type PlainKey = { [K in Key]: keyof Values<Messages[K]> extends never ? K : never }[Key]
export type Locale = (typeof languages)[number]

type Texts = Record<string, Message>

/** Texts that only a few pages need are in files of their own, so that the first screen does not load them. */
const english = {
  first: () => import('./en/first.ts'),
  flight: () => import('./en/flight.ts'),
  history: () => import('./en/history.ts'),
  imports: () => import('./en/imports.ts'),
  insights: () => import('./en/insights.ts'),
  keys: () => import('./en/keys.ts'),
  line: () => import('./en/line.ts'),
  list: () => import('./en/list.ts'),
  people: () => import('./en/people.ts'),
  reasons: () => import('./en/reasons.ts'),
  scan: () => import('./en/scan.ts'),
  settings: () => import('./en/settings-pages.ts'),
  stats: () => import('./en/stats.ts'),
  time: () => import('./en/time.ts'),
  today: () => import('./en/today.ts'),
  trips: () => import('./en/trips.ts'),
  visited: () => import('./en/visited.ts'),
  waiting: () => import('./en/waiting.ts'),
} satisfies Record<string, () => Promise<Record<string, Texts>>>
export type Area = keyof typeof english

async function textsOf(locale: Locale, area: Area): Promise<Texts> {
  if (locale === 'en') return Object.assign({}, ...Object.values(await english[area]()))
  return (await import(`./${locale}/${area}.json`, { with: { type: 'json' } })).default as Texts
}

const needed = new Set<Area>()

/** What cities are called. Where they cannot be loaded, they keep their English names; English has no file. */
const citiesIn = (locale: Locale): Promise<CityNames> =>
  import(`../../../server/domain/reference/city-names/${locale}.json`, { with: { type: 'json' } }).then(
    (file: { default: CityNames }) => file.default,
    () => ({}),
  )

const store = 'contrail.locale'
let catalogue = $state.raw<Texts>({})
let cities = $state.raw<CityNames>({})
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
    languages.find((locale) => locale === wanted.find((tag) => languages.some((known) => known === tag))) ??
    'en'
  )
}

export const i18n = {
  get locale(): Locale {
    return active
  },
  /** The names of cities in the language. */
  get cities(): CityNames {
    return cities
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
  const loading: Promise<void> = loadTexts(() => started === loading)
  started = loading
  return loading
}

async function loadTexts(isNewest: () => boolean): Promise<void> {
  const locale = preferred()
  const [names, ...texts] = await Promise.all([
    citiesIn(locale),
    textsOf(locale, 'first'),
    ...[...needed].map((area) => textsOf(locale, area)),
  ])
  if (!isNewest()) return
  catalogue = Object.assign({}, ...texts)
  cities = names
  active = locale
  document.documentElement.lang = locale
}

/** Loads a part of the app together with its texts. */
export async function withTexts<Part>(
  wanted: Area | readonly Area[],
  load: () => Promise<Part>,
): Promise<Part> {
  await started
  const [part] = await Promise.all([load(), addTexts([wanted].flat())])
  return part
}

async function addTexts(wanted: readonly Area[]): Promise<void> {
  const language = started
  // A language that is still loading would replace what is added here.
  await language
  const missing = wanted.filter((area) => !needed.has(area))
  const texts = await Promise.all(missing.map((area) => textsOf(active, area)))
  // The language was changed meanwhile: these are of the one before.
  if (started !== language) return addTexts(wanted)
  for (const area of missing) needed.add(area)
  if (missing.length > 0) catalogue = Object.assign({}, catalogue, ...texts)
}

/** Offline they may be missing: then the server's English message is shown. */
export const loadReasonTexts = (): Promise<void> =>
  withTexts('reasons', async () => undefined).catch(() => undefined)

export function t<K extends Key>(key: K, ...[values]: Arguments<Messages[K]>): string {
  return textFor(key, values ?? {}) ?? key
}

/** For keys that come from the server; undefined if there is no such text. Use `t` for all others. */
export function textFor(key: string, values: Record<string, string | number>): string | undefined {
  const message = Object.hasOwn(catalogue, key) ? catalogue[key] : undefined
  if (message === undefined) return undefined
  const text = typeof message === 'string' ? message : pluralFor(message, Number(values['count']), rules)
  return fill(text, values, counts.format)
}
