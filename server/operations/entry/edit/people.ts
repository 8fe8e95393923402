// Who joins a flight, changes seat or leaves, by name. People on the flight take precedence over others.
import { invalidField } from '../../../base/errors.ts'
import { handleIn, isSelfWord, type NamedPerson, shownPerson } from '../../../domain/people/names.ts'
import { problem } from '../../../domain/reasons.ts'
import { searchFold } from '../../../domain/text/fold.ts'
import {
  type KnownPeople,
  nameProblem,
  peopleKnownTo,
  resolvePersonName,
} from '../../../services/reference/resolve/people.ts'
import type { StoredFlight, StoredPassenger } from '../../../store/flights/flights.ts'
import type { Words } from '../../reference/named.ts'
import { type FlightPatch, PassengerInput } from '../../wire/schemas.ts'
import { entriesRead } from '../fields.ts'
import { type Named, personNamed } from '../people.ts'
import type { EditedPerson, EditFlight } from './input.ts'

type Path = (string | number)[]
type Changes = Record<string, unknown>

/** A passenger of the flight, or a new one. */
interface Entry {
  /** Undefined for a new passenger. */
  id: number | undefined
  who: Named | undefined
  /** null: leaves the flight. */
  changes: Changes | null
  path: Path
}

export interface EditedPeople {
  passengers?: NonNullable<FlightPatch['passengers']>
  /** The path in the edit for each path in the patch. */
  paths: Map<string, Path>
  /** The first person in the edit who leaves. */
  leaving?: Path | undefined
}

export async function readPeople(
  words: Words,
  said: EditFlight,
  stored: StoredFlight,
): Promise<EditedPeople> {
  const named = entriesRead(said.people ?? [])
  const known = named.length > 0 ? await peopleKnownTo(words.call) : undefined
  const entries = [
    ...ownEntries(words, said, stored),
    ...named.flatMap(([i, person]) => entryOf(words, person, ['people', i], stored, known!)),
  ]
  const merged = withoutRepeated(words, entries)
  if (merged.length === 0) return { paths: new Map() }
  const joining = merged.filter(({ id }) => id === undefined)
  const leaving = merged.filter(({ changes }) => changes === null)
  if (joining.length === 0 && leaving.length === stored.passengers.length)
    words.problems.push(invalidField(['people'], 'nobody_left'))
  return {
    leaving: leaving[0]?.path,
    passengers: Object.assign(
      Object.fromEntries(merged.flatMap(({ id, changes }) => (id === undefined ? [] : [[id, changes]]))),
      { new: joining.map(({ who, changes }) => PassengerInput.parse({ ...who, ...changes })) },
    ),
    paths: new Map([
      ...merged.map(({ id, path }): [string, Path] => [`passengers.${id}`, path]),
      ...joining.map(({ path }, i): [string, Path] => [`passengers.new.${i}`, path]),
    ]),
  }
}

const ownFields = {
  seat: 'seat',
  seatNumber: 'seatNumber',
  seatClass: 'seatClass',
  reason: 'flightReason',
} as const

/** The top-level seat, class and reason are the caller's own. */
function ownEntries(words: Words, said: EditFlight, { passengers }: StoredFlight): Entry[] {
  const given = Object.entries(ownFields).filter(
    ([name]) => said[name as keyof typeof ownFields] !== undefined,
  )
  if (given.length === 0) return []
  const own = passengers.find(({ userId }) => userId === words.call.principal.user.id)
  const joins = entriesRead(said.people ?? []).some(([, { name, remove }]) => isSelfWord(name) && !remove)
  if (!own && !joins) {
    words.problems.push(...given.map(([name]) => invalidField([name], 'you_not_on_flight')))
    return []
  }
  const changes = Object.fromEntries(
    given.map(([name, field]) => [field, said[name as keyof typeof ownFields]]),
  )
  return [{ id: own?.id, who: { userId: words.call.principal.user.id }, changes, path: [] }]
}

function entryOf(
  words: Words,
  { name, remove, ...changes }: EditedPerson,
  path: Path,
  { passengers }: StoredFlight,
  known: KnownPeople,
): Entry[] {
  const aboard = passengers.map(namedOf)
  const others = { self: known.self, others: withoutSelf(aboard, known) }
  // A name alone adds a person: if two people have the name, it need not be the one on board.
  const isJoining = !remove && Object.values(changes).every((value) => value === undefined)
  const resolution =
    meansSelf(known, others, name) ??
    resolvePersonName(isJoining ? withOthers(others, known) : others, name, 'companions')
  if (resolution.outcome === 'ambiguous') {
    words.problems.push(invalidField([...path, 'name'], nameProblem(known, name, resolution)))
    return []
  }
  const record = resolution.outcome === 'found' ? resolution.record : undefined
  const passenger = record && passengers.find((one) => isSame(one, record))
  if (passenger) return [{ id: passenger.id, who: undefined, changes: remove ? null : changes, path }]
  if (remove) {
    const shown = aboard.map(shownPerson)
    words.problems.push(
      invalidField([...path, 'name'], problem('person_not_on_flight', { text: name, known: shown })),
    )
    return []
  }
  // The caller, who is not on the flight yet.
  const self = record?.userId === known.self.userId ? { userId: known.self.userId! } : undefined
  const who = self ?? personNamed(words, [...path, 'name'], name, known)
  return who ? [{ id: undefined, who, changes, path }] : []
}

/** The caller's full name, or a part of it that fits no one else. */
function meansSelf(known: KnownPeople, aboard: KnownPeople, name: string) {
  const self = resolvePersonName({ self: known.self, others: [] }, name)
  if (self.outcome !== 'found') return undefined
  const isSure =
    isSelfWord(name) || handleIn(name) !== undefined || searchFold(name) === searchFold(known.self.name)
  if (isSure) return self
  const isOther = [aboard, known].some(
    (people) => resolvePersonName(people, name, 'companions').outcome !== 'unknown',
  )
  return isOther ? undefined : self
}

const withOthers = (aboard: KnownPeople, known: KnownPeople): KnownPeople => {
  const ids = new Set(aboard.others.map(({ userId, name }) => userId ?? name))
  return {
    self: known.self,
    others: [...aboard.others, ...known.others.filter(({ userId, name }) => !ids.has(userId ?? name))],
  }
}

const namedOf = ({ userId, displayName, username, guestName }: StoredPassenger): NamedPerson => ({
  ...{ userId, name: displayName ?? guestName! },
  ...(username !== null && { username }),
})

const withoutSelf = (aboard: readonly NamedPerson[], { self }: KnownPeople) =>
  aboard.filter(({ userId }) => userId !== self.userId).map((person) => ({ ...person, flights: 0 }))

const isSame = (passenger: StoredPassenger, { userId, name }: NamedPerson): boolean =>
  userId === null ? passenger.guestName === name : passenger.userId === userId

/** Merges two entries about one person, unless they set the same field or one of them removes the person. */
function withoutRepeated(words: Words, entries: readonly Entry[]): Entry[] {
  const merged = new Map<string, Entry>()
  for (const entry of entries) {
    const key = entry.id === undefined ? JSON.stringify(entry.who) : String(entry.id)
    const before = merged.get(key)
    const isDouble =
      before &&
      (!before.changes ||
        !entry.changes ||
        Object.keys(entry.changes).some((name) => name in before.changes!))
    if (isDouble) words.problems.push(invalidField(entry.path, 'passenger_matched_twice'))
    else merged.set(key, before ? { ...entry, changes: { ...before.changes, ...entry.changes } } : entry)
  }
  return [...merged.values()]
}
