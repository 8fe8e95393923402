// The parts of a change that can be undone separately: fields, people's places and seats, the track, external ids. How each
// compares with the current flight, and the change without some of its parts. No I/O.

import { type FlightFields, flightFields, passengerFieldNames, timeFields } from '../flights/fields.ts'
import { followsTimes } from '../flights/flight.ts'
import { wordForField } from './differences.ts'
import {
  alike,
  type FlightEdit,
  type IdsByPerson,
  type KeptPassenger,
  keptPassenger,
  placeOf,
  placesIn,
} from './edits.ts'

/** The current state of a flight. */
export interface StateNow extends FlightFields {
  customFields: Record<string, unknown>
  passengers: readonly KeptPassenger[]
  track: { updatedAt: string } | null
  ids: IdsByPerson
}

interface Part {
  /** Parts of two changes with the same name are the same. `people:x` is everything about a person, `people:x:seat` their seat. */
  name: string
  was: unknown
  became: unknown
  now: (state: StateNow) => unknown
}
type PassengerPair = NonNullable<FlightEdit['passengers']>[number]

/** Whether two parts are the same, or one contains the other. */
export const overlap = (one: string, other: string): boolean =>
  one === other || one.startsWith(`${other}:`) || other.startsWith(`${one}:`)

export const partOfPlace = (place: string): string => `people:${place}`

/** Without fields that are only kept because others depend on them. */
const fieldChanges = ({ fields = {} }: FlightEdit) =>
  (Object.entries(fields) as [keyof FlightFields, [unknown, unknown]][]).filter(
    (entry) => !alike(...entry[1]),
  )

function partsOf(edit: FlightEdit): Part[] {
  const parts: Part[] = [
    ...fieldChanges(edit).map(([name, pair]) => part(name, pair, (state) => state[name])),
    ...Object.entries(edit.customFields ?? {}).map(([id, pair]) =>
      part(`customFields:${id}`, pair, ({ customFields }) => customFields[id] ?? null),
    ),
    ...(edit.passengers ?? []).flatMap((pair) =>
      isSameSeatHolder(pair) ? seatParts(pair) : placeParts(pair),
    ),
    ...(edit.track ? [trackPart(edit.track)] : []),
    ...Object.entries(edit.externalIds ?? {}).flatMap(([userId, pairs]) =>
      Object.entries(pairs).map(([source, pair]) =>
        part(`externalIds:${userId}:${source}`, pair, ({ ids }) => ids[userId]?.[source] ?? null),
      ),
    ),
  ]
  return parts.filter(({ was, became }) => !alike(was, became))
}

const part = (name: string, [was, became]: readonly [unknown, unknown], now: Part['now']): Part => ({
  name,
  was,
  became,
  now,
})

function trackPart(pair: NonNullable<FlightEdit['track']>): Part {
  const [was, became] = pair.map((track) => track?.updatedAt ?? null)
  // A track replaced within a millisecond has the same time although it is another track.
  return part('track', [was === became ? undefined : was, became], ({ track }) => track?.updatedAt ?? null)
}

export const partNames = (edit: FlightEdit): string[] => partsOf(edit).map(({ name }) => name)

// People

/** The same person before and after: only their seat or its data differ. */
const isSameSeatHolder = (pair: PassengerPair): pair is [KeptPassenger, KeptPassenger] => {
  const [was, became] = pair
  return was !== null && became !== null && was.userId === became.userId && was.guestName === became.guestName
}

/** A person is added or removed as a whole. */
const placeParts = (pair: PassengerPair): Part[] =>
  [...placesIn({ passengers: [pair] })].map((place) =>
    part(partOfPlace(place), [comparable(pair[0]), comparable(pair[1])], ({ passengers }) =>
      comparable(
        passengers.find(({ id }) => id === (pair[0] ?? pair[1])!.id) ?? namesake(passengers, pair[0]),
      ),
    ),
  )

/** History forgets who added a person when that account is deleted. */
const comparable = (passenger: KeptPassenger | null | undefined) =>
  passenger ? { ...keptPassenger(passenger), addedBy: null } : null

/** The same person, on the flight again with another record. */
const namesake = (passengers: StateNow['passengers'], was: KeptPassenger | null) =>
  was === null
    ? undefined
    : passengers.find(({ userId, guestName }) =>
        was.userId === null ? guestName === was.guestName : userId === was.userId,
      )

const seatFields = passengerFieldNames.filter((name) => name !== 'userId' && name !== 'guestName')

const ofPersonIn = ([was]: [KeptPassenger, KeptPassenger]): string => partOfPlace(placeOf(was))

function seatParts(pair: [KeptPassenger, KeptPassenger]): Part[] {
  const [was, became] = pair
  const ofPerson = ofPersonIn(pair)
  const keys = new Set([...Object.keys(was.customFields), ...Object.keys(became.customFields)])
  // If the person has left since, nothing is as written: undefined counts as no value.
  const now = (state: StateNow) => holderNow(state, pair)
  return [
    ...seatFields
      .filter((name) => was[name] !== became[name])
      .map((name) => part(`${ofPerson}:${name}`, [was[name], became[name]], (state) => now(state)?.[name])),
    ...[...keys].map((key) =>
      part(
        `${ofPerson}:customFields:${key}`,
        [was.customFields[key] ?? null, became.customFields[key] ?? null],
        (state) => (now(state) ? (now(state)!.customFields[key] ?? null) : undefined),
      ),
    ),
    part(`${ofPerson}:keptAt`, [was.keptAt, became.keptAt], (state) => now(state)?.keptAt),
  ]
}

const holderNow = ({ passengers }: StateNow, [was]: [KeptPassenger, KeptPassenger]) =>
  passengers.find(
    ({ id, userId, guestName }) => id === was.id && userId === was.userId && guestName === was.guestName,
  )

// Comparing

export interface ComparedPart {
  name: string
  isAsWritten: boolean
  isAsBefore: boolean
}

const clock = ['departure', 'arrival'] as const
export const changesClock = (names: readonly string[]): boolean => clock.some((name) => names.includes(name))

/** Each part with its current value. A duration that follows from the times goes with them. */
export function comparedParts(edit: FlightEdit, state: StateNow): ComparedPart[] {
  const parts = partsOf(edit)
  const follows = changesClock(parts.map(({ name }) => name)) && followsTimes(state)
  return parts
    .filter(({ name }) => name !== 'duration' || !follows)
    .map(({ name, was, became, now }) => {
      const value = now(state)
      return { name, isAsWritten: alike(value, became), isAsBefore: alike(value, was) }
    })
}

/** The parts of a change that remain after another change undid some. */
export function partsLeftBy(undo: FlightEdit, edit: FlightEdit): string[] {
  const taken = partNames(undo)
  return partNames(edit).filter(
    (name) => !taken.some((other) => overlap(name, other)) && !(name === 'duration' && changesClock(taken)),
  )
}

// Parts that belong together

const timesAt = (end: 'from' | 'to') => timeFields.filter((name) => flightFields[name].end === end)

/** If one of `heads` changes, the meaning of the others changes too. */
const readAgainst: { heads: readonly string[]; others: readonly string[] }[] = [
  { heads: ['date', 'datePrecision'], others: timeFields },
  { heads: ['fromId'], others: timesAt('from') },
  { heads: ['toId'], others: timesAt('to') },
  { heads: ['outcome'], others: ['plannedToId'] },
]

/** Groups of part names that can only be undone together. */
function unitsOf(edit: FlightEdit): string[][] {
  const changed = partNames(edit)
  const units = readAgainst
    .filter(({ heads }) => heads.some((name) => changed.includes(name)))
    .map(({ heads, others }) => [...heads, ...others])
  const moves = (edit.passengers ?? []).filter((pair) => !isSameSeatHolder(pair))
  const hasChangedHands = moves.some(([was, became]) => was && became)
  return hasChangedHands ? [...units, moves.flatMap(placeParts).map(({ name }) => name)] : units
}

/** These parts, and those that can only be undone with them. */
export function withDependents(names: Iterable<string>, edit: FlightEdit): Set<string> {
  const all = new Set(names)
  if (all.size === 0) return all
  const units = unitsOf(edit)
  for (let size = -1; size !== all.size; ) {
    size = all.size
    for (const unit of units) if (unit.some((name) => all.has(name))) for (const name of unit) all.add(name)
  }
  return all
}

// Selected parts

/** A change with only these parts. If it includes a person's seat, their other values are the current ones. */
export function onlyParts(edit: FlightEdit, wanted: ReadonlySet<string>, state: StateNow): FlightEdit {
  const fields = wantedFields(edit, wanted, state)
  const customFields = entriesOf(edit.customFields, (id) => wanted.has(`customFields:${id}`))
  const passengers = (edit.passengers ?? []).flatMap((pair) => wantedPassenger(pair, wanted, state))
  const ids = Object.entries(edit.externalIds ?? {}).map(
    ([userId, pairs]) =>
      [userId, entriesOf(pairs, (source) => wanted.has(`externalIds:${userId}:${source}`))] as const,
  )
  const externalIds = Object.fromEntries(ids.filter(([, pairs]) => hasAny(pairs)))
  return {
    ...(hasAny(fields) ? { fields } : {}),
    ...(hasAny(customFields) ? { customFields } : {}),
    ...(passengers.length > 0 ? { passengers } : {}),
    ...(hasAny(externalIds) ? { externalIds } : {}),
    ...(edit.track && wanted.has('track') ? { track: edit.track } : {}),
  }
}

const hasAny = (value: object): boolean => Object.keys(value).length > 0

const entriesOf = <Value>(values: Record<string, Value> = {}, isWanted: (key: string) => boolean) =>
  Object.fromEntries(Object.entries(values).filter(([key]) => isWanted(key)))

/** A duration that is not a part of its own goes with the times, if all of them are included. */
function wantedFields(
  edit: FlightEdit,
  wanted: ReadonlySet<string>,
  state: StateNow,
): NonNullable<FlightEdit['fields']> {
  const changes = fieldChanges(edit)
  const isClockLeft = changes.some(([name]) => changesClock([name]) && !wanted.has(name))
  const follows = changesClock(changes.map(([name]) => name)) && followsTimes(state)
  return Object.fromEntries(
    changes.filter(([name]) => wanted.has(name) || (name === 'duration' && follows && !isClockLeft)),
  )
}

function wantedPassenger(pair: PassengerPair, wanted: ReadonlySet<string>, state: StateNow): PassengerPair[] {
  if (!isSameSeatHolder(pair)) return placeParts(pair).every(({ name }) => wanted.has(name)) ? [pair] : []
  const found = holderNow(state, pair)
  const parts = seatParts(pair).filter(({ name }) => wanted.has(name))
  if (!found || parts.length === 0) return []
  const now = keptPassenger(found)
  const before = { ...now, customFields: { ...now.customFields } }
  for (const { name, was } of parts) {
    const [field = '', key] = name.slice(ofPersonIn(pair).length + 1).split(/:(.*)/s)
    if (key === undefined) Object.assign(before, { [field]: was })
    else if (was === null) delete before.customFields[key]
    else before.customFields[key] = was
  }
  return [[before, now]]
}

/** The name of a part in differences: a person's own seat by its field, other people's seats as people. */
export function wordForPart(name: string, viewerId: string): string {
  const own = `${partOfPlace(viewerId)}:`
  if (name.startsWith(own)) {
    const [field] = name.slice(own.length).split(':') as [string]
    if (field === 'keptAt') return 'people'
    return field === 'customFields' ? 'passengerFields' : wordForField(field)
  }
  return wordForField(name.split(':')[0]!)
}
