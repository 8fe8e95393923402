/** The words and bars of time on the map: the same in the panel and in files. */

import type { Rgb } from '../../../../server/domain/colour.ts'
import { t } from '../../i18n/i18n.svelte.ts'
import { airportCity, distanceIn, formatDate, formatNumber } from '../../lib/format.ts'
import { session } from '../../session/session.svelte.ts'
import type { Caption } from './caption.ts'
import { type Bar, barsOf, shareOf, type Tick, ticksOf } from './histogram.ts'
import type { TimeMode } from './mode.svelte.ts'
import { rampOf } from './ramp.ts'
import {
  type Figures,
  periodsOf,
  planeTime,
  presentAt,
  rangeOf,
  shownMonth,
  Tally,
  type Timeline,
} from './timeline.ts'

/** Room for a year under the bars. */
const TICK = 42
const NARROW = 600
/** The stop that is the blue of the app. */
const PLAIN = 1

export function barsFor(timeline: Timeline, width: number): Bar[] {
  return barsOf(timeline, timeline.perYear.length === 1 ? 1 : width < NARROW ? 6 : 3)
}

export const ticksFor = (timeline: Timeline, width: number): Tick[] => ticksOf(timeline, width, TICK)

/** A year, or the name of a month. */
export function tickText({ perYear }: Timeline, value: number): string {
  if (perYear.length > 1) return String(value)
  return new Intl.DateTimeFormat(document.documentElement.lang, { month: 'short', timeZone: 'UTC' }).format(
    Date.UTC(2000, value - 1, 1),
  )
}

/** The colour of each bar; null where nothing is shown yet or any more. Only the years have colours of their own. */
export function barColours(
  bars: readonly Bar[],
  { timeline, stops, colouring, from }: TimeMode,
  moment: number,
): (Rgb | null)[] {
  const periods = periodsOf(timeline)
  const ramp = rampOf(stops, periods.count)
  return bars.map((bar, i) => {
    const end = bars[i + 1]?.moment ?? timeline.end
    if (bar.moment >= moment || end <= from) return null
    return (colouring === 'years' ? ramp[periods.of(bar.moment)] : stops[PLAIN]) ?? null
  })
}

export const figureTexts = (figures: Figures): [string, string, string][] => [
  [formatNumber(figures.flights), '', t('map.flights')],
  [formatNumber(distanceIn(figures.distanceKm)), session.preferences.distanceUnit, t('map.distance')],
  [formatNumber(figures.airports), '', t('map.airports')],
  [formatNumber(figures.countries), '', t('map.countries')],
]

export const monthText = (moment: number): string =>
  formatDate(new Date(moment).toISOString().slice(0, 10), 'month')

export function routeText(flight: TimeMode['shown']['flight'] | undefined): string {
  return flight ? t('time.route', { from: airportCity(flight.from), to: airportCity(flight.to) }) : ''
}

/** For files: everything at a moment, which moves on in a film. */
export function createCaptions(mode: TimeMode): (moment: number, width: number) => Caption {
  const { timeline, from, speed } = mode
  const tally = new Tally(timeline)
  let [bars, barsOfWidth]: [Bar[], number] = [[], 0]
  return (moment, width) => {
    if (width !== barsOfWidth) [bars, barsOfWidth] = [barsFor(timeline, width), width]
    const range = rangeOf(timeline, from, moment)
    const present = presentAt(timeline, from, moment, planeTime(speed))
    return {
      title: monthText(shownMonth(timeline, moment)),
      subtitle: routeText(present ? timeline.flights[present.index] : null),
      figures: figureTexts(tally.of(...range)),
      bars,
      ticks: ticksFor(timeline, width).map(({ x, value }) => ({ x, text: tickText(timeline, value) })),
      colours: barColours(bars, mode, moment),
      from: shareOf(timeline, from),
      until: shareOf(timeline, moment),
    }
  }
}
