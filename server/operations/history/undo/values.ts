// Puts back the values that a change of a flight replaced, except those that others changed since.

import { check } from '../../../base/request/validation.ts'
import { type FlightAction, flightScope } from '../../../domain/access/access.ts'
import { leftAlone, peopleOn } from '../../../domain/flights/consent.ts'
import { flightFieldNames, flightFields, referenceFields } from '../../../domain/flights/fields.ts'
import { departuresIn, editOf, type FlightEdit, movesIn } from '../../../domain/history/edits.ts'
import {
  type ComparedPart,
  overlap,
  partNames,
  partOfPlace,
  type StateNow,
  wordForPart,
} from '../../../domain/history/parts.ts'
import { type PutBack, putBack } from '../../../domain/history/put-back.ts'
import { pick } from '../../../domain/pick.ts'
import type { Call } from '../../../door/operation.ts'
import { requireFlightAccess, requireScope } from '../../../services/access/principal.ts'
import { findFlight, type StoredFlight, type StoredValues } from '../../../store/flights/flights.ts'
import { deleteTrack, findTrackRow, putBackTrack } from '../../../store/flights/tracks.ts'
import {
  deletePassenger,
  insertKeptPassenger,
  setPassengerAside,
  updateFlight,
  updatePassenger,
} from '../../../store/flights/writes.ts'
import { recordFlightChanges } from '../../../store/history/changes.ts'
import {
  deleteExternalId,
  type ExternalIds,
  findExternalIdsOfFlights,
  insertExternalId,
} from '../../../store/history/external-ids.ts'
import { findReplacedTrack, type SeenEntry } from '../../../store/history/history.ts'
import type { Author } from '../../../store/history/rows.ts'
import { notifyAdded } from '../../flights/companions.ts'
import { FlightInput } from '../../flights/input.ts'
import { settleMoves } from '../../flights/passengers.ts'
import { summaryOf } from '../../flights/tracks.ts'
import { showFlight } from '../../flights/view.ts'
import { reachOf, recordsSeen } from '../../flights/writing.ts'
import { changedSince, changesAfter, isOwn, type LaterChange, whyNotInLog } from './since.ts'
import { type Done, Left, left } from './verdict.ts'

type NowStored = StoredFlight & StateNow

export async function undoChange(call: Call, entry: SeenEntry, author: Author): Promise<Done> {
  const { db, principal } = call
  const stored = await findFlight(db, entry.flightId)
  if (!stored) throw await whyNotInLog(call, entry)
  const edit = withIdsFor(entry.edit!, principal.user.id)
  requireMayChange(call, stored, edit)
  const current = { ...stored, ids: await idsByPerson(call, stored.id) }
  const { free, values, ...rest } = await freeParts(call, { ...entry, edit }, current)
  // A person whose return is left out is not on the flight and may not change anything about it.
  requireMayChange(call, stored, free)
  const next = await stateBefore(call, current, values)
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

// What may be put back

interface Free {
  /** The edit without the parts that others changed since. */
  free: FlightEdit
  values: PutBack
  leftFields?: string[]
  message?: string
}

/** A part is free if its value is what the change wrote; others may have changed it since. */
async function freeParts(
  call: Call,
  entry: SeenEntry & { edit: FlightEdit },
  current: NowStored,
): Promise<Free> {
  const { id: userId } = call.principal.user
  const { edit } = entry
  const later = await changesAfter(call, entry)
  const standsAgainst = opposition(call, edit, current)
  const values = putBack(edit, current, (part) => later.some((change) => standsAgainst(part, change)))
  const { parts, changed, left: leftNames } = values
  if (parts.length === 0) throw left.asBefore()
  const free = withIdsFor(values.free, userId)
  if (changed.length === 0) return { free, values }
  const since = later.filter((change) => changed.some((part) => standsAgainst(part, change)))
  const words = (list: readonly string[]) => [...new Set(list.map((name) => wordForPart(name, userId)))]
  const why = await changedSince(
    call,
    since.map(({ entry }) => entry),
    words(changed.map(({ name }) => name)),
  )
  if (partNames(free).length === 0) throw new Left('changed_since', why)
  const leftFields = words(leftNames)
  return { free, values, leftFields, message: `Put back, except ${leftFields.join(', ')}. ${why}` }
}

/**
 * Whether a later change blocks the undo of a part. If the value is no longer what the change wrote: any later change
 * of it that is in effect. If it is: only changes by others. For a person who joined or left, the caller's own changes
 * block too, because an undo does not put people back on a flight that they left since. Someone who left can only come
 * back if no other person has touched their place since, not even with an undo.
 */
function opposition(call: Call, edit: FlightEdit, current: StoredFlight) {
  const { principal } = call
  const { id: userId } = principal.user
  const moves = new Set([...movesIn(edit)].map(partOfPlace))
  const isComingBack = departuresIn(edit).has(userId) && reachOf(principal, current) === 'any'
  return ({ name, isAsWritten }: ComparedPart, { entry, parts, partsInEffect }: LaterChange): boolean => {
    const isAbout = (other: string) => overlap(name, other)
    if (partsInEffect.some(isAbout)) return !isAsWritten || moves.has(name) || !isOwn(call, entry)
    return isComingBack && name === partOfPlace(userId) && entry.userId !== userId && parts.some(isAbout)
  }
}

/** An edit with the external ids of a person, and of the people whom its undo puts back on the flight. */
function withIdsFor({ externalIds, ...edit }: FlightEdit, userId: string): FlightEdit {
  const people = departuresIn(edit).add(userId)
  const kept = Object.entries(externalIds ?? {}).filter(([person]) => people.has(person))
  return kept.length > 0 ? { ...edit, externalIds: Object.fromEntries(kept) } : edit
}

/** The external ids of everyone on the flight. */
async function idsByPerson({ db }: Call, flightId: number): Promise<Record<string, ExternalIds>> {
  const ids: Record<string, ExternalIds> = {}
  for (const { userId, source, value } of await findExternalIdsOfFlights(db, [flightId]))
    ids[userId] = { ...ids[userId], [source]: value }
  return ids
}

// The flight as it was

/** The flight with the values from before the change, if they are still possible. */
async function stateBefore(
  call: Call,
  current: StoredFlight,
  { free, passengers, ...values }: PutBack,
): Promise<StoredFlight> {
  const fields = { ...pick(current, flightFieldNames), ...values.fields }
  await requireRecords(call, free)
  const valid = check(FlightInput, fields)
  if ('issues' in valid) throw left.unfit('Together with later changes, the flight would not be valid.')
  if (passengers.length === 0) throw left.unfit('The flight would have no passengers.')
  const alone = leftAlone(peopleOn(current.passengers), peopleOn(passengers), call.principal.user.id)
  if (free.passengers && alone.length > 0) throw left.alone()
  const customFields = await valuesBefore(call, current, free)
  return { ...current, ...fields, customFields, passengers } as StoredFlight
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
  if (gone) throw left.unfit(`Its former value of ${flightFields[gone].shownAs} no longer exists.`)
}

/** Values of deleted custom fields are not put back. */
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
  for (const [was, became] of passengers)
    if (was === null && became) await deletePassenger(db, { id: became.id })
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
  else await deleteTrack(db, { flightId })
}

/** If the person has since given an external id to another flight, that flight keeps it. */
async function writeIds({ db }: Call, flightId: number, { externalIds = {} }: FlightEdit): Promise<void> {
  for (const [userId, pairs] of Object.entries(externalIds)) {
    for (const [source, [was, became]] of Object.entries(pairs)) {
      if (became !== null) await deleteExternalId(db, userId, { source, value: became })
      if (was !== null) await insertExternalId(db, userId, flightId, { source, value: was })
    }
  }
}
