// A person added to a flight is notified, may keep it or leave it, and is never left alone on a flight that they have not
// kept.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { deleteExpired } from '../../server/process/cleanup.ts'
import { hashPassword } from '../../server/services/accounts/passwords.ts'
import { insertNotice } from '../../server/store/people/notices.ts'
import { updatePassword } from '../../server/store/people/people.ts'
import { assertError, logFlight } from '../fixtures.ts'
import { onBothEngines, type Reply, type TestPerson } from '../harness.ts'
import { callTool } from '../mcp/clients.ts'

interface Notice {
  id: number
  kind: string
  at: string
  readAt: string | null
  data: { flightId: number; state: string; [field: string]: unknown }
}

onBothEngines('notices', (app) => {
  let route: { fromId: number; toId: number }
  before(async () => {
    route = { fromId: await app().airportId('CPH'), toId: await app().airportId('EWR') }
  })

  const people = (count: number) => Promise.all(Array.from({ length: count }, () => app().person()))
  const users = (...list: TestPerson[]) => list.map(({ id }) => ({ userId: id }))
  const body = (...passengers: object[]) => ({
    date: '2026-02-20',
    flightNumber: 'SK909',
    ...route,
    passengers,
  })
  /** Logs a flight with these people, the first of whom is its author; returns its id. */
  const fly = async (...on: TestPerson[]): Promise<number> =>
    (await logFlight(app(), on[0]!, body(...users(...on)))).id
  const put = async (id: number, who: TestPerson, ...passengers: object[]): Promise<Reply> =>
    app().request('PUT', `/api/v1/flights/${id}`, { key: await who.key(), body: body(...passengers) })
  const read = async (id: number, who: TestPerson) =>
    app().request('GET', `/api/v1/flights/${id}`, { key: await who.key() })
  const passengersOf = async (id: number, who: TestPerson): Promise<string[]> =>
    (await read(id, who)).json.data.passengers.map(
      (one: { user: { id: string } | null; guestName: string | null }) => one.user?.id ?? one.guestName,
    )
  /** Without those of removed flights, which erasing.test.ts tests. */
  const noticesOf = async (who: TestPerson, query = ''): Promise<Notice[]> => {
    const reply = await app().request('GET', `/app/api/notices${query}`, { cookie: await who.session() })
    assert.equal(reply.status, 200, reply.text)
    return reply.json.data.filter(({ kind }: Notice) => kind !== 'flight.removed')
  }
  const unreadOf = async (who: TestPerson): Promise<number> =>
    (await app().request('GET', '/app/api/notices?limit=1', { cookie: await who.session() })).json.page.unread
  const decide = async (who: TestPerson, action: string, id?: number): Promise<Reply> =>
    app().request('POST', `/app/api/notices/${id ?? (await noticesOf(who))[0]!.id}/${action}`, {
      cookie: await who.session(),
    })
  const must = async (who: TestPerson, action: string): Promise<void> => {
    const reply = await decide(who, action)
    assert.deepEqual([reply.status, reply.text], [204, ''])
  }
  const deleteAccount = async (who: TestPerson): Promise<void> => {
    const passwordHash = await hashPassword('kitty hawk')
    await app().store.transaction((tx) => updatePassword(tx, who.id, passwordHash))
    const reply = await app().request('DELETE', '/app/api/me', {
      cookie: await who.session(),
      body: { password: 'kitty hawk' },
    })
    assert.equal(reply.status, 204, reply.text)
  }
  const refused = (reply: Reply, ...names: TestPerson[]) => {
    assertError(reply, 403, 'forbidden')
    for (const { displayName } of names) assert.ok(reply.json.error.message.includes(displayName), reply.text)
  }

  // Unwanted flights

  test('v1 cannot plant a flight in another log, in two steps, by a swap or behind a guest', async () => {
    const [mallory, bob] = (await people(2)) as [TestPerson, TestPerson]
    const id = await fly(mallory, bob)
    refused(await put(id, mallory, ...users(bob)), bob)
    refused(await put(id, mallory, ...users(bob), { guestName: 'Guest' }), bob)
    assert.deepEqual(await passengersOf(id, mallory), [mallory.id, bob.id])

    const own = await logFlight(app(), mallory, body(...users(mallory)))
    refused(await put(own.id, mallory, { id: own.passengers[0].id, userId: bob.id }), bob)
    refused(await put(own.id, mallory, ...users(bob)), bob)
    assert.deepEqual(await passengersOf(own.id, mallory), [mallory.id])
    assert.equal((await noticesOf(bob)).length, 1, 'a refused write notifies no one')
  })

  test('the legacy API cannot plant a flight and returns 400, because its clients read 403 as a bad key', async () => {
    const [mallory, bob] = (await people(2)) as [TestPerson, TestPerson]
    const key = await mallory.key()
    const flight = { from: 'CPH', to: 'EWR', date: '2026-02-20' }
    const save = (more: object) =>
      app().request('POST', '/api/flight/save', { key, body: { ...flight, ...more } })
    const created = await save({ passengers: users(mallory, bob) })
    assert.equal(created.status, 200, created.text)
    const planted = await save({ id: created.json.id, passengers: users(bob) })
    assert.equal(planted.status, 400)
    assert.deepEqual(Object.keys(planted.json), ['success', 'message'])
    assert.equal(planted.json.success, false)
    assert.ok(planted.json.message.includes(bob.displayName))
    assert.equal((await noticesOf(bob))[0]!.data.flightId, created.json.id)
    await must(bob, 'keep')
    assert.equal((await save({ id: created.json.id, passengers: users(bob) })).status, 200)
  })

  test('an assistant cannot plant a flight', async () => {
    const [mallory, bob] = (await people(2)) as [TestPerson, TestPerson]
    const key = await mallory.key()
    const flight = body(...users(mallory, bob))
    const created = await callTool(app(), key, 'create_flight', flight)
    const { id } = created.structuredContent.data
    const planted = await callTool(app(), key, 'update_flight', { ...flight, id, passengers: users(bob) })
    assert.equal(planted.isError, true)
    assert.ok(JSON.stringify(planted.content).includes(bob.displayName), JSON.stringify(planted))
    assert.deepEqual(await passengersOf(id, mallory), [mallory.id, bob.id])
    assert.equal((await noticesOf(bob)).length, 1)
  })

  // Notices

  test('an added person is notified once, with the flight and who added them', async () => {
    const [ada, bob] = (await people(2)) as [TestPerson, TestPerson]
    const id = await fly(ada, bob)
    const [notice, ...others] = await noticesOf(bob)
    assert.deepEqual(others, [])
    assert.deepEqual(notice, {
      id: notice!.id,
      kind: 'flight.added',
      at: new Date(app().clock.now()).toISOString(),
      readAt: null,
      data: {
        flightId: id,
        date: '2026-02-20',
        datePrecision: 'day',
        from: 'CPH',
        to: 'EWR',
        flightNumber: 'SK909',
        addedBy: { id: ada.id, displayName: ada.displayName },
        importId: null,
        more: 0,
        state: 'open',
      },
    })
    assert.deepEqual(await noticesOf(ada), [], 'not for oneself')
    assert.equal((await put(id, ada, ...users(ada, bob))).status, 200)
    assert.equal((await put(id, bob, ...users(ada, bob), { guestName: 'Guest' })).status, 200)
    assert.equal((await noticesOf(bob)).length, 1, 'not again for people on the flight')
    assert.deepEqual(await noticesOf(ada), [])
  })

  test('a notice shows the current flight, not the one when the person was added', async () => {
    const [ada, bob] = (await people(2)) as [TestPerson, TestPerson]
    const id = await fly(ada, bob)
    const changed = {
      ...body(...users(ada, bob)),
      date: '2026-03-01',
      flightNumber: null,
      toId: route.fromId,
    }
    const reply = await app().request('PUT', `/api/v1/flights/${id}`, { key: await ada.key(), body: changed })
    assert.equal(reply.status, 200, reply.text)
    const { data } = (await noticesOf(bob))[0]!
    assert.deepEqual([data['date'], data['to'], data['flightNumber']], ['2026-03-01', 'CPH', null])
  })

  test('an administrator may log for another person, who is notified and may leave the flight', async () => {
    const [admin, bob, carol] = [
      await app().person('role-administrator'),
      await app().person(),
      await app().person(),
    ]
    const { id } = await logFlight(app(), admin, body(...users(bob)))
    assert.equal((await noticesOf(bob))[0]!.data.state, 'open')
    assert.equal((await put(id, admin, ...users(bob, carol))).status, 200)
    assert.equal((await put(id, admin, ...users(bob))).status, 200, 'no passenger had kept it before either')
    assert.equal((await put(id, admin, ...users(carol))).status, 200)
    assert.deepEqual(await noticesOf(bob), [])
    await must(carol, 'leave')
    assert.equal((await read(id, admin)).status, 404, 'no person is left: the flight is deleted')
  })

  test('a flight kept by the added person remains when the other one leaves', async () => {
    const [ada, bob] = (await people(2)) as [TestPerson, TestPerson]
    const id = await fly(ada, bob)
    await must(bob, 'keep')
    await must(bob, 'keep')
    const [notice] = await noticesOf(bob)
    assert.equal(notice!.data.state, 'kept')
    assert.ok(notice!.readAt, 'a decided notice is read')
    const left = await put(id, ada, ...users(bob))
    assert.equal(left.status, 200, left.text)
    assert.deepEqual(await passengersOf(id, bob), [bob.id])
    assert.equal((await noticesOf(bob))[0]!.data.state, 'kept')
  })

  test('leaving removes only the caller, and leaving again is no error', async () => {
    const [ada, bob, carol] = (await people(3)) as [TestPerson, TestPerson, TestPerson]
    const id = await fly(ada, bob, carol)
    const before = await app().request('GET', '/api/v1/flights', { key: await bob.key() })
    assert.equal(before.json.data.length, 1)
    app().clock.advance(1000)
    await must(bob, 'leave')
    const after = await app().request('GET', '/api/v1/flights', { key: await bob.key() })
    assert.deepEqual(after.json.data, [])
    const flight = (await read(id, ada)).json.data
    assert.deepEqual(await passengersOf(id, ada), [ada.id, carol.id])
    assert.equal(flight.updatedAt, new Date(app().clock.now()).toISOString())
    const [notice] = await noticesOf(bob)
    assert.deepEqual([notice!.data.state, notice!.data['from']], ['left', 'CPH'])
    await must(bob, 'leave')
    assertError(await decide(bob, 'keep'), 404, 'not_found')

    assert.equal((await put(id, ada, ...users(ada, bob, carol))).status, 200)
    const again = await noticesOf(bob)
    assert.deepEqual([again.length, again[0]!.data.state, again[0]!.readAt], [1, 'open', null])
  })

  test('a person who kept a flight may still leave it', async () => {
    const [ada, bob] = (await people(2)) as [TestPerson, TestPerson]
    const id = await fly(ada, bob)
    await must(bob, 'keep')
    await must(bob, 'leave')
    assert.deepEqual(await passengersOf(id, ada), [ada.id])
  })

  test('a notice is withdrawn when its person is removed or the flight is deleted', async () => {
    const [ada, bob] = (await people(2)) as [TestPerson, TestPerson]
    const [removed, deleted] = [await fly(ada, bob), await fly(ada, bob)]
    const ids = (await noticesOf(bob)).map(({ id }) => id)
    assert.equal(await unreadOf(bob), 2)
    assert.equal((await put(removed, ada, ...users(ada))).status, 200)
    await app().request('DELETE', `/api/v1/flights/${deleted}`, { key: await ada.key() })
    assert.deepEqual(await noticesOf(bob), [])
    assert.equal(await unreadOf(bob), 1, 'that the flight was deleted')
    for (const id of ids) {
      for (const action of ['read', 'keep', 'leave']) {
        assertError(await decide(bob, action, id), 404, 'not_found')
      }
    }
  })

  test('another person’s notices are not found', async () => {
    const [ada, bob, eve] = (await people(3)) as [TestPerson, TestPerson, TestPerson]
    const id = await fly(ada, bob)
    const notice = (await noticesOf(bob))[0]!
    for (const stranger of [eve, ada]) {
      assert.deepEqual(await noticesOf(stranger), [])
      for (const action of ['read', 'keep', 'leave']) {
        assertError(await decide(stranger, action, notice.id), 404, 'not_found')
      }
    }
    assertError(await decide(bob, 'read', 999_999), 404, 'not_found')
    assertError(await decide(bob, 'keep', 99_999_999_999), 404, 'not_found')
    const marked = await app().request('POST', '/app/api/notices/read', {
      cookie: await eve.session(),
      body: { upTo: notice.id },
    })
    assert.equal(marked.status, 204)
    assert.deepEqual(await noticesOf(bob), [notice])
    assert.deepEqual(await passengersOf(id, ada), [ada.id, bob.id])
    const byKey = await app().request('GET', '/app/api/notices', { key: await bob.key() })
    assert.equal(byKey.status, 401)
    assert.equal((await app().request('GET', '/api/v1/notices', { key: await bob.key() })).status, 404)
  })

  test('one notice, or all up to the newest seen, can be marked as read', async () => {
    const [ada, bob] = (await people(2)) as [TestPerson, TestPerson]
    for (let i = 0; i < 3; i++) await fly(ada, bob)
    const [newest, middle, oldest] = (await noticesOf(bob)) as [Notice, Notice, Notice]
    assert.equal((await decide(bob, 'read', oldest.id)).status, 204)
    const at = (await noticesOf(bob))[2]!.readAt
    assert.equal(at, new Date(app().clock.now()).toISOString())
    app().clock.advance(1000)
    assert.equal((await decide(bob, 'read', oldest.id)).status, 204)
    assert.equal((await noticesOf(bob))[2]!.readAt, at, 'read once is read')
    assert.equal(await unreadOf(bob), 2)
    const readAll = async (upTo: unknown) =>
      app().request('POST', '/app/api/notices/read', { cookie: await bob.session(), body: { upTo } })
    assert.equal((await readAll(middle.id)).status, 204)
    assert.equal(await unreadOf(bob), 1)
    assert.equal((await noticesOf(bob))[0]!.readAt, null)
    assert.equal((await readAll(newest.id)).status, 204)
    assert.equal(await unreadOf(bob), 0)
    assertError(await readAll('all'), 422, 'validation_failed')
  })

  test('notices are paged newest first, each once, and the notice of one flight is found by id', async () => {
    const [ada, bob] = (await people(2)) as [TestPerson, TestPerson]
    const flights: number[] = []
    for (let i = 0; i < 5; i++) flights.push(await fly(ada, bob))
    const cookie = await bob.session()
    const seen: number[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const path: string = `/app/api/notices?limit=2${cursor && `&cursor=${cursor}`}`
      const reply = await app().request('GET', path, { cookie })
      assert.equal(reply.json.page.unread, 5)
      seen.push(...reply.json.data.map(({ data }: Notice) => data.flightId))
      cursor = reply.json.page.nextCursor
    }
    assert.deepEqual(seen, flights.reverse())
    const one = await noticesOf(bob, `?flightId=${flights[2]}`)
    assert.deepEqual(
      one.map(({ data }) => data.flightId),
      [flights[2]],
    )
    for (const query of ['cursor=x', 'limit=0', 'flightId=x', 'cursor=YTEuMQ']) {
      assertError(await app().request('GET', `/app/api/notices?${query}`, { cookie }), 400, 'bad_request')
    }
  })

  // Who may be left with whom

  test('removing the only other person who kept a flight leaves the added one alone on it', async () => {
    const [ada, bob, carol] = (await people(3)) as [TestPerson, TestPerson, TestPerson]
    const id = await fly(ada, bob, carol)
    await must(carol, 'keep')
    assert.equal((await put(id, ada, ...users(bob, carol))).status, 200, 'Carol has kept it')
    refused(await put(id, carol, ...users(bob)), bob)
    refused(await put(id, bob, ...users(bob)), bob)
    assert.deepEqual(await passengersOf(id, bob), [bob.id, carol.id])
  })

  test('two people who swap records keep their decisions', async () => {
    const [ada, bob, carol] = (await people(3)) as [TestPerson, TestPerson, TestPerson]
    const flight = await logFlight(app(), ada, body(...users(ada, bob, carol)))
    await must(bob, 'keep')
    const [first, second, third] = flight.passengers.map((one: { id: number }) => one.id)
    const swapped = await put(
      flight.id,
      ada,
      { id: first, userId: ada.id },
      { id: second, userId: carol.id },
      { id: third, userId: bob.id },
    )
    assert.equal(swapped.status, 200, swapped.text)
    refused(await put(flight.id, ada, ...users(carol)), carol)
    assert.equal((await put(flight.id, ada, ...users(bob, carol))).status, 200)
    assert.equal((await noticesOf(carol))[0]!.data.state, 'open')
  })

  test('an added person who adds others cannot pass the flight on', async () => {
    const [admin, bob, carol] = [
      await app().person('role-administrator'),
      await app().person(),
      await app().person(),
    ]
    const { id } = await logFlight(app(), admin, body(...users(bob)))
    assert.equal((await put(id, bob, ...users(bob, carol))).status, 200)
    assert.deepEqual((await noticesOf(carol))[0]!.data['addedBy'], {
      id: bob.id,
      displayName: bob.displayName,
    })
    refused(await put(id, bob, ...users(carol)), carol)
    await must(bob, 'leave')
    assert.equal((await read(id, admin)).status, 404, 'Carol is not left alone with it')
    assert.deepEqual(await noticesOf(carol), [])

    const [ada, dan, eve] = (await people(3)) as [TestPerson, TestPerson, TestPerson]
    const chain = await fly(ada, dan)
    assert.equal((await put(chain, dan, ...users(ada, dan, eve))).status, 200)
    refused(await put(chain, ada, ...users(dan, eve)), dan, eve)
    await must(dan, 'leave')
    assert.deepEqual(await passengersOf(chain, ada), [ada.id, eve.id])
  })

  test('a flight is deleted when the last person who kept it leaves', async () => {
    const [ada, bob, carol] = (await people(3)) as [TestPerson, TestPerson, TestPerson]
    const id = await fly(ada, bob, carol)
    await must(carol, 'keep')
    assert.equal((await put(id, ada, ...users(bob, carol))).status, 200)
    await must(carol, 'leave')
    assertError(await read(id, bob), 404, 'not_found')
    assert.deepEqual(await noticesOf(bob), [])
  })

  test('deleting an account removes its flights from logs that never kept them', async () => {
    const [ada, bob, carol] = (await people(3)) as [TestPerson, TestPerson, TestPerson]
    const [unkept, kept] = [await fly(ada, bob, carol), await fly(ada, bob)]
    await must(bob, 'keep')
    const withGuest = (await logFlight(app(), ada, body(...users(ada), { guestName: 'Guest' }))).id
    await deleteAccount(ada)
    assertError(await read(unkept, bob), 404, 'not_found')
    assertError(await read(unkept, carol), 404, 'not_found')
    assert.deepEqual(await passengersOf(kept, bob), [bob.id])
    const admin = await app().person('role-administrator')
    assert.equal((await read(withGuest, admin)).status, 200)
    assert.deepEqual(
      (await noticesOf(bob)).map(({ data }) => data.flightId),
      [kept],
    )
    assert.deepEqual((await noticesOf(bob))[0]!.data['addedBy'], { id: ada.id, displayName: ada.displayName })
    const own = await app().request('GET', '/api/v1/flights', { key: await bob.key() })
    assert.deepEqual(
      own.json.data.map(({ id }: { id: number }) => id),
      [kept],
    )
  })

  test('older flights count as kept by everyone on them', async () => {
    const [ada, bob] = (await people(2)) as [TestPerson, TestPerson]
    const id = await fly(ada, bob)
    await app().store.transaction((tx) =>
      tx.query(`update flight_passenger set added_by = null where flight_id = ${id}`, []),
    )
    assert.equal((await put(id, ada, ...users(bob))).status, 200)
    assert.deepEqual(await passengersOf(id, bob), [bob.id])
  })

  test('concurrent removals never leave a flight to a person who has not kept it', async () => {
    for (let round = 0; round < 6; round++) {
      const [ada, bob] = (await people(2)) as [TestPerson, TestPerson]
      const id = await fly(ada, bob)
      const [gone, kept] = await Promise.all([put(id, ada, ...users(bob)), decide(bob, 'keep')])
      assert.equal(kept.status, 204, kept.text)
      assert.ok([200, 403].includes(gone.status), gone.text)
      assert.equal((await noticesOf(bob))[0]!.data.state, 'kept')
      assert.deepEqual(await passengersOf(id, bob), gone.status === 200 ? [bob.id] : [ada.id, bob.id])
    }
    for (let round = 0; round < 6; round++) {
      const [ada, bob, carol] = (await people(3)) as [TestPerson, TestPerson, TestPerson]
      const id = await fly(ada, bob, carol)
      await must(bob, 'keep')
      const [gone, left] = await Promise.all([put(id, ada, ...users(bob, carol)), decide(bob, 'leave')])
      assert.equal(left.status, 204, left.text)
      // Carol is never the only passenger of a flight she has not kept, whichever request was first.
      const found = await read(id, carol)
      if (found.status === 200) assert.ok((await passengersOf(id, carol)).includes(ada.id), gone.text)
      else assert.equal(found.status, 404)
    }
  })

  // Effects of keeping

  test('a public share omits flights not kept by its owner; the owner’s own statistics do not', async () => {
    const [ada, bob] = (await people(2)) as [TestPerson, TestPerson]
    const cookie = await bob.session()
    const slug = `notices-${bob.id
      .slice(0, 12)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, '')}`
    const share = await app().request('POST', '/app/api/shares', {
      cookie,
      body: { slug, showStats: true, showFlightList: true, showMap: true },
    })
    assert.equal(share.status, 201, share.text)
    const shown = async () => (await app().request('GET', `/share/${slug}/data`)).text
    await fly(ada, bob)
    assert.doesNotMatch(await shown(), /EWR/)
    const stats = await app().request('GET', '/api/v1/stats', { key: await bob.key() })
    assert.equal(stats.json.data.totalFlights ?? stats.json.data.flights, 1, stats.text)
    await must(bob, 'keep')
    assert.match(await shown(), /EWR/)
  })

  test('read notices that need no decision are deleted beyond a limit', async () => {
    const [ada, bob] = (await people(2)) as [TestPerson, TestPerson]
    const open = await fly(ada, bob)
    const at = new Date(app().clock.now()).toISOString()
    const data = {
      flightId: 999_999_999,
      date: '2026-01-01',
      datePrecision: 'day' as const,
      from: 'CPH',
      to: 'OSL',
      flightNumber: null,
      addedBy: { id: ada.id, displayName: ada.displayName },
      importId: null,
    }
    await app().store.transaction(async (tx) => {
      for (let i = 0; i < 1005; i++) {
        const flightId = 999_000_000 + i
        await insertNotice(tx, { userId: bob.id, kind: 'flight.added', at, data, flightId })
      }
      await insertNotice(tx, { userId: ada.id, kind: 'flight.added', at, data, flightId: 999_000_000 })
    })
    await deleteExpired(app().store, app().clock.now())
    const count = async (who: TestPerson) =>
      (await app().store.read.query(`select id from notice where user_id = '${who.id}'`, [])).length
    assert.deepEqual([await count(bob), await count(ada)], [1001, 1])
    assert.deepEqual(
      (await noticesOf(bob)).map(({ data }) => data.flightId),
      [open],
    )
  })
})
