// Runs several test files in this process, one after the other, because most of a file's cost is loading the application.
// Each file is a suite with its own hooks.
import assert from 'node:assert/strict'
import { AsyncResource } from 'node:async_hooks'
import { resolve } from 'node:path'
import { describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Batch } from './gears.ts'

/**
 * Tests and hooks have a limit; how long a suite or a file takes depends on the machine. Node ignores infinity, and gives such a
 * suite the limit of a test.
 */
export const unlimited = { timeout: 2 ** 31 - 1 }

export function runBatch({ files, engine, journeys, conflicts }: Batch): void {
  if (engine) process.env['TEST_ENGINE'] = engine
  if (journeys) process.env['TEST_JOURNEYS'] = journeys
  if (conflicts) process.env['TEST_CONFLICTS'] = conflicts
  let loaded: Promise<unknown> = Promise.resolve()
  for (const file of files)
    describe(file, unlimited, async () => {
      // Files are loaded one after the other, each in its own suite: if two files waited for the same module, tests and
      // hooks of the second would belong to the suite of the first.
      const load = AsyncResource.bind(() => import(pathToFileURL(resolve(file)).href))
      loaded = loaded.then(load, load)
      await loaded
    })
  if (conflicts === 'aborted')
    test('statements were aborted', async () => {
      const { countAborted } = await import('./aborted-statements.ts')
      assert.ok(countAborted() > 100)
    })
}
