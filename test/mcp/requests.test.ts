// Ordinary requests and the tool that serves each (requests.csv), written before the descriptions were read. A model that
// sees only `tools/list` chooses a tool; the file keeps the choice checkable when tools change.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { onSqlite } from '../harness.ts'
import { modern } from './clients.ts'

const [, ...rows] = readFileSync(new URL('./requests.csv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
/** The request is in quotes, and the tool is the last field. */
const served = rows.map((row) => row.slice(row.lastIndexOf(',') + 1))

onSqlite('requests and tools', (app) => {
  test('every request has a listed tool, and every listed tool serves a request', async () => {
    const owner = await app().person('owner')
    const { json } = await modern(app(), await owner.key(), 'tools/list')
    const listed: string[] = json.result.tools.map(({ name }: { name: string }) => name)
    assert.ok(served.length >= 50)
    assert.deepEqual([...new Set(served)].sort(), listed.sort())
  })
})
