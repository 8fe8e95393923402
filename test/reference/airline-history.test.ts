// Airlines of the past, duplicates and codes by date in the shipped set, read by code and id.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type AirlineRecord, shippedSet } from '../../server/services/reference/set.ts'
import { onSqlite } from '../harness.ts'

interface Airline {
  id: number
  name: string
  icao: string | null
  iata: string | null
  active: boolean
}

onSqlite('airline history', (app) => {
  let key: string
  before(async () => {
    key = await (await app().person()).key(['reference_data.read'])
  })
  const search = async (kind: string, query: string) =>
    (await app().request('GET', `/api/v1/${kind}?query=${encodeURIComponent(query)}`, { key })).json.data
  const airline = async (id: number): Promise<Airline> =>
    (await app().request('GET', `/api/v1/airlines/${id}`, { key })).json.data

  test('former airlines are found by their codes and are not active', async () => {
    for (const [code, name] of [
      ['TWA', 'Trans World Airlines'],
      ['CRX', 'Crossair'],
      ['BCA', 'British Caledonian'],
      ['BWIA', 'BWIA West Indies Airways'],
      ['ITF', 'Air Inter'],
      ['HLX', 'Hapag-Lloyd Express'],
      ['VNL', 'Vanilla Air'],
      ['PTB', 'Voepass Linhas Aéreas'],
    ]) {
      const found: Airline[] = await search('airlines', code!)
      const past = found.find((record) => record.name === name)
      assert.equal(past?.active, false, `${code}: ${found.map((record) => record.name)}`)
    }
  })

  test('today’s holder of a code comes before former ones', async () => {
    for (const [code, icao] of [
      ['PA', 'ABQ'],
      ['TW', 'TWB'],
      ['SN', 'BEL'],
      ['BR', 'EVA'],
      ['IT', 'TTW'],
    ]) {
      assert.equal((await search('airlines', code!))[0].icao, icao, code!)
    }
  })

  test('the second Pan Am is kept for its flights, but no code finds it', async () => {
    const kept = await airline(3885)
    const duplicate = await airline(3886)
    assert.deepEqual([kept.name, kept.icao, kept.iata], ['Pan American World Airways', 'PAA', 'PA'])
    assert.deepEqual([duplicate.name, duplicate.icao, duplicate.iata], [kept.name, null, null])
    const byCode: Airline[] = await search('airlines', 'PAA')
    assert.deepEqual(
      byCode.filter((record) => record.icao === 'PAA').map((record) => record.id),
      [3885],
    )
  })

  test('aircraft types are found by IATA codes of variants, not by codes of families', async () => {
    for (const [code, icao] of [
      ['73C', 'B733'],
      ['75T', 'B753'],
      ['SFB', 'SF34'],
      ['C27', 'AJ27'],
    ]) {
      assert.equal((await search('aircraft', code!))[0].icao, icao, code!)
    }
    const types = shippedSet().aircraft()
    for (const family of ['737', '777', 'AT7', 'CRJ'])
      assert.deepEqual(
        types.filter((type) => type.iata?.includes(family)),
        [],
        family,
      )
  })
})

describe('codes in the shipped set are resolved by date', () => {
  const airlines = shippedSet().airlines()
  const byId = new Map(airlines.map((record) => [record.id, record]))
  const holdersOn = (code: string, day: string) =>
    airlines.filter((record) =>
      record.codePeriods?.some(
        ([held, from, to]) => held === code && (from ?? '') <= day && day <= (to ?? '9999'),
      ),
    )

  test('a code means one airline on each day', () => {
    const table: [string, string, string | null][] = [
      ['AZ', '2021-10-14', 'AZA'],
      ['AZ', '2021-10-15', 'ITY'],
      ['KM', '2024-03-30', 'AMC'],
      ['KM', '2024-03-31', 'KMM'],
      ['SN', '2001-11-07', 'SAB'],
      ['SN', '2001-12-15', null],
      ['SN', '2002-01-01', 'BEL'],
      ['TW', '2001-12-01', 'TWA'],
      ['TW', '2005-01-01', null],
      ['TW', '2010-01-01', 'TWB'],
      ['JP', '2019-10-02', 'ADR'],
      ['MA', '2012-02-03', 'MAH'],
      ['MA', '2012-02-04', null],
      ['VY', '2003-12-31', null],
      ['VY', '2004-01-01', 'VLG'],
      ['NW', '2010-01-31', 'NWA'],
      ['NW', '2010-02-01', null],
      ['CO', '2012-03-03', 'COA'],
      ['US', '2015-10-17', 'USA'],
      ['AB', '2017-10-27', 'BER'],
      ['AB', '2017-10-28', null],
      ['9W', '2019-04-17', 'JAI'],
      ['4U', '2019-12-31', 'GWI'],
      ['PA', '1991-12-04', 'PAA'],
      ['PA', '1995-01-01', null],
      ['PA', '2004-06-18', 'ABQ'],
      ['SWR', '2002-03-31', 'SWR'],
      ['TZ', '2015-01-01', 'TGW'],
      ['DJ', '2012-01-01', 'VOZ'],
    ]
    for (const [code, day, icao] of table) {
      const icaos = holdersOn(code, day).map((record) => record.icao)
      assert.deepEqual(icaos, icao === null ? [] : [icao], `${code} on ${day}`)
    }
    assert.equal(holdersOn('SWR', '2002-03-31')[0]?.name, 'Swissair')
    assert.equal(holdersOn('SWR', '2002-04-01')[0]?.name, 'Swiss International Air Lines')
  })

  test('a successor is a current airline or one that ended later', () => {
    const named = (name: string) => airlines.find((record) => record.name === name && record.importance > 0)!
    const successor = (name: string) => byId.get(named(name).successorId!)?.name
    assert.equal(successor('Swissair'), 'Swiss International Air Lines')
    assert.equal(successor('Northwest Airlines'), 'Delta Air Lines')
    assert.equal(successor('Alitalia'), 'ITA Airways')
    const end = (record: AirlineRecord) => record.to ?? '9999'
    for (const record of airlines.filter(({ successorId }) => successorId !== null)) {
      const next = byId.get(record.successorId!)
      assert.ok(next && next.id !== record.id, record.name)
      if (record.importance > 0) assert.ok(end(next) >= end(record), `${record.name} → ${next.name}`)
    }
  })

  test('large current airlines come before former ones, and those before unknown ones', () => {
    const importance = (icao: string) =>
      Math.max(...airlines.filter((record) => record.icao === icao).map((record) => record.importance))
    for (const [larger, smaller] of [
      ['UAL', 'PAA'],
      ['DAL', 'NWA'],
      ['RYR', 'DLH'],
      ['PAA', 'XEJ'],
      ['TWA', 'VGD'],
    ])
      assert.ok(importance(larger!) > importance(smaller!), `${larger} before ${smaller}`)
  })

  test('names in other languages and short names find an airline', () => {
    for (const [icao, alias] of [
      ['AFL', 'Аэрофлот'],
      ['JAL', '日本航空'],
      ['ANA', '全日空'],
      ['KAL', '대한항공'],
      ['CCA', '中国国际航空'],
      ['THY', 'Türk Hava Yolları'],
      ['KLM', 'KLM'],
      ['PAA', 'Pan Am'],
      ['OCN', 'Eurowings Discover'],
      ['FIN', 'Aero'],
    ])
      assert.ok(
        airlines.some((record) => record.icao === icao && record.aliases?.includes(alias!)),
        alias!,
      )
  })
})
