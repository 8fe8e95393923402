// Backups made by the command line, and their contents.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { TestApp } from '../harness.ts'
import { contrail, type Database } from '../running/processes.ts'
import { until } from '../until.ts'

let files = 0
export const newFile = () => join(process.env['TEST_SCRATCH']!, `backup-${process.pid}-${files++}.gz`)
export const linesOf = (file: string) => gunzipSync(readFileSync(file)).toString().trimEnd().split('\n')

export async function run(database: Database, ...args: string[]) {
  const { code, out, err } = await contrail(database, args)
  return { code, out: out.toString(), err }
}

/** A backup with the command line during continuous writes. */
export async function backUpUnderWrites(app: TestApp, database: Database, file: string) {
  const writer = await app.person()
  const key = await writer.key()
  const [fromId, toId] = [await app.airportId('CPH'), await app.airportId('OSL')]
  const body = { date: '2026-01-01', fromId, toId, passengers: [{ userId: writer.id }, { guestName: 'G' }] }
  let [writing, written] = [true, 0]
  const write = async () => {
    for (; writing; written++) {
      const { status, text } = await app.request('POST', '/api/v1/flights', { key, body })
      assert.equal(status, 201, text)
    }
  }
  const writes = write()
  await Promise.race([until('flights are written', () => written > 3), writes])
  const before = written
  const saved = await run(database, 'backup', file)
  assert.ok(written > before, 'it is written meanwhile')
  writing = false
  await writes
  return saved
}
