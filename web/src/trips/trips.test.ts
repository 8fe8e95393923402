// The trips in the browser are those of the newest request, whenever the responses arrive.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { respondWith } from '../testing/svelte-modules.ts'

const { trips } = await import('./trips.svelte.ts')

const responses: PromiseWithResolvers<Response>[] = []
respondWith(() => {
  const next = Promise.withResolvers<Response>()
  responses.push(next)
  return next.promise
})
const named = (name: string) => Response.json({ data: [{ id: 1, name, flightIds: [] }] })
const namesShown = () => trips.all?.map(({ name }) => name)

/** The microtasks between a call and its request. */
const sent = () => new Promise((resolve) => setTimeout(resolve))

test('an older list that arrives late does not replace the newer one', async () => {
  const before = trips.refresh()
  await sent()
  const after = trips.refresh()
  await sent()
  responses[1]!.resolve(named('Renamed'))
  await sent()
  responses[0]!.resolve(named('Before'))
  await Promise.all([before, after])
  assert.deepEqual(namesShown(), ['Renamed'])
})
