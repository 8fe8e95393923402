// The language of the reader decides what cities are called, and both names find them.
import '../testing/svelte-modules.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Flight } from '../api/log.ts'

const { setLocale } = await import('./i18n.svelte.ts')
const { airportCity } = await import('../lib/format.ts')
const { airportOptions, matching } = await import('../log/options.ts')
const { candidates } = await import('../trips/facts.ts')

const place = (id: number, iata: string, municipality: string | null, country: string) => ({
  ...{
    id,
    iata,
    icao: `X${iata}`,
    name: `${iata} Airport`,
    municipality,
    country,
    latitude: 50,
    longitude: 10,
  },
})
const cph = place(1, 'CPH', 'Copenhagen', 'DK')
const hnd = place(2, 'HND', 'Tokyo', 'JP')
const flight = {
  ...{ id: 1, date: '2025-03-01', datePrecision: 'day', from: cph, to: hnd, outcome: 'flown' },
  ...{ flightNumber: 'SK983', airline: null },
} as unknown as Flight

test('a city has the name of the language, and without one its own', async () => {
  const texts = []
  for (const locale of ['de', 'fr', 'es', 'it', 'en'] as const) {
    await setLocale(locale)
    texts.push([cph, hnd, place(3, 'FLO', 'Florence', 'US'), place(4, 'ZZZ', null, 'DK')].map(airportCity))
  }
  assert.deepEqual(texts, [
    ['Kopenhagen', 'Tokio', 'Florence', 'ZZZ Airport'],
    ['Copenhague', 'Tokyo', 'Florence', 'ZZZ Airport'],
    ['Copenhague', 'Tokio', 'Florence', 'ZZZ Airport'],
    ['Copenaghen', 'Tokyo', 'Florence', 'ZZZ Airport'],
    ['Copenhagen', 'Tokyo', 'Florence', 'ZZZ Airport'],
  ])
})

test('filters and trips find a city by the name that is shown, and by its English one', async () => {
  await setLocale('de')
  for (const text of ['Kopenhagen', 'copenhagen', 'tokio', 'TOKYO']) {
    assert.equal(matching(airportOptions([flight]), text).length, 1, text)
    assert.deepEqual(candidates([flight], [], text), [flight], text)
  }
  assert.deepEqual(matching(airportOptions([flight]), 'münchen'), [])
})
