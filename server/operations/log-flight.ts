// Logging a flight by codes or names and local times, as people describe flights. Made for AI assistants; scripts use it
// too.
import * as z from 'zod'
import { type Call, credentialWith, operation } from '../operation.ts'
import { incrementRevisions, loggingFor } from '../store/revisions.ts'
import { addFlight } from './flight-writing.ts'
import { requireNoDuplicate } from './likely-duplicates.ts'
import { findElsewhere } from './log-by-number.ts'
import { draftFlight, spokenOf } from './log-draft.ts'
import { type Spoken, SpokenFlight } from './log-input.ts'
import { createTextReader, Understood } from './log-text.ts'
import { Flight, Warning } from './schemas.ts'

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
  body: SpokenFlight,
  output: z.object({
    data: Flight,
    warnings: z.array(Warning).describe('Assumptions and implausible values; tell the user.'),
    changeId: z.int().nullable().describe('By which the change can be undone.'),
    understood: z
      .array(Understood)
      .optional()
      .describe('What the words of `text` were taken for, in its order.'),
  }),
  status: 201,
  errors: ['conflict'],
  location: ({ data }) => `/flights/${data.id}`,
  tool: {
    title: 'Log a flight by codes and times',
    lines: ['data'],
    without: ['lookup'],
    description:
      'Add a flight that the person took or will take, by airport codes and local times, or in their own words as text; no ids are needed. Airport codes, airline, aircraft and time zones are resolved here: pass local times as printed on the ticket and do not convert them. If it looks like a duplicate the call is refused and says of which flight; ask the person before calling again with allowDuplicate. Tell the person about any warnings in the response.',
  },
  async prepare(call) {
    if (call.input.lookup === false || call.services.lookups.providers.length === 0) return undefined
    return findElsewhere(call, (await spokenOf(call.input, createTextReader(call), [])).spoken)
  },
  async run(call) {
    await lockLogging(call)
    return logOne(call, call.input)
  },
})

/** Of two calls at once, the second must find the first one's flight as a duplicate. */
const lockLogging = ({ db, principal }: Call): Promise<unknown> =>
  incrementRevisions(db, [loggingFor(principal.user.id)])

async function logOne(call: Call, spoken: Spoken) {
  const { flight, warnings, understood } = await draftFlight(call, spoken, createTextReader(call))
  if (!spoken.allowDuplicate) await requireNoDuplicate(call, flight)
  const data = await addFlight(call, flight)
  const changeId = call.outcome.changeId ?? null
  return { data, warnings, changeId, ...(understood && { understood }) }
}
