/** Names of the badges. */

import {
  type BadgeKind,
  badgeLevels,
  EARTH_KM,
  POLAR_CIRCLE,
} from '../../../../server/domain/statistics/badges.ts'
import { t } from '../../i18n/i18n.svelte.ts'
import { formatDistance, formatNumber } from '../../lib/format.ts'

const distanceWords = [
  () => t('insight.earth'),
  (level: number) => t('insight.earths', { count: formatNumber(level / EARTH_KM) }),
  () => t('insight.moon'),
  () => t('insight.moonBack'),
]

const degrees = (value: number) => formatNumber(value, 1)

const levelWords: Record<BadgeKind, (level: number) => string> = {
  distance: (level) => distanceWords[badgeLevels.distance.indexOf(level)]?.(level) ?? formatDistance(level),
  countries: (count) => t('insight.countries', { count }),
  continents: (count) => t('insight.continents', { count }),
  families: (count) => t('insight.families', { count }),
  equator: (count) => t('insight.crossings', { count }),
  dateLine: (count) => t('insight.crossings', { count }),
  north: (level) =>
    level === POLAR_CIRCLE ? t('insight.arctic') : t('insight.north', { degrees: degrees(level) }),
  south: (level) =>
    level === POLAR_CIRCLE ? t('insight.antarctic') : t('insight.south', { degrees: degrees(level) }),
}

export const levelText = (kind: BadgeKind, level: number): string => levelWords[kind](level)

/** The value of a level; the poles are known by their letter. */
export function valueText(kind: BadgeKind, value: number): string {
  if (kind === 'distance') return formatDistance(value)
  if (kind === 'north') return t('insight.north', { degrees: degrees(value) })
  if (kind === 'south') return t('insight.south', { degrees: degrees(value) })
  return formatNumber(value)
}
