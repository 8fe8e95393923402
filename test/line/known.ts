// Data with which the tests read lines: the reference data as in the web app, and a small log.
import { type LineReference, openLineData } from '../../server/domain/entry/line/data.ts'
import { rememberLog } from '../../server/domain/entry/line/memory.ts'
import type { LineDraft, LineFlight, LinePerson } from '../../server/domain/entry/line/types.ts'
import { makeLineData } from '../../server/services/reference/line-data.ts'
import { startTestApp } from '../harness.ts'

export const calendar = { today: '2026-11-16', order: 'day-first' } as const

export const people: LinePerson[] = [
  { userId: 'u1', name: 'Grace Hopper', username: 'grace' },
  { userId: null, name: 'Ada Lovelace' },
]

/** For an instance without its own records. */
export async function shippedReference(): Promise<{ reference: LineReference; close(): Promise<void> }> {
  const app = await startTestApp('sqlite')
  return { reference: openLineData(await makeLineData(app.store.read)), close: () => app.close() }
}

export const emptyLog = rememberLog([], people, null)

export const flight = (values: Partial<LineFlight>): LineFlight => ({
  date: '2026-10-03',
  flightNumber: null,
  fromId: null,
  toId: null,
  airlineId: null,
  aircraftId: null,
  departure: null,
  arrival: null,
  dayShift: null,
  seat: null,
  seatNumber: null,
  seatClass: null,
  reason: null,
  ...values,
})

/** A draft in one line, in the order of the names. */
export function shown(draft: LineDraft, { airports, airlines, aircraft }: LineReference): string {
  const { fromId, toId, viaIds, airlineId, aircraftId, arrival, people: aboard, ...rest } = draft
  const values: Record<string, string | undefined> = {
    ...rest,
    from: fromId === undefined ? undefined : airports.byId.get(fromId)!.icao,
    to: toId === undefined ? undefined : airports.byId.get(toId)!.icao,
    via: viaIds?.map((one) => airports.byId.get(one)!.icao).join('+'),
    airline: airlineId === undefined ? undefined : (airlines.byId.get(airlineId)!.iata ?? ''),
    aircraft: aircraftId === undefined ? undefined : (aircraft.byId.get(aircraftId)!.icao ?? ''),
    arrival: arrival && `${arrival.time}${arrival.dayShift === null ? '' : `+${arrival.dayShift}`}`,
    people: aboard?.map(({ userId, name }) => (userId === null ? name : `${userId}!`)).join('+'),
  }
  return Object.entries(values)
    .flatMap(([name, value]) => (value === undefined ? [] : `${name} ${value}`))
    .toSorted()
    .join(', ')
}
