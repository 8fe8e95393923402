// A user's notices, and the decision that some of them need: to keep or leave a flight that another person added them
// to. Users reach only their own notices.
import * as z from 'zod'
import { notFound } from '../../base/errors.ts'
import { deviceText } from '../../domain/accounts/devices.ts'
import { isPending } from '../../domain/flights/consent.ts'
import { type NoticeKind, noticeKinds, type ShownNoticeData } from '../../domain/people/notices.ts'
import { pick } from '../../domain/pick.ts'
import { RowId } from '../../domain/row-id.ts'
import { type Call, operation, person, takes } from '../../door/operation.ts'
import type { Principal } from '../../services/access/principal.ts'
import { findFlights } from '../../store/flights/flights.ts'
import { keepImported, keepPassenger, lockFlight, lockImported } from '../../store/flights/writes.ts'
import { listStatuses } from '../../store/imports/imports.ts'
import {
  countOnImports,
  countUnread,
  findNotice,
  listNotices as listStoredNotices,
  markLeft,
  markRead,
  markReadUpTo,
  type StoredNotice,
} from '../../store/people/notices.ts'
import { listNames } from '../../store/people/people.ts'
import type { Executor } from '../../store/store.ts'
import { flightFacts } from '../flights/companions.ts'
import { leaveFlights } from '../flights/removal.ts'
import { type FlightView, showFlights } from '../flights/view.ts'
import { createIdCursors } from '../wire/cursors.ts'
import { Limit, list, nothing, PathId, pathId, strictQuery } from '../wire/schemas.ts'

const tag = 'Notices'
const common = {
  id: RowId,
  at: z.string().meta({ format: 'date-time' }),
  readAt: z.string().nullable().meta({ format: 'date-time' }),
}

const shapeOf = (kind: NoticeKind) => z.object({ ...common, kind: z.literal(kind), data: noticeKinds[kind] })
type Shape = ReturnType<typeof shapeOf>

/** One shape for each kind. */
const Notice = z
  .discriminatedUnion('kind', (Object.keys(noticeKinds) as NoticeKind[]).map(shapeOf) as [Shape, ...Shape[]])
  .meta({ id: 'Notice' })
type Notice = z.input<typeof Notice>

const notices = list(Notice)
const cursors = createIdCursors('n1')

export const listNotices = operation({
  id: 'list-notices',
  method: 'GET',
  path: '/notices',
  door: 'app',
  tag,
  summary: 'List your notices, newest first',
  description:
    'A notice about a flight is withdrawn when you are removed from that flight or the flight is deleted.',
  access: person(),
  query: strictQuery({
    limit: Limit,
    cursor: cursors.Cursor,
    flightId: PathId.optional().describe('Only the notices about this flight.'),
  }),
  output: notices.extend({
    page: notices.shape.page.extend({ unread: z.int().describe('Number of unread notices in total.') }),
  }),
  async run(call) {
    const { principal, db, input } = call
    const { limit, cursor, flightId } = input
    const request = { userId: principal.user.id, before: cursor, limit: limit + 1, flightId }
    const found = await listStoredNotices(db, request)
    const { rows, nextCursor } = cursors.cut(found, limit, (notice) => notice.id)
    return {
      data: await showNotices(call, rows),
      page: { nextCursor, unread: await countUnread(db, principal.user.id) },
    }
  },
})

/** Shared by the operations on one of the caller's notices. */
const onOneNotice = {
  method: 'POST',
  door: 'app',
  tag,
  access: person(),
  params: pathId,
  output: nothing,
  status: 204,
  errors: ['not_found'],
} as const

export const markNoticeRead = operation({
  ...onOneNotice,
  id: 'mark-notice-read',
  path: '/notices/{id}/read',
  summary: 'Mark a notice as read',
  async run({ principal, input, db, now }) {
    const { id } = await requireNotice(db, principal, input.id)
    await markRead(db, { userId: principal.user.id, id, now: now.toISOString() })
  },
})

export const markNoticesRead = operation({
  id: 'mark-notices-read',
  method: 'POST',
  path: '/notices/read',
  door: 'app',
  tag,
  summary: 'Mark your notices as read, up to the newest you have seen',
  access: person(),
  body: takes(
    z.object({
      upTo: RowId.describe('The id of the newest notice to mark; older ones are marked too.'),
    }),
  ),
  output: nothing,
  status: 204,
  async run({ principal, input, db, now }) {
    await markReadUpTo(db, {
      userId: principal.user.id,
      upTo: input.upTo,
      now: now.toISOString(),
    })
  },
})

export const keepFlight = operation({
  ...onOneNotice,
  id: 'keep-flight',
  path: '/notices/{id}/keep',
  summary: 'Keep a flight that another person added you to',
  description: 'Afterwards the other passengers can leave it, and your public shares show it.',
  async run({ principal, input, db, now }) {
    const userId = principal.user.id
    const { id, importId, passenger } = await lockNotice(db, principal, input.id)
    if (!passenger) throw notFound('Flight')
    const at = now.toISOString()
    await markRead(db, { userId, id, now: at })
    if (importId !== null) await keepImported(db, importId, userId, at)
    else if (isPending(passenger)) await keepPassenger(db, { id: passenger.id, userId }, at)
  },
})

export const leaveFlight = operation({
  ...onOneNotice,
  id: 'leave-flight',
  path: '/notices/{id}/leave',
  summary: 'Leave a flight that another person added you to',
  description:
    'The other passengers stay on it and are notified. If only guests, or people who were added but have not kept it, would remain, the flight is deleted.',
  async run(call) {
    const { principal, input, db, now } = call
    const userId = principal.user.id
    const { id, importId, flightId, passenger } = await lockNotice(db, principal, input.id)
    const at = now.toISOString()
    if (!passenger) return
    await markRead(db, { userId, id, now: at })
    await markLeft(db, { userId, id, now: at })
    await leaveFlights(call, importId === null ? [flightId] : await lockImported(db, { importId, userId }))
  },
})

async function requireNotice(db: Executor, principal: Principal, id: number): Promise<StoredNotice> {
  const notice = await findNotice(db, { userId: principal.user.id, id })
  if (!notice) throw notFound('Notice')
  return notice
}

/** A notice that can be decided, read again under the lock of its flight. */
async function lockNotice(db: Executor, principal: Principal, id: number) {
  const { kind, flightId } = await requireNotice(db, principal, id)
  if (kind !== 'flight.added' || flightId === null) throw notFound('Notice')
  await lockFlight(db, { id: flightId })
  const notice = await requireNotice(db, principal, id)
  return { ...notice, importId: importOf(notice), flightId }
}

// Notices as the reader sees them

async function showNotices(call: Call, found: readonly StoredNotice[]): Promise<Notice[]> {
  const show = await createShow(call, found)
  return found.map((notice) => ({
    ...pick(notice, ['id', 'kind', 'at', 'readAt']),
    data: shownBy(show, notice),
  }))
}

type Show = { [Kind in NoticeKind]: (notice: StoredNotice<Kind>) => ShownNoticeData<Kind> }

const shownBy = <Kind extends NoticeKind>(show: Show, notice: StoredNotice<Kind>): ShownNoticeData<Kind> =>
  show[notice.kind](notice)

/** The data of these notices by kind, with the current state of what they refer to. */
async function createShow(call: Call, found: readonly StoredNotice[]): Promise<Show> {
  const flights = await flightsNow(call, found)
  const names = await namesNow(call, found)
  const imported = await importsNow(call, found)
  const statuses = await statusesNow(call, found)
  return {
    'flight.added': (notice) => {
      const { addedBy, importId = null, ...facts } = notice.data
      const flight = flights.get(notice.flightId ?? 0)
      return {
        ...(flight ? flightFacts(flight) : facts),
        addedBy: { id: addedBy.id, displayName: names.get(addedBy.id) ?? addedBy.displayName },
        importId,
        more: Math.max(0, (imported.get(importId ?? 0) ?? 0) - (flight ? 1 : 0)),
        state: stateOf(notice),
      }
    },
    'flight.removed': ({ data }) => {
      const { by } = data
      return { ...data, by: by && { id: by.id, displayName: names.get(by.id) ?? by.displayName } }
    },
    'webhook.stopped': ({ data }) => data,
    'import.arrived': ({ data }) => ({ ...data, status: statuses.get(data.importId) ?? 'expired' }),
    'intake.stopped': ({ data }) => data,
    'import.waiting': ({ data }) => ({ ...data, status: statuses.get(data.importId) ?? 'expired' }),
    'session.new': ({ data, leftAt }) => ({
      ...data,
      device: deviceText(data.userAgent),
      state: leftAt === null ? 'open' : 'ended',
    }),
    'second-factor.failed': ({ data }) => data,
    'share.published': ({ data }) => data,
    'backup.failed': ({ data }) => data,
    'instance.upgraded': ({ data }) => data,
    'release.available': ({ data }) => data,
    'role.gained': ({ data }) => data,
  }
}

/** Only flights that the reader is still on. */
async function flightsNow(call: Call, found: readonly StoredNotice[]): Promise<Map<number, FlightView>> {
  const ids = found.flatMap(({ flightId, passenger }) => (flightId !== null && passenger ? [flightId] : []))
  const views = await showFlights(call, await findFlights(call.db, ids))
  return new Map(views.map((view) => [view.id, view]))
}

async function namesNow({ db }: Call, found: readonly StoredNotice[]): Promise<Map<string, string>> {
  const ids = found.flatMap(({ data }) => {
    const person = 'addedBy' in data ? data.addedBy : 'by' in data ? data.by : null
    return person ? [person.id] : []
  })
  return new Map((await listNames(db, [...new Set(ids)])).map(({ id, displayName }) => [id, displayName]))
}

/** The number of flights in each import that the reader is on. */
const importsNow = (
  { db, principal }: Call,
  found: readonly StoredNotice[],
): Promise<Map<number, number>> => {
  const ids = found.flatMap((notice) => (notice.kind === 'flight.added' ? (importOf(notice) ?? []) : []))
  return countOnImports(db, principal.user.id, [...new Set(ids)])
}

/** For imports that arrived automatically or are pending. */
const statusesNow = async ({ db, principal }: Call, found: readonly StoredNotice[]) => {
  const ids = found.flatMap(({ kind, data }) =>
    kind !== 'flight.added' && 'importId' in data ? (data.importId ?? []) : [],
  )
  return new Map(
    (await listStatuses(db, ids, { userId: principal.user.id })).map(({ id, status }) => [id, status]),
  )
}

/** The import whose flights a notice is about; null if it is about one flight. */
const importOf = ({ data }: StoredNotice): number | null => ('importId' in data ? data.importId : null)

function stateOf({ passenger }: StoredNotice): ShownNoticeData<'flight.added'>['state'] {
  if (!passenger) return 'left'
  return isPending(passenger) ? 'open' : 'kept'
}
