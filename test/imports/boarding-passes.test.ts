// Boarding passes through the API: read and judged without being stored, or imported as a file.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Scope } from '../../server/domain/access/access.ts'
import { addDays, dayOfYear, daysBetween, utcDate } from '../../server/domain/time/calendar.ts'
import { findImportByContent } from '../../server/store/imports/imports.ts'
import { listRows } from '../../server/store/imports/rows.ts'
import { assertError, logFlight } from '../fixtures.ts'
import { onBothEngines, type TestPerson, testOnSqlite } from '../harness.ts'
import { callTool, modern } from '../mcp/clients.ts'
import { type Row, readImport, written } from './judged.ts'
import { passText } from './passes-text.ts'
import { drawBarcode, pngOf } from './pictures.ts'

const door = '/api/v1/boarding-passes'
const pass = (...args: Parameters<typeof passText>) =>
  passText(args[0], { name: 'LINDQVIST/NORAMRS', ...args[1] })
const date = '2026-09-02'

onBothEngines('boarding passes', (app, engine) => {
  const sqliteTest = testOnSqlite(engine)
  /** A person named Nora Lindqvist. */
  async function nora(role?: Parameters<ReturnType<typeof app>['person']>[0], scopes?: Scope[]) {
    const person = await app().person(role)
    const body = { username: person.username, displayName: 'Nora Lindqvist' }
    const cookie = await person.session()
    assert.equal((await app().request('PUT', '/app/api/me', { cookie, body })).status, 204)
    return { person, cookie, key: await person.key(scopes) }
  }

  let known: ReturnType<typeof nora> | undefined
  /** An instance has one owner. */
  const theOwner = () => {
    known ??= nora('owner')
    return known
  }

  async function rowsOf(key: string, body: object): Promise<Row[]> {
    const reply = await app().request('POST', door, { key, body })
    assert.equal(reply.status, 200, reply.text)
    assert.deepEqual(Object.keys(reply.json), ['data'])
    return reply.json.data
  }

  const flightsOf = async (key: string): Promise<Row[]> =>
    (await app().request('GET', '/api/v1/flights', { key })).json.data

  /** Nothing stored or logged contains the bar code's contents. */
  function assertNotLogged(...secrets: string[]) {
    for (const line of app().logged)
      for (const secret of secrets) assert.ok(!line.includes(secret), `logged: ${secret}`)
  }

  test('a pass is returned as one row per flight with verdicts, and nothing is stored', async () => {
    const { person, key } = await nora()
    const text = pass([
      { once: { issued: '6243' }, sold: { carrier: 'QR' }, compartment: 'J' },
      { from: 'LHR', to: 'JFK', carrier: 'BA', number: '0117 ', seat: '001A' },
    ])
    const [first, second, ...others] = await rowsOf(key, { text, date })
    assert.deepEqual(others, [])
    assert.equal(written(first), 'new 2026-09-01 LEMD>EGLL IB3170 IBE - - - -')
    assert.equal(written(second), 'new 2026-09-01 EGLL>KJFK BA117 BAW - - - -')
    const { row, line, raw, verdict, code, warnings, of, updates } = first
    assert.deepEqual([row, line, verdict, code, warnings, of, updates], [1, 1, 'new', null, [], null, []])
    assert.equal(raw, 'LINDQVIST/NORAMRS, IB3170, MAD–LHR, day 244 (2026-09-01), seat 12C')
    assert.equal(first.draft.note, 'Marketing carrier: QR')
    const [passenger, ...companions] = first.draft.passengers
    assert.deepEqual(companions, [])
    assert.deepEqual(
      [passenger.user.id, passenger.seatNumber, passenger.seatClass],
      [person.id, '12C', 'business'],
    )
    assert.equal(second.draft.passengers[0].seatNumber, '1A')
    assert.deepEqual(await flightsOf(key), [])
    assert.deepEqual((await app().request('GET', '/api/v1/imports', { key })).json.data, [])
    assertNotLogged('LINDQVIST', 'Q7RT2M')

    const known = await logFlight(app(), person, {
      date: '2026-09-01',
      fromId: await app().airportId('MAD'),
      toId: await app().airportId('LHR'),
      flightNumber: 'IB3170',
    })
    const [again] = await rowsOf(key, { text, date })
    assert.deepEqual(
      [again.verdict, again.code, again.of],
      ['duplicate', 'duplicate_in_log', { flightId: known.id }],
    )
  })

  sqliteTest('the booking reference is returned only on request', async () => {
    const { key } = await nora()
    const [without] = await rowsOf(key, { text: pass(), date })
    assert.equal(without.draft.bookingReference, null)
    const [withIt] = await rowsOf(key, { text: pass(), date, bookingReference: true })
    assert.equal(withIt.draft.bookingReference, 'Q7RT2M')
    assert.ok(!JSON.stringify([without.raw, withIt.raw]).includes('Q7RT2M'))
  })

  // A pass without the day of issue

  const startOf = (date: string): string => `${date.slice(0, 4)}-01-01`
  /** The text of a pass for this day, which says only the day of the year. */
  const passOn = (day: string, more = {}) =>
    pass([{ day: String(1 + daysBetween(startOf(day), day)).padStart(3, '0'), ...more }])
  const today = () => utcDate(app().clock.now())
  const yearsBefore = (day: string, years: number) => `${Number(day.slice(0, 4)) - years}${day.slice(4)}`

  sqliteTest(
    'the year is the latest one in which the day is at most 60 days ahead, through every door',
    async () => {
      const { key } = await nora()
      for (const ahead of [-300, -200, -1, 0, 3, 4, 7, 30, 59]) {
        const day = addDays(today(), ahead)
        // A leap year has other numbers.
        if (dayOfYear(day) !== dayOfYear(yearsBefore(day, 1))) continue
        const text = passOn(day)
        const file = await app().request('POST', '/api/v1/imports', {
          key,
          body: { filename: 'pass.txt', text: `${text}${' '.repeat(ahead + 300)}` },
        })
        const { rows } = await readImport(app(), key, file.json.data.id)
        const { structuredContent } = await callTool(app(), key, 'read_boarding_pass', { text })
        assert.equal(structuredContent.data[0].draft.date, day, `in ${ahead} days`)
        for (const [row] of [await rowsOf(key, { text }), rows]) {
          assert.equal(row.draft.date, day, `in ${ahead} days`)
          assert.deepEqual(
            row.warnings.map(({ code, field, value }: Row) => [code, field, value]),
            [['year_assumed', 'date', yearsBefore(day, 1)]],
          )
        }
        // Only an import has an answer to it.
        assert.deepEqual(
          rows[0].questions.map(({ kind, choices }: Row) => [kind, choices.map(({ id }: Row) => id)]),
          [['year_assumed', [day.slice(0, 4), yearsBefore(day, 1).slice(0, 4)]]],
        )
      }
    },
  )

  sqliteTest('a given date stands in for today', async () => {
    const { key } = await nora()
    const day = async (body: object, query = '') => {
      const reply = await app().request('POST', `${door}${query}`, {
        key,
        body: { text: pass([{ day: '010' }]), ...body },
      })
      assert.equal(reply.status, 200, reply.text)
      return reply.json.data[0].draft.date
    }
    assert.equal(await day({ date: '2019-12-30' }), '2020-01-10')
    assert.equal(await day({ date: '2019-02-01' }), '2019-01-10')
    assert.equal(await day({ date: '2019-11-01' }), '2019-01-10')
    assert.equal(await day({}, '?date=2012-01-05'), '2012-01-10')
  })

  sqliteTest('so does a date in the name of the file, or the date of the mail', async () => {
    const { key } = await nora()
    const text = pass([{ day: '047' }])
    const raw = pngOf(await drawBarcode(text, 'Aztec'))
    const dateOf = async (filename: string, bytes: Buffer) => {
      const body = { filename, base64: bytes.toString('base64') }
      const reply = await app().request('POST', '/api/v1/imports', { key, body })
      assert.equal(reply.status, 201, reply.text)
      const { rows } = await readImport(app(), key, reply.json.data.id)
      return [rows[0].draft.date, rows[0].warnings.map(({ code }: Row) => code)]
    }
    assert.deepEqual(await dateOf('IMG_20190216_101500.png', raw), ['2019-02-16', ['year_assumed']])
    assert.deepEqual(await dateOf('pass 1.3.2017.txt', Buffer.from(text)), ['2017-02-16', ['year_assumed']])
    const mail = [
      'From: a@example.org',
      'Date: Tue, 15 Feb 2022 10:00:00 +0000',
      'MIME-Version: 1.0',
      'Content-Type: image/png; name="IMG_20190216_101500.png"',
      'Content-Transfer-Encoding: base64',
      '',
      raw.toString('base64'),
    ].join('\r\n')
    assert.deepEqual(await dateOf('mail.eml', Buffer.from(mail)), ['2022-02-16', ['year_assumed']])
  })

  test('several passes of one import are one question, whose answer is the year of all', async () => {
    const { key } = await nora()
    const [one, two] = [addDays(today(), -20), addDays(today(), -10)]
    const text = `${passOn(one)}\n${passOn(two, { from: 'LHR', to: 'JFK' })}\n`
    const reply = await app().request('POST', '/api/v1/imports', { key, body: { filename: 'old.txt', text } })
    const { id } = reply.json.data
    const before = await readImport(app(), key, id)
    assert.equal(before.import.status, 'ready', 'the assumed years count until there is an answer')
    assert.deepEqual(
      before.import.questions.map(({ kind, value, rows }: Row) => [kind, value, rows]),
      [['year_assumed', 'passes', 2]],
    )
    const answered = (year: string) =>
      app().request('PATCH', `/api/v1/imports/${id}`, {
        key,
        body: { answers: [{ kind: 'year_assumed', value: 'passes', id: year }] },
      })
    assertError(await answered('1950'), 422, 'validation_failed', ['answers', '0', 'id'])
    const earlier = Number(one.slice(0, 4)) - 1
    assert.equal((await answered(String(earlier))).status, 200)
    const after = await readImport(app(), key, id)
    assert.deepEqual(
      after.rows.map(({ draft, warnings }: Row) => [draft.date.slice(0, 4), warnings]),
      [
        [String(earlier), []],
        [String(earlier), []],
      ],
    )
  })

  sqliteTest(
    'unusable parts are reported, trains are not flights, and an invalid date is an error',
    async () => {
      const { key } = await nora()
      const text = pass([
        { from: 'QKL', to: 'FRA', carrier: 'LH', number: '3500 ' },
        { from: 'FRA', to: 'JFK', carrier: 'LH', number: '0400 ', day: '000' },
        { from: 'JFK', to: 'FRA', carrier: 'LH', number: '0401 ', compartment: 'R', size: '30' },
      ])
      const rows = await rowsOf(key, { text, date })
      assert.deepEqual(
        rows.map(({ verdict, code, warnings }) => [
          verdict,
          code,
          warnings.map((warning: Row) => warning.code),
        ]),
        [
          ['skipped', 'not_a_flight', ['truncated', 'year_assumed']],
          ['error', 'bad_date', ['truncated']],
          ['new', null, ['value_not_understood', 'truncated', 'year_assumed']],
        ],
      )
      const station = await rowsOf(key, { text: pass([{ from: 'FRA', to: 'XQZ', carrier: 'LH' }]), date })
      assert.deepEqual([station[0].verdict, station[0].code], ['skipped', 'not_a_flight'])
      const unknown = await rowsOf(key, { text: pass([{ from: 'FRA', to: 'JQQ', carrier: 'LH' }]), date })
      assert.deepEqual(
        [unknown[0].verdict, unknown[0].code, unknown[0].questions[0].value],
        ['question', 'unknown_airport', 'JQQ'],
      )
    },
  )

  sqliteTest('several bar codes are read line by line, and an invalid one becomes a row', async () => {
    const { key } = await nora()
    const rows = await rowsOf(key, { text: `${pass()}\nhttps://example.org/Q7RT2M\n\n${pass()}\n`, date })
    assert.deepEqual(
      rows.map(({ line, verdict, code }) => [line, verdict, code]),
      [
        [1, 'new', null],
        [2, 'error', 'not_a_boarding_pass'],
        [4, 'duplicate', 'duplicate_in_file'],
      ],
    )
    assert.ok(!JSON.stringify(rows).includes('Q7RT2M'))
  })

  sqliteTest(
    'texts that are not passes are refused with the reason, and nothing of them is logged',
    async () => {
      const { key } = await nora()
      for (const text of ['https://example.org/SECRETQ7', 'SECRETQ7', pass().slice(0, 40), 'M9', '\n\n']) {
        const reply = await app().request('POST', door, { key, body: { text } })
        assertError(reply, 422, 'validation_failed')
        assert.equal(reply.json.error.reason, 'not_a_boarding_pass')
        assert.ok(!reply.text.includes('SECRETQ7'))
      }
      assertNotLogged('SECRETQ7', 'LINDQVIST')
    },
  )

  sqliteTest('a pass that is not a text and an invalid date are refused at their fields', async () => {
    const { key } = await nora()
    const refused = async (body: unknown, path: string[]) =>
      assertError(await app().request('POST', door, { key, body }), 422, 'validation_failed', path)
    const text = pass()
    await refused({}, ['text'])
    await refused({ text: '' }, ['text'])
    await refused({ text: 7 }, ['text'])
    await refused({ text: 'x'.repeat(20_001) }, ['text'])
    await refused({ text, date: '2026-02-30' }, ['date'])
    await refused({ text, date: 'yesterday' }, ['date'])
    await refused({ text, bookingReference: 'yes' }, ['bookingReference'])
    await refused({ text, more: 1 }, ['more'])
    for (const query of ['?date=2026-13-01', '?date=', '?day=2026-01-01'])
      assertError(await app().request('POST', `${door}${query}`, { key, body: { text } }), 400, 'bad_request')
    const broken = await app().request('POST', door, {
      key,
      raw: '{',
      headers: { 'content-type': 'application/json' },
    })
    assertError(broken, 400, 'invalid_json')
    assertError(await app().request('POST', door, { body: { text } }), 401, 'unauthorized')
    const { key: narrow } = await nora(undefined, ['flight.read.own'])
    assertError(await app().request('POST', door, { key: narrow, body: { text } }), 403, 'insufficient_scope')
  })

  test('a repeat with an idempotency key is read again, because no response is stored', async () => {
    const { person, key } = await nora()
    const ask = { key, headers: { 'idempotency-key': 'one' }, body: { text: pass(), date } }
    assert.equal((await app().request('POST', door, ask)).json.data[0].verdict, 'new')
    await logFlight(app(), person, {
      date: '2026-09-01',
      fromId: await app().airportId('MAD'),
      toId: await app().airportId('LHR'),
      flightNumber: 'IB3170',
    })
    const again = await app().request('POST', door, ask)
    assert.equal(again.json.data[0].verdict, 'duplicate')
    assert.equal(again.headers['idempotency-replayed'], undefined)
  })

  // Pictures

  const picture = async (text: string, format: 'Aztec' | 'PDF417' | 'QRCode' = 'Aztec') =>
    pngOf(await drawBarcode(text, format))
  const photograph = (key: string, raw: Buffer, query = '') =>
    app().request('POST', `${door}${query}`, { key, raw, headers: { 'content-type': 'image/png' } })

  sqliteTest('a picture of a pass gives the same result as its text', async () => {
    const { key } = await nora()
    const text = pass([
      { once: { issued: '6243' } },
      { from: 'LHR', to: 'JFK', carrier: 'BA', number: '0117 ' },
    ])
    for (const format of ['Aztec', 'PDF417'] as const) {
      const reply = await photograph(key, await picture(text, format), `?date=${date}`)
      assert.equal(reply.status, 200, reply.text)
      assert.deepEqual(reply.json.data.map(written), [
        'new 2026-09-01 LEMD>EGLL IB3170 IBE - - - -',
        'new 2026-09-01 EGLL>KJFK BA117 BAW - - - -',
      ])
      assert.equal(reply.json.data[0].draft.bookingReference, null)
      assert.ok(!reply.text.includes('Q7RT2M'))
    }
    const dated = await photograph(key, await picture(pass([{ day: '010' }])), '?date=2019-12-30')
    assert.equal(dated.json.data[0].draft.date, '2020-01-10')
    assert.deepEqual(await flightsOf(key), [])
    assert.deepEqual((await app().request('GET', '/api/v1/imports', { key })).json.data, [])
    assertNotLogged('LINDQVIST', 'Q7RT2M')
  })

  sqliteTest('pictures without a pass, damaged pictures and large ones are refused', async () => {
    const { key } = await nora()
    const bytes = [
      await picture('https://example.org/checkin', 'QRCode'),
      Buffer.from('not a picture'),
      Buffer.from('%PDF-1.7'),
      (await picture(pass())).subarray(0, 200),
      Buffer.alloc(0),
    ]
    for (const raw of bytes) {
      const reply = await photograph(key, raw)
      assertError(reply, 422, 'validation_failed')
    }
    assert.equal((await photograph(key, bytes[0]!)).json.error.reason, 'not_a_boarding_pass')
    const large = Buffer.alloc(20 * 1024 * 1024 + 1)
    assertError(await photograph(key, large), 413, 'payload_too_large')
    assertError(await photograph(key, bytes[0]!, '?date=today'), 400, 'bad_request')
  })

  sqliteTest('pending pictures are limited: one too many gets 429 and succeeds later', async () => {
    const { key } = await nora()
    const raw = await picture(pass())
    const request = { source: 'bcbp' as const, options: {}, today: date, documentDate: date, mapping: null }
    let isAsked = false
    // Each free place is filled immediately, so that none is free when the request comes.
    const busy = Array.from({ length: 10 }, async (_, person) => {
      while (!isAsked)
        await app().services.imports.read(`person ${person}`, raw, {
          ...request,
          preferredOrder: null,
          filename: '',
        })
    })
    const refused = await photograph(key, raw)
    isAsked = true
    await Promise.all(busy)
    assertError(refused, 429, 'too_many_requests')
    assert.deepEqual([refused.json.error.reason, refused.headers['retry-after']], ['too_many_pictures', '10'])
    assert.equal((await photograph(key, raw, `?date=${date}`)).status, 200)
  })

  test('a picture can be imported, and its file is deleted with the commit', async () => {
    const { key } = await nora()
    const raw = await picture(pass([{ day: '203' }]))
    const reply = await app().request('POST', '/api/v1/imports', {
      key,
      raw,
      headers: { 'content-type': 'image/png' },
    })
    assert.equal(reply.status, 201, reply.text)
    const { import: given, rows } = await readImport(app(), key, reply.json.data.id)
    assert.deepEqual(
      [given.source, rows[0].verdict, rows[0].draft.bookingReference],
      ['bcbp', 'new', 'Q7RT2M'],
    )
    assert.doesNotMatch(rows[0].raw, /Q7RT2M/)
    const files = async () => (await app().services.importFiles.list()).length
    const before = await files()
    await app().request('POST', `/api/v1/imports/${given.id}/commit`, { key })
    assert.equal(await files(), before - 1)
  })

  // Whose pass it is

  test('another person’s pass is marked as such, or asked about if the caller may import for others', async () => {
    const other = passText([{}], { name: 'HOPPER/GRACEMRS' })
    const { key } = await nora()
    const [mine] = await rowsOf(key, { text: other, date })
    assert.deepEqual([mine.verdict, mine.code], ['skipped', 'not_mine'])
    assert.deepEqual(
      mine.draft.passengers.map(({ user, guestName }: Row) => user?.displayName ?? guestName),
      ['Nora Lindqvist', 'Grace Hopper'],
    )

    const owner = await theOwner()
    const [asked] = await rowsOf(owner.key, { text: other, date })
    assert.deepEqual([asked.verdict, asked.code], ['question', 'which_user'])
    assert.deepEqual(
      asked.questions.map(({ kind, value, choices }: Row) => [kind, value, choices.map(({ id }: Row) => id)]),
      [['which_user', 'HOPPER/GRACEMRS', ['self', 'guest']]],
    )
    const { person: grace } = await nora()
    const body = { username: grace.username, displayName: 'Grace Hopper' }
    await app().request('PUT', '/app/api/me', { cookie: await grace.session(), body })
    const [offered] = await rowsOf(owner.key, { text: other, date })
    assert.deepEqual(
      offered.questions[0].choices.map(({ id }: Row) => id),
      ['self', grace.id, 'guest'],
      'a user of that name is a choice',
    )
    const unknowing = await owner.person.key(['flight.import.any', 'flight.import.own'])
    const [blind] = await rowsOf(unknowing, { text: other, date })
    assert.deepEqual(
      blind.questions[0].choices.map(({ id }: Row) => id),
      ['self', 'guest'],
      'not where the key may not see users',
    )
    const narrow = await owner.person.key(['flight.import.own'])
    const [byKey] = await rowsOf(narrow, { text: other, date })
    assert.deepEqual([byKey.verdict, byKey.code], ['skipped', 'not_mine'])

    const unsure = passText([{}], { name: 'LINDQVIST' })
    const [maybe] = await rowsOf(key, { text: unsure, date })
    assert.deepEqual([maybe.verdict, maybe.code], ['question', 'which_user'])
  })

  test('the owner can import another user’s pass, for that user only', async () => {
    const owner = await theOwner()
    const grace: TestPerson = await app().person()
    const text = passText([{}], { name: 'HOPPER/GRACEMRS' })
    const started = await send(owner.key, text)
    assert.deepEqual([started.rows[0].verdict, started.rows[0].code], ['question', 'which_user'])
    const answers = [{ kind: 'which_user', value: 'HOPPER/GRACEMRS', id: grace.id }]
    const path = `/api/v1/imports/${started.import.id}`
    const patched = await app().request('PATCH', path, { key: owner.key, body: { answers } })
    assert.equal(patched.status, 200, patched.text)
    const { rows } = await readImport(app(), owner.key, started.import.id)
    assert.deepEqual(
      [rows[0].verdict, rows[0].draft.passengers.map(({ user }: Row) => user.id)],
      ['new', [grace.id]],
    )
    const committed = await app().request('POST', `${path}/commit`, { key: owner.key })
    assert.equal(committed.status, 200, committed.text)
    assert.equal(committed.json.data.committed.created, 1)
    const [flight] = await flightsOf(await grace.key())
    assert.equal(flight.flightNumber, 'IB3170')
    // The answer is remembered for the next pass.
    const [next] = await rowsOf(owner.key, {
      text: passText([{ day: '250' }], { name: 'HOPPER/GRACEMRS' }),
      date,
    })
    assert.deepEqual(
      [next.verdict, next.draft.passengers.map(({ user }: Row) => user.id)],
      ['new', [grace.id]],
    )
  })

  // As a file

  async function send(key: string, text: string, options: object = {}) {
    const reply = await app().request('POST', '/api/v1/imports', { key, body: { text, options } })
    assert.equal(reply.status, 201, reply.text)
    return readImport(app(), key, reply.json.data.id)
  }

  sqliteTest('a text with bar codes can be imported, and stores no secret', async () => {
    const { key } = await nora()
    const text = `${pass([{ once: { issued: '6243' }, sold: { carrier: 'IB', member: 'FF99887766' } }])}\r\n${pass([{ day: '245' }]).toLowerCase()}\r\nrubbish\r\n`
    const given = await send(key, text)
    assert.equal(given.import.source, 'bcbp')
    assert.deepEqual(
      [given.import.counts.rows, given.import.counts.new, given.import.counts.error],
      [3, 2, 1],
    )
    assert.equal(given.rows[0].draft.bookingReference, 'Q7RT2M')
    assert.equal(given.rows[2].code, 'not_a_boarding_pass')
    const stored = await listRows(app().store.read, { importId: given.import.id, after: 0, limit: 10 })
    const shown = JSON.stringify(stored.map(({ raw, warnings }) => [raw, warnings]))
    assert.doesNotMatch(shown, /Q7RT2M|FF99887766|0752401234567|M1LINDQVIST|rubbish/i)
    assertNotLogged('LINDQVIST', 'Q7RT2M')

    const path = `/api/v1/imports/${given.import.id}`
    const without = await app().request('PATCH', path, {
      key,
      body: { options: { bookingReference: false } },
    })
    assert.equal(without.status, 200, without.text)
    const { rows } = await readImport(app(), key, given.import.id)
    assert.equal(rows[0].draft.bookingReference, null)
  })

  sqliteTest('bar codes are recognised under any media type, and a damaged one is not shown', async () => {
    const { key } = await nora()
    const reply = await app().request('POST', '/api/v1/imports?filename=pass.txt', {
      key,
      raw: pass([{ from: 'M4D' }]),
      headers: { 'content-type': 'text/plain' },
    })
    assert.equal(reply.status, 201, reply.text)
    const { import: given, rows } = await readImport(app(), key, reply.json.data.id)
    assert.equal(given.source, 'bcbp')
    assert.deepEqual([rows[0].verdict, rows[0].code], ['error', 'not_a_boarding_pass'])
    assert.doesNotMatch(JSON.stringify(rows), /Q7RT2M|LINDQVIST/)
  })

  test('the commit deletes the file; undo and redo work without it, and the same bytes are recognised', async () => {
    const { person, key } = await nora()
    const text = pass([{ day: '200' }])
    const { import: given } = await send(key, text)
    const path = `/api/v1/imports/${given.id}`
    const files = async () => (await app().services.importFiles.list()).length
    const before = await files()
    const committed = await app().request('POST', `${path}/commit`, { key })
    assert.equal(committed.json.data.status, 'committed', committed.text)
    assert.equal(await files(), before - 1)
    const [row] = await listRows(app().store.read, { importId: given.id, after: 0, limit: 10 })
    assert.deepEqual([row!.raw, row!.done], [null, 'created'])
    assert.equal((await flightsOf(key)).length, 1)
    const patch = await app().request('PATCH', path, { key, body: { options: { bookingReference: false } } })
    assertError(patch, 409, 'conflict')
    assert.equal((await app().request('POST', `${path}/undo`, { key })).json.data.status, 'undone')
    assert.equal((await flightsOf(key)).length, 0)
    assert.equal((await app().request('POST', `${path}/commit`, { key })).json.data.status, 'committed')
    assert.equal((await flightsOf(key)).length, 1)
    const again = () =>
      app().request('POST', '/api/v1/imports?filename=again.txt', {
        key,
        raw: Buffer.from(text),
        headers: { 'content-type': 'text/plain' },
      })
    const repeated = await again()
    assert.deepEqual(
      [repeated.status, repeated.json.data.id, repeated.json.data.repeated],
      [200, given.id, true],
    )
    assert.equal(await files(), before - 1, 'nothing secret is kept a second time')
    assert.equal((await flightsOf(await person.key()))[0].bookingReference, 'Q7RT2M')
    const expired = new Date(Date.parse(repeated.json.data.expiresAt) + 1)
    const known = (now: Date) =>
      findImportByContent(app().store.read, person.id, repeated.json.data.sha256, now)
    assert.deepEqual(
      [(await known(new Date(app().clock.now())))?.id, await known(expired)],
      [given.id, undefined],
    )
    await app().request('POST', `${path}/undo`, { key })
    const later = await again()
    assert.deepEqual([later.status, later.json.data.repeated], [201, false])
  })

  test('the file of a committed import stays while a row of it is pending', async () => {
    const { key } = await nora()
    const { import: given } = await send(
      key,
      `${pass([{ day: '201' }])}\n${passText([{ day: '202' }], { name: 'LINDQVIST' })}`,
    )
    assert.deepEqual([given.counts.new, given.counts.question], [1, 1])
    const path = `/api/v1/imports/${given.id}`
    const files = async () => (await app().services.importFiles.list()).length
    const before = await files()
    await app().request('POST', `${path}/commit`, { key })
    assert.equal(await files(), before)
    const answers = [{ kind: 'which_user', value: 'LINDQVIST', id: 'self' }]
    const patched = await app().request('PATCH', path, { key, body: { answers } })
    assert.equal(patched.status, 200, patched.text)
    await readImport(app(), key, given.id)
    const committed = await app().request('POST', `${path}/commit`, { key })
    assert.equal(committed.json.data.committed.created, 2, committed.text)
    assert.equal(await files(), before - 1)
  })

  // Assistants

  sqliteTest('the tool reads a pass and writes nothing', async () => {
    const { key } = await nora()
    const { isError, structuredContent } = await callTool(app(), key, 'read_boarding_pass', {
      text: pass(),
      date,
    })
    assert.ok(!isError)
    const [row] = structuredContent.data
    assert.deepEqual([row.verdict, row.draft.number, row.draft.date], ['new', 'IB3170', '2026-09-01'])
    assert.ok(!JSON.stringify(structuredContent).includes('Q7RT2M'))
    assert.deepEqual(await flightsOf(key), [])
    const refused = await callTool(app(), key, 'read_boarding_pass', { text: 'Dear passenger' })
    assert.equal(refused.isError, true)
    assert.match(JSON.stringify(refused), /not_a_boarding_pass/)
    const prompt = await modern(app(), key, 'prompts/get', {
      name: 'log_boarding_pass',
      arguments: { text: pass() },
    })
    assert.match(prompt.json.result.messages[0].content.text, /read_boarding_pass/)
  })
})
