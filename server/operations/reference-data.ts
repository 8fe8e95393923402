// Airports, airlines and aircraft types: search and read.
import * as z from 'zod'
import { badRequest, notFound } from '../base/errors.ts'
import { because } from '../base/validation.ts'
import { type Call, credentialWith, operation } from '../operation.ts'
import { aircraftTypes, airlines, airports, type Source } from '../resolve/reference.ts'
import { findAircraft, findAirlines, findAirports } from '../store/reference.ts'
import { Codes, findEach } from './codes.ts'
import { Aircraft, Airline, Airport, list, onePage, pathId, single } from './schemas.ts'

const tag = 'Reference data'
const access = credentialWith(['reference_data.read'])

const search = z.object({
  query: z
    .string(because('query_required'))
    .trim()
    .min(1, because('query_required'))
    .max(200, because('query_too_long'))
    .optional()
    .describe('A code, or part of a name or city. Accents and case are ignored.')
    .meta({ example: 'copenhagen' }),
  codes: Codes,
})
type Search = z.output<typeof search>

const searchKey = ({ principal, input, now }: Call<Search>) =>
  `${principal.revisions.reference}/${input.codes === undefined ? input.query : `${now.toISOString().slice(0, 10)}/${input.codes}`}`

/** Exactly one of the two. */
function requireQueryOrCodes({ input: { query, codes } }: Call<Search>): void {
  if (query !== undefined && codes !== undefined) throw badRequest('query_or_codes')
  if (query === undefined && codes === undefined) throw badRequest('query_required')
}

export const searchAirports = operation({
  id: 'search-airports',
  method: 'GET',
  path: '/airports',
  tag,
  summary: 'Search airports',
  description:
    'The best 20 matches by code, name or city. Closed airports are found by their former codes. Not paged.',
  access,
  query: search,
  output: list(Airport.nullable()),
  check: requireQueryOrCodes,
  tool: { without: ['codes'], title: 'Search airports' },
  cacheKey: searchKey,
  run: async (call) => {
    const { principal, input, db, services } = call
    const found =
      input.codes === undefined
        ? await services.reference.searchAirports(db, principal.revisions.reference, input.query!)
        : await findEach(call, airports, input.codes)
    return onePage(found as (z.input<typeof Airport> | null)[])
  },
})

export const getAirport = operation({
  id: 'get-airport',
  method: 'GET',
  path: '/airports/{id}',
  tag,
  summary: 'Read an airport',
  access,
  params: pathId,
  output: single(Airport),
  errors: ['not_found'],
  tool: { title: 'Read an airport' },
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
  description: 'The best 20 matches by code or name, active airlines first. Not paged.',
  access,
  query: search,
  output: list(Airline.nullable()),
  check: requireQueryOrCodes,
  tool: { without: ['codes'], title: 'Search airlines' },
  cacheKey: searchKey,
  run: async (call) => {
    const { principal, input, db, services } = call
    return onePage(
      input.codes === undefined
        ? await services.reference.searchAirlines(db, principal.revisions.reference, input.query!)
        : await findEach(call, airlines, input.codes),
    )
  },
})

export const getAirline = operation({
  id: 'get-airline',
  method: 'GET',
  path: '/airlines/{id}',
  tag,
  summary: 'Read an airline',
  access,
  params: pathId,
  output: single(Airline),
  errors: ['not_found'],
  tool: { title: 'Read an airline' },
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
  description: 'The best 20 matches by ICAO or IATA type code or by name. Not paged.',
  access,
  query: search,
  output: list(Aircraft.nullable()),
  check: requireQueryOrCodes,
  tool: { without: ['codes'], title: 'Search aircraft types' },
  cacheKey: searchKey,
  run: async (call) => {
    const { principal, input, db, services } = call
    return onePage(
      input.codes === undefined
        ? await services.reference.searchAircraft(db, principal.revisions.reference, input.query!)
        : await findEach(call, aircraftTypes, input.codes),
    )
  },
})

export const getAircraft = operation({
  id: 'get-aircraft',
  method: 'GET',
  path: '/aircraft/{id}',
  tag,
  summary: 'Read an aircraft type',
  access,
  params: pathId,
  output: single(Aircraft),
  errors: ['not_found'],
  tool: { title: 'Read an aircraft type' },
  async run({ input, db }) {
    const [aircraft] = await findAircraft(db, [input.id])
    if (!aircraft) throw notFound('Aircraft')
    return { data: aircraft }
  },
})

/** The reference data as it was when the call began, for the resolver. */
export const sourceOf = ({ db, services, principal }: Call): Source => ({
  db,
  reference: services.reference,
  revision: principal.revisions.reference,
})
