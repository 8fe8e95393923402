// Turns the values of one record into a flight, by the description of its source.
import type { FlightReason, Seat, SeatClass } from '../../../../domain/enums.ts'
import { timeFields } from '../../../../domain/flights/fields.ts'
import type { ImportWarning, SkipCode } from '../../../../domain/imports/imports.ts'
import type { SourceFlight, SourcePerson, SourceRecord, SourceTime } from '../../reading/source.ts'
import { aircraftNamed, airlineNamed, airportNamed } from '../../values/named.ts'
import { readReason, readSeat, readSeatClass, type Words } from '../../values/words.ts'
import { dateIn, durationIn, extrasOf, hasTime, joinedNumber, self, textIn, timeIn } from './cells.ts'

/** The text in a column, empty if the record has no such column. */
export type Cells<Key extends string> = (key: Key) => string

/** The content of a record. */
export type RowReading = Pick<SourceRecord, 'flight' | 'skip' | 'error'>

export interface Row<Key extends string> {
  cell: Cells<Key>
  warnings: ImportWarning[]
  /** The time in this text, in the zone of the source. */
  time(field: string, text: string): SourceTime | null
}

/** How a source writes a flight. */
export interface Description<Key extends string> {
  /**
   * The heading of each column, or several if versions of the source differ. Columns are read in this order, as their keys say
   * (`usual`); other keys are only for the functions below.
   */
  columns: Readonly<Record<Key, string | readonly string[]>>
  /** Columns that this source writes in its own way. */
  own?: Partial<Record<NoInfer<Key>, (text: string, row: Row<NoInfer<Key>>) => Partial<SourceFlight>>>
  /** Columns without a field, and the labels for their values. */
  extras?: Partial<Record<NoInfer<Key>, string>>
  /** Its words for seats, classes and reasons. */
  words?: { seat?: Words<Seat>; seatClass?: Words<SeatClass>; reason?: Words<FlightReason> }
  /** The zone of times without one; otherwise they are local. */
  zone?: SourceTime['zone']
  /** The unit of durations that are bare numbers; otherwise hours. */
  durationUnit?: 'minutes'
  /** Its marks for no value. */
  none?: RegExp
  /** A pilot's: columns `pic` and `sic` are times in these seats, `simulator` is time that was not flown. */
  isLogbook?: true
  /** The seat, if another column than `seat` decides it. */
  seat?(cell: Cells<NoInfer<Key>>): Seat | undefined
  /** People on board in addition to the owner of the file. */
  others?(cell: Cells<NoInfer<Key>>): SourcePerson[]
  /** Values that need the whole flight, or replace those of several columns. */
  more?(flight: SourceFlight, row: Row<NoInfer<Key>>): Partial<SourceFlight>
  /** Why the flight is not logged. */
  skip?(cell: Cells<NoInfer<Key>>, flight: SourceFlight): SkipCode | null
}

interface UsualRow extends Row<string> {
  source: Description<string>
}
type Usual = (text: string, row: UsualRow) => Partial<SourceFlight>

const textFields = [
  'flightNumber',
  'aircraftReg',
  'departureTerminal',
  'departureGate',
  'arrivalTerminal',
  'arrivalGate',
  'bookingReference',
  'note',
  'externalId',
] as const

/** The columns that are read in the same way for every source. */
const usual: Readonly<Record<string, Usual>> = {
  ...Object.fromEntries(
    textFields.map((field): [string, Usual] => [field, (text) => ({ [field]: textIn(text) })]),
  ),
  ...Object.fromEntries(
    timeFields.map((field): [string, Usual] => [field, (text, { time }) => ({ [field]: time(field, text) })]),
  ),
  date: (text) => ({ date: dateIn(text) }),
  from: (text) => ({ from: airportNamed(text) }),
  to: (text) => ({ to: airportNamed(text) }),
  airline: (text) => ({ airline: airlineNamed(text) }),
  carrier: (text) => ({ airline: airlineNamed(text) }),
  number: (text, { cell }) => ({ flightNumber: joinedNumber(cell('carrier'), text) }),
  aircraft: (text) => ({ aircraft: aircraftNamed(text) }),
  departureTime: (text, { time }) => ({ departure: time('departure', text) }),
  arrivalTime: (text, { time, cell }) => {
    const arrival = time('arrival', text)
    return { arrival: arrival && { ...arrival, date: arrival.date ?? dateIn(cell('arrivalDate')) } }
  },
  duration(text, { warnings, source: { durationUnit, isLogbook } }) {
    const duration = durationIn(text, durationUnit ?? 'hours', warnings)
    // Pilots round hours to tenths: `1.3`.
    const isRounded = isLogbook && duration !== null && /^\d+[.,]\d$/.test(text)
    return isRounded ? { duration, durationStep: TENTH_OF_HOUR } : { duration }
  },
}
const TENTH_OF_HOUR = 360

/** Prepares what is the same for all records of a source. */
export function flightReader<Key extends string>(
  described: Description<Key>,
): (written: Cells<Key>, warnings: ImportWarning[]) => RowReading {
  // Interpreted without the types of its keys.
  const source = described as unknown as Description<string>
  const { none, zone, own = {}, more, skip } = source
  const columns = Object.keys(source.columns).flatMap((key): [string, Usual][] => {
    const read = own[key] ?? usual[key]
    return read ? [[key, read]] : []
  })
  return (written, warnings) => {
    const given = written as Cells<string>
    const cell: Cells<string> = none ? (key) => given(key).replace(none, '') : given
    const time = (field: string, text: string) => timeIn(field, text, warnings, zone ? { zone } : {})
    const row = { cell, warnings, time, source }
    const flight: SourceFlight = Object.assign({}, ...columns.map(([key, read]) => read(cell(key), row)))
    if (source.extras) flight.extras = extrasIn(source.extras, cell)
    flight.passengers = [ownerIn(row), ...(source.others?.(cell) ?? [])]
    if (more) Object.assign(flight, more(flight, row))
    const code = skip?.(cell, flight) ?? (isSimulator(cell) ? 'simulator' : null)
    return code ? { flight, skip: code } : { flight }
  }
}

const extrasIn = (labels: Readonly<Partial<Record<string, string>>>, cell: Cells<string>) =>
  extrasOf(Object.fromEntries(Object.entries(labels).map(([key, label]) => [label!, cell(key)])))

const isSimulator = (cell: Cells<string>): boolean => hasTime(cell('simulator')) && !hasTime(cell('duration'))

/** The owner of a logbook was the pilot, unless there is only time as second in command. */
export const pilotSeat = (cell: Cells<'pic' | 'sic'>): Seat =>
  hasTime(cell('sic')) && !hasTime(cell('pic')) ? 'copilot' : 'pilot'

function ownerIn({
  cell,
  warnings,
  source: { columns, words = {}, isLogbook, seat },
}: UsualRow): SourcePerson {
  const known = isLogbook ? pilotSeat(cell) : seat?.(cell)
  return self({
    ...((known || 'seat' in columns) && { seat: known ?? readSeat(cell('seat'), warnings, words.seat) }),
    ...('seatNumber' in columns && { seatNumber: textIn(cell('seatNumber')) }),
    ...('seatClass' in columns && { seatClass: readSeatClass(cell('seatClass'), warnings, words.seatClass) }),
    ...('reason' in columns && { flightReason: readReason(cell('reason'), warnings, words.reason) }),
  })
}
