// A kept boarding pass: what may be kept, who reads it, and when it is erased. Its bar code opens the booking.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { deleteExpired } from '../../server/process/cleanup.ts'
import { expireImports } from '../../server/store/imports/expiry.ts'
import { deletePerson } from '../../server/store/people/people.ts'
import { assertError, logFlight } from '../fixtures.ts'
import { engines, freshDatabase, onBothEngines, startTestApp, type TestPerson } from '../harness.ts'
import { message, multipart, part } from '../imports/mails-made.ts'
import { pkpassOf } from '../imports/wallet.ts'

/** 16 June is day 167. */
const TEXT = 'M1ROSSI/MARIA         EQ7RT2M CPHLHRSK 0501 167Y012C0041 100'
const OTHER_DAY = TEXT.replace(' 167Y', ' 168Y')
const OTHER_ROUTE = TEXT.replace('CPHLHR', 'CPHFRA')

const wallet = (message: string, more: object = {}) => ({
  formatVersion: 1,
  organizationName: 'Example Air',
  passTypeIdentifier: 'pass.example.air',
  serialNumber: 'S1',
  webServiceURL: 'https://passes.example.org/apple',
  authenticationToken: 'a-token-of-the-airline',
  boardingPass: { transitType: 'PKTransitTypeAir' },
  relevantDate: '2026-06-16T07:00+02:00',
  barcodes: [{ format: 'PKBarcodeFormatAztec', message, messageEncoding: 'iso-8859-1', altText: 'SEQ 41' }],
  ...more,
})

onBothEngines('kept boarding passes', (app) => {
  const ids: Record<string, number> = {}
  before(async () => {
    for (const code of ['CPH', 'LHR']) ids[code] = await app().airportId(code)
  })

  const traveller = async () => {
    app().clock.set('2026-06-15T12:00:00Z')
    const person = await app().person()
    const cookie = await person.session()
    const flight = await logFlight(app(), person, {
      date: '2026-06-16',
      fromId: ids['CPH'],
      toId: ids['LHR'],
      departure: '2026-06-16T08:00:00+02:00',
      arrival: '2026-06-16T09:00:00+01:00',
    })
    return { person, cookie, id: flight.id, path: `/app/api/flights/${flight.id}/kept-pass` }
  }
  const put = (cookie: string, path: string, body: object | Uint8Array) =>
    body instanceof Uint8Array
      ? app().request('PUT', path, {
          cookie,
          raw: Buffer.from(body),
          headers: { 'content-type': 'application/vnd.apple.pkpass' },
        })
      : app().request('PUT', path, { cookie, body })
  const refused = async (asked: ReturnType<typeof put>, reason: string) => {
    const reply = await asked
    assert.equal(reply.status, 422, reply.text)
    assert.equal(reply.json.error.reason, reason)
  }
  const text = { text: TEXT, format: 'aztec' }
  const stored = { format: 'aztec', text: TEXT, altText: null, seat: '12C', host: null, followed: false }

  test('the text of a scanned bar code is kept, shown, replaced and forgotten', async () => {
    const { cookie, path, person } = await traveller()
    assertError(await app().request('GET', path, { cookie }), 404, 'not_found')
    const reply = await put(cookie, path, text)
    assert.equal(reply.status, 200, reply.text)
    assert.deepEqual(reply.json.data, stored)
    assert.deepEqual((await app().request('GET', path, { cookie })).json.data, stored)
    const key = await person.key()
    const day = await app().request('GET', '/api/v1/travel-day', { key })
    assert.equal(day.json.data.flights[0].hasKeptPass, true)
    assert.ok(!day.text.includes('ROSSI'))
    assert.equal((await put(cookie, path, { ...text, format: 'qr' })).json.data.format, 'qr')
    assert.equal((await app().request('DELETE', path, { cookie })).status, 204)
    assertError(await app().request('GET', path, { cookie }), 404, 'not_found')
    assert.equal((await app().request('DELETE', path, { cookie })).status, 204)
  })

  test('a wallet pass is kept with its service only on request', async () => {
    const { cookie, path } = await traveller()
    const kept = { ...stored, altText: 'SEQ 41' }
    const file = pkpassOf(wallet(TEXT))
    assert.deepEqual((await put(cookie, path, file)).json.data, kept)
    const followed = await put(cookie, `${path}?follow=true`, file)
    assert.deepEqual(followed.json.data, { ...kept, host: 'passes.example.org', followed: true })
    const events = await app().request('GET', '/app/api/audit/mine', { cookie })
    assert.equal(events.json.data[0].kind, 'pass.followed')
    assert.ok(!events.text.includes('a-token-of-the-airline'))
    const insecure = pkpassOf(wallet(TEXT, { webServiceURL: 'http://passes.example.org' }))
    assert.deepEqual((await put(cookie, `${path}?follow=true`, insecure)).json.data, kept)
  })

  test('a row of an import is kept while its file is', async () => {
    const { cookie, path, person } = await traveller()
    const started = await app().request('POST', '/app/api/imports?filename=pass.pkpass', {
      cookie,
      raw: Buffer.from(pkpassOf(wallet(TEXT))),
      headers: { 'content-type': 'application/octet-stream' },
    })
    assert.equal(started.status, 201, started.text)
    const importId = started.json.data.id
    assert.equal((await put(cookie, path, { importId, row: 1 })).json.data.text, TEXT)
    await refused(put(cookie, path, { importId, row: 2 }), 'not_a_boarding_pass')
    const stranger = await traveller()
    assertError(await put(stranger.cookie, stranger.path, { importId, row: 1 }), 404, 'not_found')
    assert.ok(person)
  })

  /** A traveller by the name on the pass, and what an import of this file becomes. */
  const imported = async (filename: string, raw: string | Uint8Array) => {
    const { cookie, person, id } = await traveller()
    const body = { username: person.username, displayName: 'Maria Rossi' }
    assert.equal((await app().request('PUT', '/app/api/me', { cookie, body })).status, 204)
    const key = await person.key()
    assert.equal((await app().request('DELETE', `/api/v1/flights/${id}`, { key })).status, 204)
    const started = await app().request('POST', `/app/api/imports?filename=${filename}`, {
      cookie,
      raw: Buffer.from(raw),
      headers: { 'content-type': 'application/octet-stream' },
    })
    assert.equal(started.status, 201, started.text)
    const importId = started.json.data.id
    const committed = await app().request('POST', `/app/api/imports/${importId}/commit`, { cookie, body: {} })
    assert.equal(committed.json.data.committed.created, 1, committed.text)
    const { json } = await app().request('GET', '/api/v1/flights', { key })
    return { cookie, importId, path: `/app/api/flights/${json.data[0].id}/kept-pass` }
  }

  test('a committed wallet pass can be kept for two days, and its file is deleted then', async () => {
    const { cookie, importId, path } = await imported('pass.pkpass', pkpassOf(wallet(TEXT)))
    assert.equal((await put(cookie, path, { importId, row: 1 })).json.data.text, TEXT)
    app().clock.advance(49 * 3_600_000)
    await expireImports(app().store, new Date(app().clock.now()).toISOString())
    const { json } = await app().request('GET', `/app/api/imports/${importId}/rows`, { cookie })
    assert.equal(json.data[0].raw, null)
  })

  test('a wallet pass in a mail can be kept', async () => {
    const pass = part('application/vnd.apple.pkpass; name="pass.pkpass"', Buffer.from(pkpassOf(wallet(TEXT))))
    const mail = message(multipart('mixed', [part('text/plain', 'Your boarding pass'), pass]))
    const { cookie, importId, path } = await imported('mail.eml', mail)
    assert.equal((await put(cookie, path, { importId, row: 1 })).json.data.text, TEXT)
  })

  test('the file of a wallet pass whose flight is over is deleted with the commit', async () => {
    const over = wallet(TEXT.replace(' 167Y', ' 160Y'), { relevantDate: '2026-06-09T07:00+02:00' })
    const { cookie, importId } = await imported('pass.pkpass', pkpassOf(over))
    const { json } = await app().request('GET', `/app/api/imports/${importId}/rows`, { cookie })
    assert.equal(json.data[0].raw, null)
  })

  test('a pass must be of this flight, which must not be over', async () => {
    const { cookie, path } = await traveller()
    await refused(put(cookie, path, { ...text, text: OTHER_DAY }), 'pass_of_other_flight')
    await refused(put(cookie, path, { ...text, text: OTHER_ROUTE }), 'pass_of_other_flight')
    await refused(put(cookie, path, pkpassOf(wallet(OTHER_ROUTE))), 'pass_of_other_flight')
    await refused(put(cookie, path, { ...text, text: 'no pass' }), 'not_a_boarding_pass')
    await refused(put(cookie, path, Uint8Array.of(1, 2, 3)), 'not_a_boarding_pass')
    await refused(
      put(cookie, path, pkpassOf(wallet(TEXT, { boardingPass: undefined }))),
      'not_a_boarding_pass',
    )
    await refused(put(cookie, path, {}), 'pass_content_needed')
    await refused(put(cookie, path, { text: TEXT }), 'pass_content_needed')
    assertError(await put(cookie, path, { ...text, text: 'M1'.padEnd(2001, 'X') }), 422, 'validation_failed')
    app().clock.set('2026-06-16T08:00:01Z')
    await refused(put(cookie, path, text), 'pass_flight_over')
  })

  test('only the person’s own browser reads it', async () => {
    const { cookie, path, person, id } = await traveller()
    await put(cookie, path, text)
    const key = await person.key()
    for (const method of ['GET', 'PUT', 'DELETE'])
      assert.ok([401, 403].includes((await app().request(method, path, { key })).status), method)
    assert.equal((await app().request('GET', `/api/v1/flights/${id}/kept-pass`, { key })).status, 404)
    const admin = await app().person('role-administrator')
    assertError(await app().request('GET', path, { cookie: await admin.session() }), 404, 'not_found')
    const reads = [`/api/v1/flights/${id}`, '/api/v1/flights/export', '/api/v1/travel-day']
    for (const read of reads) {
      const reply = await app().request('GET', read, { key })
      assert.ok(!reply.text.includes('ROSSI') && !reply.text.includes('Q7RT2M'), read)
    }
    assert.ok(!app().logged.join('').includes('ROSSI'))
    const rows = await app().store.read.query('select code from kept_pass', [])
    assert.ok(rows.length > 0 && rows.every((row) => !String(row['code']).includes('ROSSI')))
  })

  test('another passenger has none, and it ends when the person leaves or the flight is deleted', async () => {
    const { cookie, path, person, id } = await traveller()
    const friend = await app().person()
    const key = await person.key()
    const patch = async (passengers: object[]) => {
      const reply = await app().request('PATCH', `/api/v1/flights/${id}`, { key, body: { passengers } })
      assert.equal(reply.status, 200, reply.text)
    }
    await patch([{ userId: person.id }, { userId: friend.id }])
    await put(cookie, path, text)
    const friendCookie = await friend.session()
    assertError(await app().request('GET', path, { cookie: friendCookie }), 404, 'not_found')
    await put(friendCookie, path, { ...text, format: 'qr' })
    await patch([{ userId: person.id, seatNumber: '12C' }])
    await patch([{ userId: person.id }, { userId: friend.id }])
    assertError(await app().request('GET', path, { cookie: friendCookie }), 404, 'not_found')
    assert.equal((await app().request('GET', path, { cookie })).status, 200, 'an edit keeps it')
    assert.equal((await app().request('DELETE', `/api/v1/flights/${id}`, { key })).status, 204)
    const restored = await app().request('POST', `/app/api/flights/${id}/restore`, { cookie })
    assert.equal(restored.status, 200, restored.text)
    assertError(await app().request('GET', path, { cookie }), 404, 'not_found')
  })

  test('it is erased two days after landing, also if the flight was moved', async () => {
    const { cookie, path, person, id } = await traveller()
    await put(cookie, path, text)
    const cleanUp = () => deleteExpired(app().store, app().clock.now())
    const isKept = async () => (await app().request('GET', path, { cookie })).status === 200
    app().clock.set('2026-06-18T07:59:00Z')
    await cleanUp()
    assert.ok(await isKept())
    const key = await person.key()
    const times = { departure: '2026-06-16T20:00:00+02:00', arrival: '2026-06-16T21:00:00+01:00' }
    assert.equal((await app().request('PATCH', `/api/v1/flights/${id}`, { key, body: times })).status, 200)
    app().clock.set('2026-06-18T19:59:00Z')
    await cleanUp()
    assert.ok(await isKept())
    app().clock.set('2026-06-18T20:01:00Z')
    await cleanUp()
    assert.ok(!(await isKept()))
  })

  test('a share shows nothing of it', async () => {
    const { cookie, path, id } = await traveller()
    await put(cookie, path, text)
    const share = await app().request('POST', '/app/api/shares', { cookie, body: { flightId: id } })
    assert.equal(share.status, 201, share.text)
    const page = await app().request('GET', new URL(share.json.data.url).pathname)
    assert.equal(page.status, 200)
    for (const secret of ['ROSSI', 'Q7RT2M', 'kept']) assert.ok(!page.text.includes(secret), secret)
  })

  test('it is deleted with the account', async () => {
    const { cookie, path, person } = await traveller()
    await put(cookie, path, text)
    const count = async (who: TestPerson) =>
      (await app().store.read.query('select user_id from kept_pass', [])).filter(
        (row) => row['user_id'] === who.id,
      ).length
    assert.equal(await count(person), 1)
    await app().store.transaction((tx) =>
      deletePerson(tx, person.id, new Date(app().clock.now()).toISOString()),
    )
    assert.equal(await count(person), 0)
  })
})

for (const engine of engines)
  test(`without the secret of the instance no one reads it on ${engine}`, async () => {
    const { drop, ...place } = await freshDatabase(engine)
    const lost = await startTestApp(engine, { ...place, secretKey: 'a'.repeat(40) })
    lost.clock.set('2026-06-15T12:00:00Z')
    const person = await lost.person()
    const [fromId, toId] = [await lost.airportId('CPH'), await lost.airportId('LHR')]
    const times = { departure: '2026-06-16T08:00:00+02:00', arrival: '2026-06-16T09:00:00+01:00' }
    const { id } = await logFlight(lost, person, { date: '2026-06-16', fromId, toId, ...times })
    const path = `/app/api/flights/${id}/kept-pass`
    const cookie = await person.session()
    const pass = { text: TEXT, format: 'aztec' }
    assert.equal((await lost.request('PUT', path, { cookie, body: pass })).status, 200)
    await lost.close()
    const app = await startTestApp(engine, { ...place, secretKey: 'b'.repeat(40) })
    try {
      app.clock.set('2026-06-15T12:00:00Z')
      assertError(await app.request('GET', path, { cookie }), 404, 'not_found')
      assert.equal((await app.request('PUT', path, { cookie, body: pass })).status, 200)
      assert.equal((await app.request('GET', path, { cookie })).json.data.text, TEXT, 'kept again')
    } finally {
      await app.close()
      await drop()
    }
  })
