// A flight under an id that a program gave it: created by the first PUT, replaced by the next, so that a program may repeat
// what it is not sure of. Whatever the address names, the rules are those of a flight by its own id.
import * as z from 'zod'
import { roleMay } from '../auth/principal.ts'
import { invalidField, notFound } from '../base/errors.ts'
import { type Call, credentialWith, credentialWithOneOf, operation } from '../operation.ts'
import {
  deleteExternalId,
  type ExternalId,
  type ExternalIds,
  findByExternalId,
  listExternalIds,
  lockExternalIds,
} from '../store/external-ids.ts'
import { findOnFlight, lockFlight } from '../store/flight-writes.ts'
import { FlightInput } from './flight-input.ts'
import { removeFlight } from './flight-removal.ts'
import type { FlightView } from './flight-view.ts'
import { addFlight, changeFlight, replaceFlight, requireCurrent } from './flight-writing.ts'
import { readFlight, tagged, writeConditions } from './flights.ts'
import {
  ExternalSource,
  ExternalValue,
  Flight,
  FlightPatch,
  nothing,
  single,
  strictQuery,
} from './schemas.ts'

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
  conditional: true,
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
  body: FlightInput,
  bodySize: 'track',
  output: single(Flight),
  otherStatuses: [201],
  conditional: true,
  errors: ['not_found'],
  async requireState(call) {
    const holder = await findByExternalId(call.db, call.principal.user.id, call.input)
    if (holder !== undefined && (await isReachable(call, holder))) await requireCurrent(call, holder)
    else requireMayBeAbsent(call)
  },
  async run(call) {
    const { source, value, ...body } = call.input
    const { flight, created } = await putFlight(call, { source, value }, body)
    // Not only if it was: the transaction may run a second time.
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
  body: FlightPatch,
  bodySize: 'track',
  mediaTypes: ['application/merge-patch+json', 'application/json'],
  output: single(Flight),
  conditional: true,
  errors: ['not_found'],
  requireState: async (call) => void (await requireCurrent(call, await requireHolder(call, call.input))),
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
  conditional: true,
  errors: ['not_found'],
  run: async (call) => removeFlight(call, await requireHolder(call, call.input)),
})

/** Creates or replaces the flight that the caller gave this id; call it in a transaction. */
async function putFlight(call: Call, id: ExternalId, body: FlightInput): Promise<Put> {
  await lockExternalIds(call.db, call.principal.user.id)
  const holder = await findHolder(call, id)
  if (holder === undefined) requireMayBeAbsent(call)
  return putOver(call, id, body, holder)
}

interface Put {
  flight: FlightView
  created: boolean
  /** False if everything was as requested already. */
  changed: boolean
}

/** The same if the holder is known. */
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

/** `If-Match` requires a flight that exists. */
export function requireMayBeAbsent({ condition }: Pick<Call, 'condition'>): void {
  if (condition?.match !== undefined) throw notFound('Flight')
}

/** Those of the body, else those that are stored, with the one that the address names. */
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
 * The flight that the caller gave this id, inside a transaction that holds the caller's ids. An id on a flight that the
 * caller's role no longer reaches is free: otherwise it could never be used again.
 */
export async function findHolder(call: Call, id: ExternalId): Promise<number | undefined> {
  const { db, principal } = call
  const holder = await findByExternalId(db, principal.user.id, id)
  if (holder === undefined || (await lockFlight(db, holder)) === undefined) return undefined
  if (await isReachable(call, holder)) return holder
  await deleteExternalId(db, principal.user.id, id)
  return undefined
}

/** The same for a request that is about a flight that exists. */
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
