import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noFilters, toQuery } from '../log/filters.ts'
import { narrowed } from './behind.ts'

const query = (page: object, figure: object) =>
  decodeURIComponent(toQuery(narrowed({ ...noFilters, ...page }, figure)).toString())

test('a figure narrows what the page shows, and never widens it', () => {
  assert.equal(query({ years: [2024, 2025] }, { years: [2025] }), 'year=2025')
  assert.equal(query({ airports: [1, 2] }, { airports: [2] }), 'airport=2')
  assert.equal(query({ airports: [1] }, { airports: [3] }), 'airport=1&and=airport:3')
  assert.equal(query({ countries: ['DK'] }, { countries: ['DE'] }), 'country=DK&and=country:DE')
  assert.equal(query({ airports: [1], also: ['airport:3'] }, { airports: [3] }), 'airport=1&and=airport:3')
  const spring = { after: '2024-03-01', before: '2024-05-31' }
  const year = { after: '2024-01-01', before: '2024-12-31' }
  assert.equal(query(spring, year), 'after=2024-03-01&before=2024-05-31')
  assert.equal(query(year, spring), 'after=2024-03-01&before=2024-05-31')
})
