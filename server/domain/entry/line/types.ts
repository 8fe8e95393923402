// A line of text that describes a flight: the input for reading it, and the result. The web app reads it while a person types,
// the server reads `text` of `POST /flights/log`; both use the same functions and data.
import type { FlightReason, Outcome, Seat, SeatClass } from '../../enums.ts'
import type { NamedPerson } from '../../people/names.ts'
import type { DateOrder } from '../../time/typed-date.ts'

// What is known

export interface LineAirport {
  id: number
  iata: string | null
  icao: string
  name: string
  city: string | null
  country: string
  latitude: number
  longitude: number
  timezone: string
  /** 0 to 100, by airline traffic; 101 for an airport that was added here, which comes first. */
  size: number
  /** Other names of the city and the airport, folded with `searchFold`. */
  names: readonly string[]
}

export interface LineAirline {
  id: number
  iata: string | null
  icao: string | null
  name: string
  /** Folded. */
  names: readonly string[]
  size: number
}

export interface LineAircraft {
  id: number
  icao: string | null
  iata: readonly string[]
  name: string
  /** Folded. */
  names: readonly string[]
  size: number
}

/** A code that a record had only on some days: `[code, index of the record, first day, last day]`; null is unlimited. */
export type LinePeriod = [code: string, index: number, from: string | null, to: string | null]

/**
 * The file that the web app loads once and caches (`GET /app/api/line-data`), the same for everyone. One list per field, joined
 * and shortened to keep it small; `openLineData` reads it.
 */
export interface LineData {
  zones: string[]
  airports: {
    /** As differences to the previous id, like the coordinates. */
    id: number[]
    /** Three characters each, `---` for none. */
    iata: string
    /** Separated by blanks. */
    icao: string
    /** Separated by `|`, like all texts; `*` is the city, `^` “Airport”, `~` “International Airport”. */
    name: string
    city: string
    /** Two characters each. */
    country: string
    /** Hundredths of a degree. */
    latitude: number[]
    longitude: number[]
    /** Index in `zones`. */
    zone: number[]
    size: number[]
    /** Other names, folded: separated by `|`, those of one airport by `;`. */
    names: string
    /** What codes meant when. A code that is listed here has no other meaning. */
    periods: LinePeriod[]
    /** Codes of cities (LON) and their airports, the most important first. */
    cities: LinePeriod[]
  }
  airlines: {
    id: number[]
    iata: string
    icao: string
    name: string
    /** Short names of well-known types, folded. */
    names: string
    size: number[]
    periods: LinePeriod[]
  }
  aircraft: { id: number[]; icao: string; iata: string; name: string; names: string; size: number[] }
}

/** A flight of the person's own log, as in the web app's compact log; times are local. */
export interface LineFlight {
  date: string
  flightNumber: string | null
  fromId: number | null
  toId: number | null
  airlineId: number | null
  aircraftId: number | null
  /** `HH:MM` */
  departure: string | null
  arrival: string | null
  /** Days from the local departure date to the local arrival date. */
  dayShift: number | null
  /** The person's own seat. */
  seat: Seat | null
  seatNumber: string | null
  seatClass: SeatClass | null
  reason: FlightReason | null
}

/** A possible companion: a person with an account here (`userId`), or a guest of earlier flights. */
export type LinePerson = NamedPerson

export interface LineCalendar {
  /** The person's own calendar day. */
  today: string
  order: DateOrder
  /** The day, month or year that is given separately; it overrides the line. */
  given?: { date: string; datePrecision?: 'month' | 'year' } | undefined
  /** The flight is still to come: a day without a year is the next one. */
  isPlanned?: boolean
}

// What was understood

export const partKinds = [
  'flight',
  'date',
  'time',
  'from',
  'to',
  /** Both airports: a chain of airports, or “return”. */
  'route',
  'airline',
  'aircraft',
  'registration',
  'seatNumber',
  'seat',
  'seatClass',
  'reason',
  'outcome',
  'terminal',
  'gate',
  'people',
  /** Words that only join others: an arrow, “to”, “am”. */
  'joint',
  /** Not understood: it goes into the note. */
  'note',
] as const
export type PartKind = (typeof partKinds)[number]

/** One or more words and their meaning. Parts never overlap, are in text order and leave out only blanks. */
export interface LinePart {
  start: number
  /** The index of the first character after the part. */
  end: number
  kind: PartKind
  /** As it was typed. */
  text: string
  /** The fields that it sets in the draft; none for joints, and none while one of the alternatives has to be chosen. */
  sets: LineDraft
  /** Other possible meanings, the likeliest first. `readLine` accepts one of them as `chosen`. */
  alternatives: Alternative[]
}

export interface Alternative {
  kind: PartKind
  sets: LineDraft
  /** The words are only similar to a name: “did you mean …?” */
  isNear?: true
}

export interface Arrival {
  /** `HH:MM` */
  time: string
  /** Days after the departure, as typed (`+1`); null if not typed. */
  dayShift: number | null
}

/** What is certain from the typed words; unknown fields are absent. */
export interface LineDraft {
  /** The first day of the month or year if the day is not known. */
  date?: string
  /** Only if the day is not known. */
  datePrecision?: 'month' | 'year'
  /** In canonical spelling: `SK909`. */
  flightNumber?: string
  airlineId?: number
  fromId?: number
  toId?: number
  /** Airports between them: the line is several flights (`legs.ts`). */
  viaIds?: readonly number[]
  /** Local, `HH:MM`. */
  departure?: string
  arrival?: Arrival
  aircraftId?: number
  aircraftReg?: string
  departureTerminal?: string
  departureGate?: string
  arrivalTerminal?: string
  arrivalGate?: string
  seat?: Seat
  seatNumber?: string
  seatClass?: SeatClass
  flightReason?: FlightReason
  outcome?: Outcome
  people?: LinePerson[]
  note?: string
}

type OfferKind = 'route' | 'number' | 'from' | 'times' | 'seatNumber' | 'seatClass'

/** Not typed but known from the log: shown dashed, and not in the draft until it is accepted. */
export interface Offer {
  kind: OfferKind
  sets: LineDraft
  /** The reason: the last flight like this one, how often, that the person's home is there, or that they were there last. */
  because: { kind: 'number' | 'route' | 'usual' | 'home' | 'last'; date: string | null; times: number }
  /** The flight cannot be saved without it (the route of a number): it is saved with the line, as the server does it. */
  isNeeded: boolean
}

export interface LineReading {
  parts: LinePart[]
  draft: LineDraft
  offers: Offer[]
  /** Fields that the draft with the needed offers still lacks, in this order. */
  missing: ('date' | 'from' | 'to')[]
  /** Why the line cannot be logged as one flight, even if nothing is missing. */
  problem?: LineProblem
}

export interface LineProblem {
  /** As in reasons.ts. */
  reason: 'no_such_day' | 'text_names_diversion' | 'text_names_several_flights'
  /** The words that cause the problem. */
  text: string
}

/** A meaning that the person chose from a part's alternatives; it applies as long as the same text is in that place. */
export interface Chosen extends Alternative {
  start: number
  text: string
}
