// The parts of a change that can be taken back each on its own: fields, people's places and seats, the track, external
// ids. How each compares with the flight as it is now, and the change without some of them. No I/O.
import { followsTimes } from './flight.ts'
import { wordForField } from './flight-differences.ts'
import {
  alike,
  type FlightEdit,
  type IdsByPerson,
  type KeptPassenger,
  keptPassenger,
  placesIn,
} from './flight-edits.ts'
import { type FlightFields, flightFields, passengerFieldNames, timeFields } from './flight-fields.ts'

/** A flight as it is now. */
export interface StateNow extends FlightFields {
  customFields: Record<string, unknown>
  passengers: readonly KeptPassenger[]
  track: { updatedAt: string } | null
  ids: IdsByPerson
}

interface Part {
  /** Of two changes, parts with the same name are the same thing. `people:x` is all of a person, `people:x:seat` their seat. */
  name: string
  was: unknown
  became: unknown
  now: (state: StateNow) => unknown
}
type PassengerPair = NonNullable<FlightEdit['passengers']>[number]

/** Whether two parts are the same thing, or one is inside the other. */
export const overlap = (one: string, other: string): boolean =>
  one === other || one.startsWith(`${other}:`) || other.startsWith(`${one}:`)

export const partOfPlace = (place: string): string => `people:${place}`

/** Without those that are kept only to read others by. */
export const fieldChanges = ({ fields = {} }: FlightEdit) =>
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
  // Replaced within a millisecond, it looks as before and is not.
  return part('track', [was === became ? undefined : was, became], ({ track }) => track?.updatedAt ?? null)
}

export const partNames = (edit: FlightEdit): string[] => partsOf(edit).map(({ name }) => name)

// People

/** The same person before and after: only their seat or what belongs to it is different. */
const isSameSeatHolder = (pair: PassengerPair): pair is [KeptPassenger, KeptPassenger] => {
  const [was, became] = pair
  return was !== null && became !== null && was.userId === became.userId && was.guestName === became.guestName
}

/** Who comes or leaves does so as a whole. */
const placeParts = (pair: PassengerPair): Part[] =>
  [...placesIn({ passengers: [pair] })].map((place) =>
    part(partOfPlace(place), [comparable(pair[0]), comparable(pair[1])], ({ passengers }) =>
      comparable(
        passengers.find(({ id }) => id === (pair[0] ?? pair[1])!.id) ?? namesake(passengers, pair[0]),
      ),
    ),
  )

/** Who added someone is forgotten in history with their account. */
const comparable = (passenger: KeptPassenger | null | undefined) =>
  passenger ? { ...keptPassenger(passenger), addedBy: null } : null

/** Someone who is on the flight again, by another record. */
const namesake = (passengers: StateNow['passengers'], was: KeptPassenger | null) =>
  was === null
    ? undefined
    : passengers.find(({ userId, guestName }) =>
        was.userId === null ? guestName === was.guestName : userId === was.userId,
      )

const seatFields = passengerFieldNames.filter((name) => name !== 'userId' && name !== 'guestName')

const ofPersonIn = (pair: PassengerPair): string => partOfPlace([...placesIn({ passengers: [pair] })][0]!)

function seatParts(pair: [KeptPassenger, KeptPassenger]): Part[] {
  const [was, became] = pair
  const ofPerson = ofPersonIn(pair)
  const keys = new Set([...Object.keys(was.customFields), ...Object.keys(became.customFields)])
  // Of a person who left since, nothing is as written: undefined is like no value.
  const now = (state: StateNow) => holderNow(state, pair)
  return [
    ...seatFields.map((name) =>
      part(`${ofPerson}:${name}`, [was[name], became[name]], (state) => now(state)?.[name]),
    ),
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
const changesClock = (names: readonly string[]): boolean => clock.some((name) => names.includes(name))

/** Each part with what is there now. A duration that follows from the times goes with them. */
export function comparedParts(edit: FlightEdit, state: StateNow): ComparedPart[] {
  const parts = partsOf(edit)
  const follows = followsTimes(state) && changesClock(parts.map(({ name }) => name))
  return parts
    .filter(({ name }) => name !== 'duration' || !follows)
    .map(({ name, was, became, now }) => {
      const value = now(state)
      return { name, isAsWritten: alike(value, became), isAsBefore: alike(value, was) }
    })
}

/** What a change wrote that another one, which took it back, left as it was. */
export function partsLeftBy(undo: FlightEdit, edit: FlightEdit): string[] {
  const taken = partNames(undo)
  return partNames(edit).filter(
    (name) => !taken.some((other) => overlap(name, other)) && !(name === 'duration' && changesClock(taken)),
  )
}

// Parts that belong together

const timesAt = (end: 'from' | 'to') => timeFields.filter((name) => flightFields[name].end === end)

/** If one of the first changed, the others are read against it. */
const readAgainst: { heads: readonly string[]; others: readonly string[] }[] = [
  { heads: ['date', 'datePrecision'], others: timeFields },
  { heads: ['fromId'], others: timesAt('from') },
  { heads: ['toId'], others: timesAt('to') },
  { heads: ['outcome'], others: ['plannedToId'] },
]

/** Names of parts of which all go back or none. */
function unitsOf(edit: FlightEdit): string[][] {
  const changed = partNames(edit)
  const units = readAgainst
    .filter(({ heads }) => heads.some((name) => changed.includes(name)))
    .map(({ heads, others }) => [...heads, ...others])
  const moves = (edit.passengers ?? []).filter((pair) => !isSameSeatHolder(pair))
  const hasChangedHands = moves.some(([was, became]) => was && became)
  return hasChangedHands ? [...units, moves.flatMap(placeParts).map(({ name }) => name)] : units
}

/** These parts, and those that cannot go back without them. */
export function withDependents(names: Iterable<string>, edit: FlightEdit): Set<string> {
  const all = new Set(names)
  const units = unitsOf(edit)
  for (let size = -1; size !== all.size; ) {
    size = all.size
    for (const unit of units) if (unit.some((name) => all.has(name))) for (const name of unit) all.add(name)
  }
  return all
}

// Some of them

/** A change with these parts only. Of a person whose seat is in it, everything else is as it is now. */
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

/** A duration that is no part of its own goes with the times, if all of them do. */
function wantedFields(
  edit: FlightEdit,
  wanted: ReadonlySet<string>,
  state: StateNow,
): NonNullable<FlightEdit['fields']> {
  const changes = fieldChanges(edit)
  const isClockLeft = changes.some(([name]) => changesClock([name]) && !wanted.has(name))
  const follows = followsTimes(state) && changesClock(changes.map(([name]) => name))
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
    const [field, key] = name.slice(ofPersonIn(pair).length + 1).split(/:(.*)/s) as [string, string?]
    if (key === undefined) Object.assign(before, { [field]: was })
    else if (was === null) delete before.customFields[key]
    else before.customFields[key] = was
  }
  return [[before, now]]
}

/** As a change of it is called where differences are shown: one's own seat by its field, that of others as people. */
export function wordForPart(name: string, viewerId: string): string {
  const own = `${partOfPlace(viewerId)}:`
  if (name.startsWith(own)) {
    const [field] = name.slice(own.length).split(':') as [string]
    if (field === 'keptAt') return 'people'
    return field === 'customFields' ? 'passengerFields' : wordForField(field)
  }
  return wordForField(name.split(':')[0]!)
}
