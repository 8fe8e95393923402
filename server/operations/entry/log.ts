// Logging a flight with codes or names and local times, as people describe flights. Made for AI assistants; scripts
// use it too.
import * as z from 'zod'
import { RowId } from '../../domain/row-id.ts'
import { type Call, credentialWith, operation, takes } from '../../door/operation.ts'
import { incrementRevisions, loggingFor } from '../../store/engine/revisions.ts'
import { flightInWords } from '../flights/find/sentence.ts'
import { requireNoDuplicate } from '../flights/likely-duplicates.ts'
import { addFlight } from '../flights/writing.ts'
import { Flight, Warning } from '../wire/schemas.ts'
import { findElsewhere } from './by-number.ts'
import { createReaders, type Drafted, draftFlight, inWordsOfLog, spokenOf } from './draft.ts'
import { type Spoken, SpokenFlight } from './input.ts'
import { createTextReader, rememberTexts, type TextReader, Understood } from './line.ts'

export const logFlight = operation({
  id: 'log-flight',
  method: 'POST',
  path: '/flights/log',
  tag: 'Flights',
  summary: 'Log a flight by codes or names and local times',
  example: {
    body: { flightNumber: 'SK 1419', from: 'CPH', to: 'ARN', date: '2026-03-02', departureTime: '07:40' },
  },
  description:
    'Resolves airports, airline and aircraft by code or name, and the airports’ time zones. `text` alone will do: what of it was not understood goes into the note, and `warnings` says so. With a flight number alone the route is taken from your last flight of that number, else from the provider that this instance asks. A flight that resembles another one is refused with `conflict` unless `allowDuplicate` is set. The names `departure`, `arrival`, `aircraftReg`, `flightReason`, `companionIds` and `confirmDuplicate`, and companions as a list of names, are deprecated and still accepted.',
  access: credentialWith(
    ['flight.read.own', 'flight.create.own', 'reference_data.read'],
    ['flight.passengers.manage.own'],
  ),
  body: takes(SpokenFlight, { size: 'long' }),
  transaction: 'recorded last',
  output: z.object({
    data: Flight,
    warnings: z.array(Warning).describe('Assumptions and implausible values; tell the user.'),
    changeId: RowId.nullable().describe('By which the change can be undone.'),
    understood: z
      .array(Understood)
      .optional()
      .describe('What the words of `text` were taken for, in its order.'),
  }),
  status: 201,
  errors: ['conflict'],
  location: ({ data }) => `/flights/${data.id}`,
  tool: {
    title: 'Log a flight',
    without: ['lookup'],
    description:
      'Add one flight that the person took or will take, by codes or names and the local times on the ticket, or in their own words as text: {"text": "SK909 20 feb 12a with Grace"}. A name that may mean several airports is refused with the candidates: ask, then give the code. A flight that is in the log already is refused too and named: ask before you set allowDuplicate. Tell the person the warnings. Several flights: log_flights.',
    lines: ['data'],
    brief: ({ understood: _, ...logged }) => logged,
    refusesUnknown: true,
    says: ({ data }) => `Logged ${flightInWords(data)}.`,
  },
  // Reads the log, names and people. This is slow for a long log, and inside the transaction every other writer would wait.
  async prepare(call) {
    const read = rememberTexts(createTextReader(call))
    const prepared = await findRoute(call, call.input, read)
    return draftFlight({ ...call, prepared }, call.input, createReaders(call, read))
  },
  async run(call) {
    await lockLogging(call)
    const { understood, ...logged } = await addDrafted(call, call.input, call.prepared as Drafted)
    return { ...logged, ...(understood && { understood }) }
  },
})

/** If two calls run concurrently, the second must detect the first one's flight as a duplicate. */
export const lockLogging = ({ db, principal }: Call): Promise<unknown> =>
  incrementRevisions(db, [loggingFor(principal.user.id)])

/** Queries the provider for the route of a number, for `call.prepared`. */
export async function findRoute(call: Call, given: Spoken, read: TextReader): Promise<unknown> {
  if (given.lookup === false || call.services.lookups.providers.length === 0) return undefined
  return findElsewhere(call, (await spokenOf(given, read, [])).spoken)
}

/** Runs inside the transaction that holds the lock, and may run again with the same draft. */
export async function addDrafted(call: Call, spoken: Spoken, { flight, understood, ...draft }: Drafted) {
  const warnings = [...draft.warnings]
  if (!spoken.allowDuplicate) warnings.push(...(await requireNoDuplicate(call, flight)))
  const data = await addFlight(call, flight).catch((error) => {
    throw inWordsOfLog(error)
  })
  return { data, warnings, changeId: call.outcome.changeId ?? null, understood }
}
