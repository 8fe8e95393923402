// Two-way sync: keeps a JSON file and your flight log in sync, in both directions.
//
//   CONTRAIL_URL=http://localhost:3000 CONTRAIL_KEY=ctk_… node sync.mjs flights.json
//
// The file holds { token, flights: { [id]: flight }, added: { [name]: flight } }. To change a flight, edit it and set
// "edited": true; to delete one, set "deleted": true; to add one, put it into "added" under any name. Then run the
// program again. It can be stopped at any moment: the file is replaced as a whole, and every request may be repeated.
// If both sides changed a flight, the log wins. Scopes: flight.read.own, .create.own, .update.own, .delete.own.
import { readFile, rename, writeFile } from 'node:fs/promises'

const [file = 'flights.json'] = process.argv.slice(2)
const { CONTRAIL_URL = 'http://localhost:3000', CONTRAIL_KEY } = process.env

const call = (method, path, body, headers = {}) =>
  fetch(`${CONTRAIL_URL}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${CONTRAIL_KEY}`, 'content-type': 'application/json', ...headers },
    body: body && JSON.stringify(body),
  })

async function read(response) {
  if (response.ok) return response.json()
  throw new Error(`${response.status} ${(await response.json()).error.message}`)
}

const copy = { flights: {}, added: {}, ...JSON.parse(await readFile(file, 'utf8').catch(() => '{}')) }

async function save() {
  await writeFile(`${file}.new`, JSON.stringify(copy, null, 2))
  await rename(`${file}.new`, file)
}

/** A change that is known already is recognised by its version. */
function apply({ id, change, version, flight }) {
  if (copy.flights[id]?.version >= version) return
  delete copy.added[flight?.externalIds.sync]
  if (change === 'removed') delete copy.flights[id]
  else copy.flights[id] = flight
}

/** Reads what changed in the log since the last time; the first time, or after a long while, everything. */
async function pull() {
  for (let cursor = null, more = true; more; ) {
    if (!copy.token && !cursor)
      for (const [id, { edited, deleted }] of Object.entries(copy.flights))
        if (!edited && !deleted) delete copy.flights[id]
    const query = new URLSearchParams(cursor ? { cursor } : copy.token ? { since: copy.token } : {})
    const response = await call('GET', `/changes?${query}`)
    if (response.status === 410) delete copy.token
    if (response.status === 410) continue
    const { data, page, sync } = await read(response)
    for (const entry of data) apply(entry)
    cursor = page.nextCursor
    more = cursor !== null || page.hasMore
    if (cursor === null) copy.token = sync.token
    await save()
  }
}

/** Sends what was edited here, if the log still has the version that the edit was made from. */
async function push() {
  for (const [name, flight] of Object.entries(copy.added)) {
    const path = `/flights/by-external-id/sync/${encodeURIComponent(name)}`
    const response = await call('PUT', path, flight, { 'if-none-match': '*' })
    if (response.status !== 412) await read(response)
  }
  for (const [id, { edited, deleted, ...flight }] of Object.entries(copy.flights)) {
    if (!edited && !deleted) continue
    const condition = { 'if-match': `"f${id}-${flight.version}"` }
    const body = deleted ? undefined : flight
    const response = await call(deleted ? 'DELETE' : 'PUT', `/flights/${id}`, body, condition)
    if ([204, 404].includes(response.status)) delete copy.flights[id]
    else if (response.status !== 412) copy.flights[id] = (await read(response)).data
  }
}

await pull()
await push()
await pull()
