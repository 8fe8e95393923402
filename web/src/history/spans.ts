import { HOUR } from '../../../server/domain/time/durations.ts'
/** How far back "undo everything since" goes. */

export const spans = ['hour', 'today', 'day', 'week'] as const
export type Span = (typeof spans)[number]

const lengths: Record<Exclude<Span, 'today'>, number> = {
  hour: HOUR,
  day: 24 * HOUR,
  week: 168 * HOUR,
}

/** Today begins at midnight in the person's time zone. */
export function momentOf(span: Span, now: number): string {
  if (span !== 'today') return new Date(now - lengths[span]).toISOString()
  const midnight = new Date(now)
  midnight.setHours(0, 0, 0, 0)
  return midnight.toISOString()
}
