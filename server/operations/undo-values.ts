// Puts back the values that a change of a flight replaced, except those that others changed since.
import { requireFlightAccess, requireScope } from '../auth/principal.ts'
import { check } from '../base/validation.ts'
import { type FlightAction, flightScope } from '../domain/access.ts'
import {
  type ComparedPart,
  comparedParts,
  fieldChanges,
  onlyParts,
  overlap,
  partNames,
  partOfPlace,
  type StateNow,
  withDependents,
  wordForPart,
} from '../domain/edit-parts.ts'
import { derivedDuration, followsTimes } from '../domain/flight.ts'
import {
  alike,
  departuresIn,
  editOf,
  type FlightEdit,
  type KeptPassenger,
  movesIn,
} from '../domain/flight-edits.ts'
import {
  type FlightFields,
  flightFieldNames,
  flightFields,
  pick,
  referenceFields,
} from '../domain/flight-fields.ts'
import { leftAlone, peopleOn } from '../domain/standing.ts'
import type { Call } from '../operation.ts'
import { recordFlightChanges } from '../store/changes.ts'
import {
  deleteExternalId,
  type ExternalIds,
  findExternalIdsOfFlights,
  insertExternalId,
} from '../store/external-ids.ts'
import {
  deletePassenger,
  insertKeptPassenger,
  setPassengerAside,
  updateFlight,
  updatePassenger,
} from '../store/flight-writes.ts'
import { findFlight, type StoredFlight, type StoredValues } from '../store/flights.ts'
import { findReplacedTrack, type SeenEntry } from '../store/history.ts'
import type { Author } from '../store/history-rows.ts'
import { deleteTrack, findTrackRow, putBackTrack } from '../store/tracks.ts'
import { notifyAdded } from './companions.ts'
import { FlightInput } from './flight-input.ts'
import { settleMoves } from './flight-passengers.ts'
import { showFlight } from './flight-view.ts'
import { reachOf, recordsSeen } from './flight-writing.ts'
import { summaryOf } from './tracks.ts'
import { type Done, Left, left } from './undo-left.ts'
import { changedSince, changesAfter, isOwn, type LaterChange, whyNotInLog } from './undo-since.ts'

type NowStored = StoredFlight & StateNow

export async function putBack(call: Call, entry: SeenEntry, author: Author): Promise<Done> {
  const { db, principal } = call
  const stored = await findFlight(db, entry.flightId)
  if (!stored) throw await whyNotInLog(call, entry)
  const edit = withIdsFor(entry.edit!, principal.user.id)
  requireMayChange(call, stored, edit)
  const current = { ...stored, ids: await idsByPerson(call, stored.id) }
  const { free, ...rest } = await freeParts(call, { ...entry, edit }, current)
  // Who would come back by a part that is left is not on the flight, and may change nothing else of it.
  requireMayChange(call, stored, free)
  const next = await stateBefore(call, current, free)
  await write(call, { ...entry, edit: free }, current, { next, author })
  return { action: 'put_back', ...rest }
}

function requireMayChange({ principal }: Call, current: StoredFlight, edit: FlightEdit): void {
  const reach = departuresIn(edit).has(principal.user.id) ? 'own' : reachOf(principal, current)
  const actions: FlightAction[] = edit.passengers ? ['update', 'passengers.manage'] : ['update']
  const needed = actions.map((action) => flightScope(action, reach))
  for (const action of actions) requireFlightAccess(principal, action, reach, needed)
  if (edit.track) requireScope(principal, 'tracks.write', [...needed, 'tracks.write'])
}

// What may go back

interface Free {
  /** Without what others changed since. */
  free: FlightEdit
  leftFields?: string[]
  message?: string
}

/** What the change wrote must be what is there; other values may be different by now. */
async function freeParts(
  call: Call,
  entry: SeenEntry & { edit: FlightEdit },
  current: NowStored,
): Promise<Free> {
  const { id: userId } = call.principal.user
  const { edit } = entry
  const parts = comparedParts(edit, current).filter(({ isAsBefore }) => !isAsBefore)
  if (parts.length === 0) throw left.asBefore()
  const later = await changesAfter(call, entry)
  const standsAgainst = opposition(call, edit, current)
  const taken = parts.filter(
    (part) => !part.isAsWritten || later.some((change) => standsAgainst(part, change)),
  )
  const leftNames = withDependents(
    taken.map(({ name }) => name),
    edit,
  )
  const names = parts.map(({ name }) => name)
  const wanted = new Set(names.filter((name) => !leftNames.has(name)))
  const free = withIdsFor(onlyParts(edit, wanted, current), userId)
  if (taken.length === 0) return { free }
  const since = later.filter((change) => taken.some((part) => standsAgainst(part, change)))
  const words = (list: readonly string[]) => [...new Set(list.map((name) => wordForPart(name, userId)))]
  const why = await changedSince(
    call,
    since.map(({ entry }) => entry),
    words(taken.map(({ name }) => name)),
  )
  if (partNames(free).length === 0) throw new Left('changed_since', why)
  const leftFields = words(names.filter((name) => leftNames.has(name)))
  return { free, leftFields, message: `Put back, except ${leftFields.join(', ')}. ${why}` }
}

/**
 * Whether a later change of a part stands against an undo. Where the value is not what the change wrote, every one in effect
 * that wrote it. Where it looks as the change left it, that of someone else; of a person who came or left also that of the
 * caller: no person is put back where they left since. Who left may come back only if no one else did anything about their
 * place, not even by an undo.
 */
function opposition({ principal, ...call }: Call, edit: FlightEdit, current: StoredFlight) {
  const { id: userId } = principal.user
  const moves = new Set([...movesIn(edit)].map(partOfPlace))
  const isComingBack = departuresIn(edit).has(userId) && reachOf(principal, current) === 'any'
  return ({ name, isAsWritten }: ComparedPart, { entry, parts, partsInEffect }: LaterChange): boolean => {
    const isAbout = (other: string) => overlap(name, other)
    if (partsInEffect.some(isAbout))
      return !isAsWritten || moves.has(name) || !isOwn({ principal, ...call }, entry)
    return isComingBack && name === partOfPlace(userId) && entry.userId !== userId && parts.some(isAbout)
  }
}

/** An edit with the external ids of a person, and of those whom taking it back puts on the flight again. */
function withIdsFor({ externalIds, ...edit }: FlightEdit, userId: string): FlightEdit {
  const people = departuresIn(edit).add(userId)
  const kept = Object.entries(externalIds ?? {}).filter(([person]) => people.has(person))
  return kept.length > 0 ? { ...edit, externalIds: Object.fromEntries(kept) } : edit
}

/** Those of everyone on the flight. */
async function idsByPerson({ db }: Call, flightId: number): Promise<Record<string, ExternalIds>> {
  const ids: Record<string, ExternalIds> = {}
  for (const { userId, source, value } of await findExternalIdsOfFlights(db, [flightId]))
    ids[userId] = { ...ids[userId], [source]: value }
  return ids
}

// The flight as it was

/** The flight with the values that it had before the change, if they can still be. */
async function stateBefore(call: Call, current: StoredFlight, edit: FlightEdit): Promise<StoredFlight> {
  const fields = fieldsBefore(current, edit)
  await requireRecords(call, edit)
  const valid = check(FlightInput, fields)
  if ('issues' in valid) throw left.unfit('With what was changed since, the flight would not be valid.')
  const passengers = passengersBefore(current.passengers, edit)
  if (passengers.length === 0) throw left.unfit('No one would be on the flight.')
  const next = { ...current, ...fields, customFields: await valuesBefore(call, current, edit), passengers }
  const alone = leftAlone(peopleOn(current.passengers), peopleOn(passengers), call.principal.user.id)
  if (edit.passengers && alone.length > 0) throw left.alone()
  return next as StoredFlight
}

function fieldsBefore(current: StoredFlight, edit: FlightEdit): FlightFields {
  const fields: FlightFields = { ...pick(current, flightFieldNames) }
  for (const [name, [was]] of fieldChanges(edit)) Object.assign(fields, { [name]: was })
  const written = edit.fields?.duration
  if (!followsTimes(current) || (written && alike(written[1], current.duration) && !alike(...written)))
    return fields
  return { ...fields, duration: derivedDuration({ ...fields, duration: null }) }
}

async function requireRecords({ services, db, principal }: Call, { fields = {} }: FlightEdit): Promise<void> {
  const names = referenceFields.filter((name) => typeof fields[name]?.[0] === 'number')
  const ids = (to: 'airports' | 'airlines' | 'aircraft') =>
    names.flatMap((name) => (flightFields[name].to === to ? (fields[name]![0] as number) : []))
  const records = await services.reference.records(db, principal.revisions.reference, {
    airports: ids('airports'),
    airlines: ids('airlines'),
    aircraft: ids('aircraft'),
  })
  const gone = names.find((name) => !records[flightFields[name].to].has(fields[name]![0] as number))
  if (gone) throw left.unfit(`What it had as ${flightFields[gone].shownAs} does not exist any more.`)
}

/** Values of fields that were deleted do not come back. */
async function valuesBefore(
  { services, db, principal }: Call,
  current: StoredFlight,
  { customFields = {} }: FlightEdit,
): Promise<StoredValues> {
  const known = await services.reference.customFields(db, principal.revisions.reference)
  const values: StoredValues = { ...current.customFields }
  for (const [id, [was]] of Object.entries(customFields)) {
    delete values[id]
    if (was !== null && known.some((field) => String(field.id) === id)) values[id] = was
  }
  return values
}

function passengersBefore(current: StoredFlight['passengers'], { passengers = [] }: FlightEdit) {
  const changed = new Map(passengers.map(([was, became]) => [(was ?? became)!.id, was]))
  const present = current.map(({ id }) => id)
  return [
    ...current.flatMap((passenger): KeptPassenger[] => {
      const was = changed.get(passenger.id)
      return was === undefined ? [passenger] : was === null ? [] : [was]
    }),
    ...[...changed.values()].flatMap((was) => (was && !present.includes(was.id) ? [was] : [])),
  ]
}

// Writing

async function write(
  call: Call,
  entry: SeenEntry & { edit: FlightEdit },
  current: NowStored,
  { next, author }: { next: StoredFlight; author: Author },
): Promise<void> {
  const { db, principal, now } = call
  const { id } = current
  const { edit } = entry
  const at = now.toISOString()
  const trackBefore = edit.track && (await findTrackRow(db, id))
  const fields = pick(next, flightFieldNames)
  const version = await updateFlight(db, id, fields, next.customFields, at, recordsSeen(principal))
  await writePassengers(call, next, edit)
  if (edit.track) await writeTrack(call, entry, edit.track[0])
  await writeIds(call, id, edit)
  const stored = (await findFlight(db, id))!
  const before = peopleOn(current.passengers)
  await notifyAdded(call, before, await showFlight(call, stored))
  const moves = await settleMoves(db, stored, before)
  const undone = editOf(current, stored, {
    idsBefore: current.ids,
    idsAfter: await idsByPerson(call, id),
    track: edit.track && [trackBefore ? summaryOf(trackBefore) : null, stored.track],
  })
  const history = { edit: undone, trackBody: trackBefore?.body }
  await recordFlightChanges(db, [{ id, version, kind: 'updated', history, ...moves }], author, at)
}

async function writePassengers(
  { db }: Call,
  flight: StoredFlight,
  { passengers = [] }: FlightEdit,
): Promise<void> {
  for (const [was, became] of passengers) if (was === null && became) await deletePassenger(db, became.id)
  for (const [was, became] of passengers) {
    const isRenamed = was && became && (was.userId !== became.userId || was.guestName !== became.guestName)
    if (isRenamed) await setPassengerAside(db, was.id)
  }
  for (const [was, became] of passengers) {
    if (was && became) await updatePassenger(db, was.id, was, was.customFields, was)
    else if (was) await insertKeptPassenger(db, flight, was)
  }
}

async function writeTrack(
  { db }: Call,
  { changeId, flightId }: SeenEntry,
  was: NonNullable<FlightEdit['track']>[0],
): Promise<void> {
  const body = was && (await findReplacedTrack(db, changeId))
  if (was && body)
    await putBackTrack(db, flightId, { ...was, createdAt: was.createdAt ?? was.updatedAt, body })
  else await deleteTrack(db, flightId)
}

/** An id that the person gave another flight since stays with that one. */
async function writeIds({ db }: Call, flightId: number, { externalIds = {} }: FlightEdit): Promise<void> {
  for (const [userId, pairs] of Object.entries(externalIds)) {
    for (const [source, [was, became]] of Object.entries(pairs)) {
      if (became !== null) await deleteExternalId(db, userId, { source, value: became })
      if (was !== null) await insertExternalId(db, userId, flightId, { source, value: was })
    }
  }
}
