// Airports, airlines and aircraft types: search and read.
import * as z from 'zod'
import { badRequest, notFound } from '../../base/errors.ts'
import { because } from '../../base/request/validation.ts'
import { utcDate } from '../../domain/time/calendar.ts'
import { type Call, credentialWith, operation } from '../../door/operation.ts'
import { credentialMay, type Principal, requireScope, roleMayUse } from '../../services/access/principal.ts'
import type { Traveller } from '../../services/reference/reference.ts'
import { aircraftTypes, airlines, airports, type Source } from '../../services/reference/resolve/records.ts'
import { findAircraft, findAirlines, findAirports } from '../../store/reference/records.ts'
import { Aircraft, Airline, Airport, list, onePage, pathId, single, Truth } from '../wire/schemas.ts'
import { Codes, findEach } from './codes.ts'

const tag = 'Reference data'
const access = credentialWith(['reference_data.read'])
const searchAccess = credentialWith(['reference_data.read'], ['flight.read.own'])

const search = z
  .object({
    query: z
      .string()
      .trim()
      .max(200, because('query_too_long'))
      .optional()
      .describe(
        'A code, a city or name in any language, or words of both. Accents, case, hyphens and small mistakes are ignored.',
      )
      .meta({ example: 'copenhagen' }),
    personal: Truth.default(false).describe(
      'true: what occurs in your own flights comes first among equal matches; without a query, the 10 most recently used. Needs `flight.read.own`.',
    ),
    codes: Codes,
  })
  .refine(({ query, codes, personal }) => personal || codes !== undefined || !!query, {
    message: because('query_required'),
    path: ['query'],
  })
interface SearchInput {
  query?: string | undefined
  codes?: string | undefined
  personal: boolean
}

/** A credential that may not read flights must not learn about them from the order of search results. */
function requireSearch({ principal, input }: Call<SearchInput>): void {
  if (input.query !== undefined && input.codes !== undefined) throw badRequest('query_or_codes')
  if (input.personal) requireScope(principal, 'flight.read.own', ['reference_data.read', 'flight.read.own'])
}

const searchKey = ({ principal, input, now }: Call<SearchInput>) => {
  const { reference, flights } = principal.revisions
  const person = input.personal ? `${principal.user.id}@${flights}` : '*'
  // The meaning of a code can change from one day to the next.
  if (input.codes !== undefined) return `${reference}/${utcDate(now.getTime())}:${input.codes}`
  return `${reference}/${person}/${input.query ?? ''}`
}

type Kind = 'Airports' | 'Airlines' | 'Aircraft'

/** What each code means, the matches of a search, or what the caller used last. */
async function searchFor(call: Call<SearchInput>, kind: Kind) {
  const { principal, input, db, services } = call
  if (input.codes !== undefined) return findFor[kind](call, input.codes)
  const { reference } = services
  const traveller = input.personal ? travellerOf(principal) : undefined
  if (traveller && !input.query) return reference[`recent${kind}`](db, traveller)
  const { revisions } = principal
  return reference[`search${kind}`](db, revisions.reference, input.query!, { traveller, nearMisses: true })
}

const findFor = {
  Airports: (call: Call, codes: string) => findEach(call, airports, codes),
  Airlines: (call: Call, codes: string) => findEach(call, airlines, codes),
  Aircraft: (call: Call, codes: string) => findEach(call, aircraftTypes, codes),
}

const travellerOf = ({ user, revisions }: Principal): Traveller => ({
  userId: user.id,
  flights: revisions.flights,
})

/** For looking records up; tools that take names do not need it. */
const tool = (title: string, what: string) => ({
  title,
  description: `${what}: the best 20 matches by code or name. Tools that take a name need no search first.`,
  without: ['personal', 'codes'],
  says: ({ data }: { data: (Found | null)[] }): string =>
    [`${data.length} found:`, ...data.map(foundText)].join('\n'),
})

interface Found {
  id: number
  name: string
  iata?: string | null
  icao: string | null
  municipality?: string | null
  country?: string
}

/** `CPH/EKCH Copenhagen Kastrup Airport, Copenhagen, DK (id 2542)` */
function foundText(found: Found | null): string {
  if (!found) return 'Unknown.'
  const codes = [found.iata, found.icao].filter(Boolean).join('/')
  const where = [`${codes} ${found.name}`.trim(), found.municipality, found.country].filter(Boolean)
  return `${where.join(', ').replace(/\s+/g, ' ')} (id ${found.id})`
}

export const searchAirports = operation({
  id: 'search-airports',
  method: 'GET',
  path: '/airports',
  tag,
  summary: 'Search airports',
  example: { query: { query: 'Copenhagen' } },
  description:
    'The best 20 matches: exact codes first, then cities and names, the most important airport first among equals; a city code such as LON lists the airports of the city. Words of a region match too, and similar words where nothing else does. Closed airports are found by their former codes. Not paged.',
  access: searchAccess,
  query: search,
  output: list(Airport.nullable()),
  tool: tool('Search airports', 'Airports by code, city, region or former code'),
  check: requireSearch,
  cached: { key: searchKey },
  run: async (call) => onePage((await searchFor(call, 'Airports')) as (z.input<typeof Airport> | null)[]),
})

export const getAirport = operation({
  id: 'get-airport',
  method: 'GET',
  path: '/airports/{id}',
  tag,
  summary: 'Read an airport',
  example: { params: { id: 2542 } },
  access,
  params: pathId,
  output: single(Airport),
  errors: ['not_found'],
  tool: { title: 'Read an airport', isForPrograms: true },
  async run({ input, db }) {
    const [airport] = await findAirports(db, [input.id])
    if (!airport) throw notFound('Airport')
    return { data: airport as z.input<typeof Airport> }
  },
})

export const searchAirlines = operation({
  id: 'search-airlines',
  method: 'GET',
  path: '/airlines',
  tag,
  summary: 'Search airlines',
  example: { query: { query: 'Lufthansa' } },
  description:
    'The best 20 matches by code, name, other name or call sign: exact codes first, then names, the most important airline first among equals, and similar words where nothing else matches. Not paged.',
  access: searchAccess,
  query: search,
  output: list(Airline.nullable()),
  tool: tool('Search airlines', 'Airlines, past ones too'),
  check: requireSearch,
  cached: { key: searchKey },
  run: async (call) => onePage((await searchFor(call, 'Airlines')) as (z.input<typeof Airline> | null)[]),
})

export const getAirline = operation({
  id: 'get-airline',
  method: 'GET',
  path: '/airlines/{id}',
  tag,
  summary: 'Read an airline',
  example: { params: { id: 3320 } },
  access,
  params: pathId,
  output: single(Airline),
  errors: ['not_found'],
  tool: { title: 'Read an airline', isForPrograms: true },
  async run({ input, db }) {
    const [airline] = await findAirlines(db, [input.id])
    if (!airline) throw notFound('Airline')
    return { data: airline }
  },
})

export const searchAircraft = operation({
  id: 'search-aircraft',
  method: 'GET',
  path: '/aircraft',
  tag,
  summary: 'Search aircraft types',
  example: { query: { query: 'A320' } },
  description:
    'The best 20 matches by ICAO or IATA type code or by name, the most common type first among equals, and similar words where nothing else matches. Not paged.',
  access: searchAccess,
  query: search,
  output: list(Aircraft.nullable()),
  tool: tool('Search aircraft types', 'Aircraft types'),
  check: requireSearch,
  cached: { key: searchKey },
  run: async (call) => onePage((await searchFor(call, 'Aircraft')) as (z.input<typeof Aircraft> | null)[]),
})

export const getAircraft = operation({
  id: 'get-aircraft',
  method: 'GET',
  path: '/aircraft/{id}',
  tag,
  summary: 'Read an aircraft type',
  example: { params: { id: 44 } },
  access,
  params: pathId,
  output: single(Aircraft),
  errors: ['not_found'],
  tool: { title: 'Read an aircraft type', isForPrograms: true },
  async run({ input, db }) {
    const [aircraft] = await findAircraft(db, [input.id])
    if (!aircraft) throw notFound('Aircraft')
    return { data: aircraft }
  },
})

/** Like `sourceOf`, with the caller's own records first among equals if the caller may read them. */
export const personalSourceOf = (call: Call): Source => ({
  ...sourceOf(call),
  ...(credentialMay(call.principal, 'flight.read.own') &&
    roleMayUse(call.principal, 'flight.read.own') && { traveller: travellerOf(call.principal) }),
})

/**
 * The committed reference data as of the start of the call, for the resolver. Also inside a transaction: an index
 * built for a search is cached, even if the transaction is rolled back.
 */
const sourceOf = ({ services, principal }: Call): Source => ({
  db: services.store.read,
  reference: services.reference,
  revision: principal.revisions.reference,
})
