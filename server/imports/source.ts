// What a source of flights is, and what its reader makes of a file. Readers are pure: bytes in, records out, in one
// vocabulary. Nothing is looked up here; texts and codes are resolved later (docs/decisions/097).
import type { FlightReason, Outcome, Seat, SeatClass } from '../domain/enums.ts'
import type { Price } from '../domain/flight-fields.ts'
import type {
  ColumnField,
  ImportDateOrder,
  ImportMapping,
  ImportOptions,
  ImportWarning,
  ReadDate,
  RowErrorCode,
  SkipCode,
  SourceId,
} from '../domain/imports.ts'
import type { Language } from '../domain/languages.ts'
import type { RecordedTrack } from '../domain/track.ts'
import type { ImportedTrip } from '../domain/trip.ts'
import type { Content, ContentKind } from './content/content.ts'

/** One record of a file. It must survive `postMessage`: plain data only. */
export interface SourceRecord {
  /** Of its first line in the file, counted from 1; null where the format has no lines. */
  line: number | null
  /** For people to look at: the cells of a table, else the text. */
  raw: readonly string[] | string
  /** What it says; absent if nothing could be read. */
  flight?: SourceFlight
  /** Why it is no flight to log, although it was understood. `flight` says what it would be if it were included. */
  skip?: SkipCode
  /** Why it cannot be read. */
  error?: { code: RowErrorCode; value?: string }
  /** The columns of its table are not certain: the person must confirm what each holds. `value` is `mappingKey(headings)`. */
  question?: { kind: 'column_mapping'; value: string }
  warnings?: ImportWarning[]
  /** On the first record of a file with accounts: all of them, so that the importer's own is known for every record. */
  accounts?: readonly SourceAccount[]
  /** On the first record of a file with trips: all of them. */
  trips?: readonly SourceTrip[]
  /** The key of the trip that it is part of. */
  trip?: string
  /** Its date can be read in two ways and the file does not say which: it waits for `dateOrderKey`. It has the likelier one. */
  dateOpen?: true
}

/** An airport, airline or aircraft type as written. */
export interface Named {
  /** As a person would recognise it in the file. */
  text: string
  /** Every code in it, the most certain first: `values/named.ts` finds them. `of:` and an id: OpenFlights' airline. */
  codes: readonly string[]
  /** What is left without codes. */
  name: string | null
  /** Where the airport is, if the source says so: it settles between records of one name. */
  point?: { lat: number; lon: number }
  /** Of a boarding pass: codes of railway stations begin with Q, X or Z, and not all of them are known. */
  mayBeStation?: true
}

/** A date as written, until the order of day and month is decided for all of them together. */
export type SourceDate = { text: string; order?: ImportDateOrder } | ReadDate

export interface SourceTime {
  /** Null: the date of the flight, or for an arrival the day that fits best. */
  date: SourceDate | null
  /** HH:MM or HH:MM:SS; 24:00 is the next day. */
  clock: string
  /**
   * `local`: at the airport. `asked`: the source has UTC or local times and does not say which. Otherwise an offset (`+02:00`)
   * or an IANA zone.
   */
  zone: 'local' | 'utc' | 'asked' | (string & {})
  /** Days between departure and arrival by the calendar, where the source says it. */
  dayShift?: number
  /** The source writes the same for an empty time: it counts only if departure, arrival and duration agree within 2 minutes. */
  doubtful?: true
  /** It is written as UTC by a source of which some senders mean the airport's clock: taken so if only that is plausible. */
  mayBeLocal?: true
  /** The whole date-time with its offset, where it is to be stored exactly as the source writes it. */
  exact?: string
}

export interface SourcePerson {
  /** `self`: whose file it is. `account`: a user of the instance that the file comes from. */
  who: { kind: 'self' } | { kind: 'named'; name: string } | SourceAccount
  seat?: Seat | null
  seatNumber?: string | null
  seatClass?: SeatClass | null
  flightReason?: FlightReason | null
  customFields?: Record<string, unknown>
}

export interface SourceAccount {
  kind: 'account'
  /** Its id in the file. The importer's own id means the importer. */
  key: string
  username: string | null
  /** As it is shown to people. */
  name: string
}

/** A trip of our own export. */
export interface SourceTrip extends Pick<ImportedTrip, 'name' | 'note' | 'colour' | 'createdAt'> {
  /** Which trip of the file it is. */
  key: string
  /** Whose it is; null: the file does not say. */
  owner: SourceAccount | null
}

/** What a record says about a flight. Absent or null: it does not say. */
export interface SourceFlight {
  /**
   * Our own export: values are stored as they are. Numbers and registrations keep their spelling, the duration its value,
   * and nothing is derived, cleaned or judged implausible.
   */
  verbatim?: true
  /** A person typed an airport's clock: the times are read as those of any other file. */
  hasTypedClock?: true
  /** The local date at the origin; null: it follows from the departure. */
  date: SourceDate | null
  from: Named | null
  to: Named | null
  /** Of the first and last point of a track, where no airport is named. */
  fromPoint?: { lat: number; lon: number }
  toPoint?: { lat: number; lon: number }
  airline?: Named | null
  /** With or without the airline's code. */
  flightNumber?: string | null
  aircraft?: Named | null
  aircraftReg?: string | null
  departure?: SourceTime | null
  arrival?: SourceTime | null
  departureScheduled?: SourceTime | null
  arrivalScheduled?: SourceTime | null
  takeoffScheduled?: SourceTime | null
  takeoffActual?: SourceTime | null
  landingScheduled?: SourceTime | null
  landingActual?: SourceTime | null
  /** As stated, in seconds. */
  duration?: number | null
  /** What it is rounded to, in seconds: logbooks have tenths of hours. */
  durationStep?: number
  departureTerminal?: string | null
  departureGate?: string | null
  arrivalTerminal?: string | null
  arrivalGate?: string | null
  outcome?: Outcome
  /** Of a diverted flight; `to` is where it landed. */
  plannedTo?: Named | null
  bookingReference?: string | null
  operatingAirline?: Named | null
  operatingFlightNumber?: string | null
  price?: Price | null
  note?: string | null
  /** What no field can hold: `Label: value` lines after the note, in this order. */
  extras?: readonly (readonly [label: string, value: string])[]
  /** Everyone on it. Without this, the importer alone. */
  passengers?: readonly SourcePerson[]
  /** The importer is one of the named passengers: if no name is theirs, they are asked which. */
  isImporterNamed?: true
  /**
   * Everyone on the ticket is named, and the importer need not be among them: if no name can be theirs, it is the flight of
   * another, about whom those are asked who may bring in flights of others.
   */
  areAllNamed?: true
  customFields?: Record<string, unknown>
  /** Its id at the source. */
  externalId?: string | null
  /** Ids at other systems, of our own export. */
  externalIds?: Record<string, string>
  /** As the API takes it. Of a restored export it is as it was written there, and checked later. */
  track?: RecordedTrack | null
}

/** What a reader may know beside the file. */
export interface ReadContext {
  options: ImportOptions
  /** Confirmed or remembered by the person; for tables that no source claims. */
  mapping: ImportMapping | null
  /** Of the server, YYYY-MM-DD: years without a century, dates that would be in the future. */
  today: string
  /** When the file or the mail was written, YYYY-MM-DD, else when it was sent: years that it does not say. */
  documentDate: string
  /** What the person says it is: it counts before what a picture or a document says of itself. */
  saidDate?: string | undefined
  /** The person's preference, for dates that can be read in two ways. */
  preferredOrder: ImportDateOrder | null
  filename: string
  /** What the reader of its kind makes of a content within a content: an attachment of a mail. */
  inner?(content: Content, documentDate: string): { source: SourceId | null; records: Iterable<SourceRecord> }
}

/** How a source reads one kind of content. */
export interface ContentReader<Kind extends ContentKind = ContentKind> {
  kind: Kind
  /** Whether the content is certainly this source's. Sources are asked in the order of the registry. */
  matches(content: Extract<Content, { kind: Kind }>): boolean
  /** In the order of the file. Never throws for what is in the file: one bad record is one record with an error. */
  records(content: Extract<Content, { kind: Kind }>, context: ReadContext): Iterable<SourceRecord>
  /** Of a table: which field each column is, by its index. The preview marks what was used. */
  columns?(content: Extract<Content, { kind: Kind }>, context: ReadContext): (ColumnField | null)[]
  /** In place of `columns`, for contents without headings of their own: the keys of JSON are columns too. */
  mapping?(content: Extract<Content, { kind: Kind }>, context: ReadContext): ImportMapping
}

export interface Source {
  id: SourceId
  /** As people know it. */
  name: string
  /** Usual endings of its files, without the dot. */
  extensions: readonly string[]
  /** How to get the file, for people: two or three sentences. */
  howTo: Record<Language, string>
  /** Who has the file can open the booking: it is deleted with the commit, and not a month later. */
  opensBookings?: true
  /** Options that make a difference for it. */
  options?: readonly (keyof ImportOptions)[]
  readers: readonly ContentReader<never>[]
}

/** Declares a reader without losing the type of its content. */
export const reads = <Kind extends ContentKind>(reader: ContentReader<Kind>): ContentReader<never> =>
  reader as unknown as ContentReader<never>
