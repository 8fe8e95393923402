// What the shipped set says about airports: the city each serves, its continent and country, and airports of the past.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { airportIds, logFlight } from '../fixtures.ts'
import { onBothEngines } from '../harness.ts'

interface Found {
  id: number
  iata: string | null
  name: string
  municipality: string | null
  timezone: string
  type: string
  continent: string
  country: string
}

onBothEngines('airport data', (app) => {
  let key: string
  before(async () => {
    key = await (await app().person()).key(['reference_data.read'])
  })
  const search = async (query: string): Promise<Found[]> =>
    (await app().request('GET', `/api/v1/airports?query=${encodeURIComponent(query)}`, { key })).json.data
  /** The airport that has the code today. */
  const airport = async (iata: string): Promise<Found> => {
    const reply = await app().request('GET', `/api/v1/airports/${await app().airportId(iata)}`, { key })
    assert.equal(reply.json.data.iata, iata)
    return reply.json.data
  }

  test('an airport shows the city that it serves', async () => {
    for (const [iata, city] of [
      ['ATH', 'Athens'],
      ['BRU', 'Brussels'],
      ['LHR', 'London'],
      ['LGW', 'London'],
      ['STN', 'London'],
      ['LTN', 'London'],
      ['CDG', 'Paris'],
      ['MXP', 'Milan'],
      ['FCO', 'Rome'],
      ['OSL', 'Oslo'],
      ['CPH', 'Copenhagen'],
      ['FRA', 'Frankfurt'],
      ['NRT', 'Tokyo'],
      ['ICN', 'Seoul'],
      ['JFK', 'New York'],
      ['EWR', 'Newark'],
      ['IAD', 'Washington'],
    ] as const)
      assert.equal((await airport(iata)).municipality, city, iata)
  })

  test('a small airfield keeps its own municipality', async () => {
    for (const [code, place] of [
      ['BQH', 'London'],
      ['EDML', 'Landshut'],
    ] as const) {
      const [found] = await search(code)
      assert.match(found?.municipality ?? '', new RegExp(place), code)
    }
  })

  test('Greek islands are in Europe and Indonesian Papua in Asia, like the rest of their countries', async () => {
    for (const [iata, continent] of [
      ['HER', 'EU'],
      ['CHQ', 'EU'],
      ['RHO', 'EU'],
      ['KGS', 'EU'],
      ['LCA', 'AS'],
      ['DJJ', 'AS'],
      ['NBX', 'AS'],
      ['TIM', 'AS'],
      ['CGK', 'AS'],
    ] as const)
      assert.equal((await airport(iata)).continent, continent, iata)
  })

  test('Åland and Svalbard can be visited', async () => {
    app().clock.set('2026-06-15T12:00:00Z')
    const ada = await app().person()
    const [hel, mhq, osl, lyr] = await airportIds(app(), 'HEL', 'MHQ', 'OSL', 'LYR')
    await logFlight(app(), ada, { date: '2025-05-01', fromId: hel, toId: mhq })
    await logFlight(app(), ada, { date: '2025-07-01', fromId: osl, toId: lyr })
    const reply = await app().request('GET', '/api/v1/visited-countries/flown', { key: await ada.key() })
    const codes = reply.json.data.map((row: { code: string }) => row.code)
    assert.deepEqual(codes.toSorted(), ['AX', 'FI', 'NO', 'SJ'])
  })

  test('Eureka is on Central time', async () => {
    assert.equal((await airport('YEU')).timezone, 'America/Resolute')
  })

  test('closed airports keep their last code, a place and a zone', async () => {
    for (const [code, name, zone, today] of [
      ['HKG', 'Kai Tak', 'Asia/Hong_Kong', true],
      ['MUC', 'Riem', 'Europe/Berlin', true],
      ['DEN', 'Stapleton', 'America/Denver', true],
      ['AUS', 'Mueller', 'America/Chicago', true],
      ['ATH', 'Ellinikon', 'Europe/Athens', true],
      ['CAN', 'Old Guangzhou', 'Asia/Shanghai', true],
      ['UIO', 'Old Mariscal Sucre', 'America/Guayaquil', true],
      ['DUR', 'Durban International', 'Africa/Johannesburg', true],
      ['PQC', 'Duong Dong', 'Asia/Ho_Chi_Minh', true],
      ['CGX', 'Meigs', 'America/Chicago', true],
      ['FBU', 'Fornebu', 'Europe/Oslo', false],
      ['TXL', 'Tegel', 'Europe/Berlin', false],
      ['THF', 'Tempelhof', 'Europe/Berlin', false],
      ['SXF', 'Schönefeld', 'Europe/Berlin', false],
      ['REP', 'Siem Reap', 'Asia/Phnom_Penh', false],
    ] as const) {
      const found = await search(code)
      const past = found.find((one) => one.type === 'closed' && one.name.includes(name))
      assert.ok(past, `${code}: ${found.map((one) => one.name)}`)
      assert.deepEqual([past.iata, past.timezone], [code, zone])
      assert.equal(
        found[0]?.type === 'closed',
        !today,
        `${code}: an airport that bears the code today comes first`,
      )
    }
  })

  test('former codes are in the store, with one holder per day', async () => {
    const rows = await app().store.read.query(
      "select code, record_id as id, valid_from as since, valid_to as until from code_period where kind = 'airport'",
      [],
    )
    const holders = async (code: string, day: string) => {
      const held = rows.filter(
        (row) =>
          row['code'] === code &&
          String(row['since'] ?? '') <= day &&
          day <= String(row['until'] ?? '9999-12-31'),
      )
      const replies = held.map((row) => app().request('GET', `/api/v1/airports/${row['id']}`, { key }))
      return (await Promise.all(replies)).map((reply) => reply.json.data.name as string)
    }
    for (const [code, day, name] of [
      ['HKG', '1998-07-05', 'Kai Tak'],
      ['HKG', '1998-07-06', 'Hong Kong International Airport'],
      ['BKK', '2006-09-27', 'Don Mueang'],
      ['BKK', '2006-09-28', 'Suvarnabhumi'],
      ['TSE', '2015-01-01', 'Nazarbayev'],
      ['BER', '2024-01-01', 'Brandenburg'],
      ['EDDB', '2019-01-01', 'Schönefeld'],
    ] as const) {
      const [holder, ...others] = await holders(code, day)
      assert.match(holder ?? '', new RegExp(name), `${code} ${day}`)
      assert.deepEqual(others, [])
    }
    assert.deepEqual(await holders('BER', '2019-01-01'), [], 'then it was the code of the city')
  })
})
