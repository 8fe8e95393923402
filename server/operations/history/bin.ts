// The bin: flights deleted in the last 30 days. Callers who may delete a flight can see it here and restore it;
// flights/removal.ts decides who may erase it.
import * as z from 'zod'
import { AppError, notFound } from '../../base/errors.ts'
import { binnedAfter, expiryOf, FLIGHTS_PER_REQUEST } from '../../domain/flights/bin.ts'
import { departuresIn } from '../../domain/history/edits.ts'
import { RowId } from '../../domain/row-id.ts'
import { type Call, credentialWith, operation, person, takes } from '../../door/operation.ts'
import { type Principal, requireFlightAccess, roleMay } from '../../services/access/principal.ts'
import { MAX_ID } from '../../store/engine/codecs.ts'
import {
  type DeletedFlight,
  listBinOf,
  listOwnAmong,
  listDeletedFlights as listStored,
  restoreFlights as restoreStored,
  wasPassenger,
} from '../../store/flights/bin.ts'
import { findFlight, START } from '../../store/flights/flights.ts'
import { findOnFlight } from '../../store/flights/writes.ts'
import { listFlightHistory, type SeenEntry } from '../../store/history/history.ts'
import { audienceOf, requireKnownAudience } from '../flights/audience.ts'
import { authorOf } from '../flights/author.ts'
import { eraseBin, eraseFlights, deleteFlights as removeFlights } from '../flights/removal.ts'
import { showFlights } from '../flights/view.ts'
import { createCursors } from '../wire/cursors.ts'
import {
  Audience,
  Flight,
  list,
  pathId,
  ShortLimit,
  single,
  strictQuery,
  timestamp,
} from '../wire/schemas.ts'
import { Undoing } from './undo/writing.ts'

const tag = 'Flights'

const DeletedFlightView = Flight.extend({
  deletedAt: timestamp('When the flight was deleted.'),
  deletedBy: z
    .object({ id: z.string(), displayName: z.string() })
    .nullable()
    .describe('null if the account was deleted.'),
  expiresAt: timestamp('When it will be deleted permanently.'),
}).meta({ id: 'DeletedFlight' })

const cursors = createCursors('d1', /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)

export const listDeletedFlights = operation({
  id: 'list-deleted-flights',
  method: 'GET',
  path: '/flights/deleted',
  tag,
  summary: 'List deleted flights',
  description:
    'Flights that can still be restored, most recently deleted first. Each is deleted permanently after 30 days.',
  access: credentialWith(['flight.delete.own'], ['flight.delete.any']),
  query: strictQuery({ ...Audience, limit: ShortLimit, cursor: cursors.Cursor }),
  output: list(DeletedFlightView),
  tool: {
    title: 'List deleted flights',
    lines: ['data[]'],
    description:
      'Deleted flights, most recently deleted first; restore_flight restores one until its expiresAt.',
  },
  check: (call) => requireKnownAudience(call, 'delete'),
  async run(call) {
    const { principal, input, db, now } = call
    const { limit, cursor = START } = input
    const request = { ...cursor, after: binnedAfter(now.getTime()), limit: limit + 1 }
    const found = await listStored(db, audienceOf(principal, input), request)
    const { rows, nextCursor } = cursors.cut(found, limit, ({ deletedAt, id }) => ({ date: deletedAt, id }))
    return { data: await showDeleted(call, rows), page: { nextCursor } }
  },
})

export const restoreFlight = operation({
  id: 'restore-flight',
  method: 'POST',
  path: '/flights/{id}/restore',
  tag,
  summary: 'Restore a deleted flight',
  example: { params: { id: 2 } },
  description:
    'Restores the flight with its id, passengers, track and all other fields. Accounts, airports, airlines and aircraft types deleted in the meantime are not restored.',
  access: credentialWith(['flight.delete.own'], ['flight.delete.any']),
  params: pathId,
  query: strictQuery({}),
  output: single(Flight),
  errors: ['not_found', 'conflict'],
  tool: {
    title: 'Restore a flight',
    lines: ['data'],
    description: 'Take a deleted flight out of the bin, with everything it had.',
  },
  async run(call) {
    const { principal, input, db, now } = call
    const after = binnedAfter(now.getTime())
    const on = await wasPassenger(db, { id: input.id, userId: principal.user.id, after })
    if (on === undefined && (await findOnFlight(db, input.id, principal.user.id))?.isOn)
      throw new AppError('not_found', 'flight_not_deleted')
    requireFlightAccess(principal, 'delete', on ? 'own' : 'any')
    const [id] =
      on === undefined ? [] : await restoreStored(db, [input.id], after, authorOf(call), now.toISOString())
    if (id === undefined) throw notFound('Flight')
    const [data] = await showFlights(call, [(await findFlight(db, id))!])
    return { data: data! }
  },
})

// The web app's own: many flights in one request, which a closing page still sends

const ids = z.array(RowId).min(1).max(FLIGHTS_PER_REQUEST)
const Done = single(
  z.object({
    ids: z
      .array(RowId)
      .describe('Without those that do not exist, are not yours, or stay because of other people on them.'),
  }),
)
const mayDelete = person(['flight.delete.own'], ['flight.delete.any'])

export const deleteFlights = operation({
  id: 'delete-flights',
  method: 'POST',
  path: '/flight-deletions',
  door: 'app',
  tag,
  summary: 'Delete flights',
  description:
    'Moves them to the bin. Those that another person added you to and you have not kept, you leave. `permanently` erases them, except those that other users are on, unless you may delete every flight.',
  access: mayDelete,
  body: takes(z.object({ ids, permanently: z.boolean().default(false) })),
  output: Done,
  async run(call) {
    const { principal, input, db } = call
    const live = await reachable(db, principal, input.ids, 'log')
    const binned = input.permanently ? await reachable(db, principal, input.ids, 'bin') : []
    const remove = input.permanently ? eraseFlights : removeFlights
    const { gone } = await remove(call, [...new Set([...live, ...binned])])
    return { data: { ids: gone } }
  },
})

export const restoreFlights = operation({
  id: 'restore-flights',
  method: 'POST',
  path: '/flight-restorations',
  door: 'app',
  tag,
  summary: 'Restore deleted flights',
  description: 'Flights that you left come back too, unless someone changed your place on them since.',
  access: mayDelete,
  body: takes(z.object({ ids })),
  output: Done,
  errors: ['conflict'],
  async run(call) {
    const { principal, input, db, now } = call
    const binned = await reachable(db, principal, input.ids, 'bin')
    const after = binnedAfter(now.getTime())
    const restored = await restoreStored(db, binned, after, authorOf(call), now.toISOString())
    const others = new Set(input.ids).difference(new Set(restored))
    return { data: { ids: [...restored, ...(await rejoin(call, [...others], after))] } }
  },
})

export const emptyBin = operation({
  id: 'empty-bin',
  method: 'DELETE',
  path: '/flights/deleted',
  door: 'app',
  tag,
  summary: 'Permanently delete your deleted flights',
  access: person(['flight.delete.own']),
  query: strictQuery({}),
  description: 'Erases those that no other user was on. The others stay until their 30 days are over.',
  output: single(z.object({ erased: z.int(), kept: z.int().describe('Other people were on them.') })),
  async run(call) {
    const { gone, kept } = await eraseBin(call, await listBinOf(call.db, { userId: call.principal.user.id }))
    return { data: { erased: gone.length, kept: kept.length } }
  },
})

/** Undoes the caller's own leaving of these flights. Returns the flights that the caller is on again. */
async function rejoin(call: Call, ids: readonly number[], after: string): Promise<number[]> {
  const { db, principal } = call
  const { id: userId } = principal.user
  const page = { viewer: userId, actor: userId, before: MAX_ID, after, limit: 1 }
  const entries: SeenEntry[] = []
  for (const id of ids) {
    const [entry] = await listFlightHistory(db, id, page)
    if (entry?.userId === userId && entry.edit && departuresIn(entry.edit).has(userId)) entries.push(entry)
  }
  if (entries.length === 0) return []
  const undoing = new Undoing(call, { isSingle: false })
  await undoing.lock(entries)
  const taken = []
  for (const entry of entries) taken.push(await undoing.takeBack(entry))
  return taken.flatMap(({ action, flightId }) => (action === 'left' ? [] : flightId))
}

/** Without the permission for all flights: only the flights that the caller is on. */
const reachable = async (
  db: Call['db'],
  principal: Principal,
  wanted: readonly number[],
  where: 'log' | 'bin',
): Promise<readonly number[]> =>
  roleMay(principal, 'flight.delete.any') ? wanted : listOwnAmong(db, wanted, principal.user.id, where)

async function showDeleted(call: Call, flights: readonly DeletedFlight[]) {
  const shown = await showFlights(call, flights)
  return shown.map((flight, i) => {
    const { deletedAt, deletedBy } = flights[i]!
    return { ...flight, deletedAt, deletedBy, expiresAt: expiryOf(deletedAt) }
  })
}
