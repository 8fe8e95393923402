// Receives webhooks (standardwebhooks.com), checks their signature and keeps the newest version of each flight.
//
//   WEBHOOK_SECRET=whsec_… PORT=8080 node webhook-receiver.mjs
//
// Create the webhook under Settings → Advanced → Feeds and webhooks, or with POST /api/v1/webhooks; the secret is shown
// once. A delivery may come twice or late: `webhook-id` identifies it, and `version` says which state of the flight is newer.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const { WEBHOOK_SECRET, PORT = '8080' } = process.env
const key = Buffer.from(WEBHOOK_SECRET.replace(/^whsec_/, ''), 'base64')
const AT_MOST_BYTES = 1_000_000
const TOLERANCE_SECONDS = 300

const seen = new Set()
const versions = new Map()

function isGenuine(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers
  if (!id || Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest()
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

async function readBody(request) {
  let body = ''
  for await (const chunk of request) {
    body += chunk
    if (body.length > AT_MOST_BYTES) return undefined
  }
  return body
}

function handle({ type, data }) {
  if (type === 'ping' || (versions.get(data.id) ?? 0) >= data.version) return
  versions.set(data.id, data.version)
  console.log(JSON.stringify({ type, id: data.id, version: data.version, flight: data.flight?.flightNumber }))
}

const server = createServer(async (request, response) => {
  const body = await readBody(request)
  if (request.method !== 'POST' || body === undefined || !isGenuine(request.headers, body)) {
    return response.writeHead(400).end()
  }
  const id = request.headers['webhook-id']
  if (!seen.has(id)) {
    handle(JSON.parse(body))
    seen.add(id)
  }
  response.writeHead(204).end()
})
server.listen(Number(PORT), () => console.error(`listening on port ${server.address().port}`))
