/** Configuration examples for programs that connect to this instance. The user fills in the key. */
import type { PlainKey } from '../../i18n/i18n.svelte.ts'

export const clients = ['claude', 'mcp', 'homeAssistant', 'curl'] as const
type Client = (typeof clients)[number]
interface Snippet {
  title: PlainKey
  text: string
}

const key = 'ctk_…'

function claude(origin: string): Snippet[] {
  return [
    { title: 'about.snippet.claudeCode', text: `claude mcp add --transport http contrail ${origin}/api/mcp` },
    { title: 'about.snippet.claudeDesktop', text: `${origin}/api/mcp` },
  ]
}

function mcp(origin: string): Snippet[] {
  const server = { url: `${origin}/api/mcp`, headers: { Authorization: `Bearer ${key}` } }
  return [
    { title: 'about.snippet.mcpAddress', text: `${origin}/api/mcp` },
    { title: 'about.snippet.mcpKey', text: JSON.stringify({ mcpServers: { contrail: server } }, null, 2) },
  ]
}

function homeAssistant(origin: string): Snippet[] {
  const sensors = `rest:
  - resource: ${origin}/api/v1/stats
    scan_interval: 1800
    headers:
      Authorization: !secret contrail_authorization
    sensor:
      - name: Flights
        unique_id: contrail_flights
        value_template: "{{ value_json.data.flights }}"
        state_class: total
      - name: Distance flown
        unique_id: contrail_distance
        value_template: "{{ value_json.data.distanceKm }}"
        unit_of_measurement: km
        device_class: distance`
  return [
    { title: 'about.snippet.haIntegration', text: origin },
    { title: 'about.snippet.haSecret', text: `contrail_authorization: "Bearer ${key}"` },
    { title: 'about.snippet.haSensors', text: sensors },
  ]
}

function curl(origin: string): Snippet[] {
  const header = `-H "Authorization: Bearer $KEY"`
  return [
    { title: 'about.snippet.curlKey', text: `KEY=${key}` },
    { title: 'about.snippet.curlMe', text: `curl -s ${header} ${origin}/api/v1/me` },
    { title: 'about.snippet.curlFlights', text: `curl -s ${header} "${origin}/api/v1/flights?limit=10"` },
    {
      title: 'about.snippet.curlBackup',
      text: `curl -s ${header} "${origin}/api/v1/flights/export?format=json" -o contrail.json`,
    },
  ]
}

const makers: Record<Client, (origin: string) => Snippet[]> = { claude, mcp, homeAssistant, curl }
export const snippetsFor = (client: Client, origin: string): Snippet[] => makers[client](origin)
