// Sources of flights and the records that their readers return. Readers are pure: bytes in, records out, all in one vocabulary.
// They look nothing up; texts and codes are resolved later (docs/decisions/021).
import type { FlightReason, Outcome, Seat, SeatClass } from '../../../domain/enums.ts'
import type { Price } from '../../../domain/flights/fields.ts'
import type { RecordedTrack } from '../../../domain/flights/track.ts'
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
} from '../../../domain/imports/imports.ts'
import type { PassFormat, PassUpdate } from '../../../domain/status/kept-pass.ts'
import type { ImportedTrip } from '../../../domain/trips/trip.ts'
import type { Content, ContentKind } from '../content/content.ts'

/** One record of a file. It must survive `postMessage`: plain data only. */
export interface SourceRecord {
  /** The number of its first line in the file, from 1; null if the format has no lines. */
  line: number | null
  /** For display: the cells of a table row, otherwise the text. */
  raw: readonly string[] | string
  /** Absent if nothing could be read. */
  flight?: SourceFlight
  /** Why it is not logged although it was understood. `flight` is what would be logged if it were included. */
  skip?: SkipCode
  /** Why it cannot be read. */
  error?: { code: RowErrorCode; value?: string }
  /** The columns of its table are uncertain, so the person must confirm them. `value` is `mappingKey(headings)`. */
  question?: { kind: 'column_mapping'; value: string }
  warnings?: ImportWarning[]
  /** All accounts of the file, on its first record, so that the importer's account is known for every record. */
  accounts?: readonly SourceAccount[]
  /** All trips of the file, on its first record. */
  trips?: readonly SourceTrip[]
  /** The key of its trip. */
  trip?: string
  /** Read from a text for people, so the person must confirm that it is a flight of theirs. */
  fromText?: true
  /** What a person keeps of a wallet pass; only if the request `keepsPasses`. */
  pass?: WalletPass
  /** Its date is ambiguous and has the likelier reading until `dateOrderKey` is answered. */
  dateOpen?: true
}

/** The bar code of a wallet pass and where the airline has its changes. Both open the booking. */
export interface WalletPass {
  code: { format: PassFormat; text: string; altText: string | null } | null
  update: PassUpdate | null
}

/** An airport, airline or aircraft type as written. */
export interface Named {
  /** As a person recognises it in the file. */
  text: string
  /** Every code in it, the most reliable first, found by `values/named.ts`. `of:` and an id is an OpenFlights airline. */
  codes: readonly string[]
  /** The text without its codes. */
  name: string | null
  /** The position of the airport, if known; it distinguishes airports of the same name. */
  point?: { lat: number; lon: number }
  /** On a boarding pass: codes of railway stations begin with Q, X or Z, and not all are known. */
  mayBeStation?: true
}

/** A date as written, until the order of day and month is decided for the whole file. */
export type SourceDate = { text: string; order?: ImportDateOrder } | ReadDate

export interface SourceTime {
  /** Null: the date of the flight; for an arrival, the day that fits best. */
  date: SourceDate | null
  /** HH:MM or HH:MM:SS; 24:00 is the next day. */
  clock: string
  /**
   * `local`: at the airport. `asked`: the source has either UTC or local times, and the person must say which. Otherwise an offset
   * (`+02:00`) or an IANA zone.
   */
  zone: 'local' | 'utc' | 'asked' | (string & {})
  /** Calendar days between departure and arrival, if the source has them. */
  dayShift?: number
  /** May mean an empty time. It counts only if departure, arrival and duration agree within 2 minutes. */
  doubtful?: true
  /** Written as UTC, but some senders mean local time. It is read as local if only that is plausible. */
  mayBeLocal?: true
  /** The whole date-time with its offset, if it must be stored exactly as written. */
  exact?: string
}

export interface SourcePerson {
  /** `self`: the owner of the file. `account`: a user of the instance that the file comes from. */
  who: { kind: 'self' } | { kind: 'named'; name: string } | SourceAccount
  seat?: Seat | null
  seatNumber?: string | null
  seatClass?: SeatClass | null
  flightReason?: FlightReason | null
  customFields?: Record<string, unknown>
}

export interface SourceAccount {
  kind: 'account'
  /** Its id in the file. If it is the importer's id, it means the importer. */
  key: string
  username: string | null
  /** The name for display. */
  name: string
}

/** A trip of our own export. */
export interface SourceTrip extends Pick<ImportedTrip, 'name' | 'note' | 'colour' | 'createdAt'> {
  /** Identifies the trip in the file. */
  key: string
  /** The owner of the trip; null if unknown. */
  owner: SourceAccount | null
}

/** The day of the year as written, and the date in the other likely year. */
export interface YearGuess {
  day: string
  yearsAfter: number
  otherDate: string
}

/** The facts of a record about a flight. Absent or null: unknown. */
export interface SourceFlight {
  /**
   * Our own export: values are stored unchanged. Numbers and registrations keep their spelling, the duration its value, and nothing
   * is derived, cleaned or rejected as implausible.
   */
  verbatim?: true
  /** A person typed local times, so they are read like those of any other file. */
  hasTypedClock?: true
  /** The local date at the origin; null if it follows from the departure. */
  date: SourceDate | null
  /** The year of `date` is a guess, as on a boarding pass. */
  yearGuess?: YearGuess | null
  from: Named | null
  to: Named | null
  /** The first and last point of a track, if no airport is named. */
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
  /** A time during the flight, which gives the day if the departure is not known. */
  recordedAt?: SourceTime | null
  /** As stated, in seconds. */
  duration?: number | null
  /** The precision in seconds; logbooks have tenths of hours. */
  durationStep?: number
  departureTerminal?: string | null
  departureGate?: string | null
  arrivalTerminal?: string | null
  arrivalGate?: string | null
  outcome?: Outcome
  /** The planned destination of a diverted flight; `to` is where it landed. */
  plannedTo?: Named | null
  bookingReference?: string | null
  operatingAirline?: Named | null
  operatingFlightNumber?: string | null
  price?: Price | null
  note?: string | null
  /** Values without a field, which become `Label: value` lines after the note, in this order. */
  extras?: readonly (readonly [label: string, value: string])[]
  /** All people on the flight. If absent, only the importer. */
  passengers?: readonly SourcePerson[]
  /** The importer is one of the named passengers. If no name matches, they must say which. */
  isImporterNamed?: true
  /**
   * All people on the ticket are named, and the importer need not be one of them. If no name can be theirs, it is another person's
   * flight, and only someone who may import flights for others gets a question about it.
   */
  areAllNamed?: true
  customFields?: Record<string, unknown>
  /** Its id at the source. */
  externalId?: string | null
  /** Ids at other systems, of our own export. */
  externalIds?: Record<string, string>
  /** In the API's form. From our own export it is unchanged and checked later. */
  track?: RecordedTrack | null
}

/** The facts that a reader has in addition to the file. */
export interface ReadContext {
  options: ImportOptions
  /** Confirmed by the person, now or earlier; for tables that match no source. */
  mapping: ImportMapping | null
  /** The server's day, YYYY-MM-DD: for years without a century and dates in the future. */
  today: string
  /** When the file or mail was written, otherwise when it was sent, YYYY-MM-DD: for dates without a year. */
  documentDate: string
  /** What the document date is, if not just the day of the upload: the date of a mail, or about the day of the flight. */
  documentDateOf?: 'mail' | 'flight' | undefined
  /** The document date from the person. It takes precedence over the metadata of a picture or a document. */
  saidDate?: string | undefined
  /** The person's preference, for ambiguous dates. */
  preferredOrder: ImportDateOrder | null
  filename: string
  /** Records of wallet passes have their bar codes. */
  keepsPasses?: true | undefined
  /** Reads nested content, such as an attachment of a mail, with the reader for its kind. */
  inner?(
    content: Content,
    dated: Pick<ReadContext, 'documentDate' | 'documentDateOf'>,
  ): { source: SourceId | null; records: Iterable<SourceRecord> }
}

/** How a source reads one kind of content. */
export interface ContentReader<Kind extends ContentKind = ContentKind> {
  kind: Kind
  /** Whether the content certainly belongs to this source. Sources are checked in the order of the registry. */
  matches(content: Extract<Content, { kind: Kind }>): boolean
  /** In the order of the file. Never throws because of the file: a bad record becomes a record with an error. */
  records(content: Extract<Content, { kind: Kind }>, context: ReadContext): Iterable<SourceRecord>
  /** For a table: the field of each column by index. The preview marks the columns that were used. */
  columns?(content: Extract<Content, { kind: Kind }>, context: ReadContext): (ColumnField | null)[]
  /** Replaces `columns` for contents without headings, such as the keys of JSON. */
  mapping?(content: Extract<Content, { kind: Kind }>, context: ReadContext): ImportMapping
}

export interface Source {
  id: SourceId
  /** The name that people know. */
  name: string
  /** Usual endings of its files, without the dot. */
  extensions: readonly string[]
  /** The file gives access to the booking, so it is deleted at the commit and not a month later. */
  opensBookings?: true
  /** Options that affect this source. */
  options?: readonly (keyof ImportOptions)[]
  readers: readonly ContentReader<never>[]
}

/** Declares a reader without losing the type of its content. */
export const reads = <Kind extends ContentKind>(reader: ContentReader<Kind>): ContentReader<never> =>
  reader as unknown as ContentReader<never>
