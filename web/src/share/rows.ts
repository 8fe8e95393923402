/** The lines of a shared flight, on the public page and in the preview of a link. */
import { t } from '../i18n/i18n.svelte.ts'
import { formatClock, formatDayShift } from '../lib/format.ts'
import type { ShownRow } from './shared.ts'

export const rowDetail = (row: ShownRow): string =>
  [
    row.flightNumber,
    row.airline,
    row.aircraft,
    row.aircraftReg,
    row.seatNumber ?? (row.seat && t(`seat.${row.seat}`)),
    row.seatClass && t(`class.${row.seatClass}`),
  ]
    .filter(Boolean)
    .join(' · ')

/** Only the time of day is known. */
export function rowClocks({ departureTime, arrivalTime, dayShift }: ShownRow): string {
  const times = [departureTime, arrivalTime].flatMap((time) =>
    time ? [formatClock(`2000-01-01T${time}`)] : [],
  )
  return times.length ? `${times.join(' – ')} ${formatDayShift(dayShift ?? 0)}`.trim() : ''
}
