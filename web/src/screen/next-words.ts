/** The next flight as text: "Tomorrow 12:30", "in 3 h 20 min", "In the air · lands 21:13". */

import { i18n, t } from '../i18n/i18n.svelte.ts'
import { formatDate, formatDuration, formatWeekday, type ShownTime } from '../lib/format.ts'
import { session } from '../session/session.svelte.ts'
import { type Ahead, aheadOf } from './next.ts'

interface Shown {
  departure: ShownTime | null
  arrival: ShownTime | null
  isArrivalEstimated: boolean
}

interface AheadWords {
  when: string
  /** Empty where the day is enough. */
  countdown: string
}

const HOURS_24 = 86_400

/** Null for a flight that is neither upcoming nor in the air. */
export function aheadWords(
  flight: Parameters<typeof aheadOf>[0],
  { departure, arrival, isArrivalEstimated }: Shown,
  now: number,
): AheadWords | null {
  const ahead = aheadOf(flight, now, shownZone())
  if (!ahead) return null
  if (ahead.kind === 'air') {
    const time = arrival && `${isArrivalEstimated ? '≈\u00a0' : ''}${arrival.clock}`
    return { when: t('flights.inAir'), countdown: time ? t('next.lands', { time }) : '' }
  }
  const when = [dayWord(ahead), departure?.clock].filter(Boolean).join(' ')
  return { when, countdown: countdownWord(ahead) }
}

/** Zone of the displayed times; undefined for airport time. */
function shownZone(): string | undefined {
  const { flightTimeDisplay } = session.preferences
  if (flightTimeDisplay === 'airport') return undefined
  return flightTimeDisplay === 'utc' ? 'UTC' : Intl.DateTimeFormat().resolvedOptions().timeZone
}

type Departs = Extract<Ahead, { kind: 'departs' }>

const inDays = (days: number): string =>
  new Intl.RelativeTimeFormat(i18n.tag, { numeric: 'auto' }).format(days, 'day')

function dayWord({ day, days }: Departs): string {
  const word = days < 2 ? inDays(days) : days < 7 ? formatWeekday(day, 'long') : formatDate(day)
  return word.slice(0, 1).toLocaleUpperCase(i18n.tag) + word.slice(1)
}

function countdownWord({ days, seconds }: Departs): string {
  if (seconds !== null && seconds < HOURS_24)
    return t('next.in', { duration: formatDuration(Math.ceil(seconds / 60) * 60) })
  return days < 2 ? '' : inDays(days)
}
