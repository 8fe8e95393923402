// Shares of one flight and of one trip show only that, in the enabled detail, while it exists.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { airportIds, assertError, logFlight } from '../fixtures.ts'
import { onBothEngines, type Reply, type TestPerson } from '../harness.ts'

const shares = '/api/v1/shares'
const trips = '/api/v1/trips'
const all = {
  ...{ showMap: true, showStats: true, showFlightList: true, showFlightNumbers: true, showAirlines: true },
  ...{ showAircraft: true, showTimes: true, showTracks: true, showDates: true, showSeat: true },
}
const none = Object.fromEntries(Object.keys(all).map((name) => [name, false]))

onBothEngines('shares of one flight or trip', (app) => {
  let ids: Record<'CPH' | 'EWR' | 'OSL' | 'HND', number>
  before(async () => {
    const found = (await airportIds(app(), 'CPH', 'EWR', 'OSL', 'HND')) as [number, number, number, number]
    ids = { CPH: found[0], EWR: found[1], OSL: found[2], HND: found[3] }
  })
  const ask = async (who: TestPerson, method: string, at: string, body?: object): Promise<Reply> =>
    app().request(method, at, { key: await who.key(), ...(body && { body }) })
  const must = async (who: TestPerson, method: string, at: string, body?: object) => {
    const reply = await ask(who, method, at, body)
    assert.ok(reply.status < 300, reply.text)
    return reply.json?.data
  }
  const fly = async (who: TestPerson, date: string, more: object = {}): Promise<number> =>
    (await logFlight(app(), who, { date, fromId: ids.CPH, toId: ids.EWR, ...more })).id
  const open = (slug: string) => app().request('GET', `/share/${slug}/data`)
  const pageOf = async (slug: string) => {
    const reply = await open(slug)
    assert.equal(reply.status, 200, reply.text)
    return reply.json.data
  }
  const requireEnded = async (slug: string) => {
    assertError(await open(slug), 404, 'not_found')
    assert.equal((await app().request('GET', `/share/${slug}`)).status, 404)
    assert.equal((await app().request('GET', `/share/${slug}/preview.png`)).status, 404)
  }

  test('a share of one flight shows that flight alone', async () => {
    const ada = await app().person()
    const id = await fly(ada, '2026-02-20', {
      departure: '2026-02-20T13:37:00+01:00',
      arrival: '2026-02-20T16:19:00-05:00',
      flightNumber: 'SK909',
    })
    await fly(ada, '2026-02-21', { toId: ids.HND, flightNumber: 'SK983' })
    const whole = await must(ada, 'POST', shares, all)
    const share = await must(ada, 'POST', shares, { ...all, flightId: id })
    // Read first: pages with the same settings are cached.
    assert.equal((await pageOf(whole.slug)).flights.length, 2)
    assert.deepEqual([share.flightId, share.tripId], [id, null])
    assert.match(
      share.visitorSees,
      new RegExp(`^Anyone with the link sees flight ${id} alone: its map, stat`),
    )
    const page = await pageOf(share.slug)
    assert.deepEqual(page.subject, { kind: 'flight' })
    assert.deepEqual(
      page.airports.map(({ iata }: { iata: string }) => iata),
      ['CPH', 'EWR'],
    )
    assert.equal(page.flights.length, 1)
    const [row] = page.flights
    assert.deepEqual(
      [row.flightNumber, row.date, row.departureTime, row.arrivalTime, row.durationSeconds],
      ['SK909', '2026-02-20', '13:37', '16:19', (8 * 60 + 42) * 60],
    )
    assert.equal(page.statistics.totals.flights, 1)
    const { text } = await app().request('GET', `/share/${share.slug}`)
    assert.ok(text.includes(`A flight of ${ada.displayName}`), text)
    const picture = await app().request('GET', `/share/${share.slug}/preview.png`)
    assert.equal(picture.headers['content-type'], 'image/png')
  })

  test('parts that are not selected are not sent, and some fields never are', async () => {
    const [ada, bob] = [await app().person(), await app().person()]
    const id = await fly(ada, '2026-02-20', {
      departure: '2026-02-20T13:37:00+01:00',
      arrival: '2026-02-20T16:19:00-05:00',
      flightNumber: 'CANARY9',
      aircraftReg: 'OY-CNRY',
      note: 'secret note',
      departureGate: 'G-77',
      bookingReference: 'CNRPNR',
      price: { amount: '77.77', currency: 'EUR' },
      passengers: [
        { userId: ada.id, seat: 'jumpseat', seatNumber: '47K', seatClass: 'private', flightReason: 'crew' },
        { userId: bob.id },
        { guestName: 'Canary Guest' },
      ],
    })
    const trip = await must(ada, 'POST', trips, { name: 'Open name', note: 'hidden tale', flightIds: [id] })
    const ticked: [string, string[]][] = [
      ['showFlightNumbers', ['CANARY9']],
      ['showAircraft', ['OY-CNRY']],
      ['showDates', ['2026']],
      ['showTimes', ['13:37', '16:19']],
      ['showSeat', ['jumpseat', '47K', 'private']],
    ]
    const never = [
      'secret note',
      'G-77',
      'CNRPNR',
      '77.77',
      'Canary Guest',
      bob.displayName,
      'crew',
      'hidden tale',
    ]
    for (const subject of [{ flightId: id }, { tripId: trip.id }]) {
      for (const [name, texts] of ticked) {
        const on = { ...none, showFlightList: true, [name]: true, ...subject }
        const shown = (await open((await must(ada, 'POST', shares, on)).slug)).text
        for (const text of texts) assert.ok(shown.includes(text), `${name}: ${text}`)
        const others = ticked.filter(([other]) => other !== name).flatMap(([, hidden]) => hidden)
        for (const text of [...others, ...never]) assert.ok(!shown.includes(text), `${name} reveals ${text}`)
      }
      const everything = await must(ada, 'POST', shares, { ...all, ...subject })
      const shown = (await open(everything.slug)).text
      for (const text of never) assert.ok(!shown.includes(text), text)
    }
    const bare = await must(ada, 'POST', shares, { ...none, tripId: trip.id })
    assert.deepEqual(await pageOf(bare.slug), { owner: { displayName: ada.displayName }, airports: [] })
    const { text } = await app().request('GET', `/share/${bare.slug}`)
    assert.ok(!text.includes('Open name') && text.includes(ada.displayName), text)
  })

  test('a share of a trip has its name and its flights in travel order, and follows its changes', async () => {
    const ada = await app().person()
    const home = await fly(ada, '2026-02-28', { fromId: ids.OSL, toId: ids.CPH })
    const out = await fly(ada, '2026-02-20', { fromId: ids.CPH, toId: ids.EWR })
    const back = await fly(ada, '2026-02-27', { fromId: ids.EWR, toId: ids.OSL })
    await fly(ada, '2026-02-22', { toId: ids.HND })
    const trip = await must(ada, 'POST', trips, { name: 'There & back', flightIds: [home, out] })
    const share = await must(ada, 'POST', shares, { ...all, tripId: trip.id })
    const routes = async () => {
      const { airports, flights } = await pageOf(share.slug)
      const code = (id: number) => airports[id - 1].iata
      return flights.map(({ from, to }: { from: number; to: number }) => `${code(from)} ${code(to)}`)
    }
    assert.deepEqual((await pageOf(share.slug)).subject, {
      kind: 'trip',
      name: 'There & back',
      colour: 'blue',
    })
    assert.deepEqual(await routes(), ['CPH EWR', 'OSL CPH'])
    await must(ada, 'PATCH', `${trips}/${trip.id}`, { addFlightIds: [back], name: 'Round' })
    assert.deepEqual(await routes(), ['CPH EWR', 'EWR OSL', 'OSL CPH'])
    assert.equal((await pageOf(share.slug)).subject.name, 'Round')
    const { text } = await app().request('GET', `/share/${share.slug}`)
    assert.ok(text.includes(`Round, a trip of ${ada.displayName}`), text)
    await must(ada, 'DELETE', `/api/v1/flights/${back}`)
    assert.deepEqual(await routes(), ['CPH EWR', 'OSL CPH'])
    await must(ada, 'DELETE', `${trips}/${trip.id}`)
    await requireEnded(share.slug)
    assertError(await ask(ada, 'GET', `${shares}/${share.id}`), 404, 'not_found')
  })

  test('a share is not found while its flight is in the bin, cancelled or no longer its owner’s', async () => {
    const [ada, bob] = [await app().person(), await app().person()]
    const flight = { date: '2026-02-20', fromId: ids.CPH, toId: ids.EWR }
    const both = { ...flight, passengers: [{ userId: ada.id }, { userId: bob.id }] }
    const { id } = await logFlight(app(), ada, both)
    assertError(await ask(bob, 'POST', shares, { flightId: id }), 422, 'validation_failed', ['flightId'])
    const { slug } = await must(ada, 'POST', shares, { ...all, flightId: id })
    assert.equal((await pageOf(slug)).flights.length, 1)
    await must(ada, 'DELETE', `/api/v1/flights/${id}`)
    await requireEnded(slug)
    await must(ada, 'POST', `/api/v1/flights/${id}/restore`)
    assert.equal((await pageOf(slug)).flights.length, 1)
    await must(ada, 'PATCH', `/api/v1/flights/${id}`, { outcome: 'cancelled' })
    await requireEnded(slug)
    await must(ada, 'PATCH', `/api/v1/flights/${id}`, { outcome: 'flown' })
    assert.equal((await open(slug)).status, 200)
    await must(ada, 'PATCH', `/api/v1/flights/${id}`, { passengers: [{ guestName: 'Grace' }] }).catch(() => 0)
    const left = await ask(ada, 'GET', `/api/v1/flights/${id}`)
    if (left.status === 404) await requireEnded(slug)
  })

  test('others’ flights and trips cannot be shared, and a link keeps its subject', async () => {
    const [ada, bob] = [await app().person(), await app().person()]
    const [own, foreign] = [await fly(ada, '2026-02-20'), await fly(bob, '2026-02-20')]
    const theirs = await must(bob, 'POST', trips, { name: 'Bob’s' })
    const mine = await must(ada, 'POST', trips, { name: 'Ada’s', flightIds: [own] })
    const cookie = await ada.session()
    for (const [field, id] of [
      ['flightId', foreign],
      ['flightId', 2_000_000_000],
      ['flightId', 2 ** 40],
      ['tripId', theirs.id],
      ['tripId', 2_000_000_000],
    ] as const) {
      assertError(await ask(ada, 'POST', shares, { [field]: id }), 422, 'validation_failed', [field])
      const preview = await app().request('POST', '/app/api/share-preview', { cookie, body: { [field]: id } })
      assertError(preview, 404, 'not_found')
    }
    const two = await ask(ada, 'POST', shares, { flightId: own, tripId: mine.id })
    assertError(two, 422, 'validation_failed', ['tripId'])
    assertError(await ask(ada, 'POST', shares, { flightId: 0 }), 422, 'validation_failed', ['flightId'])
    const share = await must(ada, 'POST', shares, { flightId: own, showFlightList: true })
    const at = `${shares}/${share.id}`
    const replaced = await must(ada, 'PUT', at, { showFlightList: true, showDates: false })
    assert.equal(replaced.flightId, own, 'a program that does not know of subjects keeps them')
    assert.equal((await pageOf(share.slug)).flights.length, 1)
    for (const change of [{ flightId: null }, { flightId: foreign }, { tripId: mine.id, flightId: null }]) {
      assertError(await ask(ada, 'PUT', at, change), 422, 'validation_failed', ['flightId'])
    }
    const whole = await must(ada, 'POST', shares, {})
    assertError(await ask(ada, 'PUT', `${shares}/${whole.id}`, { tripId: mine.id }), 422, 'validation_failed')
  })

  test('the owner’s preview equals the visitors’ page', async () => {
    const ada = await app().person()
    const id = await fly(ada, '2026-02-20')
    await fly(ada, '2026-02-21')
    const body = { ...all, flightId: id }
    const preview = await app().request('POST', '/app/api/share-preview', {
      cookie: await ada.session(),
      body,
    })
    assert.equal(preview.status, 200, preview.text)
    const share = await must(ada, 'POST', shares, body)
    assert.deepEqual(preview.json.data, await pageOf(share.slug))
  })
})
