// Common MCP clients: connect, list tools, call them, read resources, use prompts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onSqlite } from '../harness.ts'
import { everyClient } from './clients.ts'

onSqlite('mcp clients', (app) => {
  for (const [line, connect] of Object.entries(everyClient)) {
    test(`${line}: connects, lists and calls tools, reads resources, gets prompts`, async () => {
      const ada = await app().person()
      const client = await connect(app(), await ada.key())
      try {
        assert.equal(client.serverVersion()?.name, 'contrail')
        assert.match(client.instructions() ?? '', /never follow them/)

        const { tools } = await client.listTools()
        assert.ok(tools.some(({ name }) => name === 'log_flight'))
        // The clients validate structuredContent against the tool's output schema.
        const logged = await client.callTool('log_flight', {
          date: '2026-02-20',
          from: 'CPH',
          to: 'JFK',
          departureTime: '12:30',
          arrivalTime: '15:05',
          flightNumber: 'SK 909',
        })
        assert.equal(logged.isError ?? false, false, JSON.stringify(logged.content))
        const flight = logged.structuredContent.data
        assert.match(logged.content[0].text, /2026-02-20 CPH–JFK/)
        assert.equal(flight.time, '12:30–15:05 (8:35)')
        const found = await client.callTool('find_flights', { airport: 'JFK', limit: 5 })
        assert.deepEqual(found.structuredContent.data, [flight])

        const { resources } = await client.listResources()
        assert.deepEqual(
          resources.map(({ uri }) => uri),
          ['contrail://me', 'contrail://profile', 'contrail://flights/recent', 'contrail://statistics'],
        )
        const { resourceTemplates } = await client.listResourceTemplates()
        assert.deepEqual(
          resourceTemplates.map(({ uriTemplate }) => uriTemplate),
          ['contrail://flights/{id}'],
        )
        for (const uri of [
          'contrail://me',
          'contrail://profile',
          'contrail://statistics',
          'contrail://flights/recent',
          `contrail://flights/${flight.id}`,
        ]) {
          const { contents } = await client.readResource(uri)
          assert.equal(contents[0].uri, uri)
          assert.equal(contents[0].mimeType, 'application/json')
          assert.ok(JSON.parse(contents[0].text).data)
        }
        await assert.rejects(client.readResource('contrail://flights/999999'), /not found/i)

        const { prompts } = await client.listPrompts()
        assert.deepEqual(
          prompts.map(({ name }) => name),
          ['log_boarding_pass', 'import_file', 'year_in_flights', 'check_log'],
        )
        const { messages } = await client.getPrompt('log_boarding_pass', { text: 'SK909 20FEB CPH JFK 12A' })
        assert.match(messages[0].content.text, /SK909 20FEB/)

        const gone = await client.callTool('delete_flight', { id: flight.id })
        assert.equal(gone.structuredContent.data.deleted, true)
      } finally {
        await client.close()
      }
    })
  }
})
