// Calendars at an address that are read now and then; what they share with mailboxes is in intake-sources.ts.
import { fromJson, toJson } from './codecs.ts'
import { createIntakeQueries, type IntakeSource } from './intake-sources.ts'

/** What earlier readings saw. */
export interface CalendarMemory {
  /** Ids of events that were committed or found in the log: they are not created a second time. */
  taken: string[]
  /** Marks of what waited for the person at the last reading. */
  waiting: string[]
  /** Ids of events of the last reading. */
  present: string[]
  /** Ids of events that the calendar had and has no longer. */
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
  columns: [
    'url',
    'name',
    'etag',
    'last_modified as lastModified',
    'memory',
    'http_status as httpStatus',
    'last_changed_at as lastChangedAt',
  ],
  sealed: 'url',
  toSource: (row) => ({
    ...row,
    memory: { ...nothingSeen, ...fromJson<Partial<CalendarMemory>>(row.memory) },
  }),
  toRow: (subscription) => ({ ...subscription, memory: toJson(subscription.memory) }),
  changes: (p) => ({
    etag: p.etag,
    last_modified: p.lastModified,
    memory: p.memory,
    http_status: p.httpStatus,
    last_changed_at: p.lastChangedAt,
  }),
  newColumns: (p) => ({
    url: p.url,
    host: p.host,
    name: p.name,
    etag: null,
    last_modified: null,
    memory: toJson(nothingSeen),
    http_status: null,
    last_changed_at: null,
  }),
})
