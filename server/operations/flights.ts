// Flights: list, read, log, replace, delete. The order of checks is part of the contract; it is written out in each
// operation.
import * as z from 'zod'
import {
  credentialMay,
  type Principal,
  requireFlightAccess,
  requireScope,
  roleMay,
  roleMayUse,
} from '../auth/principal.ts'
import { forbidden, insufficientScope, notFound } from '../base/errors.ts'
import { flightScope, type Permission, type Reach, type Scope } from '../domain/access.ts'
import { binnedAfter } from '../domain/bin.ts'
import { matchPassengers, passengersDiffer } from '../domain/flight.ts'
import { peopleOn } from '../domain/standing.ts'
import { type Call, credentialWith, operation } from '../operation.ts'
import { eraseForGood, moveToBin, wasPassenger } from '../store/deleted-flights.ts'
import {
  insertFlight,
  insertPassenger,
  isPassenger,
  lockFlight,
  noteFlightsChanged,
  updateFlight as updateStoredFlight,
} from '../store/flight-writes.ts'
import { findFlight, listFlights as listStoredFlights, START, type StoredFlight } from '../store/flights.ts'
import { audienceOf, audienceRevision, requireKnownAudience } from './audience.ts'
import { notifyAdded, requireStandings } from './companions.ts'
import { createCursors } from './cursors.ts'
import { FlightInput, fieldsOf, passengerFieldsOf, requireReferences } from './flight-input.ts'
import { mismatch, writePassengers } from './flight-passengers.ts'
import { mergeCustomFields, requireSoundValues } from './flight-values.ts'
import { showFlights } from './flight-view.ts'
import {
  Audience,
  Flight,
  Limit,
  list,
  nothing,
  PassengerInput,
  pathId,
  single,
  strictQuery,
} from './schemas.ts'
import { writeTrack } from './tracks.ts'

type NewFlight = FlightInput & { passengers: PassengerInput[] }

const tag = 'Flights'

const cursors = createCursors('f1')

export const listFlights = operation({
  id: 'list-flights',
  method: 'GET',
  path: '/flights',
  tag,
  summary: 'List flights',
  description: 'Newest first, by date and id. Pages stay stable while flights are added and deleted.',
  access: credentialWith(['flight.read.own'], ['flight.read.any']),
  query: z.object({ ...Audience, limit: Limit, cursor: cursors.Cursor }),
  output: list(Flight),
  tool: {
    title: 'List flights',
    description:
      'Page through flights, newest first, including upcoming ones. Use it to read the whole log or the latest flights; use find_flights to look for specific ones. If page.nextCursor is not null, call again with it as cursor. scope=user and scope=all need a wider permission.',
  },
  check: (call) => requireKnownAudience(call, 'read'),
  cacheKey: async (call) => {
    const { limit, cursor } = call.input
    return `${await audienceRevision(call)}/${limit}/${cursor ? cursors.write(cursor) : ''}`
  },
  isSeldomRepeated: true,
  async run(call) {
    const { principal, input, db } = call
    const { limit, cursor = START } = input
    const found = await listStoredFlights(db, audienceOf(principal, input), cursor, limit + 1)
    const { rows, nextCursor } = cursors.cut(found, limit, (flight) => flight)
    return { data: await showFlights(call, rows), page: { nextCursor } }
  },
})

export const getFlight = operation({
  id: 'get-flight',
  method: 'GET',
  path: '/flights/{id}',
  tag,
  summary: 'Read a flight',
  access: credentialWith(['flight.read.own'], ['flight.read.any']),
  params: pathId,
  output: single(Flight),
  errors: ['not_found'],
  tool: {
    title: 'Read a flight',
    description: 'One flight by id with all its fields. Call it before update_flight.',
  },
  async run(call) {
    const flight = await findFlight(call.db, call.input.id)
    requireFlightAccess(call.principal, 'read', reachOf(call.principal, flight))
    if (!flight) throw notFound('Flight')
    return { data: await showFlight(call, flight) }
  },
})

const writeConditions: Scope[] = [
  'flight.passengers.manage.own',
  'flight.passengers.manage.any',
  'tracks.write',
]

export const createFlight = operation({
  id: 'create-flight',
  method: 'POST',
  path: '/flights',
  tag,
  summary: 'Log a flight',
  access: credentialWith(['flight.create.own'], ['flight.create.any', ...writeConditions]),
  body: FlightInput,
  output: single(Flight),
  status: 201,
  location: ({ data }) => `/flights/${data.id}`,
  tool: {
    title: 'Log a flight by ids',
    description:
      'Add a flight with full control over every field. Airports, airline and aircraft type are ids from the search tools; date-times need the UTC offset of the airport; passengers may be omitted if the user flew alone, otherwise each is given by userId (see get_me and list_flights) or guestName. It does not check for duplicates: prefer log_flight, which does and takes codes and local times.',
  },
  run: async (call) => ({ data: await addFlight(call, call.input) }),
})

/** Checks and stores a new flight inside the open transaction; returns it as the API shows it. */
export async function addFlight(call: Call, given: FlightInput) {
  const { principal, db, now } = call
  const { id: userId } = principal.user
  const input: NewFlight = { ...given, passengers: given.passengers ?? [PassengerInput.parse({ userId })] }
  await requireReferences(call, input)
  requireMayCreate(
    principal,
    input,
    input.passengers.some((entry) => entry.userId === userId) ? 'own' : 'any',
  )
  const newcomers = input.passengers.map((wanted) => ({ wanted, existing: undefined }))
  const fields = await mergeCustomFields(call, input, undefined, newcomers)
  requireSoundValues(fields, true)
  const standings = await requireStandings(call, [], input.passengers)
  const at = now.toISOString()
  const id = await insertFlight(db, fieldsOf(input), fields.flight, at)
  for (const [i, entry] of input.passengers.entries()) {
    const on = { id, date: input.date }
    await insertPassenger(db, on, passengerFieldsOf(entry), fields.passengers[i]!, standings[i])
  }
  if (input.track) await writeTrack(db, id, input.track, at)
  const shown = await showFlight(call, (await findFlight(db, id))!)
  await notifyAdded(call, [], shown)
  // Last: other writers wait for the counter until this commits.
  await noteFlightsChanged(
    db,
    [],
    input.passengers.flatMap((entry) => entry.userId ?? []),
  )
  return shown
}

export const updateFlight = operation({
  id: 'update-flight',
  method: 'PUT',
  path: '/flights/{id}',
  tag,
  summary: 'Replace a flight',
  description:
    'Replaces the whole flight: an omitted optional field becomes null. Only `passengers`, `track` and `customFields` keep their stored values when omitted. People who were added but have not kept the flight cannot be its only passengers.',
  access: credentialWith(['flight.update.own'], ['flight.update.any', ...writeConditions]),
  params: pathId,
  body: FlightInput,
  output: single(Flight),
  errors: ['not_found'],
  tool: {
    title: 'Replace a flight',
    destructive: true,
    description:
      'Replace the whole flight: omitted fields become empty, except passengers, track and customFields. Read it with get_flight, change what is needed and send everything back: fromId, toId, airlineId and aircraftId are the ids of from, to, airline and aircraft; each passenger keeps its id, and its user becomes userId.',
  },
  async run(call) {
    const { principal, input, db, now } = call
    await requireReferences(call, input)
    const existing = (await lockFlight(db, input.id)) ? await findFlight(db, input.id) : undefined
    const match = matchPassengers(existing?.passengers ?? [], input.passengers ?? [])
    const matched = input.passengers && 'matches' in match ? match : undefined
    const fields = await mergeCustomFields(call, input, existing, matched?.matches ?? [])
    const passengersChange = matched !== undefined && (passengersDiffer(matched) || fields.passengersChange)
    const reach = reachOf(principal, existing)
    const needed = neededToUpdate(principal, input, reach, passengersChange)
    if (input.track !== undefined) requireScope(principal, 'tracks.write', needed)
    if (!existing) throw notFound('Flight')
    requireFlightAccess(principal, 'update', reach, needed)
    if ('problem' in match) throw mismatch(match.problem)
    if (passengersChange) requireFlightAccess(principal, 'passengers.manage', reach, needed)
    requireSoundValues(fields, passengersChange)
    const before = peopleOn(existing.passengers)
    const standings = matched ? await requireStandings(call, before, input.passengers!) : []
    const at = now.toISOString()
    await updateStoredFlight(db, input.id, fieldsOf(input), fields.flight, at)
    if (matched) {
      const on = { id: input.id, date: input.date }
      await writePassengers(db, on, matched, fields.passengers, standings)
    }
    if (input.track !== undefined) await writeTrack(db, input.id, input.track, at)
    const shown = await showFlight(call, (await findFlight(db, input.id))!)
    await notifyAdded(call, before, shown)
    // Last, as for a new flight.
    await noteFlightsChanged(
      db,
      [input.id],
      existing.passengers.flatMap((passenger) => passenger.userId ?? []),
    )
    return { data: shown }
  },
})

export const deleteFlight = operation({
  id: 'delete-flight',
  method: 'DELETE',
  path: '/flights/{id}',
  tag,
  summary: 'Delete a flight',
  description: 'Deletes the flight for everyone on it. It can be restored for 30 days.',
  access: credentialWith(['flight.delete.own'], ['flight.delete.any']),
  params: pathId,
  query: strictQuery({
    permanently: z
      .enum(['true', 'false'], 'permanently must be true or false')
      .transform((text) => text === 'true')
      .default(false)
      .describe('true: delete permanently, even if already deleted. Cannot be restored.')
      .meta({ type: 'boolean' }),
  }),
  output: nothing,
  status: 204,
  errors: ['not_found'],
  tool: {
    title: 'Delete a flight',
    destructive: true,
    description:
      'Delete a flight for everyone on it; ask the user first. restore_flight can restore it for 30 days.',
    without: ['permanently'],
    note: 'restore_flight can restore it for 30 days.',
  },
  async run({ principal, input, db, now }) {
    const { id, permanently } = input
    const { id: userId } = principal.user
    const on = await isPassenger(db, id, userId)
    const wasOn =
      on ?? (permanently ? await wasPassenger(db, id, userId, binnedAfter(now.getTime())) : undefined)
    requireFlightAccess(principal, 'delete', wasOn ? 'own' : 'any')
    if (wasOn === undefined) throw notFound('Flight')
    const gone = permanently ? await eraseForGood(db, [id]) : await moveToBin(db, [id], userId, now)
    if (gone.length === 0) throw notFound('Flight')
  },
})

// Access

const reachOf = (principal: Principal, flight: StoredFlight | undefined): Reach =>
  flight?.passengers.some((passenger) => passenger.userId === principal.user.id) ? 'own' : 'any'

/** All scopes that an update needs, reported together; without those that the role could never grant. */
function neededToUpdate(
  principal: Principal,
  input: FlightInput,
  reach: Reach,
  passengersChange: boolean,
): Scope[] {
  const needed: Scope[] = [flightScope('update', reach)]
  if (input.track !== undefined) needed.push('tracks.write')
  if (passengersChange) needed.push(flightScope('passengers.manage', reach))
  return needed.filter((scope) => roleMayUse(principal, scope))
}

/** The role is checked first and refuses with `forbidden`; then the credential, whose scopes can be widened. */
function requireMayCreate(principal: Principal, input: NewFlight, reach: Reach): void {
  const needed = [flightScope('create', reach)]
  if (input.passengers.length > 1) needed.push(flightScope('passengers.manage', reach))
  const withTrack: Scope[] = input.track === undefined ? needed : [...needed, 'tracks.write']
  if (input.track !== undefined) requireScope(principal, 'tracks.write', withTrack)
  if (!needed.every((scope) => roleMay(principal, scope as Permission))) throw forbidden()
  const missing = needed.find((scope) => !credentialMay(principal, scope))
  if (missing) throw insufficientScope(missing, withTrack)
}

const showFlight = async (call: Call, flight: StoredFlight) => (await showFlights(call, [flight]))[0]!
