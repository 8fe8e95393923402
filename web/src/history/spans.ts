/** How far back "undo everything since" goes. */

export const spans = ['hour', 'today', 'day', 'week'] as const
export type Span = (typeof spans)[number]

const HOUR_MS = 3_600_000
const lengths: Record<Exclude<Span, 'today'>, number> = {
  hour: HOUR_MS,
  day: 24 * HOUR_MS,
  week: 168 * HOUR_MS,
}

/** Today begins at midnight where the person is. */
export function momentOf(span: Span, now: number): string {
  if (span !== 'today') return new Date(now - lengths[span]).toISOString()
  const midnight = new Date(now)
  midnight.setHours(0, 0, 0, 0)
  return midnight.toISOString()
}
