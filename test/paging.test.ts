// Paging during changes: when flights are inserted and deleted between two pages, no flight appears twice and no unchanged flight
// is missing.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createRandom, onBothEngines } from './harness.ts'

onBothEngines('paging', (app) => {
  let route: { fromId: number; toId: number }
  before(async () => {
    route = { fromId: await app().airportId('CPH'), toId: await app().airportId('LHR') }
  })

  const actor = async () => {
    const person = await app().person('role-administrator')
    const key = await person.key()
    const log = async (date: string): Promise<number> => {
      const body = { date, ...route, passengers: [{ userId: person.id }] }
      return (await app().request('POST', '/api/v1/flights', { key, body })).json.data.id
    }
    return { person, key, log }
  }

  test('random logs, page sizes, insertions and deletions', async () => {
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const random = createRandom(seed)
      const { key, log } = await actor()
      const date = () => `2026-01-${String(1 + random.below(6)).padStart(2, '0')}`
      const ids = new Set<number>()
      for (let i = 0; i < 20 + random.below(30); i++) ids.add(await log(date()))
      const deleted = new Set<number>()
      const limit = 1 + random.below(12)
      const scope = random.pick(['mine', 'all'])
      const seen: { id: number; date: string }[] = []
      let cursor: string | null = null
      do {
        const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
        const reply = await app().request('GET', `/api/v1/flights?scope=${scope}&limit=${limit}${query}`, {
          key,
        })
        assert.equal(reply.status, 200, reply.text)
        assert.ok(reply.json.data.length <= limit)
        seen.push(...reply.json.data)
        cursor = reply.json.page.nextCursor
        for (let i = random.below(3); i > 0; i--) await log(date())
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
      const ordered = [...seen].sort((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : b.id - a.id))
      assert.deepEqual(seen, ordered, 'newest first, then by id')
    }
  })

  test('bad paging is refused in words', async () => {
    const { key, log } = await actor()
    await log('2026-03-01')
    await log('2026-03-02')
    const first = await app().request('GET', '/api/v1/flights?limit=1', { key })
    const good: string = first.json.page.nextCursor
    // Programs of others know these messages.
    const messages = {
      invalid_pagination: 'Invalid pagination',
      invalid_cursor: 'Invalid cursor',
      invalid_scope: 'Invalid scope',
      user_id_required: 'userId parameter is required for user scope',
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
