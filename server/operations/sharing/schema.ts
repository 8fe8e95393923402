// The schema of a public share's content.
import * as z from 'zod'
import { tripColours } from '../../domain/trips/trip.ts'
import { Continent, DatePrecision, Seat, SeatClass } from '../wire/schemas.ts'

const count = z.int().min(0)
const airportNumber = z.int().min(1).describe('`id` of one of `airports`.')
const date = z.string().meta({ format: 'date' })

const SharedAirport = z
  .object({
    id: z.int().min(1).describe('Number within this response, in the order of the codes.'),
    icao: z.string(),
    iata: z.string().nullable(),
    formerCodes: z.array(z.string()).optional(),
    name: z.string(),
    municipality: z.string().nullable(),
    latitude: z.number(),
    longitude: z.number(),
    country: z.string(),
    continent: Continent,
  })
  .meta({ id: 'SharedAirport' })

const pair = { a: airportNumber, b: airportNumber }

const SharedMap = z
  .object({
    routes: z.array(
      z.object({
        ...pair,
        flown: count.describe('Both directions together.'),
        planned: count.optional().describe('Only with dates.'),
        distanceKm: z.number(),
      }),
    ),
    airports: z.array(z.object({ id: airportNumber, visits: count })),
    tracks: z
      .array(
        z.object({
          a: airportNumber.nullable(),
          b: airportNumber.nullable(),
          coordinates: z.array(z.array(z.number()).length(2)).describe('Longitude and latitude.'),
        }),
      )
      .optional()
      .describe('Without times, altitudes and direction; only with tracks.'),
  })
  .meta({ id: 'SharedMap' })

const amount = {
  flights: count,
  distanceKm: z.number().describe('Without list and map, rounded to 1,000 km.'),
  durationSeconds: count.describe(
    'Whole hours, unless times and dates are shown with the list. Without list and map, rounded to 10 hours.',
  ),
}
/** For a year or a month. */
const amountOfTime = {
  flights: count,
  distanceKm: z
    .number()
    .optional()
    .describe('Only with the list; by year also without list and map, rounded to 1,000 km.'),
  durationSeconds: count
    .optional()
    .describe('Only with the list; by year also without list and map, rounded to 10 hours.'),
}
const dated = { date: date.optional(), datePrecision: DatePrecision.optional() }
const FarRecord = z.object({ ...pair, distanceKm: z.number(), ...dated }).nullable()
const LongRecord = z
  .object({
    a: airportNumber.nullable(),
    b: airportNumber.nullable(),
    durationSeconds: count,
    estimated: z.boolean().describe('From the distance, because the times are not known.'),
    ...dated,
  })
  .nullable()
const DayRecord = z
  .object({ a: airportNumber.nullable(), b: airportNumber.nullable(), date, datePrecision: DatePrecision })
  .nullable()
const topNames = z.array(z.object({ name: z.string(), flights: count }))
const tally = z.record(z.string(), count)

const SharedStatistics = z
  .object({
    totals: z.object({
      ...amount,
      durationEstimatedSeconds: count.describe('The estimated part of the duration.'),
      estimatedFlights: count.describe('Those whose duration is estimated.'),
      measuredFlights: count.describe('Those with a distance.'),
      airports: count,
      countries: count,
      routes: count,
      domestic: count,
      international: count,
      airlines: count.optional().describe('Only with airlines.'),
      aircraft: count.optional().describe('Only with aircraft.'),
    }),
    topAirports: z
      .array(z.object({ airport: airportNumber, flights: count, distanceKm: z.number() }))
      .describe('Empty without list and map.'),
    topRoutes: z
      .array(z.object({ ...pair, flights: count, distanceKm: z.number() }))
      .describe('Without list and map: those flown at least three times.'),
    topCountries: z.array(z.object({ country: z.string(), flights: count, distanceKm: z.number() })),
    topAirlines: topNames.optional().describe('Only with airlines.'),
    topAircraft: topNames.optional().describe('Only with aircraft.'),
    topRegistrations: topNames.optional().describe('Aircraft flown more than once. Only with aircraft.'),
    continents: z.array(z.object({ a: Continent, b: Continent, flights: count })),
    longest: FarRecord,
    shortest: FarRecord,
    slowest: LongRecord.optional().describe('Only with the list, times and dates.'),
    quickest: LongRecord.optional().describe('Only with the list, times and dates.'),
    first: DayRecord.optional().describe('Only with the list and dates, like the following three.'),
    latest: DayRecord.optional(),
    recordFlights: z
      .object({
        distance: count,
        airport: count,
        time: count.optional(),
        date: count.optional(),
        day: count.optional(),
      })
      .optional()
      .describe(
        'How many flights the records are made of: those with a distance, a duration, a date and so on. A record of fewer than five flights is null. Only with the list or the map.',
      ),
    busiestDay: z.object({ date, flights: count }).nullable().optional(),
    longestGap: z.object({ from: date, to: date, days: count }).nullable().optional(),
    byYear: z
      .array(z.object({ year: z.int(), ...amountOfTime }))
      .optional()
      .describe('Only with dates.'),
    byMonth: z.array(z.object(amountOfTime)).optional().describe('January first. Only with dates.'),
    byWeekday: z.array(z.object(amount)).optional().describe('Monday first. Only with the list and dates.'),
    byDay: tally.optional().describe('Flights by day, YYYY-MM-DD. Only with the list and dates.'),
    byHour: z
      .array(count)
      .optional()
      .describe('Departures by local hour. Only with times, and the list or the map.'),
    northernmost: airportNumber.nullable(),
    southernmost: airportNumber.nullable(),
    classes: tally.optional().describe('Only with seats.'),
    seats: tally.optional().describe('Only with seats.'),
    co2Kg: count.describe(
      'For an average passenger, unless seats are shown. Without list and map, rounded to 1,000 kg.',
    ),
    co2UnknownFlights: count.describe('Flights for which the method has no figure.'),
  })
  .meta({ id: 'SharedStatistics' })

const text = z.string().nullable()

const SharedFlight = z
  .object({
    from: airportNumber.nullable(),
    to: airportNumber.nullable(),
    distanceKm: z.number().nullable(),
    date: date
      .optional()
      .describe('Only with dates; the first day of the month or year if that is all that is known.'),
    datePrecision: DatePrecision.optional(),
    completed: z
      .boolean()
      .optional()
      .describe('Only with dates: without them, planned flights are left out.'),
    flightNumber: text.optional().describe('Only with flight numbers.'),
    airline: text.optional().describe('Only with airlines.'),
    aircraft: text.optional().describe('Only with aircraft.'),
    aircraftReg: text.optional().describe('Only with aircraft.'),
    durationSeconds: count.nullable().optional().describe('Only with times and dates.'),
    departureTime: text.optional().describe('HH:MM at the airport. Only with times.'),
    arrivalTime: text.optional().describe('HH:MM at the airport. Only with times.'),
    dayShift: z.int().nullable().optional().describe('Days between the two. Only with times.'),
    seat: Seat.nullable().optional().describe('The sharer’s own. Only with seats.'),
    seatNumber: text.optional(),
    seatClass: SeatClass.nullable().optional(),
  })
  .meta({ id: 'SharedFlight' })

export const SharedSubject = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('flight') }),
    z.object({ kind: z.literal('trip'), name: z.string(), colour: z.enum(tripColours) }),
  ])
  .meta({ id: 'SharedSubject' })
export type SharedSubject = z.input<typeof SharedSubject>

export const SharePage = z
  .object({
    owner: z.object({ displayName: z.string() }),
    subject: SharedSubject.optional().describe(
      'Of a share of one flight or trip alone, whose list is in the order in which it is flown.',
    ),
    airports: z.array(SharedAirport).describe('All airports that other fields refer to.'),
    map: SharedMap.optional().describe('Only with the map.'),
    statistics: SharedStatistics.optional().describe(
      'Of completed flights. Only with statistics. Without list and map, nothing in it is about fewer than three flights, except counts.',
    ),
    flights: z.array(SharedFlight).optional().describe('Only with the list.'),
  })
  .meta({ id: 'SharePage' })
export type SharePage = z.input<typeof SharePage>
export type SharedMap = NonNullable<SharePage['map']>
export type SharedStatistics = NonNullable<SharePage['statistics']>
export type SharedFlight = NonNullable<SharePage['flights']>[number]
