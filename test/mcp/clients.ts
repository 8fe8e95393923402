// The SDK's own clients, as users' programs use them: the 2.x line in both protocol eras and the 1.x line.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Reply, TestApp } from '../harness.ts'

export const MODERN = '2026-07-28'
const me = { name: 'contrail-test', version: '1.0.0' }

/** The part of all three clients that the tests use. */
export interface McpClient {
  line: string
  serverVersion(): { name: string; version: string } | undefined
  instructions(): string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: two libraries' types for the same answers
  listTools(): Promise<{ tools: any[] }>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  callTool(name: string, args?: Record<string, unknown>): Promise<any>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  listResources(): Promise<{ resources: any[] }>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  listResourceTemplates(): Promise<{ resourceTemplates: any[] }>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readResource(uri: string): Promise<{ contents: any[] }>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  listPrompts(): Promise<{ prompts: any[] }>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  getPrompt(name: string, args?: Record<string, string>): Promise<{ messages: any[] }>
  close(): Promise<void>
}

/** A client of each line and era, connected with the key. */
export const everyClient: Record<string, (app: TestApp, key: string) => Promise<McpClient>> = {
  '2.x, 2026-07-28': async (app, key) => {
    const client = new Client(me, { versionNegotiation: { mode: { pin: MODERN } } })
    await client.connect(transportOf(app, key))
    return wrap('2.x modern', client)
  },
  '2.x, negotiating': async (app, key) => {
    const client = new Client(me, { versionNegotiation: { mode: 'auto' } })
    await client.connect(transportOf(app, key))
    return wrap('2.x auto', client)
  },
  '2.x, with the handshake': async (app, key) => {
    const client = new Client(me, { versionNegotiation: { mode: 'legacy' } })
    await client.connect(transportOf(app, key))
    return wrap('2.x legacy', client)
  },
  '1.x': async (app, key) => {
    const client = new OldClient(me)
    const transport = new OldTransport(new URL(`${app.url}/api/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    })
    // The library's own types do not hold under exactOptionalPropertyTypes.
    await client.connect(transport as Parameters<OldClient['connect']>[0])
    return wrap('1.x', client)
  },
}

const transportOf = (app: TestApp, key: string) =>
  new StreamableHTTPClientTransport(new URL(`${app.url}/api/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  })

export function wrap(line: string, client: Client | OldClient): McpClient {
  const same = client as OldClient
  return {
    line,
    serverVersion: () => same.getServerVersion(),
    instructions: () => same.getInstructions(),
    listTools: () => same.listTools(),
    callTool: (name, args = {}) => same.callTool({ name, arguments: args }),
    listResources: () => same.listResources(),
    listResourceTemplates: () => same.listResourceTemplates(),
    readResource: (uri) => same.readResource({ uri }),
    listPrompts: () => same.listPrompts(),
    getPrompt: (name, args = {}) => same.getPrompt({ name, arguments: args }),
    close: () => same.close(),
  }
}

export const accept = 'application/json, text/event-stream'

/** One message of the 2026 revision as plain HTTP. */
export function modern(
  app: TestApp,
  key: string | undefined,
  method: string,
  params: Record<string, unknown> = {},
  headers: Record<string, string> = {},
  path = '/api/mcp',
): Promise<Reply> {
  const name = params['name'] ?? params['uri']
  return app.request('POST', path, {
    key,
    headers: {
      accept,
      'mcp-protocol-version': MODERN,
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
      ...headers,
    },
    body: {
      jsonrpc: '2.0',
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': MODERN,
          'io.modelcontextprotocol/clientCapabilities': {},
          'io.modelcontextprotocol/clientInfo': me,
        },
      },
    },
  })
}

/** One message of the revisions with a handshake. */
export const legacy = (
  app: TestApp,
  key: string | undefined,
  method: string,
  params: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<Reply> =>
  app.request('POST', '/api/mcp', {
    key,
    headers: { accept, ...headers },
    body: { jsonrpc: '2.0', id: 1, method, params },
  })

/** The result of a tool call, with plain HTTP of either protocol era. */
export async function callTool(app: TestApp, key: string, name: string, args: Record<string, unknown> = {}) {
  const reply = await modern(app, key, 'tools/call', { name, arguments: args })
  return reply.json.result
}
