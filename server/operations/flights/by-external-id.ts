// A flight under an id that a program chose: created by the first PUT, replaced by later ones, so that a program can
// safely repeat a request. The rules are the same as for a flight addressed by its own id.
import * as z from 'zod'
import { invalidField, notFound } from '../../base/errors.ts'
import { type Call, credentialWith, credentialWithOneOf, operation, takes } from '../../door/operation.ts'
import { roleMay } from '../../services/access/principal.ts'
import { findOnFlight, lockFlight } from '../../store/flights/writes.ts'
import {
  deleteExternalId,
  type ExternalId,
  type ExternalIds,
  findByExternalId,
  listExternalIds,
  lockExternalIds,
} from '../../store/history/external-ids.ts'
import {
  ExternalSource,
  ExternalValue,
  Flight,
  FlightPatch,
  nothing,
  single,
  strictQuery,
} from '../wire/schemas.ts'
import { readFlight, tagged, writeConditions } from './flights.ts'
import { FlightInput } from './input.ts'
import { removeFlight } from './removal.ts'
import type { FlightView } from './view.ts'
import { addFlight, changeFlight, replaceFlight, requireCurrent } from './writing.ts'

const tag = 'Flights'
const path = '/flights/by-external-id/{source}/{value}'

const address = z.object({
  source: ExternalSource.describe('The system that the id comes from.'),
  value: ExternalValue.describe('The id in that system, percent-encoded.'),
})

export const getFlightByExternalId = operation({
  id: 'get-flight-by-external-id',
  method: 'GET',
  path,
  tag,
  summary: 'Read a flight by its external id',
  example: { params: { source: 'tripit', value: '77' } },
  access: credentialWith(['flight.read.own'], ['flight.read.any']),
  params: address,
  query: strictQuery({}),
  output: single(Flight),
  target: { conditional: true },
  errors: ['not_found'],
  run: async (call) => readFlight(call, await requireHolder(call, call.input)),
})

export const putFlightByExternalId = operation({
  id: 'put-flight-by-external-id',
  method: 'PUT',
  path,
  tag,
  summary: 'Create or replace a flight by its external id',
  example: {
    params: { source: 'tripit', value: '77' },
    body: { date: '2026-03-01', fromId: 2542, toId: 3622, flightNumber: 'SK915' },
  },
  description:
    'Creates the flight with this external id (201), or replaces the one that you gave it (200), so that the request may be repeated. An external id that another person set is free for you. `If-None-Match: *` creates only.',
  access: credentialWithOneOf(
    ['flight.create.own', 'flight.update.own'],
    ['flight.create.any', 'flight.update.any', ...writeConditions],
  ),
  params: address,
  query: strictQuery({}),
  body: takes(FlightInput, { size: 'track' }),
  output: single(Flight),
  otherStatuses: [201],
  target: {
    async requireState(call) {
      const holder = await findByExternalId(call.db, call.principal.user.id, call.input)
      if (holder !== undefined && (await isReachable(call, holder))) await requireCurrent(call, holder)
      else requireMayBeAbsent(call)
    },
    conditional: true,
  },
  errors: ['not_found'],
  async run(call) {
    const { source, value, ...body } = call.input
    const { flight, created } = await putFlight(call, { source, value }, body)
    // Also resets the value, because the transaction may run a second time.
    call.outcome.created = created ? `/flights/${flight.id}` : undefined
    return tagged(call, flight)
  },
})

export const patchFlightByExternalId = operation({
  id: 'patch-flight-by-external-id',
  method: 'PATCH',
  path,
  tag,
  summary: 'Change some fields of a flight by its external id',
  example: { params: { source: 'tripit', value: '77' }, body: { note: 'Window seat' } },
  description: 'A JSON merge patch (RFC 7396), as for a flight by its own id.',
  access: credentialWith(['flight.update.own'], ['flight.update.any', ...writeConditions]),
  params: address,
  query: strictQuery({}),
  body: takes(FlightPatch, {
    size: 'track',
    mediaTypes: ['application/merge-patch+json', 'application/json'],
  }),
  output: single(Flight),
  target: {
    requireState: async (call) => void (await requireCurrent(call, await requireHolder(call, call.input))),
    conditional: true,
  },
  errors: ['not_found'],
  async run(call) {
    const { source, value, ...patch } = call.input
    const id = await requireHolder(call, { source, value })
    return tagged(call, (await changeFlight(call, id, patch)).flight)
  },
})

export const deleteFlightByExternalId = operation({
  id: 'delete-flight-by-external-id',
  method: 'DELETE',
  path,
  tag,
  summary: 'Delete a flight by its external id',
  example: { params: { source: 'tripit', value: '78' } },
  description:
    'As the deletion by id: the flight goes to the bin for everyone on it, or you leave it if another person added you and you have not kept it. Frees its external ids.',
  access: credentialWith(['flight.delete.own'], ['flight.delete.any']),
  params: address,
  query: strictQuery({}),
  output: nothing,
  status: 204,
  target: { conditional: true },
  errors: ['not_found'],
  run: async (call) => removeFlight(call, await requireHolder(call, call.input)),
})

/** Creates or replaces the flight with this external id of the caller; call it in a transaction. */
async function putFlight(call: Call, id: ExternalId, body: FlightInput): Promise<Put> {
  await lockExternalIds(call.db, call.principal.user.id)
  const holder = await findHolder(call, id)
  if (holder === undefined) requireMayBeAbsent(call)
  return putOver(call, id, body, holder)
}

interface Put {
  flight: FlightView
  created: boolean
  /** False if the flight already had these values. */
  changed: boolean
}

/** The same if the flight is already known. */
export async function putOver(
  call: Call,
  id: ExternalId,
  body: FlightInput,
  holder: number | undefined,
): Promise<Put> {
  const externalIds = await idsAt(call, id, body, holder)
  if (holder !== undefined)
    return { ...(await replaceFlight(call, holder, { ...body, externalIds })), created: false }
  return { flight: await addFlight(call, { ...body, externalIds }), created: true, changed: true }
}

/** `If-Match` requires an existing flight. */
export function requireMayBeAbsent({ condition }: Pick<Call, 'condition'>): void {
  if (condition?.match !== undefined) throw notFound('Flight')
}

/** The ids in the body, or else the stored ones, plus the id in the address. */
export async function idsAt(
  { db, principal }: Call,
  { source, value }: ExternalId,
  { externalIds }: Pick<FlightInput, 'externalIds'>,
  holder: number | undefined,
): Promise<ExternalIds> {
  const given = externalIds?.[source]
  if (given !== undefined && given !== value) {
    throw invalidField(['externalIds', source], 'external_id_differs')
  }
  if (externalIds !== undefined || holder === undefined) return { ...externalIds, [source]: value }
  return (await listExternalIds(db, principal.user.id, [holder])).get(holder) ?? { [source]: value }
}

/**
 * The flight with this external id of the caller. Call it inside a transaction that holds the caller's ids. An id on
 * a flight that the caller's role can no longer access is free: otherwise it could never be used again.
 */
export async function findHolder(call: Call, id: ExternalId): Promise<number | undefined> {
  const { db, principal } = call
  const holder = await findByExternalId(db, principal.user.id, id)
  if (holder === undefined || (await lockFlight(db, { id: holder })) === undefined) return undefined
  if (await isReachable(call, holder)) return holder
  await deleteExternalId(db, principal.user.id, id)
  return undefined
}

/** The same for a request that needs an existing flight. */
export async function requireHolder(call: Pick<Call, 'db' | 'principal'>, id: ExternalId): Promise<number> {
  const holder = await findByExternalId(call.db, call.principal.user.id, id)
  if (holder === undefined || !(await isReachable(call, holder))) throw notFound('Flight')
  return holder
}

const isReachable = async (
  { db, principal }: Pick<Call, 'db' | 'principal'>,
  flightId: number,
): Promise<boolean> =>
  roleMay(principal, 'flight.read.any') ||
  (await findOnFlight(db, flightId, principal.user.id))?.isOn === true
