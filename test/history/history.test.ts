// The history of flights and undo: what was done, by whom, and how it is undone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Scope } from '../../server/domain/access/access.ts'
import { DAY } from '../../server/domain/time/durations.ts'
import { deleteExpired } from '../../server/process/cleanup.ts'
import { airportIds, assertError } from '../fixtures.ts'
import { onBothEngines, type TestApp, type TestPerson } from '../harness.ts'
import { callTool } from '../mcp/clients.ts'
import { connect, exchange, refreshExchange } from '../oauth/browser.ts'
import { createHook, createTestDeliveries, startReceiver, withStatus } from '../webhooks/receiver.ts'

const path = '/api/v1/flights'
const TWO_FLIGHTS = 'Date,From,To,Flight\n2026-01-05,CPH,ARN,SK1419\n2026-01-06,ARN,CPH,SK1420\n'

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
type Any = any

const track = (name: string) => ({
  coordinates: [
    [12.65, 55.61, 5],
    [-73.77, 40.63],
  ],
  times: [1_771_500_000, 1_771_520_000],
  sourceFormat: 'gpx',
  sourceName: name,
})

async function send(app: TestApp, method: string, address: string, key: string, body?: object): Promise<Any> {
  const reply = await app.request(method, address, { key, ...(body ? { body } : {}) })
  assert.ok(reply.status < 300, reply.text)
  return reply.json?.data
}
async function web(
  app: TestApp,
  method: string,
  address: string,
  cookie: string,
  body?: object,
): Promise<Any> {
  const reply = await app.request(method, `/app/api${address}`, { cookie, ...(body ? { body } : {}) })
  assert.ok(reply.status < 300, reply.text)
  return reply.json
}
async function log(app: TestApp, key: string, more: object = {}): Promise<Any> {
  const [fromId, toId] = await airportIds(app, 'CPH', 'JFK')
  return send(app, 'POST', path, key, { date: '2026-02-20', fromId, toId, ...more })
}
const patch = (app: TestApp, key: string, id: number, body: object) =>
  send(app, 'PATCH', `${path}/${id}`, key, body)
const read = (app: TestApp, key: string, id: number) => send(app, 'GET', `${path}/${id}`, key)
const remove = (app: TestApp, key: string, id: number) => send(app, 'DELETE', `${path}/${id}`, key)

/** What an undo must bring back: everything but the number of the version. */
const content = ({ version: _version, updatedAt: _updatedAt, ...flight }: Any) => flight

async function changes(app: TestApp, key: string, query = ''): Promise<Any[]> {
  const reply = await app.request('GET', `/api/v1/history${query}`, { key })
  assert.equal(reply.status, 200, reply.text)
  return reply.json.data
}
async function historyOf(app: TestApp, key: string, id: number): Promise<Any[]> {
  return send(app, 'GET', `${path}/${id}/history`, key)
}
async function undo(app: TestApp, key: string, body: object): Promise<Any> {
  const reply = await app.request('POST', '/api/v1/history/undo', { key, body })
  assert.equal(reply.status, 200, reply.text)
  return reply.json
}
const newest = async (app: TestApp, key: string): Promise<Any> => (await changes(app, key, '?limit=1'))[0]
const kindsOf = (entries: Any[]) => entries.map(({ kind }) => kind)
const actionsOf = ({ data }: Any) => data.map(({ action }: Any) => action)

/** Two people who fly together. */
async function pair(app: TestApp): Promise<{ ada: TestPerson; ben: TestPerson; key: string; bens: string }> {
  const [ada, ben] = [await app.person('role-administrator'), await app.person()]
  return { ada, ben, key: await ada.key(), bens: await ben.key() }
}

onBothEngines('history', (app) => {
  test('history has the author, the client and the change, newest first', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const flight = await log(app(), key, { note: 'one' })
    await patch(app(), key, flight.id, { note: 'two', flightNumber: 'SK909' })
    await web(app(), 'PATCH', `/flights/${flight.id}`, await ada.session(), { note: 'three' })
    await remove(app(), key, flight.id)
    await send(app(), 'POST', `${path}/${flight.id}/restore`, key)
    const entries = await changes(app(), key)
    assert.deepEqual(kindsOf(entries), ['restored', 'deleted', 'changed', 'changed', 'added'])
    assert.deepEqual(
      entries.map(({ by }) => by.via),
      ['key', 'key', 'web', 'key', 'key'],
    )
    assert.deepEqual(
      entries.map(({ by }) => by.isThisCredential),
      [true, true, false, true, true],
    )
    assert.equal(entries[0].by.name, ada.displayName)
    assert.notEqual(entries[0].by.app, null)
    assert.deepEqual(entries[3].changed, { flightNumber: [null, 'SK909'], note: ['one', 'two'] })
    assert.deepEqual(entries[2].changed, { note: ['two', 'three'] })
    assert.equal('changed' in entries[0], false)
    assert.deepEqual(entries[0].flight, {
      id: flight.id,
      date: '2026-02-20',
      from: 'CPH',
      to: 'JFK',
      flightNumber: 'SK909',
    })
    const numbers = entries.map(({ changeId }) => changeId)
    assert.deepEqual(
      numbers,
      numbers.toSorted((a, b) => b - a),
    )
    assert.deepEqual(await historyOf(app(), key, flight.id), entries)
  })

  test('a deleted flight is in the list of changes, but has no history of its own', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const { id } = await log(app(), key)
    await remove(app(), key, id)
    const [entry] = await changes(app(), key)
    assert.deepEqual([entry.kind, entry.flight.from], ['deleted', 'CPH'])
    assertError(await app().request('GET', `${path}/${id}/history`, { key }), 404, 'not_found')
  })

  test('a write without changes makes no entry', async () => {
    const key = await (await app().person()).key()
    const { id } = await log(app(), key, { note: 'same' })
    await patch(app(), key, id, { note: 'same' })
    assert.deepEqual(kindsOf(await changes(app(), key)), ['added'])
  })

  test('changes are listed by time, token, person and credential, in pages', async () => {
    const ada = await app().person()
    const [key, other] = [await ada.key(), await ada.key()]
    const { id } = await log(app(), key)
    const token = (await app().request('GET', '/api/v1/changes', { key })).json.sync.token
    app().clock.advance(60_000)
    const then = new Date(app().clock.now()).toISOString()
    await patch(app(), other, id, { note: 'x' })
    await patch(app(), key, id, { note: 'y' })
    assert.equal((await changes(app(), key, `?since=${then}`)).length, 2)
    assert.equal(
      (await changes(app(), key, `?since=${encodeURIComponent(then.replace('Z', '+00:00'))}`)).length,
      2,
    )
    assert.equal((await changes(app(), key, `?since=${token}`)).length, 2)
    assert.equal((await changes(app(), key, `?since=${token}&by=thisKey`)).length, 1)
    assert.equal((await changes(app(), key, '?by=me')).length, 3)
    assert.equal((await changes(app(), other, '?by=thisKey')).length, 1)
    const first = (await app().request('GET', '/api/v1/history?limit=2', { key })).json
    const rest = await changes(app(), key, `?limit=2&cursor=${first.page.nextCursor}`)
    assert.deepEqual(kindsOf([...first.data, ...rest]), ['changed', 'changed', 'added'])
    for (const query of ['?since=yesterday', '?by=nobody', '?cursor=x', '?limit=0', '?when=now'])
      assertError(await app().request('GET', `/api/v1/history${query}`, { key }), 400, 'bad_request')
    assertError(await app().request('GET', `${path}/${id}/history?limit=0`, { key }), 400, 'bad_request')
  })

  test('changes from before a person was on the flight are not listed', async () => {
    const { ada, ben, key, bens } = await pair(app())
    const flight = await log(app(), key, { note: 'secret' })
    await patch(app(), key, flight.id, { note: 'public' })
    const mine = flight.passengers[0]
    const both = [
      { ...mine, userId: ada.id },
      { userId: ben.id, seatNumber: '2B' },
    ]
    await patch(app(), key, flight.id, { passengers: both, note: null })
    await patch(app(), key, flight.id, { note: 'shared' })
    const seen = await historyOf(app(), bens, flight.id)
    assert.deepEqual(kindsOf(seen), ['changed', 'changed', 'added'])
    assert.deepEqual(seen[0].changed, { note: [null, 'shared'] })
    assert.deepEqual(seen[1].changed, { people: [[], [{ name: ben.displayName, seatNumber: '2B' }]] })
    assert.equal(seen[2].changeId, null)
    assert.doesNotMatch(JSON.stringify(seen), /secret|public/)
    assert.doesNotMatch(JSON.stringify(await changes(app(), bens)), /secret|public/)
    assert.equal(seen[0].by.app, null)
    // Deleting and restoring do not make it visible either, and hide no visible entry.
    await remove(app(), key, flight.id)
    await send(app(), 'POST', `${path}/${flight.id}/restore`, key)
    const later = await historyOf(app(), bens, flight.id)
    assert.equal(later.length, 5)
    assert.doesNotMatch(JSON.stringify(later), /secret|public/)
    // The history of a person who left and returns starts again.
    await patch(app(), key, flight.id, { passengers: [{ ...mine, userId: ada.id }], note: 'between' })
    assert.deepEqual(await changes(app(), bens), [])
    await patch(app(), key, flight.id, { passengers: both, note: 'again' })
    assert.doesNotMatch(JSON.stringify(await historyOf(app(), bens, flight.id)), /between|shared/)
  })

  test('history is private to the people on the flight', async () => {
    const [ada, eve] = [await app().person(), await app().person()]
    const [key, eves] = [await ada.key(), await eve.key()]
    const { id } = await log(app(), key)
    assertError(await app().request('GET', `${path}/${id}/history`, { key: eves }), 404, 'not_found')
    assertError(await app().request('GET', `${path}/999999/history`, { key: eves }), 404, 'not_found')
    assert.deepEqual(await changes(app(), eves), [])
    const { changeId } = await newest(app(), key)
    const reply = await app().request('POST', '/api/v1/history/undo', { key: eves, body: { changeId } })
    assertError(reply, 404, 'not_found')
    const absent = await app().request('POST', '/api/v1/history/undo', {
      key: eves,
      body: { changeId: Number.MAX_SAFE_INTEGER },
    })
    assert.equal(
      absent.text.replace(/"requestId":"[^"]*"/, ''),
      reply.text.replace(/"requestId":"[^"]*"/, ''),
    )
    const owner = await (await app().person('role-administrator')).key()
    assert.deepEqual(kindsOf(await historyOf(app(), owner, id)), ['added'])
  })

  test('external ids in history are private to their person', async () => {
    const { ada, ben, key, bens } = await pair(app())
    const flight = await log(app(), key, { passengers: [{ userId: ada.id }, { userId: ben.id }] })
    await patch(app(), key, flight.id, { externalIds: { app: 'of-ada' }, note: 'n' })
    const [entry] = await historyOf(app(), key, flight.id)
    assert.deepEqual(entry.changed.externalIds, [{ app: null }, { app: 'of-ada' }])
    assert.deepEqual((await historyOf(app(), bens, flight.id))[0].changed, { note: [null, 'n'] })
  })

  test('history is deleted after 30 days, except the entry of the addition', async () => {
    const key = await (await app().person()).key()
    const { id } = await log(app(), key)
    await patch(app(), key, id, { note: 'old' })
    app().clock.advance(29 * DAY)
    await patch(app(), key, id, { note: 'new' })
    await deleteExpired(app().store, app().clock.now())
    assert.equal((await historyOf(app(), key, id)).length, 3)
    const { changeId } = (await historyOf(app(), key, id))[1]
    app().clock.advance(1.5 * DAY)
    const rest = await historyOf(app(), key, id)
    assert.deepEqual(kindsOf(rest), ['changed', 'added'])
    assert.deepEqual([rest[1].changeId, rest[1].canUndo], [null, false])
    assertError(
      await app().request('POST', '/api/v1/history/undo', { key, body: { changeId } }),
      404,
      'not_found',
    )
    await deleteExpired(app().store, app().clock.now())
    const stored = await app().store.read.query(`select * from flight_history where flight_id = ${id}`, [])
    assert.equal(stored.length, 1)
  })

  test('erasing a flight erases its history', async () => {
    const key = await (await app().person()).key()
    const { id } = await log(app(), key, { note: 'private' })
    await patch(app(), key, id, { note: 'x' })
    const other = await log(app(), key)
    await remove(app(), key, other.id)
    for (const gone of [id, other.id]) await send(app(), 'DELETE', `${path}/${gone}?permanently=true`, key)
    const stored = await app().store.read.query(
      `select * from flight_history where flight_id in (${id}, ${other.id})`,
      [],
    )
    assert.deepEqual([stored, await changes(app(), key)], [[], []])
  })
})

onBothEngines('undo', (app) => {
  test('undo reverses each kind of change, also an undo', async () => {
    const key = await (await app().person()).key()
    const flight = await log(app(), key, { note: 'one' })
    const added = await newest(app(), key)
    const changed = await patch(app(), key, flight.id, { note: 'two', departureGate: 'C3' })
    const second = await newest(app(), key)
    assert.equal(second.canUndo, true)

    const back = await undo(app(), key, { changeId: second.changeId })
    assert.deepEqual(actionsOf(back), ['put_back'])
    assert.deepEqual(back.summary, { undone: 1, left: 0, hasMore: false })
    const after = await read(app(), key, flight.id)
    assert.deepEqual(content(after), content(flight))
    assert.ok(after.version > changed.version)

    const [third, was] = await changes(app(), key)
    assert.deepEqual([third.kind, third.changeId, was.undoneBy], ['changed', back.changeId, third.changeId])
    assert.equal(was.canUndo, false)
    await undo(app(), key, { changeId: third.changeId })
    assert.deepEqual(content(await read(app(), key, flight.id)), content(changed))
    assert.equal((await changes(app(), key))[2].undoneBy, null)

    await remove(app(), key, flight.id)
    const deleted = await newest(app(), key)
    assert.deepEqual(actionsOf(await undo(app(), key, { changeId: deleted.changeId })), ['restored'])
    assert.deepEqual(content(await read(app(), key, flight.id)), content(changed))

    assert.deepEqual(actionsOf(await undo(app(), key, { changeId: added.changeId })), ['to_bin'])
    assert.equal((await app().request('GET', `${path}/${flight.id}`, { key })).status, 404)
    const bin = await send(app(), 'GET', `${path}/deleted`, key)
    assert.deepEqual(
      bin.map(({ id }: Any) => id),
      [flight.id],
    )
  })

  test('a second undo changes nothing', async () => {
    const key = await (await app().person()).key()
    const { id } = await log(app(), key)
    await patch(app(), key, id, { note: 'x' })
    const { changeId } = await newest(app(), key)
    await undo(app(), key, { changeId })
    const again = await undo(app(), key, { changeId })
    assert.deepEqual([actionsOf(again), again.data[0].reason], [['left'], 'already_undone'])
    assert.equal((await changes(app(), key)).length, 3)
  })

  test('concurrent undos of one change apply once', async () => {
    const key = await (await app().person()).key()
    const { id } = await log(app(), key)
    await patch(app(), key, id, { note: 'x' })
    await remove(app(), key, id)
    const [deleted] = await changes(app(), key)
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => undo(app(), key, { changeId: deleted.changeId })),
    )
    assert.deepEqual(replies.map((reply) => actionsOf(reply)[0]).sort(), [
      ...Array(5).fill('left'),
      'restored',
    ])
    const { changeId } = (await changes(app(), key)).find(({ kind }) => kind === 'changed')
    const others = await Promise.all(Array.from({ length: 6 }, () => undo(app(), key, { changeId })))
    assert.equal(others.filter((reply) => actionsOf(reply)[0] === 'put_back').length, 1)
  })

  test('a dry run of undo returns the same and changes nothing', async () => {
    const key = await (await app().person()).key()
    const since = new Date(app().clock.now()).toISOString()
    const flight = await log(app(), key)
    await patch(app(), key, flight.id, { note: 'x' })
    const before = await changes(app(), key)
    const { sync } = (await app().request('GET', '/api/v1/changes', { key })).json
    const dry = await undo(app(), key, { since, dryRun: true })
    assert.deepEqual([dry.summary.undone, dry.summary.wouldUndo], [0, dry.data.length - dry.summary.left])
    assert.deepEqual(actionsOf(dry), ['put_back', 'to_bin'])
    assert.deepEqual([dry.changeId, dry.data[0].undoneBy], [null, undefined])
    assert.deepEqual(await changes(app(), key), before)
    const feed = (await app().request('GET', `/api/v1/changes?since=${sync.token}`, { key })).json
    assert.deepEqual(feed.data, [])
    assert.equal((await read(app(), key, flight.id)).note, 'x')
  })

  test('undo since a time goes from newest to oldest, and can be undone', async () => {
    const ada = await app().person()
    const [key, other] = [await ada.key(), await ada.key()]
    const old = await log(app(), key, { note: 'old' })
    const kept = await log(app(), other)
    app().clock.advance(60_000)
    const since = new Date(app().clock.now()).toISOString()
    const made = await log(app(), key)
    await patch(app(), key, old.id, { note: 'a' })
    await patch(app(), key, old.id, { note: 'b' })
    await patch(app(), key, made.id, { note: 'c' })
    await remove(app(), key, old.id)
    await patch(app(), other, kept.id, { note: 'of another key' })
    const all = await undo(app(), key, { since })
    assert.deepEqual(actionsOf(all), ['restored', 'put_back', 'put_back', 'put_back', 'to_bin'])
    assert.deepEqual(content(await read(app(), key, old.id)), content(old))
    assert.equal((await app().request('GET', `${path}/${made.id}`, { key })).status, 404)
    assert.equal((await read(app(), key, kept.id)).note, 'of another key')
    // Nothing of it is in effect any more, so nothing is left to undo.
    assert.deepEqual((await undo(app(), key, { since })).data, [])
    app().clock.advance(60_000)
    // An undo before a later moment is an ordinary change.
    const later = new Date(app().clock.now() - 1000).toISOString()
    assert.deepEqual((await undo(app(), key, { since: later })).data, [])
    const back = await changes(app(), key, `?since=${since}`)
    const bin = back.find(({ kind, flight }) => kind === 'deleted' && flight.id === made.id)
    assert.deepEqual(actionsOf(await undo(app(), key, { changeId: bin.changeId })), ['restored'])
    assert.equal((await read(app(), key, made.id)).note, null)
  })

  test('undo keeps changes that others overwrote, and names their author', async () => {
    const { ada, ben, key, bens } = await pair(app())
    const flight = await log(app(), key, { passengers: [{ userId: ada.id }, { userId: ben.id }] })
    const added = await newest(app(), key)
    await patch(app(), key, flight.id, { note: 'mine' })
    const changed = await newest(app(), key)
    await patch(app(), bens, flight.id, { note: 'no, mine' })
    const left = await undo(app(), key, { changeId: changed.changeId })
    assert.deepEqual([actionsOf(left), left.data[0].reason], [['left'], 'changed_since'])
    assert.match(left.data[0].message, /note/)
    assert.ok(left.data[0].message.includes(ben.displayName))
    const whole = await undo(app(), key, { changeId: added.changeId })
    assert.equal(whole.data[0].reason, 'changed_since')
    assert.equal((await read(app(), key, flight.id)).note, 'no, mine')
    // Once the other person undoes theirs, nothing blocks this one.
    await undo(app(), bens, { changeId: (await newest(app(), bens)).changeId })
    assert.deepEqual(actionsOf(await undo(app(), key, { changeId: changed.changeId })), ['put_back'])
    assert.deepEqual(actionsOf(await undo(app(), key, { changeId: added.changeId })), ['to_bin'])
  })

  test('undo restores a field although another field was changed since', async () => {
    const ada = await app().person()
    const [key, other] = [await ada.key(), await ada.key()]
    const { id } = await log(app(), key, { note: 'one', departureGate: 'A1' })
    await patch(app(), key, id, { note: 'two' })
    const { changeId } = await newest(app(), key)
    await patch(app(), other, id, { departureGate: 'B2' })
    assert.deepEqual(actionsOf(await undo(app(), key, { changeId })), ['put_back'])
    const { note, departureGate } = await read(app(), key, id)
    assert.deepEqual([note, departureGate], ['one', 'B2'])
  })

  test('undo restores fields that only the caller changed since, and names the kept ones', async () => {
    const ada = await app().person()
    const [key, other] = [await ada.key(), await ada.key()]
    const { id } = await log(app(), key, { note: 'one' })
    await patch(app(), key, id, { note: 'two', departureGate: 'C3' })
    const { changeId } = await newest(app(), key)
    await patch(app(), other, id, { note: 'three' })
    const theirs = await newest(app(), other)
    const [item] = (await undo(app(), key, { changeId })).data
    assert.deepEqual([item.action, item.leftFields], ['put_back', ['note']])
    assert.ok(item.message.startsWith('Put back, except note. Changed since: note, by you through '))
    assert.ok(item.message.endsWith(` (change ${theirs.changeId}).`))
    const after = await read(app(), key, id)
    assert.deepEqual([after.note, after.departureGate], ['three', null])
    assert.deepEqual((await newest(app(), key)).changed, { departureGate: ['C3', null] })
    // Blocked changes can be undone once nothing blocks them: the undo first, then the change.
    await undo(app(), key, { changeId: item.undoneBy })
    assert.equal((await read(app(), key, id)).departureGate, 'C3')
    await undo(app(), other, { changeId: theirs.changeId })
    const whole = (await undo(app(), key, { changeId })).data[0]
    assert.deepEqual([whole.action, whole.leftFields], ['put_back', undefined])
    const back = await read(app(), key, id)
    assert.deepEqual([back.note, back.departureGate], ['one', null])
  })

  test('undo neither restores nor names fields that have their former value already', async () => {
    const ada = await app().person()
    const [key, other] = [await ada.key(), await ada.key()]
    const { id } = await log(app(), key, { note: 'one', externalIds: { app: 'x1' } })
    await patch(app(), key, id, { note: 'two', externalIds: { app: 'x2' }, arrivalGate: 'A1' })
    const { changeId } = await newest(app(), key)
    await patch(app(), other, id, { note: 'one', externalIds: { app: 'x1' } })
    const elsewhere = await log(app(), other, { externalIds: { app: 'x2' } })
    const [item] = (await undo(app(), key, { changeId })).data
    assert.deepEqual([item.action, item.leftFields], ['put_back', undefined])
    const after = await read(app(), key, id)
    assert.deepEqual([after.note, after.arrivalGate, after.externalIds], ['one', null, { app: 'x1' }])
    assert.deepEqual((await read(app(), key, elsewhere.id)).externalIds, { app: 'x2' })
  })

  test('undo restores seats per person, and names the kept ones', async () => {
    const { ada, ben, key, bens } = await pair(app())
    const other = await ada.key()
    const passengers = [{ userId: ada.id, seatNumber: '1A' }, { userId: ben.id }]
    const flight = await log(app(), key, { passengers })
    const { id } = flight
    const [mine, his] = flight.passengers
    const seats = (my: object, bensSeat: object) => ({
      passengers: { [mine.id]: my, [his.id]: bensSeat },
    })
    await patch(app(), key, id, seats({ seatNumber: '2B', seatClass: 'business' }, { seatNumber: '2C' }))
    const { changeId } = await newest(app(), key)
    await patch(app(), other, id, seats({ seatNumber: '3B' }, {}))
    await patch(app(), bens, id, seats({}, { seatNumber: '3C', seat: 'aisle' }))
    const bensSession = await ben.session()
    const [notice] = (await web(app(), 'GET', '/notices', bensSession)).data
    await web(app(), 'POST', `/notices/${notice.id}/keep`, bensSession)
    const [item] = (await undo(app(), key, { changeId })).data
    assert.deepEqual([item.action, item.leftFields], ['put_back', ['seatNumber', 'people']])
    const seatsNow = (await read(app(), key, id)).passengers.map(({ seatNumber, seatClass, seat }: Any) => [
      seatNumber,
      seatClass,
      seat,
    ])
    assert.deepEqual(seatsNow, [
      ['3B', null, null],
      ['3C', null, 'aisle'],
    ])
    const kept = `select kept_at from flight_passenger where id = ${his.id}`
    assert.notEqual((await app().store.read.query(kept, []))[0]?.['kept_at'], null)
    // Only another person's seat: it has the name of the person's own field, as in their history.
    await patch(app(), key, id, seats({ seatNumber: '4B' }, {}))
    const own = await newest(app(), key)
    await patch(app(), other, id, seats({ seatNumber: '5B' }, {}))
    assert.match(
      (await undo(app(), key, { changeId: own.changeId })).data[0].message,
      /^Changed since: seatNumber, by you/,
    )
    // A seat with the written value, but written by another person, is theirs.
    await patch(app(), key, id, seats({ seatNumber: '6B', seat: 'window' }, {}))
    const again = await newest(app(), key)
    await patch(app(), bens, id, seats({ seatNumber: '7B' }, {}))
    await patch(app(), bens, id, seats({ seatNumber: '6B' }, {}))
    const [twice] = (await undo(app(), key, { changeId: again.changeId })).data
    assert.deepEqual([twice.leftFields, twice.message.includes(ben.displayName)], [['seatNumber'], true])
  })

  test('undo restores times together with their date, or neither', async () => {
    const ada = await app().person()
    const [key, other] = [await ada.key(), await ada.key()]
    const times = (day: string, departure: string, arrival: string) => ({
      date: day,
      departure: `${day}T${departure}:00+01:00`,
      arrival: `${day}T${arrival}:00-05:00`,
    })
    const { id } = await log(app(), key, times('2026-02-20', '10:00', '13:00'))
    await patch(app(), key, id, { ...times('2026-02-22', '11:00', '14:00'), note: 'moved' })
    const { changeId } = await newest(app(), key)
    await patch(app(), other, id, { arrival: '2026-02-22T14:30:00-05:00' })
    const [item] = (await undo(app(), key, { changeId })).data
    assert.deepEqual(item.leftFields, ['date', 'departureTime', 'arrivalTime'])
    assert.match(
      item.message,
      /^Put back, except date, departureTime, arrivalTime\. Changed since: arrivalTime, by /,
    )
    const moved = await read(app(), key, id)
    assert.deepEqual([moved.date, moved.note, moved.duration], ['2026-02-22', null, 34_200])
    // On the same day each time is restored separately, and the duration follows.
    await patch(app(), key, id, {
      departure: '2026-02-22T12:00:00+01:00',
      arrival: '2026-02-22T15:00:00-05:00',
    })
    const second = await newest(app(), key)
    await patch(app(), other, id, { arrival: '2026-02-22T16:00:00-05:00' })
    const [later] = (await undo(app(), key, { changeId: second.changeId })).data
    assert.deepEqual(later.leftFields, ['arrivalTime'])
    const after = await read(app(), key, id)
    assert.deepEqual(
      [after.departure, after.arrival, after.duration],
      ['2026-02-22T11:00:00+01:00', '2026-02-22T16:00:00-05:00', 39_600],
    )
  })

  test('undo of leaving restores nothing if the person cannot return', async () => {
    const { ada, ben, key, bens } = await pair(app())
    const flight = await log(app(), key, { note: 'a', passengers: [{ userId: ada.id }, { userId: ben.id }] })
    const { id } = flight
    const [mine, his] = flight.passengers
    const me = { id: mine.id, userId: ada.id }
    await patch(app(), bens, id, { passengers: { [his.id]: null }, note: 'b' })
    const [departure] = await changes(app(), bens, '?by=me')
    await patch(app(), key, id, { passengers: [me, { userId: ben.id }] })
    await patch(app(), key, id, { passengers: [me] })
    for (const undone of [
      await undo(app(), bens, { changeId: departure.changeId }),
      await web(app(), 'POST', '/history/undo', await ben.session(), { changeId: departure.changeId }),
    ])
      assert.deepEqual([undone.data[0].action, undone.data[0].reason], ['left', 'not_in_log'])
    assert.equal((await read(app(), key, id)).note, 'b')
  })

  test('undo of leaving restores no external ids if the person cannot return', async () => {
    const { ada, ben, key, bens } = await pair(app())
    const flight = await log(app(), key, { note: 'a', passengers: [{ userId: ada.id }, { userId: ben.id }] })
    const { id } = flight
    const me = { id: flight.passengers[0].id, userId: ada.id }
    await patch(app(), bens, id, { externalIds: { app: 'bens' } })
    await patch(app(), key, id, { passengers: [me], note: 'b' })
    const removal = await newest(app(), key)
    const again = await patch(app(), key, id, { passengers: [me, { userId: ben.id }] })
    await patch(app(), bens, id, { passengers: { [again.passengers[1].id]: null } })
    const [item] = (await undo(app(), key, { changeId: removal.changeId })).data
    assert.deepEqual([item.action, item.leftFields], ['put_back', ['people']])
    const { note, passengers } = await read(app(), key, id)
    assert.deepEqual([note, passengers.length], ['a', 1])
    const ids = `select * from external_id where user_id = '${ben.id}'`
    assert.deepEqual(await app().store.read.query(ids, []), [])
  })

  test('a partly undone change stays in effect for what was kept, and blocks other undos', async () => {
    const { ada, ben, key, bens } = await pair(app())
    const cy = await app().person()
    const cys = await cy.key()
    const passengers = [ada, ben, cy].map((person) => ({ userId: person.id }))
    const { id } = await log(app(), key, { note: 'a', passengers })
    const added = await newest(app(), key)
    await patch(app(), key, id, { note: 'b' })
    const first = await newest(app(), key)
    await patch(app(), key, id, { note: 'c' })
    await patch(app(), bens, id, { note: 'b', departureGate: 'B1' })
    const bensChange = await newest(app(), bens)
    await patch(app(), cys, id, { note: 'd' })
    const cysChange = await newest(app(), cys)
    const partly = (await undo(app(), bens, { changeId: bensChange.changeId })).data[0]
    assert.deepEqual(partly.leftFields, ['note'])
    await undo(app(), cys, { changeId: cysChange.changeId })
    assert.equal((await read(app(), key, id)).note, 'b')
    for (const { changeId } of [first, added]) {
      const [item] = (await undo(app(), key, { changeId })).data
      assert.deepEqual([item.action, item.reason], ['left', 'changed_since'])
      assert.ok(item.message.includes(`${ben.displayName} (change ${bensChange.changeId})`), item.message)
    }
  })

  test('undo removes people who were added together separately if one has changed something since', async () => {
    const { ada, ben, key, bens } = await pair(app())
    const flight = await log(app(), key)
    const { id } = flight
    const me = { id: flight.passengers[0].id, userId: ada.id }
    const three = await patch(app(), key, id, {
      passengers: [me, { userId: ben.id }, { guestName: 'Cy' }, { guestName: 'Dee' }],
    })
    const { changeId } = await newest(app(), key)
    await patch(app(), bens, id, { passengers: { [three.passengers[3].id]: { seatNumber: '9F' } } })
    const [item] = (await undo(app(), key, { changeId })).data
    assert.deepEqual([item.action, item.leftFields], ['put_back', ['people']])
    const names = (await read(app(), key, id)).passengers.map(
      ({ user, guestName }: Any) => user?.id ?? guestName,
    )
    assert.deepEqual(names, [ada.id, 'Dee'])
  })

  test('undo keeps swapped passengers if one of their records was changed since', async () => {
    const ada = await app().person()
    const [key, other] = [await ada.key(), await ada.key()]
    const flight = await log(app(), key)
    const { id } = flight
    const me = { id: flight.passengers[0].id, userId: ada.id }
    const names = ['Bo', 'Cy', 'Dee', 'Eli']
    const all = await patch(app(), key, id, {
      passengers: [me, ...names.map((guestName) => ({ guestName }))],
    })
    const records: Any[] = all.passengers.slice(1)
    const shifted = records.map((record, i) => ({ id: record.id, guestName: names[(i + 1) % 4] }))
    await patch(app(), key, id, { passengers: [me, ...shifted], note: 'shifted' })
    const { changeId } = await newest(app(), key)
    await patch(app(), other, id, { passengers: { [records[0].id]: { seatNumber: '1A' } } })
    const [item] = (await undo(app(), key, { changeId })).data
    assert.deepEqual([item.action, item.leftFields], ['put_back', ['people']])
    const after = await read(app(), key, id)
    assert.equal(after.note, null)
    assert.deepEqual(
      after.passengers
        .slice(1)
        .map(({ guestName }: Any) => guestName)
        .sort(),
      names,
    )
  })

  test('undo restores a removed duration', async () => {
    const key = await (await app().person()).key()
    const departure = '2026-02-20T10:00:00+01:00'
    const { id } = await log(app(), key, { departure, arrival: '2026-02-20T13:00:00-05:00', duration: 7000 })
    await patch(app(), key, id, { duration: null })
    const { changeId, changed } = await newest(app(), key)
    assert.deepEqual(changed, { duration: [7000, 32_400] })
    assert.deepEqual(actionsOf(await undo(app(), key, { changeId })), ['put_back'])
    assert.equal((await read(app(), key, id)).duration, 7000)
  })

  test('undo for a flight moved to or from the bin names who moved it', async () => {
    const { ada, ben, key, bens } = await pair(app())
    const other = await ada.key()
    const { id } = await log(app(), key, { passengers: [{ userId: ada.id }, { userId: ben.id }] })
    // As if Ben had kept it long ago: otherwise deleting it would mean leaving it.
    await app().store.transaction((tx) =>
      tx.query(`update flight_passenger set added_by = null where flight_id = ${id}`, []),
    )
    const added = await newest(app(), key)
    await patch(app(), key, id, { note: 'x' })
    const changed = await newest(app(), key)
    await remove(app(), other, id)
    const deleted = await newest(app(), other)
    for (const { changeId } of [added, changed]) {
      const [item] = (await undo(app(), key, { changeId })).data
      assert.deepEqual([item.action, item.reason], ['left', 'in_bin'])
      assert.match(
        item.message,
        /^The flight is in the bin: deleted since, by you through .*Restore it first\.$/,
      )
      assert.ok(item.message.includes(`(change ${deleted.changeId})`))
    }
    assert.match(
      (await callTool(app(), key, 'undo', { changeId: changed.changeId })).content[0].text,
      /restore_flight/,
    )
    const canUndo = async (reader: string) => (await changes(app(), reader)).map((entry) => entry.canUndo)
    assert.deepEqual(await canUndo(key), [false, false, false])
    assert.deepEqual(await canUndo(other), [true, false, false])
    await send(app(), 'POST', `${path}/${id}/restore`, bens)
    assert.deepEqual(await canUndo(key), [false, false, true, true])
    assert.deepEqual(await canUndo(other), [false, false, false, false])
    const restored = await newest(app(), bens)
    const [item] = (await undo(app(), other, { changeId: deleted.changeId })).data
    assert.deepEqual([item.action, item.reason], ['left', 'restored_since'])
    assert.equal(item.message, `Restored since, by ${ben.displayName} (change ${restored.changeId}).`)
    // A person no longer on it learns nothing about it.
    const flight = await read(app(), key, id)
    await remove(app(), bens, id)
    const bensDeletion = await newest(app(), bens)
    await send(app(), 'POST', `${path}/${id}/restore`, key)
    await patch(app(), key, id, { passengers: [{ id: flight.passengers[0].id, userId: ada.id }] })
    await remove(app(), key, id)
    await patch(app(), key, (await log(app(), key)).id, { note: 'another' })
    const [gone] = (await undo(app(), bens, { changeId: restored.changeId })).data
    assert.deepEqual([gone.reason, gone.message], ['not_in_log', 'The flight is no longer in your log.'])
    await send(app(), 'POST', `${path}/${id}/restore`, key)
    const [unseen] = (await undo(app(), bens, { changeId: bensDeletion.changeId })).data
    assert.equal(unseen.reason, 'not_in_log')
  })

  test('undo of many changes states each reason once', async () => {
    const ada = await app().person()
    const [key, other] = [await ada.key(), await ada.key()]
    const since = new Date(app().clock.now()).toISOString()
    const [fromId, toId] = await airportIds(app(), 'CPH', 'JFK')
    const bulk = (by: string, operations: object[]) => send(app(), 'POST', `${path}/bulk`, by, { operations })
    const flight = { date: '2026-02-20', fromId, toId }
    await bulk(key, Array(120).fill({ op: 'create', flight }))
    const ids: number[] = (await changes(app(), key, '?limit=100')).map((entry) => entry.flight.id)
    await bulk(
      other,
      ids.map((id) => ({ op: 'patch', id, flight: { note: 'theirs' } })),
    )
    const { structuredContent, content } = await callTool(app(), key, 'undo', { since })
    const { data, summary, userText } = structuredContent
    assert.deepEqual(summary, { undone: 20, left: 100, hasMore: false })
    assert.deepEqual(
      data.map(({ action, reason, count, changeIds, flightIds }: Any) => [
        action,
        reason,
        count,
        changeIds.length,
        flightIds.length,
      ]),
      [
        ['left', 'changed_since', 100, 100, 100],
        ['to_bin', undefined, 20, 20, 20],
      ],
    )
    assert.deepEqual(data[0].flightIds, ids)
    assert.equal(data[1].undoneBy.length, 20)
    assert.deepEqual(userText, ['data[].message'])
    const [{ text }] = content
    assert.equal(text.match(/Changed since/g).length, 1)
    assert.match(
      text,
      /^100 flights: \d+ \(2026-02-20 CPH–JFK\), .*, 80 more: Changed since, by you through /m,
    )
    assert.ok(text.length < 2000 && JSON.stringify(structuredContent).length < 3000, text)
  })

  test('the time in list_changes can be used for undo since', async () => {
    const key = await (await app().person()).key()
    const first = await log(app(), key)
    app().clock.advance(10)
    const second = await log(app(), key)
    const { structuredContent } = await callTool(app(), key, 'list_changes', { limit: 1 })
    const { at } = structuredContent.data[0]
    assert.match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const { data } = await undo(app(), key, { since: at })
    assert.deepEqual(
      data.map(({ flightId }: Any) => flightId),
      [second.id],
    )
    await read(app(), key, first.id)
  })

  test('undo refuses a result that is not a valid flight', async () => {
    const ada = await app().person()
    const [key, other] = [await ada.key(), await ada.key()]
    const at = (time: string) => `2026-02-20T${time}:00+01:00`
    const { id } = await log(app(), key, { departure: at('10:00') })
    await patch(app(), key, id, { departure: at('06:00') })
    const { changeId } = await newest(app(), key)
    await patch(app(), other, id, { note: 'x', arrivalScheduled: null, arrival: '2026-02-20T03:30:00-05:00' })
    const reply = await undo(app(), key, { changeId })
    assert.deepEqual([reply.data[0].action, reply.data[0].reason], ['left', 'no_longer_fits'])
    assert.equal((await read(app(), key, id)).departure, at('06:00'))
  })

  test('undo is limited to changes of the same key; the web app undoes everything by the person', async () => {
    const { ada, ben, key, bens } = await pair(app())
    const other = await ada.key()
    const flight = await log(app(), key, { passengers: [{ userId: ada.id }, { userId: ben.id }] })
    await patch(app(), key, flight.id, { note: 'by key' })
    const byKey = await newest(app(), key)
    for (const stranger of [other, bens]) {
      const reply = await undo(app(), stranger, { changeId: byKey.changeId })
      assert.deepEqual([actionsOf(reply), reply.data[0].reason], [['left'], 'not_by_this'])
    }
    assert.equal((await changes(app(), other))[0].canUndo, false)
    await patch(app(), bens, flight.id, { departureGate: 'by Ben' })
    const byBen = await newest(app(), bens)
    const cookie = await ada.session()
    const shown = (await web(app(), 'GET', '/history', cookie)).data
    assert.deepEqual(
      shown.slice(0, 2).map(({ canUndo }: Any) => canUndo),
      [true, true],
    )
    for (const { changeId } of [byKey, byBen])
      assert.deepEqual(actionsOf(await web(app(), 'POST', '/history/undo', cookie, { changeId })), [
        'put_back',
      ])
    assert.deepEqual(content(await read(app(), key, flight.id)), content(flight))
    await patch(app(), bens, flight.id, { note: 'again by Ben' })
    const since = new Date(app().clock.now()).toISOString()
    await patch(app(), other, flight.id, { departureGate: 'by Ada' })
    app().clock.advance(1000)
    await patch(app(), other, flight.id, { arrivalGate: 'by Ada' })
    const all = await web(app(), 'POST', '/history/undo', cookie, { since })
    assert.ok(all.data.every(({ changeId }: Any) => changeId !== byBen.changeId))
    assert.equal((await read(app(), key, flight.id)).note, 'again by Ben')
  })

  test('undo needs the scopes of its effect, and a key that may create may undo that', async () => {
    const ada = await app().person()
    const scopes = (...more: Scope[]) => ada.key(['flight.read.own', ...more])
    const full = await ada.key()
    const creating = await scopes('flight.create.own')
    const { id } = await log(app(), creating)
    const { changeId } = await newest(app(), creating)
    const reading = await scopes()
    const refused = await app().request('POST', '/api/v1/history/undo', { key: reading, body: { changeId } })
    assertError(refused, 403, 'insufficient_scope')
    assert.deepEqual(actionsOf(await undo(app(), creating, { changeId })), ['to_bin'])
    const back = await newest(app(), creating)
    const toRestore = { key: creating, body: { changeId: back.changeId } }
    assertError(await app().request('POST', '/api/v1/history/undo', toRestore), 403, 'insufficient_scope')
    const kept = await undo(app(), creating, { since: '2026-01-01T00:00:00Z' })
    assert.deepEqual(kept.data, [])
    assert.equal((await app().request('GET', `${path}/${id}`, { key: full })).status, 404)
  })

  test('undo refuses contradictory requests', async () => {
    const key = await (await app().person()).key()
    const bodies = [
      {},
      { changeId: 1, since: '2026-01-01T00:00:00Z' },
      { changeId: 0 },
      { since: 'now' },
      { change: 1 },
    ]
    for (const body of bodies) {
      const reply = await app().request('POST', '/api/v1/history/undo', { key, body })
      assertError(reply, 422, 'validation_failed')
    }
    assertError(
      await app().request('POST', '/api/v1/history/undo?x=1', { key, body: { changeId: 1 } }),
      404,
      'not_found',
    )
  })

  test('undo restores a flight exactly', async () => {
    const { ada, ben, key } = await pair(app())
    const field = (entityType: string, name: string) =>
      app().request('POST', '/app/api/custom-fields', {
        cookie: adasSession,
        body: { entityType, key: name, label: name, fieldType: 'text' },
      })
    const adasSession = await ada.session()
    await field('flight', 'meal')
    await field('flight_passenger', 'miles')
    const flight = await log(app(), key, {
      date: '2026-02-01',
      datePrecision: 'month',
      note: 'before',
      customFields: { meal: 'fish' },
      externalIds: { app: 'x1', other: 'o1' },
      track: track('one.gpx'),
      price: { amount: '120.00', currency: 'EUR' },
      passengers: [
        { userId: ada.id, seatNumber: '12A', seat: 'window', customFields: { miles: '400' } },
        { userId: ben.id, seatNumber: '12B' },
        { guestName: 'Cy' },
      ],
    })
    const trackBefore = await send(app(), 'GET', `${path}/${flight.id}/track`, key)
    const [fromId, toId] = await airportIds(app(), 'ARN', 'EWR')
    app().clock.advance(1000)
    await send(app(), 'PUT', `${path}/${flight.id}`, key, {
      date: '2026-03-01',
      fromId,
      toId,
      note: null,
      price: null,
      externalIds: { app: 'x2' },
      customFields: { meal: null },
      track: track('two.gpx'),
      passengers: [{ userId: ada.id, seatNumber: '1A' }, { guestName: 'Dee' }],
    })
    const { changed } = await newest(app(), key)
    assert.deepEqual(changed.date, ['2026-02', '2026-03-01'])
    assert.deepEqual(changed.from, ['CPH', 'ARN'])
    assert.deepEqual(changed.customFields, [{ meal: 'fish' }, { meal: null }])
    assert.deepEqual(changed.people, [
      [{ name: ben.displayName, seatNumber: '12B' }, { name: 'Cy' }],
      [{ name: 'Dee' }],
    ])
    await undo(app(), key, { changeId: (await newest(app(), key)).changeId })
    assert.deepEqual(content(await read(app(), key, flight.id)), content(flight))
    assert.deepEqual(await send(app(), 'GET', `${path}/${flight.id}/track`, key), trackBefore)
    const standings = await app().store.read.query(
      `select user_id, added_by, kept_at from flight_passenger where flight_id = ${flight.id} order by id`,
      [],
    )
    assert.deepEqual(
      standings.map((row) => row['added_by']),
      [null, ada.id, null],
    )
    // Also the track and the passengers through their own paths.
    app().clock.advance(1000)
    await send(app(), 'DELETE', `${path}/${flight.id}/track`, key)
    await undo(app(), key, { changeId: (await newest(app(), key)).changeId })
    await send(app(), 'PUT', `${path}/${flight.id}/track`, key, track('three.gpx'))
    assert.deepEqual((await newest(app(), key)).changed, { track: [2, 2] })
    await undo(app(), key, { changeId: (await newest(app(), key)).changeId })
    assert.deepEqual(content(await read(app(), key, flight.id)), content(flight))
    assert.deepEqual(await send(app(), 'GET', `${path}/${flight.id}/track`, key), trackBefore)
  })

  test('undo restores passengers who swapped seats and names', async () => {
    const key = await (await app().person()).key()
    const flight = await log(app(), key)
    const [mine] = flight.passengers
    const me = { id: mine.id, userId: mine.user.id }
    const two = await patch(app(), key, flight.id, {
      passengers: [me, { guestName: 'Bo' }, { guestName: 'Cy' }],
    })
    const [, bo, cy] = two.passengers
    await patch(app(), key, flight.id, {
      passengers: [me, { id: bo.id, guestName: 'Cy' }, { id: cy.id, guestName: 'Bo' }],
    })
    await undo(app(), key, { changeId: (await newest(app(), key)).changeId })
    assert.deepEqual(content(await read(app(), key, flight.id)), content(two))
  })

  test('undo adds no one to a flight that they left, and removes no one who kept it', async () => {
    const { ada, ben, key, bens } = await pair(app())
    const flight = await log(app(), key)
    const me = { id: flight.passengers[0].id, userId: ada.id }
    await patch(app(), key, flight.id, { passengers: [me, { userId: ben.id }] })
    const joined = await newest(app(), key)
    const bensSession = await ben.session()
    const notice = async () => (await web(app(), 'GET', '/notices', bensSession)).data[0]
    await web(app(), 'POST', `/notices/${(await notice()).id}/keep`, bensSession)
    const kept = await undo(app(), key, { changeId: joined.changeId })
    assert.deepEqual([actionsOf(kept), kept.data[0].reason], [['left'], 'changed_since'])
    assert.equal((await read(app(), key, flight.id)).passengers.length, 2)
    await web(app(), 'POST', `/notices/${(await notice()).id}/leave`, bensSession)
    const left = (await historyOf(app(), key, flight.id))[0]
    assert.deepEqual([left.by.userId, left.canUndo], [ben.id, false])
    assert.deepEqual(left.changed, { people: [[{ name: ben.displayName }], []] })
    const cookie = await ada.session()
    const refused = await web(app(), 'POST', '/history/undo', cookie, { changeId: left.changeId })
    assert.deepEqual(actionsOf(refused), ['left'])
    // Ben himself may return.
    const back = await web(app(), 'POST', '/history/undo', bensSession, { changeId: left.changeId })
    assert.deepEqual(actionsOf(back), ['put_back'])
    assert.equal((await read(app(), bens, flight.id)).passengers.length, 2)
  })

  test('undo of an earlier leaving does not return a person who was removed later', async () => {
    const { ada, ben, key, bens } = await pair(app())
    const flight = await log(app(), key, { passengers: [{ userId: ada.id }, { userId: ben.id }] })
    const { id } = flight
    const [mine, his] = flight.passengers
    const me = { id: mine.id, userId: ada.id }
    await web(app(), 'PATCH', `/flights/${id}`, await ben.session(), { passengers: { [his.id]: null } })
    await patch(app(), key, id, { passengers: [me, { userId: ben.id }] })
    await patch(app(), key, id, { passengers: [me], note: 'not for Ben' })
    const [departure] = await changes(app(), bens, '?by=me')
    const refused = await web(app(), 'POST', '/history/undo', await ben.session(), {
      changeId: departure.changeId,
    })
    assert.deepEqual([actionsOf(refused), refused.data[0].reason], [['left'], 'changed_since'])
    assert.ok(refused.data[0].message.includes(ada.displayName))
    assert.equal((await app().request('GET', `${path}/${id}`, { key: bens })).status, 404)
  })

  test('undo of leaving does not return a person whom another added and removed by an undo', async () => {
    const { ada, ben, key, bens } = await pair(app())
    const flight = await log(app(), key, { passengers: [{ userId: ada.id }, { userId: ben.id }] })
    const { id } = flight
    const [mine, his] = flight.passengers
    await patch(app(), bens, id, { passengers: { [his.id]: null } })
    const [departure] = await changes(app(), bens, '?by=me')
    await patch(app(), key, id, { passengers: [{ id: mine.id, userId: ada.id }, { userId: ben.id }] })
    await undo(app(), key, { changeId: (await newest(app(), key)).changeId })
    const refused = await undo(app(), bens, { changeId: departure.changeId })
    assert.deepEqual([actionsOf(refused), refused.data[0].reason], [['left'], 'changed_since'])
  })

  test('undo adds no one to a flight left after being removed and added again', async () => {
    const { ada, ben, key, bens } = await pair(app())
    const flight = await log(app(), key, { passengers: [{ userId: ada.id }, { userId: ben.id }] })
    const { id } = flight
    const me = { id: flight.passengers[0].id, userId: ada.id }
    await patch(app(), key, id, { passengers: [me] })
    const removal = await newest(app(), key)
    const again = await patch(app(), key, id, { passengers: [me, { userId: ben.id }] })
    await patch(app(), bens, id, { passengers: { [again.passengers[1].id]: null } })
    const refused = await undo(app(), key, { changeId: removal.changeId })
    assert.deepEqual([actionsOf(refused), refused.data[0].reason], [['left'], 'changed_since'])
    assert.ok(refused.data[0].message.includes(ben.displayName))
    assert.equal((await read(app(), key, id)).passengers.length, 1)
    // A guest likewise: another person removed them since.
    const guests = await patch(app(), key, id, { passengers: [me, { userId: ben.id }, { guestName: 'Cy' }] })
    const [, bensPlace, cy] = guests.passengers
    const both = [me, { id: bensPlace.id, userId: ben.id }]
    await patch(app(), key, id, { passengers: both })
    const cysRemoval = await newest(app(), key)
    const withCy = await patch(app(), bens, id, { passengers: [...both, { guestName: 'Cy' }] })
    assert.notEqual(withCy.passengers[2].id, cy.id)
    await patch(app(), bens, id, { passengers: both })
    const left = await undo(app(), key, { changeId: cysRemoval.changeId })
    assert.equal(left.data[0].reason, 'changed_since')
  })

  test('undo reverses one key’s changes to a passenger step by step', async () => {
    const { ada, ben, key } = await pair(app())
    const flight = await log(app(), key, { passengers: [{ userId: ada.id }, { userId: ben.id }] })
    const me = { id: flight.passengers[0].id, userId: ada.id }
    app().clock.advance(1000)
    const since = new Date(app().clock.now()).toISOString()
    await patch(app(), key, flight.id, { passengers: [me] })
    await patch(app(), key, flight.id, { passengers: [me, { userId: ben.id }] })
    await patch(app(), key, flight.id, { passengers: [me] })
    assert.deepEqual(actionsOf(await undo(app(), key, { since })), ['put_back', 'put_back', 'put_back'])
    assert.deepEqual(content(await read(app(), key, flight.id)), content(flight))
  })

  test('a person who became a guest counts as having left', async () => {
    const { ada, ben, key, bens } = await pair(app())
    const flight = await log(app(), key, { passengers: [{ userId: ada.id }, { userId: ben.id }] })
    const [mine, his] = flight.passengers
    await patch(app(), bens, flight.id, {
      passengers: [
        { id: mine.id, userId: ada.id },
        { id: his.id, guestName: 'B.' },
      ],
    })
    const left = (await historyOf(app(), key, flight.id))[0]
    assert.deepEqual([left.by.userId, left.canUndo], [ben.id, false])
    const { changeId } = left
    const refused = await web(app(), 'POST', '/history/undo', await ada.session(), { changeId })
    assert.deepEqual(actionsOf(refused), ['left'])
    // Ben himself may return.
    assert.deepEqual(actionsOf(await undo(app(), bens, { changeId })), ['put_back'])
    assert.deepEqual(content(await read(app(), key, flight.id)), content(flight))
  })

  test('only the owner of external ids changes them by undo', async () => {
    const { ada, ben, key, bens } = await pair(app())
    const passengers = [{ userId: ada.id }, { userId: ben.id }]
    const { id } = await log(app(), key, { passengers, externalIds: { app: 'A' } })
    const bensSession = await ben.session()
    await patch(app(), key, id, { externalIds: { app: 'B' }, note: 'n' })
    const both = await newest(app(), key)
    await patch(app(), key, id, { externalIds: { app: 'C' } })
    const only = await newest(app(), key)
    // Ben cannot see anything of the second flight.
    const entries = await historyOf(app(), bens, id)
    assert.deepEqual(
      entries.map(({ changeId }) => changeId).filter((changeId) => changeId === only.changeId),
      [],
    )
    assert.deepEqual((await changes(app(), bens, '?limit=1'))[0].changeId, both.changeId)
    const refused = await app().request('POST', '/app/api/history/undo', {
      cookie: bensSession,
      body: { changeId: only.changeId },
    })
    assertError(refused, 404, 'not_found')
    // On the first flight he undoes what everyone may change.
    const back = await web(app(), 'POST', '/history/undo', bensSession, { changeId: both.changeId })
    assert.deepEqual(actionsOf(back), ['put_back'])
    const { note, externalIds } = await read(app(), key, id)
    assert.deepEqual([note, externalIds], [null, { app: 'C' }])
  })

  test('undo returns a person with their external ids', async () => {
    const { ada, ben, key, bens } = await pair(app())
    const flight = await log(app(), key, { passengers: [{ userId: ada.id }, { userId: ben.id }] })
    await patch(app(), bens, flight.id, { externalIds: { app: 'bens' } })
    const me = { id: flight.passengers[0].id, userId: ada.id }
    await patch(app(), key, flight.id, { passengers: [me] })
    const { changeId } = await newest(app(), key)
    assert.deepEqual(actionsOf(await undo(app(), key, { changeId })), ['put_back'])
    assert.deepEqual((await read(app(), bens, flight.id)).externalIds, { app: 'bens' })
  })

  test('undo beyond the limit of a call reports more, whatever was undone before', async () => {
    const key = await (await app().person()).key()
    const since = new Date(app().clock.now()).toISOString()
    const first = await log(app(), key)
    await log(app(), key)
    await undo(app(), key, { changeId: (await newest(app(), key)).changeId })
    const [fromId, toId] = await airportIds(app(), 'CPH', 'JFK')
    const create = { op: 'create', flight: { date: '2026-02-20', fromId, toId } }
    await send(app(), 'POST', `${path}/bulk`, key, { operations: Array(500).fill(create) })
    const { summary, data } = await undo(app(), key, { since })
    const next = data.at(-1).changeId
    assert.deepEqual(summary, { undone: 500, left: 0, hasMore: true, next })
    const rest = await undo(app(), key, { since, before: next })
    assert.deepEqual(rest.summary, { undone: 1, left: 0, hasMore: false })
    assert.equal((await app().request('GET', `${path}/${first.id}`, { key })).status, 404)
  })

  test('undo continues below a change, past the changes that it kept', async () => {
    const ada = await app().person()
    const [key, other] = [await ada.key(), await ada.key()]
    const since = new Date(app().clock.now()).toISOString()
    const first = await log(app(), key)
    const second = await log(app(), key)
    await patch(app(), other, second.id, { note: 'of another key' })
    const { changeId } = (await changes(app(), key, '?by=thisKey'))[0]
    assert.deepEqual(actionsOf(await undo(app(), key, { since, dryRun: true })), ['left', 'to_bin'])
    const rest = await undo(app(), key, { since, before: changeId })
    assert.deepEqual(
      rest.data.map(({ flightId }: Any) => flightId),
      [first.id],
    )
    const [{ message }] = (await undo(app(), key, { changeId })).data
    assert.match(message, /^Changed since, by you through “test” \(change \d+\)\.$/)
    const body = { changeId, before: 5 }
    const refused = await app().request('POST', '/api/v1/history/undo', { key, body })
    assertError(refused, 422, 'validation_failed')
  })

  test('a value that another person wrote again is theirs', async () => {
    const { ada, ben, key, bens } = await pair(app())
    const passengers = [{ userId: ada.id }, { userId: ben.id }]
    const { id } = await log(app(), key, { passengers, note: 'a' })
    await patch(app(), key, id, { note: 'b' })
    const { changeId } = await newest(app(), key)
    await patch(app(), bens, id, { note: 'c' })
    await patch(app(), bens, id, { note: 'b' })
    await patch(app(), key, id, { departureGate: 'C3' })
    const left = await undo(app(), key, { changeId })
    assert.deepEqual([actionsOf(left), left.data[0].reason], [['left'], 'changed_since'])
    assert.match(left.data[0].message, /^Changed since: note, by /)
    assert.ok(left.data[0].message.includes(ben.displayName))
    assert.ok(!left.data[0].message.includes('you'))
    // A value that the same key wrote again is its own.
    await patch(app(), key, id, { departureGate: 'C4' })
    await patch(app(), key, id, { departureGate: 'C3' })
    const gate = (await changes(app(), key, '?by=thisKey'))[2]
    assert.deepEqual(gate.changed, { departureGate: [null, 'C3'] })
    assert.deepEqual(actionsOf(await undo(app(), key, { changeId: gate.changeId })), ['put_back'])
  })

  test('undo for a flight no longer visible reveals nothing more', async () => {
    const { ada, ben, key, bens } = await pair(app())
    const since = new Date(app().clock.now()).toISOString()
    const flight = await log(app(), key, { passengers: [{ userId: ada.id }, { userId: ben.id }] })
    const [mine, his] = flight.passengers
    await patch(app(), bens, flight.id, { note: 'by Ben' })
    await patch(app(), bens, flight.id, { passengers: { [his.id]: { seatNumber: '2B' } } })
    await patch(app(), key, flight.id, { passengers: [{ id: mine.id, userId: ada.id }] })
    const entries = await changes(app(), bens)
    assert.deepEqual(
      entries.map(({ canUndo }) => canUndo),
      [false, false],
    )
    const { data } = await undo(app(), bens, { since })
    const message = 'The flight is no longer in your log.'
    assert.deepEqual(
      data,
      entries.map(({ changeId }) => ({
        changeId,
        flightId: flight.id,
        flight: { id: flight.id, date: null, from: null, to: null, flightNumber: null },
        action: 'left',
        reason: 'not_in_log',
        message,
      })),
    )
    const single = await undo(app(), bens, { changeId: entries[0].changeId })
    assert.deepEqual(single.data, data.slice(0, 1))
  })

  test('a person who may only see all flights undoes their own changes', async () => {
    const [ada, owner] = [await app().person(), await app().person('role-administrator')]
    const { id } = await log(app(), await ada.key(), { note: 'one' })
    const cookie = await owner.session()
    const shown = async () => (await web(app(), 'GET', `/flights/${id}/history`, cookie)).data
    assert.equal((await shown())[0].canUndo, false)
    await web(app(), 'PATCH', `/flights/${id}`, cookie, { note: 'two' })
    const [entry] = await shown()
    assert.equal(entry.canUndo, true)
    assert.equal((await web(app(), 'GET', '/history', cookie)).data[0].canUndo, true)
    const back = await web(app(), 'POST', '/history/undo', cookie, { changeId: entry.changeId })
    assert.deepEqual(actionsOf(back), ['put_back'])
  })

  test('undo keeps an added flight that another person has kept since', async () => {
    const { ada, ben, key } = await pair(app())
    await log(app(), key, { passengers: [{ userId: ada.id }, { userId: ben.id }] })
    const { changeId } = await newest(app(), key)
    const bensSession = await ben.session()
    const [notice] = (await web(app(), 'GET', '/notices', bensSession)).data
    app().clock.advance(1000)
    await web(app(), 'POST', `/notices/${notice.id}/keep`, bensSession)
    assert.equal((await undo(app(), key, { changeId })).data[0].reason, 'changed_since')
  })

  test('undo does not restore an external id that another flight has by now', async () => {
    const key = await (await app().person()).key()
    const { id } = await log(app(), key, { externalIds: { app: 'x1' } })
    await patch(app(), key, id, { externalIds: { app: null }, note: 'n' })
    const { changeId } = await newest(app(), key)
    const other = await log(app(), key, { externalIds: { app: 'x1' } })
    assert.deepEqual(actionsOf(await undo(app(), key, { changeId })), ['put_back'])
    const [flight, holder] = [await read(app(), key, id), await read(app(), key, other.id)]
    assert.deepEqual([flight.note, flight.externalIds, holder.externalIds], [null, {}, { app: 'x1' }])
  })

  test('undo is an ordinary change for the feed, the versions and webhooks', async () => {
    const key = await (await app().person()).key()
    const { id } = await log(app(), key)
    const receiver = await startReceiver()
    receiver.respond = withStatus(204)
    await createHook(app(), key, { url: receiver.url })
    const told = async () => {
      await createTestDeliveries(app()).deliverDue()
      return receiver.take().map(({ json }) => [json.type, json.data.id, json.data.version])
    }
    await patch(app(), key, id, { note: 'x' })
    const { changeId } = await newest(app(), key)
    const { sync } = (await app().request('GET', '/api/v1/changes', { key })).json
    await undo(app(), key, { changeId })
    const feed = (await app().request('GET', `/api/v1/changes?since=${sync.token}`, { key })).json
    assert.deepEqual([feed.data.length, feed.data[0].version, feed.data[0].flight.note], [1, 3, null])
    assert.deepEqual(await told(), [['flight.updated', id, 3]])
    await remove(app(), key, id)
    assert.deepEqual(await told(), [['flight.removed', id, 4]])
    await undo(app(), key, { changeId: (await newest(app(), key)).changeId })
    assert.deepEqual(
      (await told()).map(([type]) => type),
      ['flight.created'],
    )
    await receiver.close()
  })
})

onBothEngines('history of every interface', (app) => {
  test('history has the changes of legacy, MCP, bulk and the web app', async () => {
    const ada = await app().person()
    const [key, cookie] = [await ada.key(), await ada.session()]
    const { id } = await log(app(), key, { note: 'one' })
    const legacy = await app().request('POST', '/api/flight/save', {
      key,
      body: { id, from: 'CPH', to: 'JFK', departure: '2026-02-20', note: 'two', seats: [{ userId: ada.id }] },
    })
    assert.equal(legacy.json.success, true, legacy.text)
    assert.deepEqual((await newest(app(), key)).changed.note, ['one', 'two'])
    const operations = [
      { op: 'patch', id, flight: { note: 'three' } },
      { op: 'patch', id, flight: { departureGate: 'C3' } },
    ]
    await send(app(), 'POST', `${path}/bulk`, key, { operations })
    const together = await newest(app(), key)
    assert.deepEqual(
      [together.changed.note, together.changed.departureGate],
      [
        ['two', 'three'],
        [null, 'C3'],
      ],
    )
    await web(app(), 'POST', '/flight-deletions', cookie, { ids: [id] })
    assert.deepEqual([(await newest(app(), key)).kind, (await newest(app(), key)).by.via], ['deleted', 'web'])
    await web(app(), 'POST', '/flight-restorations', cookie, { ids: [id] })
    const listed = (await callTool(app(), key, 'list_changes', { by: 'thisKey' })).structuredContent
    assert.deepEqual(kindsOf(listed.data), ['changed', 'changed', 'added'])
    const dry = await callTool(app(), key, 'undo', { changeId: together.changeId, dryRun: true })
    assert.match(dry.content[0].text, /^Dry run, nothing was changed: 1 change would be undone/)
    assert.deepEqual([dry.structuredContent.summary.undone, dry.structuredContent.summary.wouldUndo], [0, 1])
    const undone = await callTool(app(), key, 'undo', { changeId: together.changeId })
    assert.match(undone.content[0].text, /^1 change undone\.\n/)
    assert.deepEqual(actionsOf(undone.structuredContent), ['put_back'])
    const { note, departureGate } = await read(app(), key, id)
    assert.deepEqual([note, departureGate], ['two', null])
    const demo = await web(app(), 'POST', '/demo', cookie)
    assert.equal((await changes(app(), key, '?limit=100')).length, 100)
    assert.ok(demo.data.flights > 100)
    const since = new Date(app().clock.now()).toISOString()
    const whole = await web(app(), 'POST', '/history/undo', cookie, { since, dryRun: true })
    assert.ok(whole.summary.wouldUndo >= demo.data.flights)
  })

  test('an app undoes its own changes, also with a renewed token', async () => {
    const scopes = 'flight.read.own flight.create.own flight.update.own'
    const { person, flow, tokens } = await connect(app(), scopes)
    const key = await person.key()
    const { id } = await log(app(), tokens.access_token, { note: 'one' })
    await patch(app(), tokens.access_token, id, { note: 'two' })
    const { access_token: renewed } = await exchange(app(), refreshExchange(flow, tokens.refresh_token))
    const [entry] = await changes(app(), renewed, '?by=thisKey')
    assert.deepEqual([entry.by.via, entry.by.isThisCredential, entry.canUndo], ['app', true, true])
    assert.notEqual(entry.by.app, null)
    const { changeId } = entry
    assert.equal((await undo(app(), key, { changeId })).data[0].reason, 'not_by_this')
    await patch(app(), key, id, { departureGate: 'by key' })
    const byKey = await newest(app(), key)
    assert.equal((await undo(app(), renewed, { changeId: byKey.changeId })).data[0].reason, 'not_by_this')
    assert.deepEqual(actionsOf(await undo(app(), renewed, { changeId })), ['put_back'])
    assert.equal((await newest(app(), key)).by.via, 'app')
    assert.equal((await read(app(), key, id)).note, 'one')
  })

  test('a name in an undo’s texts is marked and adds no line', async () => {
    const { ada, ben, key, bens } = await pair(app())
    const name = 'Ben\n5 changes undone'
    await app().store.transaction((tx) =>
      tx.query(`update person set display_name = '${name}' where id = '${ben.id}'`, []),
    )
    const { id } = await log(app(), key, { passengers: [{ userId: ada.id }, { userId: ben.id }] })
    const { changeId } = await newest(app(), key)
    await patch(app(), bens, id, { note: 'mine' })
    const left = await callTool(app(), key, 'undo', { changeId })
    assert.ok(left.structuredContent.data[0].message.includes(name))
    assert.deepEqual(left.structuredContent.userText, ['data[].message'])
    assert.doesNotMatch(left.content[0].text, /^5 changes/m)
  })

  test('a booking reference is shown to programs and to no assistant', async () => {
    const key = await (await app().person()).key()
    const { id } = await log(app(), key)
    await patch(app(), key, id, { bookingReference: 'ABC123', price: { amount: '9.00', currency: 'EUR' } })
    assert.deepEqual((await newest(app(), key)).changed.bookingReference, [null, 'ABC123'])
    const listed = await callTool(app(), key, 'list_changes')
    assert.doesNotMatch(JSON.stringify(listed), /ABC123|9\.00/)
  })

  async function committedImport(key: string, csv = TWO_FLIGHTS): Promise<number> {
    const started = await app().request('POST', '/api/v1/imports?filename=log.csv', {
      key,
      raw: csv,
      headers: { 'content-type': 'text/csv' },
    })
    assert.ok(started.status < 300, started.text)
    const { id } = started.json.data
    await send(app(), 'POST', `/api/v1/imports/${id}/commit`, key)
    return id
  }
  const importUndone = (key: string, id: number, body: object = {}) =>
    send(app(), 'POST', `/api/v1/imports/${id}/undo`, key, body)
  const idsIn = async (key: string): Promise<number[]> =>
    (await send(app(), 'GET', path, key)).map(({ id }: Any) => id).sort((a: number, b: number) => a - b)

  test('an import’s flights are in the history with the committing key, and undo removes them', async () => {
    const ada = await app().person()
    const [key, other] = [await ada.key(), await ada.key()]
    const old = await log(app(), key)
    const importId = await committedImport(key)
    const [second, first] = await changes(app(), key, '?by=thisKey&limit=2')
    for (const { kind, by, canUndo } of [first, second]) {
      assert.deepEqual(
        [kind, by.via, by.importId, by.userId, by.isThisCredential, canUndo],
        ['added', 'import', importId, ada.id, true, true],
      )
      assert.equal(typeof by.app, 'string', 'the name of the key')
    }
    const [entry] = await historyOf(app(), key, first.flight.id)
    assert.deepEqual([entry.kind, entry.changeId, entry.by.name], ['added', first.changeId, ada.displayName])
    const [seen] = await changes(app(), other, '?limit=1')
    assert.deepEqual([seen.by.isThisCredential, seen.canUndo, seen.by.app], [false, false, second.by.app])
    assert.deepEqual(await changes(app(), other, '?by=thisKey'), [])
    assert.deepEqual(actionsOf(await undo(app(), key, { changeId: first.changeId })), ['to_bin'])
    assert.deepEqual(await idsIn(key), [old.id, second.flight.id])
    assert.equal((await importUndone(key, importId)).committed.created, 1, 'the other one stays in the bin')
    assert.deepEqual(await idsIn(key), [old.id])
    const [binned] = await changes(app(), key, '?by=thisKey&limit=1')
    assert.deepEqual([binned.kind, binned.by.via, binned.by.importId], ['deleted', 'import', importId])
    const [, added] = await historyOfBinned(second.flight.id, key)
    assert.equal(added.undoneBy, binned.changeId)
  })

  const historyOfBinned = async (flightId: number, key: string) =>
    (await changes(app(), key, '?limit=100')).filter(({ flight }: Any) => flight.id === flightId)

  test('undo since a time includes imports, and skips what their own undo reversed', async () => {
    const key = await (await app().person()).key()
    const since = new Date(app().clock.now()).toISOString()
    const importId = await committedImport(key)
    const flights = await idsIn(key)
    const reply = await undo(app(), key, { since })
    assert.deepEqual([reply.summary.undone, reply.summary.left, reply.imports], [2, 0, []])
    assert.deepEqual(await idsIn(key), [])
    for (const item of reply.data) await undo(app(), key, { changeId: item.undoneBy })
    assert.deepEqual(await idsIn(key), flights)
    const kept = await importUndone(key, importId)
    assert.equal(kept.edited.length, 2, 'they were restored manually')
    await importUndone(key, importId, { includeEdited: true })
    assert.deepEqual(await idsIn(key), [])
    assert.equal((await undo(app(), key, { since })).summary.undone, 0, 'everything was undone')
    await send(app(), 'POST', `/api/v1/imports/${importId}/commit`, key)
    assert.deepEqual(await idsIn(key), flights, 'the same flights')
    const again = await undo(app(), key, { since })
    assert.deepEqual([again.summary.undone, again.summary.left], [2, 0])
    assert.deepEqual(await idsIn(key), [])
  })

  test('an import-only key undoes its additions, another key cannot', async () => {
    const ada = await app().person()
    const key = await ada.key(['flight.import.own', 'flight.read.own', 'reference_data.read'])
    await committedImport(key)
    const [entry] = await changes(app(), key)
    const other = await ada.key()
    const foreign = await undo(app(), other, { changeId: entry.changeId })
    assert.deepEqual(foreign.data[0].reason, 'not_by_this')
    assert.deepEqual(actionsOf(await undo(app(), key, { changeId: entry.changeId })), ['to_bin'])
    assert.equal((await idsIn(key)).length, 1)
  })

  test('undo of an import’s update restores the whole flight with its ids', async () => {
    const key = await (await app().person()).key()
    const json = (note: string | null) =>
      JSON.stringify({
        source: 'drafts',
        drafts: [{ date: '2026-01-05', from: 'CPH', to: 'ARN', flightNumber: 'SK1419', note }],
      })
    await committedImport(key, 'Date,From,To,Flight\n2026-01-05,CPH,ARN,SK1419\n')
    const [id] = await idsIn(key)
    const started = await send(app(), 'POST', '/api/v1/imports', key, {
      ...JSON.parse(json('by the sea')),
      options: { duplicates: 'update' },
    })
    await send(app(), 'POST', `/api/v1/imports/${started.id}/commit`, key)
    const [entry] = await changes(app(), key)
    assert.deepEqual(
      [entry.kind, entry.by.via, entry.changed.note],
      ['changed', 'import', [null, 'by the sea']],
    )
    assert.deepEqual(actionsOf(await undo(app(), key, { changeId: entry.changeId })), ['put_back'])
    assert.equal((await read(app(), key, id!)).note, null)
    await importUndone(key, started.id, { includeEdited: true })
    assert.equal((await read(app(), key, id!)).note, null)
  })

  test('if one call cannot undo an import, the response names the request that can', async () => {
    const key = await (await app().person()).key()
    const since = new Date(app().clock.now()).toISOString()
    const day = (n: number) => new Date(Date.UTC(2020, 0, 1 + n)).toISOString().slice(0, 10)
    const rows = Array.from({ length: 502 }, (_, i) => `${day(i)},CPH,ARN,SK${1000 + i}`)
    const importId = await committedImport(key, `Date,From,To,Flight\n${rows.join('\n')}\n`)
    const dry = await undo(app(), key, { since, dryRun: true })
    assert.equal(dry.summary.hasMore, true)
    assert.deepEqual(dry.imports, [{ importId, filename: 'log.csv', flights: 502 }])
  })

  test('nothing of a deleted account is in the history of others', async () => {
    const { ada, ben, key, bens } = await pair(app())
    const flight = await log(app(), key, {
      passengers: [{ userId: ada.id }, { userId: ben.id, seatNumber: '7C' }],
    })
    await patch(app(), bens, flight.id, { externalIds: { app: 'bens-id' }, note: 'by Ben' })
    const [mine, his] = flight.passengers
    const seat = (seatNumber: string) => [
      { id: mine.id, userId: ada.id },
      { id: his.id, userId: ben.id, seatNumber },
    ]
    await patch(app(), bens, flight.id, { passengers: seat('7D') })
    const alone = await log(app(), bens, { note: 'Ben alone' })
    await patch(app(), bens, alone.id, { note: 'gone' })
    await remove(app(), bens, (await log(app(), bens)).id)
    const gone = await app().request('DELETE', `/app/api/users/${ben.id}`, { cookie: await ada.session() })
    assert.ok(gone.status < 300, gone.text)
    const rows = await app().store.read.query('select * from flight_history', [])
    const own = rows.filter((row) => row['flight_id'] === flight.id)
    assert.equal(own.length, 3)
    const text = JSON.stringify(rows)
    for (const trace of [ben.id, ben.displayName, 'bens-id', '7D', 'Ben alone'])
      assert.ok(!text.includes(trace), trace)
    const shown = await historyOf(app(), key, flight.id)
    assert.deepEqual(
      shown.map(({ by }) => by.name),
      [null, ada.displayName],
    )
    assert.deepEqual(shown[0].changed, { note: [null, 'by Ben'] })
  })

  test('a deleted author of an addition is not named and blocks no undo', async () => {
    const { ada, ben, key, bens } = await pair(app())
    const cy = await app().person()
    const flight = await log(app(), bens, { passengers: [{ userId: ben.id }, { userId: ada.id }] })
    const adasSession = await ada.session()
    const [notice] = (await web(app(), 'GET', '/notices', adasSession)).data
    await web(app(), 'POST', `/notices/${notice.id}/keep`, adasSession)
    const mine = flight.passengers.find(({ user }: Any) => user.id === ada.id)
    await patch(app(), key, flight.id, { passengers: { [mine.id]: { seatNumber: '9A' } } })
    const { changeId } = await newest(app(), key)
    const gone = await app().request('DELETE', `/app/api/users/${ben.id}`, { cookie: adasSession })
    assert.ok(gone.status < 300, gone.text)
    const rows = await app().store.read.query('select * from flight_history', [])
    assert.ok(!JSON.stringify(rows).includes(ben.id))
    assert.deepEqual(actionsOf(await undo(app(), key, { changeId })), ['put_back'])
    assert.equal((await read(app(), key, flight.id)).passengers[0].seatNumber, null)
    assert.deepEqual(await changes(app(), await cy.key()), [])
  })

  test('values of a deleted custom field are removed from history', async () => {
    const ada = await app().person('role-administrator')
    const [key, cookie] = [await ada.key(), await ada.session()]
    const body = { entityType: 'flight', key: 'mood', label: 'Mood', fieldType: 'text' }
    const field = await web(app(), 'POST', '/custom-fields', cookie, body)
    const { id } = await log(app(), key, { customFields: { mood: 'sunny' } })
    await patch(app(), key, id, { customFields: { mood: 'rainy' }, note: 'n' })
    const { changeId } = await newest(app(), key)
    await web(app(), 'DELETE', `/custom-fields/${field.data.id}`, cookie)
    const rows = await app().store.read.query('select * from flight_history', [])
    assert.doesNotMatch(JSON.stringify(rows), /sunny|rainy/)
    assert.deepEqual(actionsOf(await undo(app(), key, { changeId })), ['put_back'])
    assert.equal((await read(app(), key, id)).note, null)
  })

  test('a change with nothing left of it is marked as not undoable', async () => {
    const ada = await app().person('role-administrator')
    const [key, cookie] = [await ada.key(), await ada.session()]
    const body = { entityType: 'flight', key: 'weather', label: 'Weather', fieldType: 'text' }
    const field = await web(app(), 'POST', '/custom-fields', cookie, body)
    const { id } = await log(app(), key, { customFields: { weather: 'sunny' } })
    await patch(app(), key, id, { customFields: { weather: 'rainy' } })
    assert.equal((await newest(app(), key)).canUndo, true)
    await web(app(), 'DELETE', `/custom-fields/${field.data.id}`, cookie)
    const { changed, canUndo } = await newest(app(), key)
    assert.deepEqual([changed, canUndo], [{}, false])
  })
})
