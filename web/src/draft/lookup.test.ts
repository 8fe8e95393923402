import '../testing/svelte-modules.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FlightRecord } from '../api/types.ts'
import type { LookupRow } from './lookup.ts'

const { emptyDraft } = await import('./draft.ts')
const { fillDraft, isInLog, offered, patchOf, proposals } = await import('./lookup.ts')

const airport = (id: number, iata: string) => ({ id, iata, name: iata })
const row = (source: string, more: object = {}, draft: object = {}) =>
  ({
    row: 1,
    verdict: 'new',
    updates: [],
    draft: { source, from: airport(1, 'GRU'), to: airport(2, 'ZRH'), ...draft },
    ...more,
  }) as unknown as LookupRow

test('flights of that day come before what is usual, and the own log before others', () => {
  const [own, day, usual] = [row('own'), row('aerodatabox'), row('adsbdb')]
  assert.deepEqual(offered([own, day]), [day])
  assert.deepEqual(offered([own, usual]), [own])
  assert.deepEqual(offered([usual]), [usual])
  assert.deepEqual(offered([row('aerodatabox', { verdict: 'skipped' })]), [])
})

test('a number is in the log in any spelling', () => {
  assert.equal(isInLog('lx 093', [{ flightNumber: null }, { flightNumber: 'LX93' }]), true)
  assert.equal(isInLog('LX94', [{ flightNumber: 'LX93' }]), false)
})

test('only what is empty is filled, and what differs is named', () => {
  const draft = emptyDraft(null, '2026-06-01')
  draft.texts.aircraftReg = 'HB-JNX'
  const times = { departure: '2026-06-01T18:40:00-03:00', arrival: '2026-06-02T10:51:00+02:00' }
  const found = row('aerodatabox', {}, { ...times, aircraftReg: 'HB-JNA', departureGate: '305' })
  const { filled, kept } = fillDraft(draft, found)
  assert.deepEqual(filled, ['from', 'to', 'departureGate', 'departure', 'arrival'])
  assert.deepEqual(kept, ['aircraftReg'])
  assert.deepEqual([draft.times.arrival.date, draft.times.arrival.time], ['2026-06-02', '10:51'])
  assert.equal(draft.times.departure.kept?.text, times.departure)
  assert.equal(draft.arrivalDateChosen, true)
})

test('times do not go with other airports', () => {
  const draft = emptyDraft(null, '2026-06-01')
  draft.from = airport(9, 'CPH') as typeof draft.from
  const { filled, kept } = fillDraft(
    draft,
    row('aerodatabox', {}, { departure: '2026-06-01T18:40:00-03:00' }),
  )
  assert.deepEqual([filled, kept, draft.times.departure.time], [['to'], ['from'], ''])
})

test('empty fields and planned times are safe to fill, others are not', () => {
  const plan = '2026-06-01T18:25:00-03:00'
  const flight = { departureScheduled: null, arrivalScheduled: null } as unknown as FlightRecord
  const updates = [
    { field: 'departure', from: '2026-06-01T21:25:00Z', to: '2026-06-01T18:40:00-03:00' },
    { field: 'arrival', from: '2026-06-02T10:55:00+02:00', to: '2026-06-02T10:51:00+02:00' },
    { field: 'aircraftReg', from: null, to: 'HB-JNA' },
    { field: 'aircraft', from: null, to: { id: 7, name: 'Boeing' } },
  ]
  const found = row(
    'aerodatabox',
    { updates },
    { departureScheduled: plan, arrivalScheduled: '2026-06-02T11:00:00+02:00' },
  )
  const all = proposals(flight, found)
  assert.deepEqual(
    all.map(({ isSafe }) => isSafe),
    [true, false, true, true],
  )
  assert.deepEqual(patchOf(all.slice(2)), { aircraftReg: 'HB-JNA', aircraftId: 7 })
})
