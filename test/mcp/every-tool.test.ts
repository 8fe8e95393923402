// Every listed tool, called by every client with arguments as a model would give them. The clients check each result
// against the tool's output schema.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv'
import { onSqlite } from '../harness.ts'
import { everyClient, modern } from './clients.ts'

const csv = 'Date,From,To,Flight number\n2018-10-06,GRU,ZRH,LX93\n'
const pass = 'M1ROSSI/MARIA         EQ7RT2M MADLHRIB 3170 244Y012C0041 100'

interface Known {
  flight: number
  created: number
  importId: number
  share: number
  airport: number
  airline: number
  aircraft: number
  began: string
  /** Unique for each client. */
  key: string
}
type Arguments = (known: Known) => Record<string, unknown>

/** Ordered so that each tool finds what it needs. */
const calls: Record<string, Arguments> = {
  log_flight: () => ({ from: 'CPH', to: 'ARN', date: '2026-02-20', companions: [{ name: 'Grace' }] }),
  log_flights: () => ({ flights: [{ from: 'ARN', to: 'CPH', date: '2026-02-24' }], dryRun: true }),
  edit_flight: ({ flight }) => ({ id: flight, note: 'On time' }),
  find_flights: () => ({ to: 'Stockholm' }),
  summarize_flights: () => ({ groupBy: 'year' }),
  get_flight: ({ flight }) => ({ id: flight }),
  list_changes: () => ({}),
  get_flight_history: ({ flight }) => ({ id: flight }),
  undo: ({ began }) => ({ since: began, dryRun: true }),
  compare_people: () => ({ a: 'me', b: 'Grace' }),
  list_people: () => ({}),
  get_stats: () => ({}),
  get_travel_day: () => ({}),
  list_journeys: () => ({}),
  check_log: () => ({}),
  read_boarding_pass: () => ({ text: pass, date: '2026-09-01' }),
  flight_lookup: () => ({ number: 'SK909', date: '2026-02-20' }),
  preview_import: () => ({ filename: 'flights.csv', text: csv }),
  answer_import: ({ importId }) => ({ id: importId, options: { includeCancelled: true } }),
  commit_import: ({ importId }) => ({ id: importId }),
  undo_import: ({ importId }) => ({ id: importId }),
  list_imports: () => ({}),
  search_airports: () => ({ query: 'Copenhagen' }),
  search_airlines: () => ({ query: 'SAS' }),
  search_aircraft: () => ({ query: 'A20N' }),
  list_custom_fields: () => ({}),
  create_custom_field: ({ key }) => ({ entityType: 'flight', key, label: 'Meal', fieldType: 'text' }),
  set_visited_country: () => ({ code: 'JP', status: 'visited' }),
  list_visited_countries: () => ({}),
  remove_visited_country: () => ({ code: 'JP' }),
  create_share: () => ({ showStats: true }),
  list_shares: () => ({}),
  get_share: ({ share }) => ({ id: share }),
  update_share: ({ share }) => ({ id: share, showFlightList: true }),
  delete_share: ({ share }) => ({ id: share }),
  get_me: () => ({}),
  get_preferences: () => ({}),
  update_preferences: () => ({ distanceUnit: 'mi' }),
  update_notification_settings: () => ({ reminderMinutes: [240] }),
  delete_flight: ({ flight }) => ({ id: flight }),
  list_deleted_flights: () => ({}),
  restore_flight: ({ flight }) => ({ id: flight }),
  list_flights: () => ({ limit: 5 }),
  create_flight: ({ airport }) => ({ date: '2026-03-01', fromId: airport, toId: airport }),
  update_flight: ({ created, airport }) => ({
    id: created,
    date: '2026-03-02',
    fromId: airport,
    toId: airport,
  }),
  set_flight_track: ({ created }) => ({
    id: created,
    coordinates: [
      [12, 55],
      [13, 56],
    ],
    sourceFormat: 'gpx',
  }),
  get_flight_track: ({ created }) => ({ id: created }),
  delete_flight_track: ({ created }) => ({ id: created }),
  export_flights: () => ({}),
  get_airport: ({ airport }) => ({ id: airport }),
  get_airline: ({ airline }) => ({ id: airline }),
  get_aircraft: ({ aircraft }) => ({ id: aircraft }),
}

/** Parts of a result that later calls need. */
// biome-ignore lint/suspicious/noExplicitAny: results of every tool
function learn(known: Known, name: string, data: any): void {
  if (name === 'log_flight') known.flight = data.id
  if (name === 'create_flight') known.created = data.id
  if (name === 'preview_import') known.importId = data.id
  if (name === 'create_share') known.share = data.id
  if (name === 'search_airports') known.airport = data[0].id
  if (name === 'search_airlines') known.airline = data[0].id
  if (name === 'search_aircraft') known.aircraft = data[0].id
}

onSqlite('every tool', (app) => {
  const validator = new AjvJsonSchemaValidator()

  for (const [i, [line, connect]] of Object.entries(everyClient).entries()) {
    test(`${line} lists and calls every tool`, async () => {
      const key = await (await app().person('role-administrator')).key()
      const { json } = await modern(app(), key, 'tools/list', {}, {}, '/api/mcp?tools=all')
      const all = new Map<string, { outputSchema: object }>(
        json.result.tools.map((tool: { name: string }) => [tool.name, tool]),
      )
      assert.deepEqual(
        [...all.keys()].sort(),
        Object.keys(calls)
          .filter((name) => all.has(name))
          .sort(),
      )
      const began = new Date(app().clock.now() - 60_000).toISOString()
      const none = { flight: 0, created: 0, importId: 0, share: 0, airport: 0, airline: 0, aircraft: 0 }
      const known: Known = { ...none, began, key: `meal_${i}` }
      const client = await connect(app(), key)
      try {
        const listed = new Set((await client.listTools()).tools.map(({ name }) => name))
        assert.ok([...listed].every((name) => all.has(name)))
        for (const [name, argumentsOf] of Object.entries(calls)) {
          if (!all.has(name)) continue
          const result = await client.callTool(name, argumentsOf(known))
          const { text } = result.content[0]
          assert.ok(!result.isError, `${name}: ${text}`)
          const { valid, errorMessage } = validator.getValidator(all.get(name)!.outputSchema)(
            result.structuredContent,
          )
          assert.ok(valid, `${name}: ${errorMessage}`)
          assert.ok(text.length > 0 && text.length < 8000, `${name}: ${text.length} characters of text`)
          learn(known, name, result.structuredContent.data)
        }
      } finally {
        await client.close()
      }
    })
  }
})
