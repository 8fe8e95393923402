// A program that receives webhooks: a real HTTP server on loopback with responses set by a test, and signatures verified by
// an independent library.
import assert from 'node:assert/strict'
import http, { type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mock } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { createLogger } from '../../server/base/log.ts'
import { createDescribe } from '../../server/operations/webhooks/events.ts'
import { createDeliveries } from '../../server/services/webhooks/deliver.ts'
import { createSender } from '../../server/services/webhooks/send.ts'
import { keepsConnections } from '../external-host.ts'
import type { TestApp } from '../harness.ts'

export interface Received {
  path: string
  headers: IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  json: any
}

type Respond = (response: ServerResponse, received: Received) => void
export const withStatus =
  (status: number, body = '', headers: Record<string, string> = {}): Respond =>
  (response) =>
    response.writeHead(status, headers).end(body)

export interface Receiver {
  url: string
  received: Received[]
  respond: Respond
  /** Refuses connections until `open`. */
  shut(): Promise<void>
  open(): Promise<void>
  /** Messages since the last call. */
  take(): Received[]
}

export async function startReceiver(): Promise<Receiver & { close(): Promise<void> }> {
  const server = http.createServer(keepsConnections, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const got = { path: request.url!, headers: request.headers, text, json: JSON.parse(text) }
      receiver.received.push(got)
      receiver.respond(response, got)
    })
  })
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const { port } = server.address() as AddressInfo
  const shut = () => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  }
  const receiver: Receiver & { close(): Promise<void> } = {
    url: `http://127.0.0.1:${port}/hook`,
    received: [],
    respond: withStatus(204),
    shut,
    open: () => listen(port),
    take: () => receiver.received.splice(0),
    close: () => (server.listening ? shut() : Promise.resolve()),
  }
  return receiver
}

/** Throws unless the signature is right at the time of the test's clock. */
export function verify(secret: string, { text, headers }: Received, now: number): void {
  mock.timers.enable({ apis: ['Date'], now })
  try {
    new Webhook(secret).verify(text, headers as Record<string, string>)
  } finally {
    mock.timers.reset()
  }
}

export const createTestDeliveries = (
  app: TestApp,
  {
    secret = app.services.secret,
    ...parts
  }: Partial<Parameters<typeof createSender>[0]> & { secret?: TestApp['services']['secret'] } = {},
) =>
  createDeliveries({
    store: app.store,
    clock: app.clock,
    log: createLogger('debug', (line) => void app.logged.push(line)),
    secret,
    sender: createSender({ config: app.config, version: 'test', ...parts }),
    describe: createDescribe(app.services),
  })

/** Creates a webhook and returns it with its secret. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export async function createHook(app: TestApp, key: string, body: object): Promise<any> {
  const reply = await app.request('POST', '/api/v1/webhooks', { key, body })
  assert.equal(reply.status, 201, reply.text)
  return reply.json.data
}
