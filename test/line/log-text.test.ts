// log-flight with `text`: the web app's parser on the server, with the caller's own log; the same words mean the same
// airports in both.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { openLineData } from '../../server/domain/entry/line/data.ts'
import { readLine } from '../../server/domain/entry/line/read.ts'
import { core } from '../../web/src/i18n/en/core.ts'
import { complaints, messagesOf } from '../fixtures.ts'
import { onSqlite, type TestPerson } from '../harness.ts'
import { callTool } from '../mcp/clients.ts'
import { lineCases } from './cases.ts'
import { refusedLines } from './hard-cases.ts'
import { calendar, emptyLog } from './known.ts'

const isLong = process.env['FAULTS'] === 'long'

onSqlite('log-flight with text', (app) => {
  let ada: TestPerson
  let key: string
  before(async () => {
    app().clock.set('2026-11-16T12:00:00Z')
    ada = await app().person('role-user')
    key = await ada.key()
  })
  const log = (body: Record<string, unknown>, by = key) =>
    app().request('POST', '/api/v1/flights/log', { key: by, body })
  const logged = async (body: Record<string, unknown>, by = key) => {
    const reply = await log(body, by)
    assert.equal(reply.status, 201, reply.text)
    return { ...reply.json, warnings: messagesOf(reply.json) }
  }
  const fresh = async () => (await app().person('role-user')).key()

  test('a line becomes a flight, and the readings of its words are reported', async () => {
    const { data, understood, warnings } = await logged({
      text: 'BA117 3.3.26 LHR-JFK 0825-1110 a350 g-xwba 12a business with Tom t5 lovely',
    })
    assert.deepEqual(
      [
        data.from.iata,
        data.to.iata,
        data.date,
        data.flightNumber,
        data.airline.iata,
        data.aircraft.icao,
        data.aircraftReg,
      ],
      ['LHR', 'JFK', '2026-03-03', 'BA117', 'BA', 'A359', 'G-XWBA'],
    )
    assert.deepEqual(
      [data.departure, data.arrival],
      ['2026-03-03T08:25:00+00:00', '2026-03-03T11:10:00-05:00'],
    )
    assert.deepEqual([data.departureTerminal, data.note], ['5', 'lovely'])
    const [own, tom] = data.passengers
    assert.deepEqual([own.seatNumber, own.seatClass, tom.guestName], ['12A', 'business', 'Tom'])
    assert.deepEqual(
      understood.map(
        (part: Record<string, string>) => `${part['kind']} ${part['text']} = ${part['meaning']}`,
      ),
      [
        'flight BA117 = BA117, British Airways',
        'date 3.3.26 = 2026-03-03',
        'from LHR = LHR London Heathrow Airport',
        'joint - = ',
        'to JFK = JFK John F. Kennedy International Airport',
        'time 0825-1110 = departure 08:25, arrival 11:10',
        'aircraft a350 = Airbus A350-900',
        'registration g-xwba = G-XWBA',
        'seatNumber 12a = 12A',
        'seatClass business = business',
        'people with Tom = Tom',
        'terminal t5 = 5',
        'note lovely = lovely',
      ],
    )
    assert.ok(warnings.includes('“lovely” was not understood; it is in the note.'))
    assert.ok(
      warnings.some((warning: string) =>
        warning.startsWith('“a350” was taken as Airbus A350-900; it may also mean'),
      ),
    )
  })

  test('given fields override the text, and notes are combined', async () => {
    const { data } = await logged({
      text: 'SK1419 cph arn 2.3.26 12a with Tom, bumpy',
      to: 'OSL',
      date: '2026-03-05',
      seatNumber: '7C',
      companions: [{ name: 'Eve' }],
      note: 'mine',
    })
    assert.deepEqual([data.from.iata, data.to.iata, data.date], ['CPH', 'OSL', '2026-03-05'])
    assert.equal(data.passengers[0].seatNumber, '7C')
    assert.deepEqual(
      [data.passengers[1].guestName, data.passengers.length, data.note],
      ['Eve', 2, 'mine\nbumpy'],
    )
    const timed = await logged({ text: 'cph lhr march 2019', departureTime: '2019-03-05T21:55' })
    assert.deepEqual(
      [timed.data.date, timed.data.datePrecision, timed.data.departure],
      ['2019-03-05', 'day', '2019-03-05T21:55:00+01:00'],
    )
  })

  test('without text there is no `understood`', async () => {
    assert.equal('understood' in (await logged({ date: '2026-03-09', from: 'CPH', to: 'OSL' })), false)
  })

  test('missing values are named, and nothing is stored', async () => {
    const nobodys = await fresh()
    const cases: [Record<string, unknown>, string][] = [
      [{ text: 'cph jfk' }, 'date: text_names_no_day'],
      [{ text: 'cph jfk 30.2.' }, 'date: no_such_day'],
      [{ text: 'yesterday 12a' }, 'from: text_names_no_route'],
      [{ text: 'to jfk yesterday' }, 'from: text_names_no_route'],
      [{ text: 'from cph yesterday' }, 'to: text_names_no_route'],
      [{ text: 'SK909 jfk yesterday' }, 'from: text_names_no_route'],
      [{ text: 'SK909 yesterday' }, 'from: route_unknown'],
      [{ text: 'copenhagn jfk yesterday' }, 'from: text_names_similar'],
      [{ text: 'sfo to los angelos yesterday' }, 'to: text_names_similar'],
      [{ text: 'muc fra 1830 2015' }, 'date: text_names_no_day'],
      [{ text: 'cph jfk 0825', date: '2019-03' }, 'departureTime: time_without_day'],
      [{ from: 'CPH', to: 'JFK', date: '2019', arrivalTime: '11:10' }, 'arrivalTime: time_without_day'],
      [{ text: 'cph jfk', date: '2019-13' }, 'date: no_such_month'],
      [{ text: 'cph jfk', date: '2019-02-30' }, 'date: no_such_day'],
      [{ text: 'cph jfk', date: '19' }, 'date: spoken_date_form'],
      [{ text: ' ' }, 'text: required'],
      [{ text: 'x'.repeat(501) }, 'text: too_long'],
      [{ text: 7 }, 'text: not_a_text'],
      [{ text: 'cph jfk yesterday', companions: 'u1' }, 'companions: not_a_list'],
      [{ text: 'cph jfk yesterday', from: '999999999' }, 'from: no_airport_matches'],
    ]
    for (const [body, complaint] of cases) {
      const reply = await log(body, nobodys)
      assert.equal(reply.status, 422, reply.text)
      assert.deepEqual(complaints(reply), [complaint], JSON.stringify(body))
    }
    const { json } = await app().request('GET', '/api/v1/flights', { key: nobodys })
    assert.deepEqual(json.data, [])
  })

  test('a number alone gets the route of the log, and the response reports it', async () => {
    const by = await fresh()
    await logged({ text: 'SK909 cph ewr 3.10.2026' }, by)
    const { data, warnings } = await logged({ text: 'sas 909 20 feb 12a' }, by)
    assert.deepEqual(
      [data.from.iata, data.to.iata, data.date, data.flightNumber],
      ['CPH', 'EWR', '2026-02-20', 'SK909'],
    )
    assert.deepEqual(warnings, [
      '“20 feb” was taken as 2026-02-20; it may also mean 2027-02-20 or 2025-02-20.',
      'The route CPH–EWR was taken from the flight of 2026-10-03.',
    ])
    const asked = await log({ text: 'cph new york 1.1.2027' }, by)
    assert.match(asked.json.error.details[0].params.candidates[0], /^EWR .*in your log/)
    const { data: seat } = await logged({ text: 'cph ewr 1.2.2027' }, by)
    assert.deepEqual(
      [seat.passengers[0].seatNumber, seat.flightNumber],
      [null, null],
      'nothing more is copied from the log',
    )
  })

  test('today is the date at home', async () => {
    const person = await app().person('role-user')
    const [by, cookie] = [await person.key(), await person.session()]
    const homeAirportId = await app().airportId('AKL')
    const preferences = (await app().request('GET', '/app/api/preferences', { cookie })).json.data
    const set = await app().request('PUT', '/app/api/preferences', {
      cookie,
      body: { ...preferences, homeAirportId },
      headers: { 'sec-fetch-site': 'same-origin' },
    })
    assert.equal(set.status, 200, set.text)
    const { data } = await logged({ text: 'akl wlg today' }, by)
    assert.equal(data.date, '2026-11-17', 'it is already tomorrow in Auckland')
  })

  test('a user with an account is a passenger, not a guest', async () => {
    const grace = await app().person('role-user')
    const first = await logged({ text: 'osl bgo 1.4.2026', companions: [{ userId: grace.id }] })
    assert.deepEqual(
      first.data.passengers.map(({ user }: { user: { id: string } }) => user.id),
      [ada.id, grace.id],
    )
    const second = await logged({ text: `osl bgo 8.4.2026 with ${grace.displayName}` })
    assert.equal(second.data.passengers[1].user.id, grace.id)
    const unknown = await log({ text: 'osl bgo 9.4.2026', companions: [{ userId: 'nobody' }] })
    assert.equal(unknown.status, 422)
  })

  test('a likely duplicate is refused as with fields', async () => {
    const by = await fresh()
    await logged({ text: 'trd osl 1.5.2026' }, by)
    assert.equal((await log({ text: 'osl trd 1.5.2026' }, by)).status, 201, 'back again')
    assert.equal((await log({ text: 'trd osl 1.5.2026' }, by)).status, 409)
    assert.equal((await log({ text: 'trd osl 1.5.2026', allowDuplicate: true }, by)).status, 201)
  })

  test('assistants may pass the person’s own words', async () => {
    const by = await fresh()
    const result = await callTool(app(), by, 'log_flight', { text: 'cph arn gestern fenster' })
    assert.equal(result.isError ?? false, false, JSON.stringify(result))
    assert.equal((result.structuredContent as { data: { date: string } }).data.date, '2026-11-15')
  })

  test('an impossible speed is said in the words of the form, over REST and MCP', async () => {
    const text = 'lufthansa frankfurt singapore 3 may 2019 14:05 22:30'
    const said = core['form.warnFast'].replace('{speed}', '4,255')
    assert.ok((await logged({ text }, await fresh())).warnings.includes(said))
    const result = await callTool(app(), await fresh(), 'log_flight', { text })
    const { warnings } = result.structuredContent as { warnings: { message: string }[] }
    assert.ok(warnings.some(({ message }) => message === said))
    const list = await callTool(app(), await fresh(), 'log_flights', { flights: [{ text }] })
    assert.ok(JSON.stringify(list.structuredContent).includes(said))
  })

  test('a given day applies to the text, also to the arrival', async () => {
    const overnight = { text: 'sq321 lhr sin 22:05-18:00+1 tomorrow', date: '2026-02-01' }
    const { data } = await logged(overnight, await fresh())
    assert.deepEqual(
      [data.departure.slice(0, 16), data.arrival.slice(0, 16)],
      ['2026-02-01T22:05', '2026-02-02T18:00'],
    )
    const landed = await logged({ text: 'cph arn landed 9:05', date: '2026-03-03' }, await fresh())
    assert.equal(landed.data.arrival.slice(0, 16), '2026-03-03T09:05')
  })

  test('with a given day, four digits are a time, and codes mean what they meant then', async () => {
    for (const [typed, time] of [
      ['1930', '19:30'],
      ['2015', '20:15'],
    ]) {
      const { data } = await logged({ text: `SK909 cph ewr ${typed}`, date: '2026-11-15' }, await fresh())
      assert.equal(data.departure.slice(0, 16), `2026-11-15T${time}`)
    }
    const then = await logged({ text: 'hkg lhr', date: '1995-05' }, await fresh())
    assert.equal(then.data.from.icao, 'VHHX', 'Kai Tak')
  })

  test('an airline that differs from the number’s is kept, and a note of one’s own is read', async () => {
    const united = await logged({ text: 'SK909 cph ewr yesterday with United' }, await fresh())
    assert.deepEqual([united.data.flightNumber, united.data.airline.iata], ['SK909', 'UA'])
    const noted = await logged({ text: 'cph arn yesterday note: seat 12a was broken' }, await fresh())
    assert.deepEqual([noted.data.note, noted.warnings], ['seat 12a was broken', []])
  })

  test('a month or a year is stored as such', async () => {
    const by = await fresh()
    const precision = async (body: Record<string, unknown>) => {
      const { data } = await logged(body, by)
      return [data.date, data.datePrecision, data.departure, data.note]
    }
    assert.deepEqual(await precision({ text: 'cph jfk märz 2019' }), ['2019-03-01', 'month', null, null])
    assert.deepEqual(await precision({ text: 'cph osl in 2004 0825' }), ['2004-01-01', 'year', null, '0825'])
    assert.deepEqual(await precision({ from: 'CPH', to: 'LHR', date: '2001-05' }), [
      '2001-05-01',
      'month',
      null,
      null,
    ])
    const march = { text: 'cph arn march 2004', date: '2005-06-07' }
    assert.deepEqual(await precision(march), ['2005-06-07', 'day', null, null])
    const { data: then } = await logged({ text: 'hkg lhr 1997' }, by)
    assert.equal(then.from.icao, 'VHHX', 'Kai Tak')
  })

  test('a misspelt name is asked about and never applied', async () => {
    const reply = await log({ text: 'copenhagn jfk yesterday' }, await fresh())
    assert.deepEqual(reply.json.error.details[0].params, {
      text: 'copenhagn',
      candidates: ['CPH Copenhagen Kastrup Airport'],
    })
    const { data, warnings } = await logged({ text: 'copenhagn jfk yesterday', from: 'BLL' }, await fresh())
    assert.deepEqual([data.from.iata, data.note], ['BLL', 'copenhagn'])
    assert.ok(
      warnings.includes(
        '“copenhagn” was not understood; it is in the note. Did you mean CPH Copenhagen Kastrup Airport?',
      ),
      warnings.join('\n'),
    )
  })

  test('vague words, two misspelt names, several flights and boarding passes say what to do', async () => {
    const by = await fresh()
    const refusedFor = async (text: string) => {
      const reply = await log({ text }, by)
      assert.equal(reply.status, 422, text)
      return reply.json.error.details.map(
        ({ path, message }: { path: string[]; message: string }) => `${path.join('.')}: ${message}`,
      )
    }
    assert.deepEqual(await refusedFor('oslo bergen last summer'), [
      'date: “last summer” names no day, month or year alone. Say which is meant: 2026-06, 2026-07, 2026-08, 2026 or a day.',
    ])
    assert.deepEqual(await refusedFor('amstredam to barcelna 3 may 2019 HV5131'), [
      'from: No airport is called “amstredam”. Perhaps you mean AMS Amsterdam Airport Schiphol.',
      'to: No airport is called “barcelna”. Perhaps you mean BCN Josep Tarradellas Barcelona-El Prat Airport.',
    ])
    assert.deepEqual(await refusedFor('muc xyzville tomorrow'), [
      'from: The text does not name both airports, and “xyzville” was not understood. Give the code of the airport, such as CPH.',
    ])
    assert.match(
      (await refusedFor('EWR-SFO-HNL 3 may 2024'))[0],
      /^text: .* 2 flights: EWR–SFO, SFO–HNL\. .*log_flights/,
    )
    assert.match((await refusedFor('Monaco london 3 may 2019'))[0], /^from: “Monaco” may mean .*NCE/)
    const pass = 'M1ROSSI/MARIA         EQ7RT2M MADLHRIB 3170 244Y012C0041 100'
    const [said] = await refusedFor(pass)
    assert.match(said, /^text: .*boarding pass.*read_boarding_pass/)
    assert.doesNotMatch(said, /Q7RT2M/, 'the booking reference is not repeated')
    assert.deepEqual((await app().request('GET', '/api/v1/flights', { key: by })).json.data, [])
    const two = { flights: [{ from: 'EWR', to: 'SFO', date: '2024-05-03' }, 'SFO HNL 3 may 2024'] }
    const both = await app().request('POST', '/api/v1/flights/log/bulk', { key: by, body: two })
    assert.equal(both.json.summary.stored, 2, both.text)
  })

  test('places by other names, and names that the other end decides, need no question', async () => {
    const cases: [string, string, string][] = [
      ['Milan Linate to ZRH', 'LIN', 'ZRH'],
      ['chicago ohare BOS', 'ORD', 'BOS'],
      ['Houston Hobby DAL', 'HOU', 'DAL'],
      ['washington national BOS', 'DCA', 'BOS'],
      ['Moskau Scheremetjewo VIE', 'SVO', 'VIE'],
      ['Tegel Palma', 'TXL', 'PMI'],
      ['SCL Easter Island', 'SCL', 'IPC'],
      ['vueling ibiza valencia', 'IBZ', 'VLC'],
    ]
    const by = await fresh()
    for (const [text, from, to] of cases) {
      const { data } = await logged({ text: `${text} 3 may 2019` }, by)
      assert.deepEqual([data.from.iata, data.to.iata], [from, to], text)
    }
    const far = await log({ text: 'valencia bogota 4 may 2019' }, by)
    assert.equal(far.json.error?.details[0].reason, 'ambiguous', far.text)
  })

  test('a return is the way back of the newest flight, and is said to be', async () => {
    const by = await fresh()
    await logged({ text: 'SK909 cph ewr 10.11.2026' }, by)
    const { data, warnings } = await logged({ text: 'return on sunday' }, by)
    assert.deepEqual([data.from.iata, data.to.iata, data.date], ['EWR', 'CPH', '2026-11-15'])
    assert.ok(warnings.includes('“return” was taken as the way back of the newest flight: EWR–CPH.'))
  })

  test('no day is lost and no number invented', async () => {
    const cases: [string, string, string, string | null, string | null][] = [
      ['MUC HAM Lufthansa 5 may 2019', '2019-05-05', 'MUC–HAM', null, 'LH'],
      ['MUC HAM BA 24 dec 2019', '2019-12-24', 'MUC–HAM', null, 'BA'],
      ['CPH CDG 5 may 2019', '2019-05-05', 'CPH–CDG', null, null],
      ['FRA IST 0825 5 Mai 2019', '2019-05-05', 'FRA–IST', null, null],
      ['vol AF1 CDG JFK 3 mai 2003', '2003-05-03', 'CDG–JFK', 'AF1', 'AF'],
      ['los SK501 CPH LHR 5 jan 2018', '2018-01-05', 'CPH–LHR', 'SK501', 'SK'],
    ]
    for (const [text, ...expected] of cases) {
      const { data } = await logged({ text }, await fresh())
      const route = `${data.from.iata}–${data.to.iata}`
      assert.equal(data.datePrecision, 'day', text)
      assert.deepEqual([data.date, route, data.flightNumber, data.airline?.iata ?? null], expected, text)
    }
  })

  test('less or more than one flight is refused, and nothing is stored', async () => {
    const by = await fresh()
    for (const [text, reason] of refusedLines) {
      const reply = await log({ text }, by)
      assert.equal(reply.status, 422, text)
      const field = reason === 'no_such_day' ? 'date' : 'text'
      assert.deepEqual(complaints(reply), [`${field}: ${reason}`], text)
    }
    assert.deepEqual((await app().request('GET', '/api/v1/flights', { key: by })).json.data, [])
    const one = { from: 'CPH', to: 'FRA' }
    const settled = await logged({ text: 'CPH FRA LHR 5 jan 2018', ...one }, by)
    assert.deepEqual([settled.data.from.iata, settled.data.to.iata], ['CPH', 'FRA'])
    const given = await logged({ text: 'CPH HEL 30 feb 2018', date: '2018-02-28' }, by)
    assert.equal(given.data.date, '2018-02-28')
    const diverted = await logged(
      {
        text: 'SK501 CPH LHR 5 may 2019 diverted to LGW',
        ...{ from: 'CPH', to: 'LGW', plannedTo: 'LHR', outcome: 'diverted' },
      },
      by,
    )
    assert.deepEqual(
      [diverted.data.outcome, diverted.data.to.iata, diverted.data.plannedTo.iata],
      ['diverted', 'LGW', 'LHR'],
    )
  })

  test('a cancelled flight is stored as such and reported', async () => {
    const by = await fresh()
    const { data, warnings, understood } = await logged({ text: 'SK501 CPH LHR 5.1.2018 storniert' }, by)
    assert.deepEqual([data.outcome, data.note], ['cancelled', null])
    assert.deepEqual(warnings, [
      '“storniert” was taken to mean that the flight was cancelled; it does not count as flown.',
    ])
    assert.equal(understood.at(-1).meaning, 'cancelled')
    const said = await logged({ text: 'SK501 CPH LHR 6.1.2018 cancelled', outcome: 'flown' }, by)
    assert.deepEqual([said.data.outcome, said.warnings], ['flown', []])
  })

  test('browser and server read a line as the same airports and day or month', async () => {
    const cookie = await ada.session()
    const { json } = await app().request('GET', '/app/api/line-data', { cookie })
    const reference = openLineData(json.data)
    const codeOf = (id: number | undefined) => reference.airports.byId.get(id ?? 0)?.icao
    let [compared, asked] = [0, 0]
    const compare = lineCases.filter((_, i) => isLong || i % 3 === 0)
    for (const [text] of compare) {
      const { draft, missing, problem } = readLine(text, { reference, memory: emptyLog, calendar })
      if (missing.length > 0 || problem) continue
      // Separate logs, because the meaning of a city follows from the log.
      const reply = await log({ text }, await fresh())
      // In the web app a person sees how a line was read; here a name of several large airports is asked about.
      if (reply.status === 422) {
        for (const { path, reason, params } of reply.json.error.details) {
          const id = path[0] === 'from' ? draft.fromId : draft.toId
          const { iata } = reference.airports.byId.get(id!)!
          assert.equal(reason, 'ambiguous', text)
          assert.ok(
            params.candidates.some((name: string) => name.startsWith(`${iata} `)),
            text,
          )
        }
        asked++
        continue
      }
      assert.equal(reply.status, 201, reply.text)
      const { data } = reply.json
      assert.deepEqual(
        [data.from.icao, data.to.icao, data.date, data.datePrecision],
        [codeOf(draft.fromId), codeOf(draft.toId), draft.date, draft.datePrecision ?? 'day'],
        text,
      )
      compared++
    }
    assert.ok(compared > compare.length / 2 && asked > 0, `${compared}, ${asked}`)
  })
})
