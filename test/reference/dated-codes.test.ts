// get-airport-by-code get-airline-by-code get-aircraft-by-code: the meaning of codes on a day, by a table written from
// knowledge of airports and airlines (test/data/README.md).
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, test } from 'node:test'
import { storedFold } from '../../server/domain/text/fold.ts'
import { messagesOf } from '../fixtures.ts'
import { type EngineName, onBothEngines, type Reply } from '../harness.ts'

interface Row {
  kind: 'airport' | 'airline' | 'aircraft' | 'city'
  code: string
  date: string
  expected: string
  warning: string
}

function rowsOf(file: string): Row[] {
  const [head, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n')
  assert.equal(head, 'kind,code,date,expected,warning,note')
  return lines.map((line) => {
    const [kind, code, date, expected, warning] = line.split(',') as [
      Row['kind'],
      string,
      string,
      string,
      string,
    ]
    return { kind, code, date, expected, warning }
  })
}

const rows = rowsOf('test/data/dated-codes.csv')
/** All rows on the embedded engine; the queries are the same, so a sample shows that the other one agrees. */
const rowsFor = (engine: EngineName) => (engine === 'sqlite' ? rows : rows.filter((_, i) => i % 6 === 0))

const paths = { airport: 'airports', city: 'airports', airline: 'airlines', aircraft: 'aircraft' }
const codeForms = {
  airport: /^([A-Z0-9]{3,4}|[A-Z]{2}-\d+)$/,
  city: /^$/,
  airline: /^[A-Z]{3}$/,
  aircraft: /^[A-Z0-9]{2,4}$/,
}

interface Found {
  name: string
  icao: string | null
  iata?: string | null
  type?: string
  formerCodes?: string[]
}

const bare = (text: string) => storedFold(text).replaceAll(/[^a-z0-9]/g, '')

/** A closed airport may still have the searched code: its successor is meant if the table gives that code. */
function isExpected(row: Row, found: Found): boolean {
  const own = [found.icao, found.iata, ...(found.formerCodes ?? [])]
  return row.expected.split('|').some((alternative) => {
    const words = alternative.split(' ')
    if (!words.every((word) => codeForms[row.kind].test(word)))
      return bare(found.name).includes(bare(alternative))
    return words.some((code) => own.includes(code) && !(found.type === 'closed' && code === row.code))
  })
}

/** The fault of the response, if any. */
function faultOf(row: Row, { status, json }: Reply): string | undefined {
  if (row.warning === 'city') {
    const candidates = json.error?.details?.length ?? 0
    return status === 409 && candidates >= 2 ? undefined : `is ${status} with ${candidates} candidates`
  }
  if (row.expected === '') return status === 404 || status === 409 ? undefined : `means ${json.data.name}`
  if (status !== 200) return `is ${status}: ${json.error.message}`
  if (!isExpected(row, json.data)) return `means ${json.data.name}, not ${row.expected}`
  const warned = json.warnings.join()
  return warned === row.warning ? undefined : `has the warning “${warned}”, not “${row.warning}”`
}

onBothEngines('former codes', (app, engine) => {
  let key: string
  before(async () => {
    key = await (await app().person()).key()
  })

  test('every code of the table means its holder on that day', async () => {
    const faults: string[] = []
    for (const row of rowsFor(engine)) {
      const path = `/api/v1/${paths[row.kind]}/by-code/${row.code}?date=${row.date}`
      const fault = faultOf(row, await app().request('GET', path, { key }))
      if (fault) faults.push(`${row.kind} ${row.code} on ${row.date} ${fault}`)
    }
    assert.deepEqual(faults, [])
  })

  /** Names of the flight's records, and the warnings. */
  const logged = async (body: object) => {
    const reply = await app().request('POST', '/api/v1/flights/log', { key, body })
    assert.equal(reply.status, 201, reply.text)
    const { data, warnings } = reply.json
    return {
      from: data.from.name,
      to: data.to.name,
      airline: data.airline?.name,
      warnings: messagesOf({ warnings }),
    }
  }

  test('log-flight: a flight number means the airline of its day, a code the airport of its day', async () => {
    const alitalia = await logged({ date: '2010-05-01', from: 'FCO', to: 'LIN', flightNumber: 'AZ 2000' })
    assert.match(alitalia.airline, /^Alitalia/)
    const ita = await logged({ date: '2023-05-01', from: 'FCO', to: 'LIN', flightNumber: 'AZ 2000' })
    assert.match(ita.airline, /^ITA/)
    const kaiTak = await logged({ date: '1990-05-01', from: 'HKG', to: 'TSE', airline: 'CX' })
    assert.match(kaiTak.from, /Kai Tak/)
    assert.match(kaiTak.to, /Nazarbayev|Astana/)
    assert.deepEqual([alitalia.warnings, ita.warnings], [[], []])
    // Codes that mean something else today are reported.
    assert.match(kaiTak.warnings.join('\n'), /^HKG was .*Kai Tak.* on 1990-05-01\.\n“TSE” was taken as NQZ/)
    const sabena = await logged({ date: '2001-11-20', from: 'BRU', to: 'CPH', flightNumber: 'SN 1' })
    assert.match(sabena.airline, /Sabena/)
    assert.match(sabena.warnings[0]!, /not flying on 2001-11-20/)
  })

  test('log-flight and legacy save refuse a city’s code and list its airports', async () => {
    for (const [code, date, some] of [
      ['LON', '2024-05-01', ['LHR', 'LGW']],
      ['BER', '2015-05-01', ['TXL', 'SXF']],
    ] as const) {
      const body = { date, from: 'CPH', to: code }
      const reply = await app().request('POST', '/api/v1/flights/log', { key, body })
      assert.equal(reply.status, 422, reply.text)
      const legacy = await app().request('POST', '/api/flight/save', {
        key,
        body: { from: 'CPH', to: code, departure: date, passengers: [{ userId: '<USER_ID>' }] },
      })
      assert.equal(legacy.status, 400)
      assert.match(legacy.json.message, /^Invalid arrival airport/)
      for (const airport of some) {
        assert.ok(reply.json.error.details[0].message.includes(`${airport} `), reply.text)
        assert.ok(legacy.json.message.includes(airport), legacy.json.message)
      }
    }
    const body = { date: '2021-05-01', from: 'CPH', to: 'BER' }
    assert.equal((await app().request('POST', '/api/v1/flights/log', { key, body })).status, 201)
  })
})
