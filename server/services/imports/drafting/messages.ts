// The English texts of warnings and verdicts of rows. Programs read the codes; the web app has its own texts.
import type {
  ImportWarning,
  ImportWarningCode,
  QuestionKind,
  RowCode,
} from '../../../domain/imports/imports.ts'

/** The names of fields in texts. */
const fieldNames: Record<string, string> = {
  date: 'date',
  departure: 'departure time',
  arrival: 'arrival time',
  departureScheduled: 'scheduled departure',
  arrivalScheduled: 'scheduled arrival',
  takeoffScheduled: 'scheduled take-off',
  takeoffActual: 'take-off',
  landingScheduled: 'scheduled landing',
  landingActual: 'landing',
  duration: 'duration',
  fromId: 'departure airport',
  toId: 'arrival airport',
  plannedToId: 'planned destination',
  airlineId: 'airline',
  operatingAirlineId: 'operating airline',
  aircraftId: 'aircraft type',
  aircraftReg: 'registration',
  flightNumber: 'flight number',
  operatingFlightNumber: 'operating flight number',
  departureTerminal: 'departure terminal',
  departureGate: 'departure gate',
  arrivalTerminal: 'arrival terminal',
  arrivalGate: 'arrival gate',
  bookingReference: 'booking reference',
  externalIds: 'external ids',
  guestName: 'guest name',
  seat: 'seat',
  seatNumber: 'seat number',
  seatClass: 'class',
  flightReason: 'reason',
  note: 'note',
  outcome: 'outcome',
  price: 'price',
  track: 'track',
}

const nameOf = (field: string | null): string =>
  field === null ? 'row' : (fieldNames[field] ?? field.replace(/^customFields\./, 'custom field '))

const LONGEST_VALUE = 100
const quoted = (value: string): string =>
  `“${value.length > LONGEST_VALUE ? `${value.slice(0, LONGEST_VALUE)}…` : value}”`

/** `field` is the name of the field, `value` the quoted text of the file, or empty. */
type Sentence = (field: string, value: string, found: string | undefined) => string

const inBrackets = (value: string): string => (value === '' ? '' : ` (${value})`)

const oddities: Record<string, string> = {
  too_long: 'The flight would take more than 24 hours. Check the times.',
  too_fast: 'The average speed would be above 1,300 km/h. Check the times and the airports.',
  too_slow: 'The average speed would be below 60 km/h. Check the times and the airports.',
  too_early: 'The date is before 1910. Check the year.',
  far_future: 'The date is more than a year ahead. Check the year.',
}

const warningTexts: Record<ImportWarningCode, Sentence> = {
  arrival_from_duration: () => 'The arrival time was calculated from the departure and the duration.',
  duration_disagrees: () => 'The duration in the file does not match the times. The times were used.',
  local_time_missing: (field, value) =>
    `The clocks skipped the ${field}${inBrackets(value)} on that day. It was moved forward.`,
  local_time_ambiguous: (field, value) =>
    `The clocks showed the ${field}${inBrackets(value)} twice on that day. The earlier time was used.`,
  times_dropped: (field, value) =>
    `The ${field}${inBrackets(value)} does not match the date or the other times. The times were left out and the date was kept.`,
  floating_time: (field) => `The ${field} has no time zone. It was read as local time at the airport.`,
  airline_unknown: (field, value) =>
    `No single airline matches ${value || `the ${field}`}. The ${field} was left empty.`,
  airline_guessed: (field, value) => `The ${field} ${value} was matched by the beginning of its name.`,
  airline_disagrees: (field, value) =>
    `The code, the name and the flight number mean different airlines. Check the ${field}${inBrackets(value)}.`,
  airline_not_flying_then: (field, value) =>
    `The ${field} ${value} was not flying on that date. Check the airline and the date.`,
  code_changed_hands: (field, value) =>
    `The code of the ${field} ${value} passed to another holder in that period. The one that had it longer was used.`,
  aircraft_unknown: (_, value) =>
    `No single aircraft type matches ${value}. The aircraft type was left empty.`,
  value_not_understood: (field, value) =>
    `The value ${value || 'in the file'} is not a known ${field}. The ${field} was left empty.`,
  airport_by_name: (field, value, found) =>
    found ? `${value} was taken as ${found}.` : `The ${field} was found by its name, ${value}.`,
  airport_closed_then: (field, value) =>
    `The ${field} ${value} was not open on that date. Check the airport and the date.`,
  airport_moved: (field, value) =>
    `The code of the ${field}${inBrackets(value)} meant a different airport on that date than it does today. The airport of that date was used.`,
  diverted: () => 'The flight was diverted. Its arrival airport is where it landed.',
  recurring: () => 'The event repeats. Each occurrence is a separate row.',
  truncated: () => 'The record is cut off. The complete part was read.',
  bad_quoting: () =>
    'The quotes in this line are not balanced. Its cells were restored from the number of columns.',
  implausible: (_, value) =>
    oddities[value.replace(/[“”]/g, '')] ?? 'The flight is implausible. Check the row.',
  text_shortened: (field) => `The ${field} was too long and was shortened.`,
  text_cleaned: (field) => `Characters that cannot be stored were removed from the ${field}.`,
  not_confirmed: () => 'The booking is not confirmed. It is on hold, pending or tentative, or has no status.',
  year_assumed: (_, value) =>
    `The boarding pass does not say its year. The latest possible one was assumed; the other is ${value}.`,
}

/** `found`: the record that was chosen for the field, in words. */
export const warningMessage = ({ code, field, value }: ImportWarning, found?: string): string =>
  warningTexts[code](nameOf(field), value === undefined ? '' : quoted(value), found)

const questionTexts: Record<QuestionKind, string> = {
  unknown_airport: 'No airport has this code or name. Choose the right airport.',
  ambiguous_airport: 'Several airports have this code or name. Choose the right one.',
  missing_airport: 'The file has no airport here. Choose one, or leave the row out.',
  date_ambiguous: 'The dates can be read with the day or the month first. Choose one.',
  times_zone: 'The file does not say whether its times are UTC or local. Choose one.',
  which_user: 'Choose who this passenger is.',
  unknown_custom_field:
    'There is no custom field with this key. Choose one, create it, or leave its values out.',
  column_mapping: 'Confirm what each column of the table contains.',
  unknown_aircraft: 'No single aircraft type has this code or name. Choose one, or leave the field empty.',
  unknown_airline: 'No single airline has this code or name. Choose one, or leave the field empty.',
  from_text: 'A text names this flight. Say whether it is one of yours, or leave it out.',
  year_assumed: 'These boarding passes do not say their year. Choose it, or leave the one that was assumed.',
}

const rowTexts: Record<Exclude<RowCode, QuestionKind>, string> = {
  cancelled: 'The flight was cancelled.',
  not_mine: 'You are not on this flight.',
  not_a_flight: 'This is not a flight.',
  hidden: 'The flight is hidden in the source.',
  simulator: 'This is a simulator session.',
  excluded: 'The row was left out.',
  duplicate_in_log: 'The flight is already in your log.',
  duplicate_in_file: 'The flight is in the file twice.',
  superseded: 'A later row of the file replaces this one.',
  similar_in_log: 'Your log has a flight that may be the same.',
  similar_in_file: 'Another row of the file may be the same flight.',
  bad_date: 'The date cannot be read.',
  unreadable_row: 'The row cannot be read.',
  unreadable_file: 'The file cannot be read.',
  not_a_boarding_pass: 'This is not a boarding pass.',
  not_a_table: 'This is text, not a table. If it is a booking, forward the e-mail or save it as .eml.',
  too_large: 'This is too large to read.',
}

/** Why a row has its verdict, and what to do about it. */
export const rowMessage = (code: RowCode): string => ({ ...rowTexts, ...questionTexts })[code]
