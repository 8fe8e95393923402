// What the chips of the line say.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../testing/svelte-modules.ts'
import type { Airline } from '../api/types.ts'

const { meaningOf } = await import('./words.ts')

test('beside a number is the airline’s name, however long, not a code', () => {
  const airline = (name: string) => ({ id: 1, name, icao: 'BAW', iata: 'BA' }) as unknown as Airline
  for (const name of ['British Airways', 'SAS', 'British Overseas Airways Corporation']) {
    const lookup = { airport: () => null, airline: () => airline(name), aircraft: () => null }
    const flight = { kind: 'flight', sets: { flightNumber: 'BA117', airlineId: 1 } } as const
    assert.deepEqual(meaningOf(flight, lookup), { label: 'BA117', detail: name })
  }
})
