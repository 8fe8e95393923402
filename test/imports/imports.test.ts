// Imports from the upload to the verdicts, through the API: responses, their readers, and the effect of a second request.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { insertImport } from '../../server/store/imports/imports.ts'
import { countRows } from '../../server/store/imports/rows.ts'
import { airportIds, assertError, logFlight } from '../fixtures.ts'
import {
  onBothEngines,
  onSqlite,
  type Reply,
  type TestApp,
  type TestPerson,
  testOnSqlite,
} from '../harness.ts'
import { until } from '../until.ts'

const heading =
  'Date,Flight number,From,To,Dep time,Arr time,Duration,Airline,Aircraft,Registration,Seat number,Seat type,Flight class,Flight reason,Note'

/** A line of a file of myFlightradar24. */
const line = (date: string, number: string, from: string, to: string): string =>
  [date, number, from, to, '00:00:00', '00:00:00', '00:00:00', ' (/)', ' ()', '', '', '0', '0', '0', ''].join(
    ',',
  )
const cph = 'Copenhagen / Kastrup (CPH/EKCH)'
const ewr = 'Newark / Liberty (EWR/KEWR)'
const file = (...lines: string[]): string => `\n${heading}\n${lines.join('\n')}\n`

const csv = { 'content-type': 'text/csv' }

async function send(app: TestApp, key: string, raw: string | Buffer, query = ''): Promise<Reply> {
  return app.request('POST', `/api/v1/imports${query}`, { key, raw, headers: csv })
}

async function started(app: TestApp, key: string, raw: string): Promise<Reply['json']> {
  const reply = await send(app, key, raw)
  assert.equal(reply.status, 201, reply.text)
  const { data } = reply.json
  return data.status === 'reading' ? { ...data, ...(await untilRead(app, key, data.id)).data } : data
}

const get = (app: TestApp, key: string, path: string) => app.request('GET', `/api/v1${path}`, { key })

const sumOf = ({ rows: _rows, remarks: _remarks, ...verdicts }: Record<string, number>): number =>
  Object.values(verdicts).reduce((sum, count) => sum + count, 0)

/** Resolves when the import is read, with the number of requests served until then. */
async function untilRead(
  app: TestApp,
  key: string,
  id: number,
): Promise<{ data: Reply['json']; asked: number }> {
  let asked = 0
  const data = await until('the file has been read', async () => {
    asked++
    const { json, text, status } = await get(app, key, `/imports/${id}`)
    assert.equal(status, 200, text)
    return json.data.status === 'reading' ? undefined : json.data
  })
  return { data, asked }
}

/** An import with some rows read and some not. */
const untilBegun = (app: TestApp, key: string): Promise<Reply['json']> =>
  until('the first rows have been read', async () => {
    const [newest] = (await get(app, key, '/imports')).json.data
    return newest?.rowsDone > 0 && newest
  })

onBothEngines('imports', (app, engine) => {
  const sqliteTest = testOnSqlite(engine)
  const importer = async (): Promise<{ who: TestPerson; key: string }> => {
    const who = await app().person()
    return { who, key: await who.key() }
  }

  test('a file gets verdicts that add up, and nothing enters the log', async () => {
    const { who, key } = await importer()
    const [fromId, toId] = await airportIds(app(), 'CPH', 'EWR')
    const logged = await logFlight(app(), who, {
      date: '2020-01-01',
      fromId,
      toId,
      flightNumber: 'SK909',
    })
    const text = file(
      line('2020-01-01', 'SK909', cph, ewr),
      line('2020-01-05', 'SK910', ewr, cph),
      line('2020-01-05', 'SK910', ewr, cph),
      line('2020-02-01', 'SK911', 'Nowhere (QQQ/QQQQ)', cph),
      line('not a date', 'SK911', ewr, cph),
    )
    const reply = await send(app(), key, text, '?filename=..%2Fmy%20flights.csv')
    assert.equal(reply.status, 201, reply.text)
    const { id, repeated } = reply.json.data
    assert.equal(repeated, false)
    assert.equal(reply.headers['location'], `/api/v1/imports/${id}`)
    const { data } = await untilRead(app(), key, id)
    assert.equal(data.status, 'questions')
    assert.equal(data.source, 'fr24')
    assert.equal(data.detectedBy, 'heading')
    assert.equal(data.filename, 'my flights.csv')
    assert.equal(data.bytes, Buffer.byteLength(text))
    assert.deepEqual(data.counts, {
      rows: 5,
      new: 1,
      duplicate: 2,
      similar: 0,
      question: 1,
      skipped: 0,
      error: 1,
      remarks: 0,
    })
    assert.deepEqual(data.committed, { created: 0, updated: 0 })
    const rows = await get(app(), key, `/imports/${data.id}/rows`)
    const said = rows.json.data.map((row: Reply['json']) => [
      row.row,
      row.line,
      row.verdict,
      row.code,
      row.of,
    ])
    assert.deepEqual(said, [
      [1, 3, 'duplicate', 'duplicate_in_log', { flightId: logged.id }],
      [2, 4, 'new', null, null],
      [3, 5, 'duplicate', 'duplicate_in_file', { row: 2 }],
      [4, 6, 'question', 'unknown_airport', null],
      [5, 7, 'error', 'bad_date', null],
    ])
    const [, second, , fourth] = rows.json.data
    assert.equal(second.draft.from.iata, 'EWR')
    assert.equal(second.draft.to.icao, 'EKCH')
    assert.equal(second.draft.passengers[0].user.id, who.id)
    assert.equal(second.draft.flightNumber, 'SK910')
    assert.deepEqual(second.raw.slice(0, 2), ['2020-01-05', 'SK910'])
    assert.equal(fourth.draft.from, null)
    assert.match(fourth.draft.fromText, /QQQ/)
    assert.equal(fourth.questions[0].kind, 'unknown_airport')
    const flights = await get(app(), key, '/flights')
    assert.deepEqual(
      flights.json.data.map(({ id }: { id: number }) => id),
      [logged.id],
    )
  })

  test('rows are listed by verdict and code, page by page', async () => {
    const { key } = await importer()
    const lines = Array.from({ length: 7 }, (_, i) => line(`2019-03-0${i + 1}`, 'SK909', cph, ewr))
    const { id } = await started(app(), key, file(...lines, line('never', 'SK1', cph, ewr)))
    const first = await get(app(), key, `/imports/${id}/rows?verdict=new&limit=4`)
    assert.deepEqual(
      first.json.data.map(({ row }: { row: number }) => row),
      [1, 2, 3, 4],
    )
    const { nextCursor } = first.json.page
    const second = await get(app(), key, `/imports/${id}/rows?verdict=new&limit=4&cursor=${nextCursor}`)
    assert.deepEqual(
      second.json.data.map(({ row }: { row: number }) => row),
      [5, 6, 7],
    )
    assert.equal(second.json.page.nextCursor, null)
    const wrong = await get(app(), key, `/imports/${id}/rows?code=bad_date`)
    assert.deepEqual(
      wrong.json.data.map(({ row }: { row: number }) => row),
      [8],
    )
    const both = await get(app(), key, `/imports/${id}/rows?code=bad_date&verdict=new`)
    assert.deepEqual(both.json.data, [])
    assertError(await get(app(), key, `/imports/${id}/rows?verdict=maybe`), 400, 'bad_request')
    assertError(await get(app(), key, `/imports/${id}/rows?limit=4&cursor=x`), 400, 'bad_request')
  })

  test('the same bytes are the same import until it is deleted; another person gets their own', async () => {
    const { key } = await importer()
    const text = file(line('2018-05-01', 'SK909', cph, ewr))
    const first = await started(app(), key, text)
    const again = await send(app(), key, text, '?filename=other.csv')
    assert.equal(again.status, 200, again.text)
    assert.equal(again.json.data.id, first.id)
    assert.equal(again.json.data.repeated, true)
    const body = { filename: 'x.csv', base64: Buffer.from(text).toString('base64') }
    const inJson = await app().request('POST', '/api/v1/imports', { key, body })
    assert.equal(inJson.json.data.id, first.id)
    const { key: otherKey } = await importer()
    const others = await started(app(), otherKey, text)
    assert.notEqual(others.id, first.id)
    assert.equal((await del(key, first.id)).status, 204)
    const repeated = await started(app(), key, text)
    assert.notEqual(repeated.id, first.id)
    const listed = await get(app(), key, '/imports')
    assert.deepEqual(
      listed.json.data.map(({ id }: { id: number }) => id),
      [repeated.id],
    )
  })

  const del = (key: string, id: number) => app().request('DELETE', `/api/v1/imports/${id}`, { key })

  test('concurrent requests with the same bytes start one import', async () => {
    const { key } = await importer()
    const text = file(line('2018-06-01', 'SK909', cph, ewr))
    const replies = await Promise.all([1, 2, 3].map(() => send(app(), key, text)))
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 200, 201])
    assert.equal(new Set(replies.map(({ json }) => json.data.id)).size, 1)
  })

  sqliteTest('every media type but JSON is taken as the file, also forms', async () => {
    const { key } = await importer()
    for (const [i, type] of [
      'application/x-www-form-urlencoded',
      'text/plain',
      'multipart/form-data; boundary=x',
      'application/octet-stream',
      'message/rfc822',
    ].entries()) {
      const raw = file(line(`2017-01-0${i + 1}`, 'SK909', cph, ewr))
      const reply = await app().request('POST', '/api/v1/imports', {
        key,
        raw,
        headers: { 'content-type': type },
      })
      assert.equal(reply.status, 201, `${type}: ${reply.text}`)
      assert.equal(reply.json.data.counts.new, 1, type)
    }
  })

  const patch = (key: string, path: string, body: unknown) =>
    app().request('PATCH', `/api/v1/imports/${path}`, { key, body })

  test('an answer decides every row with the question, is remembered and can be forgotten', async () => {
    const { who, key } = await importer()
    const [oslo] = await airportIds(app(), 'OSL')
    const nowhere = 'Nowhere (QQQ/QQQQ)'
    const first = await started(
      app(),
      key,
      file(line('2016-01-01', 'SK1', nowhere, cph), line('2016-01-02', 'SK2', cph, nowhere)),
    )
    assert.equal(first.counts.question, 2)
    const open = first.questions.filter(({ kind }: { kind: string }) => kind === 'unknown_airport')
    assert.equal(open.length, 1)
    assert.equal(open[0].rows, 2)
    const { kind, value } = open[0]
    const answered = await patch(key, first.id, { answers: [{ kind, value, id: oslo }] })
    assert.equal(answered.status, 200, answered.text)
    assert.equal(answered.json.data.status, 'ready')
    assert.deepEqual(answered.json.data.counts, { ...first.counts, question: 0, new: 2 })
    const rows = await get(app(), key, `/imports/${first.id}/rows`)
    assert.equal(rows.json.data[0].draft.from.iata, 'OSL')

    const next = await started(app(), key, file(line('2016-03-01', 'SK3', nowhere, cph)))
    assert.equal(next.counts.new, 1)
    const cookie = await who.session()
    const remembered = await app().request('GET', '/app/api/import-answers', { cookie })
    assert.equal(remembered.json.data.length, 1, remembered.text)
    const [one] = remembered.json.data
    assert.equal(one.kind, 'unknown_airport')
    assert.match(one.label, /OSL/)
    const other = await (await app().person()).session()
    const path = `/app/api/import-answers/${one.id}`
    assertError(await app().request('DELETE', path, { cookie: other }), 404, 'not_found')
    assert.equal((await app().request('DELETE', path, { cookie })).status, 204)
    const third = await started(app(), key, file(line('2016-04-01', 'SK3', nowhere, cph)))
    assert.equal(third.counts.question, 1)
    const taken = await patch(key, first.id, { answers: [{ kind, value, withdraw: true }] })
    assert.equal(taken.json.data.counts.question, 2)
    assert.equal((await app().request('DELETE', '/app/api/import-answers', { cookie })).status, 204)
  })

  sqliteTest('meaningless answers are refused', async () => {
    const { key } = await importer()
    const { id } = await started(app(), key, file(line('2016-01-01', 'SK1', 'Nowhere (QQQ/QQQQ)', cph)))
    const answer = (more: object) =>
      patch(key, id, { answers: [{ kind: 'unknown_airport', value: 'Nowhere (QQQ/QQQQ)', ...more }] })
    assertError(await answer({}), 422, 'validation_failed')
    assertError(await answer({ id: 1, leaveEmpty: true }), 422, 'validation_failed')
    assertError(await answer({ id: 99_999_999 }), 422, 'validation_failed')
    assertError(await answer({ id: 'QQQ' }), 422, 'validation_failed')
    const unasked = await answer({ value: 'QQQ', leaveEmpty: true })
    assertError(unasked, 422, 'validation_failed')
    assert.equal(unasked.json.error.reason, 'answer_no_such_question')
    assertError(await answer({ create: { icao: 'X-9' } }), 403, 'forbidden')
    assertError(
      await patch(key, id, { answers: [{ kind: 'date_ambiguous', value: '', id: 'xyz' }] }),
      422,
      'validation_failed',
    )
    assertError(
      await patch(key, id, { mapping: { columns: [{ index: 0, field: 'nothing' }] } }),
      422,
      'validation_failed',
    )
    assertError(await patch(key, id, { options: { timezoneHint: 'Mars/Olympus' } }), 422, 'validation_failed')
    assertError(await patch(key, `${id}?rowsPerVerdict=many`, {}), 400, 'bad_request')
    const unknown = await patch(key, id, { options: { unknown: true } })
    assertError(unknown, 422, 'validation_failed')
    assert.match(unknown.json.error.details[0].message, /no field “unknown”.*dateOrder.*timesAreUtc/)
    assertError(await patch(key, '99999999', {}), 404, 'not_found')
  })

  test('a row can be left out, brought back and corrected', async () => {
    const { key } = await importer()
    const [fromId] = await airportIds(app(), 'OSL')
    const { id } = await started(
      app(),
      key,
      file(line('2015-01-01', 'SK1', cph, ewr), line('2015-01-02', 'SK2', 'Nowhere (QQQ/QQQQ)', ewr)),
    )
    const out = await patch(key, `${id}/rows/1`, { include: false })
    assert.equal(out.status, 200, out.text)
    assert.equal(out.json.data.verdict, 'skipped')
    assert.equal(out.json.data.code, 'excluded')
    assert.equal(out.json.import.counts.new, 0)
    const back = await patch(key, `${id}/rows/1`, { include: null })
    assert.equal(back.json.data.verdict, 'new')
    const corrected = await patch(key, `${id}/rows/2`, { draft: { fromId, note: 'By hand' } })
    assert.equal(corrected.status, 200, corrected.text)
    assert.equal(corrected.json.data.verdict, 'new')
    assert.equal(corrected.json.data.draft.from.iata, 'OSL')
    assert.equal(corrected.json.data.draft.note, 'By hand')
    assert.equal(corrected.json.data.choice.edited, true)
    assert.equal(corrected.json.import.counts.new, 2)
    assertError(await patch(key, `${id}/rows/2`, { draft: { fromId: 99_999_999 } }), 422, 'validation_failed')
    assertError(await patch(key, `${id}/rows/2`, { draft: { unknown: 1 } }), 422, 'validation_failed')
    assertError(await patch(key, `${id}/rows/9`, { include: false }), 404, 'not_found')
    assertError(await patch(key, `${id}/rows/1`, { include: 'yes' }), 422, 'validation_failed')
  })

  test('a row is corrected by codes, names, local times and a seat; the later of an id and a text wins', async () => {
    const { key } = await importer()
    const [fromId] = await airportIds(app(), 'OSL')
    const { id } = await started(app(), key, file(line('2015-01-02', 'SK2', 'Nowhere (QQQ/QQQQ)', ewr)))
    const correct = async (draft: object) => {
      const reply = await patch(key, `${id}/rows/1`, { draft })
      assert.equal(reply.status, 200, reply.text)
      return reply.json.data.draft
    }
    assert.equal((await correct({ from: 'ARN' })).from.icao, 'ESSA')
    assert.equal((await correct({ fromId })).from.icao, 'ENGM')
    const typed = await correct({
      ...{ from: 'CPH', airline: 'KLM', aircraft: 'A320neo' },
      ...{ departure: '2015-01-02T23:30', arrival: '02:15', seatClass: 'business', seatNumber: '2A' },
    })
    assert.deepEqual(
      [typed.from.icao, typed.airline.icao, typed.aircraft.icao, typed.departure, typed.arrival],
      ['EKCH', 'KLM', 'A20N', '2015-01-02T23:30:00+01:00', '2015-01-03T02:15:00-05:00'],
    )
    const { seatClass, seatNumber } = typed.passengers[0]
    assert.deepEqual([seatClass, seatNumber], ['business', '2A'])
    // The row as it was read, with one change.
    assert.equal((await correct({ ...typed, to: { id: fromId } })).to.icao, 'ENGM')
    const refused = await patch(key, `${id}/rows/1`, {
      draft: { departure: 'noon', seatClass: 'lounge', to: 7 },
    })
    assertError(refused, 422, 'validation_failed')
    assert.deepEqual(
      refused.json.error.details.map(({ path }: { path: string[] }) => path.join('.')).sort(),
      ['draft.departure', 'draft.seatClass', 'draft.to'],
    )
  })

  test('a similar flight is another or the same, as the person decides', async () => {
    const { who, key } = await importer()
    const [fromId, toId] = await airportIds(app(), 'CPH', 'EWR')
    const logged = await logFlight(app(), who, { date: '2014-01-01', fromId, toId, flightNumber: 'SK909' })
    const { id, counts } = await started(app(), key, file(line('2014-01-01', 'UA8801', cph, ewr)))
    assert.equal(counts.similar, 1)
    const same = await patch(key, `${id}/rows/1`, { accept: 'same' })
    assert.deepEqual(
      [same.json.data.verdict, same.json.data.code, same.json.data.of],
      ['duplicate', 'duplicate_in_log', { flightId: logged.id }],
    )
    const other = await patch(key, `${id}/rows/1`, { accept: 'new' })
    assert.deepEqual([other.json.data.verdict, other.json.data.of], ['new', null])
    const created = await patch(key, id, { options: { duplicates: 'create' } })
    assert.equal(created.json.data.counts.new, 1)
  })

  test('an import is private to one person, and its file is deleted with it', async () => {
    const { key } = await importer()
    const { id } = await started(app(), key, file(line('2013-01-01', 'SK1', cph, ewr)))
    const { key: other } = await importer()
    for (const path of [`/imports/${id}`, `/imports/${id}/rows`])
      assertError(await get(app(), other, path), 404, 'not_found')
    assertError(await patch(other, id, {}), 404, 'not_found')
    assertError(await patch(other, `${id}/rows/1`, {}), 404, 'not_found')
    assertError(await del(other, id), 404, 'not_found')
    assert.deepEqual((await get(app(), other, '/imports')).json.data, [])
    const files = () => readdirSync(join(app().config.dataDir, 'imports')).length
    const before = files()
    assert.equal((await del(key, id)).status, 204)
    assert.equal(files(), before - 1)
    assertError(await get(app(), key, `/imports/${id}`), 404, 'not_found')
    assertError(await del(key, id), 404, 'not_found')
  })

  sqliteTest(
    'importing, importing for others and restoring need their own scopes and permissions',
    async () => {
      const who = await app().person('owner')
      const text = file(line('2012-01-01', 'SK1', cph, ewr))
      assertError(await send(app(), await who.key(['flight.create.own']), text), 403, 'insufficient_scope')
      const own = await who.key(['flight.import.own'])
      const { id } = await started(app(), own, text)
      const restore = { options: { mode: 'restore' } }
      assertError(await patch(own, id, restore), 403, 'insufficient_scope')
      assertError(await patch(await who.key(['flight.import.any']), id, restore), 403, 'insufficient_scope')
      const wide = await who.key(['flight.import.any', 'users.directory.read'])
      assert.equal((await patch(wide, id, restore)).status, 200)
      const friend = await app().person()
      const users = { options: { users: { ada: friend.id } } }
      assertError(await patch(own, id, users), 403, 'insufficient_scope')
      assert.equal((await patch(wide, id, users)).status, 200)
      assertError(await patch(wide, id, { options: { users: { ada: 'missing' } } }), 422, 'validation_failed')
      const reader = await app().person(['flight.read.own'])
      assertError(await send(app(), await reader.key(), text), 403, 'forbidden')
      const plain = await app().person(['flight.import.own'])
      const plainKey = await plain.key()
      const mine = await started(app(), plainKey, text)
      assertError(await patch(plainKey, mine.id, restore), 403, 'forbidden')
    },
  )

  sqliteTest('an unchanged import is not sent again', async () => {
    const { key } = await importer()
    const { id } = await started(app(), key, file(line('2011-01-01', 'SK1', cph, ewr)))
    const first = await get(app(), key, `/imports/${id}`)
    const etag = first.headers['etag']!
    assert.match(etag, /^"i\d+-\d+"$/)
    const headers = { 'if-none-match': etag }
    const again = await app().request('GET', `/api/v1/imports/${id}`, { key, headers })
    assert.equal(again.status, 304)
    await patch(key, id, { options: { includeCancelled: true } })
    const changed = await app().request('GET', `/api/v1/imports/${id}`, { key, headers })
    assert.equal(changed.status, 200)
    assert.deepEqual(changed.json.data.options, { includeCancelled: true })
  })

  sqliteTest('drafts of a program get the same verdicts as a file', async () => {
    const { key } = await importer()
    const drafts = [
      { date: '2010-05-01', from: 'CPH', to: 'EWR', flightNumber: 'SK909' },
      { date: '2010-05-01', from: 'CPH', to: 'EWR', flightNumber: 'SK909' },
      { date: '2010-05-02', from: 'QQQ', to: 'EWR' },
      { date: 'soon', from: 'CPH', to: 'EWR' },
      'CPH to EWR',
    ]
    const reply = await app().request('POST', '/api/v1/imports', { key, body: { source: 'drafts', drafts } })
    assert.equal(reply.status, 201, reply.text)
    const { counts, source } = reply.json.data
    assert.equal(source, 'drafts')
    assert.deepEqual(counts, {
      rows: 5,
      new: 1,
      duplicate: 1,
      similar: 0,
      question: 1,
      skipped: 0,
      error: 2,
      remarks: 1,
    })
  })

  sqliteTest('bodies that are not an import are refused with a reason', async () => {
    const { key } = await importer()
    const post = (body: unknown) => app().request('POST', '/api/v1/imports', { key, body })
    assertError(await post({}), 422, 'validation_failed')
    assertError(await post({ text: 'a', base64: 'YQ==' }), 422, 'validation_failed')
    assertError(await post({ base64: 'not base64!' }), 422, 'validation_failed')
    assertError(await post({ drafts: [{}] }), 422, 'validation_failed')
    assertError(await post({ source: 'drafts', drafts: [] }), 422, 'validation_failed')
    assertError(await post({ text: 'a', surprise: true }), 422, 'validation_failed')
    assertError(await post({ text: 'a\u0000b' }), 422, 'validation_failed')
    assertError(await post([]), 422, 'validation_failed')
    assertError(await post({ text: '' }), 400, 'bad_request')
    assertError(await send(app(), key, ''), 400, 'bad_request')
    assertError(await send(app(), key, 'x', '?source=nothing'), 400, 'bad_request')
    assertError(await send(app(), key, 'x', '?color=red'), 400, 'bad_request')
    assertError(await send(app(), key, 'x', '?timezoneHint=Nowhere'), 422, 'validation_failed')
    const deep = `${'['.repeat(200)}${']'.repeat(200)}`
    const nested = await app().request('POST', '/api/v1/imports', { key, raw: deep })
    assertError(nested, 400, 'invalid_json')
    assertError(await get(app(), key, '/imports?limit=0'), 400, 'bad_request')
    assertError(await get(app(), key, '/imports/99999999'), 404, 'not_found')
    assertError(await get(app(), key, '/imports/99999999/rows'), 404, 'not_found')
  })

  sqliteTest('a file of no known source becomes one record that reports it', async () => {
    const { key } = await importer()
    const { counts, source, status, id } = await started(app(), key, '\u0001\u0002\u0003 nothing to see')
    assert.equal(counts.rows, sumOf(counts))
    assert.equal(counts.rows, counts.error)
    assert.equal(source, null)
    assert.equal(status, 'ready')
    const rows = await get(app(), key, `/imports/${id}/rows`)
    assert.equal(rows.json.data[0].code, 'unreadable_file')
  })

  test('two concurrent imports of one person and one of another all finish', async () => {
    const [one, two] = [await importer(), await importer()]
    const lines = (from: number) =>
      Array.from({ length: 300 }, (_, i) =>
        line(`${from + (i % 20)}-0${(i % 9) + 1}-1${i % 10}`, `SK${i}`, cph, ewr),
      )
    const [a, b, c] = await Promise.all([
      started(app(), one.key, file(...lines(1960))),
      started(app(), one.key, file(...lines(1990))),
      started(app(), two.key, file(...lines(1960))),
    ])
    for (const { counts } of [a, b, c]) {
      assert.equal(counts.rows, 300)
      assert.equal(sumOf(counts), 300)
    }
    assert.deepEqual(a.counts, c.counts)
  })

  sqliteTest('other requests are served while a large file is read', async () => {
    const { key } = await importer()
    const many = Array.from({ length: 8_000 }, (_, i) => {
      const day = new Date(Date.UTC(1950, 0, 1) + (i % 7_000) * 86_400_000).toISOString().slice(0, 10)
      return line(day, `SK${(i % 900) + 1}`, i % 2 ? cph : ewr, i % 2 ? ewr : cph)
    })
    const sending = send(app(), key, file(...many))
    const { id } = await untilBegun(app(), key)
    const busy = await get(app(), key, `/imports/${id}`)
    assert.equal(busy.json.data.status, 'reading')
    const headers = { 'if-none-match': String(busy.headers['etag']) }
    const again = await app().request('GET', `/api/v1/imports/${id}`, { key, headers })
    assert.equal(again.status, 200)
    const { data, asked } = await untilRead(app(), key, id)
    assert.ok(asked > 3, `${asked} requests were answered`)
    assert.equal((await sending).status, 201)
    assert.equal(data.counts.rows, 8_000)
    assert.equal(sumOf(data.counts), 8_000)
    const last = await get(app(), key, `/imports/${id}/rows?limit=1&verdict=new`)
    assert.equal(last.json.data.length, 1)
  })

  test('an answer during reading restarts it, and the result is complete', async () => {
    const { key } = await importer()
    const [oslo] = await airportIds(app(), 'OSL')
    const many = Array.from({ length: 6_000 }, (_, i) => {
      const day = new Date(Date.UTC(1960, 0, 1) + i * 86_400_000).toISOString().slice(0, 10)
      return line(day, `SK${(i % 900) + 1}`, 'Nowhere (QQQ/QQQQ)', ewr)
    })
    const sending = send(app(), key, file(...many))
    const { id } = await untilBegun(app(), key)
    const answers = [{ kind: 'unknown_airport', value: 'Nowhere (QQQ/QQQQ)', id: oslo }]
    await patch(key, id, { answers })
    const { data } = await untilRead(app(), key, id)
    assert.equal(data.counts.new, 6_000, JSON.stringify(data.counts))
    await sending
  })

  test('reading interrupted by a kill is resumed by exactly one process', async () => {
    const { key } = await importer()
    const { id } = await started(app(), key, file(line('2009-01-01', 'SK1', cph, ewr)))
    const stored = (status: string, until: string | null) =>
      app().store.transaction((tx) =>
        tx.query(
          app().engine === 'sqlite'
            ? `update import set status = ?, lease = 'dead', lease_until = ? where id = ?`
            : `update import set status = $1, lease = 'dead', lease_until = $2 where id = $3`,
          [status, until, id],
        ),
      )
    const inFuture = new Date(app().clock.now() + 20_000).toISOString()
    await stored('reading', inFuture)
    await app().services.imports.resumeAbandoned()
    assert.equal((await get(app(), key, `/imports/${id}`)).json.data.status, 'reading')
    app().clock.advance(21_000)
    await Promise.all([app().services.imports.resumeAbandoned(), app().services.imports.resumeAbandoned()])
    const after = (await get(app(), key, `/imports/${id}`)).json.data
    assert.equal(after.status, 'ready')
    assert.equal(after.counts.new, 1)
  })

  const MANY_ROWS = 8_000
  const manyRows = Array.from({ length: MANY_ROWS }, (_, i) => {
    const day = new Date(Date.UTC(1965, 0, 1) + i * 86_400_000).toISOString().slice(0, 10)
    return line(day, `SK${(i % 900) + 1}`, cph, ewr)
  })

  /** An import that the holder of this lease is reading. */
  async function beingRead(userId: string, lease: string): Promise<number> {
    const bytes = Buffer.from(file(...manyRows))
    const { store, services, clock } = app()
    const now = new Date(clock.now()).toISOString()
    const given = { source: null, filename: 'x.csv', bytes: bytes.byteLength, sha256: 'x', options: {} }
    const held = { lease, leaseUntil: now, now, expiresAt: now }
    const stored = { ...given, ...held, file: await services.importFiles.save(bytes) }
    return (await store.transaction((tx) => insertImport(tx, userId, stored))).id
  }

  test('a process that lost the lease writes nothing more', async () => {
    const { who, key } = await importer()
    const { store, services, engine } = app()
    const id = await beingRead(who.id, 'first')
    const working = services.imports.evaluate({ id, userId: who.id }, 'first')
    await untilBegun(app(), key)
    const where = engine === 'sqlite' ? 'id = ?' : 'id = $1'
    await store.transaction((tx) => tx.query(`update import set lease = 'second' where ${where}`, [id]))
    const { rows } = await countRows(store.read, id)
    await working
    assert.equal((await countRows(store.read, id)).rows, rows)
    assert.equal((await get(app(), key, `/imports/${id}`)).json.data.status, 'reading')
    await del(key, id)
  })

  test('after a kill during reading, another process reads the whole file', async () => {
    const { who, key } = await importer()
    const { store, services, config, clock } = app()
    const now = clock.now()
    const id = await beingRead(who.id, 'other')
    const { databaseUrl, dataDir } = config
    const settings = JSON.stringify({ databaseUrl, dataDir, id, userId: who.id, lease: 'other' })
    const child = spawn(process.execPath, ['test/imports/reading-process.ts', settings], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const ended = once(child, 'exit')
    await untilBegun(app(), key)
    child.kill('SIGKILL')
    await ended
    const left = (await get(app(), key, `/imports/${id}`)).json.data
    assert.equal(left.status, 'reading')
    assert.ok(left.rowsDone < MANY_ROWS)
    // The lease of the other process, which uses the real time.
    clock.set(Date.now() + 60_000)
    await services.imports.resumeAbandoned()
    clock.set(now)
    const after = (await get(app(), key, `/imports/${id}`)).json.data
    assert.equal(after.status, 'ready')
    assert.deepEqual(after.counts, { ...left.counts, rows: MANY_ROWS, new: MANY_ROWS })
    const rows = await countRows(store.read, id)
    assert.deepEqual(rows, after.counts)
  })

  test('an import that repeatedly kills its process fails', async () => {
    const { key } = await importer()
    const { id } = await started(app(), key, file(line('2009-02-01', 'SK1', cph, ewr)))
    const set = app().engine === 'sqlite' ? 'where id = ?' : 'where id = $1'
    await app().store.transaction((tx) =>
      tx.query(`update import set status = 'reading', attempts = 3, lease_until = null ${set}`, [id]),
    )
    await app().services.imports.resumeAbandoned()
    const { data } = (await get(app(), key, `/imports/${id}`)).json
    assert.equal(data.status, 'failed')
    assert.equal(data.problem.code, 'internal_error')
  })

  test('an import without its file stays unchanged', async () => {
    const { key } = await importer()
    const { id } = await started(app(), key, file(line('2009-03-01', 'SK1', cph, ewr)))
    for (const { name } of await app().services.importFiles.list())
      await app().services.importFiles.remove(name)
    assertError(await patch(key, id, {}), 409, 'conflict')
    assertError(await patch(key, `${id}/rows/1`, { include: false }), 409, 'conflict')
    assert.equal((await get(app(), key, `/imports/${id}/rows`)).json.data.length, 1)
  })

  sqliteTest('the server log contains nothing of a file', async () => {
    const { key } = await importer()
    await started(app(), key, file(line('2008-01-01', 'SK1', 'Xanadu Secret Place', ewr)))
    assert.ok(!app().logged.some((logged) => logged.includes('Xanadu')))
  })

  test('sources are listed for everyone, in the language that the client prefers', async () => {
    const list = async (language?: string) =>
      app().request('GET', '/api/v1/import-sources', {
        headers: language === undefined ? {} : { 'accept-language': language },
      })
    const english = await list()
    assert.equal(english.status, 200, english.text)
    assert.equal(english.headers['vary'], 'accept-language')
    const fr24 = (reply: Reply) => reply.json.data.find(({ id }: { id: string }) => id === 'fr24')
    assert.ok(fr24(english).extensions.includes('csv'))
    const german = await list('fr;q=0.9, de-CH, en;q=0.5')
    assert.notEqual(fr24(german).howTo, fr24(english).howTo)
    assert.equal(fr24(await list('en, de;q=0.9')).howTo, fr24(english).howTo)
  })
})

onSqlite('slots for reading imports', (app) => {
  test('one person occupies one slot, so another’s file is read while two of theirs take long', async () => {
    const [slow, other] = [await (await app().person()).key(), await (await app().person()).key()]
    const long = (year: number) =>
      file(...Array.from({ length: 40_000 }, (_, i) => line(`${year}-01-01`, `SK${i}`, cph, ewr)))
    const sent = [send(app(), slow, long(2001)), send(app(), slow, long(2002))]
    const ids = (await Promise.all(sent)).map(({ json }) => json.data.id)
    const small = await started(app(), other, file(line('2007-01-01', 'SK1', cph, ewr)))
    await untilRead(app(), other, small.id)
    for (const id of ids) {
      assert.equal((await get(app(), slow, `/imports/${id}`)).json.data.status, 'reading')
      await app().request('DELETE', `/api/v1/imports/${id}`, { key: slow })
    }
  })
})

onSqlite(
  'imports beyond the size limit',
  (app) => {
    test('a file beyond IMPORT_SIZE_LIMIT gets 413, whatever BODY_SIZE_LIMIT is', async () => {
      const key = await (await app().person()).key()
      const post = (raw: string) => send(app(), key, raw)
      const padded = (bytes: number) => file(line('2007-01-01', 'SK1', cph, ewr)).padEnd(bytes, '\n')
      assert.equal((await post(padded(20_000))).status, 201)
      assertError(await post(padded(20_001)), 413, 'payload_too_large')
      assertError(await post(padded(200_000)), 413, 'payload_too_large')
      const base64 = Buffer.from(padded(20_001)).toString('base64')
      const inJson = await app().request('POST', '/api/v1/imports', { key, body: { base64 } })
      assertError(inJson, 413, 'payload_too_large')
    })
  },
  { importSizeLimit: 20_000, bodySizeLimit: 5000 },
)
