// What a code means today, or on a given day, according to the resolver.
import * as z from 'zod'
import { AppError, detail, notFound } from '../../base/errors.ts'
import { problem } from '../../domain/reasons.ts'
import { airportCode, codeWarnings, daysOf } from '../../domain/reference/code-periods.ts'
import { recordOf } from '../../domain/reference/resolution.ts'
import { utcDate } from '../../domain/time/calendar.ts'
import { type Call, credentialWith, operation } from '../../door/operation.ts'
import {
  aircraftTypes,
  airlines,
  airports,
  createCodeBook,
  type Kind,
  resolveCode,
} from '../../services/reference/resolve/records.ts'
import type {
  Aircraft as AircraftRecord,
  Airline as AirlineRecord,
  Airport as AirportRecord,
} from '../../store/reference/records.ts'
import { Aircraft, Airline, Airport, CalendarDate, strictQuery } from '../wire/schemas.ts'

type AnyRecord = AirportRecord | AirlineRecord | AircraftRecord

const today = ({ now }: Pick<Call, 'now'>) => utcDate(now.getTime())

const warnings = z
  .array(z.enum(codeWarnings))
  .describe('With a date: what speaks against the record, such as an airline that did not fly on that day.')

const common = {
  method: 'GET',
  tag: 'Reference data',
  access: credentialWith(['reference_data.read']),
  query: strictQuery({
    date: CalendarDate.optional().describe('What the code meant on this day. Defaults to today.'),
  }),
  errors: ['not_found', 'conflict'],
  cached: {
    key: ({ principal, input, now }: Call<{ code: string; date?: string | undefined }>) =>
      `${principal.revisions.reference}/${input.date ?? `today, ${today({ now })}`}/${input.code}`,
  },
} as const

const paramsFor = (description: string, example: string) =>
  z.object({ code: z.string().trim().describe(description).meta({ example }) })

interface Described<Item extends AnyRecord> {
  kind: Kind<Item>
  noun: 'Airport' | 'Airline' | 'Aircraft'
  codeOf(record: Item): string
}

/** The record, or 404. Several records are 409 with the candidates, the most important first. */
async function find<Item extends AnyRecord>(
  { input, db, now }: Call<{ code: string; date?: string | undefined }>,
  { kind, noun, codeOf }: Described<Item>,
) {
  const { code, date } = input
  const resolution = await resolveCode(db, kind, code, daysOf(date ?? today({ now })))
  if (resolution.outcome === 'unknown') throw notFound(noun)
  if (resolution.outcome === 'ambiguous') {
    throw new AppError('conflict', problem('code_ambiguous', { code }), {
      details: resolution.candidates.map((record) =>
        detail(
          ['code'],
          problem('code_candidate', { id: record.id, code: codeOf(record), name: record.name }),
        ),
      ),
    })
  }
  const { record, warning } = resolution
  return { data: record, warnings: date !== undefined && warning ? [warning] : [] }
}

const description = (codes: string) =>
  `${codes}, exactly. Codes are handed on: with \`date\`, the record is the one that had the code on that day, else the one that had it nearest to that day, with a warning.`

export const getAirportByCode = operation({
  ...common,
  id: 'get-airport-by-code',
  path: '/airports/by-code/{code}',
  summary: 'Read an airport by its code',
  example: { params: { code: 'CPH' } },
  description: `${description('By ICAO or IATA code, also a former one')} A city’s code, such as LON, is a \`conflict\` with the city’s airports in \`details\`.`,
  params: paramsFor('ICAO, IATA or former code.', 'CPH'),
  output: z.object({ data: Airport, warnings }),
  run: async (call) =>
    (await find<AirportRecord>(call, { kind: airports, noun: 'Airport', codeOf: airportCode })) as {
      data: z.input<typeof Airport>
      warnings: z.input<typeof warnings>
    },
})

export const getAirlineByCode = operation({
  ...common,
  id: 'get-airline-by-code',
  path: '/airlines/by-code/{code}',
  summary: 'Read an airline by its code',
  example: { params: { code: 'LH' } },
  description: `${description('By ICAO or IATA code')} If several may be meant, it is a \`conflict\` with them in \`details\`.`,
  params: paramsFor('ICAO or IATA code.', 'SK'),
  output: z.object({ data: Airline, warnings }),
  run: (call) =>
    find(call, {
      kind: airlines,
      noun: 'Airline',
      codeOf: ({ icao, iata, name }) => icao ?? iata ?? name,
    }),
})

export const getAircraftByCode = operation({
  ...common,
  id: 'get-aircraft-by-code',
  path: '/aircraft/by-code/{code}',
  summary: 'Read an aircraft type by its code',
  example: { params: { code: 'A320' } },
  description:
    'By ICAO designator or IATA type code, exactly. These codes are not handed on: the date changes nothing.',
  params: paramsFor('ICAO designator or IATA type code.', 'A20N'),
  output: z.object({ data: Aircraft, warnings }),
  run: (call) =>
    find(call, { kind: aircraftTypes, noun: 'Aircraft', codeOf: ({ icao, name }) => icao ?? name }),
})

const CODES_AT_MOST = 100

/** For searches: many codes in one request, instead of a query. */
export const Codes = z
  .string()
  .refine((text) => text.split(',').length <= CODES_AT_MOST, {
    params: problem('too_many', { max: CODES_AT_MOST }),
  })
  .optional()
  .describe(
    'Instead of query: up to 100 codes with commas between them. The response has one entry for each, in this order: the record that has the code today, or null if none or several do.',
  )
  .meta({ example: 'CPH,EWR' })

/** What each code means today; null if it means nothing or several records. */
export async function findEach<Item extends AnyRecord>(
  { db, now }: Pick<Call, 'db' | 'now'>,
  kind: Kind<Item>,
  codes: string,
): Promise<(Item | null)[]> {
  const find = createCodeBook(db, kind)
  const days = daysOf(today({ now }))
  const found: (Item | null)[] = []
  for (const code of codes.split(',')) found.push(recordOf(await find(code.trim(), days)) ?? null)
  return found
}
