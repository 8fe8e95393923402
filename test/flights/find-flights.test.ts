// Parameters of a search beyond the filters of a list: past and upcoming, periods, people by name, and its orders.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { airportIds, assertError, logFlight } from '../fixtures.ts'
import { onBothEngines, type TestPerson } from '../harness.ts'

onBothEngines('finding flights', (app) => {
  const airports: Record<string, number> = {}
  before(async () => {
    const codes = ['CPH', 'LHR', 'AKL', 'HNL']
    for (const [i, id] of (await airportIds(app(), ...codes)).entries()) airports[codes[i]!] = id
  })

  /** A person with a key, and their flights by note. */
  const someone = async (role?: 'role-administrator') => {
    const person = await app().person(role)
    const key = await person.key()
    const log = (note: string, flight: object) =>
      logFlight(app(), person, { fromId: airports['CPH'], toId: airports['LHR'], note, ...flight })
    return { person, key, log }
  }
  const ask = (key: string, query: string) =>
    app().request('GET', `/api/v1/flights/search?${query.replaceAll(' ', '%20')}`, { key })
  const found = async (key: string, query: string) => {
    const reply = await ask(key, query)
    assert.equal(reply.status, 200, `${query}: ${reply.text}`)
    return reply.json
  }
  const notes = async (key: string, query: string): Promise<string[]> =>
    (await found(key, query)).data.map(({ note }: { note: string }) => note)
  /** All of it, in pages of two. */
  const paged = async (key: string, query: string): Promise<string[]> => {
    const all: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { data, page } = await found(key, `${query}&limit=2${cursor && `&cursor=${cursor}`}`)
      all.push(...data.map(({ note }: { note: string }) => note))
      cursor = page.nextCursor
    }
    return all
  }

  test('upcoming flights start with the next one, past flights with the last one, by time within a day', async () => {
    app().clock.set('2026-06-15T12:00:00Z')
    const { key, log } = await someone()
    // Logged out of order, so that neither ids nor dates alone give the order.
    await log('evening', { date: '2026-06-20', departure: '2026-06-20T18:00:00+02:00' })
    await log('in autumn', { date: '2026-10-01', datePrecision: 'month' })
    await log('morning', { date: '2026-06-20', departure: '2026-06-20T07:00:00+02:00' })
    await log('this year', { date: '2026-01-01', datePrecision: 'year' })
    await log('this month', { date: '2026-06-01', datePrecision: 'month' })
    await log('today', { date: '2026-06-15' })
    await log('just left', { date: '2026-06-15', departure: '2026-06-15T13:59:00+02:00' })
    await log('leaves now', { date: '2026-06-15', departure: '2026-06-15T14:00:00+02:00' })
    await log('left before', { date: '2026-06-15', departure: '2026-06-15T08:00:00+02:00' })
    await log('yesterday', { date: '2026-06-14' })
    await log('cancelled', { date: '2026-06-16', outcome: 'cancelled' })
    await log('was cancelled', { date: '2026-06-10', outcome: 'cancelled' })
    await log('long ago', { date: '1999-01-01', datePrecision: 'year' })
    await log('tomorrow', { date: '2026-06-16', departureScheduled: '2026-06-16T09:00:00+02:00' })
    const upcoming = [
      'leaves now',
      'today',
      'tomorrow',
      'morning',
      'evening',
      'this month',
      'in autumn',
      'this year',
    ]
    const past = ['just left', 'left before', 'yesterday', 'long ago']
    assert.deepEqual(await notes(key, 'when=upcoming'), upcoming)
    assert.deepEqual(await paged(key, 'when=upcoming'), upcoming)
    assert.deepEqual(await paged(key, 'when=upcoming&order=newest'), upcoming.toReversed())
    assert.deepEqual(await notes(key, 'when=upcoming&limit=1'), ['leaves now'])
    assert.deepEqual(await paged(key, 'when=past'), past)
    assert.deepEqual(await paged(key, 'when=past&order=oldest'), past.toReversed())
    assert.deepEqual(await paged(key, 'when=past&order=lastAdded'), [
      'long ago',
      'yesterday',
      'left before',
      'just left',
    ])
    assert.deepEqual(await paged(key, 'when=upcoming&outcome=cancelled'), ['cancelled'])
    assert.deepEqual(await paged(key, 'when=past&outcome=cancelled'), ['was cancelled'])
    assert.deepEqual(await paged(key, 'when=upcoming&date=2026-06'), upcoming.slice(0, 6))
    assert.deepEqual(await notes(key, 'when=upcoming&dateFrom=2026-06-16&dateTo=2026-06-20'), [
      'tomorrow',
      'morning',
      'evening',
    ])
    assert.deepEqual((await paged(key, '')).length, 14, 'all of them without filters')
  })

  test('a flight becomes past when it departs', async () => {
    const { key, log } = await someone()
    app().clock.set('2026-06-15T09:00:00Z')
    await log('hawaii', { date: '2026-06-16', fromId: airports['HNL'] })
    await log('auckland', { date: '2026-06-16', fromId: airports['AKL'] })
    await log('timed', { date: '2026-06-16', departure: '2026-06-16T12:00:00+02:00' })
    const both = async () => [await notes(key, 'when=upcoming'), await notes(key, 'when=past')]
    // 16 June is over in Auckland at 12:00 UTC that day, and in Honolulu at 10:00 UTC on the next.
    const states: [string, string[], string[]][] = [
      ['2026-06-15T23:00:00Z', ['timed', 'auckland', 'hawaii'], []],
      ['2026-06-16T10:00:00.000Z', ['timed', 'auckland', 'hawaii'], []],
      ['2026-06-16T10:00:00.001Z', ['auckland', 'hawaii'], ['timed']],
      ['2026-06-16T11:59:59.999Z', ['auckland', 'hawaii'], ['timed']],
      ['2026-06-16T12:00:00.000Z', ['hawaii'], ['timed', 'auckland']],
      ['2026-06-17T09:59:59.999Z', ['hawaii'], ['timed', 'auckland']],
      ['2026-06-17T10:00:00.000Z', [], ['hawaii', 'timed', 'auckland']],
    ]
    for (const [now, upcoming, past] of states) {
      app().clock.set(now)
      const [soon, gone] = await both()
      assert.deepEqual(soon, upcoming, now)
      assert.deepEqual(gone!.toSorted(), past.toSorted(), now)
    }
    app().clock.set('2026-06-15T09:00:00Z')
    assert.deepEqual(await both(), [['timed', 'auckland', 'hawaii'], []], 'a clock set back')
  })

  test('a date is a day, month or year; flights known less precisely are not in it', async () => {
    app().clock.set('2026-06-15T12:00:00Z')
    const { key, log } = await someone()
    await log('day', { date: '2019-01-01' })
    await log('month', { date: '2019-01-01', datePrecision: 'month' })
    await log('year', { date: '2019-01-01', datePrecision: 'year' })
    await log('december', { date: '2019-12-31' })
    await log('next', { date: '2020-01-01' })
    const sorted = async (query: string) => (await notes(key, query)).sort()
    assert.deepEqual(await sorted('date=2019'), ['day', 'december', 'month', 'year'])
    assert.deepEqual(await sorted('date=2019-01'), ['day', 'month'])
    assert.deepEqual(await sorted('date=2019-01-01'), ['day'])
    assert.deepEqual(await sorted('date=2019-02'), [])
    assert.deepEqual(await sorted('date=2019&dateFrom=2019-06-01'), ['december'])
    assert.deepEqual(await sorted('date=2019&dateTo=2019-06-01'), ['day', 'month', 'year'])
    assert.deepEqual(await sorted('date=2019&dateFrom=2018-01-01&dateTo=2021-01-01'), [
      'day',
      'december',
      'month',
      'year',
    ])
  })

  test('a person is found by name, user name or id, and guests in every spelling', async () => {
    app().clock.set('2026-06-15T12:00:00Z')
    const { person: ada, key, log } = await someone()
    const grace = await app().person()
    const me = { userId: ada.id }
    await log('grace', { date: '2024-01-01', passengers: [me, { userId: grace.id }] })
    await log('guest', { date: '2024-01-02', passengers: [me, { guestName: 'Zoë Quux' }] })
    await log('spelled', { date: '2024-01-03', passengers: [me, { guestName: 'zoe quux' }] })
    await log('alone', { date: '2024-01-04' })
    for (const name of [grace.username, `@${grace.username}`, grace.id, grace.displayName])
      assert.deepEqual(await notes(key, `person=${encodeURIComponent(name)}`), ['grace'], name)
    for (const name of ['Zoe Quux', 'zoë', 'ZOE QUUX'])
      assert.deepEqual(await notes(key, `person=${encodeURIComponent(name)}`), ['spelled', 'guest'], name)
    assert.equal((await notes(key, 'person=me')).length, 4)
    assert.deepEqual(await notes(key, `person=Zoe Quux&date=2024-01-02`), ['guest'])
    const { matched } = await found(key, `person=${grace.username}`)
    assert.deepEqual(matched, { person: [`${grace.displayName} (@${grace.username})`] })
    assert.equal((await found(key, 'dateFrom=2024-01-01')).matched, undefined)
    const stranger = await app().person()
    const narrow = await ada.key(['flight.read.own', 'reference_data.read'])
    const unknown = await ask(narrow, `person=${stranger.id}`)
    assertError(unknown, 400, 'bad_request')
    assert.equal(unknown.json.error.reason, 'no_person_matches')
  })

  test('a cached response is not used for a credential that may not know the person', async () => {
    const listing = await app().person(['flight.read.own', 'users.directory.read'])
    const stranger = await app().person()
    const wide = await listing.key(['flight.read.own', 'reference_data.read', 'users.directory.read'])
    const narrow = await listing.key(['flight.read.own', 'reference_data.read'])
    assert.deepEqual(await notes(wide, `person=${stranger.username}`), [])
    assertError(await ask(narrow, `person=${stranger.username}`), 400, 'bad_request')
  })

  test('a name matches everyone who has it, and a whole name one person', async () => {
    app().clock.set('2026-06-15T12:00:00Z')
    const { key, log } = await someone()
    const byCode = async (code: string): Promise<number> =>
      (await app().request('GET', `/api/v1/airlines/by-code/${code}`, { key })).json.data.id
    await log('Lufthansa', { date: '2024-01-01', airlineId: await byCode('DLH') })
    await log('Cityline', { date: '2024-01-02', airlineId: await byCode('CLH') })
    assert.deepEqual(await notes(key, 'airline=Lufthansa'), ['Lufthansa'])
    assert.deepEqual((await found(key, 'airline=lufthansa')).matched, { airline: ['LH Lufthansa'] })
    assert.deepEqual(await notes(key, 'airline=Lufth'), ['Cityline', 'Lufthansa'])
    assert.ok((await found(key, 'airline=Lufth')).matched.airline.length > 1)
    assert.deepEqual(await notes(key, 'airport=London&country=D%C3%A4nemark'), ['Cityline', 'Lufthansa'])
    const near = await ask(key, 'airline=Lufthanza')
    assertError(near, 400, 'bad_request')
    assert.equal(near.json.error.reason, 'parameter_nearly_matches')
  })

  test('an unknown airline is refused, even if others are similar', async () => {
    const { key } = await someone()
    for (const name of ['Blubb Air', 'Foo', 'Foo Air'])
      for (const path of ['search', 'summary']) {
        const where = `/api/v1/flights/${path}?airline=${name.replaceAll(' ', '%20')}`
        const reply = await app().request('GET', where, { key })
        assertError(reply, 400, 'bad_request')
        assert.match(reply.json.error.message, /^airline: nothing matches/)
      }
    const { error } = (await ask(key, 'airline=Foo')).json
    assert.equal(error.reason, 'parameter_matches_nothing')
    assert.match((await ask(key, 'airline=Blubb Air')).json.error.message, /Did you mean BZ Bluebird Airways/)
    assert.deepEqual((await found(key, 'airline=SAS Airlines')).matched.airline, [
      'SK SAS Scandinavian Airlines',
    ])
    assert.equal((await found(key, 'aircraft=737')).matched.aircraft[0], 'B738 Boeing 737-800')
  })

  test('a city matches the main one of its name, with all its airports, the most important first', async () => {
    const { key } = await someone()
    const codes = async (name: string): Promise<string[]> =>
      (await found(key, `to=${name}`)).matched.to.map((one: string) => one.split(' ')[0])
    const london = ['LHR', 'LGW', 'STN', 'LTN', 'LCY', 'SEN']
    assert.deepEqual(await codes('London'), london)
    assert.deepEqual(await codes('LON'), [...london, 'BQH'])
    assert.deepEqual(await codes('London, Ontario'), ['YXU'])
    assert.deepEqual((await codes('New York')).slice(0, 3), ['JFK', 'EWR', 'LGA'])
    assert.deepEqual(await codes('Birmingham'), ['BHX', 'BHM'])
    assert.deepEqual(await codes('Berlin'), ['BER', 'TXL', 'SXF', 'THF'])
  })

  test('lastAdded and lastChanged start with the newest; other people’s logs need their scope', async () => {
    const { person, key, log } = await someone()
    app().clock.set('2026-06-15T12:00:00Z')
    const one = await log('one', { date: '2024-01-03' })
    app().clock.advance(1000)
    await log('two', { date: '2024-01-01' })
    app().clock.advance(1000)
    await log('three', { date: '2024-01-02' })
    app().clock.advance(1000)
    const path = `/api/v1/flights/${one.id}`
    assert.equal((await app().request('PATCH', path, { key, body: { note: 'changed' } })).status, 200)
    assert.deepEqual(await paged(key, 'order=lastAdded'), ['three', 'two', 'changed'])
    assert.deepEqual(await paged(key, 'order=lastChanged'), ['changed', 'three', 'two'])
    assert.deepEqual(await paged(key, 'order=updated'), ['two', 'three', 'changed'])
    assert.deepEqual(await paged(key, 'order=lastChanged&when=past'), ['changed', 'three', 'two'])
    assertError(await ask(key, `scope=user&userId=${person.id}x&when=past`), 403, 'forbidden')
    const admin: TestPerson = await app().person('role-administrator')
    const query = `scope=user&userId=${person.id}`
    assert.deepEqual(await notes(await admin.key(), `${query}&when=past`), ['changed', 'three', 'two'])
    assert.deepEqual(await notes(await admin.key(), `${query}&order=lastAdded`), ['three', 'two', 'changed'])
  })

  test('cursors are bound to when, and a forged one is refused', async () => {
    app().clock.set('2026-06-15T12:00:00Z')
    const { key, log } = await someone()
    for (const date of ['2024-01-01', '2024-01-02', '2027-01-01', '2027-01-02']) await log(date, { date })
    const { page } = await found(key, 'when=past&limit=1')
    for (const query of ['', 'when=upcoming', 'when=past&order=oldest', 'when=past&date=2024'])
      assertError(await ask(key, `${query}&limit=1&cursor=${page.nextCursor}`), 400, 'bad_request')
    const text = Buffer.from(page.nextCursor, 'base64url').toString()
    const forged = Buffer.from(text.replace(/~[^~]+\./, '~2024-01-01.')).toString('base64url')
    assertError(await ask(key, `when=past&limit=1&cursor=${forged}`), 400, 'bad_request')
  })
})
