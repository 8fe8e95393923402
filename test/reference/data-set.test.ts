// search-airports get-airport search-airlines get-airline search-aircraft get-aircraft, and facts that the shipped set must
// contain.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { timeZoneNamed } from '../../server/domain/time/time.ts'
import { onBothEngines } from '../harness.ts'

onBothEngines('reference data', (app) => {
  let key: string
  before(async () => {
    key = await (await app().person()).key(['reference_data.read'])
  })
  const search = async (kind: string, query: string) =>
    (await app().request('GET', `/api/v1/${kind}?query=${encodeURIComponent(query)}`, { key })).json

  test('airports are found by code, city, name and former code, without regard to accents', async () => {
    const first: [string, string][] = [
      ['cph', 'CPH'],
      ['EKCH', 'CPH'],
      ['heathrow', 'LHR'],
      ['London Heathrow', 'LHR'],
      ['heathrow london', 'LHR'],
      ['zurich', 'ZRH'],
      ['ZÜRICH', 'ZRH'],
      ['são paulo', 'GRU'],
      ['JFK', 'JFK'],
    ]
    for (const [query, iata] of first) {
      const found = (await search('airports', query)).data.map((airport: { iata: string }) => airport.iata)
      assert.ok(found.slice(0, 5).includes(iata), `${query}: ${found}`)
      if (query.length <= 4) assert.equal(found[0], iata)
    }
    const closed: [string, string][] = [
      ['TXL', 'Tegel'],
      ['EDDT', 'Tegel'],
      ['THF', 'Tempelhof'],
      ['SXF', 'Sch'],
    ]
    for (const [code, part] of closed) {
      const [airport] = (await search('airports', code)).data
      assert.equal(airport.type, 'closed', code)
      assert.ok(airport.formerCodes.includes(code), 'people know it by that code')
      assert.match(airport.name, new RegExp(part))
    }
  })

  test('large airports come before small ones and closed ones last, twenty at most', async () => {
    const { data, page } = await search('airports', 'london')
    assert.equal(page.nextCursor, null)
    assert.ok(data.length <= 20)
    assert.equal(data[0].type, 'large_airport')
    const paris = (await search('airports', 'paris')).data
    assert.ok(paris.slice(0, 3).some((airport: { iata: string }) => airport.iata === 'CDG'))
    assert.equal((await search('airports', 'a')).data.length, 20)
  })

  test('wildcards are ordinary characters, and a blank query is refused', async () => {
    for (const query of ['%', '_', '%%', '%_%', '\\', '^', '|', 'zzzzzz']) {
      const reply = await app().request('GET', `/api/v1/airports?query=${encodeURIComponent(query)}`, { key })
      assert.equal(reply.status, 200, query)
      assert.equal(reply.json.data.length, 0, query)
    }
    for (const kind of ['airports', 'airlines', 'aircraft']) {
      for (const query of ['', '?query=', '?query=%20%20']) {
        const reply = await app().request('GET', `/api/v1/${kind}${query}`, { key })
        assert.equal(reply.status, 400, kind + query)
        assert.equal(reply.json.error.code, 'bad_request')
      }
    }
  })

  test('one record is returned by id, complete, with fields in the documented order', async () => {
    const [found] = (await search('airports', 'CPH')).data
    const { data } = (await app().request('GET', `/api/v1/airports/${found.id}`, { key })).json
    assert.deepEqual(data, found)
    assert.deepEqual(
      Object.keys(data),
      'id icao iata name municipality latitude longitude timezone type continent country custom'.split(' '),
    )
    const [airline] = (await search('airlines', 'SAS')).data
    assert.deepEqual(
      (await app().request('GET', `/api/v1/airlines/${airline.id}`, { key })).json.data,
      airline,
    )
    const [aircraft] = (await search('aircraft', 'A20N')).data
    assert.deepEqual(
      (await app().request('GET', `/api/v1/aircraft/${aircraft.id}`, { key })).json.data,
      aircraft,
    )
    for (const kind of ['airports', 'airlines', 'aircraft']) {
      assert.equal((await app().request('GET', `/api/v1/${kind}/2000000000`, { key })).status, 404)
      assert.equal((await app().request('GET', `/api/v1/${kind}/x`, { key })).status, 400)
    }
  })

  test('current airlines have their codes, and former ones are known', async () => {
    for (const [name, iata, icao] of [
      ['ITA Airways', 'AZ', 'ITY'],
      ['Wizz Air', 'W6', 'WZZ'],
      ['Norse Atlantic', 'N0', 'NBT'],
      ['Breeze', 'MX', 'MXY'],
      ['Akasa', 'QP', 'AKJ'],
      ['Lufthansa', 'LH', 'DLH'],
      ['easyJet', 'U2', 'EZY'],
      ['JetBlue', 'B6', 'JBU'],
    ]) {
      const [byIcao] = (await search('airlines', icao!)).data
      assert.equal(byIcao.iata, iata, `${name}: ${JSON.stringify(byIcao)}`)
      assert.equal(byIcao.active, true)
      assert.ok(byIcao.name.toLowerCase().startsWith(name!.toLowerCase()), `${byIcao.name} is ${name}`)
      assert.equal((await search('airlines', iata!)).data[0].icao, icao)
    }
    const panAm = (await search('airlines', 'Pan American')).data.find(
      (airline: { icao: string }) => airline.icao === 'PAA',
    )
    assert.equal(panAm?.active, false)
  })

  test('aircraft are found by designator, IATA code and common name', async () => {
    for (const [query, icao] of [
      ['BCS3', 'BCS3'],
      ['223', 'BCS3'],
      ['Airbus A220-300', 'BCS3'],
      ['737 max 8', 'B38M'],
      ['AT76', 'AT76'],
      ['concorde', 'CONC'],
      ['Cessna 172', 'C172'],
      ['E295', 'E295'],
    ]) {
      const found = (await search('aircraft', query!)).data.map((aircraft: { icao: string }) => aircraft.icao)
      assert.ok(found.slice(0, 3).includes(icao), `${query}: ${found}`)
    }
  })

  test('the set is complete: counts, types and zones', async () => {
    const rows = await app().store.read.query(
      'select type, timezone, count(*) as n from airport group by type, timezone',
      [],
    )
    const total = rows.reduce((sum, row) => sum + Number(row['n']), 0)
    assert.ok(total >= 85_000, String(total))
    assert.equal(new Set(rows.map((row) => row['type'])).size, 7)
    for (const row of rows) assert.equal(timeZoneNamed(String(row['timezone'])), row['timezone'])
    const [airlines] = await app().store.read.query('select count(*) as n from airline', [])
    const [aircraft] = await app().store.read.query('select count(*) as n from aircraft', [])
    assert.ok(Number(airlines!['n']) >= 6000)
    assert.ok(Number(aircraft!['n']) >= 2600)
  })
})
