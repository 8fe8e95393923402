// Notifications: which kinds there are, when a reminder is due and when quiet hours end.
import type { DatePrecision, Outcome } from '../enums.ts'
import { effectiveDeparture } from '../flights/best-times.ts'
import { takesPlace } from '../flights/outcome.ts'
import type { NoticeKind } from '../people/notices.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../time/durations.ts'
import { addDays, clockChanges, instantOf, localDate, readingsOf } from '../time/time.ts'

export const channels = ['push', 'mail', 'both', 'none'] as const
export type Channel = (typeof channels)[number]
export type Urgency = 'low' | 'normal' | 'high'

interface KindRule {
  /** Notices of these kinds are sent as notifications of this one. */
  notices: readonly NoticeKind[]
  /** How long a message stays of use. A reminder expires at departure. */
  lifetimeMs: number
  urgency: Urgency
  passesQuietHours: boolean
}

export const notificationKinds = ['reminder', 'status', 'intake', 'imports', 'security'] as const
export type NotificationKind = (typeof notificationKinds)[number]

export const kindRules: Readonly<Record<NotificationKind, KindRule>> = {
  reminder: { notices: [], lifetimeMs: 0, urgency: 'normal', passesQuietHours: false },
  status: { notices: [], lifetimeMs: 2 * HOUR, urgency: 'high', passesQuietHours: false },
  intake: {
    notices: ['import.arrived', 'intake.stopped', 'flight.added'],
    lifetimeMs: DAY,
    urgency: 'low',
    passesQuietHours: false,
  },
  imports: {
    notices: ['import.waiting'],
    lifetimeMs: DAY,
    urgency: 'low',
    passesQuietHours: false,
  },
  security: {
    notices: [
      'session.new',
      'second-factor.failed',
      'share.published',
      'role.gained',
      'backup.failed',
      'webhook.stopped',
    ],
    lifetimeMs: DAY,
    urgency: 'high',
    passesQuietHours: true,
  },
}

/** The kind of notification that a notice becomes; undefined if it is only shown in the app. */
export const kindOfNotice = (notice: NoticeKind): NotificationKind | undefined =>
  notificationKinds.find((kind) => kindRules[kind].notices.includes(notice))

export const DEVICES_AT_MOST = 10

export const isByPush = (channel: Channel): boolean => channel === 'push' || channel === 'both'
export const isByMail = (channel: Channel): boolean => channel === 'mail' || channel === 'both'

// Reminders

interface Reminded {
  date: string
  datePrecision: DatePrecision
  outcome: Outcome
  departure: string | null
  takeoffActual: string | null
  departureScheduled: string | null
  takeoffScheduled: string | null
}

/**
 * The instant of departure that reminders count from; null for a flight that gets none. `estimated` is what a source of the
 * flight's status expects.
 */
export function remindedDeparture(flight: Reminded, estimated: string | null = null): number | null {
  if (flight.datePrecision !== 'day' || !takesPlace(flight)) return null
  const departure = estimated ?? effectiveDeparture(flight)
  return departure === null ? null : instantOf(departure)
}

interface DueTime {
  minutes: number
  dueAt: number
  /** If it could not be sent by then, for example because the server was off, it is dropped. */
  lateUntil: number
}

/**
 * When the reminders of a departure are due, the earliest first. Only instants are compared, so no clock change moves them. A
 * reminder is sent late until half of its lead time has passed, unless a shorter one is due by then.
 */
export function dueTimes(departure: number, reminderMinutes: readonly number[]): DueTime[] {
  const longestFirst = [...new Set(reminderMinutes)].sort((a, b) => b - a)
  return longestFirst.map((minutes, i) => {
    const dueAt = departure - minutes * MINUTE
    const half = dueAt + (minutes * MINUTE) / 2
    const shorter = longestFirst[i + 1]
    const next = shorter === undefined ? half : departure - shorter * MINUTE
    return { minutes, dueAt, lateUntil: Math.min(half, next) }
  })
}

/** Whether a reminder that is due still says something: it is chosen, and no shorter one of that departure is due too. */
export const isWorthSaying = (
  minutes: number,
  departure: number,
  reminderMinutes: readonly number[],
  now: number,
): boolean =>
  reminderMinutes.includes(minutes) &&
  !reminderMinutes.some((other) => other < minutes && departure - other * MINUTE <= now)

export const reminderUrgency = (minutes: number): Urgency => (minutes <= 240 ? 'high' : 'normal')

// Quiet hours

/** Local times HH:MM; `to` may be on the next day. */
interface QuietHours {
  from: string
  to: string
}

/**
 * When the quiet hours end that `now` is in; null if it is in none. Times are those of clocks in the zone. A time that the
 * clocks skip is the first one after the gap.
 */
export function quietUntil(now: number, quiet: QuietHours | null, zone: string): number | null {
  if (!quiet) return null
  const today = localDate(now, zone)
  const isOverMidnight = quiet.to < quiet.from
  for (const start of [addDays(today, -1), today]) {
    const from = clockTime(start, quiet.from, zone).first
    const to = clockTime(isOverMidnight ? addDays(start, 1) : start, quiet.to, zone).last
    if (from <= now && now < to) return to
  }
  return null
}

/** The instants of a local time: the same unless the clocks show it twice. */
function clockTime(date: string, time: string, zone: string): { first: number; last: number } {
  const local = `${date}T${time}`
  const { instants, isMoved } = readingsOf(local, zone)
  if (isMoved) {
    const end = endOfGap(local, zone)
    return { first: end, last: end }
  }
  return { first: instants[0]!, last: instants.at(-1)! }
}

/** The instant at which the clocks skipped this local time. */
function endOfGap(local: string, zone: string): number {
  const wall = instantOf(`${local}Z`)
  const changes = clockChanges(Number(local.slice(0, 4)), zone).map((change) => {
    const from = instantOf(`${change.local}Z`)
    return { ...change, from, to: from + (change.after - change.before) * SECOND }
  })
  const gap = changes.find(({ from, to }) => from <= wall && wall < to)
  return gap ? gap.from - gap.before * SECOND : readingsOf(local, zone).instants[0]!
}
