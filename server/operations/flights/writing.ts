// Adding, replacing and patching a flight inside an open transaction. The order of the checks is part of the
// contract; it is written out in each function.
import { isDeepStrictEqual } from 'node:util'
import { forbidden, insufficientScope, notFound } from '../../base/errors.ts'
import { requireValid } from '../../base/request/input.ts'
import { flightScope, type Permission, type Reach, type Scope } from '../../domain/access/access.ts'
import { flightTag } from '../../domain/flights/conditions.ts'
import { peopleOn, type Standing } from '../../domain/flights/consent.ts'
import { type FlightFields, flightFieldNames } from '../../domain/flights/fields.ts'
import { matchPassengers, passengersDiffer } from '../../domain/flights/flight.ts'
import { editOf, type IdsByPerson } from '../../domain/history/edits.ts'
import { pick } from '../../domain/pick.ts'
import type { Call } from '../../door/operation.ts'
import {
  credentialMay,
  type Principal,
  requireFlightAccess,
  requireScope,
  roleMay,
  roleMayUse,
} from '../../services/access/principal.ts'
import { findFlight, type Name, type StoredFlight } from '../../store/flights/flights.ts'
import { insertNewFlight, insertRecordedFlight, type NewFlight } from '../../store/flights/new.ts'
import { findTrackRow, packTrack } from '../../store/flights/tracks.ts'
import { insertFlights, insertPassengers, lockFlight, updateFlight } from '../../store/flights/writes.ts'
import {
  additionOf,
  type FlightChange,
  holdsChanges,
  recordFlightChanges,
} from '../../store/history/changes.ts'
import { type ExternalIds, listExternalIds } from '../../store/history/external-ids.ts'
import { listNames } from '../../store/people/people.ts'
import { requireCondition } from '../wire/conditions.ts'
import { type FlightPatch, PassengerInput } from '../wire/schemas.ts'
import { authorOf } from './author.ts'
import { notifyAdded, requireStandings } from './companions.ts'
import { type MergedValues, mergeCustomFields, requireSoundValues } from './custom-values.ts'
import {
  externalIdsDiffer,
  holdExternalIds,
  insertNewIds,
  mergedExternalIds,
  writeExternalIds,
} from './ids.ts'
import { FlightInput, fieldsOf, passengerFieldsOf, requireReferences } from './input.ts'
import { mismatch, settleMoves, writePassengers } from './passengers.ts'
import { mergePatch, withPathsInPatch } from './patch.ts'
import { changedTrack, insertTrack, summaryOf, writeTrack } from './tracks.ts'
import { type FlightView, prepareView, showFlight } from './view.ts'

type NewInput = FlightInput & { passengers: PassengerInput[] }

/** Checks and stores a new flight as the last step of its transaction. Returns it as the API shows it. */
export async function addFlight(call: Call, given: FlightInput): Promise<FlightView> {
  await holdExternalIds(call, given.externalIds)
  const checked = await checkNewFlight(call, given)
  const { input } = checked
  const users = input.passengers.flatMap(({ userId }) => userId ?? [])
  const others = users.filter((userId) => userId !== call.principal.user.id)
  const flight = newFlight(call, checked, await namesOf(call, others))
  const hasIds = Object.keys(input.externalIds ?? {}).length > 0
  const isAlone = others.length === 0 && !hasIds && !input.track && !holdsChanges(call.db)
  if (isAlone) {
    // First, because recording the change may end the transaction, after which no query is possible.
    const view = await prepareView(call, flight.fields)
    return view(await insertRecordedFlight(call.db, flight, authorOf(call)))
  }
  const stored = await insertNewFlight(call.db, flight)
  await insertNewIds(call, [{ id: stored.id, externalIds: input.externalIds }])
  if (input.track) stored.track = await insertTrack(call.db, stored.id, input.track, flight.at)
  const shown = await showFlight(call, stored, bySource(input.externalIds ?? {}))
  await notifyAdded(call, [], shown)
  await recordFlightChanges(call.db, [additionOf(stored.id, users)], authorOf(call), flight.at)
  return shown
}

/** In the form of a response. */
const bySource = (externalIds: ExternalIds): ExternalIds =>
  Object.fromEntries(Object.entries(externalIds).sort(([one], [other]) => (one < other ? -1 : 1)))

/** The names of the caller and of these people. */
async function namesOf({ db, principal }: Call, others: readonly string[]): Promise<Map<string, Name>> {
  const named = others.length > 0 ? await listNames(db, others) : []
  return new Map([principal.user, ...named].map((person) => [person.id, person]))
}

/** The row of a flight that passed every check. */
const newFlight = (
  { principal, now }: Call,
  { input, fields, values, standings }: CheckedFlight,
  names: ReadonlyMap<string, Name>,
): NewFlight => ({
  fields,
  customFields: values.flight,
  passengers: input.passengers.map((entry, i) => ({
    ...passengerFieldsOf(entry),
    addedBy: standings[i]!.addedBy,
    keptAt: standings[i]!.keptAt,
    customFields: values.passengers[i]!,
    name: entry.userId === null ? undefined : names.get(entry.userId),
  })),
  seenRecords: recordsSeen(principal),
  at: now.toISOString(),
})

/** A new flight that passed every check and may be stored. */
export interface CheckedFlight {
  input: NewInput
  fields: FlightFields
  values: MergedValues
  standings: readonly Standing[]
}

/** `known` are those of the flight's people who exist, if already looked up. */
export async function checkNewFlight(
  call: Call,
  given: FlightInput,
  known?: ReadonlySet<string>,
): Promise<CheckedFlight> {
  const { principal } = call
  const { id: userId } = principal.user
  const input: NewInput = { ...given, passengers: given.passengers ?? [PassengerInput.parse({ userId })] }
  await requireReferences(call, input, known)
  const isOwn = input.passengers.some((entry) => entry.userId === userId)
  requireMayCreate(principal, input, isOwn ? 'own' : 'any')
  const newcomers = input.passengers.map((wanted) => ({ wanted, existing: undefined }))
  const values = await mergeCustomFields(call, input, undefined, newcomers)
  requireSoundValues(values, true)
  const standings = await requireStandings(call, [], input.passengers)
  return { input, fields: fieldsOf(input), values, standings }
}

/**
 * Stores the flights together. The caller then notifies the people on them, and records the returned changes as the
 * last step of its transaction.
 */
export async function storeFlights(
  call: Call,
  flights: readonly CheckedFlight[],
  importId: number | null = null,
): Promise<FlightChange[]> {
  const { db, principal, now } = call
  const at = now.toISOString()
  const seen = recordsSeen(principal)
  const ids = await insertFlights(
    db,
    flights.map(({ fields, values }) => ({ ...fields, customFields: values.flight })),
    at,
    seen,
    importId,
  )
  await insertPassengers(
    db,
    flights.flatMap(({ input, values, standings }, i) =>
      input.passengers.map((entry, n) => ({
        ...passengerFieldsOf(entry),
        ...standings[n]!,
        customFields: values.passengers[n]!,
        flightId: ids[i]!,
        date: input.date,
      })),
    ),
  )
  await insertNewIds(
    call,
    flights.map(({ input }, i) => ({ id: ids[i]!, externalIds: input.externalIds })),
  )
  for (const [i, { input }] of flights.entries()) {
    if (input.track) await writeTrack(db, ids[i]!, await packTrack(input.track), at)
  }
  return flights.map(({ input }, i) => {
    const users = input.passengers.flatMap((entry) => entry.userId ?? [])
    return additionOf(ids[i]!, users)
  })
}

interface Replaced {
  flight: FlightView
  /** False if the flight already had these values: then there is no new version and no change. */
  changed: boolean
}

/**
 * The flight that a call changes: one that the caller may access, in the state that the condition requires. A write
 * may rely on it only after locking the flight.
 */
export async function requireCurrent(
  { db, principal, condition }: Pick<Call, 'db' | 'principal' | 'condition'>,
  id: number,
): Promise<StoredFlight> {
  const flight = await findFlight(db, id)
  if (!flight) throw notFound('Flight')
  requireFlightAccess(principal, 'update', reachOf(principal, flight))
  requireCondition(condition, flightTag(flight))
  return flight
}

async function lockCurrent(call: Call, id: number): Promise<StoredFlight> {
  await lockFlight(call.db, { id })
  return requireCurrent(call, id)
}

const lockAny = async ({ db }: Call, id: number): Promise<StoredFlight | undefined> =>
  (await lockFlight(db, { id })) === undefined ? undefined : findFlight(db, id)

/**
 * Replaces a flight, except for `passengers`, `track`, `customFields` and fields that keep their value if omitted. A
 * condition is checked before the input is validated.
 */
export async function replaceFlight(call: Call, id: number, input: FlightInput): Promise<Replaced> {
  await holdExternalIds(call, input.externalIds)
  const current = call.condition && (await lockCurrent(call, id))
  await requireReferences(call, input)
  return writeOver(call, current ?? (await lockAny(call, id)), input)
}

/** Merges a patch into a flight. Problems are reported by their path in the patch. */
export async function changeFlight(call: Call, id: number, patch: FlightPatch): Promise<Replaced> {
  await holdExternalIds(call, patch.externalIds)
  const existing = await lockCurrent(call, id)
  const externalIds = await mergedExternalIds(call, id, patch.externalIds)
  const definitions = await call.services.reference.customFields(call.db, call.principal.revisions.reference)
  const merged = mergePatch(existing, { ...patch, externalIds }, definitions)
  try {
    const input = requireValid(FlightInput, merged.input)
    await requireReferences(call, input)
    return await writeOver(call, existing, input)
  } catch (error) {
    throw withPathsInPatch(error, patch, merged.passengerPaths)
  }
}

/** Writes these values to a locked flight; undefined if there is no flight. */
async function writeOver(
  call: Call,
  existing: StoredFlight | undefined,
  input: FlightInput,
): Promise<Replaced> {
  const { principal, db } = call
  const match = matchPassengers(existing?.passengers ?? [], input.passengers ?? [])
  const matched = input.passengers && 'matches' in match ? match : undefined
  const fields = await mergeCustomFields(call, input, existing, matched?.matches ?? [])
  const passengersChange = matched !== undefined && (passengersDiffer(matched) || fields.passengersChange)
  const reach = reachOf(principal, existing)
  const needed = neededToUpdate(principal, input, reach, passengersChange)
  if (input.track) requireScope(principal, 'tracks.write', needed)
  if (!existing) throw notFound('Flight')
  requireFlightAccess(principal, 'update', reach, needed)
  // Checked only here: whether there is a track to delete would reveal that the flight exists.
  if (input.track === null && existing.track)
    requireScope(principal, 'tracks.write', [...needed, 'tracks.write'])
  if ('problem' in match) throw mismatch(match.problem)
  if (passengersChange) requireFlightAccess(principal, 'passengers.manage', reach, needed)
  requireSoundValues(fields, passengersChange)
  const standings = matched
    ? await requireStandings(call, peopleOn(existing.passengers), input.passengers!)
    : []
  const wanted = fieldsOf(input, existing)
  const track = await changedTrack(db, existing, input.track)
  const isSame =
    !passengersChange &&
    track === undefined &&
    !(await externalIdsDiffer(call, existing.id, input.externalIds)) &&
    isDeepStrictEqual(wanted, pick(existing, flightFieldNames)) &&
    isDeepStrictEqual(fields.flight, { ...existing.customFields })
  if (isSame) return { flight: await showFlight(call, existing), changed: false }
  return storeOver(call, existing, { input, wanted, values: fields, matched, standings, track })
}

interface Wanted {
  input: FlightInput
  wanted: FlightFields
  values: MergedValues
  /** Undefined: the passengers do not change. */
  matched: Parameters<typeof writePassengers>[2] | undefined
  standings: readonly Standing[]
  track: Awaited<ReturnType<typeof changedTrack>>
}

/** Writes the values that passed every check and differ. */
async function storeOver(
  call: Call,
  existing: StoredFlight,
  { input, wanted, values, matched, standings, track }: Wanted,
): Promise<Replaced> {
  const { principal, db, now } = call
  const { id } = existing
  const at = now.toISOString()
  const trackBefore = track === undefined ? undefined : await findTrackRow(db, id)
  const idsBefore = await idsToKeep(call, id, input)
  const version = await updateFlight(db, id, wanted, values.flight, at, recordsSeen(principal))
  if (matched) await writePassengers(db, { id, date: input.date }, matched, values.passengers, standings)
  if (track !== undefined) await writeTrack(db, id, track, at)
  await writeExternalIds(call, id, input.externalIds)
  const stored = (await findFlight(db, id))!
  const flight = await showFlight(call, stored)
  const before = peopleOn(existing.passengers)
  await notifyAdded(call, before, flight)
  const moves = await settleMoves(db, stored, before)
  const isStillOn = !moves.left.includes(principal.user.id)
  const edit = editOf(existing, stored, {
    idsBefore: { ...pick(moves.externalIds ?? {}, moves.left), ...idsBefore },
    idsAfter: idsBefore && isStillOn ? { [principal.user.id]: flight.externalIds } : {},
    track: track === undefined ? undefined : [trackBefore ? summaryOf(trackBefore) : null, stored.track],
  })
  const history = { edit, trackBody: trackBefore?.body }
  await recordFlightChanges(db, [{ id, version, kind: 'updated', history, ...moves }], authorOf(call), at)
  return { flight, changed: true }
}

/** The external ids to write, if the request has any. */
const idsToKeep = async (
  { db, principal }: Call,
  id: number,
  { externalIds }: FlightInput,
): Promise<IdsByPerson | undefined> =>
  externalIds === undefined
    ? undefined
    : { [principal.user.id]: (await listExternalIds(db, principal.user.id, [id])).get(id) ?? {} }

/**
 * The revision of the names that a flight shows, as this request saw them. The caller's cached copy is current as
 * long as it is the same. It is counted per person, so it says nothing about other people's copies.
 */
export const recordsSeen = ({ user, revisions }: Principal): string =>
  `${user.id}@${revisions.names}.${revisions.presentation}`

// Access

export const reachOf = (
  principal: Principal,
  flight: { passengers: readonly { userId: string | null }[] } | undefined,
): Reach => (flight?.passengers.some((passenger) => passenger.userId === principal.user.id) ? 'own' : 'any')

/** All scopes that an update needs, reported together, except those that the role could never grant. */
function neededToUpdate(
  principal: Principal,
  input: FlightInput,
  reach: Reach,
  passengersChange: boolean,
): Scope[] {
  const needed: Scope[] = [flightScope('update', reach)]
  if (input.track) needed.push('tracks.write')
  if (passengersChange) needed.push(flightScope('passengers.manage', reach))
  return needed.filter((scope) => roleMayUse(principal, scope))
}

/** First the role, which is refused with `forbidden`; then the credential, whose scopes can be extended. */
function requireMayCreate(principal: Principal, input: NewInput, reach: Reach): void {
  const needed = [flightScope('create', reach)]
  if (input.passengers.length > 1) needed.push(flightScope('passengers.manage', reach))
  const withTrack: Scope[] = input.track === undefined ? needed : [...needed, 'tracks.write']
  if (input.track !== undefined) requireScope(principal, 'tracks.write', withTrack)
  if (!needed.every((scope) => roleMay(principal, scope as Permission))) throw forbidden()
  const missing = needed.find((scope) => !credentialMay(principal, scope))
  if (missing) throw insufficientScope(missing, withTrack)
}
