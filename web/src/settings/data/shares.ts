import { DAY } from '../../../../server/domain/time/durations.ts'
/** The switches of a share: which parts the page has, and which details of a flight it shows. */
export const parts = [
  { name: 'showMap', label: 'share.part.map' },
  { name: 'showStats', label: 'share.part.stats' },
  { name: 'showFlightList', label: 'share.part.list' },
] as const

export const details = [
  { name: 'showDates', label: 'share.detail.dates' },
  { name: 'showTimes', label: 'share.detail.times' },
  { name: 'showFlightNumbers', label: 'share.detail.numbers' },
  { name: 'showAirlines', label: 'share.detail.airlines' },
  { name: 'showAircraft', label: 'share.detail.aircraft' },
  { name: 'showSeat', label: 'share.detail.seat' },
  { name: 'showTracks', label: 'share.detail.tracks' },
] as const

export const lifetimes = ['never', 'day', 'week', 'month', 'quarter', 'date'] as const
export type Lifetime = (typeof lifetimes)[number]
const days: Partial<Record<Lifetime, number>> = { day: 1, week: 7, month: 30, quarter: 90 }

/** When a share of this lifetime ends. A chosen date is included, in the browser's time zone. */
export function endOf(lifetime: Lifetime, day: string): string | null {
  const count = days[lifetime]
  if (count !== undefined) return new Date(Date.now() + count * DAY).toISOString()
  if (lifetime === 'never' || !day) return null
  const end = new Date(`${day}T23:59:59`)
  return Number.isNaN(end.getTime()) ? null : end.toISOString()
}

/** The calendar day of an instant in the browser's time zone, for a date input. */
export function dayOf(instant: string): string {
  const date = new Date(instant)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
