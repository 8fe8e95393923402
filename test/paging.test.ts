// Paging during changes: when flights are inserted and deleted between two pages, no flight appears twice and no unchanged flight
// is missing.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createRandom, onBothEngines } from './harness.ts'
import { isLong } from './rounds.ts'

/** Each order with a filter and without one. */
const HISTORIES = isLong ? 20 : 6

onBothEngines('paging', (app) => {
  let route: { fromId: number; toId: number }
  before(async () => {
    route = { fromId: await app().airportId('CPH'), toId: await app().airportId('LHR') }
  })

  const actor = async () => {
    const person = await app().person('role-administrator')
    const key = await person.key()
    const log = async (date: string): Promise<number> => {
      app().clock.advance(1)
      const body = { date, ...route, passengers: [{ userId: person.id }] }
      return (await app().request('POST', '/api/v1/flights', { key, body })).json.data.id
    }
    return { person, key, log }
  }

  interface Listed {
    id: number
    date: string
    updatedAt: string
  }
  const byKey =
    (keyOf: (flight: Listed) => string, sign: 1 | -1) =>
    (a: Listed, b: Listed): number =>
      sign * (keyOf(a) === keyOf(b) ? a.id - b.id : keyOf(a) < keyOf(b) ? -1 : 1)
  const orders = {
    newest: byKey(({ date }) => date, -1),
    oldest: byKey(({ date }) => date, 1),
    updated: byKey(({ updatedAt }) => updatedAt, 1),
  }

  test('pages of a changing list contain each flight once, in order', async () => {
    for (let seed = 1; seed <= HISTORIES; seed++) {
      const random = createRandom(seed)
      const order = (['newest', 'oldest', 'updated'] as const)[seed % 3]!
      const select = `${seed > 3 ? '&airport=LHR&dateFrom=2026-01-01' : ''}${order === 'newest' ? '' : `&order=${order}`}`
      const { key, log } = await actor()
      const date = () => `2026-01-${String(1 + random.below(6)).padStart(2, '0')}`
      const ids = new Set<number>()
      for (let i = 0; i < 20 + random.below(30); i++) ids.add(await log(date()))
      const deleted = new Set<number>()
      const limit = 1 + random.below(12)
      const scope = random.pick(['mine', 'all'])
      const seen: Listed[] = []
      let cursor: string | null = null
      do {
        const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
        const path = `/api/v1/flights?scope=${scope}&limit=${limit}${select}${query}`
        const reply = await app().request('GET', path, { key })
        assert.equal(reply.status, 200, reply.text)
        assert.ok(reply.json.data.length <= limit)
        seen.push(...reply.json.data)
        cursor = reply.json.page.nextCursor
        // In the order of changes new flights come last, so without a limit there would be no last page.
        const mayGrow = seen.length < 60
        for (let i = random.below(3); mayGrow && i > 0; i--) await log(date())
        if (random.below(2)) {
          const victim = random.pick([...ids])
          await app().request('DELETE', `/api/v1/flights/${victim}`, { key })
          deleted.add(victim)
        }
      } while (cursor !== null)
      const seenIds = seen.map((flight) => flight.id)
      assert.equal(new Set(seenIds).size, seenIds.length, `seed ${seed}: a flight came twice`)
      for (const id of ids)
        if (!deleted.has(id)) assert.ok(seenIds.includes(id), `seed ${seed}: ${id} was skipped`)
      assert.deepEqual(seen, [...seen].sort(orders[order]), `${order}, then by id`)
    }
  })

  test('pages by time of change repeat flights changed meanwhile and omit none', async () => {
    const { key, log } = await actor()
    const ids: number[] = []
    for (let i = 0; i < 9; i++) ids.push(await log(`2026-02-1${i}`))
    const page = async (cursor: string | null) => {
      const after = cursor === null ? '' : `&cursor=${cursor}`
      return (await app().request('GET', `/api/v1/flights?order=updated&limit=4${after}`, { key })).json
    }
    const first = await page(null)
    app().clock.advance(1000)
    const body = { date: '2026-02-10', ...route, note: 'changed' }
    const saved = await app().request('PUT', `/api/v1/flights/${ids[0]}`, { key, body })
    assert.equal(saved.status, 200, saved.text)
    const second = await page(first.page.nextCursor)
    const third = await page(second.page.nextCursor)
    const seen = [first, second, third].flatMap(({ data }) => data.map(({ id }: Listed) => id))
    assert.deepEqual(seen, [...ids, ids[0]])
  })

  test('invalid paging parameters are refused with a reason', async () => {
    const { key, log } = await actor()
    await log('2026-03-01')
    await log('2026-03-02')
    const first = await app().request('GET', '/api/v1/flights?limit=1', { key })
    const good: string = first.json.page.nextCursor
    // Other people's programs depend on these messages.
    const messages = {
      invalid_pagination: 'Invalid pagination',
      invalid_cursor: 'Invalid cursor',
      invalid_scope: 'Invalid scope',
      user_id_required: 'userId is required with scope=user. list_people (GET /people) lists the ids.',
    }
    const refusals: [string, keyof typeof messages][] = [
      ['limit=0', 'invalid_pagination'],
      ['limit=101', 'invalid_pagination'],
      ['limit=', 'invalid_pagination'],
      ['limit=1.5', 'invalid_pagination'],
      ['limit=0x10', 'invalid_pagination'],
      ['limit=abc', 'invalid_pagination'],
      ['cursor=', 'invalid_cursor'],
      ['cursor=abc', 'invalid_cursor'],
      [`cursor=${good.slice(0, -2)}`, 'invalid_cursor'],
      [`cursor=${good}A`, 'invalid_cursor'],
      [`cursor=${Buffer.from('{"date":"2026-01-01","id":1}').toString('base64url')}`, 'invalid_cursor'],
      ['scope=everyone', 'invalid_scope'],
      ['scope=user', 'user_id_required'],
      ['scope=user&userId=', 'user_id_required'],
      ['scope=bad&limit=0&cursor=x', 'invalid_scope'],
      ['limit=0&cursor=x', 'invalid_pagination'],
    ]
    for (const [query, reason] of refusals) {
      const reply = await app().request('GET', `/api/v1/flights?${query}`, { key })
      assert.equal(reply.status, 400, query)
      const message = messages[reason]
      assert.deepEqual(reply.json, { error: { code: 'bad_request', reason, message } }, query)
    }
    const repeated = await app().request('GET', '/api/v1/flights?limit=1&limit=99', { key })
    assert.equal(repeated.json.data.length, 1, 'the first of a repeated parameter counts')
  })
})
