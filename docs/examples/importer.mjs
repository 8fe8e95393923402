// Imports a CSV file with the columns id, date, from, to, airline, flightNumber: codes, not Contrail's ids.
//
//   CONTRAIL_URL=http://localhost:3000 CONTRAIL_KEY=ctk_… node importer.mjs old-app flights.csv
//
// Each row becomes a flight with the external id (old-app, its id), so running it again updates flights and never duplicates them.
// It first checks every row without writing. The key needs flight.read.own, flight.create.own and flight.update.own.
import { readFile } from 'node:fs/promises'

const [source, file] = process.argv.slice(2)
const { CONTRAIL_URL = 'http://localhost:3000', CONTRAIL_KEY } = process.env
const AT_ONCE = 500

/** Fields may be in quotes, and then contain commas, quotes (doubled) and line breaks. */
function parseCsv(text) {
  const rows = [[]]
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    rows.at(-1).push(quoted?.replaceAll('""', '"') ?? plain)
    if (end !== ',') rows.push([])
  }
  const [names, ...lines] = rows.filter((row) => row.some((cell) => cell !== ''))
  return lines.map((line) => Object.fromEntries(names.map((name, i) => [name, line[i] || undefined])))
}

async function bulk(rows, dryRun) {
  const operations = rows.map(({ id, ...flight }) => ({
    op: 'upsert',
    ref: id,
    externalId: { source, value: id },
    flight,
  }))
  const response = await fetch(`${CONTRAIL_URL}/api/v1/flights/bulk`, {
    method: 'POST',
    headers: { authorization: `Bearer ${CONTRAIL_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ dryRun, operations }),
  })
  const result = await response.json()
  if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(result.error)}`)
  return result
}

const rows = parseCsv((await readFile(file, 'utf8')).replace(/^\uFEFF/, ''))
const total = { created: 0, updated: 0, unchanged: 0, deleted: 0, failed: 0 }
for (const dryRun of [true, false]) {
  for (let start = 0; start < rows.length; start += AT_ONCE) {
    const { data, summary } = await bulk(rows.slice(start, start + AT_ONCE), dryRun)
    for (const { ref, error } of data) if (error && dryRun) console.error(`${ref}: ${error.message}`)
    for (const name of Object.keys(total)) if (!dryRun) total[name] += summary[name]
  }
}
console.log(JSON.stringify(total))
