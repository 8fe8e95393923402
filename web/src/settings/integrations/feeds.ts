/** What a feed shows, in words, and the choices of its form. */
import type { components } from '../../api/schema.d.ts'
import { t } from '../../i18n/i18n.svelte.ts'
import { formatPeriod } from '../../lib/format.ts'
import type { IconName } from '../../lib/marks/icons.ts'

export type Feed = components['schemas']['Feed']
export type NewFeed = Feed & { url: string }

export const kinds = ['ical', 'geojson', 'json'] as const satisfies Feed['kind'][]
export const kindIcons: Record<Feed['kind'], IconName> = { ical: 'calendar', geojson: 'globe', json: 'feed' }
export const redactions = ['seat', 'note', 'reg', 'passengers'] as const satisfies Feed['redact']

/** Hours. */
export const delays = [0, 6, 24, 72, 168, 720]

export function delayText(hours: number): string {
  if (hours === 0) return t('feeds.delay.none')
  return hours % 24 === 0
    ? t('feeds.delay.days', { count: hours / 24 })
    : t('feeds.delay.hours', { count: hours })
}

const textIn = (filters: Feed['filters'], name: string): string => {
  const value = filters[name]
  return typeof value === 'string' ? value : ''
}
export const periodOf = ({ filters }: Pick<Feed, 'filters'>) => ({
  dateFrom: textIn(filters, 'dateFrom'),
  dateTo: textIn(filters, 'dateTo'),
})

/** Filters that the form does not offer; programs may have set them. */
export const furtherFilters = ({ filters }: Pick<Feed, 'filters'>): string[] =>
  Object.keys(filters).filter((name) => name !== 'dateFrom' && name !== 'dateTo')

export function factsOf(feed: Feed): string[] {
  const { past, upcoming, delayHours, redact } = feed
  const { dateFrom, dateTo } = periodOf(feed)
  const which = !upcoming || delayHours > 0 ? t('feeds.flown') : past ? t('feeds.all') : t('feeds.upcoming')
  const without = redact.map((what) => t(`feeds.without.${what}`)).join(', ')
  return [
    which,
    formatPeriod(dateFrom, dateTo),
    furtherFilters(feed).length > 0 && t('feeds.filtered'),
    delayHours > 0 && delayText(delayHours),
    without && t('feeds.without', { what: without }),
  ].filter((fact) => typeof fact === 'string' && fact !== '') as string[]
}

/** Calendar apps open these addresses and subscribe. */
export const subscribeAddress = (url: string): string => url.replace(/^https?:/, 'webcal:')
