// The same flight again, the way back, and favourite routes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { againOf, favouriteRoutes, placeAfter, returnOf } from '../../server/domain/entry/repeat.ts'

type PastFlight = Parameters<typeof againOf>[0]

const [CPH, EWR, OSL, JFK] = [1, 2, 3, 4]
const [SAS, DELTA] = [10, 11]
let next = 1

function flight(
  date: string,
  from: number,
  to: number,
  flightNumber: string | null = null,
  more: Partial<PastFlight> = {},
): PastFlight {
  return {
    id: next++,
    date,
    datePrecision: 'day',
    from: { id: from },
    to: { id: to },
    airline: flightNumber ? { id: flightNumber.startsWith('DL') ? DELTA : SAS } : null,
    flightNumber,
    ...more,
  }
}

const newestFirst = (flights: PastFlight[]) => flights.toSorted((a, b) => (a.date < b.date ? 1 : -1))

test('again has the same route, airline and number', () => {
  assert.deepEqual(againOf(flight('2026-10-03', CPH, EWR, 'SK909')), {
    fromId: CPH,
    toId: EWR,
    airlineId: SAS,
    flightNumber: 'SK909',
  })
})

test('again uses a diverted flight’s planned airport, and the way back starts there', () => {
  const diverted = flight('2026-10-03', CPH, JFK, 'SK909', { plannedTo: EWR, outcome: 'diverted' })
  assert.equal(againOf(diverted).toId, EWR)
  assert.equal(returnOf(diverted, [diverted]).fromId, EWR)
})

test('the way back with a typed airline has no number of another airline', () => {
  const history = newestFirst([
    flight('2026-05-01', CPH, EWR, 'SK909'),
    flight('2026-05-08', EWR, CPH, 'SK910'),
    flight('2026-06-01', CPH, EWR, 'SK909'),
    flight('2026-06-08', EWR, CPH, 'SK910'),
  ])
  const typed = flight('2026-11-01', CPH, EWR, null, { airline: { id: DELTA } })
  const { airlineId, flightNumber, stayDays } = returnOf(typed, history)
  assert.deepEqual([airlineId, flightNumber, stayDays], [DELTA, null, null])
  assert.equal(returnOf({ ...typed, airline: { id: SAS } }, history).flightNumber, 'SK910')
})

test('the way back is the swapped route with the airline, without an unknown number', () => {
  const out = flight('2026-10-03', CPH, EWR, 'SK909')
  assert.deepEqual(returnOf(out, [out]), {
    fromId: EWR,
    toId: CPH,
    airlineId: SAS,
    flightNumber: null,
    stayDays: null,
  })
  const unknown = { ...out, from: null, to: null }
  assert.deepEqual([returnOf(unknown, [out]).fromId, returnOf(unknown, [out]).flightNumber], [null, null])
})

test('the number of the way back is the one that most often followed this number', () => {
  const history = newestFirst([
    flight('2026-01-01', CPH, EWR, 'SK909'),
    flight('2026-01-08', EWR, CPH, 'SK0910'),
    flight('2026-03-01', CPH, EWR, 'SK909'),
    flight('2026-03-08', EWR, CPH, 'SK910'),
    flight('2026-05-01', CPH, EWR, 'SK 909'),
    flight('2026-05-15', EWR, CPH, 'DL220'),
  ])
  const back = returnOf(flight('2027-02-20', CPH, EWR, 'SK909'), history)
  assert.deepEqual([back.flightNumber, back.stayDays], ['SK910', 7])
})

test('a length of stay needs two flights with days', () => {
  const once = [flight('2026-01-01', CPH, EWR, 'SK909'), flight('2026-01-08', EWR, CPH, 'SK910')]
  assert.equal(returnOf(once[0]!, newestFirst(once)).stayDays, null)
  const long = [...once, flight('2026-02-01', CPH, EWR, 'SK909'), flight('2026-08-08', EWR, CPH, 'SK912')]
  const back = returnOf(once[0]!, newestFirst(long))
  assert.deepEqual([back.stayDays, back.flightNumber], [null, 'SK910'])
})

test('a cancelled flight is not a way back, and a month gives no length of stay', () => {
  const out = flight('2026-01-01', CPH, EWR, 'SK909')
  const cancelled = flight('2026-01-05', EWR, CPH, 'SK910', { outcome: 'cancelled' })
  const month = flight('2026-01-01', EWR, CPH, 'DL1', { datePrecision: 'month' })
  assert.equal(returnOf(out, newestFirst([out, cancelled, month])).flightNumber, null)
})

test('the airline’s own number on the swapped route is found without a pair', () => {
  const history = [flight('2020-01-01', EWR, CPH, 'SK910'), flight('2019-01-01', EWR, CPH, 'DL220')]
  assert.equal(returnOf(flight('2026-01-01', CPH, EWR, 'SK907'), history).flightNumber, 'SK910')
  assert.equal(returnOf(flight('2026-01-01', CPH, EWR), history).flightNumber, null)
  const nameless = history.map((one) => ({ ...one, airline: null }))
  assert.equal(returnOf(flight('2026-01-01', CPH, EWR, 'SK907'), nameless).flightNumber, 'SK910')
})

test('favourites are the most flown pairs, starting where the person is', () => {
  const history = newestFirst([
    flight('2026-01-01', CPH, OSL),
    flight('2026-01-02', OSL, CPH),
    flight('2026-01-03', CPH, OSL),
    flight('2026-02-01', CPH, EWR),
    flight('2026-02-02', CPH, CPH),
    flight('2026-02-03', CPH, JFK, null, { outcome: 'cancelled' }),
  ])
  assert.deepEqual(favouriteRoutes(history, null, 5), [
    { fromId: CPH, toId: OSL, count: 3 },
    { fromId: CPH, toId: EWR, count: 1 },
  ])
  assert.deepEqual(favouriteRoutes(history, OSL, 1), [{ fromId: OSL, toId: CPH, count: 3 }])
  assert.deepEqual(favouriteRoutes([], CPH, 5), [])
})

test('on a tie the pair flown last comes first', () => {
  const history = newestFirst([flight('2026-01-01', CPH, OSL), flight('2026-02-01', CPH, EWR)])
  assert.deepEqual(
    favouriteRoutes(history, CPH, 2).map(({ toId }) => toId),
    [EWR, OSL],
  )
})

test('the person is where the last flight landed, else at home', () => {
  const done = { ...flight('2026-01-01', CPH, OSL), completed: true }
  const planned = { ...flight('2027-01-01', OSL, JFK), completed: false }
  const cancelled = { ...flight('2026-02-01', OSL, EWR, null, { outcome: 'cancelled' }), completed: true }
  assert.equal(placeAfter([planned, cancelled, done], CPH), OSL)
  assert.equal(placeAfter([planned], CPH), CPH)
})
