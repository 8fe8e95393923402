// Two people and a log: the start of the conversations of docs/mcp.md and of the sixteen requests.
import assert from 'node:assert/strict'
import type { TestApp, TestPerson } from '../harness.ts'

/** Date, route, number and further arguments of log-flight, as `name=value`. */
const flights = [
  // With a mistake: it landed before noon.
  '2018-06-01 CPH-LHR SK501 departureTime=08:10 arrivalTime=21:15',
  '2018-06-04 LHR-CPH SK502 departureTime=18:30 arrivalTime=21:20',
  '2019-02-11 CPH-LHR SK501 departureTime=08:10 arrivalTime=09:15',
  '2019-02-14 LHR-CPH SK502 departureTime=18:30 arrivalTime=21:20',
  '2019-05-03 CPH-ARN SK1418',
  '2019-05-05 ARN-CPH SK1415',
  '2019-08 FRA-LHR LH900 seatClass=economy',
  '2019-11-20 CPH-FRA LH827',
  '2019-11-22 FRA-CPH LH826',
  '2026-02-20 CPH-EWR SK909 departureTime=12:30 arrivalTime=15:05 seatNumber=12A',
  '2026-02-27 EWR-CPH SK910',
  '2026-07-01 CPH-NCE SK7881',
]

export interface Ada {
  ada: TestPerson
  grace: TestPerson
  /** An assistant's key. The earlier flights were added by another key. */
  key: string
}

export async function prepareLog(app: TestApp): Promise<Ada> {
  const [ada, grace] = [await app.person('owner'), await app.person()]
  await rename(app, ada, 'ada', 'Ada Lovelace')
  await rename(app, grace, 'grace', 'Grace Hopper')
  await logAll(app, ada, flights)
  await logAll(app, grace, ['2025-03-01 ARN-HEL AY804', '2025-03-03 HEL-ARN AY809'])
  app.clock.advance(60_000)
  return { ada, grace, key: await ada.key() }
}

async function rename(
  app: TestApp,
  person: TestPerson,
  username: string,
  displayName: string,
): Promise<void> {
  const body = { username, displayName }
  const { status, text } = await app.request('PUT', '/app/api/me', { cookie: await person.session(), body })
  assert.equal(status, 204, text)
}

async function logAll(app: TestApp, person: TestPerson, lines: readonly string[]): Promise<void> {
  const key = await person.key()
  for (const line of lines) {
    const [date, route = '', flightNumber, ...more] = line.split(' ')
    const [from, to] = route.split('-')
    const rest = Object.fromEntries(more.map((part) => part.split('=')))
    const body = { date, from, to, flightNumber, ...rest }
    const { status, text } = await app.request('POST', '/api/v1/flights/log', { key, body })
    assert.equal(status, 201, `${line}: ${text}`)
  }
}
