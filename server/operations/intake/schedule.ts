// Reads mailboxes and calendars on a schedule: leases, retries, and reading one immediately. read-mailbox.ts and
// read-calendar.ts do the reading.
import { AppError, forbidden, notFound } from '../../base/errors.ts'
import { type IntakeProblem, NOTIFY_AFTER_MS, pauseAfter } from '../../domain/intake/intake.ts'
import type { Given } from '../../domain/reasons.ts'
import type { Call } from '../../door/operation.ts'
import type { Services } from '../../door/services.ts'
import { IntakeError } from '../../services/intake/reach.ts'
import { importingFor, incrementRevisions } from '../../store/engine/revisions.ts'
import type { IntakeQueries, IntakeSource, Standing } from '../../store/intake/sources.ts'
import { insertNotice } from '../../store/people/notices.ts'
import type { Executor, Transaction } from '../../store/store.ts'
import { intakeLease } from './intake.ts'

export interface Turn<Source> {
  source: Source
  lease: string
}

/** A kind of source, and how it is read. */
interface Kind<Source extends IntakeSource> {
  what: 'mailbox' | 'subscription'
  noun: 'Mailbox' | 'Subscription'
  setting: 'mailboxes' | 'subscriptions'
  queries: IntakeQueries<Source>
  everyMs: number
  nameOf(source: Source): string
  /** Reads the source and records the reading; undefined if the lease was lost. Throws IntakeError if its host fails. */
  read(services: Services, turn: Turn<Source>, signal?: AbortSignal): Promise<Source | undefined>
}

/** What is said about a problem to the person who enters a source. */
const reasons: { [Problem in IntakeProblem]?: Given } = {
  address_refused: 'intake_address_refused',
  name_not_found: 'intake_name_not_found',
  no_connection: 'intake_no_connection',
  certificate_invalid: 'intake_certificate_invalid',
  timeout: 'intake_timeout',
  encryption_missing: 'intake_encryption_missing',
  not_a_mail_server: 'intake_not_a_mail_server',
  redirect_refused: 'intake_redirect_refused',
  not_a_calendar: 'intake_not_a_calendar',
}
export const reasonOf = (found: IntakeProblem): Given => reasons[found] ?? 'intake_connection_broken'

type Reading = (signal: AbortSignal) => Promise<unknown>

interface Schedule<Source> {
  isOn(config: Services['config']): boolean
  /** Throws if this kind is turned off on this server. */
  requireOn(call: { services: Services }): void
  /** The caller's source with this id. */
  own(call: Call<{ id: number }>): Promise<Source>
  /** The person's sources, to count before another one is added: a concurrent request sees what this one writes. */
  countable(tx: Transaction, userId: string): Promise<Source[]>
  /** Deletes the source that the caller named. */
  delete(call: Pick<Call, 'principal' | 'db'> & { target: Source }): Promise<void>
  hasDue(db: Executor, now: string): Promise<boolean>
  /** Claims a source that is due; undefined if there is none. */
  claimDue(services: Services): Promise<Reading | undefined>
  /** Reads this source now. Throws if another process is reading it, unless for an earlier attempt of the same request. */
  readNow(call: Pick<Call, 'services' | 'progress'>, source: Source): Promise<Source>
  /** Runs a reading and records the result. Never throws because of the host; aborting releases the lease. */
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
    async countable(tx, userId) {
      await incrementRevisions(tx, [importingFor(userId)])
      return queries.list(tx, userId)
    },
    async delete({ principal, db, target }) {
      if (!(await queries.delete(db, principal.user.id, target.id))) throw notFound(noun)
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

/** The state after a successful reading. */
export function readWell({ clock }: Pick<Services, 'clock'>, pauseMs: number): Standing {
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
  { store, log, clock, intakeMetrics }: Pick<Services, 'store' | 'log' | 'clock' | 'intakeMetrics'>,
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
  // A mail server that twice sends more than requested does so on purpose.
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

/** Immediately if the source is suspended; otherwise once, at the first failure after days of failing. */
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
