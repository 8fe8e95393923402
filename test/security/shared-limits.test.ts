// Password attempts are counted by all processes together: two processes allow as many as one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '../../server/base/errors.ts'
import { MINUTE } from '../../server/domain/time/durations.ts'
import { deleteExpired } from '../../server/process/cleanup.ts'
import { createLimits, type Guesser, knownGuesser } from '../../server/services/access/limits.ts'
import { onBothEngines } from '../harness.ts'

onBothEngines('shared limits', (app) => {
  const process = (entriesAtMost?: number) =>
    createLimits({ clock: app().clock, store: app().store, onReached() {}, entriesAtMost })
  const outcome = (trying: Promise<unknown>): Promise<string> =>
    trying.then(
      () => 'taken',
      (error) => {
        assert.ok(error instanceof AppError && error.status === 429, String(error))
        return 'refused'
      },
    )
  const count = (outcomes: string[], wanted: string) => outcomes.filter((one) => one === wanted).length

  test('concurrent tries through two processes are counted one by one', async () => {
    const [first, second] = [process(), process()]
    const guesser = (i: number): Guesser => ({ address: '198.51.100.1', username: `someone-${i}` })
    const tried = await Promise.all(
      Array.from({ length: 12 }, (_, i) => outcome((i % 2 ? first : second).takeTry(guesser(i)))),
    )
    assert.equal(count(tried, 'taken'), 5)
    await assert.rejects(second.requireMayTry(guesser(100)))
    app().clock.advance(MINUTE)
    await second.requireMayTry(guesser(100))
  })

  test('a try returned in one process is available in the other', async () => {
    const [first, second] = [process(), process()]
    const known = knownGuesser('browser of ada', 'ada')
    for (let i = 0; i < 20; i++) await (await (i % 2 ? first : second).takeTry(known)).giveBack()
    for (let i = 0; i < 5; i++) await (i % 2 ? first : second).takeTry(known)
    assert.equal(await outcome(first.takeTry(known)), 'refused')
    assert.equal(await outcome(second.takeCodeTry('ada', known)), 'refused')
    // A refused attempt uses up nothing of the account's budget.
    for (let i = 0; i < 5; i++) await second.takeCodeTry('ada', knownGuesser(`another browser ${i}`, 'ada'))
    assert.equal(await outcome(first.takeCodeTry('ada', knownGuesser('yet another', 'ada'))), 'refused')
  })

  test('a name is delayed by attempts through any process, from any address', async () => {
    const both = [process(), process()]
    for (let i = 0; i < 6; i++) {
      const guesser = { address: `203.0.113.${i}`, username: 'Grace' }
      assert.equal(await outcome(both[i % 2]!.takeTry(guesser)), 'taken')
    }
    for (const one of both)
      await assert.rejects(one.takeTry({ address: '203.0.113.99', username: 'grace' }), /2 seconds/)
    app().clock.advance(2000)
    await both[0]!.takeTry({ address: '203.0.113.99', username: 'grace' })
  })

  test('rows are limited in number, expire, are deleted and contain no names', async () => {
    app().clock.advance(3 * 60 * MINUTE)
    await deleteExpired(app().store, app().clock.now())
    const rows = () => app().store.read.query('select * from sign_in_try', [])
    assert.deepEqual(await rows(), [])
    const limits = process(3)
    const tried: string[] = []
    for (let i = 0; i < 6; i++)
      tried.push(await outcome(limits.takeTry({ address: `192.0.2.${i}`, username: `typed secret ${i}` })))
    assert.deepEqual([count(tried, 'taken'), count(tried, 'refused')], [3, 3])
    assert.ok((await rows()).length <= 6)
    assert.doesNotMatch(JSON.stringify(await rows()), /secret|192\.0/)
    // Strangers do not displace known browsers.
    assert.equal(await outcome(limits.takeTry(knownGuesser('browser of ada', 'ada'))), 'taken')
    app().clock.advance(2 * 60 * MINUTE)
    assert.equal(await outcome(limits.takeTry({ address: '192.0.2.99', username: 'ada' })), 'taken')
    await deleteExpired(app().store, app().clock.now())
    assert.equal((await rows()).length, 2)
  })

  test('known browsers beyond the limit are counted by account', async () => {
    app().clock.advance(3 * 60 * MINUTE)
    await deleteExpired(app().store, app().clock.now())
    const both = [process(3), process(3)]
    const browser = (i: number, userId: string) => knownGuesser(`browser ${i} of ${userId}`, userId)
    for (let i = 0; i < 3; i++) await both[0]!.takeTry(browser(i, 'bob'))
    // A right password is never counted, nor are bob's attempts.
    for (let i = 0; i < 20; i++) await (await both[i % 2]!.takeTry(browser(i, 'ada'))).giveBack()
    const tried: string[] = []
    for (let i = 0; i < 20; i++) tried.push(await outcome(both[i % 2]!.takeTry(browser(i, 'ada'))))
    assert.deepEqual([count(tried, 'taken'), count(tried, 'refused')], [5, 15])
    assert.equal(await outcome(both[1]!.requireMayTry(browser(99, 'ada'))), 'refused')
    for (const limits of both) assert.equal(await outcome(limits.requireMayTry(browser(0, 'eve'))), 'taken')
    // Existing counters continue separately.
    for (let i = 0; i < 5; i++) await both[0]!.takeTry(browser(99, 'bob'))
    assert.equal(await outcome(both[1]!.takeTry(browser(0, 'bob'))), 'taken')
    const rows = await app().store.read.query('select who from sign_in_try', [])
    assert.equal(rows.length, 3 + 2, 'three browsers and two accounts')
    app().clock.advance(MINUTE)
    assert.equal(await outcome(both[0]!.takeTry(browser(7, 'ada'))), 'taken')
  })

  test('refused tries and right passwords do not use up the rows of others', async () => {
    app().clock.advance(3 * 60 * MINUTE)
    await deleteExpired(app().store, app().clock.now())
    const limits = process(8)
    const stranger = (i: number): Guesser => ({ address: '198.51.100.7', username: `invented-${i}` })
    const tried: string[] = []
    for (let i = 0; i < 12; i++) tried.push(await outcome(limits.takeTry(stranger(i))))
    assert.equal(count(tried, 'taken'), 5)
    const person = (i: number): Guesser => ({ address: `192.0.2.${i}`, username: `person-${i}` })
    for (let i = 0; i < 12; i++) await (await limits.takeTry(person(i))).giveBack()
    assert.equal(await outcome(limits.requireMayTry(person(99))), 'taken')
  })
})
