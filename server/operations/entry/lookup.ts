// Looking up a flight: from a number and a day to drafts, using the caller's own log and the providers that this
// instance may query. Only provider responses are stored.
import * as z from 'zod'
import { because } from '../../base/request/validation.ts'
import {
  type LookupReason,
  type LookupSource,
  lookupMessage,
  lookupReasons,
  lookupSources,
} from '../../domain/entry/lookup.ts'
import { canonicalFlightNumber, parseFlightNumber } from '../../domain/flights/number.ts'
import { daysOf } from '../../domain/reference/code-periods.ts'
import { recordOf } from '../../domain/reference/resolution.ts'
import { type Call, credentialWith, operation } from '../../door/operation.ts'
import { credentialMay, requireScope, roleMayUse } from '../../services/access/principal.ts'
import type { SourceRecord } from '../../services/imports/reading/source.ts'
import { airlines, resolveCode } from '../../services/reference/resolve/records.ts'
import { DraftShown, ImportRow } from '../imports/schema.ts'
import { judgeRecords } from '../imports/unsaved-rows.ts'
import { CalendarDate, strictQuery, timestamp } from '../wire/schemas.ts'
import { listOwnRoutes, type Usual as UsualFlight } from './usual-flight.ts'

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
  cached: { control: 'private, no-store' },
  tool: {
    title: 'Look a flight up',
    lines: ['data[].draft'],
    description:
      'Route, times and aircraft of a flight by number and date, from the person’s log, else from the flight data provider of this instance. Adds nothing; log_flight with number and date alone does the same and adds it.',
    without: ['source'],
    brief: ({ data, ...rest }) => ({ data: data.map(briefRow), ...rest }),
  },
  check({ principal, input }) {
    if (input.source === 'own')
      requireScope(principal, 'flight.read.own', ['reference_data.read', 'flight.read.own'])
  },
  async run(call) {
    const { number, date, source } = call.input
    const { rows, reason, retryAt } = await lookUp(call, { number, date, ownOnly: source === 'own' })
    return {
      data: rows,
      reason,
      message: reason && lookupMessage(reason),
      retryAt: retryAt === null ? null : new Date(retryAt).toISOString(),
    }
  },
})

/** The flight and its usual times; the rest is for programs that import it. */
const briefRow = ({
  verdict,
  of,
  draft,
  usual,
  warnings,
  questions,
}: z.output<typeof LookupRow>): object => ({
  verdict,
  of,
  draft,
  usual,
  ...(warnings.length > 0 && { warnings }),
  ...(questions.length > 0 && { questions }),
})

interface LookedUp {
  rows: LookupRowView[]
  reason: LookupReason | null
  retryAt: number | null
}

/** The caller's own log, then the providers. Sends requests to other hosts: never call it inside a transaction. */
export async function lookUp(
  call: Call,
  { number, date, ownOnly }: { number: string; date: string; ownOnly: boolean },
): Promise<LookedUp> {
  const { principal, services } = call
  const mayReadOwn = credentialMay(principal, 'flight.read.own') && roleMayUse(principal, 'flight.read.own')
  const forms = await formsOf(call, number, date)
  const own = mayReadOwn ? await listOwnRoutes(call, forms.all, date) : []
  const asker = { userId: principal.user.id, isOwner: principal.isOwner }
  const wanted = { number: forms.number, icaoNumber: forms.icaoNumber, date }
  const said = ownOnly ? [] : await services.lookups.find(asker, wanted)
  const found: Found[] = [
    ...own.map(({ record, usual }) => ({ source: 'own' as const, record, usual })),
    ...said.flatMap(({ provider, records }) =>
      records.map((record) => ({ source: provider, record, usual: null })),
    ),
  ]
  const rows: LookupRowView[] = []
  for (const one of found) rows.push(...(await rowOf(call, one, rows.length + 1, mayReadOwn)))
  const nothing = ownOnly ? 'not_found' : 'no_provider'
  const first = said[0]
  return {
    rows,
    reason: first ? first.reason : rows.length > 0 ? null : nothing,
    retryAt: first?.retryAt ?? null,
  }
}

interface Found {
  source: LookupSource
  record: SourceRecord
  usual: UsualFlight | null
}

/** Each record is judged alone: two sources with the same flight are not duplicates within a file. */
async function rowOf(call: Call, { source, record, usual }: Found, row: number, mayReadOwn: boolean) {
  const [judged] = await judgeRecords(call, 'drafts', [record])
  if (!judged?.draft) return []
  const shown = { ...judged, row, draft: { ...judged.draft, source }, usual }
  const isOfLog = judged.of !== null && !mayReadOwn
  // The log is not shown to a credential that may not read it.
  return [isOfLog ? { ...shown, verdict: 'new' as const, code: null, of: null, updates: [] } : shown]
}

/** The number with both codes of its airline: providers and logs use one or the other. */
async function formsOf({ db }: Call, text: string, date: string) {
  const given = parseFlightNumber(text)!
  const written = canonicalFlightNumber(text)
  const airline = recordOf(await resolveCode(db, airlines, given.airlineCode, daysOf(date)))
  const by = (code: string | null | undefined) => (code ? `${code}${given.number}` : null)
  const number = by(airline?.iata) ?? written
  const icaoNumber = by(airline?.icao)
  const all = [...new Set([written, number, icaoNumber].flatMap((form) => form ?? []))]
  return { number, icaoNumber: icaoNumber === number ? null : icaoNumber, all }
}
