/** One moment of a flight, in words. */

import { type Light, lightAt, sunAltitude } from '../../../../server/domain/geo/sun.ts'
import { MINUTE } from '../../../../server/domain/time/durations.ts'
import type { Timed } from '../../globe/way/flown-way.ts'
import { t } from '../../i18n/i18n.svelte.ts'
import { formatDuration, formatTime } from '../../lib/format.ts'

/** "02:08 UTC". */
function utcClock(ms: number): string {
  const rounded = Math.round(ms / MINUTE) * MINUTE
  return t('flightpage.utc', { time: formatTime(new Date(rounded).toISOString().slice(11, 16)) })
}

/** "02 UTC", of a full hour. */
export function utcHour(ms: number): string {
  const time = formatTime(new Date(ms).toISOString().slice(11, 16))
  return t('flightpage.utc', { time: time.replace(/[:.]00/, '') })
}

export const lightColours: Record<Light, string> = {
  night: 'var(--sun-night)',
  twilight: 'var(--sun-dawn)',
  day: 'var(--sun-day)',
}

export interface Moment {
  kind: Light | 'sunrise' | 'sunset'
  /** The light or its change, such as "Sunrise". */
  name: string
  clock: string
  /** "4 h 50 min in". */
  since: string
}

/** A moment within two minutes of sunrise or sunset is named after it. */
export function momentOf({ departs, at: way, light }: Timed, at: number): Moment {
  const turn = light.turns.find((one) => Math.abs(one.at - at) < 2 * MINUTE)
  const { lat, lon } = way(at)
  const kind = turn?.kind ?? lightAt(sunAltitude(at, lat, lon))
  return {
    kind,
    name: t(`flightpage.light.${kind}`),
    clock: utcClock(at),
    since: t('flightpage.since', { duration: formatDuration((at - departs) / 1000) }),
  }
}
