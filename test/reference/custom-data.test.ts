import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createApp } from '../../server/app.ts'
import { createLogger } from '../../server/base/log.ts'
import { FIRST_CUSTOM_ID } from '../../server/domain/limits.ts'
import { onBothEngines, type TestApp, testOnSqlite } from '../harness.ts'

const strip = {
  icao: 'x-farm',
  name: 'Østergård Strip',
  municipality: 'Vejle',
  latitude: 55.75,
  longitude: 9.4,
  timezone: 'europe/copenhagen',
  continent: 'EU',
  country: 'dk',
}
const stored = {
  ...strip,
  icao: 'X-FARM',
  iata: null,
  timezone: 'Europe/Copenhagen',
  type: 'small_airport',
  country: 'DK',
  custom: true,
}

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const pictures: [string, string, Buffer][] = [
  ['png', 'image/png', png],
  ['jpg', 'image/jpeg', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46])],
  ['webp', 'image/webp', Buffer.from('RIFF\x24\0\0\0WEBPVP8 ', 'latin1')],
  [
    'svg',
    'image/png',
    Buffer.from(
      '\uFEFF<?xml version="1.0"?>\n<!-- tail -->\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x">\n<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h4v2z"/></svg>',
    ),
  ],
]

onBothEngines('custom data', (app, engine) => {
  const sqliteTest = testOnSqlite(engine)
  const caretaker = async () => {
    const person = await app().person('role-administrator')
    return { ...person, cookie: await person.session(), key: await person.key() }
  }
  type Caretaker = Awaited<ReturnType<typeof caretaker>>
  const ask = (who: Caretaker, method: string, path: string, body?: unknown) =>
    app().request(method, `/app/api${path}`, { cookie: who.cookie, body })
  const search = async (key: string, path: string, from: TestApp = app()) =>
    (await from.request('GET', `/api/v1${path}`, { key })).json.data as { id: number; name: string }[]
  const logFlight = async ({ key, id }: Caretaker, more: object): Promise<number> => {
    const [fromId, toId] = [await app().airportId('CPH'), await app().airportId('LHR')]
    const body = { date: '2026-02-20', fromId, toId, passengers: [{ userId: id }], ...more }
    const reply = await app().request('POST', '/api/v1/flights', { key, body })
    assert.equal(reply.status, 201, reply.text)
    return reply.json.data.id
  }

  const added = (found: { id: number }[]) => found.filter(({ id }) => id >= FIRST_CUSTOM_ID)

  test('create-airport, update-airport, delete-airport, list-custom-airports: changes are visible to everyone immediately', async () => {
    const who = await caretaker()
    // Another process of the same instance, with its own cache.
    const other = createApp({ ...app(), log: createLogger('silent') }).server
    const searchThere = async (text: string): Promise<{ id: number }[]> => {
      const headers = { authorization: `Bearer ${who.key}` }
      return (await other.inject({ url: `/api/v1/airports?query=${text}`, headers })).json().data
    }
    // Shipped records with similar names are found instead.
    assert.deepEqual(added(await search(who.key, '/airports?query=ostergard+strip')), [])
    assert.deepEqual(added(await searchThere('x-farm')), [])

    const created = await ask(who, 'POST', '/airports', strip)
    assert.equal(created.status, 201, created.text)
    const { id, ...rest } = created.json.data
    assert.ok(id > 1_000_000_000)
    assert.deepEqual(rest, stored)
    assert.equal(created.headers.location, `/app/api/airports/${id}`)
    for (const text of ['ostergard+strip', 'X-FARM', 'vejle']) {
      assert.ok(
        (await search(who.key, `/airports?query=${text}`)).some((found) => found.id === id),
        text,
      )
      assert.ok(
        (await searchThere(text)).some((found) => found.id === id),
        text,
      )
    }
    const read = await app().request('GET', `/api/v1/airports/${id}`, { key: who.key })
    assert.deepEqual(read.json.data, { id, ...stored })
    assert.deepEqual((await ask(who, 'GET', '/custom-airports')).json.data, [{ id, ...stored }])

    const flightId = await logFlight(who, { fromId: id })
    const flights = async () => (await app().request('GET', '/api/v1/flights', { key: who.key })).json.data
    assert.equal((await flights())[0].from.name, strip.name)
    const renamed = { ...strip, name: 'West Strip', iata: 'xws', type: 'medium_airport' }
    const updated = await ask(who, 'PUT', `/airports/${id}`, renamed)
    assert.equal(updated.status, 200, updated.text)
    assert.deepEqual(updated.json.data, {
      id,
      ...stored,
      name: 'West Strip',
      iata: 'XWS',
      type: 'medium_airport',
    })
    assert.equal((await flights())[0].from.name, 'West Strip')
    assert.equal((await searchThere('xws'))[0]!.id, id)

    assert.equal((await ask(who, 'DELETE', `/airports/${id}`)).status, 204)
    const [flight] = await flights()
    assert.deepEqual(
      [flight.id, flight.from, flight.to.iata, flight.distanceKm],
      [flightId, null, 'LHR', null],
    )
    assert.deepEqual(added(await searchThere('x-farm')), [])
    for (const [method, body] of [['PUT', strip] as const, ['DELETE', undefined] as const]) {
      assert.equal((await ask(who, method, `/airports/${id}`, body)).status, 404)
    }
    const again = await ask(who, 'POST', '/airports', strip)
    assert.ok(again.json.data.id > id, 'an id is never given twice')
    await ask(who, 'DELETE', `/airports/${again.json.data.id}`)
    await other.close()
  })

  sqliteTest(
    'create-airport, update-airport: invalid airports are refused with the field named',
    async () => {
      const who = await caretaker()
      const bad: [object, string][] = [
        [{ icao: 'E' }, 'icao'],
        [{ icao: 'a b' }, 'icao'],
        [{ icao: '%___' }, 'icao'],
        [{ icao: null }, 'icao'],
        [{ iata: 'CPHX' }, 'iata'],
        [{ name: '  ' }, 'name'],
        [{ name: 'x'.repeat(201) }, 'name'],
        [{ latitude: 90.1 }, 'latitude'],
        [{ longitude: -181 }, 'longitude'],
        [{ longitude: '9' }, 'longitude'],
        [{ timezone: 'Europe/Atlantis' }, 'timezone'],
        [{ timezone: '__proto__' }, 'timezone'],
        [{ timezone: 'constructor' }, 'timezone'],
        [{ type: 'spaceport' }, 'type'],
        [{ continent: 'XX' }, 'continent'],
        [{ country: 'ZZ' }, 'country'],
        [{ country: 'DNK' }, 'country'],
      ]
      const { id } = (await ask(who, 'POST', '/airports', { ...strip, icao: 'X-VALID' })).json.data
      for (const [part, field] of bad) {
        for (const [method, path] of [
          ['POST', '/airports'],
          ['PUT', `/airports/${id}`],
        ] as const) {
          const reply = await ask(who, method, path, { ...strip, icao: 'X-NEW', ...part })
          assert.equal(reply.status, 422, `${JSON.stringify(part)} ${reply.text}`)
          assert.equal(reply.json.error.details[0].path[0], field)
        }
      }
    },
  )

  test('create-airport, update-airport: a code stays unique under concurrent requests', async () => {
    const who = await caretaker()
    const taken = await ask(who, 'POST', '/airports', { ...strip, icao: 'ekch' })
    assert.deepEqual([taken.status, taken.json.error.code], [409, 'conflict'])
    const twins = await Promise.all(
      [1, 2, 3].map(() => ask(who, 'POST', '/airports', { ...strip, icao: 'X-TWIN' })),
    )
    assert.deepEqual(twins.map((reply) => reply.status).sort(), [201, 409, 409])
    const { id } = twins.find((reply) => reply.status === 201)!.json.data
    assert.equal((await ask(who, 'PUT', `/airports/${id}`, { ...strip, icao: 'EKCH' })).status, 409)
    assert.equal((await ask(who, 'PUT', `/airports/${id}`, { ...strip, icao: 'X-TWIN' })).status, 200)
  })

  test('update-airport, delete-airport, update-airline, delete-airline, update-aircraft, delete-aircraft: shipped records cannot be changed', async () => {
    const who = await caretaker()
    const shipped = {
      airports: [await app().airportId('CPH'), strip],
      airlines: [(await search(who.key, '/airlines?query=SAS'))[0]!.id, { name: 'Mine now' }],
      aircraft: [(await search(who.key, '/aircraft?query=A20N'))[0]!.id, { name: 'Mine now' }],
    } as const
    for (const [kind, [id, body]] of Object.entries(shipped)) {
      assert.equal((await ask(who, 'PUT', `/${kind}/${id}`, body)).status, 409, kind)
      assert.equal((await ask(who, 'DELETE', `/${kind}/${id}`)).status, 409, kind)
    }
  })

  test('create-airline, update-airline, delete-airline, list-custom-airlines: an airline is created, changed, listed and deleted', async () => {
    const who = await caretaker()
    const created = await ask(who, 'POST', '/airlines', { name: ' Farm Air ', icao: 'fr9', iata: '9f' })
    assert.equal(created.status, 201, created.text)
    const { id } = created.json.data
    const unknown = { from: null, to: null, successorId: null }
    const farmAir = {
      id,
      name: 'Farm Air',
      icao: 'FR9',
      iata: '9F',
      iconPath: null,
      active: true,
      ...unknown,
    }
    assert.deepEqual(created.json.data, farmAir)
    assert.deepEqual((await ask(who, 'GET', '/custom-airlines')).json.data, [farmAir])
    assert.equal((await search(who.key, '/airlines?query=farm+air'))[0]!.id, id)
    const flightId = await logFlight(who, { airlineId: id })
    const closed = await ask(who, 'PUT', `/airlines/${id}`, { name: 'Farm Airways', active: false })
    assert.deepEqual(closed.json.data, {
      ...farmAir,
      name: 'Farm Airways',
      icao: null,
      iata: null,
      active: false,
    })
    const read = () => app().request('GET', `/api/v1/flights/${flightId}`, { key: who.key })
    assert.equal((await read()).json.data.airline.name, 'Farm Airways')
    for (const bad of [{}, { name: '' }, { name: 'x', icao: 'TOOLONG' }, { name: 'x', iata: 'ABC' }]) {
      assert.equal((await ask(who, 'POST', '/airlines', bad)).status, 422)
      assert.equal((await ask(who, 'PUT', `/airlines/${id}`, bad)).status, 422)
    }
    assert.equal((await ask(who, 'DELETE', `/airlines/${id}`)).status, 204)
    assert.equal((await read()).json.data.airline, null)
    assert.deepEqual(added(await search(who.key, '/airlines?query=farm+airways')), [])
  })

  test('create-aircraft, update-aircraft, delete-aircraft, list-custom-aircraft: a type is created, changed, listed and deleted', async () => {
    const who = await caretaker()
    const created = await ask(who, 'POST', '/aircraft', { name: 'Home-built Pelican', icao: 'zz9p' })
    assert.equal(created.status, 201, created.text)
    const { id } = created.json.data
    assert.deepEqual(created.json.data, { id, name: 'Home-built Pelican', icao: 'ZZ9P', class: null })
    assert.deepEqual((await ask(who, 'GET', '/custom-aircraft')).json.data, [created.json.data])
    assert.equal((await search(who.key, '/aircraft?query=home-built+pelican'))[0]!.id, id)
    const flightId = await logFlight(who, { aircraftId: id })
    const renamed = await ask(who, 'PUT', `/aircraft/${id}`, { name: 'Heron' })
    assert.deepEqual(renamed.json.data, { id, name: 'Heron', icao: null, class: null })
    for (const bad of [{}, { name: 'x', icao: 'TOOLONG' }, { name: 7 }]) {
      assert.equal((await ask(who, 'POST', '/aircraft', bad)).status, 422)
      assert.equal((await ask(who, 'PUT', `/aircraft/${id}`, bad)).status, 422)
    }
    assert.equal((await ask(who, 'DELETE', `/aircraft/${id}`)).status, 204)
    const flight = await app().request('GET', `/api/v1/flights/${flightId}`, { key: who.key })
    assert.equal(flight.json.data.aircraft, null)
  })

  test('delete-airport, delete-airline, delete-aircraft: a flight created concurrently never causes a 500', async () => {
    const who = await caretaker()
    for (let round = 0; round < 4; round++) {
      const { id } = (await ask(who, 'POST', '/aircraft', { name: `Brief ${round}` })).json.data
      const [fromId, toId] = [await app().airportId('CPH'), await app().airportId('LHR')]
      const body = { date: '2026-02-20', fromId, toId, aircraftId: id, passengers: [{ userId: who.id }] }
      const [logged, deleted] = await Promise.all([
        app().request('POST', '/api/v1/flights', { key: who.key, body }),
        ask(who, 'DELETE', `/aircraft/${id}`),
      ])
      assert.equal(deleted.status, 204, deleted.text)
      assert.ok([201, 409, 422].includes(logged.status), logged.text)
      if (logged.status !== 201) continue
      const path = `/api/v1/flights/${logged.json.data.id}`
      assert.equal((await app().request('GET', path, { key: who.key })).json.data.aircraft, null)
    }
  })

  // Icons

  const upload = (who: Caretaker, id: number, raw: Buffer, headers: Record<string, string> = {}) =>
    app().request('PUT', `/app/api/airlines/${id}/icon`, { cookie: who.cookie, raw, headers })
  const files = () => {
    const folder = join(app().config.dataDir, 'uploads', 'airlines')
    return existsSync(folder) ? readdirSync(folder) : []
  }

  test('set-airline-icon, delete-airline-icon: the type is detected, and icons are served, replaced and removed', async () => {
    const who = await caretaker()
    const { id } = (await search(who.key, '/airlines?query=SAS'))[0]!
    let before: string | undefined
    for (const [extension, type, bytes] of pictures) {
      // The content type sent by the client does not matter.
      const reply = await upload(who, id, bytes, { 'content-type': 'text/html' })
      assert.equal(reply.status, 200, reply.text)
      const { iconPath } = reply.json.data
      const isDrawing = extension === 'svg'
      assert.match(iconPath, new RegExp(`^airlines/[a-z0-9]{24}\\.${isDrawing ? 'png' : extension}$`))
      const shown = await app().request('GET', `/api/uploads/${iconPath}`)
      assert.equal(shown.status, 200)
      assert.equal(shown.headers['content-type'], type)
      // Drawn at another size, without the parts that are not drawn.
      if (isDrawing) assert.ok(shown.text.includes('IHDR\0\0\u0002\0\0\0\u0001\0'), '512 by 256 pixels')
      else assert.equal(shown.headers['content-length'], String(bytes.length))
      assert.equal(shown.headers['cache-control'], 'public, max-age=31536000, immutable')
      assert.equal(shown.headers['x-content-type-options'], 'nosniff')
      assert.equal(
        shown.headers['content-security-policy'],
        "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      )
      assert.equal((await app().request('HEAD', `/api/uploads/${iconPath}`)).status, 200)
      if (before) assert.equal((await app().request('GET', `/api/uploads/${before}`)).status, 404)
      before = iconPath
      const read = await app().request('GET', `/api/v1/airlines/${id}`, { key: who.key })
      assert.equal(read.json.data.iconPath, iconPath)
    }
    assert.equal(files().length, 1)
    assert.equal((await ask(who, 'DELETE', `/airlines/${id}/icon`)).status, 204)
    const gone = await app().request('GET', `/api/uploads/${before}`)
    assert.deepEqual([gone.status, gone.json.error.code], [404, 'not_found'])
    assert.equal(gone.headers['cache-control'], 'private, no-store')
    const read = await app().request('GET', `/api/v1/airlines/${id}`, { key: who.key })
    assert.equal(read.json.data.iconPath, null)
    assert.deepEqual(files(), [])
  })

  sqliteTest(
    'set-airline-icon, delete-airline-icon: other files, active drawings, large files and missing airlines are refused',
    async () => {
      const who = await caretaker()
      const { id } = (await search(who.key, '/airlines?query=SAS'))[0]!
      const svg = (inner: string) => Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${inner}</svg>`)
      const bad = [
        Buffer.from('<html><svg></svg></html>'),
        Buffer.from('GIF89a'),
        Buffer.from('{"not": "a picture"}'),
        Buffer.from([0x89, 0x50]),
        Buffer.from('\ufeffsvg'),
        svg('<script>alert(1)</script>'),
        svg('<g onload = "alert(1)"/>'),
        svg('<a href="JavaScript:alert(1)"/>'),
        svg('<foreignObject/>'),
        svg('<x:script xmlns:x="http://www.w3.org/2000/svg">alert(1)</x:script>'),
        Buffer.from('<?xml version="1.0"?><?xml-stylesheet href="https://evil.example/x.xsl"?><svg/>'),
        Buffer.from('<!DOCTYPE svg [<!ENTITY a "b">]><svg/>'),
        Buffer.from(`<!--${'-'.repeat(1_000_000)}`),
        Buffer.alloc(0),
      ]
      for (const raw of bad) {
        const reply = await upload(who, id, raw)
        assert.deepEqual(
          [reply.status, reply.json.error.code],
          [422, 'validation_failed'],
          raw.toString().slice(0, 60),
        )
      }
      const most = 5 * 1024 * 1024
      const large = await upload(who, id, Buffer.concat([png, Buffer.alloc(most - png.length + 1)]))
      assert.deepEqual([large.status, large.json.error.code], [413, 'payload_too_large'])
      const whole = await upload(who, id, Buffer.concat([png, Buffer.alloc(most - png.length)]))
      assert.equal(whole.status, 200, whole.text)
      assert.equal((await upload(who, 2_000_000_000, png)).status, 404)
      assert.equal((await ask(who, 'DELETE', '/airlines/2000000000/icon')).status, 404)
      assert.equal((await ask(who, 'DELETE', `/airlines/${id}/icon`)).status, 204)
      assert.deepEqual(files(), [])
    },
  )

  test('delete-airline: its icon is deleted too', async () => {
    const who = await caretaker()
    const { id } = (await ask(who, 'POST', '/airlines', { name: 'Gone Air' })).json.data
    assert.equal((await upload(who, id, png)).status, 200)
    assert.equal(files().length, 1)
    assert.equal((await ask(who, 'DELETE', `/airlines/${id}`)).status, 204)
    assert.deepEqual(files(), [])
  })

  sqliteTest('uploads: paths cannot leave the folder', async () => {
    const attempts = [
      '',
      'airlines',
      'airlines/',
      '../contrail.sqlite',
      '%2e%2e/contrail.sqlite',
      '..%2fcontrail.sqlite',
      'airlines/..%2f..%2fcontrail.sqlite',
      'airlines/%2e%2e%2f%2e%2e%2fcontrail.sqlite',
      'airlines/..%5c..%5ccontrail.sqlite',
      'airlines/%00.png',
      'airlines//etc/passwd',
      '/etc/passwd',
      `airlines/${'a'.repeat(24)}.png%00.svg`,
      `airlines/${'a'.repeat(24)}.png.part`,
      `airlines/${'a'.repeat(24)}.html`,
      `airlines/${'a'.repeat(3000)}.png`,
    ]
    for (const path of attempts) {
      const reply = await app().request('GET', `/api/uploads/${path}`)
      assert.ok([400, 404].includes(reply.status), `${path}: ${reply.status}`)
      assert.ok(reply.json.error.code, path)
    }
    assert.equal((await app().request('POST', '/api/uploads/airlines/x.png')).status, 405)
  })
})
