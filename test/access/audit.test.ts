import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onBothEngines } from '../harness.ts'

onBothEngines('the audit trail', (app) => {
  test('list-audit-events and list-my-audit-events: created and deleted keys are listed for their owner and for administrators', async () => {
    const ada = await app().person()
    const cookie = await ada.session()
    const made = await app().request('POST', '/app/api/api-keys', {
      cookie,
      body: { name: 'phone', scopes: ['profile.read'] },
    })
    assert.equal(made.status, 201)
    await app().request('DELETE', `/app/api/api-keys/${made.json.data.id}`, { cookie })

    const mine = await app().request('GET', '/app/api/audit/mine', { cookie })
    assert.deepEqual(
      mine.json.data.map((event: { kind: string }) => event.kind),
      ['api-key.deleted', 'api-key.created'],
    )
    assert.equal(mine.json.data[1].details.name, 'phone')
    assert.ok(!mine.text.includes(made.json.data.key), 'the key itself is in the trail')

    assert.equal((await app().request('GET', '/app/api/audit', { cookie })).status, 403)
    const admin = await (await app().person('role-administrator')).session()
    const all = await app().request('GET', '/app/api/audit?limit=1', { cookie: admin })
    assert.equal(all.json.data.length, 1)
    const next = await app().request('GET', `/app/api/audit?limit=1&cursor=${all.json.page.nextCursor}`, {
      cookie: admin,
    })
    assert.equal(next.json.data[0].kind, 'api-key.created')
    for (const path of ['/audit?cursor=nonsense', '/audit?limit=0', '/audit/mine?cursor=nonsense']) {
      assert.equal((await app().request('GET', `/app/api${path}`, { cookie: admin })).status, 400, path)
    }
  })

  test('a failed sign-in is recorded without the typed name', async () => {
    const ada = await app().person()
    for (const username of [ada.username, 'my-secret-passw0rd']) {
      const headers = { origin: app().config.origin }
      const body = { username, password: 'wrong-password' }
      assert.equal((await app().request('POST', '/app/api/sign-in', { headers, body })).status, 401)
    }
    const admin = await (await app().person('role-administrator')).session()
    const all = await app().request('GET', '/app/api/audit?limit=2', { cookie: admin })
    const [unknown, known] = all.json.data
    assert.deepEqual([unknown.kind, unknown.subject, unknown.details], ['sign-in.failed', null, {}])
    assert.deepEqual(known.subject, { id: ada.id, username: ada.username })
    assert.ok(known.address)
  })
})
