// Tools as assistants see them: complete descriptions, only usable ones listed, errors that say what to do.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv'
import { readOnlyScopes, type Scope } from '../../server/domain/access/access.ts'
import { isWrite } from '../../server/door/operation.ts'
import { toolName } from '../../server/http/mcp/tools.ts'
import { operations } from '../../server/operations/index.ts'
import { onSqlite, type TestApp } from '../harness.ts'
import { callTool, legacy, modern } from './clients.ts'

const validator = new AjvJsonSchemaValidator()

/** All tools, including those for programs. */
async function toolsOf(app: TestApp, key: string, path = '/api/mcp?tools=all') {
  const reply = await modern(app, key, 'tools/list', {}, {}, path)
  assert.equal(reply.status, 200, reply.text)
  // biome-ignore lint/suspicious/noExplicitAny: looked into below
  return reply.json.result.tools as any[]
}
const namesOf = async (app: TestApp, key: string) => (await toolsOf(app, key)).map(({ name }) => name)

onSqlite('tools over MCP', (app) => {
  test('every tool of the registry has a full description', async () => {
    const owner = await app().person('owner')
    const tools = await toolsOf(app(), await owner.key())
    const offered = operations.filter((op) => op.tool)
    assert.deepEqual(tools.map(({ name }) => name).sort(), offered.map(toolName).sort())
    for (const tool of tools) {
      const op = offered.find((candidate) => toolName(candidate) === tool.name)!
      assert.match(tool.name, /^[a-z_]{1,64}$/)
      assert.ok(tool.title && tool.description.length >= 10, tool.name)
      for (const schema of [tool.inputSchema, tool.outputSchema]) {
        assert.equal(schema.type, 'object', tool.name)
        assert.doesNotThrow(() => validator.getValidator(schema), tool.name)
      }
      assert.equal(tool.inputSchema.additionalProperties, false)
      assert.ok(!JSON.stringify(tool.inputSchema).includes('$ref'), `${tool.name} hides arguments`)
      const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = tool.annotations
      assert.deepEqual(
        { readOnlyHint, idempotentHint, openWorldHint },
        {
          readOnlyHint: !isWrite(op),
          // Clients assume false, and for a reading tool the hint is absent.
          idempotentHint: isWrite(op) && op.method !== 'POST' ? true : undefined,
          openWorldHint: false,
        },
        tool.name,
      )
      assert.equal(typeof destructiveHint, 'boolean')
      if (op.method === 'DELETE') assert.ok(destructiveHint, tool.name)
      if (readOnlyHint) assert.ok(!destructiveHint, tool.name)
    }
    const limit = tools.find(({ name }) => name === 'list_flights').inputSchema.properties.limit
    assert.deepEqual(
      [limit.type, limit.minimum, limit.maximum, limit.pattern],
      ['integer', 1, 100, undefined],
    )
  })

  test('tools for programs are listed only at ?tools=all, and can always be called', async () => {
    const key = await (await app().person()).key()
    const listed = (path: string) => toolsOf(app(), key, path)
    const [usual, all] = [await listed('/api/mcp'), await listed('/api/mcp?tools=all')]
    const names = (tools: { name: string }[]) => tools.map(({ name }) => name)
    const forPrograms = names(all).filter((name) => !names(usual).includes(name))
    assert.deepEqual(forPrograms.sort(), [
      'create_flight',
      'delete_flight_track',
      'export_flights',
      'get_aircraft',
      'get_airline',
      'get_airport',
      'get_flight_history',
      'get_flight_track',
      'get_share',
      'list_flights',
      'set_flight_track',
      'update_flight',
    ])
    assert.deepEqual(names(await listed('/api/mcp?tools=some')), names(usual))
    const id = await app().airportId('CPH')
    const airport = await callTool(app(), key, 'get_airport', { id })
    assert.equal(airport.structuredContent.data.iata, 'CPH')
  })

  test('results match the declared output schema', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const tools = await toolsOf(app(), key)
    const check = async (name: string, args: Record<string, unknown> = {}) => {
      const result = await callTool(app(), key, name, args)
      assert.equal(result.isError, undefined, `${name}: ${result.content[0].text}`)
      assert.ok(result.content[0].text.length > 0)
      const { outputSchema } = tools.find((tool) => tool.name === name)
      const verdict = validator.getValidator(outputSchema)(result.structuredContent)
      assert.ok(verdict.valid, `${name}: ${verdict.errorMessage}`)
      return result.structuredContent
    }
    const { data: flight } = await check('log_flight', { date: '2026-03-01', from: 'CPH', to: 'LHR' })
    const [fromId, toId] = [await app().airportId('CPH'), await app().airportId('LHR')]
    // Without seconds: fine for us, not for the narrow date-time of JSON Schema.
    const body = { date: '2026-03-02', fromId, toId, departure: '2026-03-02T08:00+01:00' }
    const { data: other } = await check('create_flight', { ...body, passengers: [{ userId: ada.id }] })
    await check('update_flight', { id: other.id, ...body, passengers: [{ userId: ada.id, seat: 'aisle' }] })
    const page = await check('list_flights', { limit: 1, cursor: null })
    await check('list_flights', { limit: 1, cursor: page.page.nextCursor })
    await check('get_flight', { id: flight.id })
    await check('find_flights', { text: 'heathrow' })
    await check('search_airports', { query: 'copenhagen' })
    await check('get_airport', { id: fromId })
    await check('search_airlines', { query: 'SK' })
    await check('search_aircraft', { query: 'A20N' })
    await check('get_me')
    await check('get_stats')
    await check('export_flights')
    const { data, warnings, changeId } = await check('delete_flight', { id: other.id })
    const { flight: gone, message, ...rest } = data
    assert.deepEqual([rest, warnings], [{ id: other.id, deleted: true }, []])
    assert.deepEqual([gone.id, gone.date, gone.from, gone.to], [other.id, '2026-03-02', 'CPH', 'LHR'])
    assert.ok(Number.isInteger(changeId))
    assert.match(message, /in the bin for 30 days.*undo.*restore_flight/)
    assert.equal((await check('list_deleted_flights')).data[0].id, other.id)
    const restored = await check('restore_flight', { id: other.id })
    assert.deepEqual([restored.data.id, restored.warnings], [other.id, []])
    assert.ok(Number.isInteger(restored.changeId))
    const { data: share, warnings: none } = await check('create_share', {})
    assert.deepEqual(none, [])
    const ended = await check('delete_share', { id: share.id })
    assert.deepEqual(ended, { data: { id: share.id, deleted: true }, warnings: [] })
  })

  test('only tools that the credential and the role allow are listed', async () => {
    const ada = await app().person()
    const reader = await namesOf(app(), await ada.key(['flight.read.own', 'reference_data.read']))
    assert.ok(reader.includes('list_flights') && reader.includes('find_flights') && reader.includes('get_me'))
    for (const name of ['create_flight', 'log_flight', 'delete_flight'])
      assert.ok(!reader.includes(name), name)
    assert.deepEqual(await namesOf(app(), await ada.key([])), ['get_me'])

    // `.any` includes `.own`; a role without the permission hides what the key would allow.
    const wide = await namesOf(app(), await ada.key(['flight.read.any']))
    assert.ok(wide.includes('get_flight'))
    const guest = await app().person(['flight.read.own'])
    const names = await namesOf(app(), await guest.key())
    assert.ok(names.includes('list_flights') && !names.includes('create_flight'))

    const prompts = await modern(
      app(),
      await ada.key(['flight.read.own', 'reference_data.read']),
      'prompts/list',
    )
    assert.deepEqual(
      prompts.json.result.prompts.map(({ name }: { name: string }) => name),
      ['check_log'],
    )
    const resources = await modern(app(), await ada.key([]), 'resources/list')
    assert.deepEqual(
      resources.json.result.resources.map(({ uri }: { uri: string }) => uri),
      ['contrail://me', 'contrail://profile'],
    )
  })

  test('a missing scope or permission is a tool error that names it', async () => {
    const ada = await app().person()
    const read: Scope[] = ['flight.read.own', 'reference_data.read']
    for (const send of [modern, legacy]) {
      const refused = await send(app(), await ada.key(read), 'tools/call', {
        name: 'delete_flight',
        arguments: { id: 1 },
      })
      assert.equal(refused.status, 200)
      assert.equal(refused.json.result.isError, true)
      assert.equal(
        refused.json.result.content[0].text,
        'This key lacks the scope flight.delete.own (“Delete the flights you are on”). A key with more scopes can be made in Settings, Advanced, API keys.',
      )
    }
    const guest = await app().person(['flight.read.own'])
    const forbidden = await callTool(app(), await guest.key(), 'delete_flight', { id: 1 })
    assert.match(
      forbidden.content[0].text,
      /role does not permit this\. An administrator can change the role/,
    )
    const field = await callTool(app(), await ada.key(), 'create_custom_field', { name: 'x', type: 'text' })
    assert.equal(
      field.content[0].text,
      'Your role does not permit this: create_custom_field needs the permission custom_fields.manage. An administrator can change the role in Settings, Advanced, Roles.',
    )
    const both = await callTool(app(), await guest.key(['flight.read.own']), 'delete_flight', { id: 1 })
    assert.match(
      both.content[0].text,
      /lacks the scope flight\.delete\.own.*role does not permit it\. An administrator can change the role/,
    )
    const all = await callTool(app(), await ada.key(read), 'list_flights', { scope: 'all' })
    assert.match(all.content[0].text, /flight\.read\.any/)
    const read403 = await modern(app(), await ada.key([]), 'resources/read', {
      uri: 'contrail://flights/recent',
    })
    assert.match(read403.json.error.message, /flight\.read\.own/)
    assert.deepEqual(
      [read403.json.error.data.reason, read403.json.error.data.params],
      ['insufficient_scope', { scope: 'flight.read.own' }],
    )
  })

  test('a read-only key lists no writing tools, and calling one explains why', async () => {
    const ada = await app().person('role-administrator')
    const key = await ada.key(readOnlyScopes)
    for (const tool of await toolsOf(app(), key)) assert.ok(tool.annotations.readOnlyHint, tool.name)
    const writes = operations.filter((op) => op.tool && isWrite(op))
    assert.ok(writes.length > 15)
    for (const op of writes) {
      const { content, isError } = await callTool(app(), key, toolName(op))
      assert.ok(isError, toolName(op))
      // The role decides who may create custom fields, with a scope that only reads.
      if (toolName(op) !== 'create_custom_field')
        assert.match(
          content[0].text,
          /^This key (lacks the scope|may change no flight: \w+ needs one of) .*Settings, Advanced, API keys\.$/,
          toolName(op),
        )
    }
  })

  test('arguments use names that assistants know, also in errors; the operation’s own names are accepted', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const tool = (await toolsOf(app(), key)).find(({ name }) => name === 'find_flights')
    assert.ok(
      'registration' in tool.inputSchema.properties && !('aircraftReg' in tool.inputSchema.properties),
    )
    const flight = { date: '2026-03-01', from: 'CPH', to: 'LHR', registration: 'OY-KAL' }
    const { id } = (await callTool(app(), key, 'log_flight', flight)).structuredContent.data
    for (const args of [{ registration: 'OY-KAL' }, { aircraftReg: 'OY-KAL' }]) {
      const { structuredContent } = await callTool(app(), key, 'find_flights', args)
      assert.deepEqual(
        structuredContent.data.map((line: { id: number }) => line.id),
        [id],
      )
    }
    const none = await callTool(app(), key, 'find_flights', { registration: 'OY-XXX' })
    assert.deepEqual(none.structuredContent.data, [])
    const wrong = await callTool(app(), key, 'find_flights', { registration: 'x'.repeat(300) })
    assert.match(wrong.content[0].text, /^- registration: /m)
    assert.ok(!wrong.content[0].text.includes('aircraftReg'))
    const unknown = await callTool(app(), key, 'find_flights', { registation: 'OY-KAL' })
    assert.match(
      unknown.content[0].text,
      /registation \(did you mean registration\?\)\. It takes: .*registration/,
    )
    assert.ok(!unknown.content[0].text.includes('aircraftReg'))
  })

  test('bad input is a result that names the fault; an unknown tool is a protocol error', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const complaint = async (name: string, args: Record<string, unknown>) => {
      const result = await callTool(app(), key, name, args)
      assert.equal(result.isError, true, JSON.stringify(result))
      assert.equal(result.structuredContent, undefined)
      return result.content[0].text as string
    }
    assert.match(await complaint('list_flights', { limit: 1000 }), /limit: /)
    assert.match(await complaint('get_flight', { id: 1.5 }), /- id: must be a positive integer/)
    assert.match(await complaint('get_flight', {}), /- id: must be a positive integer/)
    assert.match(await complaint('get_flight', { id: 4_000_000_000 }), /not found/)
    assert.match(await complaint('get_flight', { id: { $gt: 0 } }), /id: /)
    assert.match(await complaint('get_me', { verbose: true }), /Unknown argument verbose/)
    assert.match(await complaint('create_flight', { date: '2026-02-30', fromId: 1 }), /date: .*\n.*toId/)
    assert.match(
      await complaint('log_flight', { date: '2026-02-20', from: 'ZZZZZ', to: 'CPH' }),
      /from: No airport/,
    )
    assert.match(await complaint('log_flight', { note: 'a\u0000b' }), /note: .*not text/)

    const unknown = await modern(app(), key, 'tools/call', { name: 'drop_tables', arguments: {} })
    assert.equal(unknown.json.error.code, -32602)
    assert.match(unknown.json.error.message, /Unknown tool/)
    const prompt = await modern(app(), key, 'prompts/get', { name: 'nothing' })
    assert.equal(prompt.json.error.code, -32602)
  })

  test('another person’s flight is not found', async () => {
    const [ada, bob] = [await app().person(), await app().person()]
    const { structuredContent } = await callTool(app(), await ada.key(), 'log_flight', {
      date: '2026-01-05',
      from: 'ARN',
      to: 'CPH',
    })
    const { id } = structuredContent.data
    const key = await bob.key()
    assert.match((await callTool(app(), key, 'get_flight', { id })).content[0].text, /not found/)
    assert.match((await callTool(app(), key, 'delete_flight', { id })).content[0].text, /not found/)
    assert.deepEqual((await callTool(app(), key, 'find_flights', { from: 'ARN' })).structuredContent.data, [])
    const uri = `contrail://flights/${id}`
    assert.deepEqual((await modern(app(), key, 'resources/read', { uri })).json.error.data, { uri })
    assert.deepEqual((await legacy(app(), key, 'resources/read', { uri })).json.error.data, { uri })
  })

  test('a credential that calls without pause is told to wait', async () => {
    const key = await (await app().person()).key()
    const batch = Array.from({ length: 10 }, (_, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'get_me' },
    }))
    let last = ''
    for (let i = 0; i < 61; i++) {
      const reply = await app().request('POST', '/api/mcp', { key, body: batch })
      last = reply.json.at(-1).result.content[0].text
    }
    assert.match(last, /try again in \d+ seconds/)
    app().clock.advance(60_000)
    assert.equal((await callTool(app(), key, 'get_me')).isError, undefined)
  })
})
