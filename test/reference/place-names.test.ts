// log-flight: the airport meant by the name of a place, by a table written from knowledge of the places and not from the
// resolver's results (test/data/README.md).
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, test } from 'node:test'
import { daysOf } from '../../server/domain/reference/code-periods.ts'
import type { Resolution } from '../../server/domain/reference/resolution.ts'
import { airports, resolveText } from '../../server/services/reference/resolve/records.ts'
import { REFERENCE, readRevisions } from '../../server/store/engine/revisions.ts'
import type { Airport } from '../../server/store/reference/records.ts'
import { onSqlite, type Reply } from '../harness.ts'

interface Row {
  name: string
  date: string
  expected: string
}
const rows = readFileSync(new URL('../data/place-names.csv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line): Row => {
    const [, name, date, expected] = line.split(';') as [string, string, string, string]
    return { name, date, expected }
  })

interface Found {
  iata: string | null
  icao: string
  name: string
}

/** Written as `LHR` or `HKG@Kai Tak`. */
function isMeant(expected: string, { iata, icao, name }: Found): boolean {
  const [code, part = ''] = expected.split('@')
  return (code === iata || code === icao) && name.includes(part)
}

/** The record that a name was read as, or else the codes of the suggestions, the best first. */
interface Answer {
  taken?: Found | undefined
  offered: string[]
  isByCode: boolean
}

function answerIn({ json }: Reply): Answer {
  const candidates: string[] = json.error?.details?.[0]?.params?.candidates ?? []
  if (json.error && candidates.length === 0) assert.equal(json.error.details[0].reason, 'no_airport_matches')
  return {
    taken: json.data?.from,
    offered: candidates.map((text) => text.split(' ')[0]!),
    isByCode: json.warnings?.some(({ code }: { code: string }) => code === 'airport_by_code') ?? false,
  }
}

function answerOf(resolution: Resolution<Airport>): Answer {
  if (resolution.outcome === 'unknown') return { offered: [], isByCode: false }
  if (resolution.outcome === 'ambiguous')
    return {
      offered: resolution.candidates.slice(0, OFFERED_AT_MOST).map(({ iata, icao }) => iata ?? icao),
      isByCode: false,
    }
  return { taken: resolution.record, offered: [], isByCode: resolution.isCodeOfWord === true }
}

const OFFERED_AT_MOST = 5

function faultOf({ name, date, expected }: Row, { taken, offered, isByCode }: Answer): string[] {
  const got = taken ? `${taken.iata ?? taken.icao} ${taken.name}` : `asks ${offered.join(' ')}`
  const [sign, rest] = [expected[0]!, expected.slice(1)]
  const isAsked = (wanted: string) => {
    const codes = wanted.split(' ')
    return !taken && codes[0] === offered[0] && codes.every((code) => offered.includes(code))
  }
  const isOneOf = (codes: string) => codes.split(' ').includes(taken?.iata ?? '')
  const isRight = {
    '?': () => rest.split('|').some(isAsked),
    '~': () => (taken ? isMeant(rest, taken) : offered[0] === rest),
    '!': () => !taken || !isOneOf(rest),
    '^': () => !taken || !isOneOf(rest) || isByCode,
    '-': () => !taken && offered.length === 0,
  }[sign]
  const isFine =
    offered.length <= OFFERED_AT_MOST && (isRight ? isRight() : taken && isMeant(expected, taken))
  return isFine ? [] : [`${name} on ${date}: ${got}, not ${expected}`]
}

/** `?`: asked about, `?LH`: with this one first. */
const recordNames: [field: 'airline' | 'aircraft', name: string, expected: string, date?: string][] = [
  ['airline', 'Lufthansa', 'DLH'],
  ['airline', 'Lufthansa Cargo', 'GEC'],
  ['airline', 'SAS', 'SAS'],
  ['airline', 'Scandinavian Airlines', 'SAS'],
  ['airline', 'Swiss', 'SWR'],
  ['airline', 'KLM', 'KLM'],
  ['airline', 'Delta', 'DAL'],
  ['airline', 'United', 'UAL'],
  ['airline', 'American Airlines', 'AAL'],
  ['airline', 'Turkish', 'THY'],
  ['airline', 'Emirates', 'UAE'],
  ['airline', 'Ryanair', 'RYR'],
  ['airline', 'Air France', 'AFR'],
  ['airline', 'British Airways', 'BAW'],
  ['airline', 'Iberia', 'IBE'],
  ['airline', 'Eurowings', 'EWG'],
  ['airline', 'Qatar Airways', 'QTR'],
  ['airline', 'Singapore Airlines', 'SIA'],
  ['airline', 'Austrian', 'AUA'],
  ['airline', 'Finnair', 'FIN'],
  ['airline', 'Condor', 'CFG'],
  ['airline', 'Wizz Air', 'WZZ'],
  ['airline', 'Air Berlin', 'BER', '2010-05-01'],
  ['airline', 'Pan Am', 'PAA', '1980-05-01'],
  ['airline', 'Lufth', '?'],
  ['airline', 'klm', 'KLM'],
  ['airline', 'Sas', 'SAS'],
  ['airline', 'Sun', '?'],
  ['airline', 'Air', '?'],
  ['airline', 'National', 'NCR', '2024-05-01'],
  ['airline', 'Qwrtzuiop Air', 'no_airline_matches'],
  ['aircraft', 'A320neo', 'A20N'],
  ['aircraft', 'A320 neo', 'A20N'],
  ['aircraft', 'Airbus A320', 'A320'],
  ['aircraft', 'Boeing 737-800', 'B738'],
  ['aircraft', 'A380', 'A388'],
  ['aircraft', 'A350-900', 'A359'],
  ['aircraft', 'Concorde', 'CONC'],
  ['aircraft', '777', '?'],
  ['aircraft', 'Boeing 747', '?'],
  ['aircraft', 'Dash 8', '?'],
  ['aircraft', 'Qwrtzuiop', 'no_aircraft_matches'],
]

onSqlite('names of places', (app) => {
  let key: string
  before(async () => {
    key = await (await app().person('role-user')).key()
  })
  const log = (body: object) =>
    app().request('POST', '/api/v1/flights/log', {
      key,
      body: { to: 'KEF', confirmDuplicate: true, ...body },
    })

  test('every seventh name of the table is logged as the usual airport, or asked about', async () => {
    const faults: string[] = []
    for (const row of rows.filter((_, i) => i % 7 === 0))
      faults.push(...faultOf(row, answerIn(await log({ from: row.name, date: row.date }))))
    assert.deepEqual(faults, [])
  })

  test('airlines and aircraft types are found by name, and ambiguous names asked about', async () => {
    const faults: string[] = []
    for (const [i, [field, name, expected, date = '2026-03-01']] of recordNames.entries()) {
      const { json } = await log({ from: 'CPH', date, [field]: name })
      const [asked] = json.error?.details?.[0]?.params?.candidates ?? []
      const got = json.data
        ? json.data[field]?.icao
        : asked
          ? `?${asked.split(' ')[0]}`
          : json.error.details[0].reason
      const isRight = expected === '?' ? got?.startsWith('?') : got === expected
      if (!isRight) faults.push(`${i} ${name}: ${got}, not ${expected}`)
    }
    assert.deepEqual(faults, [])
  })

  /** The messages of the warnings, or of the refusal. */
  const saidOf = async (body: object): Promise<string[]> => {
    const { json } = await log({ date: '2024-05-01', from: 'CPH', ...body })
    return (json.warnings ?? json.error.details).map(({ message }: { message: string }) => message)
  }

  test('a word read as a code is reported, and an uncertain one never read as one', async () => {
    assert.deepEqual(await saidOf({ from: 'Bar' }), [
      "“Bar” was taken as the code BAR, Qionghai Bo'ao, China.",
    ])
    assert.deepEqual(await saidOf({ from: 'cph' }), [])
    assert.deepEqual(await saidOf({ from: 'Frankfurt (FRA)' }), [
      '“Frankfurt (FRA)” was taken as FRA, Frankfurt Main, Germany.',
    ])
    assert.deepEqual(await saidOf({ from: 'Sion' }), [
      '“Sion” was taken as SIR, Sion, Switzerland, a field without airline service.',
    ])
    assert.deepEqual(await saidOf({ from: 'Vis' }), [
      '“Vis” is ambiguous. Perhaps you mean VIS Visalia Municipal (Visalia, United States). Give the code.',
    ])
    assert.deepEqual(await saidOf({ from: 'VIS' }), [])
  })

  test('an airline that did not fly on the day is reported, even if it was named', async () => {
    assert.match((await saidOf({ airline: 'Jet Airways' }))[0]!, /Jet Airways was not flying on 2024-05-01/)
    assert.deepEqual(await saidOf({ airline: 'Jet Airways', date: '2010-05-01' }), [])
    assert.deepEqual(await saidOf({ airline: 'Concorde' }), [
      '“Concorde” is ambiguous. Perhaps you mean KGD Air Concorde. Give the code.',
    ])
  })

  test('a search finds the airports of the place, not of a small town of the same name', async () => {
    const matched = async (from: string) => {
      const query = new URLSearchParams({ from })
      const { json } = await app().request('GET', `/api/v1/flights/search?${query}`, { key })
      return (json.matched.from as string[]).map((text) => text.split(' ')[0]!)
    }
    const london = await matched('London')
    assert.ok(['LHR', 'LGW', 'STN'].every((code) => london.includes(code)) && !london.includes('YXU'))
    assert.deepEqual(await matched('London, Ontario'), ['YXU'])
    assert.deepEqual(await matched('Hof'), ['HOQ'])
    assert.deepEqual((await matched('Birmingham')).sort(), ['BHM', 'BHX'])
  })

  // The last test: it is so long without a request that the connection may be closed.
  test('every name of the table means the usual airport, or is asked about', async () => {
    const { store, services } = app()
    const [revision = 0] = await readRevisions(store.read, [REFERENCE])
    const source = { db: store.read, reference: services.reference, revision }
    const faults: string[] = []
    for (const row of rows)
      faults.push(...faultOf(row, answerOf(await resolveText(source, airports, row.name, daysOf(row.date)))))
    assert.deepEqual(faults, [])
  })
})
