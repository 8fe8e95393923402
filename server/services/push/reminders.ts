// Finds the reminders that are due. Due times are kept in memory and read again when flights, settings or devices changed; the
// key of a notification prevents a second one, whatever the clock does and however many processes look.
import type { Clock } from '../../base/clock.ts'
import { createSlices } from '../../base/in-steps.ts'
import { dueTimes, remindedDeparture } from '../../domain/push/notifications.ts'
import { addDays, utcDate } from '../../domain/time/calendar.ts'
import { HOUR } from '../../domain/time/durations.ts'
import { toJson } from '../../store/engine/codecs.ts'
import { CHANGES, EPOCH, NOTIFICATIONS, readRevisions } from '../../store/engine/revisions.ts'
import { anyoneHasChannel, insertNotifications } from '../../store/push/queue.ts'
import { listReminded } from '../../store/push/readers.ts'
import { toSettings } from '../../store/push/settings.ts'
import type { Store } from '../../store/store.ts'
import type { ReminderData } from './expand.ts'

const FLIGHTS_AT_ONCE = 500
const REMINDERS_AT_ONCE = 200
/** As time passes, flights come into view. */
const READ_AGAIN_MS = HOUR
/** A reminder comes three days before an instant at most, and the local date may be a day ahead. */
const DAYS_AHEAD = 4

interface Reminder {
  key: string
  userId: string
  flightId: number
  data: ReminderData
  dueAt: number
  lateUntil: number
  departure: number
}

interface Reminders {
  /** Inserts what is due. */
  look(): Promise<void>
}

export function createReminders({ store, clock }: { store: Store; clock: Clock }): Reminders {
  let upcoming: Reminder[] = []
  let seen = ''
  let readAt = 0
  /** Keys that were inserted, until they are too late anyway. */
  const inserted = new Map<string, number>()

  async function readIfChanged(now: number): Promise<void> {
    const counters = (await readRevisions(store.read, [CHANGES, NOTIFICATIONS, EPOCH])).join('.')
    if (counters === seen && now >= readAt && now - readAt < READ_AGAIN_MS) return
    upcoming = (await anyoneHasChannel(store.read, {})) ? await readUpcoming(store, now) : []
    seen = counters
    readAt = now
  }

  return {
    async look() {
      const now = clock.now()
      await readIfChanged(now)
      for (const [key, until] of inserted) if (until <= now) inserted.delete(key)
      const due = upcoming.filter(
        ({ key, dueAt, lateUntil, departure }) =>
          dueAt <= now && now < lateUntil && now < departure && !inserted.has(key),
      )
      for (let start = 0; start < due.length; start += REMINDERS_AT_ONCE) {
        const some = due.slice(start, start + REMINDERS_AT_ONCE)
        await store.transaction((tx) => insertNotifications(tx, some.map(rowOf)))
        for (const { key, lateUntil } of some) inserted.set(key, lateUntil)
      }
    },
  }
}

const rowOf = ({ key, userId, flightId, data, dueAt, departure }: Reminder) => ({
  userId,
  key,
  kind: 'reminder' as const,
  flightId,
  data: toJson(data),
  dueAt: new Date(dueAt).toISOString(),
  expiresAt: new Date(departure).toISOString(),
})

async function readUpcoming(store: Store, now: number): Promise<Reminder[]> {
  const today = utcDate(now)
  const between = { from: addDays(today, -1), to: addDays(today, DAYS_AHEAD) }
  const slices = createSlices()
  const found: Reminder[] = []
  for (let after = 0; ; ) {
    const rows = await listReminded(store.read, { ...between, after, most: FLIGHTS_AT_ONCE })
    for (const row of rows) {
      const { kinds, reminderMinutes } = toSettings(row.settings)
      const departure = remindedDeparture(row)
      if (departure === null || departure <= now || kinds.reminder === 'none') continue
      found.push(...remindersOf(row, departure, reminderMinutes).filter(({ lateUntil }) => now < lateUntil))
    }
    if (rows.length < FLIGHTS_AT_ONCE) return found
    after = rows.at(-1)!.place
    await slices.next()
  }
}

const remindersOf = (
  { userId, flightId, date }: { userId: string; flightId: number; date: string },
  departure: number,
  reminderMinutes: readonly number[],
): Reminder[] =>
  dueTimes(departure, reminderMinutes).map(({ minutes, dueAt, lateUntil }) => ({
    key: `${userId}:reminder:${flightId}:${minutes}:${date}`,
    userId,
    flightId,
    data: { minutes, date },
    dueAt,
    lateUntil,
    departure,
  }))
