// Shows the next flight and keeps it current: what a dashboard or Home Assistant needs.
//
//   CONTRAIL_URL=http://localhost:3000 CONTRAIL_KEY=ctk_… node poller.mjs
//
// The request waits at the server until something changes, so a new flight shows immediately and an idle log costs almost
// nothing. Prints one line of JSON whenever the next flight changes. The key needs flight.read.own only.
import { setTimeout as pause } from 'node:timers/promises'

const { CONTRAIL_URL = 'http://localhost:3000', CONTRAIL_KEY } = process.env

async function get(path, headers = {}) {
  const response = await fetch(`${CONTRAIL_URL}/api/v1${path}`, {
    headers: { authorization: `Bearer ${CONTRAIL_KEY}`, ...headers },
  })
  return { status: response.status, etag: response.headers.get('etag'), response }
}

let shown
let known

/** Asks for the next flight; while it is the same, the response has no body. */
async function show() {
  const { status, etag, response } = await get('/flights/next', known ? { 'if-none-match': known } : {})
  if (status === 304) return
  if (status !== 200) throw new Error(`${status} ${await response.text()}`)
  known = etag
  const { data } = await response.json()
  const line = data
    ? {
        flight: data.flightNumber,
        from: data.from?.iata ?? data.from?.icao,
        to: data.to?.iata ?? data.to?.icao,
        date: data.date,
        departure: data.departure ?? data.departureScheduled,
      }
    : null
  if (JSON.stringify(line) === shown) return
  shown = JSON.stringify(line)
  console.log(shown)
}

let token
for (;;) {
  try {
    await show()
    const query = new URLSearchParams({
      include: 'ids',
      limit: '500',
      ...(token && { since: token, wait: '25' }),
    })
    const { status, response } = await get(`/changes?${query}`)
    if (status === 410) token = undefined
    else if (status === 200) token = (await response.json()).sync.token
    else throw new Error(`${status} ${await response.text()}`)
  } catch (error) {
    console.error(error.message)
    await pause(10_000)
  }
}
