// One reading of a subscribed calendar. Events are known by their ids: what was taken before is not created again even if
// the person deleted it, what was told of before is not told again, and an event that is gone is shown, never deleted.
import { createHash } from 'node:crypto'
import { CALENDAR_EVERY_MS, pauseAfter } from '../domain/intake.ts'
import type { Draft } from '../imports/draft.ts'
import { calendarAddress, type FetchedCalendar, fetchCalendar } from '../intake/calendar.ts'
import { IntakeError, intakeRules, sealPurposes, unsealOrNot } from '../intake/reach.ts'
import type { Services } from '../operation.ts'
import type { StoredRow } from '../store/import-rows.ts'
import { insertNotice } from '../store/notices.ts'
import type { Transaction } from '../store/store.ts'
import {
  type CalendarMemory,
  claimSubscription,
  claimThisSubscription,
  finishSubscription,
  hasDueSubscription,
  releaseSubscription,
  type Subscription,
} from '../store/subscriptions.ts'
import { intakeLease, takeIn } from './intake.ts'
import { isTimeToNotify, logArrival } from './intake-mailbox.ts'

/** Ids that are kept of a calendar; one with more events than this has few flights among them. */
const IDS_AT_MOST = 5000
const MISSING_AT_MOST = 100

export interface CalendarTurn {
  subscription: Subscription
  lease: string
}

/** Takes the lease of a subscription that is due; undefined if none is. */
export async function claimDueSubscription(services: Services): Promise<CalendarTurn | undefined> {
  const lease = intakeLease(services)
  if (!(await hasDueSubscription(services.store.read, lease.now))) return undefined
  const subscription = await services.store.transaction((tx) => claimSubscription(tx, lease))
  return subscription && { subscription, lease: lease.lease }
}

/** Of this one; undefined if a process reads it at the moment. */
export async function claimOneSubscription(
  services: Services,
  id: number,
): Promise<CalendarTurn | undefined> {
  const lease = intakeLease(services)
  const subscription = await services.store.transaction((tx) => claimThisSubscription(tx, { ...lease, id }))
  return subscription && { subscription, lease: lease.lease }
}

/** Reads the calendar and records the result. Never throws because of its host; aborting gives the lease back. */
export const readSubscription = (
  services: Services,
  turn: CalendarTurn,
  signal?: AbortSignal,
): Promise<Subscription | undefined> =>
  recordingFailure(services, turn, signal, async () => {
    const { subscription } = turn
    const { etag, lastModified } = subscription
    const address = addressOf(services, subscription)
    const fetched = await fetchCalendar(address, { etag, lastModified }, intakeRules(services.config), signal)
    return takeCalendar(services, turn, fetched)
  })

/** The first reading of one that was fetched while its person was there. */
export const readFetched = (
  services: Services,
  turn: CalendarTurn,
  fetched: FetchedCalendar,
): Promise<Subscription | undefined> =>
  recordingFailure(services, turn, undefined, () => takeCalendar(services, turn, fetched))

async function recordingFailure(
  { store, log, clock }: Services,
  turn: CalendarTurn,
  signal: AbortSignal | undefined,
  read: () => Promise<Subscription | undefined>,
): Promise<Subscription | undefined> {
  const { id, host } = turn.subscription
  try {
    return await read()
  } catch (error) {
    if (signal?.aborted) {
      await store.transaction((tx) => releaseSubscription(tx, id, turn.lease))
      return undefined
    }
    if (!(error instanceof IntakeError)) throw error
    log.info('a calendar could not be read', { subscription: id, host, problem: error.message })
    return store.transaction((tx) => recordFailure(tx, clock.now(), turn, error))
  }
}

function addressOf({ secret }: Services, { userId, url }: Subscription): URL {
  const text = unsealOrNot(secret, sealPurposes.subscription(userId), url)
  const address = text === undefined ? undefined : calendarAddress(text)
  if (!address) throw new IntakeError('secret_unreadable')
  return address
}

/** What was fetched, as an import; unchanged, it is only noted that it was looked at. */
async function takeCalendar(
  services: Services,
  turn: CalendarTurn,
  fetched: FetchedCalendar,
): Promise<Subscription | undefined> {
  const { subscription } = turn
  const { bytes, etag, lastModified } = fetched
  if (!bytes) {
    return services.store.transaction((tx) =>
      finishSubscription(tx, { ...subscription, ...readNow(services), ...turnOf(turn), httpStatus: 304 }),
    )
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
    after = await finishSubscription(tx, {
      ...subscription,
      ...readNow(services),
      ...turnOf(turn),
      etag,
      lastModified,
      httpStatus: 200,
      lastChangedAt: new Date(services.clock.now()).toISOString(),
      memory: rows.length > 0 ? remember(memory, rows) : memory,
    })
    if (!after) throw new IntakeError('failed')
  })
  logArrival(services, 'read a calendar', { subscription: subscription.id }, arrived)
  return after
}

const turnOf = ({ subscription: { id }, lease }: CalendarTurn) => ({ id, lease })

function readNow({ clock }: Services) {
  const now = clock.now()
  return {
    status: 'active' as const,
    problem: null,
    failingSince: null,
    failures: 0,
    lastCheckedAt: new Date(now).toISOString(),
    nextCheckAt: new Date(now + CALENDAR_EVERY_MS).toISOString(),
  }
}

// What is known of its events

const idsOf = ({ draft }: StoredRow): string[] => Object.values((draft as Draft | null)?.externalIds ?? {})

/** Changes with what the person would be told about this record. */
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

/** Events that were there and are no longer; one that comes back is there again. */
function gone(memory: CalendarMemory, now: readonly string[]): Pick<CalendarMemory, 'present' | 'missing'> {
  const present = new Set(now)
  const known = new Set([...memory.missing, ...memory.present])
  return {
    present: [...present].slice(-IDS_AT_MOST),
    missing: [...known].filter((id) => !present.has(id)).slice(-MISSING_AT_MOST),
  }
}

// What goes wrong

async function recordFailure(
  tx: Transaction,
  now: number,
  { subscription, lease }: CalendarTurn,
  {
    problem,
    status: httpStatus = null,
  }: { problem: IntakeError['problem']; status?: number | undefined | null },
): Promise<Subscription | undefined> {
  const at = new Date(now).toISOString()
  const failures = subscription.failures + 1
  const failingSince = subscription.failingSince ?? at
  const status = problem === 'secret_unreadable' ? ('suspended' as const) : ('failing' as const)
  const nextCheckAt = new Date(now + pauseAfter(CALENDAR_EVERY_MS, failures)).toISOString()
  const standing = { status, problem, httpStatus, failingSince, failures, lastCheckedAt: at, nextCheckAt }
  const after = await finishSubscription(tx, { ...subscription, ...standing, lease })
  if (after && isTimeToNotify(subscription, status, failingSince, now)) {
    const { id, name } = subscription
    await insertNotice(tx, {
      userId: subscription.userId,
      kind: 'intake.stopped',
      at,
      data: { what: 'subscription', id, name, because: problem },
      flightId: null,
    })
  }
  return after
}
