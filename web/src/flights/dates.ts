/** Calendar days and hours as text; nothing here knows a time zone. */

export function addDays(day: string, days: number): string {
  if (!day) return day
  const date = new Date(`${day}T12:00:00Z`)
  date.setUTCDate(date.getUTCDate() + days)
  return Number.isNaN(date.getTime()) ? day : date.toISOString().slice(0, 10)
}

export function daysBetween(from: string, to: string): number {
  const days = (Date.parse(`${to}T12:00:00Z`) - Date.parse(`${from}T12:00:00Z`)) / 86_400_000
  return Number.isFinite(days) ? Math.round(days) : 0
}

export function formatHours(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
}

/** `2:05`, `2h05`, `2 h`, `125 min` → seconds; null for nothing, NaN for something else. */
export function parseHours(text: string): number | null {
  const trimmed = text.normalize('NFKC').trim().toLowerCase()
  if (!trimmed) return null
  const clock =
    /^(\d{1,4})\s*:\s*(\d\d)\s*(?:h|std)?$/.exec(trimmed) ??
    /^(\d{1,4})\s*(?:h|std\.?)\s*(?:(\d{1,2})\s*(?:m|min)?)?$/.exec(trimmed)
  if (clock)
    return Number(clock[2] ?? 0) > 59 ? Number.NaN : Number(clock[1]) * 3600 + Number(clock[2] ?? 0) * 60
  const minutes = /^(\d{1,5})\s*(?:m|min)$/.exec(trimmed)
  return minutes ? Number(minutes[1]) * 60 : Number.NaN
}
