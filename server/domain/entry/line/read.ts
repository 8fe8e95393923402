// Reads a line: finds candidates of every kind and the best set of them, and combines their meanings. A word that
// nothing explains becomes part of the note (docs/decisions/020).
import { plain } from '../../text/fold.ts'
import { atomsOf, type Line } from './atoms.ts'
import type { Candidate, Known, Search, Slot } from './candidate.ts'
import { choose } from './choose.ts'
import { homeAt, returnsAt } from './home.ts'
import { chainsAt } from './legs.ts'
import { nearAt } from './near.ts'
import { aircraftAt, airlinesAt, flightsAt, gatesAt, seatsAt, terminalsAt } from './numbers.ts'
import { offersFor, withOffers } from './offers.ts'
import { peopleAt } from './people.ts'
import { notesAt, phrasesAt } from './phrases.ts'
import { airportsAt, codesInCapitals } from './places.ts'
import { problemIn } from './problems.ts'
import { registrationsAt } from './registrations.ts'
import { inPlaces } from './route.ts'
import type { Alternative, Chosen, LineDraft, LinePart, LineReading, Offer, PartKind } from './types.ts'
import { dayPartOf } from './when/clock-words.ts'
import { datesAt } from './when/dates.ts'
import { isBareYear } from './when/periods.ts'
import { timesAt } from './when/times.ts'

/** The rest of a longer line becomes a note. */
export const LINE_CHARACTERS_AT_MOST = 500

/** The meaning of codes and times depends on the day of the flight. */
const readersOfDay = [flightsAt, timesAt, airportsAt, chainsAt, returnsAt]
const readers = [
  datesAt,
  airlinesAt,
  aircraftAt,
  registrationsAt,
  homeAt,
  seatsAt,
  terminalsAt,
  gatesAt,
  phrasesAt,
  peopleAt,
  notesAt,
]

type Reader = (search: Search, first: number) => Candidate[]
const candidatesBy = (all: readonly Reader[], search: Search): Candidate[] =>
  search.line.atoms.flatMap((_, first) => all.flatMap((read) => read(search, first)))

export function readLine(text: string, known: Known, chosen: readonly Chosen[] = []): LineReading {
  const line = { text, atoms: atomsOf(text.slice(0, LINE_CHARACTERS_AT_MOST)) }
  const { today, given } = known.calendar
  const day = given ? dayWithin(given) : today
  let search: Search = { line, known, day, capitals: codesInCapitals(line, known.reference, day) }
  let always = [...candidatesBy(readers, search), ...chosen.flatMap((choice) => forced(line, choice))]
  let candidates = [...candidatesBy(readersOfDay, search), ...always]
  let parts = understand(search, candidates)
  if (isTimeBesideYear(parts)) {
    const isKept = ({ kind, sets, first, end, score }: Candidate) =>
      kind !== 'date' || sets.datePrecision !== 'year' || end - first > 1 || score >= FORCED
    always = always.filter(isKept)
    candidates = candidates.filter(isKept)
    parts = understand(search, candidates)
  }
  const later = searchOfDay(search, parts)
  if (later) {
    search = later
    candidates = [...candidatesBy(readersOfDay, search), ...always]
    parts = understand(search, candidates)
  }
  const missing = missingIn(parts, known).filter((end) => end !== 'date')
  const near = nearAt(search, parts, missing)
  if (near.length > 0) parts = understand(search, [...candidates, ...near])
  const draft = draftOf(parts)
  const problem = problemIn(search, candidates, parts, draft)
  return {
    ...{ parts, draft, offers: offersIn(parts, known), missing: missingIn(parts, known) },
    ...(problem && { problem }),
  }
}

/** `1830 2015`: a person who knows one time of the flight knows its day, so both are times. */
function isTimeBesideYear(parts: readonly LinePart[]): boolean {
  const [time, ...others] = parts.filter(({ kind }) => kind === 'time')
  const isRange = time?.sets.departure !== undefined && time.sets.arrival !== undefined
  const isYear = parts.some(({ kind, text }) => kind === 'date' && isBareYear(text))
  return isYear && time !== undefined && !isRange && others.length === 0
}

/** Reads codes and times for the flight's day, which the first reading found; null if that changes nothing. */
function searchOfDay(search: Search, parts: readonly LinePart[]): Search | null {
  const { given } = search.known.calendar
  const date = parts.find(({ kind }) => kind === 'date')
  const dayPart = date && dayPartOf(plain(date.text))
  const said = date && (date.sets.date === undefined ? date.alternatives[0]!.sets : date.sets)
  const day = said === undefined || given ? search.day : dayWithin(said)
  const isDayUnknown = !given && said?.datePrecision !== undefined
  return day === search.day && !isDayUnknown && !dayPart ? null : { ...search, day, isDayUnknown, dayPart }
}

/** The day, or one in the middle of the month or year: a code had its meaning of that day on most of the days. */
const dayWithin = ({ date = '', datePrecision }: LineDraft): string =>
  datePrecision === 'year'
    ? `${date.slice(0, 4)}-07-01`
    : datePrecision === 'month'
      ? `${date.slice(0, 7)}-15`
      : date

/** Nothing is offered for an airport that was typed and has to be chosen. */
function offersIn(parts: readonly LinePart[], known: Known): Offer[] {
  const asked = parts.flatMap(({ kind, sets }) =>
    (kind === 'from' || kind === 'to') && Object.keys(sets).length === 0 ? (`${kind}Id` as const) : [],
  )
  return offersFor(draftOf(parts), known).filter(({ sets }) => !asked.some((end) => end in sets))
}

function missingIn(parts: readonly LinePart[], known: Known): LineReading['missing'] {
  const draft = draftOf(parts)
  const needed = offersIn(parts, known).filter(({ isNeeded }) => isNeeded)
  const whole = withOffers(draft, needed)
  return (['date', 'from', 'to'] as const).filter(
    (name) => whole[name === 'date' ? name : (`${name}Id` as const)] === undefined,
  )
}

function understand({ line, known }: Search, candidates: readonly Candidate[]): LinePart[] {
  const placed = inPlaces(likeliest(line, candidates), known)
  const parts = placed.map((candidate) => partOf(line, candidate, candidates))
  return withRest(line.text, joined(line.text, parts))
}

/** Drops words that name a place only next to another place, if there is none; uses a code for a missing airport. */
function likeliest({ atoms }: Line, candidates: readonly Candidate[]): Candidate[] {
  const chosen = choose(atoms, candidates)
  const places = placesIn(chosen)
  if (places.length === 1 && places[0]!.isDoubtful)
    return choose(
      atoms,
      candidates.filter(({ isDoubtful }) => !isDoubtful),
    )
  if (places.length === 2 || !chosen.some(({ isAirportToo }) => isAirportToo)) return chosen
  const other = choose(
    atoms,
    candidates.filter(({ isAirportToo }) => !isAirportToo),
  )
  // The digits after it then mean something different, such as a time.
  return placesIn(other).length === 2 && notesIn(other) <= notesIn(chosen) ? other : chosen
}

const placesIn = (chosen: readonly Candidate[]): Candidate[] =>
  chosen.filter(({ kind }) => kind === 'from' || kind === 'to')
const notesIn = (chosen: readonly Candidate[]): number => chosen.filter(({ kind }) => kind === 'note').length

function partOf({ text, atoms }: Line, candidate: Candidate, all: readonly Candidate[]): LinePart {
  const { first, end, kind, sets } = candidate
  const [start, stop] = [atoms[first]!.start, atoms[end - 1]!.end]
  return {
    start,
    end: stop,
    kind,
    text: text.slice(start, stop),
    sets,
    alternatives: alternativesOf(candidate, all),
  }
}

/** Other meanings of the same kind, then the other kinds that the words may be, the likeliest first. */
function alternativesOf(candidate: Candidate, all: readonly Candidate[]): Alternative[] {
  if (candidate.slot === 'joint') return []
  const { first, end, kind, sets, others, turned = [], near = [], choices = [] } = candidate
  const isAirport = kind === 'from' || kind === 'to'
  const otherKinds = all
    .filter(
      (other) => other.first === first && other.end === end && other.kind !== kind && other.score < FORCED,
    )
    .filter((other) => !(isAirport && (other.kind === 'from' || other.kind === 'to')))
    .toSorted((a, b) => b.score - a.score)
  const found: Alternative[] = [
    ...near,
    ...choices,
    ...others.map((other) => ({ kind, sets: other })),
    ...turned,
    ...otherKinds.map((other) => ({ kind: other.kind, sets: other.sets })),
  ]
  const seen = new Set([keyOf({ kind, sets })])
  return found.filter((alternative) => !seen.has(keyOf(alternative)) && seen.add(keyOf(alternative)))
}

const keyOf = ({ kind, sets }: Alternative): string => `${kind} ${JSON.stringify(sets)}`

// Chosen meanings

const FORCED = 1000

function forced({ text, atoms }: Line, { start, text: typed, kind, sets }: Chosen): Candidate[] {
  const first = atoms.findIndex((atom) => atom.start === start)
  const end = atoms.findIndex((atom) => atom.end === start + typed.length) + 1
  if (first < 0 || end <= first || text.slice(start, start + typed.length) !== typed) return []
  // Until their ends are decided, all airports are `fromId`: see route.ts.
  const inner = kind === 'to' ? { fromId: sets.toId! } : sets
  return [{ first, end, slot: slotOf(kind, sets), kind, sets: inner, others: [], score: FORCED }]
}

function slotOf(kind: PartKind, sets: LineDraft): Slot {
  if (kind !== 'time') return kind
  if (sets.departure === undefined) return 'arrival'
  return sets.arrival === undefined ? 'departure' : 'times'
}

// From candidates to parts

/** Adjacent words that were not understood become one part, together with the small words around them. */
function joined(text: string, parts: readonly LinePart[]): LinePart[] {
  const result: LinePart[] = []
  for (const part of parts) {
    const last = result.at(-1)
    if (part.kind === 'note' && isPlainNote(part)) {
      const own = result.splice(noteStart(result))
      result.push(
        own.length === 0
          ? noted(text, part)
          : noted(text, { ...part, start: own[0]!.start, alternatives: [] }),
      )
    } else if (isWord(part) && last?.kind === 'note' && isPlainNote(last)) {
      // “sehr schöner Flug”
      result[result.length - 1] = noted(text, { ...last, end: part.end, sets: {}, alternatives: [] })
    } else result.push(part.kind === 'note' && isNearName(part) ? noted(text, part) : part)
  }
  return result
}

/** The start of a note that continues these parts: at a note before it, or at small words like “the”, but not at signs. */
function noteStart(parts: readonly LinePart[]): number {
  let start = parts.length
  while (start > 0 && parts[start - 1]!.kind === 'joint') start--
  const before = parts[start - 1]
  if (before?.kind === 'note' && isPlainNote(before)) return start - 1
  while (start < parts.length && !isWord(parts[start]!)) start++
  return start
}

const isWord = ({ kind, text }: LinePart): boolean => kind === 'joint' && /\p{L}/u.test(text)
/** A note that is not marked with “note:”. */
const isPlainNote = (part: LinePart): boolean =>
  !isNearName(part) && (part.sets.note === undefined || part.sets.note === part.text)
/** Kept as a separate part, so that people see which word the suggestion is for. */
const isNearName = ({ alternatives }: LinePart): boolean => alternatives.some(({ isNear }) => isNear)
const noted = (text: string, part: LinePart): LinePart => {
  const typed = text.slice(part.start, part.end)
  return { ...part, text: typed, sets: { note: typed } }
}

/** Adds the text beyond the longest line that is read. */
function withRest(text: string, parts: LinePart[]): LinePart[] {
  const rest = text.slice(LINE_CHARACTERS_AT_MOST)
  if (rest.trim() === '') return parts
  const start = LINE_CHARACTERS_AT_MOST + rest.length - rest.trimStart().length
  const end = text.trimEnd().length
  const typed = text.slice(start, end)
  return [...parts, { start, end, kind: 'note', text: typed, sets: { note: typed }, alternatives: [] }]
}

function draftOf(parts: readonly LinePart[]): LineDraft {
  const draft: LineDraft = {}
  for (const { sets } of parts) {
    const { people, note, ...rest } = sets
    Object.assign(draft, rest)
    if (people) draft.people = different([...(draft.people ?? []), ...people])
    if (note) draft.note = draft.note === undefined ? note : `${draft.note} ${note}`
  }
  return draft
}

const different = (people: NonNullable<LineDraft['people']>) => [
  ...new Map(people.map((person) => [person.userId ?? plain(person.name), person])).values(),
]
