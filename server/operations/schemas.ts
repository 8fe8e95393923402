// The shapes on the wire, each declared once: validation, the OpenAPI document, MCP tools and the web client's types
// come from here. Descriptions are product copy.
import * as z from 'zod'
import { isCalendarDate, isDateTime } from '../domain/time.ts'
import { MAX_ID } from '../store/codecs.ts'

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

/** No body at all. */
export const nothing = z.void()

/** A positive integer in a path. Ids beyond 32 bits cannot exist: they become 0, which nothing has. */
export const PathId = z
  .string('id must be a positive integer')
  .regex(/^[1-9]\d*$/, 'id must be a positive integer')
  .transform((text) => (Number(text) > MAX_ID ? 0 : Number(text)))
  .meta({ type: 'integer', minimum: 1, example: 42 })
export const pathId = z.object({ id: PathId })

/** The id of a user or a role. Text that cannot be one becomes empty, which nothing is called. */
export const TextId = z
  .string()
  .transform((text) => (/^[a-z0-9-]{1,40}$/.test(text) ? text : ''))
  .meta({ type: 'string', example: 'role-user' })
export const textId = z.object({ id: TextId })

export const CalendarDate = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, { abort: true })
  .refine(isCalendarDate, 'This day does not exist')
  .meta({ format: 'date', example: '2026-02-20' })

export const DateTime = z
  .stringFormat('datetime', isDateTime, { error: 'Invalid ISO datetime', abort: true })
  .meta({ format: 'date-time', example: '2026-02-20T09:05:00+01:00' })

export const timestamp = (description: string) =>
  z.string().describe(description).meta({ format: 'date-time' })

const FLAGS = {
  type: [
    'small_airport',
    'medium_airport',
    'large_airport',
    'heliport',
    'balloonport',
    'seaplane_base',
    'closed',
  ],
  continent: ['AF', 'AS', 'EU', 'NA', 'OC', 'SA', 'AN'],
} as const
export const AirportType = z.enum(FLAGS.type)
export const Continent = z.enum(FLAGS.continent)

export const Airport = z
  .object({
    id: z.int().min(1),
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
    id: z.int().min(1),
    name: z.string(),
    icao: z.string().nullable(),
    iata: z.string().nullable(),
    iconPath: z.string().nullable().describe('Path of the icon under /api/uploads/.'),
    active: z.boolean().describe('Still operating. Codes are reassigned, so two airlines may share one.'),
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
    },
  })

export const Aircraft = z
  .object({ id: z.int().min(1), name: z.string(), icao: z.string().nullable() })
  .meta({ id: 'Aircraft', example: { id: 22, name: 'Airbus A320neo', icao: 'A20N' } })

export const DatePrecision = z
  .enum(['day', 'month', 'year'])
  .describe('Precision of the date. For month and year, use the first day of the period as the date.')
export const Seat = z.enum(['window', 'aisle', 'middle', 'pilot', 'copilot', 'jumpseat', 'other'])
export const SeatClass = z.enum(['economy', 'economy+', 'business', 'first', 'private'])
export const FlightReason = z.enum(['leisure', 'business', 'crew', 'other'])

const CustomValues = z
  .record(z.string(), z.unknown())
  .describe('Values of custom fields by key. null, "" and [] delete a value; an omitted key keeps it.')
const ShownValues = z.record(z.string(), z.unknown()).describe('Values of custom fields by key.')

export const Passenger = z
  .object({
    id: z.int(),
    user: z
      .object({ id: z.string(), displayName: z.string(), username: z.string() })
      .nullable()
      .describe('null for a guest.'),
    guestName: z.string().nullable(),
    seat: Seat.nullable(),
    seatNumber: z.string().nullable(),
    seatClass: SeatClass.nullable(),
    flightReason: FlightReason.nullable(),
    customFields: ShownValues,
  })
  .meta({ id: 'Passenger' })

export const TrackSummary = z
  .object({
    pointCount: z.int(),
    updatedAt: timestamp('When the track was last stored.'),
    sourceFormat: z.string(),
    sourceName: z.string().nullable(),
  })
  .meta({ id: 'TrackSummary' })

const given = DateTime.nullable()
const text = z.string().nullable()

export const Flight = z
  .object({
    id: z.int().min(1),
    date: z.string().describe('Local date at departure.').meta({ format: 'date' }),
    datePrecision: DatePrecision,
    departure: given.describe('Date-times are returned exactly as they were sent.'),
    arrival: given,
    departureScheduled: given,
    arrivalScheduled: given,
    takeoffScheduled: given,
    takeoffActual: given,
    landingScheduled: given,
    landingActual: given,
    duration: z.int().nullable().describe('Seconds.'),
    departureTerminal: text,
    departureGate: text,
    arrivalTerminal: text,
    arrivalGate: text,
    flightNumber: text,
    aircraftReg: text,
    note: text,
    from: Airport.nullable(),
    to: Airport.nullable(),
    airline: Airline.nullable(),
    aircraft: Aircraft.nullable(),
    passengers: z.array(Passenger),
    track: TrackSummary.nullable().describe(
      'Whether a recorded track exists; read its points with get-flight-track.',
    ),
    customFields: ShownValues,
    distanceKm: z.number().nullable().describe('Shortest path between the airports on the WGS84 ellipsoid.'),
    createdAt: timestamp('When the flight was logged.'),
    updatedAt: timestamp('When the flight was last changed.'),
  })
  .meta({ id: 'Flight' })

// Input

const optionalText = (most: number) => z.string().max(most).nullable().default(null)
const optionalTime = DateTime.nullable().default(null)
const reference = z.int().positive()

export const PassengerInput = z
  .object({
    id: z
      .int()
      .positive()
      .optional()
      .describe('On an update: the id of the passenger record. If omitted, matched by user or name.'),
    userId: z.string().min(1).nullable().default(null),
    guestName: z.string().trim().min(1).max(100).nullable().default(null),
    seat: Seat.nullable().default(null),
    seatNumber: optionalText(20),
    seatClass: SeatClass.nullable().default(null),
    flightReason: FlightReason.nullable().default(null),
    customFields: CustomValues.optional(),
  })
  .refine((passenger) => Boolean(passenger.userId) !== Boolean(passenger.guestName), {
    message: 'A passenger is either a user or a guest',
  })
  .meta({ id: 'PassengerInput' })

const TRACK_POINTS_AT_MOST = 100_000
const coordinate = z
  .union([z.tuple([z.number(), z.number()]), z.tuple([z.number(), z.number(), z.number()])])
  .refine(([lon, lat]) => Math.abs(lon) <= 180 && Math.abs(lat) <= 90, 'Longitude or latitude out of range')
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
  sourceFormat: z.enum(['gpx', 'kml', 'csv', 'readsb']),
  sourceName: z.string().max(255).nullable().default(null),
})
const alignedNames = ['times', 'groundSpeedKt', 'trackDeg', 'ground', 'estimated'] as const

export const TrackInput = trackShape
  .refine(
    (track) => alignedNames.every((name) => !track[name] || track[name].length === track.coordinates.length),
    'Every list of values must be as long as the list of coordinates',
  )
  .meta({ id: 'TrackInput' })
export type TrackInput = z.output<typeof TrackInput>

/** More than any aircraft has seats. */
export const PASSENGERS_AT_MOST = 1000

export const flightInputShape = {
  date: CalendarDate.describe('Local date at departure.'),
  datePrecision: DatePrecision.default('day'),
  departure: optionalTime.describe('ISO 8601 with UTC offset.'),
  arrival: optionalTime,
  departureScheduled: optionalTime,
  arrivalScheduled: optionalTime,
  takeoffScheduled: optionalTime,
  takeoffActual: optionalTime,
  landingScheduled: optionalTime,
  landingActual: optionalTime,
  duration: z
    .int()
    .nonnegative()
    .nullable()
    .default(null)
    .describe('Seconds. Defaults to the time between departure and arrival if both are known.'),
  departureTerminal: optionalText(500),
  departureGate: optionalText(500),
  arrivalTerminal: optionalText(500),
  arrivalGate: optionalText(500),
  flightNumber: optionalText(500),
  aircraftReg: optionalText(500),
  note: optionalText(10_000),
  fromId: reference.describe('Airport id, from the airport search.'),
  toId: reference,
  aircraftId: reference.nullable().default(null),
  airlineId: reference.nullable().default(null),
  passengers: z
    .array(PassengerInput)
    .min(1)
    .max(PASSENGERS_AT_MOST)
    .optional()
    .describe('If omitted: only you on a new flight, no change on an update.'),
  track: TrackInput.nullable().optional().describe('If omitted: no change. null: delete the track.'),
  customFields: CustomValues.default({}),
}

export type PassengerInput = z.output<typeof PassengerInput>

// Which flights

export const Audience = {
  scope: z
    .enum(['mine', 'user', 'all'], 'Invalid scope')
    .default('mine')
    .describe('Your flights, those of one user, or all flights.'),
  userId: z.string().optional().describe('The user, for `scope=user`.'),
}

// Queries

/** A query that takes these parameters and no others: a misspelt one is an error, not a silence. */
export const strictQuery = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `Unknown parameter ${issue.keys.join(', ')}. Known: ${Object.keys(shape).join(', ')}.`
        : undefined,
  })
