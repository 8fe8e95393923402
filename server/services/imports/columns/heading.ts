// Reads the heading of a column.
import type { ColumnField } from '../../../domain/imports/imports.ts'
import { type Concept, conceptsOf, foldWords, phraseOf } from './vocabulary.ts'

export interface HeadingMeaning {
  /** Null: not a field of a flight. Undefined: unknown from the heading, so the values decide. */
  field: ColumnField | null | undefined
  /** The heading names only an end of the flight: `Departure` may be an airport, a time or a day. */
  end?: 'dep' | 'arr'
  isScheduled?: true
  /** For airports and airlines: the part that the column has. */
  part?: 'code' | 'city'
  /** A date or a time without an end. */
  loose?: 'date' | 'time'
  isUtc: boolean
  isLocal: boolean
  unit?: 'hours' | 'minutes' | 'seconds'
  /** The heading is typical of pilot logbooks. */
  isPilots: boolean
}

export function meaningOf(heading: string): HeadingMeaning {
  const words = foldWords(heading)
  const phrase = words.join('')
  const has = new Set(words.flatMap((word) => conceptsOf(word)))
  const isPilots = has.has('pilot') || pilotPhrases.has(phrase)
  const about = { isUtc: has.has('utc'), isLocal: has.has('local'), isPilots, ...unitOf(has) }
  const whole = phraseOf.get(phrase) ?? phraseOf.get(words.filter((word) => !isZone(word)).join(''))
  if (whole !== undefined || phraseOf.has(phrase)) return { field: whole ?? null, ...about }
  return { ...composed(has), ...about }
}

/** Zones are ignored in phrases: `Off Block (UTC)` equals `Off Block`. */
const isZone = (word: string): boolean => ['utc', 'zulu', 'gmt', 'local', 'lt', 'z'].includes(word)

const pilotPhrases = new Set(
  'offblock onblock blockoff blockon out off on in adep ades depplace arrplace aircraftid timeout timeoff timeon timein pic sic'.split(
    ' ',
  ),
)

function unitOf(has: ReadonlySet<Concept>): Pick<HeadingMeaning, 'unit'> {
  const unit = (['hours', 'minutes', 'seconds'] as const).find((name) => has.has(name))
  return unit ? { unit } : {}
}

type Composed = Pick<HeadingMeaning, 'field' | 'end' | 'isScheduled' | 'part' | 'loose'>
type Rule = [needs: readonly Concept[], field: ColumnField | null]

/** The first rule whose concepts all occur wins. */
const rules: readonly Rule[] = [
  [['country'], null],
  [['distance'], null],
  [['other'], null],
  [['currency'], 'currency'],
  [['price'], 'price'],
  [['note'], 'note'],
  [['booking', 'date'], null],
  [['booking', 'class'], null],
  [['booking'], 'bookingReference'],
  [['ticket', 'number'], null],
  [['dep', 'terminal'], 'departureTerminal'],
  [['arr', 'terminal'], 'arrivalTerminal'],
  [['terminal'], 'departureTerminal'],
  [['seat', 'class'], 'seatClass'],
  [['seat', 'type'], 'seat'],
  [['seat', 'side'], 'seat'],
  [['seat', 'number'], 'seatNumber'],
  [['seat'], 'seat'],
  [['class'], 'seatClass'],
  [['reason'], 'reason'],
  [['companion'], 'passenger'],
  [['passenger', 'number'], null],
  [['passenger'], 'passenger'],
  [['reg'], 'aircraftReg'],
  [['aircraft', 'number'], 'aircraftReg'],
  [['aircraft'], 'aircraft'],
  [['operating', 'number'], 'operatingFlightNumber'],
  [['operating', 'flight'], 'operatingFlightNumber'],
  [['operating'], 'operatingAirline'],
  [['status'], 'outcome'],
  [['diverted'], null],
  [['dep', 'duration'], null],
  [['duration'], 'duration'],
  [['off', 'scheduled'], 'takeoffScheduled'],
  [['off'], 'takeoffActual'],
  [['on', 'scheduled'], 'landingScheduled'],
  [['on'], 'landingActual'],
  [['dep', 'arr'], 'route'],
  [['arr', 'date'], 'arrivalDate'],
  [['dep', 'date'], 'date'],
  [['dep', 'scheduled'], 'departureScheduled'],
  [['arr', 'scheduled', 'airport'], 'plannedTo'],
  [['arr', 'scheduled', 'time'], 'arrivalScheduled'],
  [['dep', 'actual'], 'departureTime'],
  [['arr', 'actual'], 'arrivalTime'],
  [['dep', 'time'], 'departureTime'],
  [['arr', 'time'], 'arrivalTime'],
  [['dep', 'block'], 'departureTime'],
  [['arr', 'block'], 'arrivalTime'],
]

/** For headings without an end of the flight. */
const otherRules: readonly Rule[] = [
  [['gate'], 'departureGate'],
  [['airline', 'number'], 'flightNumber'],
  [['airline'], 'airline'],
  [['flight', 'date'], 'date'],
  [['flight', 'time'], 'duration'],
  [['flight', 'type'], null],
  [['block', 'time'], 'duration'],
  [['flight'], 'flightNumber'],
  [['route'], 'route'],
  [['reference'], 'bookingReference'],
  [['block'], 'duration'],
]

function composed(has: ReadonlySet<Concept>): Composed {
  const fits = ([needs]: Rule) => needs.every((concept) => has.has(concept))
  const found = rules.find(fits)
  const end = has.has('dep') ? 'dep' : has.has('arr') ? 'arr' : undefined
  if (found) return { field: found[1] }
  if (end) return composedEnd(has, end)
  const other = otherRules.find(fits)
  if (other) return { field: other[1], ...(has.has('code') && { part: 'code' }) }
  const loose = has.has('date') ? 'date' : has.has('time') ? 'time' : undefined
  return loose ? { field: undefined, loose } : { field: undefined }
}

function composedEnd(has: ReadonlySet<Concept>, end: 'dep' | 'arr'): Composed {
  if (has.has('gate')) return { field: end === 'dep' ? 'departureGate' : 'arrivalGate' }
  if (has.has('scheduled')) return { field: undefined, end, isScheduled: true }
  const field = end === 'dep' ? 'from' : 'to'
  if (has.has('code')) return { field, part: 'code' }
  if (has.has('city')) return { field, part: 'city' }
  if (has.has('airport')) return { field }
  return { field: undefined, end }
}
