// A flight that was changed elsewhere during editing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FlightRecord } from '../../api/types.ts'
import { airports, bodyOf } from '../../testing/flights.ts'
import {
  dated,
  draftOf,
  FlightForm,
  filledIn,
  formOf,
  nothingUnread,
  sent,
  server,
  stored,
  storedDraft,
  useServer,
} from '../../testing/form.ts'

useServer()

const { choose } = await import('../../draft/merge.ts')
const [, , , _tokyo] = airports

test('a flight is saved on the version that was read', async () => {
  const form = await formOf(dated[0]!)
  await sent(form)
  assert.equal(server.saved.at(-1)?.ifMatch, '"f7-3"')
  await sent(await filledIn())
  assert.equal(server.saved.at(-1)?.ifMatch, null, 'a new one has none')
})

const elsewhere = (flight: FlightRecord, change: Partial<FlightRecord>): FlightRecord => {
  const changed = { ...flight, ...change, version: flight.version + 1 }
  server.setCurrent(changed)
  return changed
}

test('what was changed elsewhere alone is saved too', async () => {
  const flight = { ...dated[0]!, note: 'old', departureGate: 'A1' }
  const form = await formOf(flight)
  const changed = elsewhere(flight, { departureGate: 'B2' })
  form.draft.texts.note = 'new'
  const body = await sent(form)
  assert.deepEqual(stored(body), stored({ ...bodyOf(changed), note: 'new' }))
  assert.equal(server.saved.at(-1)?.ifMatch, '"f7-4"')
  assert.deepEqual([form.clashes, form.taken], [[], [['texts', 'departureGate']]])
})

test('what was changed here and elsewhere is saved after a choice, on the newer version', async () => {
  const flight = { ...dated[0]!, note: 'old', departureGate: 'A1' }
  for (const [side, expected] of [
    ['mine', 'mine'],
    ['theirs', 'theirs'],
  ] as const) {
    const form = await formOf(flight)
    const changed = elsewhere(flight, { note: 'theirs', departureGate: 'B2' })
    form.draft.texts.note = 'mine'
    const before = server.saved.length
    assert.equal(await form.save(nothingUnread), null)
    assert.deepEqual([server.saved.length, form.failure, form.saving], [before, '', false])
    const [clash] = form.clashes
    assert.deepEqual([form.clashes.length, clash?.mine, clash?.theirs], [1, 'mine', 'theirs'])
    choose(form.draft, clash!, side)
    assert.deepEqual(stored(await sent(form)), stored({ ...bodyOf(changed), note: expected }))
    form.reset()
    assert.deepEqual(
      [form.draft.texts.note, form.clashes],
      ['theirs', []],
      'starting over shows what is stored',
    )
  }
})

test('a restored draft is merged with what was saved since it was typed', async () => {
  const flight = { ...dated[0]!, note: 'old', departureGate: 'A1' }
  const before = await formOf(flight)
  before.draft.texts.note = 'typed yesterday'
  before.scheduleSave()
  before.saveNow()
  const changed = elsewhere(flight, { departureGate: 'B2' })
  const form = new FlightForm(7, await draftOf(changed), storedDraft(7), changed.version)
  assert.equal(form.restored, true)
  assert.deepEqual(stored(await sent(form)), stored({ ...bodyOf(changed), note: 'typed yesterday' }))
})

test('a flight that was deleted meanwhile can be saved as a new one, with its track', async () => {
  const summary = { pointCount: 2, updatedAt: '', sourceFormat: 'gpx' as const, sourceName: null }
  const flight = { ...dated[0]!, track: summary }
  const form = await formOf(flight)
  form.draft.texts.note = 'mine'
  server.setCurrent(null)
  assert.equal(await form.save(nothingUnread), null)
  assert.deepEqual([form.gone, server.saved.length], [true, 0])
  const coordinates: [number, number][] = [
    [1, 2],
    [3, 4],
  ]
  form.becomeNew({ flightId: 7, coordinates, createdAt: summary.updatedAt, ...summary })
  const body = await sent(form)
  assert.deepEqual([server.saved[0]?.method, server.saved[0]?.path], ['POST', '/flights'])
  assert.deepEqual(body.track, { coordinates, sourceFormat: 'gpx', sourceName: null })
  assert.equal(body.note, 'mine')
  for (const one of body.passengers ?? []) assert.equal(one.id, undefined)
})
