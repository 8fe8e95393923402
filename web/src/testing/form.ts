/** Shared by the tests of the form: a server, random flights, and forms of each kind. */

import assert from 'node:assert/strict'
import { after, beforeEach } from 'node:test'
import { derivedDuration } from '../../../server/domain/flights/flight.ts'
import type { FlightInput, FlightRecord } from '../api/types.ts'
import { airports, createRandom, randomFlight, startServer } from './flights.ts'
import { noServer, showKeys } from './svelte-modules.ts'

export const { FlightForm, storedDraft } = await import('../flights/form/form.svelte.ts')
export const { draftOf, emptyDraft } = await import('../draft/draft.ts')
type Form = InstanceType<typeof FlightForm>

const [copenhagen, newYork] = airports
const random = createRandom(10)
// `npm run mutate` runs these tests hundreds of times.
const FLIGHTS = process.env['MUTATED'] ? 40 : 200
export const flights = Array.from({ length: FLIGHTS }, () => randomFlight(random))
export const dated = flights.filter((flight) => flight.datePrecision === 'day')
export const nothingUnread = async () => true
export const copy = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value

export let server: ReturnType<typeof startServer>
/** Gives each test of the calling file its own server, no copies of forms, and keys instead of texts. */
export function useServer(): void {
  showKeys()
  beforeEach(() => {
    server = startServer()
    localStorage.removeItem('contrail.draft.7')
    localStorage.removeItem('contrail.draft.new')
  })
  after(noServer)
}

/** The form of a stored flight, restored from the copy in localStorage. */
export const formOf = async (flight: FlightRecord): Promise<Form> => {
  const draft = await draftOf(flight)
  return new FlightForm(flight.id, draft, { draft: copy(draft), base: null }, flight.version)
}
export const newForm = (): Form =>
  new FlightForm(null, emptyDraft({ id: 'ada', displayName: 'Ada' }, '2026-05-01'), null)

/** The body that saving the form sends. */
export async function sent(form: Form): Promise<FlightInput> {
  const before = server.saved.length
  await form.save(nothingUnread)
  assert.deepEqual([form.failure, form.errors], ['', {}])
  assert.equal(server.saved.length, before + 1)
  return server.saved.at(-1)!.body
}

/** A body as the server stores it: a missing duration follows from the times. */
export const stored = (body: FlightInput) => {
  const { passengers, ...fields } = body
  const duration = derivedDuration(body as Parameters<typeof derivedDuration>[0])
  // A passenger without custom field values may leave them out.
  return { ...fields, duration, passengers: passengers?.map((one) => ({ customFields: {}, ...one })) }
}

export async function filledIn(): Promise<Form> {
  const form = newForm()
  form.setAirport('from', copenhagen!)
  form.setAirport('to', newYork!)
  return form
}

/** Resolves when every request of the form has a response. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve))
}
