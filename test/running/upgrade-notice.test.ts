// The notice of an upgrade, written by the first start of a newer version: in real processes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogger } from '../../server/base/log.ts'
import { version } from '../../server/base/version.ts'
import { writeSetting } from '../../server/store/instance/settings.ts'
import { listNotices } from '../../server/store/people/notices.ts'
import { openStore } from '../../server/store/store.ts'
import { engines, freshDatabase, startTestApp } from '../harness.ts'
import { startServer } from './processes.ts'

for (const engine of engines)
  test(`of two servers that start together after an upgrade, one tells the owner, on ${engine}`, async () => {
    const database = await freshDatabase(engine)
    const before = await startTestApp(engine, database)
    const owner = await before.person('owner')
    await before.store.transaction((tx) => writeSetting(tx, { name: 'lastVersion', value: '0.0.9' }))
    await before.close()
    for (const server of await Promise.all([startServer(database), startServer(database)]))
      assert.equal(await server.stop(), 0)
    const again = await startServer(database)
    assert.equal(await again.stop(), 0)
    const store = await openStore(database, createLogger('silent'))
    const notices = await listNotices(store.read, { userId: owner.id, before: 1_000_000, limit: 10 })
    await store.close()
    assert.deepEqual(
      notices.map(({ kind, data }) => [kind, data]),
      [['instance.upgraded', { from: '0.0.9', to: version }]],
    )
    await database.drop()
  })
