// Takes one change of a flight back inside an open transaction, or says why it is left.
import { credentialMay, requireFlightAccess, requireScope, roleMay } from '../auth/principal.ts'
import { AppError } from '../base/errors.ts'
import { check } from '../base/validation.ts'
import { type FlightAction, flightScope, type Permission, type Reach } from '../domain/access.ts'
import { binnedAfter } from '../domain/bin.ts'
import { derivedDuration } from '../domain/flight.ts'
import { alike, editOf, type FlightEdit, type KeptPassenger, keptPassenger } from '../domain/flight-edits.ts'
import {
  type FlightFields,
  flightFieldNames,
  flightFields,
  pick,
  referenceFields,
} from '../domain/flight-fields.ts'
import { leftAlone, peopleOn } from '../domain/standing.ts'
import type { Call } from '../operation.ts'
import { externalIdsForTombstones, type FlightChange, recordFlightChanges } from '../store/changes.ts'
import { moveToBin, restoreFlights, wasPassenger } from '../store/deleted-flights.ts'
import {
  deleteExternalId,
  type ExternalIds,
  findExternalIdsOfFlights,
  freeExternalIds,
  insertExternalId,
  lockExternalIds,
} from '../store/external-ids.ts'
import {
  deletePassenger,
  insertKeptPassenger,
  lockFlights,
  setPassengerAside,
  updateFlight,
  updatePassenger,
} from '../store/flight-writes.ts'
import { findFlight, type StoredFlight, type StoredValues } from '../store/flights.ts'
import {
  findReplacedTrack,
  type HistoryEntry,
  listLater,
  lockHistory,
  markUndone,
  type SeenEntry,
} from '../store/history.ts'
import type { Author } from '../store/history-rows.ts'
import { listNames } from '../store/people.ts'
import { deleteTrack, findTrackRow, putBackTrack } from '../store/tracks.ts'
import { authorOf } from './authors.ts'
import { notifyAdded } from './companions.ts'
import { FlightInput } from './flight-input.ts'
import { showFlight } from './flight-view.ts'
import { reachOf, recordsSeen } from './flight-writing.ts'
import { isByThis, mayUndo } from './history-view.ts'
import { summaryOf } from './tracks.ts'

export const leftReasons = [
  'already_undone',
  'as_before',
  'changed_since',
  'not_in_log',
  'not_in_bin',
  'no_longer_fits',
  'leaves_others_alone',
  'not_by_this',
  'missing_scope',
] as const
type LeftReason = (typeof leftReasons)[number]

export interface Taken {
  changeId: number
  flightId: number
  action: 'to_bin' | 'put_back' | 'restored' | 'left'
  undoneBy?: number
  reason?: LeftReason
  message?: string
}

/** Thrown where a change must be left: nothing was written yet. */
class Left extends Error {
  readonly reason: LeftReason
  constructor(reason: LeftReason, message: string) {
    super(message)
    this.reason = reason
  }
}

const left = {
  undone: (by: number) => new Left('already_undone', `Change ${by} has taken it back already.`),
  asBefore: () => new Left('as_before', 'Everything is as it was before the change.'),
  notInLog: () => new Left('not_in_log', 'The flight is no longer in the log.'),
  notInBin: () => new Left('not_in_bin', 'The flight is no longer in the bin.'),
  unfit: (what: string) => new Left('no_longer_fits', what),
  alone: () =>
    new Left('leaves_others_alone', 'Only people who have not kept the flight would be left on it.'),
  other: () => new Left('not_by_this', 'This key or app did not do it. It can be undone in the web app.'),
}

export class Undoing {
  readonly #call: Call
  /** One change was asked for: what is not allowed is an error, and not a change that is left. */
  readonly #isSingle: boolean
  /** As they are once they are locked. */
  #locked = new Map<number, HistoryEntry>()

  constructor(call: Call, { isSingle }: { isSingle: boolean }) {
    this.#call = call
    this.#isSingle = isSingle
  }

  /** In the order that every write has: external ids, then flights. Two undos of one change wait for each other. */
  async lock(entries: readonly SeenEntry[]): Promise<void> {
    const { db } = this.#call
    const named = entries.flatMap(({ edit }) => Object.keys(edit?.externalIds ?? {}))
    if (named.length > 0) await lockExternalIds(db, ...new Set(named))
    this.#locked = await lockHistory(
      db,
      entries.map(({ changeId }) => changeId),
    )
    await lockFlights(
      db,
      entries.map(({ flightId }) => flightId),
    )
  }

  async takeBack(entry: SeenEntry): Promise<Taken> {
    const { changeId, flightId } = entry
    try {
      const undoneBy = this.#locked.get(changeId)?.undoneBy ?? null
      if (undoneBy !== null) throw left.undone(undoneBy)
      if (!mayUndo(this.#call, entry)) throw left.other()
      const outcome: { changeId?: number } = {}
      const author = authorOf({ principal: this.#call.principal, outcome })
      const action = await this.#act(entry, author)
      if (outcome.changeId === undefined) throw left.asBefore()
      await markUndone(this.#call.db, changeId, outcome.changeId)
      return { changeId, flightId, action, undoneBy: outcome.changeId }
    } catch (error) {
      if (error instanceof Left)
        return { changeId, flightId, action: 'left', reason: error.reason, message: error.message }
      if (this.#isSingle || !(error instanceof AppError)) throw error
      return { changeId, flightId, action: 'left', reason: 'missing_scope', message: error.message }
    }
  }

  async #act(entry: SeenEntry, author: Author): Promise<Taken['action']> {
    if (entry.kind === 'changed') return this.#putBack(entry, author)
    return entry.kind === 'deleted' ? this.#restore(entry, author) : this.#bin(entry, author)
  }

  // Whole flights

  async #bin(entry: SeenEntry, author: Author): Promise<Taken['action']> {
    const { db, principal, now } = this.#call
    const flight = await findFlight(db, entry.flightId)
    if (!flight) throw left.notInLog()
    this.#requireMayBin(entry, reachOf(principal, flight))
    const others = (await this.#laterThan(entry)).filter((later) => !this.#isOwn(later))
    if (others.length > 0) throw await this.#changedSince(others)
    const kept = flight.passengers.filter(
      ({ userId, keptAt }) => userId !== principal.user.id && keptAt !== null && keptAt >= entry.at,
    )
    if (kept.length > 0)
      throw new Left(
        'changed_since',
        `Kept since by ${kept.map(({ displayName }) => displayName).join(', ')}.`,
      )
    await moveToBin(db, [flight.id], author, now)
    return 'to_bin'
  }

  /** A key that may create or import flights may take back those that it did. */
  #requireMayBin(entry: SeenEntry, reach: Reach): void {
    const { principal } = this.#call
    const create = flightScope(entry.importId === null ? 'create' : 'import', reach)
    const isOwnAddition = entry.kind === 'added' && isByThis(this.#call, entry)
    if (isOwnAddition && roleMay(principal, create as Permission) && credentialMay(principal, create)) return
    requireFlightAccess(principal, 'delete', reach)
  }

  async #restore(entry: SeenEntry, author: Author): Promise<Taken['action']> {
    const { db, principal, now } = this.#call
    const after = binnedAfter(now.getTime())
    const wasOn = await wasPassenger(db, entry.flightId, principal.user.id, after)
    if (wasOn === undefined) throw left.notInBin()
    requireFlightAccess(principal, 'delete', wasOn ? 'own' : 'any')
    const later = await this.#laterThan(entry)
    if (later.length > 0) throw await this.#changedSince(later)
    const restored = await restoreFlights(db, [entry.flightId], after, author, now.toISOString())
    if (restored.length === 0) throw left.notInBin()
    return 'restored'
  }

  /** What is in effect of all that happened to the flight after a change. An undo and what it took back amount to nothing. */
  async #laterThan({ flightId, changeId }: SeenEntry): Promise<HistoryEntry[]> {
    const later = await listLater(this.#call.db, flightId, changeId)
    const undos = new Set(later.map(({ undoneBy }) => undoneBy))
    return later.filter((entry) => entry.undoneBy === null && !undos.has(entry.changeId))
  }

  /** By the same credential; in the web app, by the same person. */
  #isOwn(entry: HistoryEntry): boolean {
    const { principal } = this.#call
    return principal.kind === 'session' ? entry.userId === principal.user.id : isByThis(this.#call, entry)
  }

  async #changedSince(later: readonly HistoryEntry[], fields: readonly string[] = []): Promise<Left> {
    const { db, principal } = this.#call
    const ids = [...new Set(later.flatMap(({ userId }) => userId ?? []))]
    const names = (await listNames(db, ids)).map(({ id, displayName }) =>
      id === principal.user.id ? 'you' : displayName,
    )
    const what = fields.length > 0 ? `: ${fields.join(', ')}` : ''
    const who = names.length > 0 ? `, by ${names.join(', ')}` : ''
    const changes = later.map(({ changeId }) => changeId).join(', ')
    return new Left('changed_since', `Changed since${what}${who}${changes && ` (change ${changes})`}.`)
  }

  // Values

  async #putBack(entry: SeenEntry, author: Author): Promise<Taken['action']> {
    const { db } = this.#call
    const edit = entry.edit!
    const current = await findFlight(db, entry.flightId)
    if (!current) throw left.notInLog()
    this.#requireMayChange(current, edit)
    const ids = await idsByPerson(this.#call, current.id)
    await this.#requireUnchanged(entry, current, ids)
    const next = await this.#stateBefore(current, edit)
    await this.#write(entry, current, next, { author, ids })
    return 'put_back'
  }

  #requireMayChange(current: StoredFlight, edit: FlightEdit): void {
    const { principal } = this.#call
    const wasOn = (edit.passengers ?? []).some(([was]) => was?.userId === principal.user.id)
    const reach = wasOn ? 'own' : reachOf(principal, current)
    const actions: FlightAction[] = edit.passengers ? ['update', 'passengers.manage'] : ['update']
    const needed = actions.map((action) => flightScope(action, reach))
    for (const action of actions) requireFlightAccess(principal, action, reach, needed)
    if (edit.track) requireScope(principal, 'tracks.write', [...needed, 'tracks.write'])
  }

  /** What the change wrote must be what is there; other values may be different by now. */
  async #requireUnchanged(
    entry: SeenEntry,
    current: StoredFlight,
    ids: Readonly<Record<string, ExternalIds>>,
  ): Promise<void> {
    const compared = comparedParts(entry.edit!, current, ids)
    if (compared.every(({ isAsBefore }) => isAsBefore)) throw left.asBefore()
    const changed = compared.filter(({ isAsWritten }) => !isAsWritten).map(({ name }) => name)
    if (changed.length === 0) return
    const later = (await this.#laterThan(entry)).filter(({ edit }) => edit !== null)
    throw await this.#changedSince(later, [...new Set(changed)])
  }

  /** The flight with the values that it had before the change, if they can still be. */
  async #stateBefore(current: StoredFlight, edit: FlightEdit): Promise<StoredFlight> {
    const { principal } = this.#call
    const fields = fieldsBefore(current, edit)
    await this.#requireRecords(edit)
    const valid = check(FlightInput, fields)
    if ('issues' in valid) throw left.unfit('With what was changed since, the flight would not be valid.')
    const passengers = passengersBefore(current.passengers, edit)
    if (passengers.length === 0) throw left.unfit('No one would be on the flight.')
    const next = { ...current, ...fields, customFields: await this.#valuesBefore(current, edit), passengers }
    const alone = leftAlone(peopleOn(current.passengers), peopleOn(passengers), principal.user.id)
    if (edit.passengers && alone.length > 0) throw left.alone()
    return next as StoredFlight
  }

  async #requireRecords({ fields = {} }: FlightEdit): Promise<void> {
    const { services, db, principal } = this.#call
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
  async #valuesBefore(current: StoredFlight, { customFields = {} }: FlightEdit): Promise<StoredValues> {
    const { services, db, principal } = this.#call
    const known = await services.reference.customFields(db, principal.revisions.reference)
    const values: StoredValues = { ...current.customFields }
    for (const [id, [was]] of Object.entries(customFields)) {
      delete values[id]
      if (was !== null && known.some((field) => String(field.id) === id)) values[id] = was
    }
    return values
  }

  async #write(
    entry: SeenEntry,
    current: StoredFlight,
    next: StoredFlight,
    { author, ids }: { author: Author; ids: Readonly<Record<string, ExternalIds>> },
  ): Promise<void> {
    const { db, principal, now } = this.#call
    const { id } = current
    const edit = entry.edit!
    const at = now.toISOString()
    const trackBefore = edit.track && (await findTrackRow(db, id))
    const version = await updateFlight(
      db,
      id,
      pick(next, flightFieldNames),
      next.customFields,
      at,
      recordsSeen(principal),
    )
    await writePassengers(this.#call, next, edit)
    if (edit.track) await this.#writeTrack(entry, edit.track[0])
    await this.#writeIds(id, edit)
    const stored = (await findFlight(db, id))!
    const before = peopleOn(current.passengers)
    await notifyAdded(this.#call, before, await showFlight(this.#call, stored))
    const users = peopleOn(stored.passengers).map(({ userId }) => userId)
    const wereOn = before.map(({ userId }) => userId)
    const gone = wereOn.filter((userId) => !users.includes(userId))
    const externalIds = gone.length > 0 ? (await externalIdsForTombstones(db, [id])).get(id) : undefined
    if (gone.length > 0) await freeExternalIds(db, id, gone)
    const undone = editOf(current, stored, {
      idsBefore: ids,
      idsAfter: await idsByPerson(this.#call, id),
      track: edit.track && [trackBefore ? summaryOf(trackBefore) : null, stored.track],
    })
    const change: FlightChange = {
      id,
      version,
      kind: 'updated',
      history: { edit: undone, trackBody: trackBefore?.body },
      users,
      joined: users.filter((userId) => !wereOn.includes(userId)),
      left: gone,
      externalIds,
    }
    await recordFlightChanges(db, [change], author, at)
  }

  async #writeTrack(
    { changeId, flightId }: SeenEntry,
    was: NonNullable<FlightEdit['track']>[0],
  ): Promise<void> {
    const { db } = this.#call
    const body = was && (await findReplacedTrack(db, changeId))
    if (was && body)
      await putBackTrack(db, flightId, { ...was, createdAt: was.createdAt ?? was.updatedAt, body })
    else await deleteTrack(db, flightId)
  }

  /** An id that the person gave another flight since stays with that one. */
  async #writeIds(flightId: number, { externalIds = {} }: FlightEdit): Promise<void> {
    const { db } = this.#call
    for (const [userId, pairs] of Object.entries(externalIds)) {
      for (const [source, [was, became]] of Object.entries(pairs)) {
        if (became !== null) await deleteExternalId(db, userId, { source, value: became })
        if (was !== null) await insertExternalId(db, userId, flightId, { source, value: was })
      }
    }
  }
}

/** A duration that is the time between departure and arrival follows them. */
const followsTimes = (flight: FlightFields): boolean =>
  flight.duration === derivedDuration({ ...flight, duration: null })

function fieldsBefore(current: StoredFlight, edit: FlightEdit): FlightFields {
  const fields: FlightFields = { ...pick(current, flightFieldNames) }
  for (const [name, [was]] of fieldChanges(edit)) Object.assign(fields, { [name]: was })
  const written = edit.fields?.duration
  if (!followsTimes(current) || (written && alike(written[1], current.duration) && !alike(...written)))
    return fields
  return { ...fields, duration: derivedDuration({ ...fields, duration: null }) }
}

/** Without those that are kept only to read others by. */
const fieldChanges = ({ fields = {} }: FlightEdit) =>
  (Object.entries(fields) as [keyof FlightFields, [unknown, unknown]][]).filter(
    (entry) => !alike(...entry[1]),
  )

/** Those of everyone on the flight. */
async function idsByPerson({ db }: Call, flightId: number): Promise<Record<string, ExternalIds>> {
  const ids: Record<string, ExternalIds> = {}
  for (const { userId, source, value } of await findExternalIdsOfFlights(db, [flightId]))
    ids[userId] = { ...ids[userId], [source]: value }
  return ids
}

interface Compared {
  name: string
  isAsWritten: boolean
  isAsBefore: boolean
}

/** Each part of an edit with what is there now. */
function comparedParts(
  edit: FlightEdit,
  current: StoredFlight,
  ids: Readonly<Record<string, ExternalIds>>,
): Compared[] {
  const parts: Compared[] = []
  const compare = (name: string, now: unknown, [was, became]: readonly [unknown, unknown]) => {
    if (!alike(was, became))
      parts.push({ name, isAsWritten: alike(now, became), isAsBefore: alike(now, was) })
  }
  for (const [name, pair] of fieldChanges(edit))
    if (name !== 'duration' || !followsTimes(current)) compare(name, current[name], pair)
  for (const [id, pair] of Object.entries(edit.customFields ?? {}))
    compare('customFields', current.customFields[id] ?? null, pair)
  for (const [was, became] of edit.passengers ?? []) {
    const { id } = (was ?? became)!
    const found = current.passengers.find((passenger) => passenger.id === id) ?? namesake(current, was)
    compare('people', found ? keptPassenger(found) : null, [was, became])
  }
  if (edit.track) {
    const [was, became] = edit.track.map((track) => track?.updatedAt ?? null)
    compare('track', current.track?.updatedAt ?? null, [was, became])
    if (was === became) parts.push({ name: 'track', isAsWritten: true, isAsBefore: false })
  }
  for (const [userId, pairs] of Object.entries(edit.externalIds ?? {}))
    for (const [source, pair] of Object.entries(pairs))
      compare('externalIds', ids[userId]?.[source] ?? null, pair)
  return parts
}

/** Someone who is on the flight again, by another record. */
const namesake = (current: StoredFlight, was: KeptPassenger | null) =>
  was === null
    ? undefined
    : current.passengers.find(({ userId, guestName }) =>
        was.userId === null ? guestName === was.guestName : userId === was.userId,
      )

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
