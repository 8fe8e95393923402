import '../../testing/svelte-modules.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BoardingPass } from '../../../../server/domain/imports/boarding-pass.ts'
import type { Airport } from '../../api/types.ts'
import type { Leg } from './pass.ts'

const {
  candidatesFor,
  draftOfLeg,
  inOtherYear,
  knownFlight,
  offeredTimes,
  personName,
  readCode,
  timesInLog,
} = await import('./pass.ts')

const pass = (day: string, legs = '1') =>
  `M${legs}LOVELACE/ADA        EABC123 CPHEWRSK 0909 ${day}Y012A0042 100${legs === '2' ? `ABC123 EWRBOSSK 1234 001C003C0042 100` : ''}`

const read = (text: string, today: string): BoardingPass => {
  const code = readCode(text, today)
  assert.ok('pass' in code, text)
  return code.pass
}

test('a code that is no boarding pass is named', () => {
  const cases: [string, string][] = [
    ['https://example.org/menu?x=1', 'web'],
    ['#UT01008000000102C02A1B', 'rail'],
    [pass('051').replace('CPH', 'QKL'), 'rail'],
    ['BEGIN:VCARD\nFN:Ada\nEND:VCARD', 'contact'],
    ['WIFI:S:Lounge;T:WPA;P:secret;;', 'wifi'],
    ['SK 1234 5678 90', 'card'],
    ['992003123456789', 'card'],
    ['anything else', 'other'],
    ['', 'other'],
  ]
  for (const [text, other] of cases) {
    const code = readCode(text, '2026-11-16')
    assert.equal('other' in code ? code.other : 'pass', other, text)
  }
  assert.deepEqual(readCode('https://example.org/menu', '2026-11-16'), { other: 'web', host: 'example.org' })
})

test('names as people write them', () => {
  const cases = [
    ['LOVELACE/ADA', 'Ada Lovelace'],
    ['HOPPER/GRACE MRS', 'Grace Hopper'],
    ['LINDQVIST/NORAMRS', 'Nora Lindqvist'],
    ['SAINT-EXUPERY/ANTOINE', 'Antoine Saint-Exupery'],
    ['O’NEIL/AMR', 'Amr O’Neil'],
    ['MOZART', 'Mozart'],
  ]
  for (const [written, name] of cases) assert.equal(personName(written!), name)
})

const airport = (id: number, iata: string) => ({ id, iata, icao: `K${iata}` }) as Airport
const [cph, ewr] = [airport(1, 'CPH'), airport(2, 'EWR')]
const legOf = (text: string, today: string, index = 0): Leg => {
  const one = read(text, today).legs[index]!
  return { read: one, date: one.date!, from: cph, to: ewr, airline: null, times: null, known: null }
}

test('the turn of the year: the nearest day is meant, and all legs change their year together', () => {
  const legs = [legOf(pass('365', '2'), '2026-12-30'), legOf(pass('365', '2'), '2026-12-30', 1)]
  assert.deepEqual(
    legs.map(({ date }) => date),
    ['2026-12-31', '2027-01-01'],
  )
  const moved = inOtherYear(legs)
  assert.deepEqual(moved, ['2025-12-31', '2026-01-01'])
  const back = inOtherYear(legs.map((leg, i) => ({ ...leg, date: moved[i]! })))
  assert.deepEqual(back, ['2026-12-31', '2027-01-01'])
})

test('people: whose name fits first, else the name on the pass, then oneself', () => {
  const me = { id: 'me', displayName: 'Ada Lovelace' }
  const users = [me, { id: 'g', displayName: 'Grace Hopper' }, { id: 'x', displayName: 'Xavier' }]
  const keys = (written: string, guests: string[]) =>
    candidatesFor(written, { me, users, guests }).map(({ key }) => key)
  assert.deepEqual(keys('HOPPER/GRACEMRS', ['Bo']), ['g', 'me', 'x', 'guest:Bo'])
  assert.deepEqual(keys('CURIE/MARIE', []), ['guest:Marie Curie', 'me', 'g', 'x'])
})

const flight = (id: number, date: string, number: string, times: [string, string] | null = null) => ({
  id,
  date,
  datePrecision: 'day' as const,
  flightNumber: number,
  from: cph,
  to: ewr,
  departureLocal: times?.[0] ?? null,
  arrivalLocal: times?.[1] ?? null,
})

test('the log says how often, when it flew last, and whether it is there already', () => {
  const flights = [
    flight(3, '2026-10-03', 'SK 909'),
    flight(2, '2026-05-02', 'SK0909', ['2026-05-02T23:20', '2026-05-03T02:05']),
    flight(1, '2025-05-02', 'LH1'),
  ]
  assert.equal(timesInLog('SK909', flights), 2)
  assert.equal(timesInLog(null, flights), 0)
  assert.deepEqual(offeredTimes('SK909', cph, ewr, flights), {
    departure: '23:20',
    arrival: '02:05',
    dayShift: 1,
    date: '2026-05-02',
  })
  assert.equal(offeredTimes('SK909', ewr, cph, flights), null)
  const leg = legOf(pass('276'), '2026-10-01')
  assert.equal(knownFlight(leg, flights)?.id, 3)
  assert.equal(knownFlight({ ...leg, date: '2026-09-20' }, flights), null)
})

test('the flight has what is shown and nothing else of the code', () => {
  const times = { departure: '23:20', arrival: '02:05', dayShift: 1, date: '2026-05-02' }
  const leg = { ...legOf(pass('051'), '2027-02-01'), times }
  const me = { key: 'me', name: 'Ada Lovelace', userId: 'me', isMe: true }
  const choices = { people: [me], isOwn: true, takesTimes: false, keepsReference: false, note: '' }
  const draft = draftOfLeg(leg, choices)
  assert.equal(draft.date, '2027-02-20')
  assert.equal(draft.texts.flightNumber, 'SK909')
  assert.equal(draft.times.departure.time, '')
  assert.deepEqual([draft.passengers[0]!.seatNumber, draft.passengers[0]!.seatClass], ['12A', 'economy'])
  assert.doesNotMatch(JSON.stringify(draft), /ABC123|LOVELACE|0042/)
  const all = draftOfLeg(leg, { ...choices, takesTimes: true, keepsReference: true })
  assert.equal(all.texts.bookingReference, 'ABC123')
  assert.deepEqual([all.times.arrival.date, all.times.arrival.time], ['2027-02-21', '02:05'])
  const grace = { key: 'guest:Grace', name: 'Grace', userId: null, isMe: false }
  const two = draftOfLeg(leg, { ...choices, people: [grace, me], isOwn: false })
  assert.deepEqual(
    two.passengers.map(({ name, seatNumber }) => [name, seatNumber]),
    [
      ['Grace', '12A'],
      ['Ada Lovelace', ''],
    ],
  )
})
