import { languages } from '../../../server/domain/languages.ts'
import type { CityNames } from '../../../server/domain/reference/cities.ts'
import type { flight } from './en/flight.ts'
import type { history } from './en/history.ts'
import type { imports } from './en/imports.ts'
import type { en } from './en/index.ts'
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
import type { trips } from './en/trips.ts'
import type { visited } from './en/visited.ts'
import type { waiting } from './en/waiting.ts'
import type { Arguments, Message, PluralForms, Values } from './messages.ts'

type Messages = typeof en &
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
  typeof trips &
  typeof visited &
  typeof waiting
type Key = keyof Messages
/** Texts without placeholders, for tables of labels. */
export type PlainKey = { [K in Key]: keyof Values<Messages[K]> extends never ? K : never }[Key]
export type Locale = (typeof languages)[number]

type Texts = Record<string, Message>
/** Each file exports its texts under one name. */
const textsIn = async (file: Promise<Record<string, Texts>>): Promise<Texts> =>
  Object.assign({}, ...Object.values(await file))

/** What the first screen needs. */
const firstTexts = (locale: Locale) => textsIn(import(`./${locale}/index.ts`))

/** Texts that only a few pages need, so that the first screen does not load them. */
const areas = {
  flight: (locale: Locale) => textsIn(import(`./${locale}/flight.ts`)),
  history: (locale: Locale) => textsIn(import(`./${locale}/history.ts`)),
  imports: (locale: Locale) => textsIn(import(`./${locale}/imports.ts`)),
  insights: (locale: Locale) => textsIn(import(`./${locale}/insights.ts`)),
  keys: (locale: Locale) => textsIn(import(`./${locale}/keys.ts`)),
  line: (locale: Locale) => textsIn(import(`./${locale}/line.ts`)),
  list: (locale: Locale) => textsIn(import(`./${locale}/list.ts`)),
  people: (locale: Locale) => textsIn(import(`./${locale}/people.ts`)),
  reasons: (locale: Locale) => textsIn(import(`./${locale}/reasons.ts`)),
  scan: (locale: Locale) => textsIn(import(`./${locale}/scan.ts`)),
  settings: (locale: Locale) => textsIn(import(`./${locale}/settings-pages.ts`)),
  stats: (locale: Locale) => textsIn(import(`./${locale}/stats.ts`)),
  time: (locale: Locale) => textsIn(import(`./${locale}/time.ts`)),
  trips: (locale: Locale) => textsIn(import(`./${locale}/trips.ts`)),
  visited: (locale: Locale) => textsIn(import(`./${locale}/visited.ts`)),
  waiting: (locale: Locale) => textsIn(import(`./${locale}/waiting.ts`)),
}
type Area = keyof typeof areas
const needed = new Set<Area>()

/** What cities are called. Where they cannot be loaded, they keep their English names. */
const cityFiles: Record<Locale, () => Promise<{ default: CityNames }>> = {
  en: async () => ({ default: {} }),
  de: () => import('../../../server/domain/reference/city-names/de.json', { with: { type: 'json' } }),
  fr: () => import('../../../server/domain/reference/city-names/fr.json', { with: { type: 'json' } }),
}
const citiesIn = (locale: Locale): Promise<CityNames> =>
  cityFiles[locale]().then(
    (file) => file.default,
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
  started = loadTexts()
  return started
}

async function loadTexts(): Promise<void> {
  const locale = preferred()
  const [names, ...texts] = await Promise.all([
    citiesIn(locale),
    firstTexts(locale),
    ...[...needed].map((area) => areas[area](locale)),
  ])
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
  const texts = await Promise.all(missing.map((area) => areas[area](active)))
  // The language was changed meanwhile: these are of the one before.
  if (started !== language) return addTexts(wanted)
  for (const area of missing) needed.add(area)
  if (missing.length > 0) catalogue = Object.assign({}, catalogue, ...texts)
}

/** Offline they may be missing: then the server's English message is shown. */
export const loadReasonTexts = (): Promise<void> =>
  withTexts('reasons', async () => undefined).catch(() => undefined)

function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name]
    if (value === undefined) return whole
    return typeof value === 'number' ? counts.format(value) : value
  })
}

const plural = (message: PluralForms, count: number): string => message[rules.select(count)] ?? message.other

export function t<K extends Key>(key: K, ...[values]: Arguments<Messages[K]>): string {
  return textFor(key, values ?? {}) ?? key
}

/** For keys that come from the server; undefined if there is no such text. Use `t` for all others. */
export function textFor(key: string, values: Record<string, string | number>): string | undefined {
  const message = Object.hasOwn(catalogue, key) ? catalogue[key] : undefined
  if (message === undefined) return undefined
  return fill(typeof message === 'string' ? message : plural(message, Number(values['count'])), values)
}
