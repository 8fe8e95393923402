// One line of text that describes a flight: what is known before it is read, and what it was understood as. The web app reads
// while a person types, the server reads `text` of `POST /flights/log`; both with the same functions and the same data.
import type { FlightReason, Outcome, Seat, SeatClass } from '../enums.ts'
import type { NamedPerson } from '../people-names.ts'
import type { DateOrder } from '../typed-date.ts'

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
  /** 0 to 100, by the airlines' service; 101 of one that was added here, which comes first. */
  size: number
  /** The city's and the airport's other names, folded as `searchFold` does. */
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

/** A code that one record had on some days only: `[code, index of the record, first day, last day]`, null is unlimited. */
export type LinePeriod = [code: string, index: number, from: string | null, to: string | null]

/**
 * The file that the web app loads once and keeps (`GET /app/api/line-data`), the same for everyone. One list per field, joined
 * and shortened so that it stays small; `openLineData` reads it.
 */
export interface LineData {
  zones: string[]
  airports: {
    /** Each as the difference to the one before, as are the coordinates. */
    id: number[]
    /** Three characters each, `---` for none. */
    iata: string
    /** Separated by blanks. */
    icao: string
    /** Separated by `|`, as all texts; `*` is the city, `^` “Airport”, `~` “International Airport”. */
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
    /** Other names, folded: by `|`, those of one airport by `;`. */
    names: string
    /** What codes meant when. A code that is here means nothing else. */
    periods: LinePeriod[]
    /** Codes of cities (LON) and the airports there, the most important first. */
    cities: LinePeriod[]
  }
  airlines: {
    id: number[]
    iata: string
    icao: string
    name: string
    /** Short names of well-known ones, folded. */
    names: string
    size: number[]
    periods: LinePeriod[]
  }
  aircraft: { id: number[]; icao: string; iata: string; name: string; names: string; size: number[] }
}

/** A flight of the person's own log, as the web app's compact log has it; times are local. */
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
  /** Days from the local date of departure to that of arrival. */
  dayShift: number | null
  /** The person's own seat. */
  seat: Seat | null
  seatNumber: string | null
  seatClass: SeatClass | null
  reason: FlightReason | null
}

/** Someone who may be on board: with an account here (`userId`), or a guest of earlier flights. */
export type LinePerson = NamedPerson

export interface LineCalendar {
  /** The person's own calendar day. */
  today: string
  order: DateOrder
  /** The day, month or year that is given beside the line: it counts, whatever the line says. */
  given?: { date: string; datePrecision?: 'month' | 'year' } | undefined
}

// What was understood

export const partKinds = [
  'flight',
  'date',
  'time',
  'from',
  'to',
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
  /** Not understood: it is kept in the note. */
  'note',
] as const
export type PartKind = (typeof partKinds)[number]

/** One word or several and what they mean. Parts never overlap, are in the order of the text and leave out only blanks. */
export interface LinePart {
  start: number
  /** The first character after it. */
  end: number
  kind: PartKind
  /** As it was typed. */
  text: string
  /** What it sets in the draft; nothing for joints. */
  sets: LineDraft
  /** The other things that it can mean, the likeliest first. `readLine` takes one of them as `chosen`. */
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
  /** Days after the departure, as typed (`+1`); null if none was. */
  dayShift: number | null
}

/** What is certain from the words that were typed; only what is known is there. */
export interface LineDraft {
  /** The first day of a month or year that is known no closer. */
  date?: string
  /** Only where the day is not known. */
  datePrecision?: 'month' | 'year'
  /** In canonical spelling: `SK909`. */
  flightNumber?: string
  airlineId?: number
  fromId?: number
  toId?: number
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

/** Not typed, known from the log: shown dashed, and in no draft until it is taken. */
export interface Offer {
  kind: OfferKind
  sets: LineDraft
  /** Why: the last flight like this one, how often, or that the person is at home there. */
  because: { kind: 'number' | 'route' | 'usual' | 'home'; date: string | null; times: number }
  /** The flight cannot be saved without it (the route of a number): it is saved with the line, as the server does. */
  isNeeded: boolean
}

export interface LineReading {
  parts: LinePart[]
  draft: LineDraft
  offers: Offer[]
  /** What the draft with the needed offers lacks before it can be saved, in this order. */
  missing: ('date' | 'from' | 'to')[]
  /** Why the line cannot be one flight, although nothing may be missing. */
  problem?: LineProblem
}

export interface LineProblem {
  /** As in reasons.ts. */
  reason: 'no_such_day' | 'text_names_diversion' | 'text_names_several_flights'
  /** The words that it is about. */
  text: string
}

/** A meaning that the person chose from a part's alternatives; it counts as long as the same text stands there. */
export interface Chosen extends Alternative {
  start: number
  text: string
}
