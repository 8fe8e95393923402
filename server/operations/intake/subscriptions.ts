// Subscriptions to calendars (ICS addresses): TripIt, airlines, one's own. read-calendar.ts reads them.
import * as z from 'zod'
import { AppError, invalidField } from '../../base/errors.ts'
import { isLoopbackHost, isRefusedLiteral } from '../../base/network/outbound.ts'
import {
  CALENDAR_BYTES_AT_MOST,
  intakeProblems,
  intakeStatuses,
  SUBSCRIPTIONS_PER_PERSON,
} from '../../domain/intake/intake.ts'
import { pick } from '../../domain/pick.ts'
import { type Given, problem } from '../../domain/reasons.ts'
import { RowId } from '../../domain/row-id.ts'
import { type Call, credentialWith, operation, takes } from '../../door/operation.ts'
import type { Services } from '../../door/services.ts'
import { calendarAddress, type FetchedCalendar, fetchCalendar } from '../../services/intake/calendar.ts'
import { IntakeError, intakeRules, sealPurposes, unsealOrNot } from '../../services/intake/reach.ts'
import { findFlights } from '../../store/flights/flights.ts'
import { listByExternalValues } from '../../store/history/external-ids.ts'
import { type Subscription as StoredSubscription, subscriptions } from '../../store/intake/subscriptions.ts'
import type { Transaction } from '../../store/store.ts'
import { authorOf, recordBy } from '../access/authority.ts'
import { flightFacts } from '../flights/companions.ts'
import { showFlights } from '../flights/view.ts'
import { list, nothing, onePage, pathId, single, strictQuery, timestamp } from '../wire/schemas.ts'
import { intakeLease } from './intake.ts'
import { calendarSchedule, readFetched } from './read-calendar.ts'
import { reasonOf, type Turn } from './schedule.ts'

const tag = 'Imports'
const access = credentialWith(['flight.import.own'])
const URL_CHARACTERS_AT_MOST = 2000

const Subscription = z
  .object({
    id: RowId,
    url: z.string().nullable().describe('null if it cannot be read any more: subscribe again.'),
    name: z.string(),
    status: z
      .enum(intakeStatuses)
      .describe('`failing`: the last reading failed and is repeated. `suspended`: subscribe again.'),
    problem: z.enum(intakeProblems).nullable().describe('Why the last reading failed.'),
    httpStatus: z.int().nullable().describe('Of the last response.'),
    missing: z
      .array(
        z.object({
          flightId: RowId,
          date: z.string().meta({ format: 'date' }),
          from: z.string().nullable(),
          to: z.string().nullable(),
          flightNumber: z.string().nullable(),
        }),
      )
      .describe('Flights to come that the calendar had and has no longer. They are not deleted.'),
    lastCheckedAt: timestamp('When it was last read, or attempted to.').nullable(),
    lastChangedAt: timestamp('When it last had other contents.').nullable(),
    nextCheckAt: timestamp('When it is read again.'),
    createdAt: timestamp('When it was created.'),
  })
  .meta({ id: 'Subscription' })

const SubscriptionInput = z
  .strictObject({
    url: z
      .string()
      .trim()
      .min(1)
      .max(URL_CHARACTERS_AT_MOST)
      .describe('The address of an ICS file: https or webcal.')
      .meta({ example: 'https://example.org/trips.ics' }),
    name: z.string().trim().max(100).default('').describe('If empty, its host.'),
  })
  .meta({ id: 'SubscriptionInput' })

const listed = list(Subscription)

export const listSubscriptions = operation({
  id: 'list-subscriptions',
  method: 'GET',
  path: '/subscriptions',
  tag,
  summary: 'List your subscriptions to calendars',
  access,
  query: strictQuery({}),
  output: listed.extend({
    page: listed.shape.page.extend({
      available: z.boolean().describe('This server reads calendars.'),
      max: z.int().describe('How many a person may have.'),
    }),
  }),
  async run(call) {
    const found = await subscriptions.list(call.db, call.principal.user.id)
    const { data, page } = onePage(await Promise.all(found.map((one) => show(call, one))))
    const { subscriptions: available } = call.services.config
    return { data, page: { ...page, available, max: SUBSCRIPTIONS_PER_PERSON } }
  },
})

export const createSubscription = operation({
  id: 'create-subscription',
  method: 'POST',
  path: '/subscriptions',
  tag,
  summary: 'Subscribe to a calendar',
  description:
    'It is read at once, and then every hour. New flights enter the log by themselves if they are complete and confirmed; what else it has waits as an import. A flight that disappears from it is never deleted.',
  example: { body: { url: 'https://example.org/trips.ics', name: 'TripIt' } },
  access,
  query: strictQuery({}),
  body: takes(SubscriptionInput),
  output: single(Subscription),
  status: 201,
  errors: ['conflict', 'too_many_requests'],
  transaction: 'own',
  location: ({ data }) => `/subscriptions/${data.id}`,
  check: calendarSchedule.requireOn,
  async run(call) {
    const { services, input } = call
    const before = call.progress?.done as { id: number } | null | undefined
    if (before) return { data: await show(call, await calendarSchedule.own({ ...call, input: before })) }
    const url = requireUrl(input.url, services)
    services.limits.reach(call.principal.user.id)
    const fetched = await fetchOrRefuse(services, url)
    const turn = await services.store.transaction((tx) => save({ ...call, db: tx }, url))
    const after = await readFetched(services, turn, fetched)
    return { data: await show(call, after ?? turn.source) }
  },
})

export const checkSubscription = operation({
  id: 'check-subscription',
  method: 'POST',
  path: '/subscriptions/{id}/check',
  tag,
  summary: 'Read a calendar now',
  example: { params: { id: 1 } },
  access,
  params: pathId,
  query: strictQuery({}),
  output: single(Subscription),
  errors: ['not_found', 'conflict', 'too_many_requests'],
  transaction: 'own',
  check: calendarSchedule.requireOn,
  target: { find: calendarSchedule.own },
  async run(call) {
    return { data: await show(call, await calendarSchedule.readNow(call, call.target)) }
  },
})

export const deleteSubscription = operation({
  id: 'delete-subscription',
  method: 'DELETE',
  path: '/subscriptions/{id}',
  tag,
  summary: 'End a subscription',
  description: 'What was imported from it stays.',
  example: { params: { id: 2 } },
  access,
  params: pathId,
  query: strictQuery({}),
  output: nothing,
  status: 204,
  errors: ['not_found'],
  target: { find: calendarSchedule.own },
  async run(call) {
    await calendarSchedule.delete(call)
    await record(call, 'subscription.deleted', call.target)
  },
})

// Rules

/** https, or plain http to this machine if the instance is only reachable from it. */
function requireUrl(text: string, { config }: Pick<Services, 'config'>): URL {
  const rules = intakeRules(config)
  const url = calendarAddress(text)
  const isSecure =
    url?.protocol === 'https:' ||
    (url?.protocol === 'http:' && rules.loopback && isLoopbackHost(url.hostname))
  // Other notations of an address, such as http://2130706433, are only used to deceive.
  const isPlain = url && text.toLowerCase().includes(`//${url.hostname.toLowerCase()}`)
  const isAddress = url && /^(?:\[|[\d.]+$)/.test(url.hostname)
  if (!url || url.username || url.password || (isAddress && !isPlain))
    throw invalidField(['url'], 'calendar_url_form')
  // Checked first, because https would not help.
  if (isRefusedLiteral(url, rules)) throw invalidField(['url'], 'intake_address_refused')
  if (!isSecure) throw invalidField(['url'], 'calendar_url_form')
  url.hash = ''
  return url
}

/** Fetches during the request, so that problems are reported while the person is there. */
async function fetchOrRefuse(services: Services, url: URL): Promise<FetchedCalendar> {
  try {
    return await fetchCalendar(url, { etag: null, lastModified: null }, intakeRules(services.config))
  } catch (error) {
    if (!(error instanceof IntakeError)) throw error
    throw invalidField(['url'], refusalOf(error))
  }
}

function refusalOf({ problem: found, status = 0 }: IntakeError): Given {
  if (found === 'http_status') return problem('intake_http_status', { status })
  if (found === 'too_large') return problem('intake_too_large', { max: CALENDAR_BYTES_AT_MOST })
  return reasonOf(found)
}

async function save(
  call: Call<z.output<typeof SubscriptionInput>> & { db: Transaction },
  url: URL,
): Promise<Turn<StoredSubscription>> {
  const { principal, input, db, services } = call
  const userId = principal.user.id
  const own = await calendarSchedule.countable(db, userId)
  if (own.some((one) => urlOf(services, one) === url.href))
    throw new AppError('conflict', 'already_subscribed')
  if (own.length >= SUBSCRIPTIONS_PER_PERSON)
    throw new AppError('conflict', problem('too_many_subscriptions', { max: SUBSCRIPTIONS_PER_PERSON }))
  const { lease, now, until } = intakeLease(services)
  const subscription = await subscriptions.insert(db, {
    userId,
    url: services.secret.seal(sealPurposes.subscription(userId), url.href),
    host: url.host,
    name: input.name || url.hostname,
    lease,
    until,
    now,
  })
  await record(call, 'subscription.created', subscription)
  await call.progress?.save(db, { id: subscription.id })
  return { source: subscription, lease }
}

const urlOf = (
  { secret }: Pick<Services, 'secret'>,
  { userId, url }: StoredSubscription,
): string | undefined => unsealOrNot(secret, sealPurposes.subscription(userId), url)

// Output

async function show(call: Call, subscription: StoredSubscription): Promise<z.input<typeof Subscription>> {
  return {
    id: subscription.id,
    url: urlOf(call.services, subscription) ?? null,
    ...pick(subscription, ['name', 'status', 'problem', 'httpStatus']),
    missing: await missingFlights(call, subscription),
    ...pick(subscription, ['lastCheckedAt', 'lastChangedAt', 'nextCheckAt', 'createdAt']),
  }
}

/** Today's and later flights only: calendars drop past events. */
async function missingFlights(
  call: Call,
  { userId, memory }: StoredSubscription,
): Promise<z.input<typeof Subscription>['missing']> {
  if (memory.missing.length === 0) return []
  const { read } = call.services.store
  const holders = await listByExternalValues(read, memory.missing, { userId })
  const flights = await findFlights(read, [...new Set(holders.map(({ flightId }) => flightId))])
  const today = call.now.toISOString().slice(0, 10)
  const coming = flights.filter(({ date }) => date >= today)
  return (await showFlights({ ...call, db: read }, coming)).map((flight) => {
    const { flightId, date, from, to, flightNumber } = flightFacts(flight)
    return { flightId, date, from, to, flightNumber }
  })
}

/** Without the address, which is often a secret. */
const record = (
  call: Call,
  kind: 'subscription.created' | 'subscription.deleted',
  { id, name, host }: StoredSubscription,
) => recordBy(authorOf(call), call.db, kind, { details: { subscription: id, name, host } })
