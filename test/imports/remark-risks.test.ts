import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ImportWarningCode, importWarnings } from '../../server/domain/imports/imports.ts'
import { riskOf } from '../../server/domain/imports/remarks.ts'

const risk = (...codes: ImportWarningCode[]): number => riskOf(codes.map((code) => ({ code })))

test('what only explains a record is no remark', () => {
  assert.equal(risk(), 0)
  assert.equal(risk('diverted', 'arrival_from_duration'), 0)
  assert.ok(importWarnings.filter((code) => risk(code) > 0).length > 15)
})

test('names that were taken come first, then codes that moved, durations that disagree, and empty fields', () => {
  const order = [
    'airport_by_name',
    'airport_moved',
    'year_assumed',
    'airline_disagrees',
    'duration_disagrees',
    'times_dropped',
    'aircraft_unknown',
  ] as const
  const risks = order.map((code) => risk(code))
  assert.deepEqual(
    risks,
    [...risks].sort((a, b) => b - a),
  )
  assert.equal(new Set(risks).size, order.length)
  assert.equal(risk('aircraft_unknown', 'airport_by_name'), risk('airport_by_name'))
})
