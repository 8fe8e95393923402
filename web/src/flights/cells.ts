/** What the cells of the list say. */

import type { Flight, LogPayload } from '../api/log.ts'
import { i18n, t } from '../i18n/i18n.svelte.ts'
import { airportCity, formatDuration, formatNumber } from '../lib/format.ts'

/** Of the list's grid, the one with the boxes of a selection included. */
export const COLUMNS = 11

/** Seconds → "1 h 40", for a column of them. */
function shortDuration(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  if (hours === 0) return t('unit.minutes', { minutes: String(rest) })
  return t('list.hours', { hours: formatNumber(hours), minutes: String(rest).padStart(2, '0') })
}

/**
 * Seconds between the clocks of a flight whose duration is not recorded, or null if one of them is not known. Beside planned
 * times an estimate from the distance would contradict them; statistics keep to the estimate.
 */
export const plannedSeconds = ({ departs, arrives }: Pick<Flight, 'departs' | 'arrives'>): number | null =>
  departs !== null && arrives !== null && arrives > departs ? (arrives - departs) / 1000 : null

/** The duration of a row for the eye and, in words, for the ear. */
export function durationTexts(flight: Flight): { short: string; words: string } | null {
  if (flight.duration === null) return null
  const planned = flight.durationEstimated ? plannedSeconds(flight) : null
  if (planned !== null)
    return {
      short: shortDuration(planned),
      words: t('flight.durationPlanned', { duration: formatDuration(planned) }),
    }
  const [short, duration] = [shortDuration(flight.duration), formatDuration(flight.duration)]
  return flight.durationEstimated
    ? { short: `≈${short}`, words: t('flight.durationEstimated', { duration }) }
    : { short, words: duration }
}

/** "+48 min", "−4 min", "on time"; the sign is always written. */
export function shortDelay(minutes: number): string {
  if (minutes === 0) return t('flight.onTime')
  return `${minutes > 0 ? '+' : '−'}${shortDuration(Math.abs(minutes) * 60)}`
}

export function delayWords(minutes: number): string {
  if (minutes === 0) return t('flight.onTime')
  const duration = formatDuration(Math.abs(minutes) * 60)
  return minutes > 0 ? t('flight.late', { duration }) : t('flight.early', { duration })
}

/** "UTC+2", or "UTC+2 to +3" where they differ; UTC itself is "+0" there, which has room in the column. */
export function shortZones(departure: string | undefined, arrival: string | undefined): string {
  if (!departure || !arrival || departure === arrival) return departure || arrival || ''
  return t('list.zones', { from: departure, to: arrival.slice(3) || '+0' })
}

/** "17 h" for full hours. */
export const wholeDuration = (seconds: number): string =>
  seconds >= 3600 && seconds % 3600 < 60
    ? t('unit.hours', { hours: formatNumber(Math.floor(seconds / 3600)) })
    : formatDuration(seconds)

/** "3 h 40 min in Frankfurt", said as a layover where the place on the screen does not say so. */
export function layoverText(
  airport: Flight['from'],
  seconds: number | null,
  known: 'flights.layover' | 'flights.layoverLabel',
): string {
  const city = airportCity(airport)
  return seconds === null
    ? t('flights.stop', { city })
    : t(known, { duration: formatDuration(seconds), city })
}

interface Traveller {
  key: string
  name: string
  initial: string
  /** One of the six categorical colours, always the same for a person. */
  tint: number
}

export const travellersOf = (flight: Flight, users: LogPayload['users']): Traveller[] =>
  flight.passengers.map(({ user, guest }) => {
    const name = (user ? users[user]?.displayName : guest) ?? ''
    return {
      key: user ?? `guest ${guest}`,
      name,
      initial: name.slice(0, 1).toLocaleUpperCase(i18n.tag),
      tint: tintOf(user ?? name),
    }
  })

/** As in the switch of people. */
const tintOf = (text: string): number =>
  1 + ([...text].reduce((sum, letter) => sum + letter.codePointAt(0)!, 0) % 6)
