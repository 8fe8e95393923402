// Every input is stored or refused with its name; every requested thing exists or is refused. Nothing is ignored silently.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { airportIds, assertError, logFlight } from '../fixtures.ts'
import { onBothEngines, type TestPerson, testOnSqlite } from '../harness.ts'
import { callTool } from '../mcp/clients.ts'

onBothEngines('no silent loss', (app, engine) => {
  const sqliteTest = testOnSqlite(engine)
  const define = async (field: object, id?: number): Promise<number> => {
    const cookie = await (await app().person('role-administrator')).session()
    const body = { entityType: 'flight', fieldType: 'text', label: 'A field', ...field }
    const path = '/app/api/custom-fields'
    const reply = await (id === undefined
      ? app().request('POST', path, { cookie, body })
      : app().request('PUT', `${path}/${id}`, { cookie, body }))
    assert.ok(reply.status < 300, reply.text)
    return reply.json.data.id
  }
  const bodyOf = async (who: TestPerson, more: object = {}) => {
    const [fromId, toId] = await airportIds(app(), 'CPH', 'JFK')
    return { date: '2026-02-20', fromId, toId, passengers: [{ userId: who.id }], ...more }
  }
  const listed = async (key: string) =>
    (await app().request('GET', '/api/v1/flights', { key })).json.data as { id: number }[]

  test('an unknown custom field is refused by name, with the existing ones', async () => {
    const ada = await app().person()
    const key = await ada.key()
    await define({ key: 'booking_class', label: 'Booking class' })
    await define({ key: 'lounge', entityType: 'flight_passenger', fieldType: 'boolean' })
    const send = async (method: string, path: string, more: object) =>
      app().request(method, path, { key, body: await bodyOf(ada, more) })
    const onPassenger = { passengers: [{ userId: ada.id, customFields: { booking_class: 'Y' } }] }

    for (const more of [{ customFields: { bookingClass: 'Y' } }, { customFields: { nonsense: null } }]) {
      const refused = await send('POST', '/api/v1/flights', more)
      const [name] = Object.keys(more.customFields)
      assertError(refused, 422, 'validation_failed', ['customFields', name!])
      assert.match(refused.json.error.details[0].message, new RegExp(`${name}.*booking_class`))
    }
    const near = await send('POST', '/api/v1/flights', { customFields: { bookingClass: 'Y' } })
    assert.match(near.json.error.message, /Did you mean booking_class\?/)
    // A field of flights is not one of passengers.
    const wrong = await send('POST', '/api/v1/flights', onPassenger)
    assertError(wrong, 422, 'validation_failed', ['passengers', '0', 'customFields', 'booking_class'])
    assert.match(wrong.json.error.message, /Known: lounge/)
    assert.deepEqual(await listed(key), [])

    const flight = await logFlight(app(), ada, await bodyOf(ada, { customFields: { booking_class: 'Y' } }))
    for (const more of [{ customFields: { cabin: 'x' } }, onPassenger]) {
      assertError(await send('PUT', `/api/v1/flights/${flight.id}`, more), 422, 'validation_failed')
    }
    const read = (await app().request('GET', `/api/v1/flights/${flight.id}`, { key })).json.data
    assert.deepEqual(read, flight)

    const spoken = { date: '2026-05-01', from: 'CPH', to: 'ARN', customFields: { cabin: 'x' } }
    const log = await app().request('POST', '/api/v1/flights/log', { key, body: spoken })
    assertError(log, 422, 'validation_failed', ['customFields', 'cabin'])
    const tool = await callTool(app(), key, 'log_flight', spoken)
    assert.match(tool.content[0].text, /customFields\.cabin: .*booking_class/)
    const created = await callTool(app(), key, 'create_flight', await bodyOf(ada, spoken))
    assert.equal(created.isError, true)
    assert.equal((await listed(key)).length, 1)
  })

  sqliteTest('very many unknown names make a short error', async () => {
    const ada = await app().person()
    const customFields = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`name_${i}`, i]))
    const key = await ada.key()
    const refused = await app().request('POST', '/api/v1/flights', {
      key,
      body: await bodyOf(ada, { customFields }),
    })
    assertError(refused, 422, 'validation_failed')
    assert.equal(refused.json.error.details.length, 20)
    const long = await app().request('POST', '/api/v1/flights/log', {
      key,
      body: { ...customFields, date: '2026-05-01', from: 'CPH', to: 'ARN' },
    })
    assertError(long, 422, 'validation_failed')
    assert.equal(long.json.error.details.length, 20)
  })

  test('another person’s flight is not found, whatever custom fields are sent', async () => {
    const [ada, bob] = [await app().person(), await app().person()]
    const flight = await logFlight(app(), ada, await bodyOf(ada))
    const body = await bodyOf(bob, { customFields: { nonsense: 1 } })
    const reply = await app().request('PUT', `/api/v1/flights/${flight.id}`, { key: await bob.key(), body })
    assertError(reply, 404, 'not_found')
  })

  test('an inactive field can be written back unchanged, any other value is refused', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const old = { key: 'ticket', label: 'Ticket' }
    const id = await define(old)
    const mood = { key: 'mood', label: 'Mood', entityType: 'flight_passenger' }
    const moodId = await define(mood)
    const passengers = [{ userId: ada.id, customFields: { mood: 'good' } }]
    const flight = await logFlight(
      app(),
      ada,
      await bodyOf(ada, { customFields: { ticket: 'paper' }, passengers }),
    )
    await define({ ...old, active: false }, id)
    await define({ ...mood, active: false }, moodId)

    const read = (await app().request('GET', `/api/v1/flights/${flight.id}`, { key })).json.data
    assert.deepEqual(
      [read.customFields, read.passengers[0].customFields],
      [{ ticket: 'paper' }, { mood: 'good' }],
    )
    const back = {
      ...read,
      fromId: read.from.id,
      toId: read.to.id,
      passengers: read.passengers.map(({ user, ...passenger }: { user: { id: string } }) => ({
        ...passenger,
        userId: user.id,
      })),
    }
    delete back.track
    const put = (body: object) => app().request('PUT', `/api/v1/flights/${flight.id}`, { key, body })
    const written = await put(back)
    assert.equal(written.status, 200, written.text)
    assert.deepEqual({ ...written.json.data, updatedAt: read.updatedAt }, read)

    for (const ticket of ['plastic', null, '']) {
      const refused = await put({ ...back, customFields: { ticket } })
      assertError(refused, 422, 'validation_failed', ['customFields', 'ticket'])
      assert.match(refused.json.error.message, /"Ticket" is inactive/)
    }
    const [me] = back.passengers
    assertError(
      await put({ ...back, passengers: [{ ...me, customFields: { mood: 'bad' } }] }),
      422,
      'validation_failed',
      ['passengers', '0', 'customFields', 'mood'],
    )
    assert.equal((await put({ ...back, customFields: {} })).status, 200, 'left out: kept')
    const fresh = await bodyOf(ada, { customFields: { ticket: 'paper' } })
    assertError(
      await app().request('POST', '/api/v1/flights', { key, body: fresh }),
      422,
      'validation_failed',
    )
    const empty = await bodyOf(ada, { customFields: { ticket: null } })
    assert.equal((await app().request('POST', '/api/v1/flights', { key, body: empty })).status, 201)
  })

  test('an inactive field is neither required nor given its default', async () => {
    const ada = await app().person()
    for (const entityType of ['flight', 'flight_passenger'])
      for (const more of [{ required: true }, { defaultValue: 'usual' }])
        await define({
          key: `odd_${Object.keys(more)[0]!.toLowerCase()}`,
          label: 'Odd',
          entityType,
          active: false,
          ...more,
        })
    const flight = await logFlight(app(), ada, await bodyOf(ada, {}))
    assert.deepEqual([flight.customFields, flight.passengers[0].customFields], [{}, {}])
  })

  test('the legacy API keeps ignoring unknown and inactive fields', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const body = {
      from: 'CPH',
      to: 'JFK',
      departure: '2026-02-20',
      passengers: [{ userId: '<USER_ID>', customFields: { nonsense: 1 } }],
      customFields: { nonsense: 1, ticket: 'paper' },
    }
    const saved = await app().request('POST', '/api/flight/save', { key, body })
    assert.equal(saved.status, 200, saved.text)
    const [flight] = (await listed(key)) as unknown as { customFields: object }[]
    assert.deepEqual(flight!.customFields, {})
    const admin = await (await app().person('role-administrator')).key()
    for (const path of ['flight/list', 'flight/export', 'stats']) {
      const reply = await app().request('GET', `/api/${path}?scope=user&userId=nobody`, { key: admin })
      assert.equal(reply.status, 200, `${path}: ${reply.text}`)
    }
  })

  test('an unknown user’s log gets 400 for those who may read any, 403 for others', async () => {
    const [ada, admin] = [await app().person(), await app().person('role-administrator')]
    const paths = [
      ...['/flights', '/flights/search', '/flights/export', '/stats', '/changes', '/flights/deleted'],
      ...['/journeys', '/flights/next', '/flights/latest'],
    ]
    for (const path of paths) {
      const read = async (who: TestPerson, userId: string) =>
        app().request('GET', `/api/v1${path}?scope=user&userId=${userId}`, { key: await who.key() })
      const refused = await read(admin, 'nobody')
      assertError(refused, 400, 'bad_request')
      assert.match(refused.json.error.message, /there is no such user/)
      // There may be no next flight.
      const isRead = ({ status }: { status: number }) =>
        status === 200 || (status === 404 && /next|latest/.test(path))
      assert.ok(isRead(await read(admin, ada.id)), path)
      assert.ok(isRead(await read(ada, ada.id)), path)
      // A caller without permission gets the same response whether the user exists or not.
      const [existing, missing] = [await read(ada, admin.id), await read(ada, 'nobody')]
      assert.deepEqual([existing.status, existing.json], [missing.status, missing.json], path)
      assert.equal(missing.status, 403, path)
    }
    for (const path of ['log', 'log-words']) {
      const web = await app().request('GET', `/app/api/${path}?scope=user&userId=nobody`, {
        cookie: await admin.session(),
      })
      assertError(web, 400, 'bad_request')
    }
    for (const tool of ['list_flights', 'find_flights', 'export_flights', 'get_stats']) {
      const ask = async (who: TestPerson) =>
        (await callTool(app(), await who.key(), tool, { scope: 'user', userId: 'nobody' })).content[0].text
      assert.match(await ask(admin), /there is no such user/, tool)
      assert.match(await ask(ada), /role does not permit/, tool)
    }
  })

  test('a user parameter without scope=user is refused, not read as the caller', async () => {
    const [ada, admin] = [await app().person(), await app().person('role-administrator')]
    const key = await ada.key()
    const get = (query: string, as = key) => app().request('GET', `/api/v1/stats${query}`, { key: as })
    for (const query of ['?userId=nobody', `?userId=${admin.id}`, '?scope=mine&userId=nobody', '?userId=']) {
      const refused = await get(query)
      assertError(refused, 400, 'bad_request')
      assert.match(refused.json.error.message, /Add scope=user/)
    }
    assertError(await get(`?scope=all&userId=${ada.id}`, await admin.key()), 400, 'bad_request')
    assert.equal((await get(`?userId=${ada.id}`)).status, 200)
    const tool = await callTool(app(), key, 'get_stats', { userId: admin.id })
    assert.match(tool.content[0].text, /userId needs scope=user/)
  })

  test('every way to write refuses an unknown custom field and names who can create it', async () => {
    const [ada, admin] = [await app().person(), await app().person('role-administrator')]
    const [key, adminKey] = [await ada.key(), await admin.key()]
    const flight = await logFlight(app(), ada, await bodyOf(ada))
    const patch = (body: object, as = key, id = flight.id) =>
      app().request('PATCH', `/api/v1/flights/${id}`, { key: as, body })
    const lost = { customFields: { no_such: 1 } }
    const refused = await patch(lost)
    assertError(refused, 422, 'validation_failed', ['customFields', 'no_such'])
    assert.match(refused.json.error.message, /People whose role manages custom fields/)
    const [me] = flight.passengers as { id: number }[]
    assertError(await patch({ passengers: { [me!.id]: lost } }), 422, 'validation_failed', [
      ...['passengers', String(me!.id), 'customFields', 'no_such'],
    ])
    const added = { passengers: { new: [{ guestName: 'Tim', ...lost }] } }
    assertError(await patch(added), 422, 'validation_failed', [
      ...['passengers', 'new', '0', 'customFields', 'no_such'],
    ])
    const named = await app().request('PUT', '/api/v1/flights/by-external-id/tripit/5', {
      key,
      body: await bodyOf(ada, lost),
    })
    assertError(named, 422, 'validation_failed', ['customFields', 'no_such'])
    const operations = [
      { op: 'create', flight: await bodyOf(ada, lost) },
      { op: 'create', flight: await bodyOf(ada, { passengers: [{ userId: ada.id, ...lost }] }) },
      { op: 'patch', id: flight.id, flight: lost },
    ]
    const bulk = await app().request('POST', '/api/v1/flights/bulk', { key, body: { operations } })
    assert.equal(bulk.json.data.length, 3)
    for (const item of bulk.json.data) assert.match(JSON.stringify(item), /no_such/, bulk.text)
    assert.deepEqual(await listed(key), [flight], 'nothing was stored')

    const own = await logFlight(app(), admin, await bodyOf(admin))
    const asAdmin = await patch(lost, adminKey, own.id)
    assert.match(asAdmin.json.error.message, /You can create it with create_custom_field/)
    const narrow = await admin.key(['flight.update.own'])
    assert.match((await patch(lost, narrow, own.id)).json.error.message, /People whose role/)
  })

  test('invalid values of custom fields are reported together with the accepted ones', async () => {
    const ada = await app().person()
    const key = await ada.key()
    await define({ key: 'stars', fieldType: 'number', label: 'Stars' })
    await define({ key: 'food', fieldType: 'select', options: ['fish', 'pasta'], label: 'Food' })
    const customFields = { stars: 'many', food: 'meat', no_such: 1 }
    const body = await bodyOf(ada, { customFields })
    const refused = await app().request('POST', '/api/v1/flights', { key, body })
    assertError(refused, 422, 'validation_failed')
    const said = refused.json.error.details.map(
      ({ path, message }: { path: string[]; message: string }) => `${path.at(-1)}: ${message}`,
    )
    assert.match(said[0], /^no_such: There is no custom field “no_such”/)
    assert.deepEqual(said.slice(1).sort(), ['food: Must be one of: fish, pasta', 'stars: Must be a number'])
  })

  test('log-flight refuses unknown fields and suggests the right name', async () => {
    const key = await (await app().person()).key()
    const body = { date: '2026-05-01', from: 'CPH', to: 'ARN', departureTimes: '09:05', colour: 'red' }
    const refused = await app().request('POST', '/api/v1/flights/log', { key, body })
    assertError(refused, 422, 'validation_failed', ['departureTimes'])
    assertError(refused, 422, 'validation_failed', ['colour'])
    const [time, colour] = refused.json.error.details
    assert.match(
      time.message,
      /“departureTimes”\. Did you mean departureTime\? Known: text, from, to, flightNumber/,
    )
    assert.doesNotMatch(colour.message, /Did you mean/)
    assert.deepEqual(await listed(key), [])
    const tool = await callTool(app(), key, 'log_flight', body)
    assert.match(
      tool.content[0].text,
      /^- departureTimes: .*Did you mean departureTime\? Known: text.*\n- colour: .*Known: text/,
    )
  })
})
