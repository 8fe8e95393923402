/** What a poster says, in the person's language and units. */

import { geoPath } from 'd3-geo'
import { EARTH_KM } from '../../../../server/domain/statistics/badges.ts'
import type { Airport } from '../../globe/types.ts'
import { t } from '../../i18n/i18n.svelte.ts'
import { airportCity, distanceIn, formatNumber } from '../../lib/format.ts'
import { session } from '../../session/session.svelte.ts'
import { ringsIn } from './chart.ts'
import { layoutOf } from './layout.ts'
import type { PosterData, PosterStyle } from './poster.ts'
import { globeProjection } from './projections.ts'
import type { PosterWords } from './sheet.ts'

interface Wanted {
  style: PosterStyle
  title: string
  hasFigures: boolean
  hasName: boolean
}

export const titleFor = (centre: Airport): string => t('poster.headingFrom', { city: airportCity(centre) })

export function wordsOf(data: PosterData, { style, title, hasFigures, hasName }: Wanted): PosterWords {
  return {
    title,
    subtitle: spanText(data.years),
    name: hasName ? (session.user?.displayName ?? '') : '',
    position: style === 'atlas' ? '' : positionText(data.centre),
    once: t('poster.once'),
    often: t('poster.often', { count: data.mostFlown }),
    figures: hasFigures ? figuresOf(data) : [],
    notes: [noteOf(style, data), t('poster.noteTicks')],
    ring: ringText,
    compass: t('poster.compass').split(' '),
  }
}

function spanText(years: PosterData['years']): string {
  if (!years) return ''
  const { first, last } = years
  return first === last
    ? t('poster.spanOne', { year: String(first) })
    : t('poster.span', { first: String(first), last: String(last) })
}

/** The rings are round in kilometres; elsewhere they say what that is. */
const ringText = (km: number): string =>
  `${formatNumber(Math.round(distanceIn(km)))} ${session.preferences.distanceUnit}`

function figuresOf({ totals }: PosterData): PosterWords['figures'] {
  const around = formatNumber(totals.distanceKm / EARTH_KM, 1)
  return [
    [formatNumber(totals.flights), '', t('poster.figureFlights')],
    [
      formatNumber(distanceIn(totals.distanceKm)),
      session.preferences.distanceUnit,
      t('poster.figureAround', { count: around }),
    ],
    [formatNumber(Math.round(totals.seconds / 3600)), 'h', t('poster.figureAir')],
    [formatNumber(totals.airports), '', t('poster.figureAirports')],
    [formatNumber(totals.countries), '', t('poster.figureCountries')],
  ]
}

function noteOf(style: PosterStyle, data: PosterData): string {
  if (style === 'chart') {
    const rings = ringsIn(data).map((km) => formatNumber(Math.round(distanceIn(km))))
    return t('poster.noteChart', { rings: rings.join(', '), unit: session.preferences.distanceUnit })
  }
  if (style === 'atlas') return t('poster.noteAtlas')
  const path = geoPath(globeProjection(layoutOf(style).disc, data))
  const hidden = data.spots.filter(
    ({ airport }) => path({ type: 'Point', coordinates: [airport.longitude, airport.latitude] }) === null,
  ).length
  return hidden > 0 ? t('poster.noteNight', { count: hidden }) : ''
}

/** `55°37′05″ N  12°39′22″ E` */
function positionText({ latitude, longitude }: Airport): string {
  const [north, east, south, west] = t('poster.compass').split(' ') as [string, string, string, string]
  return [sexagesimal(latitude, north, south), sexagesimal(longitude, east, west)].join('  ')
}

function sexagesimal(degrees: number, positive: string, negative: string): string {
  const seconds = Math.round(Math.abs(degrees) * 3600)
  const two = (value: number) => String(value).padStart(2, '0')
  const [whole, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return `${two(whole)}°${two(minutes)}′${two(seconds % 60)}″ ${degrees < 0 ? negative : positive}`
}
