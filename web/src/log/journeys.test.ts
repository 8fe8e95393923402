import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR } from '../../../server/domain/time/durations.ts'
import type { Flight, LogPayload } from '../api/log.ts'
import { journeysOf, type Travellers } from './journeys.ts'
import { unionOf } from './people.ts'
import { inStep } from './step.ts'

const flight = (id: number, from: number, to: number, departs: string, people: string[]): Flight =>
  ({
    id,
    from: { id: from },
    to: { id: to },
    date: departs.slice(0, 10),
    datePrecision: 'day',
    departs: Date.parse(departs),
    arrives: Date.parse(departs) + HOUR,
    departureLocal: null,
    arrivalLocal: null,
    passengers: people.map((user) => ({ user })),
  }) as unknown as Flight

test('a stop at the home that each person chose is no layover, for one, several and everyone', () => {
  const flights = [
    flight(1, 1, 2, '2024-05-01T08:00Z', ['ada', 'bob']),
    flight(2, 2, 3, '2024-05-01T12:00Z', ['ada', 'bob']),
  ]
  const joined = (scope: Travellers['scope'], homes: [string, number][]) =>
    journeysOf(flights, { scope, me: 'ada', homes: new Map(homes), today: '2024-06-01' }).of.size > 0
  const several = { scope: 'several', userIds: ['ada', 'bob'] } as const
  assert.ok(joined({ scope: 'mine' }, []))
  assert.ok(!joined({ scope: 'mine' }, [['ada', 2]]))
  assert.ok(joined({ scope: 'mine' }, [['bob', 2]]), 'whose home it is matters')
  assert.ok(!joined({ scope: 'user', userId: 'bob' }, [['bob', 2]]))
  assert.ok(joined(several, [['ada', 2]]), 'Bob goes on')
  const both: [string, number][] = [
    ['ada', 2],
    ['bob', 2],
  ]
  assert.ok(!joined(several, both))
  assert.ok(!joined({ scope: 'all' }, both))
})

test('homes come with every log of others, and change without a flight', () => {
  const log = (of: string, homes?: Record<string, number>) =>
    ({
      of,
      partial: true,
      flights: [],
      removed: [],
      airports: {},
      users: {},
      ...(homes && { homes }),
    }) as unknown as LogPayload
  assert.deepEqual(unionOf([log('ada'), log('bob', { bob: 2 })]).homes, { bob: 2 })
  const kept = log('bob', { bob: 2 })
  assert.equal(inStep(kept, log('bob', { bob: 2 })), kept)
  assert.deepEqual(inStep(kept, log('bob', { bob: 3 })).homes, { bob: 3 })
  assert.equal(inStep(log('ada'), log('ada')).homes, undefined)
})
