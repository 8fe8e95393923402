// Flights and assertions that several suites use.
import assert from 'node:assert/strict'
import { type ReferenceSet, shippedSet } from '../server/services/reference/set.ts'
import type { Reply, TestApp, TestPerson } from './harness.ts'

export const airportIds = (app: TestApp, ...codes: string[]): Promise<number[]> =>
  Promise.all(codes.map((code) => app.airportId(code)))

/** For a restore that is about something else: loading the airports takes four seconds. A backup has those of its flights. */
export const withoutAirports = (): ReferenceSet => ({ ...shippedSet(), airports: () => [] })

/** Logs a flight through the API for this person, who is its only passenger unless the body says otherwise. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export async function logFlight(app: TestApp, who: TestPerson, flight: object): Promise<any> {
  const reply = await app.request('POST', '/api/v1/flights', {
    key: await who.key(),
    body: { passengers: [{ userId: who.id }], ...flight },
  })
  assert.equal(reply.status, 201, reply.text)
  return reply.json.data
}

/** Asserts that the response is this error, in the common shape. */
export function assertError(reply: Reply, status: number, code: string, path?: string[]): void {
  assert.equal(reply.status, status, reply.text)
  assert.equal(reply.json.error.code, code)
  if (path) {
    const paths = reply.json.error.details.map((detail: { path: string[] }) => detail.path)
    assert.ok(
      paths.some((found: string[]) => found.join('.') === path.join('.')),
      `${path.join('.')} is not among ${JSON.stringify(paths)}`,
    )
  }
}

/** The problems of a refusal: `from: ambiguous`. */
export const complaints = ({ json }: Reply): string[] =>
  json.error.details.map(
    ({ path, reason }: { path: string[]; reason: string }) => `${path.join('.')}: ${reason}`,
  )

/** The sentences of a response's warnings. */
export const messagesOf = ({ warnings }: { warnings: { message: string }[] }): string[] =>
  warnings.map(({ message }) => message)
