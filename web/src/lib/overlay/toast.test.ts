// Messages: which ones stay, which time out, and what holds them.
import '../../testing/svelte-modules.ts'
import assert from 'node:assert/strict'
import { after, before, beforeEach, mock, test } from 'node:test'

const { dismiss, holdMessages, toast, toasts } = await import('./toast.svelte.ts')

const texts = () => toasts.list.map(({ text }) => text)
const action = { label: 'Undo', run: () => {} }
before(() => mock.timers.enable({ apis: ['setTimeout'] }))
after(() => mock.timers.reset())

beforeEach(() => {
  for (const { id } of toasts.list) dismiss(id)
})

test('a message goes after its time, an error stays', () => {
  toast('saved')
  toast('deleted', { action })
  toast('failed', { tone: 'error' })
  mock.timers.tick(4000)
  assert.deepEqual(texts(), ['failed', 'deleted'])
  mock.timers.tick(4000)
  assert.deepEqual(texts(), ['failed'])
  mock.timers.tick(100_000)
  assert.deepEqual(texts(), ['failed'])
})

test('the clock stops while the pointer or the focus is on the messages', () => {
  toast('deleted', { action })
  mock.timers.tick(7000)
  holdMessages('pointer', true)
  holdMessages('focus', true)
  mock.timers.tick(60_000)
  assert.deepEqual(texts(), ['deleted'])
  holdMessages('pointer', false)
  mock.timers.tick(60_000)
  assert.deepEqual(texts(), ['deleted'], 'the focus still holds it')
  // A message that appears meanwhile is held too.
  toast('saved')
  mock.timers.tick(60_000)
  assert.deepEqual(texts(), ['saved', 'deleted'])
  holdMessages('focus', false)
  mock.timers.tick(7999)
  assert.deepEqual(texts(), ['deleted'], 'each has its whole time again')
  mock.timers.tick(1)
  assert.deepEqual(texts(), [])
})

test('the pointer that pressed Close on the last message holds nothing later', () => {
  const id = toast('deleted', { action })
  holdMessages('pointer', true)
  dismiss(id)
  toast('saved')
  mock.timers.tick(4000)
  assert.deepEqual(texts(), [])
})

test('of four messages the oldest goes, but not an error, and none while they are held', () => {
  toast('failed', { tone: 'error' })
  for (const text of ['1', '2', '3', '4']) toast(text)
  assert.deepEqual(texts(), ['4', '3', '2', 'failed'])
  holdMessages('focus', true)
  toast('5')
  assert.deepEqual(texts(), ['5', '4', '3', '2', 'failed'])
})

test('an error that comes again is shown once', () => {
  toast('failed', { tone: 'error' })
  toast('saved')
  toast('failed', { tone: 'error' })
  assert.deepEqual(texts(), ['failed', 'saved'])
})
