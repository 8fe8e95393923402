// Loading: which response is shown, what stays during loading, and when a poll ends.

import assert from 'node:assert/strict'
import { beforeEach, mock, test } from 'node:test'
import { flushSync } from 'svelte'
import { cleanup, render, screen } from '../testing/components.ts'

const { ApiError } = await import('../api/client.ts')
const { joined, Resource } = await import('./resource.svelte.ts')
const { default: Figure } = await import('../testing/Figure.svelte')

interface Row {
  name: string
}
interface Request extends PromiseWithResolvers<Row> {
  signal: AbortSignal
}

let requests: Request[] = []
const send = (signal: AbortSignal): Promise<Row> => {
  const request = { ...Promise.withResolvers<Row>(), signal }
  requests.push(request)
  return request.promise
}
const respond = (index: number, name: string) => requests[index]!.resolve({ name })
const refuse = (index: number, status: number) =>
  requests[index]!.reject(
    new ApiError(status, { code: 'internal_error', reason: 'test', message: `status ${status}` }),
  )
/** Runs all microtasks; timers may be mocked. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

beforeEach(() => {
  requests = []
})

test('the newest request wins, and the older one is aborted', async () => {
  const row = new Resource(send)
  const [first, second] = [row.refresh(), row.refresh()]
  assert.deepEqual([requests[0]!.signal.aborted, requests[1]!.signal.aborted], [true, false])
  respond(1, 'new')
  respond(0, 'old')
  await Promise.all([first, second])
  assert.equal(row.value?.name, 'new')
})

test('an older failure says nothing, and the older call waits for the newest response', async () => {
  const row = new Resource(send)
  let isDone = false
  const first = row.refresh().then(() => {
    isDone = true
  })
  void row.refresh()
  refuse(0, 404)
  await settled()
  assert.deepEqual([isDone, row.problem, row.state], [false, '', 'loading'])
  respond(1, 'new')
  await first
  assert.deepEqual([row.value?.name, row.isLoading], ['new', false])
})

test('the old value stays while it is loaded again, and if that fails', async () => {
  const row = new Resource(send)
  assert.equal(row.state, 'loading')
  void row.refresh()
  respond(0, 'old')
  await settled()
  const again = row.refresh()
  assert.deepEqual([row.state, row.value?.name, row.isLoading], ['ready', 'old', true])
  refuse(1, 404)
  await again
  assert.deepEqual([row.state, row.value?.name, row.problem], ['ready', 'old', 'status 404'])
})

test('a problem stays until it is loaded again', async () => {
  const row = new Resource(send)
  void row.refresh()
  refuse(0, 403)
  await settled()
  assert.deepEqual([row.state, row.problem], ['failed', 'status 403'])
  void row.refresh()
  assert.deepEqual([row.state, row.problem], ['loading', ''])
  respond(1, 'there')
  await settled()
  assert.deepEqual([row.state, row.problem], ['ready', ''])
})

test('what a write made of it is shown, and a request sent before it is sent again', async () => {
  const row = new Resource(send)
  const loading = row.refresh()
  row.set({ name: 'written' })
  respond(0, 'before')
  await settled()
  assert.equal(row.value?.name, 'written')
  respond(1, 'after')
  await loading
  assert.equal(row.value?.name, 'after')
  row.set({ name: 'written again' })
  assert.equal(requests.length, 2)
})

test('it is loaded once for all who need it, and again after a failure', async () => {
  const row = new Resource(send)
  const both = [row.need(), row.need()]
  refuse(0, 500)
  await Promise.all(both)
  assert.equal(requests.length, 1)
  const again = row.need()
  respond(1, 'there')
  await again
  await row.need()
  assert.equal(requests.length, 2)
})

test('a poll goes on over failures with growing pauses, and ends with the value that is wanted', async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    const row = new Resource(send)
    row.set({ name: 'working' })
    let isDone: boolean | null = null
    void row
      .poll(400, ({ name }) => name === 'done')
      .then((is) => {
        isDone = is
      })
    const pauses = [400, 1000, 2000, 5000, 15_000, 15_000]
    for (const [index, ms] of pauses.entries()) {
      await settled()
      mock.timers.tick(ms - 1)
      await settled()
      assert.equal(requests.length, index, `not before ${ms} ms`)
      mock.timers.tick(1)
      await settled()
      assert.equal(requests.length, index + 1, `after ${ms} ms`)
      if (index < pauses.length - 1) refuse(index, [0, 500, 429, 408, 0][index]!)
    }
    // After a response the pauses start over, and the error is cleared.
    assert.notEqual(row.problem, '')
    respond(5, 'working')
    await settled()
    assert.equal(row.problem, '')
    mock.timers.tick(400)
    await settled()
    respond(6, 'done')
    await settled()
    assert.deepEqual([isDone, requests.length], [true, 7])
    mock.timers.tick(60_000)
    await settled()
    assert.equal(requests.length, 7)
  } finally {
    mock.timers.reset()
  }
})

test('a poll ends when the server refuses, and says so', async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    const row = new Resource(send)
    row.set({ name: 'working' })
    const polled = row.poll(400, () => false)
    await settled()
    mock.timers.tick(400)
    await settled()
    refuse(0, 404)
    assert.equal(await polled, false)
    assert.deepEqual([row.value?.name, row.problem], ['working', 'status 404'])
  } finally {
    mock.timers.reset()
  }
})

test('a component that is removed aborts its request, and loads nothing more', async () => {
  let loaded: InstanceType<typeof Resource<Row>> | undefined
  const { unmount } = render(Figure, { fetch: send, onmade: (made: typeof loaded) => (loaded = made) })
  assert.equal(requests.length, 1)
  unmount()
  assert.equal(requests[0]!.signal.aborted, true)
  respond(0, 'late')
  await settled()
  assert.equal(loaded?.value, null)
  await loaded?.refresh()
  assert.equal(await loaded?.poll(0, () => true), false)
  assert.equal(requests.length, 1)
})

test('a component loads again when what it is about changes, and not when that is not known', async () => {
  const view = render(Figure, { fetch: send, on: 'a', onmade: () => {} })
  flushSync()
  assert.equal(requests.length, 1)
  await view.rerender({ on: 'b' })
  assert.deepEqual([requests.length, requests[0]!.signal.aborted], [2, true])
  respond(1, 'of b')
  await settled()
  assert.equal(screen.getByRole('status').textContent, 'of b')
  await view.rerender({ on: false })
  assert.equal(requests.length, 2)
  cleanup()
})

test('a page is added to those before it', () => {
  const page = (data: number[], nextCursor: string | null) => ({ data, page: { nextCursor } })
  assert.deepEqual(joined(null, page([1], 'a')), page([1], 'a'))
  assert.deepEqual(joined(page([1], 'a'), page([2, 3], null)), page([1, 2, 3], null))
})
