// Finding and summarising flights as an assistant: accepted arguments, and errors for others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logFlight } from '../fixtures.ts'
import { onSqlite } from '../harness.ts'
import { callTool } from './clients.ts'

onSqlite('finding flights over MCP', (app) => {
  const refusal = async (key: string, name: string, args: object): Promise<string> => {
    const { content, isError } = await callTool(app(), key, name, args as Record<string, unknown>)
    assert.ok(isError, content[0].text)
    return content[0].text
  }

  const route = async () => ({ fromId: await app().airportId('CPH'), toId: await app().airportId('ARN') })

  test('unlisted filters for programs are accepted', async () => {
    const ada = await app().person()
    const key = await ada.key()
    await logFlight(app(), ada, { ...(await route()), date: '2024-01-01', externalIds: { tripit: '1' } })
    const everything = new Date(app().clock.now() - 60_000).toISOString()
    for (const [args, count] of [
      [{ passenger: ada.id }, 1],
      [{ hasTrack: true }, 0],
      [{ hasTrack: false }, 1],
      [{ importId: 1 }, 0],
      [{ externalSource: 'tripit' }, 1],
      [{ externalSource: 'other' }, 0],
      [{ updatedSince: everything }, 1],
    ] as const) {
      const found = await callTool(app(), key, 'find_flights', args)
      assert.equal(found.structuredContent.data.length, count, JSON.stringify(args))
      const summary = await callTool(app(), key, 'summarize_flights', args)
      assert.equal(summary.structuredContent.data.total.count, count, JSON.stringify(args))
    }
    assert.match(
      await refusal(key, 'delete_flight', { id: 1, permanently: true }),
      /Unknown argument permanently/,
    )
  })

  test('another user’s log is found by user name; an unknown name gets a hint', async () => {
    const admin = await (await app().person('role-administrator')).key()
    const grace = await app().person()
    await logFlight(app(), grace, { ...(await route()), date: '2024-01-01' })
    for (const userId of [grace.id, grace.username, `@${grace.username}`]) {
      const found = await callTool(app(), admin, 'find_flights', { scope: 'user', userId })
      assert.equal(found.structuredContent.data.length, 1, userId)
    }
    const unknown = await refusal(admin, 'find_flights', { scope: 'user', userId: 'no-such-user' })
    assert.match(unknown, /no such user.*list_people/)
    // A caller who may not read it does not learn whether it exists.
    const narrow = await (await app().person()).key()
    const [known, none] = [grace.username, 'no-such-user'].map((userId) =>
      refusal(narrow, 'find_flights', { scope: 'user', userId }),
    )
    assert.equal(await known, await none)
  })

  test('errors name the argument once and suggest what to do', async () => {
    const key = await (await app().person()).key()
    assert.equal(await refusal(key, 'find_flights', { limit: 0 }), '- limit: must be 1 to 100')
    assert.match(
      await refusal(key, 'log_flight', { from: 'CPH', to: 'ARN', date: 'x', seat: 'y' }),
      /^- .*\n- /,
    )
    const cursor = /cursor: not one of this list; call again without it/
    assert.match(await refusal(key, 'find_flights', { cursor: 'abc' }), cursor)
    const text = await refusal(key, 'log_flight', { from: 'CPH', to: 'LON', date: '2024-01-01' })
    assert.equal(text.split('LHR').length, 2, text)
  })

  test('a summary counts a round trip once and returns no more groups than requested', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const [cph, arn] = [await app().airportId('CPH'), await app().airportId('ARN')]
    await logFlight(app(), ada, { date: '2024-01-01', fromId: cph, toId: cph })
    await logFlight(app(), ada, { date: '2024-01-02', fromId: cph, toId: arn })
    const groups = async (args: object): Promise<{ key: string | null; count: number }[]> =>
      (await callTool(app(), key, 'summarize_flights', args as Record<string, unknown>)).structuredContent
        .data.groups
    assert.deepEqual(
      (await groups({ groupBy: 'airport' })).map((group) => [group.key, group.count]),
      [
        ['CPH', 2],
        ['ARN', 1],
      ],
    )
    assert.equal((await groups({ groupBy: 'airport', top: 1 })).length, 1)
    // Without an airline, the only group.
    assert.deepEqual(
      (await groups({ groupBy: 'airline' })).map((group) => group.key),
      [null],
    )
  })
})
