// The values that a change of a flight replaced, before and after. History shows them, and an undo restores them. No I/O.

import type { Standing } from '../flights/consent.ts'
import {
  type FlightFields,
  flightFieldNames,
  type PassengerFields,
  passengerFieldNames,
} from '../flights/fields.ts'
import { pick } from '../pick.ts'

export const historyKinds = ['added', 'changed', 'deleted', 'restored'] as const
export type HistoryKind = (typeof historyKinds)[number]

/** The way in which a change was made. */
export type HistoryVia = 'session' | 'apiKey' | 'oauth' | 'system'

type Pair<Value> = [was: Value, became: Value]

/** The `addedBy` of a passenger if that person’s account is deleted. */
const NO_LONGER_KNOWN = ''

/** A passenger with all values that an undo restores. */
export interface KeptPassenger extends PassengerFields, Standing {
  id: number
  customFields: Record<string, unknown>
}
export interface KeptTrack {
  pointCount: number
  sourceFormat: string
  sourceName: string | null
  createdAt?: string
  updatedAt: string
}

/** Parts without differences are absent. */
export interface FlightEdit {
  fields?: Partial<Record<keyof FlightFields, Pair<unknown>>>
  /** By the id of the definition; null is no value. */
  customFields?: Record<string, Pair<unknown>>
  /** Null: not on the flight. */
  passengers?: Pair<KeptPassenger | null>[]
  /** By person and source. */
  externalIds?: Record<string, Record<string, Pair<string | null>>>
  track?: Pair<KeptTrack | null>
}

interface FlightState extends FlightFields {
  customFields: Record<string, unknown>
  passengers: readonly KeptPassenger[]
}

/** External ids by person. */
export type IdsByPerson = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Times depend on the date, and the duration on the times: if one of them differs, all are kept. */
const readTogether = ['date', 'datePrecision', 'departure', 'arrival', 'duration'] as const

interface Beside {
  /** For everyone whose ids changed. */
  idsBefore?: IdsByPerson
  idsAfter?: IdsByPerson
  track?: Pair<KeptTrack | null> | undefined
}

/** The edit that leads from one state to another, including what is stored apart from the flight. */
export function editOf(
  before: FlightState,
  after: FlightState,
  { idsBefore = {}, idsAfter = {}, track }: Beside = {},
): FlightEdit {
  const edit: FlightEdit = {}
  const fields: NonNullable<FlightEdit['fields']> = {}
  for (const name of flightFieldNames)
    if (!alike(before[name], after[name])) fields[name] = [before[name], after[name]]
  if (readTogether.some((name) => fields[name]))
    for (const name of readTogether) fields[name] ??= [before[name], after[name]]
  if (!isEmpty(fields)) edit.fields = fields
  const customFields = pairsOf(before.customFields, after.customFields)
  if (!isEmpty(customFields)) edit.customFields = customFields
  const passengers = passengerPairs(before.passengers, after.passengers)
  if (passengers.length > 0) edit.passengers = passengers
  const externalIds = idPairs(idsBefore, idsAfter)
  if (!isEmpty(externalIds)) edit.externalIds = externalIds
  if (track) edit.track = track
  return edit
}

export const alike = (one: unknown, other: unknown): boolean =>
  one === other ||
  (typeof one === 'object' && typeof other === 'object' && JSON.stringify(one) === JSON.stringify(other))
const isEmpty = (value: object): boolean => Object.keys(value).length === 0

function pairsOf<Value>(
  before: Readonly<Record<string, Value>>,
  after: Readonly<Record<string, Value>>,
): Record<string, Pair<Value | null>> {
  const pairs: Record<string, Pair<Value | null>> = {}
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, became] = [before[key] ?? null, after[key] ?? null]
    if (!alike(was, became)) pairs[key] = [was, became]
  }
  return pairs
}

function idPairs(before: IdsByPerson, after: IdsByPerson): NonNullable<FlightEdit['externalIds']> {
  const people = new Set([...Object.keys(before), ...Object.keys(after)])
  const pairs = [...people].map(
    (userId) => [userId, pairsOf(before[userId] ?? {}, after[userId] ?? {})] as const,
  )
  return Object.fromEntries(pairs.filter(([, ids]) => !isEmpty(ids)))
}

const keptNames = ['id', ...passengerFieldNames, 'customFields', 'addedBy', 'keptAt'] as const

/** Without names that were only read along with the passenger. */
export const keptPassenger = (passenger: KeptPassenger): KeptPassenger => pick(passenger, keptNames)

function passengerPairs(
  before: readonly KeptPassenger[],
  after: readonly KeptPassenger[],
): Pair<KeptPassenger | null>[] {
  const became = new Map(after.map((passenger) => [passenger.id, keptPassenger(passenger)]))
  const pairs: Pair<KeptPassenger | null>[] = []
  for (const passenger of before) {
    const [was, is] = [keptPassenger(passenger), became.get(passenger.id) ?? null]
    became.delete(passenger.id)
    if (!alike(was, is)) pairs.push([was, is])
  }
  for (const passenger of became.values()) pairs.push([null, passenger])
  return pairs
}

/** People by id, guests by name. */
export const placeOf = ({ userId, guestName }: KeptPassenger): string => userId ?? `guest:${guestName}`

const placesOn = ({ passengers = [] }: FlightEdit, side: 0 | 1): Set<string> =>
  new Set(passengers.flatMap((pair) => (pair[side] ? placeOf(pair[side]) : [])))

/** Everyone whose place on the flight an edit changes. */
export const placesIn = (edit: FlightEdit): Set<string> => placesOn(edit, 0).union(placesOn(edit, 1))

/** People who were on the flight before an edit and not after it; their record may belong to another person by now. */
export const departuresIn = (edit: FlightEdit): Set<string> => placesOn(edit, 0).difference(placesOn(edit, 1))

/** People whom an edit added to the flight or removed from it. */
export const movesIn = (edit: FlightEdit): Set<string> =>
  placesOn(edit, 0).symmetricDifference(placesOn(edit, 1))

/** Merges two changes of one flight into one. */
export function mergedEdits(first: FlightEdit, second: FlightEdit): FlightEdit {
  const merged: FlightEdit = {}
  const fields = mergedPairs(first.fields, second.fields)
  if (!isEmpty(fields)) merged.fields = fields
  const customFields = mergedPairs(first.customFields, second.customFields)
  if (!isEmpty(customFields)) merged.customFields = customFields
  const passengers = mergedPassengers(first.passengers ?? [], second.passengers ?? [])
  if (passengers.length > 0) merged.passengers = passengers
  const people = new Set([...Object.keys(first.externalIds ?? {}), ...Object.keys(second.externalIds ?? {})])
  const ids = [...people].map(
    (userId) => [userId, mergedPairs(first.externalIds?.[userId], second.externalIds?.[userId])] as const,
  )
  const externalIds = Object.fromEntries(ids.filter(([, pairs]) => !isEmpty(pairs)))
  if (!isEmpty(externalIds)) merged.externalIds = externalIds
  const track = first.track && second.track ? ([first.track[0], second.track[1]] as const) : undefined
  const tracks = track ? ([...track] as Pair<KeptTrack | null>) : (first.track ?? second.track)
  if (tracks) merged.track = tracks
  return merged
}

function mergedPairs<Value>(
  first: Partial<Record<string, Pair<Value>>> = {},
  second: Partial<Record<string, Pair<Value>>> = {},
): Record<string, Pair<Value>> {
  const merged: Record<string, Pair<Value>> = {}
  for (const key of new Set([...Object.keys(first), ...Object.keys(second)])) {
    const [earlier, later] = [first[key] ?? second[key]!, second[key] ?? first[key]!]
    merged[key] = [earlier[0], later[1]]
  }
  return merged
}

function mergedPassengers(
  first: readonly Pair<KeptPassenger | null>[],
  second: readonly Pair<KeptPassenger | null>[],
): Pair<KeptPassenger | null>[] {
  const idOf = ([was, became]: Pair<KeptPassenger | null>) => (was ?? became)!.id
  const byId = new Map(first.map((pair) => [idOf(pair), pair]))
  for (const pair of second) byId.set(idOf(pair), [(byId.get(idOf(pair)) ?? pair)[0], pair[1]])
  return [...byId.values()].filter(([was, became]) => !alike(was, became))
}

/** Removes a person whose account is deleted, and their name from a record that another person took over. */
export function withoutPersonInEdit(edit: FlightEdit, userId: string): FlightEdit {
  const { passengers = [], externalIds = {}, ...rest } = edit
  const others = passengers
    .filter((pair) => pair.every((passenger) => passenger?.userId !== userId))
    .map(
      ([was, became]): Pair<KeptPassenger | null> => [
        withoutAdder(was, userId),
        withoutAdder(became, userId),
      ],
    )
  const { [userId]: _gone, ...otherIds } = externalIds
  return {
    ...rest,
    ...(others.length > 0 ? { passengers: others } : {}),
    ...(isEmpty(otherIds) ? {} : { externalIds: otherIds }),
  }
}

/** A person who has not kept the flight must still decide, regardless of who added them. */
const withoutAdder = (passenger: KeptPassenger | null, userId: string): KeptPassenger | null =>
  passenger?.addedBy === userId ? { ...passenger, addedBy: NO_LONGER_KNOWN } : passenger

/** Removes the values of a deleted custom field. */
export function withoutFieldInEdit(edit: FlightEdit, fieldId: number): FlightEdit {
  const key = String(fieldId)
  const { passengers = [], customFields = {}, ...rest } = edit
  const { [key]: _gone, ...otherValues } = customFields
  const blank = (passenger: KeptPassenger | null) => {
    if (!passenger) return null
    const { [key]: _value, ...values } = passenger.customFields
    return { ...passenger, customFields: values }
  }
  const others = passengers
    .map(([was, became]): Pair<KeptPassenger | null> => [blank(was), blank(became)])
    .filter(([was, became]) => !alike(was, became))
  return {
    ...rest,
    ...(others.length > 0 ? { passengers: others } : {}),
    ...(isEmpty(otherValues) ? {} : { customFields: otherValues }),
  }
}
