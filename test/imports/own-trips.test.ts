// The trips of our own export are restored with the flights, once, and removed by the undo.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { airportIds, logFlight } from '../fixtures.ts'
import { onBothEngines, type TestPerson } from '../harness.ts'
import { type Row, readImport } from './judged.ts'

onBothEngines('trips of own exports', (app) => {
  let places: number[]
  before(async () => {
    places = await airportIds(app(), 'CPH', 'EWR', 'OSL')
  })

  const must = async (who: TestPerson, method: string, at: string, body?: object): Promise<Row> => {
    const reply = await app().request(method, `/api/v1${at}`, { key: await who.key(), ...(body && { body }) })
    assert.ok(reply.status < 300, reply.text)
    return reply.json?.data
  }
  const fly = async (who: TestPerson, date: string): Promise<number> =>
    (await logFlight(app(), who, { date, fromId: places[0], toId: places[1] })).id
  const exported = async (who: TestPerson, format = 'json'): Promise<string> =>
    (await app().request('GET', `/api/v1/flights/export?format=${format}`, { key: await who.key() })).text

  async function sent(who: TestPerson, text: string, options: object = {}): Promise<Row> {
    const given = await must(who, 'POST', '/imports', { text, options })
    if (given['status'] !== 'reading') return given
    return { ...given, ...(await readImport(app(), await who.key(), given['id'])).import }
  }
  const commit = (who: TestPerson, { id }: Row, body: object = {}) =>
    must(who, 'POST', `/imports/${id}/commit`, body)
  const undo = (who: TestPerson, { id }: Row) => must(who, 'POST', `/imports/${id}/undo`, {})

  /** The trips as a person sees them: with the days of their flights instead of ids. */
  async function tripsOf(who: TestPerson): Promise<Row[]> {
    const flights = (await must(who, 'GET', '/flights?limit=100')) as unknown as Row[]
    const dayOf = new Map(flights.map(({ id, date }) => [id, date]))
    const trips = (await must(who, 'GET', '/trips')) as unknown as Row[]
    return trips.map(({ name, note, colour, createdAt, flightIds }) => ({
      name,
      note,
      colour,
      createdAt,
      days: flightIds.map((id: number) => dayOf.get(id)),
    }))
  }

  /** Ada with two trips of the same name, an empty one, and a flight in none. */
  async function ada(): Promise<TestPerson> {
    const who = await app().person()
    const days = ['2024-03-01', '2024-03-08', '2025-07-01', '2025-08-01']
    const [a, b, c] = [await fly(who, days[0]!), await fly(who, days[1]!), await fly(who, days[2]!)]
    await fly(who, days[3]!)
    await must(who, 'POST', '/trips', {
      name: 'Newark 🗽 نيوآرك',
      note: 'Snow\nand *wind*',
      colour: 'teal',
      flightIds: [a, b],
    })
    app().clock.advance(1)
    await must(who, 'POST', '/trips', { name: 'Newark 🗽 نيوآرك', colour: 'pink', flightIds: [c] })
    app().clock.advance(1000)
    await must(who, 'POST', '/trips', { name: 'Some day', colour: 'grey' })
    return who
  }
  const asBob = (who: TestPerson, bob: TestPerson) => ({ users: { [who.id]: bob.id } })

  for (const format of ['json', 'yaml'])
    test(`${format}: names, notes, colours, days and order of trips are restored, and undo removes them`, async () => {
      const [who, bob] = [await ada(), await app().person()]
      const trips = await tripsOf(who)
      const given = await sent(bob, await exported(who, format), asBob(who, bob))
      assert.deepEqual([given['counts'].new, given['trips']], [4, { found: 3, committed: 0 }])
      assert.deepEqual(await tripsOf(bob), [], 'nothing before the commit')
      app().clock.advance(60_000)
      assert.deepEqual((await commit(bob, given))['trips'], { found: 3, committed: 3 })
      assert.deepEqual(await tripsOf(bob), trips)

      await undo(bob, given)
      assert.deepEqual(await tripsOf(bob), [])
      await commit(bob, given)
      assert.deepEqual(await tripsOf(bob), trips, 'the undo can be undone')
      assert.deepEqual(await tripsOf(who), trips, 'those of another are as they were')
    })

  test('importing the same log again creates nothing, whatever was renamed, moved or removed since', async () => {
    const who = await ada()
    const text = await exported(who)
    await commit(who, await sent(who, `${text} `))
    const trips = await tripsOf(who)
    assert.equal(trips.length, 3)
    const [, second, first] = (await must(who, 'GET', '/trips')) as unknown as Row[]
    await must(who, 'PATCH', `/trips/${first!['id']}`, {
      name: 'Winter',
      removeFlightIds: [first!['flightIds'][0]],
    })
    await must(who, 'PATCH', `/trips/${second!['id']}`, { colour: 'amber' })
    const changed = await tripsOf(who)
    const again = await sent(who, `${text}  `)
    assert.equal(again['counts'].duplicate, 4)
    assert.deepEqual((await commit(who, again))['trips'], { found: 3, committed: 3 })
    assert.deepEqual(await tripsOf(who), changed)
    await undo(who, again)
    assert.deepEqual(await tripsOf(who), changed, 'and its undo takes nothing')
  })

  test('a deleted trip is restored with flights that still exist, and undo removes it', async () => {
    const who = await ada()
    const [trips, text] = [await tripsOf(who), await exported(who)]
    for (const { id } of (await must(who, 'GET', '/trips')) as unknown as Row[])
      await must(who, 'DELETE', `/trips/${id}`)
    const given = await sent(who, `${text} `)
    await commit(who, given)
    assert.deepEqual(await tripsOf(who), trips)
    for (const { id } of (await must(who, 'GET', '/trips')) as unknown as Row[])
      await must(who, 'DELETE', `/trips/${id}`)
    await commit(who, given)
    assert.deepEqual(await tripsOf(who), [], 'repeating a commit changes nothing')
  })

  test('a restored flight joins its trip, and a flight in another trip stays there', async () => {
    const who = await ada()
    const text = await exported(who)
    const [, second, first] = (await must(who, 'GET', '/trips')) as unknown as Row[]
    const [gone, moved] = first!['flightIds']
    await must(who, 'DELETE', `/flights/${gone}`)
    await must(who, 'PATCH', `/trips/${second!['id']}`, { addFlightIds: [moved] })
    const given = await sent(who, `${text} `)
    assert.equal(given['counts'].new, 1)
    app().clock.advance(60_000)
    await commit(who, given)
    const [empty, , grown] = (await must(who, 'GET', '/trips')) as unknown as Row[]
    assert.equal(Date.parse(grown!['updatedAt']), app().clock.now(), 'it was changed')
    assert.ok(Date.parse(empty!['updatedAt']) < app().clock.now(), 'and nothing more')
    const days = (await tripsOf(who)).map((trip) => trip['days'])
    assert.deepEqual(days, [[], ['2024-03-08', '2025-07-01'], ['2024-03-01']])
  })

  test('a trip imported in parts grows, and stays after the undo if it was changed', async () => {
    const [who, bob] = [await ada(), await app().person()]
    const given = await sent(bob, await exported(who), asBob(who, bob))
    const rows = (await must(bob, 'GET', `/imports/${given['id']}/rows`)) as unknown as Row[]
    const rowOf = (day: string) => rows.find(({ draft }) => draft.date === day)!['row']
    await commit(bob, given, { rows: [rowOf('2024-03-08')] })
    const days = async () => (await tripsOf(bob)).map((trip) => trip['days'])
    assert.deepEqual(await days(), [[], ['2024-03-08']])
    await commit(bob, given)
    assert.deepEqual(await days(), [['2025-07-01'], [], ['2024-03-01', '2024-03-08']])
    const trips = (await must(bob, 'GET', '/trips')) as unknown as Row[]
    await must(bob, 'PATCH', `/trips/${trips[2]!['id']}`, { note: 'Mine now' })
    await undo(bob, given)
    const left = await tripsOf(bob)
    assert.deepEqual(
      left.map(({ note, days }) => [note, days]),
      [['Mine now', []]],
    )
    await commit(bob, given)
    assert.deepEqual(await days(), [['2025-07-01'], [], ['2024-03-01', '2024-03-08']].toSorted(byLength))
  })
  const byLength = (a: string[], b: string[]) => a.length - b.length

  for (const format of ['json', 'yaml'])
    test(`${format}: a log with trips and no flight is imported`, async () => {
      const [who, bob] = [await app().person(), await app().person()]
      await must(who, 'POST', '/trips', { name: 'Some day', note: 'Far', colour: 'grey' })
      app().clock.advance(1000)
      await must(who, 'POST', '/trips', { name: 'Another day' })
      const trips = await tripsOf(who)
      const given = await sent(bob, await exported(who, format))
      assert.deepEqual([given['source'], given['trips']], ['contrail', { found: 2, committed: 0 }])
      assert.deepEqual((await commit(bob, given))['trips'], { found: 2, committed: 2 })
      assert.deepEqual(await tripsOf(bob), trips)
      await commit(bob, given)
      assert.equal((await tripsOf(bob)).length, 2, 'repeating a commit changes nothing')
      await undo(bob, given)
      assert.deepEqual(await tripsOf(bob), [])
    })

  test('other people’s trips and impossible values are ignored', async () => {
    const [who, bob] = [await ada(), await app().person()]
    const document = JSON.parse(await exported(who))
    const someone = { trips: document.trips.map((trip: Row) => ({ ...trip, userId: 'another' })) }
    const other = await sent(bob, JSON.stringify({ ...document, ...someone }), asBob(who, bob))
    assert.deepEqual(other['trips'], { found: 0, committed: 0 })
    const [own] = document.flights
    const strange = [
      null,
      'trip',
      { name: '  ' },
      { name: 7, flightIds: [own.meta.id] },
      { name: `${'x'.repeat(99)}🛫`, note: `a\u0000b\ud800${'n'.repeat(6000)}`, colour: 'url(x)' },
      {
        name: 'Long',
        createdAt: '9999-12-31T23:59:59Z',
        flightIds: [own.meta.id, own.meta.id, -1, null, {}],
      },
      { name: 'Quick\nthief\u202e', flightIds: [own.meta.id] },
      { name: '\u200b', flightIds: [own.meta.id] },
    ]
    const given = await sent(bob, JSON.stringify({ ...document, trips: strange }), asBob(who, bob))
    assert.deepEqual(given['trips'], { found: 3, committed: 0 })
    await commit(bob, given)
    const [first, long, thief] = (await tripsOf(bob))
      .toReversed()
      .toSorted((a, b) => b['days'].length - a['days'].length)
    assert.deepEqual([first!['name'], first!['days']], ['Long', [own.date]])
    assert.ok(Date.parse(first!['createdAt']) <= app().clock.now())
    const shortened = [long!, thief!].find(({ note }) => note !== null)!
    assert.ok(shortened['name'].length <= 100 && shortened['note'].length <= 5000)
    assert.equal(shortened['colour'], 'blue')
    assert.ok(shortened['note'].startsWith('ab'))
    assert.equal([long!, thief!].find(({ note }) => note === null)!['name'], 'Quick thief')
  })
})
