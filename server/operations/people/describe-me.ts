// The caller as a conversation needs it: name, home, units, today's date, and what this credential may do. Assistants
// read it first.
import * as z from 'zod'
import { runSteps } from '../../base/in-steps.ts'
import { grantableScopes, type Scope, scopeDescription, scopes } from '../../domain/access/access.ts'
import { defaultPreferences, preferenceValues } from '../../domain/people/preferences.ts'
import { airportCode } from '../../domain/reference/code-periods.ts'
import { utcDate } from '../../domain/time/calendar.ts'
import { localDate } from '../../domain/time/time.ts'
import { usualAirport } from '../../domain/trips/journey.ts'
import { anyCredential, type Call, operation } from '../../door/operation.ts'
import { credentialMay, type Principal, roleMayUse } from '../../services/access/principal.ts'
import { findPreferences } from '../../store/people/people.ts'
import type { Airport } from '../../store/reference/records.ts'
import { loadLog, withoutCancelled } from '../flights/flown.ts'
import { legsOf } from '../trips/journeys.ts'
import { single } from '../wire/schemas.ts'

const Described = z
  .object({
    name: z.string(),
    username: z.string(),
    today: z
      .string()
      .describe('Where the home airport is, if it is set, else in UTC.')
      .meta({ format: 'date' }),
    home: z
      .object({
        code: z.string(),
        name: z.string(),
        city: z.string().nullable(),
        chosen: z.boolean().describe('Set in the preferences; false: where most journeys began or ended.'),
      })
      .nullable()
      .describe('null if it is not known, or not for this credential to know.'),
    units: z
      .object({
        distance: z.enum(preferenceValues.distanceUnit),
        time: z.enum(preferenceValues.timeFormat),
        language: z.enum(preferenceValues.language),
      })
      .nullable()
      .describe(
        'In which the person reads; results are in kilometres and seconds. null without `profile.read`.',
      ),
    may: z.array(z.string()).describe('What this credential may do, in words.'),
    scopes: z.array(z.enum(scopes)).describe('The same as scopes.'),
    more: z.string().describe('How to permit more.'),
  })
  .meta({ id: 'DescribedMe' })

export const describeMe = operation({
  id: 'describe-me',
  method: 'GET',
  path: '/me/description',
  tag: 'Personal data',
  summary: 'Read who the caller is and what this credential may do, in words',
  access: anyCredential,
  output: single(Described),
  async run(call) {
    const { principal } = call
    const preferences = await preferencesFor(call)
    const usable = usableScopes(principal)
    const chosen = await airportWith(call, preferences?.homeAirportId ?? null)
    const home = chosen ?? (await usualHome(call))
    return {
      data: {
        name: principal.user.displayName,
        username: principal.user.username,
        today: dayAt(call, chosen),
        home: home && {
          code: airportCode(home),
          name: home.name,
          city: home.municipality,
          chosen: chosen !== null,
        },
        units: preferences && {
          distance: preferences.distanceUnit,
          time: preferences.timeFormat,
          language: preferences.language,
        },
        may: usable.map(scopeDescription),
        scopes: usable,
        more: hasAll(principal, usable)
          ? 'It may do everything that your role permits.'
          : howToGetMore(principal),
      },
    }
  },
})

type Asking = Pick<Call, 'db' | 'now' | 'principal' | 'services'>

/** Today at the person's home airport: assistants interpret "today" and "yesterday" by it. */
export const todayFor = async (asking: Asking): Promise<string> =>
  dayAt(asking, await airportWith(asking, (await preferencesFor(asking))?.homeAirportId ?? null))

const dayAt = ({ now }: Asking, home: Airport | null): string =>
  home ? localDate(now.getTime(), home.timezone) : utcDate(now.getTime())

/** The scopes that both the credential and the role grant. */
export const usableScopes = (principal: Principal): Scope[] =>
  scopes.filter((scope) => mayUse(principal, scope))

const mayUse = (principal: Principal, scope: Scope): boolean =>
  credentialMay(principal, scope) && roleMayUse(principal, scope)

export const howToGetMore = ({ kind }: Pick<Principal, 'kind'>): string =>
  kind === 'oauth'
    ? 'For more, the person can approve this app again with more permissions.'
    : 'A key with more scopes can be made in Settings, Advanced, API keys.'

const hasAll = ({ permissions }: Principal, usable: readonly Scope[]): boolean =>
  grantableScopes(permissions).every((scope) => usable.includes(scope))

/** Why a caller may not use a scope, and who can change that. */
export function whyNot(principal: Principal, scope: Scope): string {
  const what = `“${scopeDescription(scope)}”`
  const changed = 'An administrator can change the role in Settings, Advanced, Roles.'
  const isGrantable = grantableScopes(principal.permissions).includes(scope)
  if (principal.kind === 'session') return `Your role does not permit ${what}. ${changed}`
  const missing = `This ${principal.kind === 'oauth' ? 'app' : 'key'} lacks the scope ${scope} (${what})`
  if (!isGrantable) return `${missing}, and the person’s role does not permit it. ${changed}`
  return principal.kind === 'oauth'
    ? `${missing}. To allow it, connect the app again and approve this permission.`
    : `${missing}. ${howToGetMore(principal)}`
}

async function preferencesFor({ db, principal }: Asking) {
  if (!mayUse(principal, 'profile.read')) return null
  return { ...defaultPreferences, ...(await findPreferences(db, principal.user.id)) }
}

async function airportWith({ db, principal, services }: Asking, id: number | null): Promise<Airport | null> {
  if (id === null) return null
  const wanted = { airports: [id], airlines: [], aircraft: [] }
  return (
    (await services.reference.records(db, principal.revisions.reference, wanted)).airports.get(id) ?? null
  )
}

/** Derived from the person's flights, if the credential may read them. */
async function usualHome(call: Asking): Promise<Airport | null> {
  const { principal, now } = call
  if (!mayUse(principal, 'flight.read.own')) return null
  const log = withoutCancelled(await loadLog(call, principal.user.id, principal.revisions.reference))
  const home = await runSteps(usualAirport(await legsOf(log), utcDate(now.getTime())))
  return home === null ? null : (log.records.airports.get(home) ?? null)
}
