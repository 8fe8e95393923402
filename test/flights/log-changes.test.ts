// `GET /log?since=`: a cached log plus its changes equals the whole log, whatever happened in between.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TOMBSTONE_DAYS } from '../../server/domain/history/changes.ts'
import { DAY } from '../../server/domain/time/durations.ts'
import { deleteExpired } from '../../server/process/cleanup.ts'
import type { LogPayload } from '../../web/src/api/flights-of-log.ts'
import { inStep } from '../../web/src/log/step.ts'
import { airportIds, logFlight } from '../fixtures.ts'
import { createRandom, onBothEngines, type TestApp, type TestPerson, testOnSqlite } from '../harness.ts'
import { isLong } from '../rounds.ts'

const HISTORIES = isLong ? 20 : 1

async function read(app: TestApp, cookie: string, query: Record<string, string> = {}): Promise<LogPayload> {
  const reply = await app.request('GET', `/app/api/log?${new URLSearchParams(query)}`, { cookie })
  assert.equal(reply.status, 200, reply.text)
  return reply.json.data
}

/** Flights with the records they name, in a fixed order. */
const contentOf = (log: LogPayload) =>
  log.flights
    .toSorted((a, b) => a.id - b.id)
    .map((flight) => ({
      ...flight,
      from: flight.from && log.airports[flight.from],
      to: flight.to && log.airports[flight.to],
      airline: flight.airline && log.airlines[flight.airline],
      passengers: flight.passengers.map((one) => ({ ...one, user: one.user && log.users[one.user] })),
    }))

/** A browser that caches the log of a person. */
async function createReader(app: TestApp, person: TestPerson, audience: Record<string, string> = {}) {
  const cookie = await person.session()
  let kept = await read(app, cookie, audience)
  return {
    /** The response; the cached log must then equal what a new browser would load. */
    async step(): Promise<LogPayload> {
      const response = await read(app, cookie, { ...audience, since: kept.token })
      kept = { ...inStep(kept, response), token: response.token }
      assert.deepEqual(contentOf(kept), contentOf(await read(app, cookie, audience)))
      return response
    },
  }
}

const idsOf = ({ flights }: LogPayload) => flights.map(({ id }) => id)

onBothEngines('incremental reads of the web app’s log', (app, engine) => {
  const sqliteTest = testOnSqlite(engine)
  const send = async (person: TestPerson, method: string, path: string, body?: object) => {
    const reply = await app().request(method, `/app/api${path}`, {
      cookie: await person.session(),
      ...(body && { body }),
    })
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`)
    return reply.json?.data
  }

  test('a step has added, changed and removed flights, or nothing', async () => {
    const [ada, eve] = [await app().person(), await app().person()]
    const [fromId, toId, other] = await airportIds(app(), 'CPH', 'JFK', 'HND')
    const [first, second] = [
      await logFlight(app(), ada, { date: '2026-01-01', fromId, toId }),
      await logFlight(app(), ada, { date: '2026-01-02', fromId, toId }),
    ]
    const reader = await createReader(app(), ada)
    const nothing = await reader.step()
    assert.deepEqual([nothing.partial, idsOf(nothing), nothing.removed], [true, [], []])
    assert.ok(JSON.stringify(nothing).length < 300, 'a few hundred bytes')

    await logFlight(app(), eve, { date: '2026-01-03', fromId, toId })
    assert.deepEqual(idsOf(await reader.step()), [], 'flights of others are not in it')

    const added = await logFlight(app(), ada, { date: '2026-01-03', fromId, toId: other })
    await send(ada, 'PUT', `/flights/${first.id}`, { date: '2026-02-01', fromId, toId, note: 'changed' })
    await send(ada, 'DELETE', `/flights/${second.id}`)
    const step = await reader.step()
    assert.deepEqual(idsOf(step), [added.id, first.id].sort())
    assert.deepEqual([step.partial, step.removed], [true, [second.id]])
    assert.deepEqual(Object.keys(step.airports).map(Number).sort(), [fromId!, toId!, other!].sort())

    await send(ada, 'POST', `/flights/${second.id}/restore`)
    assert.deepEqual(idsOf(await reader.step()), [second.id])
    assert.deepEqual(idsOf(await reader.step()), [])
  })

  test('a person who leaves a flight loses it, and the others see it changed', async () => {
    const [ada, bob] = [await app().person(), await app().person()]
    const [fromId, toId] = await airportIds(app(), 'CPH', 'JFK')
    const both = [{ userId: ada.id }, { userId: bob.id }]
    const flight = await logFlight(app(), ada, { date: '2026-01-01', fromId, toId, passengers: both })
    const [hers, his] = [await createReader(app(), ada), await createReader(app(), bob)]
    await send(ada, 'PUT', `/flights/${flight.id}`, {
      date: '2026-01-01',
      fromId,
      toId,
      passengers: [{ userId: ada.id }],
    })
    assert.deepEqual(idsOf(await hers.step()), [flight.id])
    const left = await his.step()
    assert.deepEqual([idsOf(left), left.removed], [[], [flight.id]])
  })

  test('an unusable token returns the whole log', async () => {
    const [ada, bob] = [await app().person('role-administrator'), await app().person('role-administrator')]
    const [fromId, toId] = await airportIds(app(), 'CPH', 'JFK')
    await logFlight(app(), ada, { date: '2026-01-01', fromId, toId })
    const cookie = await ada.session()
    const { token } = await read(app(), cookie)
    const isWhole = async (since: string, why: string, query: Record<string, string> = {}, who = cookie) => {
      const log = await read(app(), who, { since, ...query })
      assert.deepEqual([log.partial, log.removed], [false, []], why)
      return log
    }
    assert.equal((await read(app(), cookie, { since: token })).partial, true)
    for (const bad of [
      '',
      'x',
      '.1.1',
      token.slice(1),
      `${token}0000000`,
      token.slice(0, -1),
      token.replace('ct1_', 'ct2_'),
      '\u{1f600}',
    ])
      await isWhole(bad, `no token: ${bad}`)
    await isWhole(token, 'the view of everyone', { scope: 'all' })
    const his = await isWhole(token, 'another person', {}, await bob.session())
    assert.deepEqual([his.of, idsOf(his)], [bob.id, []])
    const all = await read(app(), cookie, { scope: 'all' })
    assert.deepEqual([all.of, (await read(app(), cookie)).of], [null, ada.id])
    assert.equal(
      (await read(app(), await bob.session(), { scope: 'all', since: all.token })).partial,
      true,
      'the same view for both',
    )
  })

  test('a new name of a fellow traveller or an airport returns the whole log, a stranger’s does not', async () => {
    const [ada, bob, eve] = [
      await app().person('role-administrator'),
      await app().person(),
      await app().person(),
    ]
    const strip = {
      icao: 'QQ1Z',
      name: 'Own strip',
      latitude: 50,
      longitude: 8,
      timezone: 'Europe/Berlin',
      type: 'small_airport',
      continent: 'EU',
      country: 'DE',
    }
    const { id: fromId } = await send(ada, 'POST', '/airports', strip)
    const toId = await app().airportId('JFK')
    const passengers = [{ userId: ada.id }, { userId: bob.id }]
    const flight = await logFlight(app(), ada, { date: '2026-01-01', fromId, toId, passengers })
    const cookie = await ada.session()
    let { token } = await read(app(), cookie)
    const partialAfter = async (change: Promise<unknown>) => {
      await change
      const log = await read(app(), cookie, { since: token })
      token = log.token
      assert.deepEqual(idsOf(log), log.partial ? [] : [flight.id])
      return log.partial
    }
    const rename = (person: TestPerson) =>
      send(person, 'PUT', '/me', { username: person.username, displayName: `${person.username} II` })
    assert.equal(await partialAfter(rename(eve)), true, 'a stranger')
    assert.equal(await partialAfter(app().person()), true, 'a new account')
    assert.equal(await partialAfter(rename(bob)), false, 'a fellow traveller')
    assert.equal(
      await partialAfter(send(ada, 'POST', '/airports', { ...strip, icao: 'QQ2Z' })),
      true,
      'a new airport',
    )
    const changed = send(ada, 'PUT', `/airports/${fromId}`, { ...strip, name: 'Old strip' })
    assert.equal(await partialAfter(changed), false, 'an airport of the log')
  })

  test('a token older than the stored removals returns the whole log', async () => {
    const ada = await app().person()
    const [fromId, toId] = await airportIds(app(), 'CPH', 'JFK')
    const [first, second] = [
      await logFlight(app(), ada, { date: '2026-01-01', fromId, toId }),
      await logFlight(app(), ada, { date: '2026-01-02', fromId, toId }),
    ]
    const { token } = await read(app(), await ada.session())
    await send(ada, 'DELETE', `/flights/${first.id}`)
    const newer = (await read(app(), await ada.session())).token
    const start = app().clock.now()
    const after = async (days: number, since: string) => {
      app().clock.set(start + days * DAY)
      await deleteExpired(app().store, app().clock.now())
      return read(app(), await ada.session(), { since })
    }
    const late = await after(TOMBSTONE_DAYS + 1, token)
    assert.deepEqual([late.partial, idsOf(late)], [false, [second.id]])
    assert.equal((await after(TOMBSTONE_DAYS + 1, newer)).partial, true, 'it missed nothing')
    app().clock.set(start)
  })

  sqliteTest('more changes than a step may hold return the whole log', async () => {
    const ada = await app().person()
    const cookie = await ada.session()
    const { token } = await read(app(), cookie)
    const ids: number[] = []
    const [fromId, toId] = await airportIds(app(), 'CPH', 'JFK')
    while (ids.length <= 2000) {
      await send(ada, 'POST', '/demo')
      ids.push(...idsOf(await read(app(), cookie)))
      await send(ada, 'DELETE', '/demo')
    }
    const flight = await logFlight(app(), ada, { date: '2026-01-01', fromId, toId })
    const log = await read(app(), cookie, { since: token })
    assert.deepEqual([log.partial, idsOf(log), log.removed], [false, [flight.id], []])
  })

  for (let seed = 1; seed <= HISTORIES; seed++) {
    test(`an updated log equals the whole log after random writes by three people, seed ${seed}`, async () => {
      const random = createRandom(seed)
      const people = [await app().person('role-administrator'), await app().person(), await app().person()]
      const airports = await airportIds(app(), 'CPH', 'JFK', 'HND', 'OSL')
      const readers = await Promise.all([
        ...people.map((person) => createReader(app(), person)),
        createReader(app(), people[0]!, { scope: 'all' }),
      ])
      const [logged, binned]: [number[], number[]] = [[], []]
      const owner = people[0]!
      const body = () => {
        const on = people.filter((person) => person === owner || random.next() < 0.5)
        const passengers = on.map(({ id }) => ({ userId: id }))
        return {
          date: `2026-0${1 + random.below(9)}-10`,
          fromId: random.pick(airports),
          toId: random.pick(airports),
          note: random.pick([null, 'note']),
          passengers: random.next() < 0.3 ? [...passengers, { guestName: 'Bo' }] : passengers,
        }
      }
      const take = (from: number[]) => from.splice(random.below(from.length), 1)[0]!
      const track = {
        sourceFormat: 'gpx',
        coordinates: [
          [0, 0],
          [1, 1],
        ],
      }
      const actions: (() => Promise<unknown>)[] = [
        async () => logged.push((await send(owner, 'POST', '/flights', body())).id),
        async () => send(owner, 'PUT', `/flights/${random.pick(logged)}`, body()),
        async () => send(owner, 'PUT', `/flights/${random.pick(logged)}`, body()),
        async () => send(owner, 'PUT', `/flights/${random.pick(logged)}/track`, track),
        async () => {
          const id = take(logged)
          await send(owner, 'DELETE', `/flights/${id}`)
          binned.push(id)
        },
        async () => {
          if (binned.length === 0) return
          const id = take(binned)
          await send(owner, 'POST', `/flights/${id}/restore`)
          logged.push(id)
        },
        async () => send(owner, 'POST', '/flight-deletions', { ids: [take(logged)], permanently: true }),
      ]
      for (let i = 0; i < 60; i++) {
        await (logged.length < 4 ? actions[0]! : random.pick(actions))()
        if (random.next() < 0.4) await random.pick(readers).step()
      }
      for (const reader of readers) {
        assert.equal((await reader.step()).partial, true)
        assert.deepEqual(idsOf(await reader.step()), [])
      }
    })
  }
})
