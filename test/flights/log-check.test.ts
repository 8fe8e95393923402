// Findings about a log: each row is a small log, one flight per line, with the expected findings.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CheckedFlight, type CheckFacts, checkLog } from '../../server/domain/flights/log-check.ts'
import { finish } from '../../server/domain/steps.ts'

const positions: Record<string, [number, number]> = {
  CPH: [55.618, 12.656],
  ARN: [59.652, 17.919],
  LHR: [51.471, -0.462],
  LGW: [51.148, -0.19],
  EWR: [40.692, -74.169],
}
const km: Record<string, number> = { 'CPH-ARN': 547, 'CPH-LHR': 978, 'LHR-CPH': 978, 'CPH-EWR': 6216 }
const codes = Object.keys(positions)

const airport = (code: string) => ({
  id: codes.indexOf(code) + 1,
  icao: `X${code}`,
  iata: code,
  latitude: positions[code]![0],
  longitude: positions[code]![1],
})
type Airport = ReturnType<typeof airport>
const sas = { id: 7, name: 'SAS' }
type Flight = CheckedFlight<Airport, typeof sas>

/** `2026-02-01 CPH-ARN SK1419 07:40 08:55 +more`; `-` means no number or no time. */
function flight(line: string, index: number): Flight {
  const [date = '', route = '', number = '-', start = '-', end = '-', ...marks] = line.split(' ')
  const [from, to] = route.split('-')
  const at = (time: string) =>
    time === '-' ? null : Date.parse(`${time.includes('T') ? time : `${date}T${time}`}:00Z`)
  const first = `${date}-01-01`.slice(0, 10)
  return {
    id: index + 1,
    date: first,
    datePrecision: date.length === 4 ? 'year' : date.length === 7 ? 'month' : 'day',
    outcome: marks.includes('diverted') ? 'diverted' : 'flown',
    from: airport(from!),
    to: airport(to!),
    airline: marks.includes('bare') ? null : sas,
    airlineId: marks.includes('bare') ? null : sas.id,
    flightNumber: number === '-' ? null : number,
    operatingFlightNumber: null,
    aircraftClass: marks.includes('concorde') ? 'supersonic' : null,
    departure: at(start) === null ? null : new Date(at(start)!).toISOString(),
    departureScheduled: null,
    departs: at(start),
    arrives: at(end),
    duration: null,
    distanceKm: km[route] ?? (from === to ? 0 : 1000),
    hasNote: marks.includes('note'),
    hasTrack: false,
  }
}

const facts = {
  today: '2026-06-15',
  wasOpen: ({ iata }: Airport, { first }: { first: string }) => iata !== 'ARN' || first >= '1960-01-01',
  wasFlying: (_airline: typeof sas, { first }: { first: string }) => first >= '1946-01-01',
  hasCode: (_airline: typeof sas, code: string) => code === 'SK' || code === 'SAS',
}

const check = (flights: readonly Flight[], known: CheckFacts<Airport, typeof sas> = facts) =>
  finish(checkLog<Airport, typeof sas, Flight>(flights, known))

/** `kind severity 1+2` */
const said = (lines: readonly string[]): string[] =>
  check(lines.map(flight)).map(
    ({ kind, severity, flights }) => `${kind} ${severity} ${flights.map(({ id }) => id).join('+')}`,
  )

const table: [about: string, log: string[], findings: string[]][] = [
  ['an empty log', [], []],
  [
    'a journey and back',
    ['2026-02-01 CPH-LHR SK501 07:00 09:00', '2026-02-03 LHR-CPH SK502 17:00 19:00'],
    [],
  ],

  // Duplicates
  ['twice the same', ['2026-02-01 CPH-LHR SK501', '2026-02-01 CPH-LHR SK0501'], ['duplicate high 1+2']],
  [
    'three times the same: two findings',
    ['2026-02-01 CPH-LHR SK501', '2026-02-01 CPH-LHR SK501', '2026-02-01 CPH-LHR SK501'],
    ['duplicate high 2+3', 'duplicate high 1+2'],
  ],
  [
    'the same number on the next day, with nothing in between: one finding and no gap',
    ['2026-02-01 CPH-LHR SK501', '2026-02-02 CPH-LHR SK501'],
    ['duplicate medium 1+2'],
  ],
  [
    'the same number on the next day, and back in between',
    [
      '2026-02-01 CPH-LHR SK501 07:00 09:00',
      '2026-02-01 LHR-CPH SK502 17:00 19:00',
      '2026-02-02 CPH-LHR SK501 07:00 09:00',
    ],
    [],
  ],
  ['a month that covers the day', ['2026-02 CPH-LHR', '2026-02-11 CPH-LHR SK501'], ['duplicate low 1+2']],
  ['a year that covers the month', ['2026 CPH-LHR', '2026-02-11 CPH-LHR SK501'], ['duplicate low 1+2']],
  ['a month that does not', ['2026-03 CPH-LHR', '2026-02-11 CPH-LHR SK501'], []],

  // Times
  [
    'overlap',
    ['2026-02-01 CPH-LHR SK501 07:00 09:00', '2026-02-01 LHR-CPH SK502 08:30 10:30'],
    ['overlap high 1+2'],
  ],
  [
    'a short one during a long one that began before another',
    [
      '2026-02-01 CPH-EWR SK909 07:00 16:00',
      '2026-02-01 EWR-CPH SK910 08:00 09:40',
      '2026-02-01 CPH-LHR SK501 10:00 12:00',
    ],
    ['overlap high 1+3', 'overlap high 1+2'],
  ],
  [
    'one lands as the next departs',
    ['2026-02-01 CPH-LHR SK501 07:00 09:00', '2026-02-01 LHR-CPH SK502 09:00 11:00'],
    [],
  ],
  ['backwards', ['2026-02-01 CPH-LHR SK501 09:00 07:00'], ['arrival_before_departure high 1']],
  ['too fast', ['2026-02-01 CPH-EWR SK909 07:00 10:00'], ['impossible_speed high 1']],
  ['fast, by Concorde', ['2026-02-01 CPH-EWR SK909 07:00 10:30 concorde'], []],
  [
    'on the next day by mistake',
    ['2026-02-01 CPH-LHR SK501 07:00 2026-02-02T09:00'],
    ['impossible_speed high 1'],
  ],
  ['twelve hours off', ['2026-02-01 CPH-LHR SK501 07:00 21:00'], ['impossible_speed medium 1']],
  ['delayed for hours', ['2026-02-01 CPH-LHR SK501 07:00 13:00'], []],

  // Dates, places, airlines
  ['before airlines', ['1913-05-01 CPH-LHR - - - bare'], ['before_airlines medium 1']],
  ['far ahead', ['2062-02-01 CPH-LHR SK501'], ['far_future medium 1']],
  ['next year', ['2027-02-01 CPH-LHR SK501'], []],
  ['not open yet', ['1950-02-01 CPH-ARN SK1419'], ['airport_closed_then medium 1']],
  ['the airline did not exist', ['1940-02-01 CPH-LHR SK501'], ['airline_not_flying_then medium 1']],
  ['another airline’s number', ['2026-02-01 CPH-LHR BA811'], ['airline_does_not_fit low 1']],
  ['only digits', ['2026-02-01 CPH-LHR 811'], []],
  ['ends where it began', ['2026-02-01 CPH-CPH SK501'], ['same_airport medium 1']],
  ['with a note that says why', ['2026-02-01 CPH-CPH SK501 - - note'], []],
  ['turned back', ['2026-02-01 CPH-CPH SK501 - - diverted'], []],
  ['sightseeing', ['2026-02-01 CPH-CPH'], []],

  // Gaps
  ['a gap', ['2026-02-01 CPH-LHR SK501', '2026-02-20 EWR-CPH SK910'], ['gap low 1+2']],
  ['another airport of the city', ['2026-02-01 CPH-LHR SK501', '2026-02-20 LGW-CPH SK502'], []],
  ['after months', ['2026-02-01 CPH-LHR SK501', '2026-05-20 EWR-CPH SK910'], []],
  [
    'a month that may explain it',
    ['2026-02-01 CPH-LHR SK501', '2026-02 LHR-EWR', '2026-02-20 EWR-CPH SK910'],
    [],
  ],
  [
    'one day without times, in the wrong order',
    ['2026-02-01 LHR-EWR SK2', '2026-02-01 CPH-LHR SK1', '2026-02-05 EWR-CPH SK3'],
    [],
  ],

  // Comparison with similar flights
  [
    'no times among flights with times',
    [
      '2026-02-01 CPH-LHR SK501 07:00 09:00',
      '2026-02-03 LHR-CPH SK502',
      '2026-02-05 CPH-LHR SK501 07:00 09:00',
    ],
    ['missing_times low 2'],
  ],
  [
    'no airline among flights with airlines',
    [
      '2026-02-01 CPH-LHR SK501 07:00 09:00',
      '2026-02-03 LHR-CPH - 17:00 19:00 bare',
      '2026-02-05 CPH-LHR SK501 07:00 09:00',
    ],
    ['missing_airline low 2'],
  ],
  [
    'no times anywhere',
    ['2026-02-01 CPH-LHR SK501', '2026-02-03 LHR-CPH SK502', '2026-02-05 CPH-LHR SK501'],
    [],
  ],
  [
    'not flown yet',
    [
      '2026-05-01 CPH-LHR SK501 07:00 09:00',
      '2026-05-03 LHR-CPH SK502 17:00 19:00',
      '2026-07-05 CPH-LHR SK501',
    ],
    [],
  ],
  [
    'the most serious first, then the newest',
    [
      '2026-01-01 CPH-LHR BA811',
      '2026-02-01 LHR-CPH BA812',
      '2026-02-09 CPH-LHR SK501',
      '2026-02-09 CPH-LHR SK501',
    ],
    ['duplicate high 3+4', 'airline_does_not_fit low 2', 'airline_does_not_fit low 1'],
  ],
]

for (const [about, log, findings] of table) {
  test(about, () => {
    assert.deepEqual(said(log), findings)
  })
}

test('findings do not depend on the order of the log', () => {
  const log = ['2026-02-01 CPH-LHR SK501', '2026-02-20 EWR-CPH SK910', '2026-02-20 EWR-CPH SK910'].map(flight)
  const kinds = (flights: Flight[]) => check(flights).map(({ kind, message }) => `${kind} ${message}`)
  assert.deepEqual(kinds(log.toReversed()), kinds(log))
  assert.match(
    kinds(log).join('\n'),
    /gap SK501 CPH–LHR on 2026-02-01 ended in LHR, but the next flight, SK910 EWR–CPH/,
  )
})

test('flights of a long log are compared only with nearby ones', () => {
  let compared = 0
  const counting = {
    ...facts,
    wasOpen(...given: Parameters<typeof facts.wasOpen>) {
      compared++
      return facts.wasOpen(...given)
    },
  }
  const log = Array.from({ length: 10_000 }, (_, i) => ({ ...flight('2026-02-01 CPH-LHR SK501', i) }))
  const findings = check(log, counting)
  assert.equal(findings.length, 9_999, 'each is a repetition of the one before')
  assert.equal(compared, 20_000)
})

test('the check of a long log yields often, also if all flights are on one route and day', () => {
  const stops = (line: (i: number) => string) =>
    [
      ...checkLog<Airport, typeof sas, Flight>(
        Array.from({ length: 3000 }, (_, i) => flight(line(i), i)),
        facts,
      ),
    ].length
  assert.ok(stops(() => '2026-02-01 CPH-LHR SK501') > 1000)
  assert.ok(
    stops((i) => `${1950 + (i % 70)}-02-01 ${i % 2 ? 'CPH-LHR' : 'EWR-CPH'} SK501 10:00 12:00`) > 1000,
  )
})
