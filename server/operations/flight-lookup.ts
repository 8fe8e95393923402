// Looking a flight up: from a number and a day to drafts, from the caller's own log and from the providers that this
// instance may ask. Nothing is stored but what a provider said.
import * as z from 'zod'
import { because } from '../base/validation.ts'
import { parseFlightNumber } from '../domain/flight-number.ts'
import { lookupReasons, lookupSources } from '../domain/lookup.ts'
import { credentialWith, operation } from '../operation.ts'
import { DraftShown, ImportRow } from './import-schema.ts'
import { CalendarDate, strictQuery, timestamp } from './schemas.ts'

const Usual = z
  .object({
    flights: z.int().min(1).describe('How many of your flights this is taken from, 20 at most.'),
    lastDate: z.string().describe('Of the last one of them.').meta({ format: 'date' }),
    departureTime: z.string().nullable().describe('HH:MM, local.').meta({ example: '10:05' }),
    arrivalTime: z.string().nullable().describe('HH:MM, local.').meta({ example: '12:40' }),
    arrivalDays: z.int().nullable().describe('Days from departure to arrival by the calendar.'),
    aircraft: z.string().nullable().describe('The type that you flew on most often.'),
  })
  .describe('What this number usually was in your log. It is not known for that day, and not in the draft.')
  .meta({ id: 'UsualFlight' })

const LookupRow = ImportRow.extend({
  draft: DraftShown.extend({
    source: z
      .enum(lookupSources)
      .describe(
        'Who says so. `own`: the route of your earlier flights of that number. `aerodatabox`: the flight of that day. `adsbdb`: the usual route of the number today, whatever the day.',
      ),
  }).meta({ id: 'LookupDraft' }),
  usual: Usual.nullable().describe('Only of your own log.'),
}).meta({ id: 'LookupRow' })
export type LookupRowView = z.input<typeof LookupRow>

export const flightLookup = operation({
  id: 'flight-lookup',
  method: 'GET',
  path: '/flight-lookup',
  tag: 'Flights',
  summary: 'Look a flight up by number and date',
  description:
    'Drafts of what the flight is, without storing anything: from your own log (needs `flight.read.own`), then from AeroDataBox or adsbdb if this instance asks them. Several legs of one number are several rows. Each row has a verdict as in an import: `duplicate` of a flight in your log has `updates`, what that flight could get from it.',
  example: { query: { number: 'SK909', date: '2026-02-20' } },
  access: credentialWith(['reference_data.read'], ['flight.read.own']),
  query: strictQuery({
    number: z
      .string()
      .trim()
      .max(20)
      .refine((text) => parseFlightNumber(text) !== undefined, because('flight_number_form'))
      .describe('With the airline’s code: SK909, sk 909, SAS909.')
      .meta({ example: 'SK909' }),
    date: CalendarDate.describe('Local date at departure.'),
    source: z.enum(['all', 'own']).default('all').describe('`own`: only your log; no other host is asked.'),
  }),
  output: z.object({
    data: z.array(LookupRow).describe('Your own log first.'),
    reason: z
      .enum(lookupReasons)
      .nullable()
      .describe('Why no provider gave the flight of that day; null if one did or none was needed.'),
    message: z.string().nullable().describe('The reason in words.'),
    retryAt: timestamp('When it makes sense to ask again, if the provider says so.').nullable(),
  }),
  cacheControl: 'private, no-store',
  tool: {
    title: 'Look a flight up',
    description: 'Find route, times and aircraft of a flight by number and local date. Creates nothing.',
    without: ['source'],
  },
  run: async () => ({ data: [], reason: 'no_provider' as const, message: null, retryAt: null }),
})
