// Logs many flights in one request: valid flights are logged, and each of the others has an error.
import * as z from 'zod'
import { AppError, justDeleted } from '../../base/errors.ts'
import { inSteps } from '../../base/in-steps.ts'
import { requireValid } from '../../base/request/input.ts'
import { requireStorableText } from '../../base/request/storable-text.ts'
import { LOGGED_AT_MOST } from '../../domain/limits.ts'
import { RowId } from '../../domain/row-id.ts'
import { type Call, credentialWith, operation, takes } from '../../door/operation.ts'
import { inSavepoint } from '../../store/engine/savepoint.ts'
import { holdFlightChanges } from '../../store/history/changes.ts'
import { foreignKeyViolation, type Transaction } from '../../store/store.ts'
import { authorOf } from '../flights/author.ts'
import { orDryRun } from '../wire/dry-run.ts'
import { Flight, Warning } from '../wire/schemas.ts'
import { createReaders, draftFlight, type Readers, spokenOf } from './draft.ts'
import { type Spoken, SpokenFlight } from './input.ts'
import { createTextReader, rememberTexts, type TextReader } from './line.ts'
import { addDrafted, findRoute, lockLogging } from './log.ts'

const statuses = ['stored', 'would_store', 'duplicate', 'ambiguous', 'invalid'] as const

const LoggedItem = z
  .object({
    index: z.int().describe('Of the flight in the request; the first is 0.'),
    status: z.enum(statuses),
    flight: z
      .object({ ...Flight.shape, id: Flight.shape.id.optional() })
      .meta({ id: 'LoggedFlight' })
      .optional()
      .describe('As it was stored; without `id` in a dry run.'),
    reason: z.string().optional().describe('Why it was not stored, for the person.'),
    warnings: z.array(Warning),
    changeId: RowId.optional().describe('By which it can be undone.'),
  })
  .meta({ id: 'LoggedItem' })
type Logged = z.output<typeof LoggedItem>

/** An invalid entry passes the door too, and is rejected alone. (Zod calls this without a context for the schema.) */
const readAlone = <Schema extends z.ZodType>(schema: Schema) =>
  schema.catch((context) => context?.input as never)

const LogRequest = z
  .strictObject({
    flights: z
      .array(readAlone(z.union([z.record(z.string(), z.unknown()), z.string()])))
      .min(1)
      .max(LOGGED_AT_MOST)
      .describe('Each with the arguments of log_flight, or as a text.'),
    dryRun: z.boolean().default(false).describe('Only say what would happen.'),
  })
  .meta({ id: 'LogRequest' })
type LogCall = Call<z.output<typeof LogRequest>>

const count = z.int()

export const logFlights = operation({
  id: 'log-flights',
  method: 'POST',
  path: '/flights/log/bulk',
  tag: 'Flights',
  summary: 'Log many flights by codes or names and local times',
  example: {
    body: {
      flights: [
        { from: 'Copenhagen', to: 'ARN', date: '2026-03-09', departureTime: '7:40' },
        { text: 'SK1418 arn cph 2026-03-12 18:05' },
      ],
      dryRun: true,
    },
  },
  description:
    'Up to 100 flights, each like the body of log-flight. Those that can be logged are stored, all together; the others are not, and say why: `duplicate` (of the log, or of an earlier flight of the list), `ambiguous` (a name with several meanings) or `invalid`. Send those again once they are settled. With an Idempotency-Key a repeat stores nothing twice.',
  access: credentialWith(
    ['flight.read.own', 'flight.create.own', 'reference_data.read'],
    ['flight.passengers.manage.own'],
  ),
  body: takes(LogRequest, { size: 'many', textsCheckedLater: 'flights' }),
  output: z.object({
    data: z.array(LoggedItem).describe('In the order of the request.'),
    summary: z.object({
      stored: count,
      wouldStore: count,
      duplicate: count,
      ambiguous: count,
      invalid: count,
    }),
  }),
  transaction: 'own',
  tool: {
    title: 'Log many flights',
    description:
      'Add several flights in one call, such as a list that the person pasted: each with the arguments of log_flight, or {"text": "SK909 CPH EWR 20 feb 2026"}. The good ones are stored; the others come back as duplicate, ambiguous or invalid with the reason: ask about all of them together, then call again with those alone. With dryRun nothing is stored.',
    lines: ['data[].flight'],
    says: ({ data, summary: { stored, wouldStore } }) =>
      `${wouldStore > 0 ? 'Would store' : 'Stored'} ${stored + wouldStore} of ${data.length} flights.`,
  },
  async run(call) {
    const data = (call.progress?.done as Logged[] | null | undefined) ?? (await logList(call))
    return { data, summary: summaryOf(data) }
  },
})

/** One transaction under one lock; a dry run rolls it back. */
async function logList(call: LogCall): Promise<Logged[]> {
  const read = rememberTexts(createTextReader(call))
  const routes = await findRoutes(call, read)
  const { services, input } = call
  return orDryRun<Logged[]>(
    input.dryRun,
    (work) =>
      services.bulkTurns(async () => {
        await readTexts(call, read)
        return services.store.transaction(work)
      }),
    async (tx) => {
      const items = await logAll(call, tx, routes, read)
      if (!input.dryRun) await call.progress?.save(tx, items)
      return items
    },
  )
}

/** Providers are queried before the transaction, and only up to this limit. */
const LOOKUPS_AT_MOST = 20

async function findRoutes(call: LogCall, read: TextReader): Promise<unknown[]> {
  const routes: unknown[] = []
  if (call.services.lookups.providers.length === 0) return routes
  let asked = 0
  for (const [index, given] of call.input.flights.entries()) {
    if (asked === LOOKUPS_AT_MOST) break
    routes[index] = await routeOf(call, given, read)
    if (routes[index] !== undefined) asked++
  }
  return routes
}

/** Reading long texts is slow, and inside the transaction every other writer would wait. */
async function readTexts({ input }: LogCall, read: TextReader): Promise<void> {
  const readOne = async ([given]: readonly unknown[]) => {
    await unlessRefused(async () => spokenOf(requireSpoken(given), read, []))
  }
  await inSteps(input.flights, readOne, { size: 1 })
}

const routeOf = (call: LogCall, given: unknown, read: TextReader): Promise<unknown> =>
  unlessRefused(async () => findRoute(call, requireSpoken(given), read))

/** Problems with a flight are reported when it is logged. */
async function unlessRefused<Found>(work: () => Promise<Found>): Promise<Found | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    return undefined
  }
}

function requireSpoken(given: unknown): Spoken {
  requireStorableText(given)
  return requireValid(SpokenFlight, typeof given === 'string' ? { text: given } : given)
}

/** The changes are recorded at the end, because from then on other writers wait for their numbers (docs/decisions/006). */
async function logAll(
  call: LogCall,
  tx: Transaction,
  routes: readonly unknown[],
  read: TextReader,
): Promise<Logged[]> {
  const held = holdFlightChanges(tx)
  const inside: LogCall = { ...call, db: held.tx }
  await lockLogging(inside)
  const readers = createReaders(inside, read)
  const items: Logged[] = []
  // SQLite returns without waiting: without steps, no other request would run until the end.
  const logNext = async ([given]: readonly unknown[], index: number) => {
    const own = { ...inside, outcome: {}, prepared: routes[index] }
    const count = held.count()
    try {
      items.push(await inSavepoint(tx, () => logItem(own, index, given, readers)))
    } catch (error) {
      held.dropAfter(count)
      items.push(refusedItem(index, error, items))
    }
  }
  await inSteps(call.input.flights, logNext, { size: 1 })
  if (call.input.dryRun) return items.map((item) => withoutTrace(item, items))
  const numbers = await held.record(authorOf(call), call.now.toISOString())
  return items.map((item) => (item.flight ? { ...item, changeId: numbers.get(item.flight.id!)! } : item))
}

async function logItem(call: LogCall, index: number, given: unknown, readers: Readers): Promise<Logged> {
  const spoken = requireSpoken(given)
  const { data, warnings } = await addDrafted(call, spoken, await draftFlight(call, spoken, readers))
  return { index, status: 'stored', flight: data, warnings }
}

/** After a dry run, neither the flight nor others of the list that a warning names exist. */
function withoutTrace({ flight, ...item }: Logged, all: readonly Logged[]): Logged {
  if (!flight) return item
  const { id: _, ...planned } = flight
  const warnings = item.warnings.map(({ code, message }) => ({ code, message: withoutIds(message, all) }))
  return { ...item, status: 'would_store', flight: planned, warnings }
}

const withoutIds = (message: string, all: readonly Logged[]): string =>
  message.replace(/\(flight (\d+)\)/, (text, id) => {
    const twin = all.find(({ flight }) => flight?.id === Number(id))
    return twin ? `(flight ${twin.index} of this list)` : text
  })

// Errors

const ambiguousReasons = new Set([
  'ambiguous',
  'person_ambiguous',
  'person_nearly_matches',
  'text_names_similar',
  'text_names_period',
])

/** The same error as for a single call. An error that is not about this flight fails the whole request. */
function refusedItem(index: number, error: unknown, before: readonly Logged[]): Logged {
  const refusal = foreignKeyViolation(error) ? justDeleted() : error
  if (!(refusal instanceof AppError) || refusal.status >= 500) throw error
  if (refusal.problem.reason === 'likely_duplicate' || refusal.problem.reason === 'period_in_log') {
    const { id, date } = refusal.problem.params as { id: number; date: string }
    const twin = before.find(({ flight }) => flight?.id === id)
    const inList =
      refusal.problem.reason === 'period_in_log'
        ? `May be the same as flight % of this list, which has the date ${date}; set allowDuplicate to log both.`
        : 'The same as flight % of this list.'
    const reason = twin ? inList.replace('%', String(twin.index)) : `${refusal.message}.`
    return { index, status: 'duplicate', reason, warnings: [] }
  }
  const { details = [] } = refusal
  const isAmbiguous = details.length > 0 && details.every(({ reason }) => ambiguousReasons.has(reason))
  return { index, status: isAmbiguous ? 'ambiguous' : 'invalid', reason: wordsOf(refusal), warnings: [] }
}

/** Every problem, with its field. */
const wordsOf = ({ message, details = [] }: AppError): string =>
  (details.length === 0
    ? [message]
    : details.map(({ path, message: text }) => (path.length === 0 ? text : `${path.join('.')}: ${text}`))
  )
    .map((text) => text.replace(/\.?$/, '.'))
    .join(' ')

const summaryOf = (items: readonly Logged[]) => {
  const countOf = (status: Logged['status']) => items.filter((item) => item.status === status).length
  return {
    stored: countOf('stored'),
    wouldStore: countOf('would_store'),
    duplicate: countOf('duplicate'),
    ambiguous: countOf('ambiguous'),
    invalid: countOf('invalid'),
  }
}
