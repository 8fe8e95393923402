// Looking up a flight: the caller's own log, then a provider, here on loopback with all documented responses.
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import type { Scope } from '../../server/domain/access/access.ts'
import { deleteExpired } from '../../server/process/cleanup.ts'
import { createLookups } from '../../server/services/lookup/lookups.ts'
import { openStore } from '../../server/store/store.ts'
import { messagesOf } from '../fixtures.ts'
import { onBothEngines, onSqlite, type TestClock, testOnSqlite } from '../harness.ts'
import { callTool } from '../mcp/clients.ts'
import { type Answer, leg, moment, startProvider, usualRoute } from './provider.ts'

const KEY = 'secret-of-the-provider'
/** The test clock starts on 2026-06-15. */
const DAY = '2026-06-01'
const flightsPath = (number: string, date: string) => `/flights/number/${number}/${date}`
const LX93 = leg({
  departs: '2026-06-01 18:25-03:00',
  arrives: '2026-06-02 11:00+02:00',
  departure: {
    revisedTime: moment('2026-06-01 18:40-03:00'),
    runwayTime: moment('2026-06-01 18:58-03:00'),
    gate: '305',
  },
  arrival: {
    revisedTime: moment('2026-06-02 10:51+02:00'),
    runwayTime: moment('2026-06-02 10:44+02:00'),
    terminal: 'E',
  },
})

const adb = await startProvider()
const adsbdb = await startProvider()
after(async () => {
  await adb.close()
  await adsbdb.close()
})
/** How long requests were delayed for the rate, and what the clock does meanwhile. */
const waits: number[] = []
let clockStands = false
let clock: TestClock

onBothEngines(
  'looking up a flight',
  (app, engine) => {
    const sqliteTest = testOnSqlite(engine)
    beforeEach(() => {
      adb.asked.length = 0
      adsbdb.asked.length = 0
      waits.length = 0
      clock = app().clock
      clock.advance(60_000)
    })

    const lookUp = async (number: string, date = DAY, key?: string, more = '') =>
      app().request('GET', `/api/v1/flight-lookup?number=${encodeURIComponent(number)}&date=${date}${more}`, {
        key: key ?? (await (await app().person()).key()),
      })
    const log = async (key: string, body: Record<string, unknown>) => {
      const { status, text, json } = await app().request('POST', '/api/v1/flights/log', { key, body })
      assert.equal(status, 201, text)
      return json.data
    }
    /** One request with this response of the provider. */
    const answered = async (number: string, answer: Answer, date = DAY) => {
      adb.says(flightsPath(number, date), answer)
      const { status, json, text } = await lookUp(number, date)
      assert.equal(status, 200, text)
      return json
    }

    sqliteTest('the instance reports that it has a provider', async () => {
      const { json } = await app().request('GET', '/api/v1')
      assert.equal(json.features.includes('flight-lookup'), true)
    })

    test('a flight of that day is returned with its planned and actual times', async () => {
      const { data, reason, message } = await answered('LX93', { json: [LX93] })
      assert.deepEqual([reason, message, data.length], [null, null, 1])
      const [{ draft, verdict, row, usual }] = data
      assert.deepEqual([draft.source, verdict, row, usual], ['aerodatabox', 'new', 1, null])
      assert.deepEqual(
        [draft.from.iata, draft.to.iata, draft.date, draft.flightNumber],
        ['GRU', 'ZRH', DAY, 'LX93'],
      )
      assert.deepEqual(
        [draft.departureScheduled, draft.departure, draft.takeoffActual],
        ['2026-06-01T18:25:00-03:00', '2026-06-01T18:40:00-03:00', '2026-06-01T18:58:00-03:00'],
      )
      assert.deepEqual(
        [draft.arrivalScheduled, draft.arrival, draft.landingActual],
        ['2026-06-02T11:00:00+02:00', '2026-06-02T10:51:00+02:00', '2026-06-02T10:44:00+02:00'],
      )
      assert.deepEqual(
        [draft.airline.icao, draft.aircraft.icao, draft.aircraftReg],
        ['SWR', 'B77W', 'HB-JNA'],
      )
      assert.deepEqual(
        [draft.departureTerminal, draft.departureGate, draft.arrivalTerminal, draft.arrivalGate],
        ['3', '305', 'E', null],
      )
      assert.deepEqual(adsbdb.asked, [], 'adsbdb is asked only if the other one knows nothing')
    })

    sqliteTest(
      'only number, date and key are sent to the provider, and the key is neither logged nor returned',
      async () => {
        const { text } = await lookUp('LX94')
        assert.deepEqual(adb.asked, [flightsPath('LX94', DAY)])
        const { host, ...sent } = adb.headers.at(-1)!
        assert.deepEqual(sent, {
          accept: 'application/json',
          'user-agent': 'contrail',
          'x-rapidapi-key': KEY,
          'x-rapidapi-host': host,
          connection: 'close',
        })
        assert.ok(!text.includes(KEY))
        assert.ok(!app().logged.some((line) => line.includes(KEY)))
      },
    )

    sqliteTest('all spellings of a number are the same number', async () => {
      adb.says(flightsPath('LX95', DAY), { json: [leg({ ...LX93Parts(), number: 'LX 95' })] })
      for (const written of ['LX95', 'lx 095', 'LX-95', 'SWR95']) {
        const { json } = await lookUp(written)
        assert.equal(json.data[0]?.draft.flightNumber, 'LX95', written)
      }
      assert.deepEqual(adb.asked, [flightsPath('LX95', DAY)])
    })

    sqliteTest('an overnight flight that arrives on that day is not returned', async () => {
      const yesterday = leg({
        ...LX93Parts(),
        departs: '2026-05-31 18:25-03:00',
        arrives: '2026-06-01 11:00+02:00',
        number: 'LX 96',
      })
      const today = leg({ ...LX93Parts(), number: 'LX 96' })
      const both = await answered('LX96', { json: [yesterday, today] })
      assert.deepEqual(
        both.data.map((one: { draft: { departureScheduled: string } }) => one.draft.departureScheduled),
        ['2026-06-01T18:25:00-03:00'],
      )
      const none = await answered('LX97', {
        json: [
          leg({
            ...LX93Parts(),
            departs: '2026-05-31 18:25-03:00',
            arrives: '2026-06-01 11:00+02:00',
            number: 'LX 97',
          }),
        ],
      })
      assert.deepEqual([none.data, none.reason], [[], 'not_found'])
    })

    sqliteTest('two legs of one number are two rows', async () => {
      const first = leg({
        number: 'LX 92',
        from: 'ZRH',
        to: 'GRU',
        departs: '2026-06-01 22:40+02:00',
        arrives: '2026-06-02 05:30-03:00',
      })
      const second = leg({
        number: 'LX 92',
        from: 'GRU',
        to: 'EZE',
        departs: '2026-06-01 07:00-03:00',
        arrives: '2026-06-01 10:00-03:00',
      })
      const { data } = await answered('LX92', { json: [first, second] })
      assert.deepEqual(
        data.map(
          ({ row, verdict, draft }: { row: number; verdict: string; draft: { from: { iata: string } } }) => [
            row,
            verdict,
            draft.from.iata,
          ],
        ),
        [
          [1, 'new', 'ZRH'],
          [2, 'new', 'GRU'],
        ],
      )
    })

    sqliteTest('UTC is used if local time and UTC disagree', async () => {
      const odd = leg({
        ...LX93Parts(),
        number: 'LX 98',
        departure: { scheduledTime: { utc: '2026-06-01 21:25Z', local: '2026-05-31 18:25' } },
      })
      const { data } = await answered('LX98', { json: [odd] })
      assert.equal(data[0].draft.departureScheduled, '2026-06-01T18:25:00-03:00')
    })

    sqliteTest('times in the future are planned ones', async () => {
      const date = '2026-06-20'
      const later = leg({
        number: 'LX 99',
        departs: '2026-06-20 18:25-03:00',
        arrives: '2026-06-21 11:00+02:00',
        departure: {
          revisedTime: moment('2026-06-20 19:25-03:00'),
          runwayTime: moment('2026-06-20 19:40-03:00'),
        },
        status: 'Expected',
      })
      const { data } = await answered('LX99', { json: [later] }, date)
      const [{ draft }] = data
      assert.deepEqual(
        [draft.departure, draft.departureScheduled, draft.takeoffActual],
        ['2026-06-20T18:25:00-03:00', '2026-06-20T18:25:00-03:00', null],
      )
    })

    sqliteTest('a cancelled flight is skipped, and a diverted one has no landing airport', async () => {
      const cancelled = await answered('LX100', {
        json: [leg({ ...LX93Parts(), number: 'LX 100', status: 'Canceled' })],
      })
      assert.deepEqual(
        [cancelled.data[0].verdict, cancelled.data[0].code, cancelled.data[0].draft.outcome],
        ['skipped', 'cancelled', 'cancelled'],
      )
      const diverted = await answered('LX101', {
        json: [
          leg({
            ...LX93Parts(),
            number: 'LX 101',
            status: 'Diverted',
            arrival: { revisedTime: moment('2026-06-02 10:51+02:00') },
          }),
        ],
      })
      const [{ draft }] = diverted.data
      assert.deepEqual([draft.arrival, draft.arrivalScheduled], [null, '2026-06-02T11:00:00+02:00'])
    })

    sqliteTest('a codeshare names the operating airline, by the other entry or the call sign', async () => {
      const marketing = {
        codeshareStatus: 'IsCodeshared',
        airline: { name: 'United', iata: 'UA', icao: 'UAL' },
      }
      const operating = leg({ ...LX93Parts() })
      const both = await answered('UA9722', {
        json: [leg({ ...LX93Parts(), number: 'UA 9722', ...marketing, callSign: null }), operating],
      })
      assert.equal(both.data.length, 1)
      const [{ draft }] = both.data
      assert.deepEqual(
        [draft.flightNumber, draft.airline.iata, draft.operatingAirline.iata, draft.operatingFlightNumber],
        ['UA9722', 'UA', 'LX', 'LX93'],
      )
      const alone = await answered('UA9723', {
        json: [leg({ ...LX93Parts(), number: 'UA 9723', ...marketing })],
      })
      assert.deepEqual(
        [alone.data[0].draft.operatingAirline.iata, alone.data[0].draft.operatingFlightNumber],
        ['LX', null],
      )
      const other = await answered('UA9724', { json: [leg({ ...LX93Parts() })] })
      assert.deepEqual(
        [
          other.data[0].draft.flightNumber,
          other.data[0].draft.airline.iata,
          other.data[0].draft.operatingFlightNumber,
        ],
        ['UA9724', 'UA', 'LX93'],
      )
    })

    sqliteTest('a registration’s aircraft type completes a flight without a type', async () => {
      adsbdb.says('/v0/aircraft/OY-KBA', {
        json: {
          response: {
            aircraft: {
              type: 'A340 313X',
              icao_type: 'A343',
              manufacturer: 'Airbus',
              registration: 'OY-KBA',
            },
          },
        },
      })
      const { data } = await answered('LX102', {
        json: [leg({ ...LX93Parts(), number: 'LX 102', aircraft: { reg: 'OY-KBA' } })],
      })
      assert.deepEqual([data[0].draft.aircraft.icao, data[0].draft.aircraftReg], ['A343', 'OY-KBA'])
      const unknown = await answered('LX103', {
        json: [leg({ ...LX93Parts(), number: 'LX 103', aircraft: { reg: 'OY-KBX' } })],
      })
      assert.deepEqual([unknown.data[0].draft.aircraft, unknown.reason], [null, null])
    })

    sqliteTest('every failure gives a reason', async () => {
      const cases: [number, string, Answer, string][] = [
        [1, 'LX201', { status: 204 }, 'not_found'],
        [2, 'LX202', { json: [] }, 'not_found'],
        [3, 'LX203', { status: 404, json: {} }, 'not_found'],
        [4, 'LX204', { status: 401, json: {} }, 'key_refused'],
        [5, 'LX205', { status: 403, json: {} }, 'key_refused'],
        [6, 'LX206', { status: 500, body: 'oops' }, 'no_response'],
        [7, 'LX207', { status: 503, body: '' }, 'no_response'],
        [8, 'LX208', { silent: true }, 'no_response'],
        [9, 'LX209', { cut: true }, 'no_response'],
        [10, 'LX210', { body: '<html>' }, 'bad_response'],
        [11, 'LX211', { json: { flights: [] } }, 'bad_response'],
        [12, 'LX212', { json: [{ number: 'LX 212' }, 7] }, 'bad_response'],
        [13, 'LX213', { body: `["${'x'.repeat(1_100_000)}"]` }, 'bad_response'],
        [14, 'LX214', { status: 302, headers: { location: `${adb.url}/elsewhere` } }, 'bad_response'],
        [15, 'LX215', { status: 400, json: { message: 'out of range' } }, 'too_far_back'],
      ]
      for (const [, number, answer, reason] of cases) {
        const json = await answered(number, answer)
        assert.deepEqual([json.data, json.reason], [[], reason], number)
        assert.ok(json.message.length > 10)
      }
      assert.ok(!adb.asked.includes('/elsewhere'), 'no redirect is followed')
      const ahead = await answered('LX216', { status: 400 }, '2026-12-24')
      assert.equal(ahead.reason, 'too_far_ahead')
      const near = await answered('LX217', { status: 400 }, '2026-06-14')
      assert.equal(near.reason, 'bad_response')
    })

    sqliteTest(
      'distant days are not requested, and a plan may include more than a year of history',
      async () => {
        assert.equal((await lookUp('LX93', '2024-06-14')).json.reason, 'too_far_back')
        assert.equal((await lookUp('LX93', '2027-06-16')).json.reason, 'too_far_ahead')
        assert.deepEqual(adb.asked, [])
        const departs = '2025-05-01 18:25-03:00'
        const old = leg({ number: 'LX 218', departs, arrives: '2025-05-02 11:00+02:00' })
        const known = await answered('LX218', { json: [old] }, '2025-05-01')
        assert.deepEqual([known.data[0]?.draft.date, known.reason], ['2025-05-01', null])
        for (const [number, answer] of Object.entries<Answer>({
          LX219: { status: 204 },
          LX220: { status: 400 },
          // Another day than the requested one.
          LX221: {
            json: [
              leg({ number: 'LX 221', departs: '2025-05-03 18:25-03:00', arrives: '2025-05-04 11:00+02:00' }),
            ],
          },
        })) {
          const { data, reason } = await answered(number, answer, '2025-05-01')
          assert.deepEqual([data, reason], [[], 'too_far_back'], number)
        }
      },
    )

    test('after the quota is used, requests pause as long as the provider states, or a minute', async () => {
      const limited = await answered('LX301', { status: 429, headers: { 'retry-after': '600' } })
      assert.deepEqual([limited.reason, limited.data], ['quota_used', []])
      assertAbout(Date.parse(limited.retryAt) - app().clock.now(), 600_000)
      const meanwhile = await answered('LX302', { json: [leg({ ...LX93Parts(), number: 'LX 302' })] })
      assert.equal(meanwhile.reason, 'quota_used')
      assert.deepEqual(adb.asked, [flightsPath('LX301', DAY)], 'nothing more is asked meanwhile')
      app().clock.advance(600_000)
      assert.equal((await lookUp('LX302')).json.reason, null)
      const unsaid = await answered('LX303', { status: 429 })
      assertAbout(Date.parse(unsaid.retryAt) - app().clock.now(), 60_000)
      app().clock.advance(60_000)
    })

    test('responses are cached: past days permanently, coming days for half an hour, failures briefly', async () => {
      const ask = async (number: string, date: string) => (await lookUp(number, date)).json
      adb.says(flightsPath('LX401', DAY), { json: [leg({ ...LX93Parts(), number: 'LX 401' })] })
      await ask('LX401', DAY)
      const future = '2026-07-01'
      adb.says(flightsPath('LX402', future), {
        json: [
          leg({ number: 'LX 402', departs: '2026-07-01 18:25-03:00', arrives: '2026-07-02 11:00+02:00' }),
        ],
      })
      await ask('LX402', future)
      adb.says(flightsPath('LX403', DAY), { status: 500 })
      await ask('LX403', DAY)
      const counts = () =>
        ['LX401', 'LX402', 'LX403'].map((number) => adb.asked.filter((path) => path.includes(number)).length)
      assert.deepEqual(counts(), [1, 1, 1])
      for (const number of ['LX401', 'LX403']) await ask(number, DAY)
      await ask('LX402', future)
      assert.deepEqual(counts(), [1, 1, 1], 'at once')
      app().clock.advance(60_000)
      await deleteExpired(app().store, app().clock.now())
      for (const number of ['LX401', 'LX403']) await ask(number, DAY)
      await ask('LX402', future)
      assert.deepEqual(counts(), [1, 1, 2], 'after a minute')
      app().clock.advance(31 * 60_000)
      await deleteExpired(app().store, app().clock.now())
      await ask('LX402', future)
      assert.deepEqual((await ask('LX401', DAY)).data.length, 1)
      assert.deepEqual(counts(), [1, 2, 2], 'after half an hour')
    })

    sqliteTest('requests are spaced at the provider’s rate', async () => {
      const key = await (await app().person()).key()
      for (const number of ['LX501', 'LX502', 'LX503']) {
        adb.says(flightsPath(number, DAY), { json: [leg({ ...LX93Parts(), number })] })
        await lookUp(number, DAY, key)
      }
      assert.deepEqual(waits, [1100, 1100])
    })

    sqliteTest('a caller with too long a wait is refused immediately and not counted', async () => {
      const key = await (await app().person()).key()
      clockStands = true
      const reasons = []
      for (let i = 0; i < 7; i++) {
        const number = `LX${511 + i}`
        adb.says(flightsPath(number, DAY), { json: [leg({ ...LX93Parts(), number })] })
        reasons.push((await lookUp(number, DAY, key)).json.reason)
      }
      clockStands = false
      assert.deepEqual(reasons, [null, null, null, null, null, 'busy', 'busy'])
      assert.deepEqual(waits.slice(0, 4), [1100, 2200, 3300, 4400])
      assert.equal(adb.asked.length, 5)
    })

    test('concurrent equal lookups send one request', async () => {
      adb.says(flightsPath('LX520', DAY), { json: [leg({ ...LX93Parts(), number: 'LX 520' })] })
      const key = await (await app().person()).key()
      const replies = await Promise.all(Array.from({ length: 5 }, () => lookUp('LX520', DAY, key)))
      assert.deepEqual(
        replies.map(({ json }) => json.data.length),
        [1, 1, 1, 1, 1],
      )
      assert.equal(adb.asked.length, 1)
    })

    test('one person cannot use up everyone’s quota', async () => {
      const key = await (await app().person()).key()
      const ask = async (number: string, as = key) => {
        app().clock.advance(2000)
        return (await lookUp(number, DAY, as)).json
      }
      for (let i = 0; i < 20; i++) assert.equal((await ask(`LX${600 + i}`)).reason, 'not_found')
      const refused = await ask('LX620')
      assert.equal(refused.reason, 'too_many_lookups')
      assert.equal(refused.retryAt, '2026-06-16T00:00:00.000Z')
      assert.equal((await ask('LX600')).reason, 'not_found', 'cached lookups are free')
      assert.equal(
        (await ask('LX620', await (await app().person()).key())).reason,
        'not_found',
        'others may still ask',
      )
      const owner = await (await app().person('owner')).key()
      for (let i = 21; i < 45; i++) assert.equal((await ask(`LX${600 + i}`, owner)).reason, 'not_found')
    })

    sqliteTest('adsbdb returns the route of the number, without times', async () => {
      adsbdb.says('/v0/callsign/SK909', { json: usualRoute(['EKCH', 'CPH'], ['KJFK', 'JFK']) })
      const { json } = await lookUp('SK909')
      const [{ draft }] = json.data
      assert.equal(json.reason, 'not_found', 'of that day nothing is known')
      assert.deepEqual(
        [draft.source, draft.from.iata, draft.to.iata, draft.date, draft.departure, draft.departureScheduled],
        ['adsbdb', 'CPH', 'JFK', DAY, null, null],
      )
      assert.deepEqual(adsbdb.asked, ['/v0/callsign/SK909'])
      await lookUp('SK909', '2026-06-02')
      assert.deepEqual(adsbdb.asked, ['/v0/callsign/SK909'], 'the day makes no difference to it')
    })

    sqliteTest('adsbdb is asked for the other code too, and a stop makes two rows', async () => {
      adsbdb.says('/v0/callsign/SAS910', {
        json: usualRoute(['EKCH', 'CPH'], ['KJFK', 'JFK'], ['ESSA', 'ARN']),
      })
      const { json } = await lookUp('SK910')
      assert.deepEqual(adsbdb.asked, ['/v0/callsign/SK910', '/v0/callsign/SAS910'])
      assert.deepEqual(
        json.data.map(({ draft }: { draft: { from: { iata: string }; to: { iata: string } } }) => [
          draft.from.iata,
          draft.to.iata,
        ]),
        [
          ['CPH', 'ARN'],
          ['ARN', 'JFK'],
        ],
      )
      adsbdb.says('/v0/callsign/SK911', { json: { response: 'garbage' } })
      assert.deepEqual((await lookUp('SK911')).json.data, [])
    })

    test('the own log comes first, with the route and without times of another day', async () => {
      const key = await (await app().person()).key()
      for (const [date, departure, aircraft] of [
        ['2026-01-05', '10:05', 'A333'],
        ['2026-02-05', '10:05', 'A333'],
        ['2026-03-05', '12:00', 'A359'],
      ])
        await log(key, {
          flightNumber: 'SK 919',
          from: 'CPH',
          to: 'JFK',
          date,
          departure,
          arrival: '13:00',
          aircraft,
        })
      const { json } = await lookUp('sk0919', '2026-04-05', key)
      const [{ draft, usual, verdict }] = json.data
      assert.deepEqual(
        [
          draft.source,
          draft.from.iata,
          draft.to.iata,
          draft.date,
          draft.departure,
          draft.arrival,
          draft.aircraft,
          verdict,
        ],
        ['own', 'CPH', 'JFK', '2026-04-05', null, null, null, 'new'],
      )
      assert.equal(draft.airline.iata, 'SK')
      assert.deepEqual(usual, {
        flights: 3,
        lastDate: '2026-03-05',
        departureTime: '10:05',
        arrivalTime: '13:00',
        arrivalDays: 0,
        aircraft: usual.aircraft,
      })
      assert.match(usual.aircraft, /A330/)
      assert.equal(json.reason, 'not_found', 'the provider was asked, and does not block the answer')
      assert.deepEqual(adb.asked, [flightsPath('SK919', '2026-04-05')])
    })

    test('with the source own, no other host is asked', async () => {
      const key = await (await app().person()).key()
      await log(key, { flightNumber: 'SK920', from: 'CPH', to: 'ARN', date: '2026-01-05' })
      const { json } = await lookUp('SK920', DAY, key, '&source=own')
      assert.deepEqual([json.data.length, json.reason], [1, null])
      const unknown = await lookUp('SK921', DAY, key, '&source=own')
      assert.deepEqual([unknown.json.data, unknown.json.reason], [[], 'not_found'])
      assert.deepEqual([adb.asked, adsbdb.asked], [[], []])
    })

    test('a codeshare is found by both of its numbers', async () => {
      const key = await (await app().person()).key()
      const [fromId, toId] = [await app().airportId('GRU'), await app().airportId('ZRH')]
      const body = {
        date: '2026-01-05',
        fromId,
        toId,
        flightNumber: 'UA 9722',
        operatingFlightNumber: 'LX 93',
      }
      assert.equal((await app().request('POST', '/api/v1/flights', { key, body })).status, 201)
      const { json } = await lookUp('LX93', '2026-05-05', key, '&source=own')
      assert.deepEqual([json.data[0].draft.flightNumber, json.data[0].draft.from.iata], ['LX93', 'GRU'])
    })

    test('a number with several routes has a row for each, the last one first', async () => {
      const key = await (await app().person()).key()
      await log(key, { flightNumber: 'SK930', from: 'CPH', to: 'ARN', date: '2024-01-05' })
      await log(key, { flightNumber: 'SK930', from: 'CPH', to: 'OSL', date: '2025-01-05' })
      const { json } = await lookUp('SK930', DAY, key, '&source=own')
      assert.deepEqual(
        json.data.map(({ row, draft }: { row: number; draft: { to: { iata: string } } }) => [
          row,
          draft.to.iata,
        ]),
        [
          [1, 'OSL'],
          [2, 'ARN'],
        ],
      )
    })

    test('a flight in the log gets updates for empty fields and different times', async () => {
      const key = await (await app().person()).key()
      const flight = await log(key, {
        flightNumber: 'LX93',
        from: 'GRU',
        to: 'ZRH',
        date: DAY,
        departure: '18:25',
        arrival: '11:00',
        aircraftReg: 'HB-XXX',
      })
      adb.says(flightsPath('LX93', DAY), { json: [LX93] })
      const { json } = await lookUp('LX93', DAY, key)
      const found = json.data.find(
        ({ draft }: { draft: { source: string } }) => draft.source === 'aerodatabox',
      )
      assert.deepEqual([found.verdict, found.of], ['duplicate', { flightId: flight.id }])
      const fields = found.updates.map(({ field }: { field: string }) => field).sort()
      assert.deepEqual(fields, [
        'aircraft',
        'arrival',
        'arrivalScheduled',
        'arrivalTerminal',
        'departure',
        'departureGate',
        'departureScheduled',
        'departureTerminal',
        'landingActual',
        'takeoffActual',
      ])
    })

    test('an assistant looks up a flight with the tool', async () => {
      adb.says(flightsPath('LX93', DAY), { json: [LX93] })
      const key = await (await app().person()).key()
      const { structuredContent } = await callTool(app(), key, 'flight_lookup', { number: 'LX93', date: DAY })
      assert.equal(structuredContent.data[0].draft.source, 'aerodatabox')
      const nothing = await callTool(app(), key, 'flight_lookup', { number: 'LX931', date: '2020-01-01' })
      assert.match(nothing.structuredContent.message, /no history beyond 365 days/)
    })

    test('without flight.read.own nothing of the log is returned', async () => {
      const ada = await app().person()
      await log(await ada.key(), { flightNumber: 'LX93', from: 'GRU', to: 'ZRH', date: DAY })
      const key = await ada.key(['reference_data.read'] as Scope[])
      const { json } = await lookUp('LX93', DAY, key)
      assert.deepEqual(
        json.data.map(({ draft, verdict, of, updates, usual }: Record<string, never>) => [
          (draft as unknown as { source: string }).source,
          verdict,
          of,
          updates,
          usual,
        ]),
        [['aerodatabox', 'new', null, [], null]],
      )
      const own = await lookUp('LX93', DAY, key, '&source=own')
      assert.deepEqual([own.status, own.json.error.code], [403, 'insufficient_scope'])
      const none = await lookUp('LX93', DAY, await ada.key(['flight.read.own'] as Scope[]))
      assert.deepEqual([none.status, none.json.error.code], [403, 'insufficient_scope'])
      assert.equal(
        (await app().request('GET', '/api/v1/flight-lookup?number=LX93&date=2026-06-01')).status,
        401,
      )
    })

    test('log_flight looks up a number that is not in the log, and reports it', async () => {
      const key = await (await app().person()).key()
      const say = (body: Record<string, unknown>) =>
        app().request('POST', '/api/v1/flights/log', { key, body })
      adb.says(flightsPath('LX93', DAY), { json: [LX93] })
      const { status, json, text } = await say({
        flightNumber: 'LX 93',
        date: DAY,
        seatNumber: '12A',
        arrivalGate: 'E52',
      })
      assert.equal(status, 201, text)
      const flight = json.data
      assert.deepEqual(
        [
          flight.from.iata,
          flight.to.iata,
          flight.departure,
          flight.aircraftReg,
          flight.departureGate,
          flight.arrivalGate,
        ],
        ['GRU', 'ZRH', '2026-06-01T18:40:00-03:00', 'HB-JNA', '305', 'E52'],
      )
      assert.match(messagesOf(json).join(' '), /GRU–ZRH.*AeroDataBox/)
      const again = await say({ flightNumber: 'LX 93', date: '2026-06-05' })
      assert.equal(again.json.data.departure, null, 'its own log knows the route now')
      assert.match(messagesOf(again.json).join(' '), /flight of 2026-06-01/)
      const line = await app().request('POST', '/api/v1/flights/log', {
        key: await (await app().person()).key(),
        body: { text: 'LX93 1.6.2026 12a' },
      })
      assert.deepEqual(
        [line.status, line.json.data?.from.iata, line.json.data?.departure],
        [201, 'GRU', flight.departure],
        line.text,
      )
      adsbdb.says('/v0/callsign/SK939', { json: usualRoute(['EKCH', 'CPH'], ['KJFK', 'JFK']) })
      const usual = await say({ flightNumber: 'SK939', date: DAY, departure: '10:05' })
      assert.deepEqual([usual.status, usual.json.data.to.iata], [201, 'JFK'], usual.text)
      assert.equal(usual.json.data.departure, '2026-06-01T10:05:00+02:00')
      assert.match(messagesOf(usual.json).join(' '), /adsbdb/)
    })

    test('log_flight refuses failed lookups and several legs with the reason, and lookups can be switched off', async () => {
      const key = await (await app().person()).key()
      const refusal = async (body: Record<string, unknown>) => {
        const { status, json } = await app().request('POST', '/api/v1/flights/log', { key, body })
        return [status, json.error.details[0].reason, json.error.details[0].message]
      }
      const [status, reason, message] = await refusal({ flightNumber: 'LX9400', date: DAY })
      assert.deepEqual([status, reason], [422, 'route_not_found'])
      assert.match(message, /LX9400.*No flight of that number on that day/)
      const legs = [
        leg({
          number: 'LX 94',
          from: 'ZRH',
          to: 'GRU',
          departs: '2026-06-01 22:40+02:00',
          arrives: '2026-06-02 05:30-03:00',
        }),
        leg({
          number: 'LX 94',
          from: 'GRU',
          to: 'EZE',
          departs: '2026-06-01 07:00-03:00',
          arrives: '2026-06-01 10:00-03:00',
        }),
      ]
      adb.says(flightsPath('LX9401', DAY), { json: legs.map((one) => ({ ...one, number: 'LX 9401' })) })
      assert.deepEqual((await refusal({ flightNumber: 'LX9401', date: DAY })).slice(0, 2), [422, 'ambiguous'])
      adb.asked.length = 0
      assert.deepEqual((await refusal({ flightNumber: 'LX9402', date: DAY, lookup: false })).slice(0, 2), [
        422,
        'route_unknown',
      ])
      assert.deepEqual(adb.asked, [])
    })

    sqliteTest('a bad number or date is refused with the reason', async () => {
      const key = await (await app().person()).key()
      const refusal = async (query: string) => {
        const { status, json } = await app().request('GET', `/api/v1/flight-lookup${query}`, { key })
        return [status, json.error.reason, json.error.params?.parameter, json.error.params?.problem?.reason]
      }
      assert.deepEqual(await refusal('?number=909&date=2026-02-20'), [
        400,
        'flight_number_form',
        undefined,
        undefined,
      ])
      assert.deepEqual(await refusal('?number=&date=2026-02-20'), [
        400,
        'flight_number_form',
        undefined,
        undefined,
      ])
      assert.deepEqual(await refusal('?number=../x&date=2026-02-20'), [
        400,
        'flight_number_form',
        undefined,
        undefined,
      ])
      assert.deepEqual(await refusal('?number=SK909&date=20.2.2026'), [
        400,
        'invalid_parameter',
        'date',
        'not_a_date',
      ])
      assert.deepEqual(await refusal('?number=SK909&date=2026-02-30'), [
        400,
        'invalid_parameter',
        'date',
        'no_such_day',
      ])
      assert.deepEqual(await refusal('?number=SK909'), [400, 'invalid_parameter', 'date', 'required'])
      assert.equal((await refusal('?number=SK909&date=2026-02-20&day=1'))[1], 'unknown_parameter')
      assert.deepEqual(adb.asked, [])
    })

    test('cached responses survive a restart, and processes share one rate', async () => {
      adb.says(flightsPath('LX801', DAY), { json: [leg({ ...LX93Parts(), number: 'LX 801' })] })
      adb.says(flightsPath('LX802', DAY), { json: [leg({ ...LX93Parts(), number: 'LX 802' })] })
      const ada = await app().person()
      await lookUp('LX801', DAY, await ada.key())
      const { config, services } = app()
      const store = await openStore(config, services.log)
      const waited: number[] = []
      const other = createLookups({
        store,
        config,
        clock,
        log: services.log,
        wait: async (ms) => void waited.push(ms),
      })
      const find = (number: string) =>
        other.find({ userId: ada.id, isOwner: false }, { number, icaoNumber: null, date: DAY })
      const [known] = await find('LX801')
      assert.equal(known?.records.length, 1)
      assert.equal(adb.asked.length, 1, 'it is not asked again')
      const [asked] = await find('LX802')
      assert.equal(asked?.records.length, 1)
      assert.deepEqual(waited, [1100], 'the turn of the other process is over first')
      await store.close()
    })
  },
  { aerodataboxKey: KEY, aerodataboxUrl: adb.url, adsbdb: true, adsbdbUrl: adsbdb.url },
  {
    lookup: {
      // One response never comes; all others must be here by then, on a busy machine too.
      timeoutMs: 3_000,
      wait: async (ms) => {
        waits.push(ms)
        if (!clockStands) clock.advance(ms)
      },
    },
  },
)

/** The clock advances while the other provider is asked. */
const assertAbout = (ms: number, expected: number) =>
  assert.ok(ms <= expected && ms > expected - 5000, `${ms} is not about ${expected}`)

/** The times of LX93. */
const LX93Parts = () => ({ departs: '2026-06-01 18:25-03:00', arrives: '2026-06-02 11:00+02:00' })

onSqlite('looking up a flight without a provider', (app) => {
  test('only the own log is read', async () => {
    const key = await (await app().person()).key()
    const ask = async () =>
      (await app().request('GET', '/api/v1/flight-lookup?number=SK909&date=2026-02-20', { key })).json
    const nothing = await ask()
    assert.deepEqual([nothing.data, nothing.reason], [[], 'no_provider'])
    await app().request('POST', '/api/v1/flights/log', {
      key,
      body: { flightNumber: 'SK909', from: 'CPH', to: 'EWR', date: '2025-02-20' },
    })
    const own = await ask()
    assert.deepEqual([own.data.length, own.reason, own.data[0].draft.source], [1, null, 'own'])
  })

  test('only instances with a provider report one', async () => {
    const { json } = await app().request('GET', '/api/v1')
    assert.equal(json.features.includes('flight-lookup'), false)
  })
})
