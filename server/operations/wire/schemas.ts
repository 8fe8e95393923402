// The shapes on the wire, each declared once: validation, the OpenAPI document, MCP tools and the web client's types
// come from here. Descriptions are product copy.
import * as z from 'zod'
import { because } from '../../base/request/validation.ts'
import {
  aircraftClasses,
  airportTypes,
  continents,
  datePrecisions,
  flightReasons,
  flightScopes,
  seatClasses,
  seats,
  trackFormats,
} from '../../domain/enums.ts'
import {
  type FlightField,
  type FlightTable,
  flightFields,
  type PassengerField,
  type PlainField,
  passengerFields,
  plainFields,
  type ReferenceField,
  referenceFields,
  shownReferences,
  type ValueOf,
} from '../../domain/flights/fields.ts'
import { isAmount, isCurrency } from '../../domain/flights/price.ts'
import {
  EXTERNAL_IDS_AT_MOST,
  EXTERNAL_SOURCE,
  EXTERNAL_VALUE,
  TRACK_POINTS_AT_MOST,
} from '../../domain/limits.ts'
import { RowId } from '../../domain/row-id.ts'
import { isCalendarDate, isDateTime } from '../../domain/time/time.ts'
import { MAX_ID } from '../../store/engine/codecs.ts'

/** `{ "data": … }` */
export const single = <Item extends z.ZodType>(item: Item) => z.object({ data: item })

/** `{ "data": […], "page": { "nextCursor": … } }` */
export const list = <Item extends z.ZodType>(item: Item) =>
  z.object({
    data: z.array(item),
    page: z.object({
      nextCursor: z
        .string()
        .nullable()
        .describe('Pass it as `cursor` to get the next page; null on the last page.'),
    }),
  })
export const onePage = <Item>(data: Item[]) => ({ data, page: { nextCursor: null } })

/** Something the caller should know or tell the person, although the request succeeded. */
export const Warning = z
  .object({ code: z.string(), message: z.string().describe('A sentence for the person.') })
  .meta({ id: 'Warning' })
export type Warning = z.output<typeof Warning>

/** No body. */
export const nothing = z.void()

/** A positive integer in a path. One that no row can have becomes 0, which is not found. */
export const PathId = z
  .string(because('id_not_positive'))
  .regex(/^[1-9]\d*$/, because('id_not_positive'))
  .transform((text) => (Number(text) > MAX_ID ? 0 : Number(text)))
  .meta({ type: 'integer', format: 'int64', minimum: 1, example: 42 })
export const pathId = z.object({ id: PathId })

/** The id of a user or a role. Text that cannot be an id becomes empty, which is no record's id. */
export const TextId = z
  .string()
  .transform((text) => (/^[a-z0-9-]{1,40}$/.test(text) ? text : ''))
  .meta({ type: 'string', example: 'role-user' })
/** Without the example, which is a role's: users have such ids too. */
export const textId = z.object({ id: TextId.meta({ type: 'string', example: undefined }) })

export const CalendarDate = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, { error: because('not_a_date'), abort: true })
  .refine(isCalendarDate, because('no_such_day'))
  .meta({ format: 'date', example: '2026-02-20' })

export const DateTime = z
  .stringFormat('datetime', isDateTime, { error: because('not_a_date_time'), abort: true })
  .meta({ format: 'date-time', example: '2026-02-20T09:05:00+01:00' })

export const timestamp = (description: string) =>
  z.string().describe(description).meta({ format: 'date-time' })

/** Null if it is missing or empty. */
export const ShortDescription = z
  .string()
  .trim()
  .max(200)
  .nullable()
  .default(null)
  .transform((text) => text || null)

export const AirportType = z.enum(airportTypes)
export const Continent = z.enum(continents)

export const Airport = z
  .object({
    id: RowId,
    icao: z.string().describe('ICAO code, or a local identifier if the airport has none.'),
    iata: z.string().nullable(),
    name: z.string(),
    municipality: z.string().nullable(),
    latitude: z.number(),
    longitude: z.number(),
    timezone: z.string().describe('IANA time zone.'),
    type: AirportType,
    continent: Continent,
    country: z.string().describe('ISO 3166-1 alpha-2, or XK.'),
    custom: z.boolean().describe('Added on this instance.'),
    formerCodes: z.array(z.string()).optional().describe('Former codes of a closed airport, if any.'),
  })
  .meta({
    id: 'Airport',
    example: {
      id: 2542,
      icao: 'EKCH',
      iata: 'CPH',
      name: 'Copenhagen Kastrup Airport',
      municipality: 'Copenhagen',
      latitude: 55.6179,
      longitude: 12.656,
      timezone: 'Europe/Copenhagen',
      type: 'large_airport',
      continent: 'EU',
      country: 'DK',
      custom: false,
    },
  })

export const Airline = z
  .object({
    id: RowId,
    name: z.string(),
    icao: z.string().nullable(),
    iata: z.string().nullable(),
    iconPath: z.string().nullable().describe('Path of the icon under /api/uploads/.'),
    active: z.boolean().describe('Still operating. Codes are reassigned, so two airlines may share one.'),
    from: z.string().nullable().describe('When it began to fly: a year or a day. Null if unknown.'),
    to: z
      .string()
      .nullable()
      .describe('When it last flew: a year or a day. Null if unknown or still flying.'),
    successorId: RowId.nullable().describe('The airline that took over its code or its flights.'),
  })
  .meta({
    id: 'Airline',
    example: {
      id: 4319,
      name: 'SAS Scandinavian Airlines',
      icao: 'SAS',
      iata: 'SK',
      iconPath: null,
      active: true,
      from: '1946-08-01',
      to: null,
      successorId: null,
    },
  })

export const Aircraft = z
  .object({
    id: RowId,
    name: z.string(),
    icao: z.string().nullable(),
    class: z
      .enum(aircraftClasses)
      .nullable()
      .describe('Decides how long a flight is estimated to take; null if unknown, which counts as a jet.'),
  })
  .meta({ id: 'Aircraft', example: { id: 22, name: 'Airbus A320neo', icao: 'A20N', class: 'jet' } })

export const DatePrecision = z.enum(datePrecisions).describe(flightFields.datePrecision.given)
export const Seat = z.enum(seats)
export const SeatClass = z.enum(seatClasses)
export const FlightReason = z.enum(flightReasons)

const CustomValues = z
  .record(z.string(), z.unknown())
  .describe('Values of custom fields by key. null, "" and [] delete a value; an omitted key keeps it.')
const ShownValues = z.record(z.string(), z.unknown()).describe('Values of custom fields by key.')

const Price = z
  .object({
    amount: z.string().refine(isAmount, because('not_an_amount')).describe('A decimal number.'),
    currency: z.string().refine(isCurrency, because('not_a_currency')).describe('ISO 4217.'),
  })
  .meta({ id: 'Price', example: { amount: '129.90', currency: 'EUR' } })

// Fields in responses

type ChoiceOf<Choices extends readonly string[], Usual> = Usual extends null
  ? z.ZodNullable<z.ZodEnum<{ [Value in Choices[number]]: Value }>>
  : z.ZodEnum<{ [Value in Choices[number]]: Value }>

const described = <Schema extends z.ZodType>(schema: Schema, text: string | undefined): Schema =>
  text === undefined ? schema : schema.describe(text)

const shownKinds = {
  date: () => z.string(),
  time: () => DateTime.nullable(),
  seconds: () => z.int().nullable(),
  price: () => Price.nullable(),
  text: () => z.string().nullable(),
  guest: () => z.string().nullable(),
}
type Shown<Field> = Field extends { choices: infer Choices extends readonly string[]; usual: infer Usual }
  ? ChoiceOf<Choices, Usual>
  : Field extends { kind: infer Kind extends keyof typeof shownKinds }
    ? ReturnType<(typeof shownKinds)[Kind]>
    : never

const choiceOf = ({ choices, usual }: Extract<FlightField, { kind: 'choice' }>): z.ZodType<string | null> =>
  usual === null ? z.enum(choices).nullable() : z.enum(choices)

function shownSchema(
  field: Exclude<FlightField | PassengerField, { kind: 'reference' | 'user' }>,
): z.ZodType {
  if (field.kind === 'choice') return described(choiceOf(field), field.shown)
  const schema = described<z.ZodType>(shownKinds[field.kind](), field.shown)
  return field.kind === 'date' ? schema.meta({ format: 'date' }) : schema
}

const recordSchemas = { airports: Airport, airlines: Airline, aircraft: Aircraft }

const shownFlightShape = Object.fromEntries([
  ...plainFields.map((name) => [name, shownSchema(flightFields[name])]),
  ...shownReferences.map((name) => [
    flightFields[name].shownAs,
    recordSchemas[flightFields[name].to].nullable(),
  ]),
]) as { [Name in PlainField]: Shown<FlightTable[Name]> } & {
  [Name in ReferenceField as FlightTable[Name]['shownAs']]: z.ZodNullable<
    (typeof recordSchemas)[FlightTable[Name]['to']]
  >
}

const { userId: _shownAsUser, ...ownPassengerFields } = passengerFields
const shownPassengerShape = Object.fromEntries(
  Object.entries(ownPassengerFields).map(([name, field]) => [name, shownSchema(field)]),
) as { [Name in keyof typeof ownPassengerFields]: Shown<(typeof ownPassengerFields)[Name]> }

export const Passenger = z
  .object({
    id: RowId,
    user: z
      .object({ id: z.string(), displayName: z.string(), username: z.string() })
      .nullable()
      .describe('null for a guest.'),
    ...shownPassengerShape,
    customFields: ShownValues,
  })
  .meta({ id: 'Passenger' })

const TrackSummary = z
  .object({
    pointCount: z.int(),
    updatedAt: timestamp('When the track was last stored.'),
    sourceFormat: z.string(),
    sourceName: z.string().nullable(),
  })
  .meta({ id: 'TrackSummary' })

export const Flight = z
  .object({
    id: RowId,
    ...shownFlightShape,
    passengers: z.array(Passenger),
    track: TrackSummary.nullable().describe(
      'Whether a recorded track exists; read its points with get-flight-track.',
    ),
    customFields: ShownValues,
    distanceKm: z.number().nullable().describe('Shortest path between the airports on the WGS84 ellipsoid.'),
    createdAt: timestamp('When the flight was logged.'),
    updatedAt: timestamp('When the flight was last changed.'),
    version: z.int().describe('Rises with every change of the flight.'),
    importId: RowId.nullable().describe('The import that created the flight. Set by the server alone.'),
    externalIds: z
      .record(z.string(), z.string())
      .describe('The ids that you gave this flight, by source. Other people do not see them.'),
  })
  .meta({ id: 'Flight' })

// Requests accept what responses contain

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The id of a record as returned. A record without an id is passed on and rejected. */
const shownId = (shown: unknown): unknown => (isRecord(shown) ? (shown['id'] ?? shown) : null)

/** A returned record is used if its id is not given separately. */
export function fromShownFlight(given: unknown): unknown {
  if (!isRecord(given)) return given
  const { track, ...sent } = given
  for (const name of referenceFields) {
    const shown = given[flightFields[name].shownAs]
    if (given[name] === undefined && (shown === null || isRecord(shown))) sent[name] = shownId(shown)
  }
  return track === undefined || isTrackSummary(track) ? sent : { ...sent, track }
}

/** A flight only shows that it has a track: sending this back changes nothing. */
const isTrackSummary = (track: unknown): boolean =>
  isRecord(track) && track['coordinates'] === undefined && track['pointCount'] !== undefined

function fromShownPassenger(given: unknown): unknown {
  if (!isRecord(given) || given['userId'] !== undefined) return given
  const { user } = given
  return user === null || isRecord(user) ? { ...given, userId: shownId(user) } : given
}

// Fields in requests

const givenKinds = {
  date: () => CalendarDate,
  time: () => DateTime.nullable().default(null),
  seconds: () => z.int().nonnegative().nullable().default(null),
  price: () => Price.nullable().default(null),
  text: ({ most }: { most: number }) => z.string().max(most).nullable().default(null),
  user: () => z.string().min(1).nullable().default(null),
  guest: ({ most }: { most: number }) => z.string().trim().min(1).max(most).nullable().default(null),
}
const optionalRecordId = RowId.nullable().default(null)

/** If absent, the stored value is kept; null resets the field to its empty value. */
type Kept<Field> = z.ZodOptional<z.ZodNullable<z.ZodType<NonNullable<ValueOf<Field>>>>>

type Given<Field> = Field extends { absentKeeps: true } ? Kept<Field> : GivenAlways<Field>
type GivenAlways<Field> = Field extends {
  choices: infer Choices extends readonly string[]
  usual: infer Usual
}
  ? z.ZodDefault<ChoiceOf<Choices, Usual>>
  : Field extends { kind: 'reference'; required: infer Required }
    ? Required extends true
      ? typeof RowId
      : typeof optionalRecordId
    : Field extends { kind: infer Kind extends keyof typeof givenKinds }
      ? ReturnType<(typeof givenKinds)[Kind]>
      : never

function givenSchema(field: FlightField | PassengerField): z.ZodType {
  if (field.absentKeeps) return described(keptKindOf(field).nullable().optional(), field.given)
  if (field.kind === 'choice') return described(choiceOf(field), field.given).default(field.usual)
  return described(givenKindOf(field), field.given)
}

function keptKindOf(field: FlightField | PassengerField): z.ZodType {
  if (field.kind === 'choice') return z.enum(field.choices)
  if (field.kind === 'text') return z.string().max(field.most)
  if (field.kind === 'reference') return RowId
  if (field.kind === 'price') return Price
  throw new Error(`no support for keeping the value of a field of the kind ${field.kind}`)
}

function givenKindOf(field: Exclude<FlightField | PassengerField, { kind: 'choice' }>): z.ZodType {
  if (field.kind === 'reference') return field.required ? RowId : optionalRecordId
  return field.kind === 'text' || field.kind === 'guest'
    ? givenKinds[field.kind](field)
    : givenKinds[field.kind]()
}

type GivenShape<Table> = { -readonly [Name in keyof Table]: Given<Table[Name]> }
const givenShape = <Table extends Record<string, FlightField | PassengerField>>(table: Table) =>
  Object.fromEntries(
    Object.entries(table).map(([name, field]) => [name, givenSchema(field)]),
  ) as GivenShape<Table>

/** The members of a passenger in requests. */
export const passengerInputShape = {
  id: RowId.optional().describe(
    'On an update: the id of the passenger record. If omitted, matched by user or name.',
  ),
  ...givenShape(passengerFields),
  customFields: CustomValues.optional(),
}

export const PassengerInput = z.preprocess(
  fromShownPassenger,
  z
    .object(passengerInputShape)
    .refine((passenger) => Boolean(passenger.userId) !== Boolean(passenger.guestName), {
      message: because('passenger_user_or_guest'),
    })
    .meta({ id: 'PassengerInput' }),
)

type Coordinate = [number, number] | [number, number, number]

const isCoordinate = (point: unknown): boolean =>
  Array.isArray(point) &&
  (point.length === 2 || point.length === 3) &&
  point.every(Number.isFinite) &&
  Math.abs(point[0]) <= 180 &&
  Math.abs(point[1]) <= 90

/** One check for each of 100,000 points: a union of tuples takes five times as long and blocks other requests meanwhile. */
const coordinate = z
  .custom<Coordinate>(isCoordinate, because('not_a_coordinate'))
  .meta({ type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 3 })
const aligned = <Item extends z.ZodType>(item: Item) => z.array(item).max(TRACK_POINTS_AT_MOST).optional()

export const trackShape = z.object({
  coordinates: z
    .array(coordinate)
    .min(2)
    .max(TRACK_POINTS_AT_MOST)
    .describe('[longitude, latitude] or [longitude, latitude, altitude in metres].'),
  times: aligned(z.int()).describe('Unix seconds.'),
  groundSpeedKt: aligned(z.number()).describe('Knots.'),
  trackDeg: aligned(z.number()).describe('Degrees.'),
  ground: aligned(z.boolean()).describe('On the ground.'),
  estimated: aligned(z.boolean()).describe('The segment that ends at this point is estimated.'),
  sourceFormat: z.enum(trackFormats),
  sourceName: z.string().max(255).nullable().default(null),
})
const alignedNames = ['times', 'groundSpeedKt', 'trackDeg', 'ground', 'estimated'] as const

export const TrackInput = trackShape
  .refine(
    (track) => alignedNames.every((name) => !track[name] || track[name].length === track.coordinates.length),
    because('track_lists_differ'),
  )
  .meta({ id: 'TrackInput' })
export type TrackInput = z.output<typeof TrackInput>

export const ExternalSource = z
  .string()
  .regex(EXTERNAL_SOURCE, because('external_source_form'))
  .meta({ example: 'tripit' })
export const ExternalValue = z
  .string()
  .regex(EXTERNAL_VALUE, because('external_value_form'))
  .meta({ example: '77' })

const externalIds = <Value extends z.ZodType>(value: Value, description: string) =>
  z
    .record(z.string(), value)
    .superRefine((ids, context) => {
      const sources = Object.keys(ids)
      if (sources.length > EXTERNAL_IDS_AT_MOST) {
        const maximum = EXTERNAL_IDS_AT_MOST
        context.addIssue({ code: 'too_big', origin: 'array', maximum, inclusive: true, input: ids })
      }
      for (const source of sources.filter((name) => !EXTERNAL_SOURCE.test(name))) {
        context.addIssue({ code: 'custom', path: [source], message: because('external_source_form') })
      }
    })
    .nullable()
    .optional()
    .describe(
      `Ids of this flight in other systems by source, at most ${EXTERNAL_IDS_AT_MOST}, private to you. ${description}`,
    )
    .meta({
      maxProperties: EXTERNAL_IDS_AT_MOST,
      propertyNames: { pattern: EXTERNAL_SOURCE.source },
      example: { tripit: '77' },
    })

/** More than any aircraft has seats. */
export const PASSENGERS_AT_MOST = 1000

export const flightInputShape = {
  ...givenShape(flightFields),
  passengers: z
    .array(PassengerInput)
    .min(1)
    .max(PASSENGERS_AT_MOST)
    .optional()
    .describe('If omitted: only you on a new flight, no change on an update.'),
  track: TrackInput.nullable().optional().describe('If omitted: no change. null: delete the track.'),
  customFields: CustomValues.default({}),
  externalIds: externalIds(ExternalValue, 'If omitted: no change. null: delete all.'),
}

export type PassengerInput = z.output<typeof PassengerInput>

// Changes of a flight: every field is optional, and null clears it

type PatchOf<Table> = { -readonly [Name in keyof Table]: z.ZodOptional<z.ZodType> }
const patchShape = <Table extends Record<string, FlightField | PassengerField>>(table: Table) =>
  Object.fromEntries(
    Object.entries(table).map(([name, field]) => [name, clearable(givenSchema(field))]),
  ) as PatchOf<Table>

/** Without the default for an omitted value. */
function clearable(schema: z.ZodType): z.ZodOptional<z.ZodType> {
  const { description } = schema
  const given = schema instanceof z.ZodDefault || schema instanceof z.ZodOptional ? schema.unwrap() : schema
  const value = (given instanceof z.ZodNullable ? given.unwrap() : given) as z.ZodType
  // Objects are merged member by member.
  const part = value instanceof z.ZodObject ? z.strictObject(value.shape).partial() : value
  return described(part.nullable(), description).optional()
}

/** A strict object that also accepts responses: members that only responses have are ignored. */
export const strictPatch = <Shape extends z.core.$ZodLooseShape>(
  id: string,
  shape: Shape,
  shown: { shape: object },
  fromShown: (given: unknown) => unknown,
) => {
  const readOnly = new Set(Object.keys(shown.shape).filter((name) => !Object.hasOwn(shape, name)))
  return z.preprocess((given) => {
    const sent = fromShown(given)
    if (!isRecord(sent)) return sent
    return Object.fromEntries(Object.entries(sent).filter(([name]) => !readOnly.has(name)))
  }, z.strictObject(shape).meta({ id }))
}

const PassengerPatch = strictPatch(
  'PassengerPatch',
  { ...patchShape(passengerFields), customFields: CustomValues.nullable().optional() },
  Passenger,
  fromShownPassenger,
)
const PassengersById = z
  .object({ new: z.array(PassengerInput).max(PASSENGERS_AT_MOST).optional().describe('Passengers to add.') })
  .catchall(PassengerPatch.nullable())
const PassengersPatch = z
  .preprocess(
    (given, context) => {
      const list = flightInputShape.passengers.unwrap()
      const { error } = (Array.isArray(given) ? list : PassengersById).safeParse(given, { reportInput: true })
      // Reports the problems of the form that was sent only, not of the other one.
      if (!error) return given
      for (const issue of error.issues) context.issues.push(issue as z.core.$ZodRawIssue)
      return z.NEVER
    },
    z.union([flightInputShape.passengers.unwrap(), PassengersById]),
  )
  .optional()
  .describe(
    'All passengers as a list, or an object by passenger id: what changes of each, null to remove one, and a list `new` of those to add.',
  )

export const flightPatchShape = {
  ...flightInputShape,
  ...patchShape(flightFields),
  passengers: PassengersPatch,
  customFields: CustomValues.nullable()
    .optional()
    .describe('Values of custom fields by key. An omitted key keeps its value; null deletes one or all.'),
  externalIds: externalIds(
    ExternalValue.nullable(),
    'An omitted source keeps its id; null deletes one or all.',
  ),
}
export const FlightPatch = strictPatch('FlightPatch', flightPatchShape, Flight, fromShownFlight)
export type FlightPatch = z.output<typeof FlightPatch>

// Which flights

export const Audience = {
  scope: z
    .enum(flightScopes, because('invalid_scope'))
    .default('mine')
    .describe('Your flights, those of one user, or all flights.'),
  userId: z.string().optional().describe('The user, for `scope=user`.'),
}

// Queries

export const Limit = z
  .string()
  .regex(/^[1-9]\d?$|^100$/, because('invalid_pagination'))
  .transform(Number)
  .default(50)
  .meta({ type: 'integer', minimum: 1, maximum: 100 })

/** For lists that an assistant reads, which are shorter. */
export const ShortLimit = z
  .string()
  .regex(/^[1-9]\d?$|^100$/, because('limit_out_of_range'))
  .transform(Number)
  .default(20)
  .describe('1 to 100, default 20.')
  .meta({ type: 'integer', minimum: 1, maximum: 100 })

/** A boolean, written as text in a query. */
export const Truth = z.preprocess(
  (given) => (given === 'true' ? true : given === 'false' ? false : given),
  z.boolean(),
)

/** A query with these parameters only: a misspelt one is an error instead of being ignored. */
export const strictQuery = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => z.strictObject(shape)
