// A person may erase a flight that is theirs alone. A person who was added leaves it; a person who logged or kept it moves
// it to the bin. Every interface is tested with the added person.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { hashPassword } from '../../server/services/accounts/passwords.ts'
import { updatePassword } from '../../server/store/people/people.ts'
import { assertError, logFlight } from '../fixtures.ts'
import { onBothEngines, type Reply, type TestPerson } from '../harness.ts'
import { callTool } from '../mcp/clients.ts'

const V1 = '/api/v1'

// biome-ignore lint/suspicious/noExplicitAny: any JSON
type Any = any

onBothEngines('erasing', (app) => {
  let route: { fromId: number; toId: number }
  before(async () => {
    route = { fromId: await app().airportId('CPH'), toId: await app().airportId('EWR') }
  })

  type Role = Parameters<ReturnType<typeof app>['person']>[0]
  const people = async (...roles: Role[]) => Promise.all(roles.map((role) => app().person(role)))
  const pair = async () => (await people('role-user', 'role-user')) as [TestPerson, TestPerson]
  const fly = async (...on: TestPerson[]): Promise<number> => {
    const passengers = on.map(({ id }) => ({ userId: id }))
    return (
      await logFlight(app(), on[0]!, { date: '2026-02-20', flightNumber: 'SK909', ...route, passengers })
    ).id
  }
  const v1 = async (who: TestPerson, method: string, address: string, options: object = {}): Promise<Reply> =>
    app().request(method, `${V1}${address}`, { key: await who.key(), ...options })
  const web = async (who: TestPerson, method: string, address: string, body?: object): Promise<Reply> =>
    app().request(method, `/app/api${address}`, { cookie: await who.session(), ...(body ? { body } : {}) })
  const statusOf = async (who: TestPerson, id: number) => (await v1(who, 'GET', `/flights/${id}`)).status
  const onFlight = async (who: TestPerson, id: number): Promise<string[]> =>
    (await v1(who, 'GET', `/flights/${id}`)).json.data.passengers.map((one: Any) => one.user?.id)
  const bin = async (who: TestPerson): Promise<number[]> =>
    (await v1(who, 'GET', '/flights/deleted')).json.data.map((one: Any) => one.id)
  const keep = async (who: TestPerson) => {
    const [notice] = (await web(who, 'GET', '/notices')).json.data
    assert.equal((await web(who, 'POST', `/notices/${notice.id}/keep`)).status, 204)
  }
  const removals = async (who: TestPerson): Promise<Any[]> =>
    (await web(who, 'GET', '/notices')).json.data.filter((one: Any) => one.kind === 'flight.removed')
  const audited = async (who: TestPerson): Promise<string[]> =>
    (await web(who, 'GET', '/audit/mine')).json.data
      .map((one: Any) => one.kind)
      .filter((kind: string) => kind.startsWith('flight.'))
  /** Each way to delete, used by the added person, who never decided. */
  const doors: Record<string, (bob: TestPerson, id: number) => Promise<Reply>> = {
    'v1 DELETE': (bob, id) => v1(bob, 'DELETE', `/flights/${id}`),
    'v1 DELETE permanently': (bob, id) => v1(bob, 'DELETE', `/flights/${id}?permanently=true`),
    'a key with flight.delete.own alone': async (bob, id) =>
      v1(bob, 'DELETE', `/flights/${id}?permanently=true`, { key: await bob.key(['flight.delete.own']) }),
    'the web app, one': (bob, id) => web(bob, 'DELETE', `/flights/${id}`),
    'the web app, several': (bob, id) => web(bob, 'POST', '/flight-deletions', { ids: [id] }),
    'the web app, permanently': (bob, id) =>
      web(bob, 'POST', '/flight-deletions', { ids: [id], permanently: true }),
    bulk: async (bob, id) =>
      v1(bob, 'POST', '/flights/bulk', { body: { operations: [{ op: 'delete', id }] } }),
    legacy: async (bob, id) =>
      app().request('POST', '/api/flight/delete', { key: await bob.key(), body: { id } }),
    MCP: async (bob, id) => {
      const result = await callTool(app(), await bob.key(), 'delete_flight', { id })
      assert.ok(!result.isError, JSON.stringify(result))
      assert.match(result.content[0].text, /left the flight/)
      return { status: 200 } as Reply
    },
  }

  for (const [door, remove] of Object.entries(doors))
    test(`${door}: a person who was added and has not kept the flight is removed from it`, async () => {
      const [ada, bob] = await pair()
      const id = await fly(ada, bob)
      const reply = await remove(bob, id)
      assert.ok(reply.status < 300, reply.text)
      assert.equal(await statusOf(ada, id), 200)
      assert.deepEqual(await onFlight(ada, id), [ada.id])
      assert.equal(await statusOf(bob, id), 404)
      assert.deepEqual([await bin(ada), await bin(bob)], [[], []])
      const emptied = await web(bob, 'DELETE', '/flights/deleted')
      assert.deepEqual(emptied.json.data, { erased: 0, kept: 0 })
      assert.equal(await statusOf(ada, id), 200)
      // Visible to both: history, notice, audit.
      const [entry] = (await v1(ada, 'GET', '/history')).json.data
      assert.deepEqual([entry.kind, entry.by.userId], ['changed', bob.id])
      const [notice, ...others] = await removals(ada)
      assert.deepEqual(
        [notice.data.how, notice.data.by, notice.data.flightId, notice.data.flights, others.length],
        ['left', { id: bob.id, displayName: bob.displayName }, id, 1, 0],
      )
      assert.deepEqual(await removals(bob), [])
      assert.deepEqual([await audited(ada), await audited(bob)], [['flight.left'], ['flight.left']])
      // Undone within 30 days.
      const back = await web(bob, 'POST', '/flight-restorations', { ids: [id] })
      assert.deepEqual(back.json.data.ids, [id], back.text)
      assert.deepEqual((await onFlight(ada, id)).toSorted(), [ada.id, bob.id].toSorted())
    })

  test('leaving is in the change feed and can be undone by the same key', async () => {
    const [ada, bob] = await pair()
    const id = await fly(ada, bob)
    const key = await bob.key()
    const { token } = (await app().request('GET', `${V1}/changes`, { key })).json.sync
    await app().request('DELETE', `${V1}/flights/${id}`, { key })
    const { json } = await app().request('GET', `${V1}/changes?since=${token}`, { key })
    const item = json.data.find((one: Any) => one.id === id)
    assert.deepEqual([item.change, item.reason], ['removed', 'unlisted'])
    const [entry] = (await app().request('GET', `${V1}/history`, { key })).json.data
    const undone = await app().request('POST', `${V1}/history/undo`, {
      key,
      body: { changeId: entry.changeId },
    })
    assert.equal(undone.json.data[0].action, 'put_back', undone.text)
    assert.equal(await statusOf(bob, id), 200)
  })

  for (const [name, ways] of Object.entries({
    'a person who logged it': false,
    'a person who kept it': true,
  }))
    test(`${name} moves a shared flight to the bin and cannot erase it`, async () => {
      const [ada, bob] = await pair()
      const id = await fly(ada, bob)
      if (ways) await keep(bob)
      const [who, other] = ways ? [bob, ada] : [ada, bob]
      const refused = await v1(who, 'DELETE', `/flights/${id}?permanently=true`)
      assertError(refused, 409, 'conflict')
      assert.match(
        refused.json.error.message,
        /^Other people are on this flight\. Move it to the bin instead/,
      )
      const skipped = await web(who, 'POST', '/flight-deletions', { ids: [id], permanently: true })
      assert.deepEqual(skipped.json.data.ids, [])
      assert.equal(await statusOf(other, id), 200)
      assert.deepEqual([await removals(other), await audited(other)], [[], []])

      assert.equal((await v1(who, 'DELETE', `/flights/${id}`)).status, 204)
      assert.deepEqual([await bin(who), await bin(other)], [[id], [id]])
      const [notice] = await removals(other)
      assert.deepEqual([notice.data.how, notice.data.by.id], ['deleted', who.id])
      assert.deepEqual([await audited(who), await audited(other)], [['flight.deleted'], ['flight.deleted']])
      for (const from of [who, other]) {
        assertError(await v1(from, 'DELETE', `/flights/${id}?permanently=true`), 409, 'conflict')
        const several = await web(from, 'POST', '/flight-deletions', { ids: [id], permanently: true })
        assert.deepEqual(several.json.data.ids, [])
        assert.deepEqual((await web(from, 'DELETE', '/flights/deleted')).json.data, { erased: 0, kept: 1 })
      }
      assert.equal((await v1(other, 'POST', `/flights/${id}/restore`)).status, 200)
      assert.equal(await statusOf(who, id), 200)
    })

  test('a flight of the caller alone is erased, with an audit entry', async () => {
    const [ada, bob] = await pair()
    const [one, two, shared] = [await fly(ada), await fly(ada), await fly(ada, bob)]
    assert.equal((await v1(ada, 'DELETE', `/flights/${one}?permanently=true`)).status, 204)
    for (const id of [two, shared]) assert.equal((await v1(ada, 'DELETE', `/flights/${id}`)).status, 204)
    assert.deepEqual((await web(ada, 'DELETE', '/flights/deleted')).json.data, { erased: 1, kept: 1 })
    assert.deepEqual(await bin(ada), [shared])
    assert.deepEqual(await audited(ada), ['flight.erased', 'flight.deleted', 'flight.erased'])
    const { details } = (await web(ada, 'GET', '/audit/mine')).json.data[0]
    assert.deepEqual([details.flights, details.ids], [1, [String(two)]])
  })

  test('flight.delete.any erases for everyone, with notices; a key needs the scope too', async () => {
    const [ada, bob, admin] = (await people('role-user', 'role-user', 'role-administrator')) as [
      TestPerson,
      TestPerson,
      TestPerson,
    ]
    const id = await fly(ada, bob)
    const ownAlone = await admin.key(['flight.delete.own'])
    const narrow = await v1(admin, 'DELETE', `/flights/${id}?permanently=true`, { key: ownAlone })
    assertError(narrow, 403, 'insufficient_scope')
    assert.equal((await v1(admin, 'DELETE', `/flights/${id}?permanently=true`)).status, 204)
    for (const who of [ada, bob]) {
      const [notice] = await removals(who)
      assert.deepEqual([notice.data.how, notice.data.by.id, notice.data.from], ['erased', admin.id, 'CPH'])
      assert.deepEqual(await audited(who), ['flight.erased'])
    }
    // Without the scope for all flights, the key erases no flight of others, even if its owner is on it.
    const shared = await fly(admin, ada)
    assertError(
      await v1(admin, 'DELETE', `/flights/${shared}?permanently=true`, { key: ownAlone }),
      409,
      'conflict',
    )
    assert.equal(await statusOf(ada, shared), 200)
  })

  test('many removals by one person make one unread notice', async () => {
    const [ada, bob] = await pair()
    const ids = [await fly(ada, bob), await fly(ada, bob), await fly(ada, bob)]
    await web(ada, 'POST', '/flight-deletions', { ids: ids.slice(0, 2) })
    await v1(ada, 'DELETE', `/flights/${ids[2]}`)
    const found = await removals(bob)
    assert.deepEqual(
      found.map(({ data }) => [data.how, data.flights]),
      [['deleted', 3]],
    )
  })

  test('a restored flight is not binned again when a person who had not kept it undoes', async () => {
    const [ada, bob] = await pair()
    const id = await fly(ada, bob)
    await v1(ada, 'DELETE', `/flights/${id}`)
    await v1(ada, 'POST', `/flights/${id}/restore`)
    const [restored] = (await web(bob, 'GET', '/history')).json.data
    assert.equal(restored.kind, 'restored')
    const { json } = await web(bob, 'POST', '/history/undo', { changeId: restored.changeId })
    assert.equal(json.data[0].action, 'left')
    assert.equal(await statusOf(ada, id), 200)
  })

  test('deleting an account leaves others’ flights in their bin, with notices', async () => {
    const [ada, bob] = await pair()
    const id = await fly(ada, bob)
    const passwordHash = await hashPassword('kitty hawk')
    await app().store.transaction((tx) => updatePassword(tx, ada.id, passwordHash))
    assert.equal((await web(ada, 'DELETE', '/me', { password: 'kitty hawk' })).status, 204)
    assert.deepEqual(await bin(bob), [id])
    const [notice] = await removals(bob)
    assert.deepEqual([notice.data.how, notice.data.by], ['deleted', null])
    assert.equal((await v1(bob, 'POST', `/flights/${id}/restore`)).status, 200)
    assert.deepEqual(await onFlight(bob, id), [bob.id])
  })
})
