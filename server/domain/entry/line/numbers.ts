// Flight numbers, airlines, seats, aircraft types, terminals and gates in a line.
import { canonicalFlightNumber, designatorOf, parseFlightNumber } from '../../flights/number.ts'
import { searchFold } from '../../text/fold.ts'
import { between, type Line, plainBetween } from './atoms.ts'
import { type Candidate, type Search, WORD } from './candidate.ts'
import { airlinesOfCode, airportsOfCode, isLargeAirline } from './data.ts'
import { spans } from './spans.ts'
import type { LineAircraft, LineAirline, LineDraft } from './types.ts'
import { isBareYear, isDayOfMonth, isMonth } from './when/periods.ts'
import { commonWords, flightWords, gateWords, seatNumberWords, terminalWords, withWords } from './words.ts'

const simple = (
  kind: 'seatNumber' | 'terminal' | 'gate',
  sets: LineDraft,
  score: number,
): Omit<Candidate, 'first' | 'end'> => ({ slot: kind, kind, sets, others: [], score })

// Flight numbers

/** `SK909`, `sk 909`, `SAS909`, `U2-1234`, `Lufthansa 400`, each also after “flight”. */
export const flightsAt = spans(6, (search, first, end) => {
  const { line } = search
  const isSaid = flightWords.has(line.atoms[first]!.plain)
  const start = isSaid ? first + 1 : first
  if (start >= end || line.atoms[start]!.isSign || isAfterSeatWord(line, first)) return null
  const read = flightNumber(search, start, end)
  return read && { ...read, score: read.score + (isSaid ? WORD : 0) }
})

/** `seat B32`, `seat: K2`: whatever it is, it is no flight number. */
function isAfterSeatWord({ atoms }: Line, at: number): boolean {
  const before = atoms[at - 1]?.text === ':' ? atoms[at - 2] : atoms[at - 1]
  return before !== undefined && seatNumberWords.has(before.plain)
}

type Reading = Omit<Candidate, 'first' | 'end'>

function flightNumber(search: Search, first: number, end: number): Reading | null {
  const { atoms } = search.line
  const text = between(search.line, first, end)
  if (end - first === 1) return writtenNumber(search, text, 12)
  const digits = atoms[end - 1]!.text
  if (!/^\d{1,4}[A-Za-z]?$/.test(digits) || isDayOrSeat(search.line, end - 1)) return null
  if (isYearAfterMonth(search.line, first, end)) return null
  const isJoined = end - first === 3 && atoms[first + 1]!.text === '-'
  const code = atoms[first]!.text
  // Small common words before a number are ordinary words: “am 20”, “in 3”.
  const isCode = parseFlightNumber(`${code}${digits}`)?.airlineCode === code.toUpperCase()
  if ((end - first === 2 || isJoined) && isCode && !isCommon(code)) {
    const written = writtenNumber(search, `${code}${digits}`, 12 + WORD)
    if (written && written.score > UNKNOWN_AIRLINE + WORD) return besideAirport(search, written, code)
  }
  return namedNumber(search, between(search.line, first, end - 1), digits, end - first - 1)
}

/** A word as in a sentence: `Mai 20` is no number of MAI. */
const isCommon = (code: string): boolean =>
  commonWords.has(/^\p{Lu}\p{Ll}+$/u.test(code) ? code.toLowerCase() : code)

/** `Mai 2022`, and the end of `20 de febrero de 2026`; MAI and DE are also airlines. */
const isYearAfterMonth = ({ atoms }: Line, first: number, end: number): boolean =>
  isBareYear(atoms[end - 1]!.text) &&
  (isMonth(atoms[first]!.plain) || (atoms[first]!.plain === 'de' && isMonth(atoms[first - 1]?.plain)))

/** Text after an airline that is not a flight number: `KLM 5 may`, `BA 12a`. */
const isDayOrSeat = (line: Line, at: number): boolean =>
  isDayOfMonth(line, at) || /^[1-9]\d?[a-hj-l]$/i.test(line.atoms[at]?.text ?? '')

/** Three letters that are also an airport code, unless the number is in the log. */
function besideAirport({ known, day }: Search, reading: Reading, code: string): Reading {
  const isOwn = known.memory.byNumber.has(reading.sets.flightNumber!)
  const isCode = code.length === 3 && !isOwn
  const { airports } = isCode ? airportsOfCode(known.reference, code.toUpperCase(), day) : { airports: [] }
  return airports.length > 0 ? { ...reading, isAirportToo: true } : reading
}

const UNKNOWN_AIRLINE = 7

function writtenNumber({ known, day }: Search, text: string, score: number): Reading | null {
  const parsed = parseFlightNumber(text)
  // `q400` is a type: no flight has the number 0.
  if (!parsed || parsed.number === '0' || /^\d{2}/.test(text)) return null
  const [airline] = airlinesOfCode(known.reference, parsed.airlineCode, day)
  // SAS909 is SK909: a number has one spelling.
  const isIcao = parsed.airlineCode.length === 3
  const flight = canonicalFlightNumber(isIcao && airline ? `${designatorOf(airline)}${parsed.number}` : text)
  const isOwn = known.memory.byNumber.has(flight)
  const isUnknown = !airline && !isOwn
  // Three letters that are no airline code are a word: `gate12`, `row7`.
  if (isUnknown && parsed.airlineCode.length === 3) return null
  const sets: LineDraft = { flightNumber: flight, ...(airline ? { airlineId: airline.id } : {}) }
  const weight = (isUnknown ? score - (12 - UNKNOWN_AIRLINE) : score) + (isOwn ? 2 : 0)
  return { slot: 'flight', kind: 'flight', sets, others: [], score: weight }
}

/** `Lufthansa 400`: the airline by its name. */
function namedNumber({ known }: Search, name: string, digits: string, words: number): Reading | null {
  const [airline] = known.reference.airlines.byName.get(searchFold(name)) ?? []
  const code = airline && designatorOf(airline)
  if (!airline || !code) return null
  const sets = { flightNumber: canonicalFlightNumber(`${code}${digits}`), airlineId: airline.id }
  return { slot: 'flight', kind: 'flight', sets, others: [], score: 12 + WORD * words }
}

/** `Lufthansa`, `with SAS`: the airline alone. */
export const airlinesAt = spans(5, ({ line, known }, first, end) => {
  const isSaid = withWords.has(line.atoms[first]!.plain)
  const start = isSaid ? first + 1 : first
  if (start >= end) return null
  const text = between(line, start, end)
  const { byName, byCode } = known.reference.airlines
  const named = byName.get(searchFold(text)) ?? []
  // `KLM`, and after “with” also `SK`: only in upper case, as such codes are written.
  const isCode = text === text.toUpperCase() && (text.length === 3 || (isSaid && text.length === 2))
  const coded = isCode || isBareCode(line, start, end) ? (byCode.get(text.toUpperCase()) ?? []) : []
  const found = named.length > 0 ? named : isCode ? coded : coded.filter(isLargeAirline).slice(0, 1)
  const [airline, ...others] = found
  // “with Ana” means a person, “with ANA” an airline.
  const isPerson = isSaid && /^\p{Lu}\p{Ll}{2}$/u.test(text)
  // Volo is an airline, and Italian for flight.
  const isFlight = end - start === 1 && flightWords.has(line.atoms[start]!.plain)
  if (!airline || commonWords.has(text) || isPerson || isFlight) return null
  const words = end - start
  return {
    ...{ slot: 'airline', kind: 'airline', sets: { airlineId: airline.id } },
    others: others.map(({ id }) => ({ airlineId: id })),
    score: 7 + WORD * (words - 1) + (isSaid ? WORD + 3 : 0) - (isRatherCity(known, text, airline) ? 4 : 0),
  }
})

/** `BA 24 dec`, `MUC HAM LH 12a`: two letters in the place of a flight number; not `Denver CO 5 may`. */
function isBareCode(line: Line, first: number, end: number): boolean {
  const before = line.atoms[first - 1]
  const isFree = !before || before.isSign || /\d|^.{3}$/.test(before.text)
  return end - first === 1 && line.atoms[first]!.text.length === 2 && isFree && isDayOrSeat(line, end)
}

/** `Hamburg` means the city more often than Hamburg International. */
function isRatherCity({ reference }: Search['known'], text: string, airline: LineAirline): boolean {
  const [airport] = reference.airports.byName.get(searchFold(text)) ?? []
  return (airport?.size ?? 0) >= SERVED_CITY && !isLargeAirline(airline)
}
const SERVED_CITY = 50

// Seats

const inRow = /^(?:row|reihe|fila) ([1-9]\d?),? (?:seat|sitz|platz|asiento|posto) ([a-hj-l])$/

/** `12a`, `12 A`, `seat 12a`, `row 12 seat a`, and after “seat” also `B32`. Row 13 exists, row 0 does not. */
export const seatsAt = spans(5, ({ line }, first, end) => {
  const row = inRow.exec(plainBetween(line, first, end))
  if (row) return simple('seatNumber', { seatNumber: `${row[1]}${row[2]!.toUpperCase()}` }, 10 + 3 * WORD)
  const isSaid = seatNumberWords.has(line.atoms[first]!.plain)
  const start = isSaid ? first + (line.atoms[first + 1]?.text === ':' ? 2 : 1) : first
  if (start >= end) return null
  const text = between(line, start, end)
  const seat = seatIn(text, isSaid)
  if (!seat) return null
  const isBlank = /\s/.test(text)
  // `73h` and `77w` are aircraft; no airliner has row 70.
  const score = (Number.parseInt(seat, 10) > 65 ? 6 : 10) + (isBlank ? WORD - 1 : 0) + (isSaid ? WORD : 0)
  return simple('seatNumber', { seatNumber: seat }, score)
})

function seatIn(text: string, isSaid: boolean): string | null {
  const [, row, letter] = /^([1-9]\d?)\s?([a-hj-l])$/i.exec(text) ?? []
  const [, first, behind] = (isSaid && /^([a-hj-l])\s?([1-9]\d?)$/i.exec(text)) || []
  if (row) return `${row}${letter!.toUpperCase()}`
  return first ? `${behind}${first.toUpperCase()}` : null
}

// Aircraft types

const makers =
  /^(?:airbus|boeing|embraer|bombardier|mcdonnell|douglas|fokker|atr|saab|cessna|antonov|tupolev|ilyushin|sukhoi|comac)$/

export const aircraftAt = spans(6, ({ line, known }, first, end) => {
  const text = between(line, first, end)
  const { byCode, byName } = known.reference.aircraft
  const folded = searchFold(text)
  const isCode = /^[A-Za-z0-9]{3,4}$/.test(text) && /\d/.test(text)
  const named = byName.get(folded) ?? byName.get(folded.replaceAll(' ', '')) ?? []
  const found = [...new Set([...(isCode ? (byCode.get(text.toUpperCase()) ?? []) : []), ...named])]
  if (found.length === 0 || commonWords.has(text) || /^\d{1,2}$/.test(text)) return null
  const [best, ...others] = ranked(found, known.memory.aircraft)
  const words = line.atoms.slice(first, end).filter(({ isSign }) => !isSign).length
  const isNumber = /^\d{3}$/.test(text)
  return {
    ...{ slot: 'aircraft', kind: 'aircraft', sets: { aircraftId: best!.id } },
    others: others.map(({ id }) => ({ aircraftId: id })),
    // A maker's name or a letter shows that it is a type; 320 alone is only a good guess.
    score: isRatherNumber(known, text, best!)
      ? UNKNOWN_AIRLINE
      : aircraftScore(text, isNumber, best!) + WORD * (words - 1),
  }
})

/** `AA1` and `BA11` are also small types, but a flight of a large airline is more likely. */
function isRatherNumber({ reference }: Search['known'], text: string, { size }: LineAircraft): boolean {
  const code = /^([a-z]{2})\d{1,4}$/i.exec(text)?.[1]?.toUpperCase()
  const [airline] = (code && reference.airlines.byCode.get(code)) || []
  return airline !== undefined && airline.size >= LARGE_AIRLINE && airline.size >= size
}
const LARGE_AIRLINE = 80

function aircraftScore(text: string, isNumber: boolean, { size }: LineAircraft): number {
  if (isNumber) return 6
  if (/^\d{2}[a-hj-l]$/i.test(text)) return 8
  if (makers.test(text.toLowerCase().split(' ')[0]!)) return 14
  return /\d/.test(text) ? 14 : size >= 40 ? 9 : 5
}

function ranked(types: readonly LineAircraft[], flown: ReadonlyMap<number, number>): LineAircraft[] {
  const weight = ({ id, size }: LineAircraft) => (flown.get(id) ?? 0) * 1000 + size
  return types.toSorted((a, b) => weight(b) - weight(a) || a.id - b.id)
}

// Terminals and gates

export const terminalsAt = spans(2, ({ line }, first, end) => {
  const match = /^(?:t ?(\d[a-z]?)|(?:terminal|term\.?) ?(\d{1,2}[a-z]?|[a-z]))$/.exec(
    plainBetween(line, first, end),
  )
  if (!match || (end - first === 2 && !terminalWords.has(line.atoms[first]!.plain))) return null
  return simple(
    'terminal',
    { departureTerminal: (match[1] ?? match[2])!.toUpperCase() },
    11 + WORD * (end - first - 1),
  )
})

export const gatesAt = spans(2, ({ line }, first, end) => {
  if (!gateWords.has(line.atoms[first]!.plain) || end - first !== 2) return null
  const match = /^\S+ ?([a-z]{0,2}\d{1,3}[a-z]?|[a-z])$/.exec(plainBetween(line, first, end))
  return match && simple('gate', { departureGate: match[1]!.toUpperCase() }, 12 + WORD)
})
