// Leases: one process at a time works on a row, and an abandoned row is claimed again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MINUTE } from '../server/domain/time/durations.ts'
import { type Lease, newLease } from '../server/store/engine/leases.ts'
import {
  claimAbandonedImport,
  findImport,
  hasAbandonedImport,
  insertImport,
  releaseImportLease,
  renewImportLease,
} from '../server/store/imports/imports.ts'
import { advanceMailbox, mailboxes } from '../server/store/intake/mailboxes.ts'
import { onBothEngines, type TestApp } from './harness.ts'

onBothEngines('leases', (app) => {
  const lease = (): Lease => newLease(app().clock, MINUTE)
  const progress = { uidValidity: 1, lastUid: 2, read: 1 }

  test('two processes that claim concurrently get different rows', async () => {
    const [first, second] = [await addMailbox(app()), await addMailbox(app())]
    const claimed = await Promise.all([claimDue(app(), lease()), claimDue(app(), lease())])
    assert.deepEqual(claimed.toSorted(), [first, second])
    assert.equal(await claimDue(app(), lease()), undefined)
    app().clock.advance(MINUTE)
    assert.equal(await claimDue(app(), lease()), first, 'the older one, when its lease has ended')
    assert.equal(await claimDue(app(), lease()), second)
  })

  test('a row is claimed by id unless a process holds it, until the lease expires', async () => {
    const { store, clock } = app()
    const id = await addMailbox(app())
    const claim = () => store.transaction((tx) => mailboxes.claim(tx, id, lease()))
    assert.equal((await claim())?.id, id)
    clock.advance(MINUTE - 1)
    assert.equal(await claim(), undefined)
    clock.advance(1)
    assert.equal((await claim())?.id, id)
  })

  test('only the holder renews and releases a lease', async () => {
    const { store, clock } = app()
    const id = await addMailbox(app())
    const mine = lease()
    await store.transaction((tx) => mailboxes.claim(tx, id, mine))
    clock.advance(MINUTE / 2)
    const { until } = lease()
    const renew = (text: string) =>
      store.transaction((tx) => advanceMailbox(tx, { id, lease: text, until, ...progress }))
    assert.equal(await renew('another'), false)
    assert.equal(await renew(mine.lease), true)
    clock.advance(MINUTE / 2)
    const claim = () => store.transaction((tx) => mailboxes.claim(tx, id, lease()))
    assert.equal(await claim(), undefined, 'the renewed lease is longer')
    await store.transaction((tx) => mailboxes.release(tx, id, 'another'))
    assert.equal(await claim(), undefined)
    await store.transaction((tx) => mailboxes.release(tx, id, mine.lease))
    assert.equal((await claim())?.id, id)
    assert.equal(await renew(mine.lease), false, 'the next holder has it')
  })

  test('an abandoned import is claimed again, and its attempts are counted', async () => {
    const { store, clock } = app()
    const person = await app().person()
    const held = lease()
    const { id } = await store.transaction((tx) => insertImport(tx, person.id, newImport(held)))
    const claim = () => store.transaction((tx) => claimAbandonedImport(tx, lease()))
    assert.equal(await hasAbandonedImport(store.read, { now: lease().now }), false)
    assert.equal(await claim(), undefined)
    clock.advance(MINUTE)
    assert.equal(await hasAbandonedImport(store.read, { now: lease().now }), true)
    const taken = await claim()
    assert.deepEqual([taken?.id, taken?.attempts], [id, 1])
    const { until } = lease()
    const renew = (text: string) =>
      store.transaction((tx) => renewImportLease(tx, { id, lease: text, until, rowsDone: 7 }))
    assert.equal(await renew(held.lease), false)
    assert.equal(await renew(taken!.lease!), true)
    assert.equal((await findImport(store.read, { userId: person.id, id }))?.rowsDone, 7)
    await store.transaction((tx) => releaseImportLease(tx, { id, lease: taken!.lease! }))
    assert.equal((await claim())?.attempts, 2)
  })
})

async function claimDue({ store }: TestApp, lease: Lease): Promise<number | undefined> {
  return (await store.transaction((tx) => mailboxes.claimDue(tx, lease)))?.id
}

/** Due as soon as it is added. */
async function addMailbox(app: TestApp): Promise<number> {
  const { id: userId } = await app.person()
  const now = new Date(app.clock.now()).toISOString()
  const server = { host: 'mail.example.org', port: 993, security: 'tls' as const, username: 'ada' }
  const position = { folder: 'INBOX', uidValidity: 1, lastUid: 0, since: now }
  const mailbox = { userId, now, ...server, password: 'sealed', ...position }
  app.clock.advance(1)
  return (await app.store.transaction((tx) => mailboxes.insert(tx, mailbox))).id
}

const newImport = ({ lease, now, until }: Lease) => ({
  source: null,
  filename: 'log.csv',
  bytes: 1,
  sha256: 'of it',
  file: 'imports/1',
  options: {},
  lease,
  leaseUntil: until,
  now,
  expiresAt: until,
})
