// Takes one change of a flight back inside an open transaction, or says why it is left.
import { credentialMay, requireFlightAccess, requireScope, roleMay } from '../auth/principal.ts'
import { AppError } from '../base/errors.ts'
import { check } from '../base/validation.ts'
import { type FlightAction, flightScope, type Permission, type Reach } from '../domain/access.ts'
import { binnedAfter } from '../domain/bin.ts'
import { derivedDuration, followsTimes } from '../domain/flight.ts'
import {
  alike,
  departuresIn,
  editOf,
  type FlightEdit,
  type KeptPassenger,
  keptPassenger,
  movesIn,
  placesIn,
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
import { moveToBin, restoreFlights, wasPassenger } from '../store/deleted-flights.ts'
import {
  deleteExternalId,
  type ExternalIds,
  findExternalIdsOfFlights,
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
import { settleMoves } from './flight-passengers.ts'
import { showFlight } from './flight-view.ts'
import { reachOf, recordsSeen } from './flight-writing.ts'
import { appNames, isByThis, mayUndo } from './history-view.ts'
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
  notInLog: () => new Left('not_in_log', 'The flight is no longer in your log.'),
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
      if (!(error instanceof AppError)) throw error
      // Out of the caller's sight is, for the caller, out of the log.
      if (error.code === 'not_found')
        return { changeId, flightId, action: 'left', reason: 'not_in_log', message: left.notInLog().message }
      if (this.#isSingle) throw error
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
    return inEffect(await listLater(this.#call.db, flightId, changeId))
  }

  /** By the same credential; in the web app, by the same person. */
  #isOwn(entry: HistoryEntry): boolean {
    const { principal } = this.#call
    return principal.kind === 'session' ? entry.userId === principal.user.id : isByThis(this.#call, entry)
  }

  async #changedSince(later: readonly HistoryEntry[], fields: readonly string[] = []): Promise<Left> {
    const { db, principal } = this.#call
    const ids = [...new Set(later.flatMap(({ userId }) => userId ?? []))]
    const elsewhere = later.filter((entry) => entry.userId === principal.user.id && !this.#isOwn(entry))
    const you = elsewhere.length > 0 ? `you ${await this.#through(elsewhere)}` : 'you'
    const names = (await listNames(db, ids)).map(({ id, displayName }) =>
      id === principal.user.id ? you : displayName,
    )
    const what = fields.length > 0 ? `: ${fields.join(', ')}` : ''
    const who = names.length > 0 ? `, by ${names.join(', ')}` : ''
    const changes = later.map(({ changeId }) => changeId).join(', ')
    return new Left('changed_since', `Changed since${what}${who}${changes && ` (change ${changes})`}.`)
  }

  /** The caller's other ways in: to an assistant, "you" alone would be itself. */
  async #through(entries: readonly HistoryEntry[]): Promise<string> {
    const names = await appNames(this.#call, entries)
    const ways = entries.map(({ via, credential }) => {
      if (via === 'session') return 'in the web app'
      const name = names.get(`${via}:${credential}`)
      return name === undefined ? 'through another key or app' : `through “${name}”`
    })
    return [...new Set(ways)].join(' and ')
  }

  // Values

  async #putBack(seen: SeenEntry, author: Author): Promise<Taken['action']> {
    const { db, principal } = this.#call
    const edit = withIdsFor(seen.edit!, principal.user.id)
    const entry = { ...seen, edit }
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
    const reach = departuresIn(edit).has(principal.user.id) ? 'own' : reachOf(principal, current)
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
    const changed = new Set(compared.flatMap(({ part, isAsWritten }) => (isAsWritten ? [] : part)))
    const all = new Set(compared.map(({ part }) => part))
    const later = (await listLater(this.#call.db, entry.flightId, entry.changeId)).flatMap((other) =>
      other.edit ? [{ other, parts: comparedParts(other.edit, current, ids).map(({ part }) => part) }] : [],
    )
    const effective = new Set(inEffect(later.map(({ other }) => other)))
    const isDecided = this.#isDecided(entry.edit!, current)
    const since = later.filter(({ other, parts }) => {
      if (changed.size > 0) return effective.has(other) && parts.some((part) => changed.has(part))
      return parts.some((part) => all.has(part) && isDecided(part, other, effective.has(other)))
    })
    if (changed.size === 0 && since.length === 0) return
    const parts =
      changed.size > 0 ? [...changed] : since.flatMap((one) => one.parts.filter((part) => all.has(part)))
    throw await this.#changedSince(
      since.map(({ other }) => other),
      [...new Set(parts.map(nameOfPart))],
    )
  }

  /**
   * Whether a later change of a part stands against an undo, although the value looks as the change left it: if someone
   * else wrote it since. Of a person who came or left also if it was the caller: no person is put back where they left since.
   * Who left may come back only if no one else did anything about their place, not even by an undo.
   */
  #isDecided(edit: FlightEdit, current: StoredFlight) {
    const { principal } = this.#call
    const { id: userId } = principal.user
    const moves = new Set([...movesIn(edit)].map(partOfPlace))
    const isComingBack = departuresIn(edit).has(userId) && reachOf(principal, current) === 'any'
    return (part: string, other: HistoryEntry, isInEffect: boolean): boolean =>
      isInEffect
        ? moves.has(part) || !this.#isOwn(other)
        : isComingBack && part === partOfPlace(userId) && other.userId !== userId
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
    const fields = pick(next, flightFieldNames)
    const version = await updateFlight(db, id, fields, next.customFields, at, recordsSeen(principal))
    await writePassengers(this.#call, next, edit)
    if (edit.track) await this.#writeTrack(entry, edit.track[0])
    await this.#writeIds(id, edit)
    const stored = (await findFlight(db, id))!
    const before = peopleOn(current.passengers)
    await notifyAdded(this.#call, before, await showFlight(this.#call, stored))
    const moves = await settleMoves(db, stored, before)
    const undone = editOf(current, stored, {
      idsBefore: ids,
      idsAfter: await idsByPerson(this.#call, id),
      track: edit.track && [trackBefore ? summaryOf(trackBefore) : null, stored.track],
    })
    const history = { edit: undone, trackBody: trackBefore?.body }
    await recordFlightChanges(db, [{ id, version, kind: 'updated', history, ...moves }], author, at)
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

/** An undo and what it took back amount to nothing. */
function inEffect(entries: readonly HistoryEntry[]): HistoryEntry[] {
  const undos = new Set(entries.map(({ undoneBy }) => undoneBy))
  return entries.filter(({ undoneBy, changeId }) => undoneBy === null && !undos.has(changeId))
}

/** An edit with the external ids of a person, and of those whom taking it back puts on the flight again. */
function withIdsFor({ externalIds, ...edit }: FlightEdit, userId: string): FlightEdit {
  const people = departuresIn(edit).add(userId)
  const kept = Object.entries(externalIds ?? {}).filter(([person]) => people.has(person))
  return kept.length > 0 ? { ...edit, externalIds: Object.fromEntries(kept) } : edit
}

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
  part: string
  isAsWritten: boolean
  isAsBefore: boolean
}
const partOfPlace = (place: string): string => `people:${place}`
const nameOfPart = (part: string): string => part.split(':')[0]!

/** Each part of an edit with what is there now. */
function comparedParts(
  edit: FlightEdit,
  current: StoredFlight,
  ids: Readonly<Record<string, ExternalIds>>,
): Compared[] {
  const parts: Compared[] = []
  const compare = (part: string, now: unknown, [was, became]: readonly [unknown, unknown]) => {
    if (!alike(was, became))
      parts.push({ part, isAsWritten: alike(now, became), isAsBefore: alike(now, was) })
  }
  for (const [name, pair] of fieldChanges(edit))
    if (name !== 'duration' || !followsTimes(current)) compare(name, current[name], pair)
  for (const [id, pair] of Object.entries(edit.customFields ?? {}))
    compare(`customFields:${id}`, current.customFields[id] ?? null, pair)
  for (const pair of edit.passengers ?? []) {
    const { id } = (pair[0] ?? pair[1])!
    const found = current.passengers.find((passenger) => passenger.id === id) ?? namesake(current, pair[0])
    for (const place of placesIn({ passengers: [pair] }))
      compare(partOfPlace(place), comparable(found), [comparable(pair[0]), comparable(pair[1])])
  }
  if (edit.track) {
    const [was, became] = edit.track.map((track) => track?.updatedAt ?? null)
    compare('track', current.track?.updatedAt ?? null, [was, became])
    if (was === became) parts.push({ part: 'track', isAsWritten: true, isAsBefore: false })
  }
  for (const [userId, pairs] of Object.entries(edit.externalIds ?? {}))
    for (const [source, pair] of Object.entries(pairs))
      compare(`externalIds:${userId}:${source}`, ids[userId]?.[source] ?? null, pair)
  return parts
}

/** Who added someone is forgotten in history with their account. */
const comparable = (passenger: KeptPassenger | null | undefined) =>
  passenger ? { ...keptPassenger(passenger), addedBy: null } : null

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
