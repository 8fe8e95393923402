// edit-flight: a flight is changed with the same words as for logging, and absent fields stay.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Scope } from '../../server/domain/access/access.ts'
import { updatePerson } from '../../server/store/people/people.ts'
import { assertError } from '../fixtures.ts'
import { onBothEngines, type Reply, type TestPerson } from '../harness.ts'

interface Complaint {
  path: string[]
  message: string
}
const complaints = ({ json }: Reply): string[] =>
  json.error.details.map(({ path, message }: Complaint) => `${path.join('.')}: ${message}`)

const assertReason = (reply: Reply, status: number): string => {
  assert.equal(reply.status, status, reply.text)
  return reply.json.error.reason
}

onBothEngines('edit-flight', (app) => {
  let names = 0
  /** Each test has separate people, with the same names in every test. */
  const someone = async (displayName: string): Promise<TestPerson & { full: string }> => {
    const person = await app().person()
    const username = `${displayName.split(' ')[0]!.toLowerCase()}${names++}`
    await app().store.transaction((tx) => updatePerson(tx, person.id, { username, displayName }))
    return { ...person, username, displayName, full: await person.key() }
  }
  const log = async (key: string, body: object) => {
    const reply = await app().request('POST', '/api/v1/flights/log', { key, body })
    assert.equal(reply.status, 201, reply.text)
    return reply.json.data
  }
  const send = (key: string, body: object) => app().request('POST', '/api/v1/flights/edit', { key, body })
  const edit = async (key: string, body: object) => {
    const reply = await send(key, body)
    assert.equal(reply.status, 200, reply.text)
    return reply.json
  }
  const read = async (key: string, id: number) =>
    (await app().request('GET', `/api/v1/flights/${id}`, { key })).json.data
  const codes = (warnings: { code: string }[]) => warnings.map(({ code }) => code)
  const sk909 = {
    ...{ flightNumber: 'SK909', date: '2026-02-20', from: 'CPH', to: 'EWR' },
    ...{ departureTime: '12:30', arrivalTime: '15:05', seatNumber: '12A' },
  }

  test('“Grace was with me on SK909, she sat in 12B” is one call and finds the user', async () => {
    const ada = await someone('Ada Lovelace')
    const grace = await someone('Grace Quick')
    const flight = await log(ada.full, sk909)
    // The instance has one Grace of this name, whom Ada may list.
    const said = { match: { flightNumber: 'sk 909' }, people: [{ name: 'Grace Quick', seatNumber: '12B' }] }
    const { data, changed, warnings } = await edit(ada.full, said)
    assert.equal(data.id, flight.id)
    assert.deepEqual(
      data.passengers.map(({ user, guestName, seatNumber }: never) => [
        (user as { id: string } | null)?.id,
        guestName,
        seatNumber,
      ]),
      [
        [ada.id, null, '12A'],
        [grace.id, null, '12B'],
      ],
    )
    assert.deepEqual(changed, { people: [[], [{ name: 'Grace Quick', seatNumber: '12B' }]] })
    assert.deepEqual(warnings, [])
    assert.deepEqual(await read(ada.full, flight.id), data)
    // Now she is on the flight, and her first name is enough.
    const moved = await edit(ada.full, { id: flight.id, people: [{ name: 'grace', seatNumber: '14C' }] })
    assert.deepEqual(moved.changed, {
      people: [[{ name: 'Grace Quick', seatNumber: '12B' }], [{ name: 'Grace Quick', seatNumber: '14C' }]],
    })
    const seat = await edit(ada.full, {
      id: flight.id,
      people: [{ name: 'me', seatNumber: '1A', seatClass: 'first' }],
    })
    assert.deepEqual(seat.changed, { seatNumber: ['12A', '1A'], seatClass: [null, 'first'] })
    const gone = await edit(ada.full, { id: flight.id, people: [{ name: grace.username, remove: true }] })
    assert.deepEqual(gone.data.passengers.length, 1)
  })

  test('a seat is changed alone, absent fields are kept and null empties one', async () => {
    const ada = await someone('Ada Lovelace')
    const flight = await log(ada.full, { ...sk909, note: 'Snow', registration: 'OY-KAL', reason: 'leisure' })
    const { data, changed } = await edit(ada.full, { id: flight.id, seatNumber: '12F', seat: 'window' })
    assert.deepEqual(changed, { seat: [null, 'window'], seatNumber: ['12A', '12F'] })
    const [own] = flight.passengers
    assert.deepEqual(data, {
      ...flight,
      ...{ updatedAt: data.updatedAt, version: 2 },
      passengers: [{ ...own, seat: 'window', seatNumber: '12F' }],
    })
    const emptied = await edit(ada.full, {
      id: flight.id,
      ...{ note: null, registration: null, reason: null, flightNumber: null, airline: null, aircraft: null },
    })
    assert.deepEqual(Object.keys(emptied.changed).sort(), [
      'airline',
      'flightNumber',
      'note',
      'reason',
      'registration',
    ])
    assert.deepEqual(emptied.changed.reason, ['leisure', null])
    const same = await edit(ada.full, {
      id: flight.id,
      seatNumber: '12F',
      from: 'EKCH',
      date: '2026-02-20',
    })
    assert.deepEqual([same.changed, same.changeId, same.data.version], [{}, null, 3])
    assert.ok(codes(same.warnings).includes('nothing_changed'))
    const details = await edit(ada.full, {
      id: flight.id,
      ...{ departureTerminal: '3', arrivalGate: 'B12', aircraft: 'A20N', outcome: 'cancelled' },
    })
    assert.deepEqual(details.changed, {
      departureTerminal: [null, '3'],
      arrivalGate: [null, 'B12'],
      aircraft: [null, 'Airbus A320neo'],
      outcome: ['flown', 'cancelled'],
    })
  })

  test('a month stays a month', async () => {
    const ada = await someone('Ada Lovelace')
    const flight = await log(ada.full, { from: 'CPH', to: 'ARN', date: '2019-07' })
    const { data, changed } = await edit(ada.full, { match: { date: '2019' }, seatNumber: '3C', note: 'Hot' })
    assert.deepEqual([data.id, data.date, data.datePrecision], [flight.id, '2019-07-01', 'month'])
    assert.deepEqual(Object.keys(changed).sort(), ['note', 'seatNumber'])
    const timed = await send(ada.full, { id: flight.id, departureTime: '09:00' })
    assert.match(complaints(timed)[0]!, /^departureTime: Needs the day/)
    const day = await edit(ada.full, {
      id: flight.id,
      date: '2019-07-14',
      departureTime: '9:00',
      arrivalTime: '1010',
    })
    assert.deepEqual(day.changed, {
      date: ['2019-07', '2019-07-14'],
      departureTime: [null, '09:00'],
      arrivalTime: [null, '10:10'],
    })
    const back = await send(ada.full, { id: flight.id, date: '2019-07' })
    assert.match(complaints(back)[0]!, /^date: The flight has times/)
    const vague = await edit(ada.full, {
      id: flight.id,
      date: '2019-07',
      departureTime: null,
      arrivalTime: null,
    })
    assert.deepEqual(
      [vague.data.datePrecision, vague.data.departure, vague.data.duration],
      ['month', null, null],
    )
    const both = await send(ada.full, { id: flight.id, date: '2019', arrivalTime: '10:10' })
    assert.match(complaints(both)[0]!, /^arrivalTime: Needs the day/)
  })

  test('times move with the date, keep the day, and keep the clock at another airport', async () => {
    const ada = await someone('Ada Lovelace')
    const flight = await log(ada.full, { ...sk909, departureTime: '21:30', arrivalTime: '00:05+1' })
    const scheduled = {
      departureScheduled: '2026-02-20T20:20:00Z',
      takeoffActual: '2026-02-20T21:45:00+01:00',
    }
    await app().request('PATCH', `/api/v1/flights/${flight.id}`, { key: ada.full, body: scheduled })
    const times = ({ departure, arrival, departureScheduled, takeoffActual }: Record<string, string>) =>
      [departure, arrival, departureScheduled, takeoffActual].map((text) => text)
    // Summer time: local times are equal, offsets are not.
    const moved = await edit(ada.full, { id: flight.id, date: '2026-07-01' })
    assert.deepEqual(times(moved.data), [
      '2026-07-01T21:30:00+02:00',
      '2026-07-02T00:05:00-04:00',
      '2026-07-01T21:20:00+02:00',
      '2026-07-01T21:45:00+02:00',
    ])
    assert.deepEqual(Object.keys(moved.changed).sort().slice(0, 1), ['date'])
    const later = await edit(ada.full, { id: flight.id, departureTime: '21:50' })
    assert.deepEqual(later.changed, { departureTime: ['21:30', '21:50'] })
    assert.deepEqual([later.data.date, later.data.departure], ['2026-07-01', '2026-07-01T21:50:00+02:00'])
    const landed = await edit(ada.full, { id: flight.id, arrivalTime: '0:20' })
    assert.deepEqual(landed.data.arrival, '2026-07-02T00:20:00-04:00')
    const elsewhere = await edit(ada.full, { id: flight.id, from: 'LHR' })
    assert.deepEqual(
      [elsewhere.data.departure, elsewhere.data.arrival],
      ['2026-07-01T21:50:00+01:00', '2026-07-02T00:20:00-04:00'],
    )
    assert.deepEqual(elsewhere.changed.from, ['CPH', 'LHR'])
    const own = await edit(ada.full, { id: flight.id, departureTime: '2026-07-03T20:00' })
    assert.deepEqual(
      [own.data.date, own.data.departure, own.data.arrival],
      ['2026-07-03', '2026-07-03T20:00:00+01:00', '2026-07-04T00:20:00-04:00'],
    )
    const backward = await send(ada.full, { id: flight.id, arrivalTime: '2026-07-03T10:00' })
    assert.match(complaints(backward)[0]!, /^arrivalTime: Arrival must be after departure/)
    const other = await send(ada.full, {
      id: flight.id,
      date: '2026-07-05',
      departureTime: '2026-07-06T10:00',
    })
    assert.match(complaints(other)[0]!, /^departureTime: The departure is on 2026-07-06/)
  })

  test('an arrival without a departure keeps its day', async () => {
    const ada = await someone('Ada Lovelace')
    const flight = await log(ada.full, { from: 'CPH', to: 'EWR', date: '2026-02-20' })
    const body = { arrival: '2026-02-21T01:05:00-05:00' }
    await app().request('PATCH', `/api/v1/flights/${flight.id}`, { key: ada.full, body })
    const { data } = await edit(ada.full, { id: flight.id, arrivalTime: '1:20' })
    assert.equal(data.arrival, '2026-02-21T01:20:00-05:00')
    const moved = await edit(ada.full, { id: flight.id, date: '2026-02-22', arrivalTime: '1:30' })
    assert.equal(moved.data.arrival, '2026-02-23T01:30:00-05:00')
  })

  test('the airline follows the number only if it matched the old number', async () => {
    const ada = await someone('Ada Lovelace')
    const follows = await log(ada.full, sk909)
    const changed = await edit(ada.full, { id: follows.id, flightNumber: 'BA 117' })
    assert.deepEqual(changed.changed, {
      flightNumber: ['SK909', 'BA117'],
      airline: [follows.airline.name, 'British Airways'],
    })
    assert.deepEqual(codes(changed.warnings), ['airline_follows_number'])
    const digits = await edit(ada.full, { id: follows.id, flightNumber: 'BA118' })
    assert.deepEqual([Object.keys(digits.changed), digits.warnings], [['flightNumber'], []])

    const named = await log(ada.full, { ...sk909, date: '2026-03-20', airline: 'LH' })
    const kept = await edit(ada.full, { id: named.id, flightNumber: 'BA117' })
    assert.deepEqual(Object.keys(kept.changed), ['flightNumber'])
    assert.deepEqual(codes(kept.warnings), ['airline_not_of_number'])
    const both = await edit(ada.full, { id: named.id, flightNumber: 'AF22', airline: 'Air France' })
    assert.deepEqual(both.changed.airline, ['Lufthansa', 'Air France'])

    const bare = await log(ada.full, { from: 'CPH', to: 'ARN', date: '2026-04-20' })
    const filled = await edit(ada.full, { id: bare.id, flightNumber: 'SK1419' })
    assert.deepEqual(Object.keys(filled.changed).sort(), ['airline', 'flightNumber'])
    assert.deepEqual(codes(filled.warnings), ['airline_follows_number'])
    const unknown = await send(ada.full, { id: bare.id, airline: 'Nonsense Airlines of Nowhere' })
    assert.match(complaints(unknown)[0]!, /^airline: No airline matches/)
  })

  test('match must fit one flight: several are listed, and near misses refused', async () => {
    const ada = await someone('Ada Lovelace')
    const other = await someone('Otto Other')
    const ids: number[] = []
    for (let day = 1; day <= 7; day++)
      ids.push(
        (
          await log(ada.full, {
            from: 'CPH',
            to: 'ARN',
            flightNumber: 'SK1419',
            date: `2026-03-${10 + day * 2}`,
            allowDuplicate: true,
          })
        ).id,
      )
    await log(other.full, { from: 'HAM', to: 'MUC', flightNumber: 'LH2001', date: '2026-03-12' })
    const several = await send(ada.full, { match: { flightNumber: '1419' }, note: 'x' })
    assertError(several, 422, 'validation_failed')
    assert.match(several.json.error.message, /Several flights match; the newest are shown/)
    assert.deepEqual(complaints(several).length, 5)
    assert.equal(complaints(several)[0], `match: Flight ${ids[6]}: 2026-03-24 CPH–ARN SK1419`)
    assert.deepEqual(several.json.error.details[0].params.id, ids[6])
    const two = await send(ada.full, {
      match: { flightNumber: 'SK1419', date: '2026-03', to: 'Arlanda' },
      note: 'x',
    })
    assert.equal(complaints(two).length, 5, two.text)
    const one = await edit(ada.full, {
      match: { flightNumber: 'SK1419', date: '2026-03-12', from: 'Copenhagen' },
      note: 'x',
    })
    assert.equal(one.data.id, ids[0])

    const near = await send(ada.full, { match: { flightNumber: 'SK1419', date: '2026-03-13' }, note: 'x' })
    assert.match(near.json.error.message, /None of your flights matches all of this/)
    assert.deepEqual(
      new Set(near.json.error.details.slice(0, 2).map(({ params }: never) => (params as { id: number }).id)),
      new Set([ids[0], ids[1]]),
    )
    const route = await send(ada.full, { match: { date: '2026-03-12', to: 'JFK' }, note: 'x' })
    assert.deepEqual(complaints(route), [`match: Flight ${ids[0]}: 2026-03-12 CPH–ARN SK1419`])
    const strangers = await send(ada.full, { match: { flightNumber: 'LH2001' }, note: 'x' })
    assert.deepEqual(complaints(strangers), ['match: None of your flights matches this'])
    const place = await send(ada.full, { match: { from: 'Xqzvw' }, note: 'x' })
    assert.match(complaints(place)[0]!, /^match\.from: /)
    assert.match(complaints(await send(ada.full, { match: {}, note: 'x' }))[0]!, /^match: Give flightNumber/)
    assert.match(complaints(await send(ada.full, { note: 'x' }))[0]!, /^id: Give either id or match/)
    const doubly = { id: ids[0], match: { date: '2026' }, note: 'x' }
    assert.match(complaints(await send(ada.full, doubly))[0]!, /^id: Give either id or match/)
  })

  test('names mean people on the flight first; namesakes, unknown and unseen people are handled', async () => {
    const ada = await someone('Ada Lovelace')
    const narrow = await ada.key([
      ...(['flight.read.own', 'flight.update.own', 'reference_data.read'] as Scope[]),
      'flight.passengers.manage.own',
    ])
    const hidden = await someone('Hilda Hidden')
    const flight = await log(ada.full, { ...sk909, companions: [{ name: 'Zoë' }] })
    const guest = await edit(narrow, { id: flight.id, people: [{ name: 'zoe', seatClass: 'business' }] })
    assert.deepEqual(guest.changed.people, [[{ name: 'Zoë' }], [{ name: 'Zoë', seatClass: 'business' }]])
    // A key that may not list users neither finds nor confirms one.
    const unseen = await edit(narrow, { id: flight.id, people: [{ name: 'Hilda Hidden' }] })
    assert.deepEqual(codes(unseen.warnings), ['guest_added'])
    assert.equal(unseen.data.passengers.at(-1).guestName, 'Hilda Hidden')
    await edit(narrow, { id: flight.id, people: [{ name: 'Hilda', remove: true }] })
    const seen = await edit(ada.full, { id: flight.id, people: [{ name: `@${hidden.username}` }] })
    assert.equal(seen.data.passengers.at(-1).user.id, hidden.id)
    assert.deepEqual(codes(seen.warnings), ['person_by_name'])

    const absent = await send(narrow, { id: flight.id, people: [{ name: 'Linus', remove: true }] })
    assert.match(complaints(absent)[0]!, /^people\.0\.name: On this flight there is no “Linus”\. .*Zoë/)
    await edit(ada.full, { id: flight.id, people: [{ name: 'Tom Ford' }, { name: 'Tom Hanks' }] })
    const toms = await send(narrow, { id: flight.id, people: [{ name: 'Tom', seatNumber: '9A' }] })
    assert.match(
      complaints(toms)[0]!,
      /^people\.0\.name: “Tom” may mean Tom Ford \(guest\), Tom Hanks \(guest\);/,
    )
    const ford = await edit(narrow, {
      id: flight.id,
      people: [{ name: 'Tom Ford (guest)', seatNumber: '9A' }],
    })
    assert.equal(
      ford.data.passengers.find(({ guestName }: { guestName: string }) => guestName === 'Tom Ford')
        .seatNumber,
      '9A',
    )
    const twice = [
      { name: 'Zoë', seatNumber: '1A' },
      { name: 'zoe', seatNumber: '2A' },
    ]
    assert.match(
      complaints(await send(narrow, { id: flight.id, people: twice }))[0]!,
      /^people\.1: Two entries/,
    )
    const last = { id: flight.id, people: [{ name: 'me', remove: true }] }
    assert.equal((await send(narrow, { ...last, seatNumber: '1A' })).status, 422)
  })

  test('an ambiguous first name is refused, also if one of them is on the flight', async () => {
    const ada = await someone('Ursula Le Guin')
    const hopper = await someone('Quincy Hopper')
    const kelly = await someone('Quincy Kelly')
    const { id } = await log(ada.full, sk909)
    const add = (name: string) => send(ada.full, { id, people: [{ name }] })
    const asked = complaints(await add('Quincy'))[0]!
    assert.ok(
      asked.includes(`Quincy Hopper (@${hopper.username}), Quincy Kelly (@${kelly.username});`),
      asked,
    )
    assert.match(complaints(await add('Quincie Kelly'))[0]!, /Did you mean Quincy Kelly \(@/)
    assert.equal((await add('Hopper')).json.data.passengers.at(-1).user.id, hopper.id)
    assert.match(complaints(await add('Quincy'))[0]!, /Quincy Kelly/)
    const seated = await edit(ada.full, { id, people: [{ name: 'Quincy', seatNumber: '12B' }] })
    assert.equal(seated.data.passengers.at(-1).seatNumber, '12B', 'the one on the flight')
    const guest = await edit(ada.full, { id, people: [{ name: 'Quincie Kelly (guest)' }] })
    assert.equal(guest.data.passengers.at(-1).guestName, 'Quincie Kelly')
    assert.deepEqual(codes(guest.warnings), ['guest_added'])
  })

  test('the caller’s own first name means the caller, unless another person has it too', async () => {
    const tess = await someone('Tess Taylor')
    const flight = await log(tess.full, sk909)
    const own = await edit(tess.full, { id: flight.id, people: [{ name: 'Tess', seatNumber: '1A' }] })
    assert.deepEqual(own.changed, { seatNumber: ['12A', '1A'] })
    const twin = await someone('Tess Twin')
    const added = await edit(tess.full, { id: flight.id, people: [{ name: 'Tess', seatNumber: '1B' }] })
    assert.equal(added.data.passengers.at(-1).user.id, twin.id)
    const full = await edit(tess.full, { id: flight.id, people: [{ name: 'Tess Taylor', seatNumber: '1C' }] })
    assert.deepEqual(full.changed, { seatNumber: ['1A', '1C'] })
  })

  test('all faults are reported together', async () => {
    const ada = await someone('Ada Lovelace')
    const { id } = await log(ada.full, sk909)
    const refused = await send(ada.full, {
      id,
      ...{
        from: 'Xqzvw',
        airline: 'Nonsense Airlines of Nowhere',
        departureTime: 'noonish',
        seatClass: 'gold',
      },
      ...{ date: '2026-02-30', people: [{ name: 'Linus', remove: true }] },
    })
    assert.deepEqual(
      complaints(refused)
        .map((text) => text.split(':')[0])
        .sort(),
      [...['airline', 'date', 'departureTime', 'from', 'people.0.name', 'seatClass']],
    )
    const custom = await send(ada.full, { id, customFields: { no_such: 1 } })
    assert.match(complaints(custom)[0]!, /^customFields\.no_such: There is no custom field/)
    const misspelt = await send(ada.full, { id, seatnumber: '1A' })
    assert.match(complaints(misspelt)[0]!, /seatnumber.*Did you mean seatNumber/)
    assertError(await send(ada.full, { id: 'x', note: 'y' }), 422, 'validation_failed', ['id'])
    for (const name of ['from', 'to', 'date'])
      assertError(await send(ada.full, { id, [name]: null }), 422, 'validation_failed', [name])
    assert.equal((await read(ada.full, id)).version, 1)
  })

  test('an impossible id is not found, and an id may be a text', async () => {
    const ada = await someone('Ada Lovelace')
    const flight = await log(ada.full, sk909)
    for (const id of [2_147_483_648, 1_000_000_000_000_000, '100000000000000'])
      assertError(await send(ada.full, { id, note: 'x' }), 404, 'not_found')
    assert.deepEqual((await edit(ada.full, { id: String(flight.id), note: 'x' })).changed, {
      note: [null, 'x'],
    })
  })

  test('errors name the sent fields, for removals, times and companions', async () => {
    const ada = await someone('Ada Lovelace')
    const ben = await someone('Ben Quick')
    const { id } = await log(ada.full, {
      ...{ date: '2026-03-23', from: 'CPH', to: 'LHR', departureTime: '10:00', arrivalTime: '10:20' },
      companions: [{ userId: ben.id }],
    })
    // Ben has not kept the flight, and the edit does not mention him.
    const left = await send(ada.full, { id, note: 'x', people: [{ name: 'me', remove: true }] })
    assertError(left, 403, 'forbidden')
    assert.deepEqual(complaints(left), [
      'people.0: Ben Quick must keep this flight first. Until then, someone who logged or kept it must stay on it.',
    ])
    const wayOut =
      'With its current times, the flight would arrive before it departs. Give departureTime and arrivalTime too, or null to clear them.'
    assert.deepEqual(complaints(await send(ada.full, { id, from: 'JFK' })), [`from: ${wayOut}`])
    assert.deepEqual(complaints(await send(ada.full, { id, departureTime: '22:00' })), [
      'departureTime: Arrival must be after departure',
    ])
    const both = { id, departureTime: '22:00', arrivalTime: '2026-03-23T20:00' }
    assert.deepEqual(complaints(await send(ada.full, both)), ['arrivalTime: Arrival must be after departure'])
    const moved = await edit(ada.full, { id, from: 'JFK', departureTime: null, arrivalTime: null })
    assert.deepEqual(moved.changed.from, ['CPH', 'JFK'])
    const hint =
      'Give people as a list of names: people who join or change seats, or people who leave, with remove: true'
    assert.deepEqual(complaints(await send(ada.full, { id, companions: [{ name: 'Zed' }] })), [
      `companions: ${hint}`,
    ])
    assert.deepEqual(complaints(await send(ada.full, { id, people: null })), [`people: ${hint}`])
    assert.deepEqual(complaints(await send(ada.full, { match: { from: 'Xyzzy' }, note: 'x' })), [
      'match.from: No airport matches “Xyzzy”',
    ])
  })

  test('an edit that makes a duplicate or an implausibly long flight has a warning', async () => {
    const ada = await someone('Ada Lovelace')
    const first = await log(ada.full, sk909)
    const second = await log(ada.full, { ...sk909, date: '2026-03-20' })
    const same = await edit(ada.full, { id: second.id, date: '2026-02-20' })
    assert.deepEqual(same.warnings, [
      {
        code: 'likely_duplicate',
        message: `Now it looks like SK909 CPH–EWR of 2026-02-20 (flight ${first.id}); check that these are two flights.`,
      },
    ])
    const near = await edit(ada.full, { id: second.id, date: '2026-02-21' })
    assert.deepEqual(codes(near.warnings), ['near_day'])
    // A difference that does not distinguish flights causes no second warning.
    assert.deepEqual((await edit(ada.full, { id: second.id, note: 'x' })).warnings, [])
    assert.deepEqual((await edit(ada.full, { id: second.id, date: '2026-04-21' })).warnings, [])
    const day = { id: second.id, to: 'ARN', departureTime: '7:50', arrivalTime: '07:50+1' }
    assert.deepEqual((await edit(ada.full, day)).warnings, [
      {
        code: 'flight_too_slow',
        message: 'The flight would take 24:00 hours for 548 km; check the times.',
      },
    ])
  })

  test('a registration gets its missing hyphen', async () => {
    const ada = await someone('Ada Lovelace')
    const flight = await log(ada.full, { ...sk909, registration: 'oykal' })
    assert.equal(flight.aircraftReg, 'OY-KAL')
    const { changed } = await edit(ada.full, { id: flight.id, registration: 'deabc' })
    assert.deepEqual(changed, { registration: ['OY-KAL', 'D-EABC'] })
  })

  test('a flight in the bin is reported as such to the people on it', async () => {
    const ada = await someone('Ada Lovelace')
    const eve = await app().person('role-user')
    const evesKey = await eve.key()
    const { id } = await log(ada.full, sk909)
    const path = `/api/v1/flights/${id}`
    const again = await app().request('POST', `${path}/restore`, { key: ada.full })
    assert.equal(assertReason(again, 404), 'flight_not_deleted')
    assert.equal(
      assertReason(await app().request('POST', `${path}/restore`, { key: evesKey }), 404),
      'flight_not_found',
    )
    assert.equal((await app().request('DELETE', path, { key: ada.full })).status, 204)
    for (const [key, reason] of [
      [ada.full, 'flight_in_bin'],
      [evesKey, 'flight_not_found'],
    ] as const) {
      assert.equal(assertReason(await app().request('DELETE', path, { key }), 404), reason)
      assert.equal(assertReason(await send(key, { id, note: 'x' }), 404), reason)
    }
  })

  test('access, versions and required versions are checked as for every change', async () => {
    const ada = await someone('Ada Lovelace')
    const otto = await someone('Otto Other')
    const { id } = await log(ada.full, sk909)
    assertError(await send(otto.full, { id, note: 'x' }), 404, 'not_found')
    assertError(await send(ada.full, { id: 999_999, note: 'x' }), 404, 'not_found')
    const base: Scope[] = ['flight.read.own', 'flight.update.own', 'reference_data.read']
    for (const missing of base) {
      const key = await ada.key(base.filter((scope) => scope !== missing))
      assertError(await send(key, { id, note: 'x' }), 403, 'insufficient_scope')
    }
    const noPeople = await ada.key(base)
    assert.equal((await send(noPeople, { id, note: 'Fine' })).status, 200)
    assertError(await send(noPeople, { id, people: [{ name: 'Tim' }] }), 403, 'insufficient_scope')
    assertError(await send(ada.full, { id, note: 'y', ifVersion: 1 }), 412, 'precondition_failed')
    assert.equal((await edit(ada.full, { id, note: 'y', ifVersion: 2 })).data.version, 3)
    // On another person's flight there is no seat of one's own.
    const admin = await app().person('role-administrator')
    const theirs = await send(await admin.key(), { id, seatNumber: '1A', note: 'z' })
    assert.deepEqual(complaints(theirs), [
      'seatNumber: You are not on this flight. Name the person under people.',
    ])
    const byName = await edit(await admin.key(), { id, people: [{ name: ada.username, seatNumber: '30F' }] })
    assert.deepEqual(byName.changed.people[1], [{ name: 'Ada Lovelace', seatNumber: '30F' }])
    const joined = await edit(await admin.key(), {
      id,
      seatNumber: '31F',
      people: [{ name: 'me', seatClass: 'economy' }],
    })
    assert.deepEqual(joined.changed.people[1], [
      { name: admin.displayName, seatNumber: '31F', seatClass: 'economy' },
    ])
  })
})

onBothEngines(
  'edit-flight where versions are required',
  (app) => {
    test('an edit without a version is refused', async () => {
      const ada = await app().person()
      const key = await ada.key()
      const body = { flightNumber: 'SK909', date: '2026-02-20', from: 'CPH', to: 'EWR' }
      const { id } = (await app().request('POST', '/api/v1/flights/log', { key, body })).json.data
      const send = (more: object, ask: object = { key }) =>
        app().request('POST', '/api/v1/flights/edit', { ...ask, body: { id, note: 'x', ...more } })
      assertError(await send({}), 428, 'precondition_required')
      assert.equal((await send({ ifVersion: 1 })).status, 200)
      const app2 = await app().request('POST', '/app/api/flights/edit', {
        cookie: await ada.session(),
        body: { id, note: 'y' },
      })
      assert.equal(app2.status, 200, app2.text)
    })
  },
  { requireIfMatch: true },
)
