// What a visitor of a share sees, in a sentence: by the same rules as its contents (operations/sharing/contents.ts).

/** The owner's choices. */
export interface ShareSettings {
  showMap: boolean
  showStats: boolean
  showFlightList: boolean
  dateFrom: string | null
  dateTo: string | null
  showFlightNumbers: boolean
  showAirlines: boolean
  showAircraft: boolean
  showTimes: boolean
  showTracks: boolean
  showDates: boolean
  showSeat: boolean
}

/** The subject of a share: a flight, a trip, or the whole log if both are null. */
export interface ShareSubject {
  flightId: number | null
  tripId: number | null
}

interface Shown extends ShareSettings, ShareSubject {
  expiresAt: string | null
}

const parts = [
  ...['showMap', 'showStats', 'showFlightList', 'showFlightNumbers', 'showAirlines'],
  ...['showAircraft', 'showTimes', 'showTracks', 'showDates', 'showSeat'],
] as readonly (keyof ShareSettings)[]

/** Whether `after` may show a visitor something that `before` did not, or for longer. */
export const showsMore = (before: Shown, after: Shown): boolean =>
  parts.some((part) => after[part] && !before[part]) ||
  isBeyond(before.expiresAt, after.expiresAt, (limit, value) => value > limit) ||
  isBeyond(before.dateTo, after.dateTo, (limit, value) => value > limit) ||
  isBeyond(before.dateFrom, after.dateFrom, (limit, value) => value < limit)

/** Null means no limit. */
const isBeyond = (
  limit: string | null,
  value: string | null,
  passes: (limit: string, value: string) => boolean,
): boolean => limit !== null && (value === null || passes(limit, value))

/** `Anyone with the link sees your map and statistics, without dates, until 2027-01-01.` */
export function visitorSees(share: Shown, now: number): string {
  const { showMap, showStats, showFlightList, expiresAt } = share
  if (expiresAt !== null && Date.parse(expiresAt) <= now)
    return `The link expired on ${momentOf(expiresAt)} and cannot be opened.`
  const rows = share.flightId === null ? 'flights as a list' : 'details'
  const shown = [showMap && 'map', showStats && 'statistics', showFlightList && rows].filter(
    (part) => part !== false,
  )
  if (shown.length === 0) return 'Anyone with the link sees your name and nothing else: no part is enabled.'
  const until = expiresAt === null ? '' : `, until ${momentOf(expiresAt)}`
  return `Anyone with the link sees ${whoseOf(share)} ${joined(shown)}${periodOf(share)}${detailsOf(share)}${until}.`
}

function whoseOf({ flightId, tripId }: Shown): string {
  if (flightId !== null) return `flight ${flightId} alone: its`
  return tripId === null ? 'your' : `trip ${tripId} alone: its name,`
}

function periodOf({ dateFrom, dateTo }: Shown): string {
  if (dateFrom !== null && dateTo !== null) return ` from ${dateFrom} to ${dateTo}`
  if (dateFrom !== null) return ` from ${dateFrom} on`
  return dateTo === null ? '' : ` up to ${dateTo}`
}

/** Chosen details that have a place: a map shows neither airlines nor times, and only a list has numbers. */
function detailsOf(share: Shown): string {
  const { showMap, showStats, showFlightList: isList } = share
  const isTold = showStats || isList
  const details = [
    isTold && share.showDates && 'dates',
    isList && share.showFlightNumbers && 'flight numbers',
    isTold && share.showAirlines && 'airlines',
    isTold && share.showAircraft && 'aircraft',
    isTold && share.showTimes && 'times',
    isTold && share.showSeat && 'your seats and classes',
    showMap && share.showTracks && 'recorded tracks',
  ].filter((detail) => detail !== false)
  const given = details.length > 0 ? `, with ${joined(details)}` : ''
  return share.showDates ? given : `${given}, without dates`
}

/** `a, b and c` */
const joined = (words: readonly string[]): string =>
  words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${words.at(-1)}` : (words[0] ?? '')

/** The day, and the time unless it is midnight. */
function momentOf(dateTime: string): string {
  const [day, time] = new Date(dateTime).toISOString().split('T') as [string, string]
  return time.startsWith('00:00:00') ? day : `${day} ${time.slice(0, 5)} UTC`
}
