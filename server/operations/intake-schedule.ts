// Mailboxes and calendars are read on a schedule by one frame: the lease, what follows a failure, reading one at once. How
// each is read is in intake-mailbox.ts and intake-calendar.ts.
import { AppError, forbidden, notFound } from '../base/errors.ts'
import { type IntakeProblem, NOTIFY_AFTER_MS, pauseAfter } from '../domain/intake.ts'
import { IntakeError } from '../intake/reach.ts'
import type { Call, Services } from '../operation.ts'
import type { IntakeQueries, IntakeSource, Standing } from '../store/intake-sources.ts'
import { insertNotice } from '../store/notices.ts'
import type { Executor, Transaction } from '../store/store.ts'
import { intakeLease } from './intake.ts'

export interface Turn<Source> {
  source: Source
  lease: string
}

/** What one kind of source is, and how it is read. */
interface Kind<Source extends IntakeSource> {
  what: 'mailbox' | 'subscription'
  noun: 'Mailbox' | 'Subscription'
  setting: 'mailboxes' | 'subscriptions'
  queries: IntakeQueries<Source>
  everyMs: number
  nameOf(source: Source): string
  /** Reads it and records that it was read; undefined if the lease was lost. Throws IntakeError because of its host. */
  read(services: Services, turn: Turn<Source>, signal?: AbortSignal): Promise<Source | undefined>
}

type Reading = (signal: AbortSignal) => Promise<unknown>

interface Schedule<Source> {
  isOn(config: Services['config']): boolean
  /** Throws if this server does not read them. */
  requireOn(call: { services: Services }): void
  /** One of the caller's. */
  own(call: Call<{ id: number }>): Promise<Source>
  hasDue(db: Executor, now: string): Promise<boolean>
  /** Takes the lease of one that is due; undefined if none is. */
  claimDue(services: Services): Promise<Reading | undefined>
  /** Reads this one now. Throws if another process does, unless that is an earlier attempt of the same request. */
  readNow(call: Pick<Call, 'services' | 'progress'>, source: Source): Promise<Source>
  /** Runs one reading and records how it went. Never throws because of the host; aborting gives the lease back. */
  record(
    services: Services,
    turn: Turn<Source>,
    read: () => Promise<Source | undefined>,
    signal?: AbortSignal,
  ): Promise<Source | undefined>
}

export function createSchedule<Source extends IntakeSource>(kind: Kind<Source>): Schedule<Source> {
  const { queries, noun, setting } = kind
  const isOn: Schedule<Source>['isOn'] = (config) => config[setting]
  const record: Schedule<Source>['record'] = (...given) => recordingFailure(kind, ...given)
  const readTurn = (services: Services, turn: Turn<Source>, signal?: AbortSignal) =>
    record(services, turn, () => kind.read(services, turn, signal), signal)
  return {
    isOn,
    requireOn({ services }) {
      if (!isOn(services.config)) throw forbidden(`${setting}_off`)
    },
    async own({ principal, input, db }) {
      const source = await queries.find(db, principal.user.id, input.id)
      if (!source) throw notFound(noun)
      return source
    },
    hasDue: queries.hasDue,
    async claimDue(services) {
      const lease = intakeLease(services)
      if (!isOn(services.config) || !(await queries.hasDue(services.store.read, lease.now))) return undefined
      const source = await services.store.transaction((tx) => queries.claimDue(tx, lease))
      return source && ((signal) => readTurn(services, { source, lease: lease.lease }, signal))
    },
    async readNow({ services, progress }, given) {
      services.limits.reach(given.userId)
      const lease = intakeLease(services)
      const source = await services.store.transaction(async (tx) => {
        const claimed = await queries.claim(tx, given.id, lease)
        if (claimed) await progress?.save(tx, true)
        return claimed
      })
      if (!source && progress?.done) return given
      if (!source) throw new AppError('conflict', 'intake_busy')
      const after = await readTurn(services, { source, lease: lease.lease })
      if (!after) throw notFound(noun)
      return after
    },
    record,
  }
}

/** The standing after a reading that succeeded. */
export function readWell({ clock }: Services, pauseMs: number): Standing {
  const now = clock.now()
  return {
    status: 'active',
    problem: null,
    failingSince: null,
    failures: 0,
    lastCheckedAt: new Date(now).toISOString(),
    nextCheckAt: new Date(now + pauseMs).toISOString(),
  }
}

async function recordingFailure<Source extends IntakeSource>(
  kind: Kind<Source>,
  { store, log, clock, intakeMetrics }: Services,
  { source, lease }: Turn<Source>,
  read: () => Promise<Source | undefined>,
  signal: AbortSignal | undefined,
): Promise<Source | undefined> {
  const counted = kind.what === 'mailbox' ? 'mailbox' : 'calendar'
  try {
    const after = await read()
    intakeMetrics.countReading(counted)
    return after
  } catch (error) {
    if (signal?.aborted) {
      await store.transaction((tx) => kind.queries.release(tx, source.id, lease))
      return undefined
    }
    if (!(error instanceof IntakeError)) throw error
    const { problem, status = null } = error
    intakeMetrics.countFailedReading(counted, problem)
    const { id, host } = source
    log.info(`a ${counted} could not be read`, { [kind.what]: id, host, problem: error.message })
    const failed = { ...source, ...readBadly(kind, source, problem, clock.now()), httpStatus: status }
    return store.transaction(async (tx) => {
      const after = await kind.queries.finish(tx, failed, lease)
      if (after && isTimeToNotify(source, failed)) await notify(tx, kind, failed, problem)
      return after
    })
  }
}

function readBadly<Source extends IntakeSource>(
  { everyMs, what }: Kind<Source>,
  before: Source,
  problem: IntakeProblem,
  now: number,
) {
  const at = new Date(now).toISOString()
  const failures = before.failures + 1
  // No mail server sends more than was asked for by chance, twice.
  const isFlooding = what === 'mailbox' && problem === 'too_large' && before.problem === 'too_large'
  const isHopeless = problem === 'secret_unreadable' || isFlooding
  return {
    status: isHopeless ? ('suspended' as const) : ('failing' as const),
    problem,
    failingSince: before.failingSince ?? at,
    failures,
    lastCheckedAt: at,
    nextCheckAt: new Date(now + pauseAfter(everyMs, failures)).toISOString(),
  }
}

/** At once when it is suspended, else when it has failed for days: once, at the failure that passes that time. */
function isTimeToNotify(before: Standing, { status, failingSince, lastCheckedAt }: FailedStanding): boolean {
  if (status === 'suspended') return true
  const from = Date.parse(failingSince) + NOTIFY_AFTER_MS
  const isBefore = before.lastCheckedAt === null || Date.parse(before.lastCheckedAt) < from
  return Date.parse(lastCheckedAt) >= from && isBefore
}
type FailedStanding = ReturnType<typeof readBadly>

const notify = <Source extends IntakeSource>(
  tx: Transaction,
  { what, nameOf }: Kind<Source>,
  source: Source & FailedStanding,
  because: IntakeProblem,
) =>
  insertNotice(tx, {
    userId: source.userId,
    kind: 'intake.stopped',
    at: source.lastCheckedAt,
    data: { what, id: source.id, name: nameOf(source), because },
    flightId: null,
  })
