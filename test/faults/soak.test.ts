// A short soak: no request fails, and no handle or connection leaks. `npm run soak` measures more.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { soak } from '../../bench/soak.ts'
import { freshDatabase } from '../harness.ts'
import { isLong } from '../rounds.ts'

for (const engine of ['sqlite', 'postgres'] as const) {
  test(`all kinds of load together on ${engine}`, async () => {
    const { databaseUrl, dataDir, drop } = await freshDatabase(engine)
    const { requests, problems } = await soak({ databaseUrl, dataDir }, isLong ? 60 : 3)
    assert.deepEqual(problems, [])
    assert.ok(requests > 0)
    await drop()
  })
}
