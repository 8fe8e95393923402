// get-line-data: the file that one line of text is read with.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { onBothEngines } from '../harness.ts'

onBothEngines('the file for one line', (app, engine) => {
  test('it is at most 150 kB compressed', async () => {
    const cookie = await (await app().person('role-user')).session()
    const reply = await app().request('GET', '/app/api/line-data', { cookie })
    assert.equal(reply.status, 200)
    if (process.env['DUMP']) writeFileSync(`/tmp/line-data-${engine}.json`, JSON.stringify(reply.json.data))
    const { airports, airlines, aircraft } = reply.json.data
    const size = (part: unknown) => gzipSync(JSON.stringify(part)).length
    console.log(
      size(reply.json),
      size(airports),
      size(airlines),
      size(aircraft),
      airports.id.length,
      airlines.id.length,
      aircraft.id.length,
    )
    assert.ok(size(reply.json) <= 150_000, `${size(reply.json)} bytes`)
  })
})
