// The filters of a log, each alone and in pairs, compared with a plain filter of the whole list. Search, statistics and
// exports must agree with the list.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { logFlight } from '../fixtures.ts'
import { createRandom, onBothEngines, type Reply, type TestPerson } from '../harness.ts'
import { isLong } from '../rounds.ts'

interface Passenger {
  user: { id: string } | null
  seatClass: string | null
  flightReason: string | null
}
interface Shown {
  id: number
  date: string
  updatedAt: string
  note: string
  flightNumber: string | null
  aircraftReg: string | null
  from: { id: number; country: string }
  to: { id: number; country: string }
  airline: { id: number } | null
  aircraft: { id: number } | null
  track: object | null
  passengers: Passenger[]
}
/** Fields that the API lacks, for this test. */
interface Marks {
  outcome: string
  importId: number | null
  source: string | null
}
type Passes = (flight: Shown & Marks) => boolean

const FLIGHTS = 240
/** Smaller pages end more often between two equal flights. */
const PER_PAGE = isLong ? 7 : 19

onBothEngines('filters', (app, engine) => {
  let me: TestPerson
  let friend: TestPerson
  let key: string
  let all: (Shown & Marks)[]
  /** The time of change of several flights. */
  let middle: string
  const ids: Record<string, number> = {}

  const get = (path: string, as = key): Promise<Reply> => app().request('GET', `/api/v1${path}`, { key: as })
  const found = async (path: string, as = key): Promise<Reply> => {
    const reply = await get(path, as)
    assert.equal(reply.status, 200, `${path}: ${reply.text}`)
    return reply
  }

  /** Every flight of a list, page by page. */
  async function pages(path: string, limit = 100, as = key): Promise<Shown[]> {
    const flights: Shown[] = []
    let cursor: string | null = null
    do {
      const after: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const { json } = await found(`${path}${path.includes('?') ? '&' : '?'}limit=${limit}${after}`, as)
      flights.push(...json.data)
      cursor = json.page.nextCursor
    } while (cursor !== null)
    return flights
  }

  const recordId = async (kind: 'airlines' | 'aircraft', code: string): Promise<number> =>
    (await found(`/${kind}/by-code/${code}`)).json.data.id

  const sql = (text: string) => app().store.transaction((tx) => tx.execute(text))

  before(async () => {
    me = await app().person()
    friend = await app().person()
    key = await me.key()
    for (const code of ['CPH', 'LHR', 'LGW', 'EWR', 'NRT', 'HKG', 'VHHH'])
      ids[code] = await app().airportId(code)
    const past = await get('/airports/by-code/HKG?date=1990-05-01')
    ids['KaiTak'] = past.json.data.id
    for (const code of ['SK', 'BA', 'CX']) ids[code] = await recordId('airlines', code)
    for (const code of ['A20N', 'B77W']) ids[code] = await recordId('aircraft', code)
    await fill()
    all = (await pages('/flights')).map((flight) => ({ ...flight, ...marks.get(flight.id)! }))
    assert.equal(all.length, FLIGHTS)
    const times = all.map(({ updatedAt }) => updatedAt).sort()
    middle = times.find((time, i) => i > times.length / 2 && times[i + 1] === time)!
  })

  const marks = new Map<number, Marks>()
  const track = {
    coordinates: [
      [12, 55],
      [13, 56],
    ],
    sourceFormat: 'gpx',
  }

  async function fill(): Promise<void> {
    const random = createRandom(7)
    const airports = ['CPH', 'LHR', 'LGW', 'EWR', 'NRT', 'HKG', 'KaiTak'].map((name) => ids[name]!)
    const maybe = <Value>(value: Value): Value | null => (random.below(3) === 0 ? null : value)
    for (let i = 0; i < FLIGHTS; i++) {
      // Some flights were changed in the same millisecond.
      if (random.below(4) > 0) app().clock.advance(1000 * (1 + random.below(5000)))
      const fromId = random.pick(airports)
      const day = `${2019 + random.below(6)}-0${1 + random.below(9)}-${10 + random.below(15)}`
      const flight = await logFlight(app(), me, {
        date: day,
        fromId,
        toId: random.pick(airports.filter((id) => id !== fromId)),
        airlineId: maybe(random.pick(['SK', 'BA', 'CX'].map((code) => ids[code]!))),
        aircraftId: maybe(random.pick(['A20N', 'B77W'].map((code) => ids[code]!))),
        flightNumber: maybe(random.pick(['SK909', 'sk 0909', 'BA12', 'CX-909', 'SK910'])),
        aircraftReg: maybe(random.pick(['OY-KAL', 'oykal', 'G-XWBA'])),
        note: `n${i}`,
        passengers: [
          {
            userId: me.id,
            seatClass: maybe(random.pick(['economy', 'economy+', 'business'])),
            flightReason: maybe(random.pick(['leisure', 'business'])),
          },
          ...(random.below(3) === 0 ? [{ userId: friend.id, seatClass: 'first', flightReason: 'crew' }] : []),
        ],
        ...(random.below(6) === 0 ? { track } : {}),
      })
      const mark: Marks = {
        outcome: random.pick(['flown', 'flown', 'flown', 'cancelled', 'diverted']),
        importId: random.below(5) === 0 ? 3 : null,
        source: random.below(5) === 0 ? 'tripit' : null,
      }
      marks.set(flight.id, mark)
      await sql(
        `update flight set outcome = '${mark.outcome}', import_id = ${mark.importId} where id = ${flight.id}`,
      )
      if (mark.source) {
        await sql(
          `insert into external_id (user_id, source, value, flight_id) values ('${me.id}', '${mark.source}', 'v${i}', ${flight.id})`,
        )
      }
    }
  }

  const mine = (flight: Shown) => flight.passengers.find(({ user }) => user?.id === me.id)!
  const compact = (text: string | null) => text?.toUpperCase().replace(/[\s-]/g, '')
  const touches = (flight: Shown, airports: (number | undefined)[]) =>
    airports.includes(flight.from.id) || airports.includes(flight.to.id)

  /** Each filter with values and what they mean. */
  const filters = (): [string, Passes][] => [
    ['dateFrom=2021-03-15', ({ date }) => date >= '2021-03-15'],
    ['dateTo=2022-06-12', ({ date }) => date <= '2022-06-12'],
    [`updatedSince=${middle}`, ({ updatedAt }) => updatedAt >= middle],
    ['airport=CPH', (flight) => touches(flight, [ids['CPH']])],
    // A city's code means all its airports, a code all that ever had it.
    ['from=LON', ({ from }) => [ids['LHR'], ids['LGW']].includes(from.id)],
    ['to=HKG', ({ to }) => [ids['HKG'], ids['KaiTak']].includes(to.id)],
    ['airline=SK', ({ airline }) => airline?.id === ids['SK']],
    ['aircraft=A20N', ({ aircraft }) => aircraft?.id === ids['A20N']],
    ['flightNumber=SK0909', ({ flightNumber }) => ['SK909', 'SK0909'].includes(compact(flightNumber)!)],
    ['aircraftReg=oy-kal', ({ aircraftReg }) => compact(aircraftReg) === 'OYKAL'],
    ['country=jp', ({ from, to }) => from.country === 'JP' || to.country === 'JP'],
    [`passenger=${friend.id}`, ({ passengers }) => passengers.some(({ user }) => user?.id === friend.id)],
    ['hasTrack=true', (flight) => flight.track !== null],
    // The friend's class and reason differ.
    ['seatClass=economy%2B', (flight) => mine(flight).seatClass === 'economy+'],
    ['reason=business', (flight) => mine(flight).flightReason === 'business'],
    ['outcome=cancelled', ({ outcome }) => outcome === 'cancelled'],
    ['importId=3', ({ importId }) => importId === 3],
    ['externalSource=tripit', ({ source }) => source === 'tripit'],
  ]
  const more = (): [string, Passes][] => [
    [`from=${ids['CPH']}&from=EWR`, ({ from }) => [ids['CPH'], ids['EWR']].includes(from.id)],
    ['airport=lhr&airport=EKCH', (flight) => touches(flight, [ids['LHR'], ids['CPH']])],
    [
      `airline=BAW&airline=${ids['SK']}`,
      ({ airline }) => airline !== null && [ids['BA'], ids['SK']].includes(airline.id),
    ],
    ['aircraft=A20N&aircraft=B77W', ({ aircraft }) => aircraft !== null],
    [
      'country=JP&country=US',
      ({ from, to }) => [from.country, to.country].some((code) => ['JP', 'US'].includes(code)),
    ],
    // Digits alone match any airline; of a repeated parameter that is not a code, the first value is used.
    [
      'flightNumber=909&flightNumber=12',
      ({ flightNumber }) => /^(SK|CX)0*909$/.test(compact(flightNumber) ?? ''),
    ],
    ['dateFrom=2023-01-01&dateFrom=2019-01-01', ({ date }) => date >= '2023-01-01'],
    ['hasTrack=false', (flight) => flight.track === null],
    ['outcome=diverted', ({ outcome }) => outcome === 'diverted'],
    ['seatClass=first', () => false],
    ['dateFrom=2022-01-01&dateTo=2021-01-01', () => false],
    [`updatedSince=${middle.replace('Z', '%2B00:00')}`, ({ updatedAt }) => updatedAt >= middle],
    ['utm_source=x&_=1', () => true],
  ]
  const notes = (flights: readonly { note: string }[]) => flights.map(({ note }) => note)

  test('each filter and each pair finds what a plain filter finds', async () => {
    const single = filters()
    for (const [query, passes] of [...single, ...more()]) {
      const expected = all.filter(passes)
      assert.deepEqual(notes(await pages(`/flights?${query}`)), notes(expected), query)
    }
    const sizes: number[] = []
    for (const [i, [one, passesOne]] of single.entries()) {
      assert.ok(all.some(passesOne) && !all.every(passesOne), `${one} says nothing`)
      // Both engines combine two conditions alike: one of them tests every pair, the other a few of each filter.
      const others = single.slice(i + 1).filter((_, k) => engine === 'sqlite' || k % 4 === 0)
      for (const [other, passesOther] of others) {
        const expected = all.filter((flight) => passesOne(flight) && passesOther(flight))
        const { data, page } = (await found(`/flights?limit=100&${one}&${other}`)).json
        assert.deepEqual(notes(data), notes(expected.slice(0, 100)), `${one}&${other}`)
        assert.equal(page.nextCursor !== null, expected.length > 100, `${one}&${other}`)
        sizes.push(expected.length)
      }
    }
    assert.ok(sizes.filter((size) => size > 0).length > sizes.length / 2, 'most pairs find something')
  })

  test('search, export and statistics select the same flights', async () => {
    const flown = all.filter(({ outcome }) => outcome !== 'cancelled')
    assert.equal((await found('/stats')).json.data.flights, flown.length)
    assert.equal((await found('/stats?outcome=cancelled')).json.data.flights, all.length - flown.length)
    assert.equal((await get('/flights/export')).json.flights.length, all.length)
    for (const [query, passes] of [...filters(), ...more()]) {
      const expected = notes(all.filter(passes))
      assert.deepEqual(notes(await pages(`/flights/search?${query}`)), expected, `search ${query}`)
      const exported = (await found(`/flights/export?${query}`)).json
      assert.deepEqual(notes(exported.flights), expected, `export ${query}`)
      const users = new Set(
        all.filter(passes).flatMap(({ passengers }) => passengers.map(({ user }) => user!.id)),
      )
      assert.deepEqual(
        new Set(exported.users.map(({ id }: { id: string }) => id)),
        users,
        `people in the export ${query}`,
      )
      const counted = query.includes('outcome=') ? all.filter(passes) : flown.filter(passes)
      assert.equal((await found(`/stats?${query}`)).json.data.flights, counted.length, `stats ${query}`)
    }
    const byName = await pages('/flights/search?to=Hong Kong&airline=scandinavian'.replaceAll(' ', '%20'))
    assert.ok(byName.length > 0 && byName.every(({ to }) => to.country === 'HK'), 'the search takes names')
  })

  test('pages in every order add up to the whole list, with and without filters', async () => {
    const orders: Record<string, (a: Shown, b: Shown) => number> = {
      newest: (a, b) => (a.date === b.date ? b.id - a.id : a.date < b.date ? 1 : -1),
      oldest: (a, b) => (a.date === b.date ? a.id - b.id : a.date < b.date ? -1 : 1),
      updated: (a, b) => (a.updatedAt === b.updatedAt ? a.id - b.id : a.updatedAt < b.updatedAt ? -1 : 1),
      lastChanged: (a, b) => (a.updatedAt === b.updatedAt ? b.id - a.id : a.updatedAt < b.updatedAt ? 1 : -1),
      lastAdded: (a, b) => b.id - a.id,
    }
    const ofSearch = ['lastChanged', 'lastAdded']
    const some: [string, Passes][] = [
      ['', () => true],
      ['airport=CPH', (flight) => touches(flight, [ids['CPH']])],
      [`updatedSince=${middle}`, ({ updatedAt }) => updatedAt >= middle],
      ['dateFrom=2021-01-01', ({ date }) => date >= '2021-01-01'],
    ]
    const admin = await (await app().person('role-administrator')).key()
    for (const [order, compare] of Object.entries(orders)) {
      for (const [query, passes] of some) {
        const expected = notes(all.filter(passes).sort(compare))
        const path = `flights?order=${order}&${query}`
        const search = `/${path.replace('?', '/search?')}`
        assert.deepEqual(notes(await pages(search, PER_PAGE)), expected, `search, ${path}`)
        if (ofSearch.includes(order)) {
          assert.deepEqual(
            notes(await pages(`${search}&scope=all`, PER_PAGE, admin)),
            expected,
            `${path} of all`,
          )
          continue
        }
        assert.deepEqual(notes(await pages(`/${path}`, PER_PAGE)), expected, path)
        assert.deepEqual(
          notes(await pages(`/${path}&scope=all`, PER_PAGE, admin)),
          expected,
          `${path} of all`,
        )
        const exported = await found(`/${path.replace('?', '/export?')}`)
        assert.deepEqual(notes(exported.json.flights), expected, `export, ${path}`)
      }
    }
  })

  test('a cursor is valid only with its own filters and order', async () => {
    for (const path of ['/flights', '/flights/search']) {
      const lists = ['', 'order=oldest', 'order=updated', 'from=CPH', 'from=LHR', 'from=CPH&order=oldest']
      if (path.endsWith('search'))
        lists.push('order=lastAdded', 'order=lastChanged', 'when=past', 'date=2021')
      const cursors: string[] = []
      for (const query of lists) cursors.push((await found(`${path}?limit=1&${query}`)).json.page.nextCursor)
      for (const [i, query] of lists.entries()) {
        for (const [j, cursor] of cursors.entries()) {
          const reply = await get(`${path}?limit=1&${query}&cursor=${cursor}`)
          assert.equal(reply.status, i === j ? 200 : 400, `${path}?${query} with the cursor of ${lists[j]}`)
          if (i !== j) assert.equal(reply.json.error.message, 'Invalid cursor')
        }
      }
    }
    const forge = (text: string) => Buffer.from(text).toString('base64url')
    for (const text of [
      'f1.oldest~2021-01-01',
      'f1.oldest~x.1',
      'f1.oldest~2021-01-01.9007199254740992',
      'f1.~2021-01-01.1',
    ])
      assert.equal((await get(`/flights?order=oldest&cursor=${forge(text)}`)).status, 400, text)
    const old = await found(`/flights?limit=1&cursor=${forge('f1.2021-01-01.1')}`)
    assert.equal(old.json.data.length, 1, 'cursors of the plain list are as they were')
  })

  test('bad values are refused with their parameter', async () => {
    const refusals: [string, string][] = [
      ['dateFrom=yesterday', 'dateFrom: must be a date in the form YYYY-MM-DD'],
      ['dateTo=2026-02-30', 'dateTo: this day does not exist'],
      [
        'updatedSince=2026-02-20',
        'updatedSince: must be an ISO 8601 date-time with UTC offset, such as 2026-02-20T09:05:00+01:00',
      ],
      ['from=ZZZZZ', 'from: nothing matches “ZZZZZ”'],
      ['from=CPH&from=QQQQQ', 'from: nothing matches “QQQQQ”'],
      ['to=4294967297', 'to: nothing matches “4294967297”'],
      ['airport=0', 'airport: nothing matches “0”'],
      ['airport=', 'airport: this field is required'],
      ['airline=NoSuchAirline', 'airline: nothing matches “NoSuchAirline”'],
      ['aircraft=99999999', 'aircraft: nothing matches “99999999”'],
      ['country=ZZ', 'country: nothing matches “ZZ”'],
      ['country=Japan', 'country: nothing matches “Japan”'],
      ['passenger=unknown', 'passenger: nothing matches “unknown”'],
      ['hasTrack=yes', 'hasTrack: must be true or false'],
      ['seatClass=economy+', 'seatClass: must be one of: economy, economy+, business, first, private'],
      ['reason=fun', 'reason: must be one of: leisure, business, crew, other'],
      ['outcome=late', 'outcome: must be one of: flown, cancelled, diverted'],
      ['importId=x', 'importId: must be a number'],
      ['importId=0', 'importId: must be at least 1'],
      ['importId=9007199254740992', 'importId: must be at most 9007199254740991'],
      ['externalSource=Trip It', 'externalSource: does not have the required form'],
      ['order=random', 'order: must be one of: newest, oldest, updated'],
      ['flightNumber=', 'flightNumber: this field is required'],
      ['from=a%00b', 'from contains characters that are not text'],
      [
        `from=${Array.from({ length: 21 }, () => 'CPH').join('&from=')}`,
        'from: must have at most 20 entries',
      ],
    ]
    for (const path of ['/flights', '/flights/search', '/stats', '/flights/export']) {
      for (const [query, said] of refusals) {
        // The search accepts countries by name, and has two more orders.
        if (path === '/flights/search' && query === 'country=Japan') continue
        const message =
          path === '/flights/search' && query === 'order=random' ? `${said}, lastAdded, lastChanged` : said
        const reply = await get(`${path}?${query.replaceAll(' ', '%20')}`)
        assert.equal(reply.status, 400, `${path}?${query}: ${reply.text}`)
        assert.deepEqual(
          [reply.json.error.code, reply.json.error.message],
          ['bad_request', message],
          `${path}?${query}`,
        )
      }
    }
  })

  test('unknown parameters are refused with the known ones; the legacy API ignores them', async () => {
    for (const path of [
      '/flights',
      '/flights/search',
      '/stats',
      '/flights/export',
      '/flights/next',
      '/flights/latest',
    ]) {
      for (const name of ['updatedAfter', 'since', 'year', 'From']) {
        const reply = await get(`${path}?${name}=2026`)
        assert.equal(reply.status, 400, `${path}?${name}`)
        assert.equal(reply.json.error.reason, 'unknown_parameter')
        assert.match(
          reply.json.error.message,
          new RegExp(`^Unknown parameter ${name}\\. Known: .*dateFrom, `),
        )
        assert.ok(reply.json.error.params.known.includes('updatedSince'))
      }
      await found(`${path}?utm_campaign=spring&_=17`)
    }
    for (const path of ['/api/flight/list', '/api/flight/export', '/api/stats']) {
      const query = 'year=2026&from=ZZZZ&order=none&limit=0&format=json&x='
      const reply = await app().request('GET', `${path}?${query}`, { key })
      assert.equal(reply.status, 200, path)
    }
  })

  test('a cached response for a key that may know a user does not confirm them to another key', async () => {
    const [ada, stranger] = [await app().person('role-administrator'), await app().person()]
    const weak = await ada.key(['flight.read.own', 'reference_data.read', 'stats.read'])
    const knowing = await ada.key()
    for (const path of ['/flights', '/flights/search', '/flights/summary', '/stats']) {
      const statusFor = async (key: string) =>
        (await app().request('GET', `/api/v1${path}?passenger=${stranger.id}`, { key })).status
      assert.deepEqual([await statusFor(knowing), await statusFor(weak)], [200, 400], path)
    }
  })

  test('a user on no visible flight is neither confirmed nor denied', async () => {
    const plain = await app().person(['flight.read.own'])
    const stranger = await app().person()
    const as = await plain.key()
    const log = await logFlight(app(), await app().person('role-administrator'), {
      date: '2026-01-01',
      fromId: ids['CPH'],
      toId: ids['LHR'],
      note: 'shared',
      passengers: [{ userId: plain.id }, { userId: friend.id }],
    })
    for (const id of ['unknown', stranger.id]) {
      const { status, json } = await app().request('GET', `/api/v1/flights?passenger=${id}`, { key: as })
      assert.deepEqual([status, json.error.message], [400, `passenger: nothing matches “${id}”`])
    }
    assert.equal((await found(`/flights?passenger=${plain.id}`, as)).json.data.length, 1)
    const seen = await found(`/flights?passenger=${friend.id}`, as)
    assert.deepEqual(
      seen.json.data.map(({ id }: Shown) => id),
      [log.id],
      'only the flights that are visible anyway',
    )
  })

  test('external ids filter by the caller’s own, also in other people’s flights', async () => {
    const [one, two] = [await app().person('role-administrator'), await app().person('role-administrator')]
    const flight = await logFlight(app(), me, {
      date: '2026-02-01',
      fromId: ids['CPH'],
      toId: ids['LHR'],
      note: 'x',
    })
    await sql(
      `insert into external_id (user_id, source, value, flight_id) values ('${one.id}', 'sheet', '1', ${flight.id})`,
    )
    const path = '/flights?scope=all&externalSource=sheet'
    const idsOf = (reply: Reply) => reply.json.data.map(({ id }: Shown) => id)
    // A page is cached for others from its second request on.
    for (let i = 0; i < 3; i++) assert.deepEqual(idsOf(await found(path, await one.key())), [flight.id])
    assert.deepEqual(idsOf(await found(path, await two.key())), [])
    assert.deepEqual(
      idsOf(await found('/flights?externalSource=sheet')),
      [],
      'not those of others on own flights',
    )
  })

  test('class and reason match any passenger in everyone’s log, and the person in theirs', async () => {
    const admin = await (await app().person('role-administrator')).key()
    const friends = all.filter(({ passengers }) => passengers.some(({ user }) => user?.id === friend.id))
    const inAll = await pages('/flights?scope=all&seatClass=first', 100, admin)
    assert.deepEqual(notes(inAll), notes(friends))
    const theirs = await pages(`/flights?scope=user&userId=${friend.id}&reason=crew`, 100, admin)
    assert.deepEqual(notes(theirs), notes(friends))
    assert.deepEqual(await pages(`/flights?scope=user&userId=${friend.id}&reason=leisure`, 100, admin), [])
  })

  test('a filtered list, its cache and its ETag change with the log', async () => {
    const path = '/flights?from=NRT&to=CPH&order=updated&dateFrom=2030-01-01'
    const first = await found(path)
    assert.deepEqual(first.json.data, [])
    await logFlight(app(), me, { date: '2030-05-01', fromId: ids['NRT'], toId: ids['CPH'], note: 'later' })
    assert.deepEqual(notes((await found(path)).json.data), ['later'])
    const { headers } = await found(path)
    const again = await app().request('GET', `/api/v1${path}`, {
      key,
      headers: { 'if-none-match': headers['etag']! },
    })
    assert.equal(again.status, 304)
    const changed = await app().request('GET', `/api/v1${path}`, {
      key,
      headers: { 'if-none-match': first.headers['etag']! },
    })
    assert.equal(changed.status, 200)
    assert.notEqual(
      (await found('/stats?from=CPH')).headers['etag'],
      (await found('/stats?from=EWR')).headers['etag'],
    )
  })
})
