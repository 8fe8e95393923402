// A failed list of people is loaded again: when the connection returns, and on request.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { cleanup, render, screen, waitFor } from '../testing/components.ts'
import { respondWith, showKeys } from '../testing/svelte-modules.ts'

const { people } = await import('./people.svelte.ts')
const { default: PeopleSwitch } = await import('./PeopleSwitch.svelte')

let respond = (): Response => Response.error()
let requests = 0
respondWith(async () => {
  requests++
  return respond()
})
showKeys()
after(cleanup)

const noConnection = () => {
  throw new TypeError('fetch failed')
}
const found = () => Response.json({ data: [{ id: 'bo', name: 'Bo Jensen', flights: 3 }] })
const refused = () =>
  Response.json({ error: { code: 'internal_error', reason: 'x', message: 'no' } }, { status: 500 })

test('what failed without a connection follows with it', async () => {
  respond = noConnection
  render(PeopleSwitch, { compact: false })
  await waitFor(() => assert.equal(people.problem, 'app.offline'))
  assert.equal(requests, 1)
  respond = found
  dispatchEvent(new Event('online'))
  await screen.findByRole('button', { name: /Bo/ })
  assert.deepEqual([people.problem, requests], ['', 2])
})

test('those who are known stay when a later request fails', async () => {
  respond = refused
  await people.load()
  assert.equal(people.problem, '')
  assert.ok(people.known.some(({ name }) => name === 'Bo Jensen'))
})
