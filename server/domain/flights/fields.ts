// The fields of a flight and of a passenger, each declared once. Columns, select lists, input and output schemas, the
// view, exports, the legacy shape, the bin and the web form's draft are derived from these tables
// (docs/decisions/003). No I/O.

import { datePrecisions, flightReasons, outcomes, seatClasses, seats } from '../enums.ts'
import { pick } from '../pick.ts'
import type { PlainReason } from '../reasons.ts'

/** Descriptions for the API reference: of the field in responses, and in requests. */
interface Described {
  shown?: string
  given?: string
  /** Older programs omit the field: a replacement then keeps the stored value, and null clears it. */
  absentKeeps?: true
}
interface Text extends Described {
  kind: 'text'
  /** Most characters. The legacy API may accept fewer. */
  most: number
  legacyMost?: number
}
interface Choice extends Described {
  kind: 'choice'
  choices: readonly string[]
  /** The value if a request has none. */
  usual: string | null
}
interface Reference extends Described {
  kind: 'reference'
  to: 'airports' | 'airlines' | 'aircraft'
  /** The member under which the record itself is returned. */
  shownAs: string
  /** The reason for refusing an unknown id. */
  unknown: PlainReason
  required: boolean
}
export type FlightField =
  | (Described & { kind: 'date' })
  /** A date-time, local to the airport at this end. */
  | (Described & { kind: 'time'; end: 'from' | 'to' })
  | (Described & { kind: 'seconds' })
  /** An amount and its currency, stored in two columns. */
  | (Described & { kind: 'price' })
  | Text
  | Choice
  | Reference
export type PassengerField =
  | (Described & { kind: 'user' })
  | (Described & { kind: 'guest'; most: number; legacyMost: number })
  | Text
  | Choice

const precisionRule =
  'Precision of the date. For month and year, use the first day of the period as the date.'

/** In the order of the API. If another format has its own order, fields that it does not list come last. */
export const flightFields = {
  date: { kind: 'date', shown: 'Local date at departure.', given: 'Local date at departure.' },
  datePrecision: {
    kind: 'choice',
    choices: datePrecisions,
    usual: 'day',
    shown: precisionRule,
    given: precisionRule,
  },
  departure: {
    kind: 'time',
    end: 'from',
    shown: 'Date-times are returned exactly as they were sent.',
    given: 'ISO 8601 with UTC offset.',
  },
  arrival: { kind: 'time', end: 'to' },
  departureScheduled: { kind: 'time', end: 'from' },
  arrivalScheduled: { kind: 'time', end: 'to' },
  takeoffScheduled: { kind: 'time', end: 'from' },
  takeoffActual: { kind: 'time', end: 'from' },
  landingScheduled: { kind: 'time', end: 'to' },
  landingActual: { kind: 'time', end: 'to' },
  duration: {
    kind: 'seconds',
    shown: 'Seconds.',
    given: 'Seconds. Defaults to the time between departure and arrival if both are known.',
  },
  departureTerminal: { kind: 'text', most: 500, legacyMost: 10 },
  departureGate: { kind: 'text', most: 500, legacyMost: 10 },
  arrivalTerminal: { kind: 'text', most: 500, legacyMost: 10 },
  arrivalGate: { kind: 'text', most: 500, legacyMost: 10 },
  flightNumber: { kind: 'text', most: 500, legacyMost: 10 },
  aircraftReg: { kind: 'text', most: 500, legacyMost: 10 },
  note: { kind: 'text', most: 10_000, legacyMost: 1000 },
  outcome: {
    kind: 'choice',
    choices: outcomes,
    usual: 'flown',
    absentKeeps: true,
    shown: 'A cancelled flight counts nowhere; a diverted one counts with the airport it landed at (`to`).',
    given: 'Defaults to flown on a new flight. If omitted on an update: no change.',
  },
  bookingReference: { kind: 'text', most: 20, absentKeeps: true },
  operatingFlightNumber: {
    kind: 'text',
    most: 500,
    legacyMost: 10,
    absentKeeps: true,
    given: 'Of the operating airline, if another one sold the flight.',
  },
  price: { kind: 'price', absentKeeps: true },
  fromId: {
    kind: 'reference',
    to: 'airports',
    shownAs: 'from',
    unknown: 'no_such_departure_airport',
    required: true,
    given: 'Airport id, from the airport search.',
  },
  toId: {
    kind: 'reference',
    to: 'airports',
    shownAs: 'to',
    unknown: 'no_such_arrival_airport',
    required: true,
  },
  aircraftId: {
    kind: 'reference',
    to: 'aircraft',
    shownAs: 'aircraft',
    unknown: 'no_such_aircraft',
    required: false,
  },
  airlineId: {
    kind: 'reference',
    to: 'airlines',
    shownAs: 'airline',
    unknown: 'no_such_airline',
    required: false,
  },
  plannedToId: {
    kind: 'reference',
    to: 'airports',
    shownAs: 'plannedTo',
    unknown: 'no_such_planned_airport',
    required: false,
    absentKeeps: true,
    given: 'Planned destination of a diverted flight.',
  },
  operatingAirlineId: {
    kind: 'reference',
    to: 'airlines',
    shownAs: 'operatingAirline',
    unknown: 'no_such_operating_airline',
    required: false,
    absentKeeps: true,
    given: 'If another airline sold the flight.',
  },
} as const satisfies Record<string, FlightField>

export const passengerFields = {
  userId: { kind: 'user' },
  guestName: { kind: 'guest', most: 100, legacyMost: 50 },
  seat: { kind: 'choice', choices: seats, usual: null },
  seatNumber: { kind: 'text', most: 20, legacyMost: 5 },
  seatClass: { kind: 'choice', choices: seatClasses, usual: null },
  flightReason: { kind: 'choice', choices: flightReasons, usual: null },
} as const satisfies Record<string, PassengerField>

// Types

export type FlightTable = typeof flightFields
type PassengerTable = typeof passengerFields
type FlightFieldName = keyof FlightTable
type PassengerFieldName = keyof PassengerTable

export interface Price {
  /** A decimal number: `1234.50`. */
  amount: string
  /** ISO 4217. */
  currency: string
}

export type ValueOf<Field> = Field extends { kind: 'date' }
  ? string
  : Field extends { choices: readonly (infer Value)[]; usual: infer Usual }
    ? Value | Extract<Usual, null>
    : Field extends { kind: 'price' }
      ? Price | null
      : Field extends { kind: 'seconds' | 'reference' }
        ? number | null
        : string | null

/** The values of a flight. */
export type FlightFields = { -readonly [Name in FlightFieldName]: ValueOf<FlightTable[Name]> }
export type PassengerFields = { -readonly [Name in PassengerFieldName]: ValueOf<PassengerTable[Name]> }

type NamesOf<Table, Kind> = {
  [Name in keyof Table]: Table[Name] extends { kind: Kind } ? Name : never
}[keyof Table]
export type TimeField = NamesOf<FlightTable, 'time'>
export type TextField = NamesOf<FlightTable, 'text'>
export type ReferenceField = NamesOf<FlightTable, 'reference'>
export type KeptField = {
  [Name in FlightFieldName]: FlightTable[Name] extends { absentKeeps: true } ? Name : never
}[FlightFieldName]
/** Every field that is returned as stored; a reference is returned as the record. */
export type PlainField = Exclude<FlightFieldName, ReferenceField>

// Names

export const flightFieldNames = Object.keys(flightFields) as FlightFieldName[]
export const passengerFieldNames = Object.keys(passengerFields) as PassengerFieldName[]

const flightFieldsOf = <Kind extends FlightField['kind']>(kind: Kind) =>
  flightFieldNames.filter((name) => flightFields[name].kind === kind) as NamesOf<FlightTable, Kind>[]

export const timeFields = flightFieldsOf('time')
export const textFields = flightFieldsOf('text')
export const choiceFields = flightFieldsOf('choice')
export const referenceFields = flightFieldsOf('reference')
/** Fields that keep the stored value if a request omits them. */
export const keptFields = flightFieldNames.filter(
  (name): name is KeptField => 'absentKeeps' in flightFields[name],
)
export const plainFields = flightFieldNames.filter(
  (name): name is PlainField => flightFields[name].kind !== 'reference',
)
export const airportFields = referenceFields.filter((name) => flightFields[name].to === 'airports')
export const airlineFields = referenceFields.filter((name) => flightFields[name].to === 'airlines')
export const aircraftFields = referenceFields.filter((name) => flightFields[name].to === 'aircraft')

/** All names, those in `first` first and in that order. */
export const inOrder = <Name extends string>(names: readonly Name[], first: readonly Name[]): Name[] => [
  ...first,
  ...names.filter((name) => !first.includes(name)),
]

/** The order in which the API returns the records of a flight. */
export const shownReferences = inOrder(referenceFields, ['fromId', 'toId', 'airlineId'])

// Values

/** A value for each of these names. */
export const eachOf = <Name extends string, Value>(
  names: readonly Name[],
  make: (name: Name) => Value,
): Record<Name, Value> => Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Value>

/** A flight with only a date. */
export const nothingKnown = Object.fromEntries(
  flightFieldNames.flatMap((name) => {
    const field: FlightField = flightFields[name]
    return field.kind === 'date' ? [] : [[name, field.kind === 'choice' ? field.usual : null]]
  }),
) as Omit<FlightFields, 'date'>

// Columns: each field has one with its own name, except a price, which has two.

export type FlightColumns = Omit<FlightFields, 'price'> & {
  priceAmount: string | null
  priceCurrency: string | null
}

export const flightColumnNames = flightFieldNames.flatMap((name): (keyof FlightColumns)[] =>
  name === 'price' ? ['priceAmount', 'priceCurrency'] : [name],
)

export function toFlightColumns({ price, ...fields }: FlightFields): FlightColumns {
  return { ...fields, priceAmount: price?.amount ?? null, priceCurrency: price?.currency ?? null }
}

const priceOf = ({
  priceAmount,
  priceCurrency,
}: Pick<FlightColumns, 'priceAmount' | 'priceCurrency'>): Price | null =>
  priceAmount === null || priceCurrency === null ? null : { amount: priceAmount, currency: priceCurrency }

export function fromFlightColumns(columns: FlightColumns): FlightFields {
  const fields: FlightFields = pick(columns as FlightColumns & FlightFields, flightFieldNames)
  fields.price = priceOf(columns)
  return fields
}
