// An import is followed on its page until the server is done with it, also over requests that fail.

import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { respondWith } from '../testing/svelte-modules.ts'

const { OpenImport } = await import('./import.svelte.ts')

/** Each request gets the next answer; the last one is repeated. */
let answers: (() => Response)[] = []
let asked = 0
beforeEach(() => {
  asked = 0
})
respondWith(async (request) => {
  if (new URL(request.url).pathname.endsWith('/overview'))
    return Response.json({ data: { verdicts: '', questions: [] } })
  return (answers[asked++] ?? answers.at(-1)!)()
})

const record = (status: string) => () =>
  Response.json({ data: { id: 1, status, rowsDone: 0, bytes: 10, counts: {}, questions: [] } })
const refused = (status: number) => () =>
  Response.json({ error: { code: 'x', reason: 'x', message: 'no' } }, { status })
const noConnection = () => {
  throw new TypeError('fetch failed')
}

test('a request that fails on the way does not end it', async () => {
  for (const failed of [noConnection, refused(502), refused(500), refused(429)]) {
    asked = 0
    answers = [record('reading'), failed, record('ready')]
    const open = new OpenImport(1)
    await open.load()
    assert.deepEqual([open.record?.status, open.failure, asked], ['ready', null, 3])
  }
})

test('one that is refused does', async () => {
  answers = [record('reading'), refused(404)]
  const open = new OpenImport(1)
  await open.load()
  assert.equal((open.failure as { status: number }).status, 404)
  assert.equal(asked, 2)
})
