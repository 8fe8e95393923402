// One reading of a subscribed calendar. Events have ids: an imported event is not created again even if the person deleted
// the flight, a reported one is not reported again, and a missing one is shown, never deleted.
import { createHash } from 'node:crypto'
import { CALENDAR_EVERY_MS } from '../../domain/intake/intake.ts'
import type { Services } from '../../door/services.ts'
import type { Draft } from '../../services/imports/drafting/draft.ts'
import { calendarAddress, type FetchedCalendar, fetchCalendar } from '../../services/intake/calendar.ts'
import { IntakeError, intakeRules, sealPurposes, unsealOrNot } from '../../services/intake/reach.ts'
import type { StoredRow } from '../../store/imports/rows.ts'
import { type CalendarMemory, type Subscription, subscriptions } from '../../store/intake/subscriptions.ts'
import { takeIn } from './intake.ts'
import { logArrival } from './read-mailbox.ts'
import { createSchedule, readWell, type Turn } from './schedule.ts'

/** The number of event ids stored per calendar; one with more events has few flights among them. */
const IDS_AT_MOST = 5000
const MISSING_AT_MOST = 100

export const calendarSchedule = createSchedule<Subscription>({
  what: 'subscription',
  noun: 'Subscription',
  setting: 'subscriptions',
  queries: subscriptions,
  everyMs: CALENDAR_EVERY_MS,
  nameOf: ({ name }) => name,
  async read(services, turn, signal) {
    const address = addressOf(services, turn.source)
    const fetched = await fetchCalendar(address, turn.source, intakeRules(services.config), signal)
    return takeCalendar(services, turn, fetched)
  },
})

/** The first reading, of a calendar that was fetched during the request. */
export const readFetched = (
  services: Services,
  turn: Turn<Subscription>,
  fetched: FetchedCalendar,
): Promise<Subscription | undefined> =>
  calendarSchedule.record(services, turn, () => takeCalendar(services, turn, fetched))

function addressOf({ secret }: Pick<Services, 'secret'>, { userId, url }: Subscription): URL {
  const text = unsealOrNot(secret, sealPurposes.subscription(userId), url)
  const address = text === undefined ? undefined : calendarAddress(text)
  if (!address) throw new IntakeError('secret_unreadable')
  return address
}

/** Imports what was fetched. If it is unchanged, only the time of the check is recorded. */
async function takeCalendar(
  services: Services,
  { source: subscription, lease }: Turn<Subscription>,
  fetched: FetchedCalendar,
): Promise<Subscription | undefined> {
  const { bytes, etag, lastModified } = fetched
  if (!bytes) {
    const after = { ...subscription, ...readWell(services, CALENDAR_EVERY_MS), httpStatus: 304 }
    return services.store.transaction((tx) => subscriptions.finish(tx, after, lease))
  }
  const { memory } = subscription
  const [taken, told] = [new Set(memory.taken), new Set(memory.waiting)]
  let after: Subscription | undefined
  const arrival = {
    userId: subscription.userId,
    way: 'calendar' as const,
    name: subscription.name,
    bytes,
    filename: `${subscription.name}.ics`,
    isSettled: (row: StoredRow) =>
      row.verdict === 'new' && row.done === null && idsOf(row).some((id) => taken.has(id)),
    isTold: (row: StoredRow) => told.has(markOf(row)),
  }
  const arrived = await takeIn(services, arrival, async (tx, { rows }) => {
    const read = {
      ...subscription,
      ...readWell(services, CALENDAR_EVERY_MS),
      etag,
      lastModified,
      httpStatus: 200,
      lastChangedAt: new Date(services.clock.now()).toISOString(),
      memory: rows.length > 0 ? remember(memory, rows) : memory,
    }
    after = await subscriptions.finish(tx, read, lease)
    if (!after) throw new IntakeError('failed')
  })
  logArrival(services, 'read a calendar', { subscription: subscription.id }, arrived)
  return after
}

// Known events

const idsOf = ({ draft }: StoredRow): string[] => Object.values((draft as Draft | null)?.externalIds ?? {})

/** Changes whenever what the person would be told about this record changes. */
const markOf = (row: StoredRow): string =>
  createHash('sha256')
    .update(JSON.stringify([idsOf(row), row.raw, row.verdict, row.code, row.updates]))
    .digest('base64url')
    .slice(0, 12)

const isInLog = ({ done, verdict, of }: StoredRow): boolean =>
  done === 'created' || done === 'updated' || (verdict === 'duplicate' && of !== null && 'flightId' in of)

function remember(memory: CalendarMemory, rows: readonly StoredRow[]): CalendarMemory {
  const present = rows.flatMap(idsOf)
  const taken = new Set([...memory.taken, ...rows.filter(isInLog).flatMap(idsOf)])
  return {
    taken: [...taken].slice(-IDS_AT_MOST),
    waiting: rows
      .filter(({ done }) => done === null)
      .map(markOf)
      .slice(-IDS_AT_MOST),
    ...gone(memory, present),
  }
}

/** Events that disappeared from the calendar. One that comes back is present again. */
function gone(memory: CalendarMemory, now: readonly string[]): Pick<CalendarMemory, 'present' | 'missing'> {
  const present = new Set(now)
  const known = new Set([...memory.missing, ...memory.present])
  return {
    present: [...present].slice(-IDS_AT_MOST),
    missing: [...known].filter((id) => !present.has(id)).slice(-MISSING_AT_MOST),
  }
}
