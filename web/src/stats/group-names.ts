/** Groups of flights with the names that people know. */

import type { FlightReason, Grouping, SeatClass } from '../../../server/domain/enums.ts'
import { airportCode as codeOf } from '../../../server/domain/reference/code-periods.ts'
import type { FlightGroup } from '../../../server/domain/statistics/groups.ts'
import { rankRoutes } from '../../../server/domain/statistics/rankings.ts'
import type { Flight } from '../api/flights-of-log.ts'
import { t } from '../i18n/i18n.svelte.ts'
import { airportCity, countryName, formatDate } from '../lib/format.ts'
import { log } from '../log/log.svelte.ts'

interface GroupName {
  /** The headline of an airport or a route. */
  code?: string
  name: string
}

/** Filters of routes by their codes. */
type Routes = ReadonlyMap<string, string>

const cityOf = (id: string): string => airportCity(log.airports[id])

const names: Partial<Record<Grouping, (key: string, group: FlightGroup, routes: Routes) => GroupName>> = {
  airport: (code, { id }) => ({ code, name: cityOf(String(id ?? '')) }),
  route: (key, { name = '' }, routes) => ({
    code: key.replace('-', ' – '),
    name: routes.get(key)?.split('-').map(cityOf).join(' – ') ?? name,
  }),
  country: (key) => ({ name: countryName(key) }),
  month: (key) => ({ name: formatDate(`${key}-01`, 'month') }),
  class: (key) => ({ name: t(`class.${key as SeatClass}`) }),
  reason: (key) => ({ name: t(`reason.${key as FlightReason}`) }),
  person: (key, { id, name }) => ({ name: name ?? log.users[id ?? '']?.displayName ?? key }),
}

export function groupName(group: FlightGroup, groupBy: Grouping, routes: Routes): GroupName {
  if (group.key === null) return { name: t(groupBy === 'person' ? 'filter.alone' : 'filter.unknown') }
  return names[groupBy]?.(group.key, group, routes) ?? { name: group.name ?? group.key }
}

/** The filter of each route by its codes. */
export const routesOf = (flights: readonly Flight[]): Map<string, string> =>
  new Map(rankRoutes(flights).map(({ item: { a, b } }) => [`${codeOf(a)}-${codeOf(b)}`, `${a.id}-${b.id}`]))
