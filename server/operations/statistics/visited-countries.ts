// The caller's countries: those they marked, and those derived from their flights.
import * as z from 'zod'
import { runSteps } from '../../base/in-steps.ts'
import { because } from '../../base/request/validation.ts'
import {
  countFlightsByCountry,
  countriesFlownTo,
  isCountry,
  shownCountry,
  visitStatuses,
} from '../../domain/reference/countries.ts'
import { RowId } from '../../domain/row-id.ts'
import { shortened } from '../../domain/text/shown-text.ts'
import { utcDate } from '../../domain/time/calendar.ts'
import { homesOverTime, joinFlights } from '../../domain/trips/journey.ts'
import { credentialWith, operation, takes } from '../../door/operation.ts'
import { recordChanges } from '../../store/history/changes.ts'
import { listHomeAirports } from '../../store/people/people.ts'
import {
  deleteVisitedCountry,
  findVisitedCountry,
  listVisitedCountries as listStored,
  upsertVisitedCountry,
} from '../../store/statistics/visited-countries.ts'
import type { Executor } from '../../store/store.ts'
import { loadLog, withoutCancelled } from '../flights/flown.ts'
import { legsOf } from '../trips/journeys.ts'
import { list, nothing, onePage, single, strictQuery } from '../wire/schemas.ts'

const tag = 'Personal data'

export const VisitedCountry = z
  .object({
    id: RowId,
    code: z.string().describe('ISO 3166-1 alpha-2, or XK.'),
    status: z.enum(visitStatuses),
    note: z.string().nullable(),
  })
  .meta({ id: 'VisitedCountry', example: { id: 7, code: 'JP', status: 'visited', note: null } })

export const listVisitedCountries = operation({
  id: 'list-visited-countries',
  method: 'GET',
  path: '/visited-countries',
  tag,
  summary: 'List your visited countries',
  access: credentialWith(['visited_countries.read']),
  output: list(VisitedCountry),
  tool: {
    title: 'List visited countries',
    brief: ({ data, page }) => ({ data: data.map(briefCountry), page }),
    says: ({ data }) => countriesInWords(data),
  },
  run: async ({ principal, db }) => onePage(await listShownCountries(db, principal.user.id)),
})

type Shown = z.output<typeof VisitedCountry>

/** Assistants identify a country by its code. */
const briefCountry = ({ code, status, note }: Shown) => ({ code, status, ...(note === null ? {} : { note }) })

const NOTE_CHARACTERS = 40
const noteOf = ({ note }: Shown): string => (note === null ? '' : ` (${shortened(note, NOTE_CHARACTERS)})`)

const countriesInWords = (countries: readonly Shown[]): string =>
  visitStatuses
    .map((status) => ({ status, all: countries.filter((country) => country.status === status) }))
    .filter(({ all }) => all.length > 0)
    .map(
      ({ status, all }) =>
        `${status}, ${all.length}: ${all.map((one) => `${shownCountry(one.code)}${noteOf(one)}`).join(', ')}.`,
    )
    .join('\n') || 'No country is marked.'

/** Without marks whose code is no longer a country. */
export const listShownCountries = async (db: Executor, userId: string) =>
  (await listStored(db, { userId })).filter(({ code }) => isCountry(code))

export const setVisitedCountry = operation({
  id: 'set-visited-country',
  method: 'PUT',
  path: '/visited-countries',
  tag,
  summary: 'Set your status for a country',
  example: { body: { code: 'JP', status: 'visited' } },
  description: 'Creates or replaces your status and note for the country.',
  access: credentialWith(['visited_countries.write']),
  body: takes(
    z.object({
      code: z
        .string()
        .length(2)
        .toUpperCase()
        .refine(isCountry, because('unknown_country'))
        .describe('Two letters, ISO 3166-1.'),
      status: z.enum(visitStatuses),
      note: z.string().max(1000).nullable().default(null),
    }),
  ),
  output: single(VisitedCountry),
  tool: {
    title: 'Set your status for a country',
    says: ({ data }) => `${shownCountry(data.code)}: ${data.status}${noteOf(data)}.`,
  },
  async run({ principal, input, db, now }) {
    const { id: userId } = principal.user
    const before = await findVisitedCountry(db, { userId, code: input.code })
    if (before && before.status === input.status && before.note === input.note) return { data: before }
    const data = await upsertVisitedCountry(db, userId, input)
    const kind = before ? 'updated' : 'created'
    await recordChanges(db, userId, [{ type: 'visited_country', id: data.id, kind }], now.toISOString())
    return { data }
  },
})

export const removeVisitedCountry = operation({
  id: 'remove-visited-country',
  method: 'DELETE',
  path: '/visited-countries',
  tag,
  summary: 'Remove your status for a country',
  example: { query: { code: 'NO' } },
  access: credentialWith(['visited_countries.write']),
  query: z.object({
    code: z
      .string('code parameter is required')
      .toUpperCase()
      .refine(isCountry, because('unknown_country'))
      .meta({ example: 'JP' }),
  }),
  output: nothing,
  status: 204,
  tool: { title: 'Remove a country', destructive: true },
  async run({ principal, input, db, now }) {
    const deleted = await deleteVisitedCountry(db, { userId: principal.user.id, code: input.code })
    const changes = deleted.map(({ id }) => ({ type: 'visited_country', id, kind: 'deleted' }) as const)
    await recordChanges(db, principal.user.id, changes, now.toISOString())
  },
})

const FlownCountry = z
  .object({
    code: z.string().describe('ISO 3166-1 alpha-2, or XK.'),
    status: z
      .enum(['visited', 'layover'])
      .describe('`layover` if you only changed planes there, by the rule of `GET /journeys`.'),
    flights: z.int().describe('Completed flights that began or ended there.'),
  })
  .meta({ id: 'FlownCountry', example: { code: 'JP', status: 'visited', flights: 4 } })

export const listFlownCountries = operation({
  id: 'list-flown-countries',
  method: 'GET',
  path: '/visited-countries/flown',
  tag,
  summary: 'List the countries you have flown to',
  description:
    'Derived from your completed flights, ordered by code. Your own statuses, which take precedence, are in `GET /visited-countries`.',
  access: credentialWith(['visited_countries.read', 'flight.read.own']),
  query: strictQuery({}),
  output: list(FlownCountry),
  async run(call) {
    const { principal, now } = call
    const log = withoutCancelled(await loadLog(call, principal.user.id, principal.revisions.reference))
    const flown = log.flights.filter((_, i) => log.completions[i]! < now.getTime())
    const legs = await legsOf({ flights: flown, records: log.records })
    const peopleOn = () => [principal.user.id]
    const homes = await listHomeAirports(call.db, principal.user.id)
    const homeOf = await runSteps(homesOverTime(legs, peopleOn, homes, utcDate(now.getTime())))
    const journeys = await runSteps(joinFlights(legs, { peopleOn, homeOf }))
    const flights = countFlightsByCountry(legs)
    return onePage(
      [...countriesFlownTo(journeys)]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([code, status]) => ({ code, status, flights: flights.get(code) ?? 0 })),
    )
  },
})
