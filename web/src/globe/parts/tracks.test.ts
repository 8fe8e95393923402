// Tracks that the map has loaded, could not load, or that were replaced.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Flight } from '../../api/log.ts'
import { respondWith } from '../../testing/svelte-modules.ts'

const { forgetTrack, loadTracks, tracks } = await import('./tracks.svelte.ts')

let isDown = false
let altitude = 1
respondWith(async () => {
  if (isDown) throw new TypeError('fetch failed')
  return Response.json({
    data: {
      coordinates: [
        [0, 0, altitude],
        [1, 1, altitude],
      ],
    },
  })
})
const flights = [{ id: 7, track: true }] as unknown as Flight[]
const loaded = () => tracks.known.get(7)?.[0]?.[2]

test('a track that failed, or was replaced, is loaded again', async () => {
  isDown = true
  await loadTracks(flights)
  assert.equal(loaded(), undefined)
  isDown = false
  await loadTracks(flights)
  assert.equal(loaded(), 1)
  altitude = 2
  await loadTracks(flights)
  assert.equal(loaded(), 1, 'one that is known is not asked for again')
  forgetTrack(7)
  assert.equal(loaded(), undefined)
  await loadTracks(flights)
  assert.equal(loaded(), 2)
})
