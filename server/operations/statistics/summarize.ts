// Flights counted and added up, in total and by group: “Which airline did I fly most in 2019, and how far?” is one
// request. The figures are the same as in the statistics.
import * as z from 'zod'
import { badRequest } from '../../base/errors.ts'
import { inSteps } from '../../base/in-steps.ts'
import { because } from '../../base/request/validation.ts'
import { type Grouping, groupings } from '../../domain/enums.ts'
import { countryName } from '../../domain/reference/countries.ts'
import { RowId } from '../../domain/row-id.ts'
import { createSums, type FlightGroup, type FlightSums, topGroups } from '../../domain/statistics/groups.ts'
import { type Call, credentialWith, operation } from '../../door/operation.ts'
import type { Principal } from '../../services/access/principal.ts'
import { listNames } from '../../store/people/people.ts'
import { audienceOf, requireKnownAudience } from '../flights/audience.ts'
import { filtersForPrograms, type SelectionInput } from '../flights/filters.ts'
import { MatchedNames } from '../flights/find/find.ts'
import { type FlightSearch, flightSearch, searchRevision, searchShape } from '../flights/find/search.ts'
import { Audience, single, strictQuery } from '../wire/schemas.ts'
import { type CountedFlights, countedFlights, measures } from './counted-flights.ts'

const TOP_AT_MOST = 500
const usualTop = (groupBy: Grouping) => (groupBy === 'year' || groupBy === 'month' ? 120 : 20)

const sums = {
  count: z.int().describe('Flights.'),
  distanceKm: z.int(),
  timeSeconds: z.int().describe('Unknown times are estimated from the distance and the class of aircraft.'),
  estimatedSeconds: z.int().describe('The estimated part of timeSeconds.'),
  unknownFlights: z.int().describe('Flights without times of their own.'),
}

const Group = z
  .object({
    key: z
      .string()
      .nullable()
      .describe('Code, year, month, registration or the like; null: the flights without it, always last.'),
    id: z
      .union([RowId, z.string()])
      .optional()
      .describe('Of the airport, airline or aircraft type, a number, or of the user; filters take it.'),
    name: z.string().optional(),
    ...sums,
  })
  .meta({ id: 'FlightGroup' })

const Summary = z
  .object({
    total: z.object(sums),
    groupBy: z.enum(groupings).optional(),
    groups: z
      .array(Group)
      .optional()
      .describe(
        'Most flights first; years and months in their order. A flight counts at each of its airports and once in each of their countries, on its route regardless of direction, and for each other person on board.',
      ),
    groupCount: z.int().optional().describe('How many there are, without the one whose key is null.'),
    planned: z.int().describe('Flights that match and are not counted because they are not flown yet.'),
    matched: MatchedNames,
  })
  .meta({ id: 'FlightSummary' })

type Counted = FlightSearch & CountedFlights

function countedBySearch(call: Call<SelectionInput>): Counted {
  const search = flightSearch(call)
  return { ...search, ...countedFlights(call, measures, search.filter) }
}

type SummaryCall = Call<
  SelectionInput & { groupBy?: Grouping | undefined; top?: number | undefined },
  Principal,
  Counted
>

export const summarizeFlights = operation({
  id: 'summarize-flights',
  method: 'GET',
  path: '/flights/summary',
  tag: 'Flights',
  summary: 'Summarize flights',
  description:
    'Count, distance and time of the flights that match all given filters, which are those of `GET /flights/search`; with `groupBy`, also of each group. Flown flights are counted, as in `GET /stats`, and with `when` those that have departed or are still to come; cancelled ones only with `outcome=cancelled`.',
  example: { query: { date: '2019', groupBy: 'airline', top: 1 } },
  access: credentialWith(['stats.read', 'flight.read.own'], ['flight.read.any']),
  query: strictQuery({
    groupBy: z.enum(groupings).optional().describe('A sum for each.'),
    top: z
      .string()
      .regex(/^[1-9]\d{0,2}$/, { error: because('top_out_of_range'), abort: true })
      .transform(Number)
      .refine((top) => top <= TOP_AT_MOST, because('top_out_of_range'))
      .optional()
      .describe(
        'With groupBy, only the groups with most flights: 1 to 500, default 20, of years and months 120.',
      )
      .meta({ type: 'integer', minimum: 1, maximum: TOP_AT_MOST }),
    ...searchShape,
    ...Audience,
  }),
  output: single(Summary),
  tool: {
    title: 'Summarize flights',
    description:
      'Totals of flown flights, of all and of each group: count, kilometres, seconds in the air and how many of them are estimated. "Which airline did I fly most in 2019, and how far?" is groupBy: "airline", date: "2019", top: 1. Other arguments filter as in find_flights.',
    unlisted: filtersForPrograms,
    names: { aircraftReg: 'registration' },
    describedBy: 'find_flights',
    quotes: ['data.matched.person'],
    says: ({ data }) => inWords(data),
  },
  target: { find: countedBySearch },
  check(call) {
    const { top, groupBy } = call.input
    if (top !== undefined && groupBy === undefined) throw badRequest('top_without_group_by')
    return requireKnownAudience(call, 'read')
  },
  cached: {
    key: async (call) => `${await countedSince(call)}/${call.input.groupBy ?? ''}/${call.input.top ?? ''}`,
  },
  run: summarize,
})

/** The counted flights change when one completes and, with `when`, when one departs. */
async function countedSince(call: SummaryCall): Promise<string> {
  const revision = `sums ${await searchRevision(call)}`
  const now = call.now.getTime()
  const { completions, flights } = call.target
  const departures = async () => Float64Array.from(await flights(), ({ departs }) => departs)
  const changes = call.input.when === undefined ? completions : departures
  return `${revision}/${await call.services.completions.next(revision, now, changes)}`
}

async function summarize(call: SummaryCall) {
  const { groupBy, top, when } = call.input
  const flights = await call.target.flights()
  const now = call.now.getTime()
  const counted = flights.filter(({ completes, departs }) =>
    when === undefined ? completes < now : departs >= now === (when === 'upcoming'),
  )
  const counting = createSums(groupBy, audienceOf(call.principal, call.input))
  await inSteps(counted, (some) => {
    for (const { figures } of some) counting.add(figures)
  })
  const planned = when === undefined ? flights.length - counted.length : 0
  const data = { total: counting.total(), planned, matched: call.target.matched }
  if (groupBy === undefined) return { data }
  const groups = counting.groups()
  const most = topGroups(groups, groupBy, top ?? usualTop(groupBy))
  // A request for the first few groups gets only those; a summary of all groups covers every flight.
  const shown = most.slice(0, top)
  const groupCount = groups.filter(({ key }) => key !== null).length
  return { data: { ...data, groupBy, groups: await withNames(call, groupBy, shown), groupCount } }
}

/** Adds names that the flights do not contain. */
async function withNames(call: Call, groupBy: Grouping, groups: FlightGroup[]): Promise<FlightGroup[]> {
  if (groupBy === 'country')
    return groups.map((group) => (group.key === null ? group : { ...group, name: countryName(group.key) }))
  if (groupBy !== 'person') return groups
  const ids = groups.flatMap(({ id }) => (typeof id === 'string' ? id : []))
  const names = new Map((await listNames(call.db, ids)).map(({ id, displayName }) => [id, displayName]))
  return groups.map((group) => {
    const name = group.name ?? names.get(String(group.id))
    return name === undefined ? group : { ...group, name }
  })
}

// As text

const number = new Intl.NumberFormat('en')
const flightsIn = (count: number) => `${number.format(count)} ${count === 1 ? 'flight' : 'flights'}`

function time(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  return `${number.format(Math.floor(minutes / 60))} h ${minutes % 60} min`
}

const sumsInWords = ({ count, distanceKm, timeSeconds, estimatedSeconds }: FlightSums): string =>
  `${flightsIn(count)}, ${number.format(distanceKm)} km, ${time(timeSeconds)}${
    estimatedSeconds > 0 ? ` (${time(estimatedSeconds)} estimated)` : ''
  }`

/** People are shown by name only; a user's id means nothing to a reader. */
const headOf = ({ key, name }: z.output<typeof Group>, groupBy: Grouping | undefined): string =>
  key === null
    ? `no ${groupBy}`
    : groupBy === 'person'
      ? (name ?? key)
      : [key, name].filter(Boolean).join(' ')

function inWords({
  total,
  groupBy,
  groups = [],
  groupCount = 0,
  planned,
  matched,
}: z.output<typeof Summary>) {
  const known = groups.filter(({ key }) => key !== null).length
  const cut = known < groupCount ? `, ${known} of ${groupCount}` : ''
  const lines = groups.map((group) => `${headOf(group, groupBy)}: ${sumsInWords(group)}`)
  return [
    `${sumsInWords(total)}.${planned > 0 ? ` ${flightsIn(planned)} not flown yet.` : ''}`,
    ...Object.entries(matched).map(([name, taken]) => `${name}: ${taken.join(', ')}`),
    ...(groupBy ? [`By ${groupBy}${groupBy === 'route' ? ', both ways' : ''}${cut}:`, ...lines] : []),
  ].join('\n')
}
