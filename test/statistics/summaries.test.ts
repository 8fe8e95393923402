// Flights counted and added up: expected figures for a small log, and the statistics of the same flights for a random one.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { flightReasons, groupings, seatClasses } from '../../server/domain/enums.ts'
import { airportIds, assertError, logFlight } from '../fixtures.ts'
import { createRandom, onBothEngines, onSqlite, type TestApp, type TestPerson } from '../harness.ts'

interface Sums {
  count: number
  distanceKm: number
  timeSeconds: number
  estimatedSeconds: number
  unknownFlights: number
}
interface Group extends Sums {
  key: string | null
  id?: number | string
  name?: string
}

async function summary(app: TestApp, key: string, query: string) {
  const reply = await app.request('GET', `/api/v1/flights/summary?${query.replaceAll(' ', '%20')}`, { key })
  assert.equal(reply.status, 200, `${query}: ${reply.text}`)
  return reply.json.data as {
    total: Sums
    groups: Group[]
    groupCount: number
    planned: number
    matched: Record<string, string[]>
  }
}

onBothEngines('summaries compared with expected figures', (app) => {
  let ada: TestPerson
  let grace: TestPerson
  let key: string
  const km: Record<string, number> = {}
  const ids: Record<string, number> = {}
  const records: Record<string, number> = {}
  const recordId = async (kind: 'airlines' | 'aircraft', code: string): Promise<number> =>
    (await app().request('GET', `/api/v1/${kind}/by-code/${code}`, { key })).json.data.id

  before(async () => {
    app().clock.set('2026-06-15T12:00:00Z')
    ada = await app().person()
    grace = await app().person()
    key = await ada.key()
    const [cph, lhr, ewr] = await airportIds(app(), 'CPH', 'LHR', 'EWR')
    for (const code of ['SK', 'BA']) records[code] = await recordId('airlines', code)
    records['A20N'] = await recordId('aircraft', 'A20N')
    const log = async (name: string, flight: object) => {
      const logged = await logFlight(app(), ada, {
        fromId: cph,
        toId: lhr,
        airlineId: records['SK'],
        ...flight,
      })
      ids[name] = logged.id
      km[name] = logged.distanceKm
    }
    const me = (rest: object) => ({ userId: ada.id, ...rest })
    await log('timed', {
      date: '2019-03-01',
      departure: '2019-03-01T08:00:00+01:00',
      arrival: '2019-03-01T09:00:00Z',
      aircraftId: records['A20N'],
      aircraftReg: 'oy-kal',
      passengers: [me({ seatClass: 'economy', flightReason: 'leisure' }), { userId: grace.id }],
    })
    await log('untimed', {
      date: '2019-03-05',
      fromId: lhr,
      toId: cph,
      aircraftReg: 'OY-KAL',
      passengers: [me({ seatClass: 'business', flightReason: 'business' }), { guestName: 'Linus' }],
    })
    await log('year', { date: '2019-01-01', datePrecision: 'year', toId: ewr, airlineId: null })
    await log('month', {
      date: '2020-05-01',
      datePrecision: 'month',
      fromId: ewr,
      toId: cph,
      duration: 28_800,
      passengers: [me({ seatClass: 'economy' }), { guestName: 'linus' }, { userId: grace.id }],
    })
    await log('today', { date: '2026-06-15', airlineId: null })
    await log('later', { date: '2026-08-01', airlineId: records['BA'] })
    await log('soon', { date: '2026-07-01', airlineId: records['BA'] })
    await log('cancelled', { date: '2025-01-01', outcome: 'cancelled' })
  })

  /** A jet takes 48 minutes and an hour for each 790 km up to 4000, then for each 905. */
  const estimate = (name: string) => {
    const far = Math.max(0, km[name]! - 4000)
    return Math.round((48 / 60 + (km[name]! - far) / 790 + far / 905) * 3600)
  }
  const known: Record<string, number> = { timed: 7200, month: 28_800 }
  const sumsOf = (...names: string[]): Sums => {
    const sum = (of: (name: string) => number) => names.reduce((total, name) => total + of(name), 0)
    return {
      count: names.length,
      distanceKm: Math.round(sum((name) => km[name]!)),
      timeSeconds: sum((name) => known[name] ?? estimate(name)),
      estimatedSeconds: sum((name) => (known[name] === undefined ? estimate(name) : 0)),
      unknownFlights: names.filter((name) => known[name] === undefined).length,
    }
  }
  const shown = (groups: readonly Group[]) =>
    groups.map(({ key: of, id: _id, name: _name, ...sums }) => [of, sums])

  test('the total has flown flights; planned and cancelled ones only if selected', async () => {
    const flown = ['timed', 'untimed', 'year', 'month', 'today']
    const all = await summary(app(), key, '')
    assert.deepEqual(all, { total: sumsOf(...flown), planned: 2, matched: {} })
    const totals: [string, string[], number?][] = [
      ['date=2019', ['timed', 'untimed', 'year']],
      ['date=2019-03', ['timed', 'untimed']],
      ['date=2019-01', []],
      ['date=2019-03-05', ['untimed']],
      ['date=2020-05', ['month']],
      ['date=2020-05-01', []],
      ['date=2019&dateFrom=2019-03-02', ['untimed']],
      ['dateFrom=2019-03-02&dateTo=2020-12-31', ['untimed', 'month']],
      ['date=2026', ['today'], 2],
      ['when=upcoming', ['today', 'soon', 'later']],
      ['when=past', ['timed', 'untimed', 'year', 'month']],
      ['when=upcoming&date=2026-07', ['soon']],
      ['outcome=cancelled', ['cancelled']],
      ['person=Linus', ['untimed', 'month']],
      [`person=${grace.username}`, ['timed', 'month']],
      [`person=${grace.id}&person=x`, ['timed', 'month']],
      [`person=${grace.displayName}&airline=SK&date=2020`, ['month']],
      ['person=me', flown, 2],
      ['seatClass=economy', ['timed', 'month']],
      ['reason=business', ['untimed']],
      ['aircraftReg=oykal', ['timed', 'untimed']],
      ['country=United States', ['year', 'month']],
      ['country=usa', ['year', 'month']],
      ['airport=newark', ['year', 'month']],
      ['from=London', ['untimed']],
      ['text=linus', ['untimed', 'month']],
      ['airline=BA', [], 2],
    ]
    for (const [query, names, planned = 0] of totals) {
      const found = await summary(app(), key, query)
      assert.deepEqual([found.total, found.planned], [sumsOf(...names), planned], query)
    }
  })

  test('every group is counted, and flights without a value come last under null', async () => {
    const groups: [string, [string | null, string[]][]][] = [
      [
        'airline',
        [
          ['SK', ['timed', 'untimed', 'month']],
          [null, ['year', 'today']],
        ],
      ],
      [
        'year',
        [
          ['2019', ['timed', 'untimed', 'year']],
          ['2020', ['month']],
          ['2026', ['today']],
        ],
      ],
      [
        'month',
        [
          ['2019-03', ['timed', 'untimed']],
          ['2020-05', ['month']],
          ['2026-06', ['today']],
          [null, ['year']],
        ],
      ],
      [
        'airport',
        [
          ['CPH', ['timed', 'untimed', 'year', 'month', 'today']],
          ['LHR', ['timed', 'untimed', 'today']],
          ['EWR', ['year', 'month']],
        ],
      ],
      [
        'country',
        [
          ['DK', ['timed', 'untimed', 'year', 'month', 'today']],
          ['GB', ['timed', 'untimed', 'today']],
          ['US', ['year', 'month']],
        ],
      ],
      [
        'route',
        [
          [await route('CPH', 'LHR'), ['timed', 'untimed', 'today']],
          [await route('CPH', 'EWR'), ['year', 'month']],
        ],
      ],
      [
        'aircraft',
        [
          ['A20N', ['timed']],
          [null, ['untimed', 'year', 'month', 'today']],
        ],
      ],
      [
        'registration',
        [
          ['OY-KAL', ['timed', 'untimed']],
          [null, ['year', 'month', 'today']],
        ],
      ],
      [
        'class',
        [
          ['economy', ['timed', 'month']],
          ['business', ['untimed']],
          [null, ['year', 'today']],
        ],
      ],
      [
        'reason',
        [
          ['leisure', ['timed']],
          ['business', ['untimed']],
          [null, ['year', 'month', 'today']],
        ],
      ],
      [
        'person',
        [
          [grace.id, ['timed', 'month']],
          ['Linus', ['untimed', 'month']],
          [null, ['year', 'today']],
        ],
      ],
    ]
    assert.deepEqual(
      groups.map(([name]) => name),
      groupings,
      'all of them',
    )
    for (const [groupBy, expected] of groups) {
      const found = await summary(app(), key, `groupBy=${groupBy}`)
      assert.deepEqual(
        shown(found.groups),
        expected.map(([of, names]) => [of, sumsOf(...names)]),
        groupBy,
      )
      assert.equal(found.groupCount, expected.filter(([of]) => of !== null).length, groupBy)
    }
  })
  /** The airport with the smaller id is first. */
  const route = async (...codes: [string, string]) => {
    const [a, b] = await airportIds(app(), ...codes)
    return (a! < b! ? codes : codes.toReversed()).join('-')
  }

  test('top returns the groups with most flights and no others', async () => {
    const busiest = await summary(app(), key, 'groupBy=year&top=1')
    assert.deepEqual([busiest.groups.map((group) => group.key), busiest.groupCount], [['2019'], 3])
    const airline = await summary(app(), key, 'groupBy=airline&date=2019&top=1')
    assert.deepEqual(
      airline.groups.map(({ key: of, count, name }) => [of, count, name]),
      [['SK', 2, 'SAS Scandinavian Airlines']],
    )
    const all = await summary(app(), key, 'groupBy=airline&date=2019')
    assert.deepEqual([all.groups.at(-1)!.key, all.groups.at(-1)!.count], [null, 1])
    assert.equal(airline.groups[0]!.id, records['SK'])
    const people = await summary(app(), key, 'groupBy=person')
    assert.deepEqual(
      people.groups.map(({ name }) => name),
      [grace.displayName, 'Linus', undefined],
    )
    const countries = await summary(app(), key, 'groupBy=country&top=2')
    assert.deepEqual(
      countries.groups.map(({ name }) => name),
      ['Denmark', 'United Kingdom'],
    )
  })

  test('matched names are reported', async () => {
    const { matched } = await summary(
      app(),
      key,
      `airline=scandinavian airlines&country=denmark&to=LHR&person=${grace.username}`,
    )
    assert.deepEqual(matched, {
      to: ['LHR London Heathrow Airport'],
      airline: ['SK SAS Scandinavian Airlines'],
      country: ['DK Denmark'],
      person: [`${grace.displayName} (@${grace.username})`],
    })
  })

  test('bad and unknown values are refused', async () => {
    const refused: [string, RegExp][] = [
      ['groupBy=seat', /^groupBy: must be one of: airline, year/],
      ['top=0', /^top must be 1 to 500$/],
      ['top=501', /^top must be 1 to 500$/],
      ['top=x', /^top must be 1 to 500$/],
      ['date=yesterday', /^date: write YYYY-MM-DD, or YYYY-MM or YYYY/],
      ['date=2019-13', /^date: this day does not exist$/],
      ['date=2019-02-30', /^date: this day does not exist$/],
      ['date=201', /^date: write/],
      ['when=now', /^when: must be one of: past, upcoming$/],
      ['airline=Lufthanza', /^airline: nothing matches “Lufthanza”\. Did you mean LH Lufthansa/],
      ['country=Atlantis', /^country: nothing matches “Atlantis”$/],
      ['person=Unknown Atall', /Unknown Atall/],
      ['order=newest', /^Unknown parameter order/],
    ]
    for (const [query, message] of refused) {
      const reply = await app().request('GET', `/api/v1/flights/summary?${query.replaceAll(' ', '%20')}`, {
        key,
      })
      assertError(reply, 400, 'bad_request')
      assert.match(reply.json.error.message, message, query)
    }
  })

  test('a summary needs the scopes of statistics; another’s log needs the scope for everyone’s', async () => {
    const narrow = await ada.key(['stats.read', 'flight.read.own'])
    assert.equal((await summary(app(), narrow, 'airline=sas&groupBy=year')).total.count, 3)
    for (const scopes of [['stats.read'], ['flight.read.own']] as const) {
      const reply = await app().request('GET', '/api/v1/flights/summary', { key: await ada.key(scopes) })
      assertError(reply, 403, 'insufficient_scope')
    }
    const others = await app().request('GET', `/api/v1/flights/summary?scope=user&userId=${grace.id}`, {
      key,
    })
    assertError(others, 403, 'forbidden')
    const admin = await (await app().person('role-administrator')).key()
    const graces = await summary(app(), admin, `scope=user&userId=${grace.id}&groupBy=person`)
    assert.deepEqual(
      graces.groups.map(({ key: of, count }) => [of, count]),
      [
        [ada.id, 2],
        ['linus', 1],
      ],
    )
    const unknown = await app().request('GET', '/api/v1/flights/summary?scope=user&userId=x', { key: admin })
    assertError(unknown, 400, 'bad_request')
  })

  test('a summary is cached until the log or the time changes it', async () => {
    const read = async (query = '') => {
      const reply = await app().request('GET', `/api/v1/flights/summary?${query}`, { key })
      return { etag: reply.headers['etag'], count: reply.json.data.total.count as number }
    }
    const queries = ['', 'when=upcoming', 'when=past']
    const first = await Promise.all(queries.map(read))
    assert.deepEqual(await Promise.all(queries.map(read)), first)
    // In Copenhagen the day ends at 22:00 UTC, so 1 July begins on the day before.
    app().clock.set('2026-06-15T22:00:00Z')
    assert.deepEqual(
      (await Promise.all(queries.map(read))).map(({ count }) => count),
      [5, 2, 5],
    )
    app().clock.set('2026-06-30T22:00:00.001Z')
    const later = await Promise.all(queries.map(read))
    assert.deepEqual(
      later.map(({ count }) => count),
      [6, 2, 5],
      'flown on its day, and still to come',
    )
    assert.ok(later.every(({ etag }, i) => etag !== first[i]!.etag))
    app().clock.set('2026-06-15T12:00:00Z')
  })
})

onSqlite('summaries and statistics', (app) => {
  test('summaries and statistics agree on a random log, for every group and filter', async () => {
    const [ada, bob, admin] = [
      await app().person(),
      await app().person(),
      await app().person('role-administrator'),
    ]
    await fill(app(), ada, bob)
    const filters = [
      '',
      'airline=SK',
      'airport=CPH&dateFrom=2021-01-01',
      'seatClass=economy',
      'outcome=cancelled',
      'country=US',
      'hasTrack=true',
    ]
    const audiences: [TestPerson, string][] = [
      [ada, 'scope=mine'],
      [admin, `scope=user&userId=${bob.id}`],
      [admin, 'scope=all'],
    ]
    for (const [reader, audience] of audiences) {
      const key = await reader.key()
      for (const filter of filters)
        await compare(app(), key, `${audience}&${filter}`, audience === 'scope=all')
    }
  })

  const sum = (groups: readonly Group[], of: (group: Group) => number = ({ count }) => count) =>
    groups.reduce((total, group) => total + of(group), 0)
  const tally = (groups: readonly Group[], nameOf: (group: Group) => string | null | undefined) =>
    Object.fromEntries(groups.filter(({ key }) => key !== null).map((group) => [nameOf(group), group.count]))

  async function compare(on: TestApp, key: string, query: string, ofAll: boolean) {
    const stats = (await on.request('GET', `/api/v1/stats?${query}`, { key })).json.data
    const of: Record<string, Group[]> = {}
    for (const groupBy of groupings) {
      const { total, groups, groupCount } = await summary(on, key, `${query}&groupBy=${groupBy}&top=500`)
      assert.deepEqual(
        [total.count, total.distanceKm, total.timeSeconds, total.estimatedSeconds],
        [stats.flights, stats.distanceKm, stats.durationSeconds, stats.durationEstimatedSeconds],
        `${query} ${groupBy}`,
      )
      assert.equal(groupCount, groups.filter(({ key: group }) => group !== null).length)
      of[groupBy] = groups
    }
    for (const once of ['airline', 'year', 'month', 'route', 'aircraft', 'registration']) {
      assert.equal(sum(of[once]!), stats.flights, `${query} ${once}`)
      assert.equal(
        sum(of[once]!, ({ timeSeconds }) => timeSeconds),
        stats.durationSeconds,
        `${query} ${once}`,
      )
    }
    for (const [groupBy, ranking, nameOf] of [
      ['airline', stats.airlines, ({ id }: { id: number }) => String(id)],
      ['aircraft', stats.aircraft, ({ id }: { id: number }) => String(id)],
      ['country', stats.countries, ({ code }: { code: string }) => code],
      ['registration', stats.registrations, ({ registration }: { registration: string }) => registration],
    ] as const) {
      const expected = Object.fromEntries(
        ranking.top.map((item: never) => [nameOf(item), (item as Sums).count]),
      )
      const isById = groupBy === 'airline' || groupBy === 'aircraft'
      assert.deepEqual(
        tally(of[groupBy]!, (group) => (isById ? group.id?.toString() : group.key)),
        expected,
        `${query} ${groupBy}`,
      )
    }
    assert.deepEqual(
      of['route']!.filter((group) => group.key !== null)
        .slice(0, 25)
        .map(({ count }) => count),
      stats.routes.top.map(({ count }: Sums) => count),
    )
    if (stats.topAirport) {
      // Statistics count both ends of a round trip; here it is one flight of its airport.
      const top = of['airport']!.find(({ id }) => id === stats.topAirport.id)!
      const rounds = of['route']!.filter((group) => group.key === `${top.key}-${top.key}`)
      assert.equal(top.count, stats.topAirport.count - sum(rounds))
      const alone = await summary(on, key, `${query.replace(/airport=\w+/, '')}&airport=${top.id}`)
      assert.equal(top.count, alone.total.count, `${query} ${top.key}`)
    }
    const years = of['year']!.map((group) => ({
      year: Number(group.key),
      flights: group.count,
      distanceKm: group.distanceKm,
      durationSeconds: group.timeSeconds,
    }))
    assert.deepEqual(years, stats.byYear)
    for (const { month, flights } of stats.byMonth) {
      const isMonth = (group: Group) => Number(group.key?.slice(5)) === month
      assert.equal(sum(of['month']!.filter(isMonth)), flights, `${query} month ${month}`)
    }
    if (ofAll) return
    for (const [groupBy, tallied] of [
      ['class', stats.classes],
      ['reason', stats.reasons],
    ] as const) {
      const { unknown = 0, ...expected } = tallied
      assert.deepEqual(
        tally(of[groupBy]!, ({ key: group }) => group),
        expected,
        `${query} ${groupBy}`,
      )
      assert.equal(sum(of[groupBy]!.filter(({ key: group }) => group === null)), unknown)
    }
  }

  async function fill(on: TestApp, ada: TestPerson, bob: TestPerson) {
    const random = createRandom(15)
    const airports = await airportIds(on, 'CPH', 'JFK', 'LHR', 'HNL', 'SYD', 'EWR')
    const key = await ada.key()
    const byCode = async (kind: string, code: string) =>
      (await on.request('GET', `/api/v1/${kind}/by-code/${code}`, { key })).json.data.id as number
    const airlines = [null, await byCode('airlines', 'SK'), await byCode('airlines', 'BA')]
    const types = [null, await byCode('aircraft', 'A20N'), await byCode('aircraft', 'AT72')]
    const seat = () => ({
      seatClass: random.pick([null, ...seatClasses]),
      flightReason: random.pick([null, ...flightReasons]),
    })
    for (let i = 0; i < 100; i++) {
      const date = `${2019 + random.below(9)}-0${1 + random.below(9)}-${10 + random.below(18)}`
      const owner = random.below(4) === 0 ? bob : ada
      const other = owner === ada ? bob : ada
      await logFlight(on, owner, {
        ...random.pick<object>([
          { date },
          { date, departure: `${date}T08:00:00Z`, arrival: `${date}T10:30:00Z` },
          { date: `${date.slice(0, 7)}-01`, datePrecision: 'month', duration: 5000 },
          { date: `${date.slice(0, 4)}-01-01`, datePrecision: 'year' },
        ]),
        fromId: random.pick(airports),
        toId: random.pick(airports),
        airlineId: random.pick(airlines),
        aircraftId: random.pick(types),
        aircraftReg: random.pick([null, 'OY-KBO', 'oy-kbo', 'N1']),
        outcome: random.pick(['flown', 'flown', 'flown', 'cancelled', 'diverted']),
        passengers: [
          { userId: owner.id, ...seat() },
          ...(random.below(3) === 0 ? [{ userId: other.id, ...seat() }] : []),
          ...(random.below(3) === 0 ? [{ guestName: random.pick(['Linus', 'Margaret']), ...seat() }] : []),
        ],
      })
    }
    // No request can omit an airport, but old data has such flights.
    await on.store.transaction(async (tx) => {
      await tx.query('update flight set from_id = null where id % 11 = 3', [])
      await tx.query('update flight set to_id = null where id % 13 = 3', [])
    })
  }
})
