import '../testing/svelte-modules.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'

const { match } = await import('./router.svelte.ts')

test('parts of an address are decoded; a malformed one is no error', () => {
  assert.deepEqual(match('/trips/:id', '/trips/a%20b'), { id: 'a b' })
  assert.deepEqual(match('/trips/:id', '/trips/%E0%A4%A'), { id: '%E0%A4%A' })
  assert.deepEqual(match('/stats/*', '/stats/a/b'), { rest: 'a/b' })
  assert.equal(match('/trips/:id', '/flights/1'), null)
})
