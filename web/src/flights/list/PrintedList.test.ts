// Only the first flights of a very long list are printed.

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { DAY } from '../../../../server/domain/time/durations.ts'
import type { Flight } from '../../api/log.ts'
import { journeysOf } from '../../log/journeys.ts'
import { cleanup, render } from '../../testing/components.ts'
import { airports } from '../../testing/flights.ts'
import { rowsOf } from './rows.ts'

const { setLocale, withTexts } = await import('../../i18n/i18n.svelte.ts')
const { default: PrintedList } = await import('./PrintedList.svelte')

before(async () => {
  await withTexts('list', async () => null)
  await setLocale('en')
})

/** One per day, going back from the end of 2024. */
function flight(_: unknown, ago: number): Flight {
  const departs = Date.parse('2024-12-31') - ago * DAY
  const date = new Date(departs).toISOString().slice(0, 10)
  const [from, to] = airports
  const facts = { departs, arrives: null, departureLocal: null, arrivalLocal: null, duration: null }
  const kind = { datePrecision: 'day', completed: true, distanceKm: null, passengers: [] }
  return {
    id: ago + 1,
    from,
    to,
    date,
    year: Number(date.slice(0, 4)),
    ...facts,
    ...kind,
  } as unknown as Flight
}

function printed(count: number) {
  const flights = Array.from({ length: count }, flight)
  const journeys = journeysOf([], {
    scope: { scope: 'mine' },
    me: 'me',
    homes: new Map(),
    today: '2025-01-01',
  })
  const list = rowsOf(flights, journeys, { order: 'newest', stops: false, airborne: new Set() })
  const { container } = render(PrintedList, { list, withPeople: false, title: ({ key }) => key })
  return {
    said: container.querySelector('p')?.textContent.split('. ')[0],
    rows: container.querySelectorAll('tbody tr:not(.section)').length,
    sections: container.querySelectorAll('tr.section').length,
  }
}

test('Of 3,100 flights paper has the first 3,000 and the years they are of, and says so', () => {
  const said = 'The first 3,000 of 3,100 flights'
  assert.deepEqual(printed(3100), { said, rows: 3000, sections: 9 })
  cleanup()
})

test('Of a list of a few flights paper has all, and says nothing about it', () => {
  assert.deepEqual(printed(400), { said: undefined, rows: 400, sections: 2 })
  cleanup()
})
