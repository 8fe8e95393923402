// Two people compared: what each has flown, together and alone, and who may see it.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { airportIds, assertError, logFlight } from '../fixtures.ts'
import { onBothEngines, type TestPerson } from '../harness.ts'

interface Seen {
  count: number
  items: { code: string; name: string }[]
}
type SeenByOne = Record<'countries' | 'airports' | 'airlines', Seen>

onBothEngines('comparing people', (app) => {
  let ada: TestPerson
  let grace: TestPerson
  let admin: TestPerson
  let stranger: TestPerson
  const km: Record<string, number> = {}
  const ids: Record<string, number> = {}

  const ask = (key: string, query: string) =>
    app().request('GET', `/api/v1/people/compare?${query.replaceAll(' ', '%20')}`, { key })
  const compare = async (key: string, query: string) => {
    const reply = await ask(key, query)
    assert.equal(reply.status, 200, `${query}: ${reply.text}`)
    return reply.json
  }
  const codes = (seen: SeenByOne) =>
    Object.fromEntries(
      Object.entries(seen).map(([kind, { count, items }]) => [kind, [count, items.map(({ code }) => code)]]),
    )

  before(async () => {
    app().clock.set('2026-06-15T12:00:00Z')
    ada = await app().person()
    grace = await app().person()
    stranger = await app().person()
    admin = await app().person('role-administrator')
    const [cph, lhr, ewr, nrt, arn] = await airportIds(app(), 'CPH', 'LHR', 'EWR', 'NRT', 'ARN')
    const key = await ada.key()
    const airline = async (code: string): Promise<number> =>
      (await app().request('GET', `/api/v1/airlines/by-code/${code}`, { key })).json.data.id
    const [sk, ba, nh] = [await airline('SK'), await airline('BA'), await airline('NH')]
    const log = async (name: string, who: TestPerson, flight: object) => {
      const logged = await logFlight(app(), who, { fromId: cph, toId: lhr, airlineId: sk, ...flight })
      ids[name] = logged.id
      km[name] = logged.distanceKm
    }
    const both = [{ userId: ada.id }, { userId: grace.id }]
    const withGuest = [{ userId: ada.id }, { guestName: 'Linus' }]
    await log('first', ada, { date: '2018-01-01', datePrecision: 'year', passengers: both })
    await log('second', ada, { date: '2020-05-05', passengers: [...both, { guestName: 'Linus' }] })
    await log('alone', ada, { date: '2021-05-05', toId: ewr, airlineId: ba, passengers: withGuest })
    await log('hers', grace, { date: '2021-06-06', toId: nrt, airlineId: nh })
    await log('stockholm', grace, { date: '2021-06-07', toId: arn })
    await log('cancelled', ada, { date: '2022-01-01', toId: nrt, outcome: 'cancelled', passengers: both })
    await log('planned', ada, { date: '2027-01-01', toId: nrt, passengers: both })
  })

  test('a caller who may read both logs sees what only one person has seen', async () => {
    const { data, warnings } = await compare(await admin.key(), `a=${ada.username}&b=${grace.username}`)
    assert.deepEqual(warnings, [])
    const figures = (names: string[], rest: object) => ({
      flights: names.length,
      distanceKm: Math.round(names.reduce((sum, name) => sum + km[name]!, 0)),
      ...rest,
    })
    assert.deepEqual(data.a, {
      id: ada.id,
      name: ada.displayName,
      figures: figures(['first', 'second', 'alone'], { countries: 3, airports: 3, airlines: 2 }),
    })
    assert.deepEqual(data.b, {
      id: grace.id,
      name: grace.displayName,
      figures: figures(['first', 'second', 'hers', 'stockholm'], { countries: 4, airports: 4, airlines: 2 }),
    })
    const { flights, firstFlight, ...together } = data.together
    assert.deepEqual([firstFlight.id, firstFlight.version], [ids['first'], 1], 'the first time in the air')
    assert.deepEqual(together, {
      count: 2,
      upcoming: 1,
      distanceKm: Math.round(km['first']! + km['second']!),
      first: '2018',
      last: '2020-05-05',
    })
    assert.deepEqual(
      flights.map(({ id }: { id: number }) => id),
      [ids['second'], ids['first']],
    )
    assert.deepEqual(codes(data.onlyA), {
      countries: [1, ['US']],
      airports: [1, ['EWR']],
      airlines: [1, ['BA']],
    })
    assert.deepEqual(codes(data.onlyB), {
      countries: [2, ['JP', 'SE']],
      airports: [2, ['NRT', 'ARN']],
      airlines: [1, ['NH']],
    })
    assert.deepEqual(codes(data.both), {
      countries: [2, ['DK', 'GB']],
      airports: [2, ['CPH', 'LHR']],
      airlines: [1, ['SK']],
    })
    assert.deepEqual(
      data.onlyB.countries.items.map(({ name }: { name: string }) => name),
      ['Japan', 'Sweden'],
    )
    const { data: turned } = await compare(await admin.key(), `a=${grace.id}&b=${ada.id}`)
    assert.deepEqual([turned.onlyA, turned.onlyB], [data.onlyB, data.onlyA])
  })

  test('other callers compare with themselves, and see only common flights', async () => {
    const key = await ada.key()
    for (const query of [`b=${grace.username}`, `a=me&b=${grace.displayName}`, `a=${grace.id}`]) {
      const { data, warnings } = await compare(key, query)
      assert.equal(data.together.count, 2)
      const [mine, hers] = data.a.id === ada.id ? [data.a, data.b] : [data.b, data.a]
      assert.equal(mine.figures.flights, 3)
      assert.deepEqual(hers, { id: grace.id, name: grace.displayName, figures: null })
      assert.deepEqual([data.onlyA, data.onlyB, data.both], [null, null, null])
      assert.deepEqual(
        warnings.map(({ code }: { code: string }) => code),
        ['log_not_readable'],
      )
      assert.match(
        warnings[0].message,
        /flight\.read\.any.*the person’s role does not permit it\. An administrator/,
      )
    }
    // An administrator's key without the scope.
    const narrow = await admin.key(['flight.read.own', 'users.directory.read'])
    const unread = await compare(narrow, `b=${grace.username}`)
    assert.equal(unread.data.b.figures, null)
    assert.match(
      unread.warnings[0].message,
      /A key with more scopes can be made in Settings, Advanced, API keys\.$/,
    )
    assertError(await ask(narrow, `a=${ada.username}&b=${grace.username}`), 403, 'insufficient_scope')
  })

  test('comparing two other people needs the scope for everyone’s flights', async () => {
    const bob = await app().person()
    await logFlight(app(), bob, {
      date: '2023-01-01',
      fromId: (await airportIds(app(), 'CPH'))[0],
      toId: (await airportIds(app(), 'ARN'))[0],
      passengers: [{ userId: bob.id }, { userId: grace.id }, { userId: stranger.id }],
    })
    const key = await bob.key()
    assertError(await ask(key, `a=${grace.username}&b=${stranger.username}`), 403, 'forbidden')
    assertError(await ask(await bob.key(['profile.read']), `a=${grace.username}`), 403, 'insufficient_scope')
  })

  test('a guest has no log, but common flights are listed', async () => {
    const key = await ada.key()
    const { data, warnings } = await compare(key, 'b=linus')
    assert.deepEqual([data.b, data.together.count], [{ id: null, name: 'Linus', figures: null }, 2])
    assert.deepEqual(
      [warnings[0].code, data.together.first, data.together.last],
      ['guest_has_no_log', '2020-05-05', '2021-05-05'],
    )
    // Grace may see only the flight that she was on.
    assert.equal((await compare(await grace.key(), 'b=Linus')).data.together.count, 1)
  })

  test('unknown names are refused with the known ones, and so is the same person twice', async () => {
    const key = await ada.key(['flight.read.own'])
    const unknown = await ask(key, 'b=Nemo')
    assertError(unknown, 400, 'bad_request')
    assert.match(unknown.json.error.message, /Nemo.*Linus/)
    assert.ok(!unknown.text.includes(stranger.displayName), 'others are not named')
    const hidden = await ask(key, `b=${stranger.id}`)
    assertError(hidden, 400, 'bad_request')
    assert.equal(hidden.json.error.reason, 'no_person_matches', 'an id is not confirmed')
    for (const query of ['', 'a=me&b=ich', `a=${ada.username}`, 'a=linus&b=Linus']) {
      const reply = await ask(key, query)
      assertError(reply, 400, 'bad_request')
      assert.equal(reply.json.error.reason, 'same_person_twice', query)
    }
    assertError(await ask(key, 'a=&b=x'), 400, 'bad_request')
    assertError(await ask(key, 'c=x'), 400, 'bad_request')
  })
})
