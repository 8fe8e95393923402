// Calendars that are read from an address on a schedule; sources.ts has what they share with mailboxes.
import { fromJson, toJson } from '../engine/codecs.ts'
import { createIntakeQueries, type IntakeSource } from './sources.ts'

/** What earlier runs found. */
export interface CalendarMemory {
  /** Ids of events that were committed or already in the log; they are not created again. */
  taken: string[]
  /** Identifies what needed the person's decision after the last run. */
  waiting: string[]
  /** Ids of the events in the last run. */
  present: string[]
  /** Ids of events that are no longer in the calendar. */
  missing: string[]
}
const nothingSeen: CalendarMemory = { taken: [], waiting: [], present: [], missing: [] }

export interface Subscription extends IntakeSource {
  /** Sealed. */
  url: string
  name: string
  etag: string | null
  lastModified: string | null
  memory: CalendarMemory
  httpStatus: number | null
  lastChangedAt: string | null
}
type SubscriptionRow = Omit<Subscription, 'memory'> & { memory: string }

interface NewSubscription {
  url: string
  host: string
  name: string
}

export const subscriptions = createIntakeQueries<Subscription, SubscriptionRow, NewSubscription>({
  table: 'subscription',
  columns: ['url', 'name', 'etag', 'lastModified', 'memory', 'httpStatus', 'lastChangedAt'],
  sealed: 'url',
  toSource: (row) => ({
    ...row,
    memory: { ...nothingSeen, ...fromJson<Partial<CalendarMemory>>(row.memory) },
  }),
  toRow: (subscription) => ({ ...subscription, memory: toJson(subscription.memory) }),
  changes: ['etag', 'lastModified', 'memory', 'httpStatus', 'lastChangedAt'],
  fresh: {
    etag: null,
    lastModified: null,
    memory: toJson(nothingSeen),
    httpStatus: null,
    lastChangedAt: null,
  },
})
