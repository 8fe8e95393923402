// An import is followed on its page until the server is done with it, also over requests that fail.

import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { noCounts } from '../../../server/domain/imports/imports.ts'
import { respondWith } from '../testing/svelte-modules.ts'

const { OpenImport } = await import('./import.svelte.ts')

/** Each request gets the next answer; the last one is repeated. */
let answers: (() => Response)[] = []
let asked = 0
let overview: () => Promise<Response>
const judged = (verdicts: string, twice: number[] = []) => Response.json({ data: { verdicts, twice } })
beforeEach(() => {
  asked = 0
  overview = async () => judged('')
})
respondWith(async (request) => {
  if (new URL(request.url).pathname.endsWith('/overview')) return overview()
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

test('duplicates are not counted before it is known which of them repeat another row', async () => {
  const counts = { ...noCounts, rows: 2, new: 1, duplicate: 1 }
  const ready = { id: 1, status: 'ready', rowsDone: 2, bytes: 10, counts, questions: [] }
  answers = [() => Response.json({ data: ready })]
  const open = new OpenImport(1)
  let seen: unknown
  overview = async () => {
    seen = [open.record?.status, open.counts.duplicate]
    return judged('nd', [2])
  }
  await open.load()
  assert.deepEqual(seen, ['ready', 0])
  assert.deepEqual([open.counts, open.twice], [counts, 1])
})

test('one that is refused does', async () => {
  answers = [record('reading'), refused(404)]
  const open = new OpenImport(1)
  await open.load()
  assert.equal((open.failure as { status: number }).status, 404)
  assert.equal(asked, 2)
})
