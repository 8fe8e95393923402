// The length of a film is written into a file that a browser recorded without it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filmLength, withLength } from './webm.ts'

const unknown = [0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]
const block = (at: number) => [0xa3, 0x85, 0x81, at >> 8, at & 0xff, 0x80, 0x2a]
const element = (id: number[], ...content: number[][]) => {
  const inside = content.flat()
  return [...id, 0x80 | inside.length, ...inside]
}
const [ebml, info, cluster] = [
  [0x1a, 0x45, 0xdf, 0xa3],
  [0x15, 0x49, 0xa9, 0x66],
  [0x1f, 0x43, 0xb6, 0x75],
]
const scale = element([0x2a, 0xd7, 0xb1], [0x0f, 0x42, 0x40])
const timestamp = (at: number) => element([0xe7], [at >> 8, at & 0xff])

/** As Chromium records: sizes of segment and clusters are not known. */
const recorded = (segmentSize = unknown) =>
  Uint8Array.from([
    ...element(ebml, [0x42, 0x86, 0x81, 1]),
    ...[0x18, 0x53, 0x80, 0x67, ...segmentSize],
    ...element(info, scale, element([0x4d, 0x80], [0x43])),
    ...[...cluster, ...unknown, ...timestamp(0), ...block(0), ...block(33)],
    ...[...cluster, ...unknown, ...timestamp(1000), ...block(0)],
    ...element([0xa0], element([0xa1], [0x81, 0x01, 0xf4, 0x80, 0x2a])),
  ])

test('a film gets the length from its first to after its last picture', () => {
  const film = recorded()
  assert.equal(filmLength(film), undefined)
  const whole = withLength(film)
  // The last picture is at 1.5 s, half a second after the one before.
  assert.equal(filmLength(whole), 2)
  assert.deepEqual([...whole.subarray(-40)], [...film.subarray(-40)], 'the pictures are the same')
  assert.equal(withLength(whole), whole, 'once is enough')
})

test('a segment of a known size is open afterwards, because it is longer', () => {
  const whole = withLength(recorded([0x40, 0x70]))
  assert.equal(filmLength(whole), 2)
  assert.deepEqual([...whole.subarray(13, 15)], [0x7f, 0xff])
})

test('what is no film, is cut off or has no pictures stays as it is', () => {
  for (const bytes of [
    new Uint8Array(),
    Uint8Array.from([1, 2, 3]),
    recorded().slice(0, 40),
    new TextEncoder().encode('<html>'),
  ])
    assert.equal(withLength(bytes), bytes)
})
