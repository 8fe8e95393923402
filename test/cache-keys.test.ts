// A response is cached until something that it shows changes, and no longer: other people's writes do not discard it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onBothEngines, type TestPerson } from './harness.ts'

const airport = {
  icao: 'ZZ01',
  name: 'Old field',
  latitude: 1,
  longitude: 2,
  timezone: 'UTC',
  continent: 'EU',
  country: 'DK',
}

onBothEngines('cache keys', (app) => {
  interface Reader {
    person: TestPerson
    key: string
    cookie: string
  }
  const reader = async (...role: Parameters<ReturnType<typeof app>['person']>): Promise<Reader> => {
    const person = await app().person(...role)
    return { person, key: await person.key(), cookie: await person.session() }
  }
  let owner: Reader | undefined
  const theOwner = async () => {
    owner ??= await reader('owner')
    return owner
  }

  const own = [
    '/api/v1/flights?limit=5',
    '/api/v1/flights/search?dateFrom=2020-01-01',
    '/api/v1/flights/search?when=past',
    '/api/v1/stats',
    '/api/v1/journeys',
    '/api/v1/changes',
    '/api/flight/list',
    '/app/api/log',
    '/app/api/log-words',
  ]
  const ofAll = ['/api/v1/flights?scope=all&limit=100', '/app/api/log?scope=all']
  const credential = (path: string, { key, cookie }: Reader) =>
    path.startsWith('/app') ? { cookie } : { key }
  const read = async (path: string, by: Reader) => {
    const reply = await app().request('GET', path, credential(path, by))
    assert.equal(reply.status, 200, `${path}: ${reply.text}`)
    return reply
  }
  const tagsOf = async (paths: readonly string[], by: Reader): Promise<Map<string, string>> => {
    const tags = new Map<string, string>()
    for (const path of paths) tags.set(path, (await read(path, by)).headers.etag!)
    return tags
  }
  const same = async (before: ReadonlyMap<string, string>, by: Reader, what: string) => {
    for (const [path, tag] of before) {
      const headers = { 'if-none-match': tag }
      const again = await app().request('GET', path, { ...credential(path, by), headers })
      assert.equal(again.status, 304, `${what}: ${path}`)
    }
  }
  const different = async (
    before: ReadonlyMap<string, string>,
    by: Reader,
    { text, what }: { text: string; what: string },
  ) => {
    for (const [path, tag] of before) {
      const headers = { 'if-none-match': tag }
      const again = await app().request('GET', path, { ...credential(path, by), headers })
      assert.equal(again.status, 200, `${what}: ${path}`)
      const shows = !/stats|journeys|log-words|search\?when/.test(path)
      if (shows) assert.ok(again.text.includes(text), `${what}: ${path}`)
    }
  }

  const write = async (by: Reader, body: object) => {
    const reply = await app().request('POST', '/api/v1/flights', { key: by.key, body })
    assert.equal(reply.status, 201, reply.text)
    return reply.json.data.id as number
  }
  const rename = async (by: Reader, displayName: string) => {
    const body = { username: by.person.username, displayName }
    const reply = await app().request('PUT', '/app/api/me', {
      cookie: by.cookie,
      headers: { 'sec-fetch-site': 'same-origin' },
      body,
    })
    assert.equal(reply.status, 204, reply.text)
  }
  const addAirport = async (icao: string, name = airport.name): Promise<number> => {
    const { cookie } = await theOwner()
    const body = { ...airport, icao, name }
    const reply = await app().request('POST', '/app/api/airports', { cookie, body })
    assert.equal(reply.status, 201, reply.text)
    return reply.json.data.id
  }
  const renameAirport = async (id: number, icao: string, name: string) => {
    const { cookie } = await theOwner()
    const body = { ...airport, icao, name }
    const reply = await app().request('PUT', `/app/api/airports/${id}`, { cookie, body })
    assert.equal(reply.status, 200, reply.text)
  }

  test('changes to unrelated accounts, names and records keep cached pages', async () => {
    const [ada, bob, stranger] = [await reader(), await reader(), await reader()]
    const [fromId, toId] = [await app().airportId('CPH'), await app().airportId('OSL')]
    const passengers = [{ userId: ada.person.id }, { userId: bob.person.id }]
    const id = await write(ada, { date: '2026-01-01', fromId, toId, passengers })
    await write(stranger, { date: '2026-01-01', fromId, toId, passengers: [{ userId: stranger.person.id }] })
    const one = `/api/v1/flights/${id}`
    const before = await tagsOf([...own, one], ada)
    const beforeAll = await tagsOf(ofAll, await theOwner())
    await app().person()
    await same(before, ada, 'a new account')
    await same(beforeAll, await theOwner(), 'a new account')
    const field = await addAirport('ZZ02')
    await same(before, ada, 'a new airport')
    await same(beforeAll, await theOwner(), 'a new airport')
    await rename(stranger, 'Someone Else')
    await same(before, ada, 'a stranger’s name')
    await different(beforeAll, await theOwner(), { text: 'Someone Else', what: 'a stranger’s name' })
    await renameAirport(field, 'ZZ02', 'Unused field')
    await same(before, ada, 'a record that they do not use')
  })

  test('a changed name is shown to everyone who sees it', async () => {
    const [ada, bob] = [await reader(), await reader()]
    const [fromId, toId] = [await app().airportId('CPH'), await app().airportId('OSL')]
    const passengers = [{ userId: ada.person.id }, { userId: bob.person.id }]
    const id = await write(ada, { date: '2026-01-01', fromId, toId, passengers })
    const paths = [...own, `/api/v1/flights/${id}`]
    const before = { ada: await tagsOf(paths, ada), bob: await tagsOf(own, bob) }
    const beforeAll = await tagsOf(ofAll, await theOwner())
    const kept = (await read('/app/api/log', ada)).json.data.token
    await rename(bob, 'Robert The Second')
    const text = 'Robert The Second'
    await different(before.ada, ada, { text, what: 'a companion’s name' })
    await different(before.bob, bob, { text, what: 'their own name' })
    await different(beforeAll, await theOwner(), { text, what: 'for all' })
    const step = (await read(`/app/api/log?since=${kept}`, ada)).json.data
    assert.equal(step.users[bob.person.id].displayName, text)
    assert.equal(step.partial, false)
    const again = (await read(`/app/api/log?since=${step.token}`, ada)).json.data
    assert.deepEqual([again.partial, again.flights], [true, []])
  })

  test('a corrected record changes its flights and a share of them', async () => {
    const [ada, bob] = [await reader(), await reader()]
    const field = await addAirport('ZZ03')
    const toId = await app().airportId('OSL')
    const id = await write(ada, {
      date: '2026-01-01',
      fromId: field,
      toId,
      passengers: [{ userId: ada.person.id }],
    })
    await write(bob, { date: '2026-01-01', fromId: toId, toId, passengers: [{ userId: bob.person.id }] })
    const share = await app().request('POST', '/app/api/shares', {
      cookie: ada.cookie,
      body: { slug: `of-ada-${app().engine}`, showMap: true, showStats: true, showFlightList: true },
    })
    assert.equal(share.status, 201, share.text)
    const page = `/share/of-ada-${app().engine}/data`
    const shared = await app().request('GET', page)
    assert.match(shared.text, /Old field/)
    const before = { ada: await tagsOf([...own, `/api/v1/flights/${id}`], ada), bob: await tagsOf(own, bob) }
    const beforeAll = await tagsOf(ofAll, await theOwner())
    const kept = (await read('/app/api/log', ada)).json.data.token
    await renameAirport(field, 'ZZ03', 'New field')
    const text = 'New field'
    await different(before.ada, ada, { text, what: 'a record' })
    await same(before.bob, bob, 'a record of others')
    await different(beforeAll, await theOwner(), { text, what: 'for all' })
    assert.match((await app().request('GET', page)).text, /New field/)
    const step = (await read(`/app/api/log?since=${kept}`, ada)).json.data
    assert.equal(step.airports[field].name, text)
    const gone = await app().request('DELETE', `/app/api/airports/${field}`, {
      cookie: (await theOwner()).cookie,
    })
    assert.equal(gone.status, 204, gone.text)
    assert.doesNotMatch((await read('/api/v1/flights', ada)).text, /New field/)
    assert.doesNotMatch((await app().request('GET', page)).text, /New field/)
    assert.doesNotMatch((await read('/api/flight/list', ada)).text, /ZZ03/)
  })

  test('an export has the current state of a record named only by a custom field', async () => {
    const ada = await reader()
    const { cookie } = await theOwner()
    const field = { entityType: 'flight', key: 'alternate', label: 'Alternate', fieldType: 'airport' }
    assert.equal((await app().request('POST', '/app/api/custom-fields', { cookie, body: field })).status, 201)
    const alternate = await addAirport('ZZ09', 'Old alternate')
    const [fromId, toId] = [await app().airportId('CPH'), await app().airportId('OSL')]
    const passengers = [{ userId: ada.person.id }]
    await write(ada, { date: '2026-01-01', fromId, toId, passengers, customFields: { alternate } })
    for (const [format, name] of [
      ['json', 'First'],
      ['yaml', 'Second'],
    ] as const) {
      const path = `/api/v1/flights/export?format=${format}`
      assert.match((await read(path, ada)).text, /ZZ09/)
      await renameAirport(alternate, 'ZZ09', `${name} alternate`)
      assert.match((await read(path, ada)).text, new RegExp(`${name} alternate`), format)
    }
  })

  test('a flight is cached per reader and id until its contents change', async () => {
    const [ada, bob] = [await reader(), await reader()]
    const [fromId, toId] = [await app().airportId('CPH'), await app().airportId('OSL')]
    const passengers = [{ userId: ada.person.id }, { userId: bob.person.id }]
    const flight = { date: '2026-01-01', fromId, toId, passengers }
    const id = await write(ada, { ...flight, externalIds: { byair: '1' } })
    const path = `/api/v1/flights/${id}`
    const everyone = [ada, bob, await theOwner()]
    /** Often enough to be kept. */
    const readAll = async () => {
      const read3 = async (by: Reader) => [await read(path, by), await read(path, by), await read(path, by)]
      return (await Promise.all(everyone.map(read3))).flat()
    }
    const first = await readAll()
    assert.deepEqual(
      first.map(({ json }) => json.data.externalIds),
      [...Array(3).fill({ byair: '1' }), ...Array(6).fill({})],
    )
    const tag = `"f${id}-1"`
    assert.ok(first.every(({ headers }) => headers.etag === tag))
    const [page] = (await read('/api/v1/flights', ada)).json.data
    assert.equal(first[2]!.text, JSON.stringify({ data: page }))
    await rename(bob, 'Robert The Third')
    for (const { text } of await readAll()) assert.match(text, /Robert The Third/)
    const put = await app().request('PUT', path, { key: ada.key, body: { ...flight, note: 'Late' } })
    assert.equal(put.status, 200, put.text)
    for (const { headers, json } of await readAll())
      assert.deepEqual([headers.etag, json.data.note], [`"f${id}-2"`, 'Late'])
    const known = { key: ada.key, headers: { 'if-none-match': `"f${id}-2"` } }
    assert.equal((await app().request('GET', path, known)).status, 304)
    const alone = { ...flight, passengers: [{ userId: ada.person.id }] }
    assert.equal((await app().request('PUT', path, { key: ada.key, body: alone })).status, 200)
    assert.equal((await app().request('GET', path, { key: bob.key })).status, 404)
    assert.equal((await app().request('DELETE', path, { key: ada.key })).status, 204)
    for (const { key } of everyone) assert.equal((await app().request('GET', path, { key })).status, 404)
  })

  test('the meaning of a filter includes new records', async () => {
    const ada = await reader()
    const [field, toId] = [await addAirport('ZZ04', 'Zzyzx strip'), await app().airportId('OSL')]
    await write(ada, { date: '2026-01-01', fromId: field, toId, passengers: [{ userId: ada.person.id }] })
    const search = '/api/v1/flights/search?from=Zzyzx'
    const meant = async () => (await read(search, ada)).json.matched.from as string[]
    const before = await meant()
    assert.ok(before.includes('ZZ04 Zzyzx strip'))
    await addAirport('ZZ05', 'Zzyzx meadow')
    assert.deepEqual((await meant()).toSorted(), [...before, 'ZZ05 Zzyzx meadow'].toSorted())
  })

  test('a person renamed while joining a flight is shown under the new name', async () => {
    const [ada, bob] = [await reader(), await reader()]
    const [fromId, toId] = [await app().airportId('CPH'), await app().airportId('OSL')]
    for (let i = 0; i < 8; i++) {
      const body = {
        date: '2026-02-01',
        fromId,
        toId,
        passengers: [{ userId: ada.person.id }, { userId: bob.person.id }],
      }
      const name = `Bob ${i}`
      await Promise.all([
        rename(bob, name),
        write(ada, body),
        read('/api/v1/flights', ada),
        read('/api/v1/flights', ada),
      ])
      for (let repeat = 0; repeat < 3; repeat++) {
        const { text } = await read('/api/v1/flights', ada)
        assert.ok(text.includes(name) && !text.includes(`Bob ${i - 1}`), `${name} is shown`)
      }
    }
  })

  test('a rename reaches more companions than counters are locked together', async () => {
    const ada = await reader()
    const many: Reader[] = []
    for (let i = 0; i < 75; i++) many.push(await reader())
    const [fromId, toId] = [await app().airportId('CPH'), await app().airportId('OSL')]
    for (let start = 0; start < many.length; start += 25) {
      const passengers = [ada, ...many.slice(start, start + 25)].map(({ person }) => ({ userId: person.id }))
      await write(ada, { date: '2026-01-01', fromId, toId, passengers })
    }
    const watched = [many[0]!, many[40]!, many[74]!]
    const before = await Promise.all(watched.map((by) => tagsOf(['/api/v1/flights?limit=5'], by)))
    await rename(ada, 'Ada Known To Many')
    for (const [i, by] of watched.entries())
      await different(before[i]!, by, { text: 'Ada Known To Many', what: 'a name' })
  })
})
