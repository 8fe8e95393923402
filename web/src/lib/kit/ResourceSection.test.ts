// A list from a description: which buttons a row has, the dialog, and the question before a row is removed.

import assert from 'node:assert/strict'
import { afterEach, before, test } from 'node:test'
import { cleanup, render, screen, userEvent, waitFor } from '../../testing/components.ts'

const { withTexts } = await import('../../i18n/i18n.svelte.ts')
const { toasts, dismiss } = await import('../overlay/toast.svelte.ts')
const { default: Places } = await import('../../testing/Places.svelte')

before(() => withTexts('settings', async () => undefined))

afterEach(() => {
  cleanup()
  for (const { id } of toasts.list) dismiss(id)
})

/** As on the server. */
function createPlaces(...names: string[]) {
  let list = names.map((name, id) => ({ id, name }))
  return {
    loads: 0,
    async load() {
      // Later than the dialog could close.
      if (this.loads++ > 0) await new Promise((done) => setTimeout(done, 30))
      return list
    },
    async end(name: string) {
      list = list.filter((place) => place.name !== name)
    },
  }
}

async function show(places: ReturnType<typeof createPlaces>, end = places.end) {
  const changes: string[] = []
  render(Places, { load: () => places.load(), end, onchanged: () => changes.push('') })
  await waitFor(() => assert.ok(!screen.queryByText('Loading…')))
  return changes
}

const buttons = () =>
  screen.getAllByRole('button').map((one) => one.getAttribute('aria-label') ?? one.textContent?.trim())
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

test('a row has the buttons that its description allows', async () => {
  await show(createPlaces('Home', 'Office', 'Harbour'))
  assert.deepEqual(buttons(), [
    'Add',
    'Edit Home',
    'Edit Office',
    'Close the office',
    'Edit Harbour',
    'Delete Harbour',
  ])
  assert.equal(screen.getByRole('button', { name: 'Close the office' }).textContent?.trim(), 'Close')
})

test('without items, it says so', async () => {
  await show(createPlaces())
  assert.ok(screen.getByText('No places'))
})

test('the dialog adds or edits an item, and the list is loaded again after it was saved', async () => {
  const places = createPlaces('Home')
  const changes = await show(places)
  await press('Add')
  assert.ok(screen.getByRole('dialog', { name: 'New place' }))
  await press('Save')
  assert.ok(!screen.queryByRole('dialog'))
  await press('Edit Home')
  assert.ok(screen.getByRole('dialog', { name: 'Edit: Home' }))
  await press('Save')
  assert.deepEqual([places.loads, changes.length], [3, 2])
})

test('a row is removed after a question; a message says so, and the heading is focused', async () => {
  const places = createPlaces('Home', 'Harbour')
  const changes = await show(places)
  await press('Delete Harbour')
  assert.ok(screen.getByRole('heading', { name: 'Remove Harbour?' }))
  assert.ok(screen.getByText('For good.'))
  await press('Remove Harbour?')
  await waitFor(() => assert.ok(!screen.queryByRole('heading', { name: 'Remove Harbour?' })))
  await waitFor(() => assert.ok(!screen.queryByText('Harbour')))
  assert.deepEqual([places.loads, changes.length], [2, 1])
  assert.deepEqual(
    toasts.list.map(({ text }) => text),
    ['Harbour removed'],
  )
  assert.equal(document.activeElement?.textContent, 'Places')
})

test('if it cannot be removed, the question stays and says why', async () => {
  const places = createPlaces('Home', 'Harbour')
  await show(places, () => Promise.reject(new Error('refused')))
  await press('Delete Harbour')
  await press('Remove Harbour?')
  await waitFor(() => assert.ok(screen.getByRole('alert')))
  assert.ok(screen.getByText('Harbour'))
  assert.deepEqual([places.loads, toasts.list.length], [1, 0])
})
