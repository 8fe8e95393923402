// `personal=true` on search-airports, search-airlines and search-aircraft; get-log-words; records that users added.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { upsertReference } from '../../server/services/reference/load.ts'
import { isLoaded } from '../../server/services/reference/shipped.ts'
import { withoutAirports } from '../fixtures.ts'
import { onBothEngines, type TestPerson } from '../harness.ts'

type Kind = 'airports' | 'airlines' | 'aircraft'

onBothEngines('personal search', (app) => {
  let ada: TestPerson
  let bob: TestPerson
  before(async () => {
    ada = await app().person()
    bob = await app().person()
  })
  const search = async (person: TestPerson, kind: Kind, query: string, personal = true) => {
    const cookie = await person.session()
    const path = `/app/api/${kind}?${new URLSearchParams({ query, ...(personal && { personal: 'true' }) })}`
    return (await app().request('GET', path, { cookie })).json.data as Record<string, string>[]
  }
  const idOf = async (kind: Kind, code: string) => Number((await search(ada, kind, code, false))[0]!['id'])
  const fly = async (person: TestPerson, date: string, from: string, to: string, more: object = {}) => {
    const body = {
      date,
      fromId: await app().airportId(from),
      toId: await app().airportId(to),
      passengers: [{ userId: person.id }],
      ...more,
    }
    const reply = await app().request('POST', '/api/v1/flights', { key: await person.key(), body })
    assert.equal(reply.status, 201, reply.text)
  }
  const codes = (list: Record<string, string>[]) => list.map(({ iata, icao }) => iata ?? icao)

  test('the caller’s records come first among equals, and recent ones before typing', async () => {
    assert.deepEqual(await search(ada, 'airports', ''), [], 'no flights yet')
    const usual = codes(await search(ada, 'airports', 'london', false))
    assert.notEqual(usual[0], 'LCY')
    const airlineId = await idOf('airlines', 'BAW')
    const aircraftId = await idOf('aircraft', 'E190')
    await fly(ada, '2024-03-01', 'LCY', 'CPH', { airlineId, aircraftId })
    assert.equal(codes(await search(ada, 'airports', 'london'))[0], 'LCY')
    assert.deepEqual(codes(await search(ada, 'airports', 'london', false)), usual, 'only if requested')
    assert.equal(codes(await search(ada, 'airports', 'lhr'))[0], 'LHR', 'an exact code is no equal')
    await fly(ada, '2025-03-01', 'CPH', 'OSL')
    assert.deepEqual(codes(await search(ada, 'airports', '')), ['OSL', 'CPH', 'LCY'], 'the last used first')
    assert.deepEqual(codes(await search(ada, 'airlines', '')), ['BA'])
    assert.deepEqual(
      (await search(ada, 'aircraft', '')).map(({ icao }) => icao),
      ['E190'],
    )
    assert.deepEqual(await search(bob, 'airports', ''), [])
    assert.deepEqual(codes(await search(bob, 'airports', 'london')), usual, 'another person')
  })

  test('up to ten recent records are returned; personal=false and a missing query work as before', async () => {
    for (const [i, code] of [
      'FRA',
      'MUC',
      'ZRH',
      'VIE',
      'GVA',
      'LIS',
      'MAD',
      'BCN',
      'FCO',
      'ATH',
      'BRU',
    ].entries()) {
      await fly(bob, `2025-0${1 + (i % 9)}-02`, code, 'AMS')
    }
    assert.equal((await search(bob, 'airports', '')).length, 10)
    const key = await bob.key()
    for (const query of ['', '?personal=false', '?query=%20&personal=false']) {
      const reply = await app().request('GET', `/api/v1/airports${query}`, { key })
      assert.equal(reply.status, 400, query)
      assert.equal(reply.json.error.reason ?? 'query_required', 'query_required')
    }
    assert.equal((await app().request('GET', '/api/v1/airports?personal=yes', { key })).status, 400)
    assert.equal((await app().request('GET', '/api/v1/airports?personal=true', { key })).json.data.length, 10)
  })

  test('a credential that may not read flights gets no personal results', async () => {
    const key = await ada.key(['reference_data.read'])
    for (const query of ['?personal=true', '?query=london&personal=true']) {
      const reply = await app().request('GET', `/api/v1/airports${query}`, { key })
      assert.equal(reply.status, 403, query)
      assert.equal(reply.json.error.code, 'insufficient_scope')
    }
  })

  test('flights are found by other names of their airports; a misspelt name is refused with suggestions', async () => {
    const cyd = await app().person()
    await fly(cyd, '2024-07-01', 'OSL', 'MUC')
    await fly(cyd, '2024-07-02', 'OSL', 'ARN')
    const key = await cyd.key()
    for (const parameters of [
      'airport=m%C3%BCnchen',
      'to=muenchen',
      'to=munich',
      'to=MUC',
      'text=m%C3%BCnchen',
      'text=muenchen',
    ]) {
      const { json, status } = await app().request('GET', `/api/v1/flights/search?${parameters}`, { key })
      assert.equal(status, 200, parameters)
      assert.deepEqual(
        json.data.map(({ date }: { date: string }) => date),
        ['2024-07-01'],
        parameters,
      )
    }
    const mistyped = await app().request('GET', '/api/v1/flights/search?to=minich', { key })
    assert.equal(mistyped.status, 400, mistyped.text)
    assert.match(mistyped.json.error.message, /^to: nothing matches “minich”\. Did you mean MUC Munich/)
    const cookie = await cyd.session()
    const words = (await app().request('GET', '/app/api/log-words', { cookie })).json.data
    const munich = words.airports[await app().airportId('MUC')]
    for (const word of ['muc', 'munchen', 'munich'])
      assert.ok(munich.includes(` ${word}`), `${word} in ${munich}`)
    assert.equal(Object.keys(words.airports).length, 3, 'of the own log alone')
    const bad = await app().request('GET', '/app/api/log-words?scope=everyone', { cookie })
    assert.equal(bad.status, 400, bad.text)
  })

  test('records that users added are found, also after an upgrade of the search text format', async () => {
    const owner = await app().person('owner')
    const cookie = await owner.session()
    const body = {
      icao: 'ZZ-77',
      name: 'Grünwalder Wiese',
      municipality: 'Hintertupfing',
      latitude: 48,
      longitude: 11,
      timezone: 'Europe/Berlin',
      continent: 'EU',
      country: 'DE',
    }
    const headers = { origin: app().config.origin }
    const added = await app().request('POST', '/app/api/airports', { cookie, body, headers })
    assert.equal(added.status, 201, added.text)
    const isFound = async () => {
      for (const query of ['zz-77', 'gruenwalder', 'hintertupfing', 'wiese', 'hintertupfig'])
        assert.equal((await search(ada, 'airports', query, false))[0]?.['icao'], 'ZZ-77', query)
    }
    await isFound()
    // As stored by an older version.
    const { store } = app()
    await store.transaction(async (tx) => {
      await tx.query(`update airport set search = '^zz-77^|hintertupfing' where icao = 'ZZ-77'`, [])
      await tx.query(`delete from setting where name = 'searchFormat'`, [])
    })
    assert.equal(await isLoaded(store.read), false, 'the next start loads the set again')
    await store.transaction((tx) => upsertReference(tx, withoutAirports()))
    await isFound()
  })
})
