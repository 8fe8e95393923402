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
import { matchesPattern } from '../base/bounded-pattern.ts'
import { forbidden, insufficientScope, invalid, notFound } from '../base/errors.ts'
import { flightScope, type Permission, type Reach, type Scope } from '../domain/access.ts'
import { binnedAfter } from '../domain/bin.ts'
import { mergeValues, problemsWithNames, problemWithValues } from '../domain/custom-fields.ts'
import {
  backwardPairs,
  derivedDuration,
  type MatchResult,
  matchPassengers,
  type PassengerMatch,
  passengersDiffer,
} from '../domain/flight.ts'
import { peopleOn, type Standing } from '../domain/standing.ts'
import { type Call, credentialWith, operation } from '../operation.ts'
import type { CustomField } from '../store/custom-fields.ts'
import { eraseForGood, moveToBin, wasPassenger } from '../store/deleted-flights.ts'
import {
  deletePassenger,
  insertFlight,
  insertPassenger,
  isPassenger,
  lockFlight,
  noteFlightsChanged,
  setPassengerAside,
  updatePassenger,
  updateFlight as updateStoredFlight,
} from '../store/flight-writes.ts'
import {
  type FlightFields,
  findFlight,
  listFlights as listStoredFlights,
  START,
  type StoredFlight,
  type StoredPassenger,
} from '../store/flights.ts'
import { existingPeople } from '../store/people.ts'
import type { Executor } from '../store/store.ts'
import { audienceOf, audienceRevision, requireKnownAudience } from './audience.ts'
import { notifyAdded, requireStandings } from './companions.ts'
import { createCursors } from './cursors.ts'
import { showFlights } from './flight-view.ts'
import {
  Audience,
  Flight,
  flightInputShape,
  list,
  nothing,
  PassengerInput,
  pathId,
  single,
  strictQuery,
} from './schemas.ts'
import { writeTrack } from './tracks.ts'

export const FlightInput = z
  .object(flightInputShape)
  .superRefine((flight, context) => {
    for (const later of backwardPairs(flight)) {
      context.addIssue({ code: 'custom', path: [later], message: 'Must not lie before its counterpart' })
    }
    for (const index of repeatedPassengers(flight.passengers ?? [])) {
      context.addIssue({
        code: 'custom',
        path: ['passengers', index],
        message: 'This person is already on the flight',
      })
    }
  })
  .meta({ id: 'FlightInput' })
export type FlightInput = z.output<typeof FlightInput>
type NewFlight = FlightInput & { passengers: PassengerInput[] }

const tag = 'Flights'

export const Limit = z
  .string()
  .regex(/^[1-9]\d?$|^100$/, 'Invalid pagination')
  .transform(Number)
  .default(50)
  .meta({ type: 'integer', minimum: 1, maximum: 100 })

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
    const page = found.slice(0, limit)
    const last = page.at(-1)
    return {
      data: await showFlights(call, page),
      page: { nextCursor: found.length > limit && last ? cursors.write(last) : null },
    }
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

/** Checks and stores a new flight inside the open transaction; answers it as callers see it. */
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
    await insertPassenger(db, on, passengerFields(entry), fields.passengers[i]!, standings[i])
  }
  if (input.track) await writeTrack(db, id, input.track, at)
  const shown = await showFlight(call, (await findFlight(db, id))!)
  await notifyAdded(call, [], shown)
  // Last: everybody else who writes waits for the counter until this commits.
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

/** Everything an update takes, told at once; what the role could never grant would be asked for in vain. */
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

/** The role is asked first and refuses with `forbidden`; then the credential, which can be widened. */
function requireMayCreate(principal: Principal, input: NewFlight, reach: Reach): void {
  const needed = [flightScope('create', reach)]
  if (input.passengers.length > 1) needed.push(flightScope('passengers.manage', reach))
  const withTrack: Scope[] = input.track === undefined ? needed : [...needed, 'tracks.write']
  if (input.track !== undefined) requireScope(principal, 'tracks.write', withTrack)
  if (!needed.every((scope) => roleMay(principal, scope as Permission))) throw forbidden()
  const missing = needed.find((scope) => !credentialMay(principal, scope))
  if (missing) throw insufficientScope(missing, withTrack)
}

// References and values

/** Airports, aircraft, airline and people that a body names must exist. */
async function requireReferences(call: Call, input: FlightInput): Promise<void> {
  const { db, principal, services } = call
  // From memory: what is deleted at this moment is refused by the store.
  const { airports, airlines, aircraft } = await services.reference.records(
    db,
    principal.revisions.reference,
    {
      airports: [input.fromId, input.toId],
      airlines: [input.airlineId],
      aircraft: [input.aircraftId],
    },
  )
  const passengers = input.passengers ?? []
  const people = await existingPeople(
    db,
    passengers.flatMap((entry) => entry.userId ?? []),
  )
  const missing: [boolean, (string | number)[], string][] = [
    [!airports.has(input.fromId), ['fromId'], 'There is no such departure airport'],
    [!airports.has(input.toId), ['toId'], 'There is no such arrival airport'],
    [
      input.aircraftId !== null && !aircraft.has(input.aircraftId),
      ['aircraftId'],
      'There is no such aircraft type',
    ],
    [input.airlineId !== null && !airlines.has(input.airlineId), ['airlineId'], 'There is no such airline'],
    ...passengers.map((entry, i): [boolean, (string | number)[], string] => [
      entry.userId !== null && !people.has(entry.userId),
      ['passengers', i, 'userId'],
      'There is no such user',
    ]),
  ]
  const issues = missing.flatMap(([isMissing, path, message]) => (isMissing ? [{ path, message }] : []))
  if (issues.length > 0) throw invalid(issues[0]!.message, ...issues)
}

interface MergedValues {
  flight: Record<string, unknown>
  /** In the order of the matches. */
  passengers: Record<string, unknown>[]
  passengersChange: boolean
  rules: { flight: CustomField[]; passenger: CustomField[] }
  /** Names that would be lost. */
  lost: { path: (string | number)[]; message: string }[]
}

/** Custom-field values as they will be stored, not yet judged. */
async function mergeCustomFields(
  { services, principal, db }: Call,
  input: FlightInput,
  existing: StoredFlight | undefined,
  matches: readonly PassengerMatch<PassengerInput, StoredPassenger>[],
): Promise<MergedValues> {
  const all = await services.reference.customFields(db, principal.revisions.reference)
  const defined = {
    flight: all.filter((field) => field.entityType === 'flight'),
    passenger: all.filter((field) => field.entityType === 'flight_passenger'),
  }
  const rules = {
    flight: defined.flight.filter((field) => field.active),
    passenger: defined.passenger.filter((field) => field.active),
  }
  const stored = matches.map((match) => match.existing?.customFields ?? {})
  const passengers = matches.map(({ wanted }, i) =>
    mergeValues(rules.passenger, stored[i]!, wanted.customFields ?? {}),
  )
  return {
    flight: mergeValues(rules.flight, existing?.customFields ?? {}, input.customFields),
    passengers,
    passengersChange: passengers.some((values, i) => JSON.stringify(values) !== JSON.stringify(stored[i])),
    rules,
    lost: [
      ...lostNames(defined.flight, existing?.customFields ?? {}, input.customFields, []),
      ...matches.flatMap(({ wanted }, i) =>
        lostNames(defined.passenger, stored[i]!, wanted.customFields ?? {}, ['passengers', i]),
      ),
    ],
  }
}

const lostNames = (
  defined: readonly CustomField[],
  stored: Record<string, unknown>,
  given: Record<string, unknown>,
  path: (string | number)[],
) =>
  problemsWithNames(defined, stored, given).map(({ key, message }) => ({
    path: [...path, 'customFields', key],
    message,
  }))

const LOST_NAMES_SHOWN = 20

/** Passengers' values are judged only if something about passengers changes: rules may be newer than the flight. */
function requireSoundValues(
  { flight, passengers, rules, lost }: MergedValues,
  passengersChange: boolean,
): void {
  if (lost.length > 0) throw invalid(lost[0]!.message, ...lost.slice(0, LOST_NAMES_SHOWN))
  requireSound(rules.flight, flight, [])
  if (!passengersChange) return
  for (const [i, values] of passengers.entries()) requireSound(rules.passenger, values, ['passengers', i])
}

function requireSound(
  rules: readonly CustomField[],
  values: Record<string, unknown>,
  path: (string | number)[],
): void {
  const problem = problemWithValues(rules, values, matchesPattern)
  if (!problem) return
  const { key, message } = problem
  throw invalid(message, { path: [...path, 'customFields', key], message })
}

// Passengers

type Matched = Extract<MatchResult<PassengerInput, StoredPassenger>, { matches: unknown }>

const mismatch = ({ index, message }: { index: number; message: string }) =>
  invalid(message, { path: ['passengers', index], message })

async function writePassengers(
  db: Executor,
  flight: { id: number; date: string },
  { matches, removed }: Matched,
  values: Record<string, unknown>[],
  standings: readonly Standing[],
): Promise<void> {
  for (const { id } of removed) await deletePassenger(db, id)
  // Two passengers may swap identities: set aside those that change theirs, so that no unique key clashes on the way.
  for (const { wanted, existing } of matches) {
    if (existing && (existing.userId !== wanted.userId || existing.guestName !== wanted.guestName)) {
      await setPassengerAside(db, existing.id)
    }
  }
  for (const [i, { wanted, existing }] of matches.entries()) {
    const data = passengerFields(wanted)
    if (existing) await updatePassenger(db, existing.id, data, values[i]!, standings[i]!)
    else await insertPassenger(db, flight, data, values[i]!, standings[i])
  }
}

function fieldsOf(input: FlightInput): FlightFields {
  const { passengers: _passengers, track: _track, customFields: _values, ...fields } = input
  return { ...fields, duration: derivedDuration(input) }
}

const passengerFields = ({ id: _id, customFields: _values, ...fields }: PassengerInput) => fields

/** Indexes of entries that name a user or a guest a second time. */
function repeatedPassengers(entries: readonly PassengerInput[]): number[] {
  const seen = new Set<string>()
  return entries.flatMap((entry, index) => {
    const name = entry.userId !== null ? `user:${entry.userId}` : `guest:${entry.guestName}`
    if (seen.has(name)) return [index]
    seen.add(name)
    return []
  })
}

const showFlight = async (call: Call, flight: StoredFlight) => (await showFlights(call, [flight]))[0]!
