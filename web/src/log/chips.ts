/** Active filters as removable chips. */

import type { Continent } from '../../../server/domain/enums.ts'
import { t } from '../i18n/i18n.svelte.ts'
import {
  airportCode,
  countryName,
  formatClock,
  formatMonth,
  formatPeriod,
  formatWeekday,
} from '../lib/format.ts'
import { alsoFilter, type Filters, noFilters } from './filters.ts'
import { log } from './log.svelte.ts'

interface Chip {
  key: string
  label: string
  without: Partial<Filters>
}

type ListKey = { [K in keyof Filters]: Filters[K] extends unknown[] ? K : never }[keyof Filters]

function many<K extends ListKey>(
  filters: Filters,
  key: K,
  label: (value: Filters[K][number]) => string,
): Chip[] {
  const values = filters[key] as Filters[K][number][]
  return values.map((value) => ({
    key: `${key}:${value}`,
    label: label(value),
    without: { [key]: values.filter((other) => other !== value) } as Partial<Filters>,
  }))
}

function dates({ after, before }: Filters): Chip[] {
  if (!after && !before) return []
  return [{ key: 'dates', label: formatPeriod(after, before), without: { after: '', before: '' } }]
}

function routeLabel(route: string): string {
  return route
    .split('-')
    .map((id) => airportCode(log.airports[id] ?? null))
    .join(' ⇄ ')
}

function passengerName(value: string): string {
  const [kind, ...rest] = value.split(':')
  const name = rest.join(':')
  return kind === 'user' ? (log.users[name]?.displayName ?? name) : name
}

const alsoLabel = (value: string): string =>
  chipsOf({ ...noFilters, ...alsoFilter(value) })
    .map(({ label }) => label)
    .join()

export function chipsOf(filters: Filters): Chip[] {
  return [
    ...many(filters, 'years', String),
    ...dates(filters),
    ...many(filters, 'airports', (id) => airportCode(log.airports[id] ?? null)),
    ...(filters.route ? [{ key: 'route', label: routeLabel(filters.route), without: { route: '' } }] : []),
    ...(filters.importId ? [{ key: 'import', label: t('filter.import'), without: { importId: '' } }] : []),
    ...many(filters, 'countries', countryName),
    ...many(filters, 'airlines', (id) => log.airlines[id]?.name ?? `#${id}`),
    ...many(filters, 'aircraft', (id) => log.aircraft[id]?.name ?? `#${id}`),
    ...(filters.reg ? [{ key: 'reg', label: filters.reg, without: { reg: '' } }] : []),
    ...(filters.registration
      ? [{ key: 'registration', label: filters.registration, without: { registration: '' } }]
      : []),
    ...many(filters, 'passengers', passengerName),
    ...many(filters, 'classes', (value) => t(`class.${value}`)),
    ...many(filters, 'reasons', (value) => t(`reason.${value}`)),
    ...many(filters, 'seats', (value) => t(`seat.${value}`)),
    ...many(filters, 'months', (month) => formatMonth(month, 'long')),
    ...many(filters, 'weekdays', (day) => formatWeekday(`2024-01-0${day}`, 'long')),
    ...many(
      filters,
      'hours',
      (hour) =>
        `${formatClock(`2024-01-01T${hour.padStart(2, '0')}:00`)} – ${formatClock(`2024-01-01T${hour.padStart(2, '0')}:59`)}`,
    ),
    ...many(filters, 'legs', (leg) =>
      leg
        .split('-')
        .map((code) => t(`continent.${code as Continent}`))
        .join(' → '),
    ),
    ...many(filters, 'borders', (value) => t(`stats.${value}`)),
    ...many(filters, 'arrivals', (value) => t(`stats.${value}`)),
    ...many(filters, 'without', (what) =>
      what === 'person'
        ? t('filter.alone')
        : t('app.labelled', { label: t(`filter.${what}`), value: t('filter.unknown') }),
    ),
    ...many(filters, 'also', alsoLabel),
    ...(filters.flown ? [{ key: 'flown', label: t('filter.flown'), without: { flown: '' } }] : []),
  ]
}
