import '../testing/svelte-modules.ts'
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { textFields, timeFields } from '../../../server/domain/flights/fields.ts'
import type { FlightRecord } from '../api/types.ts'
import { airports, createRandom, randomFlight, startServer } from '../testing/flights.ts'
import type { Draft } from './draft.ts'

const { draftOf, guest, inputOf, person } = await import('./draft.ts')
const { choose, chosenSide, mergeDrafts, valueAt } = await import('./merge.ts')

beforeEach(() => void startServer())

const random = createRandom(3)
const flights = Array.from({ length: 60 }, () => randomFlight(random))
const copy = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value

const stored: FlightRecord = {
  ...randomFlight(createRandom(5)),
  datePrecision: 'day',
  date: '2026-05-01',
  from: airports[0]!,
  to: airports[1]!,
  departure: '2026-05-01T10:00:30+02:00',
  arrival: '2026-05-01T14:00:00-04:00',
  note: 'as it was',
  departureGate: 'A1',
  duration: null,
  customFields: { bag: 'red', miles: 100 },
  track: null,
  passengers: [101, 102].map((id) => ({
    id,
    user: { id: `user-${id}`, displayName: `Person ${id}`, username: `person${id}` },
    guestName: null,
    seat: null,
    seatNumber: '1A',
    seatClass: null,
    flightReason: null,
    customFields: {},
  })),
}

/** Both sides edit copies of one draft; as after loading, passengers have different keys on each side. */
async function edited(mine: (draft: Draft) => void, theirs: (draft: Draft) => void) {
  const [base, here, there] = [await draftOf(stored), await draftOf(stored), await draftOf(stored)]
  mine(here)
  theirs(there)
  return { ...mergeDrafts(base, copy(here), copy(there)), here, there }
}
const nothing = () => {}
const labels = (paths: readonly (readonly string[])[]) => paths.map((path) => path.join('.'))

test('a side that changed nothing loses nothing and takes all', async () => {
  for (const flight of flights) {
    const other = { ...randomFlight(random), passengers: flight.passengers }
    const [base, mine, theirs] = [await draftOf(flight), await draftOf(flight), await draftOf(other)]
    const taken = mergeDrafts(base, mine, theirs)
    assert.deepEqual(taken.clashes, [])
    assert.deepEqual(await inputOf(taken.draft), await inputOf(theirs), 'theirs')
    const kept = mergeDrafts(base, theirs, mine)
    assert.deepEqual([kept.clashes, kept.taken], [[], []])
    const { loaded: _of, ...draft } = kept.draft
    const { loaded: _theirs, ...expected } = theirs
    assert.deepEqual(draft, expected, 'mine')
  }
})

test('fields that only one side touched are merged by themselves', async () => {
  const { draft, clashes, taken } = await edited(
    (mine) => {
      mine.texts.note = 'mine'
      mine.times.arrival.time = '15:15'
      mine.airline = null
      mine.customFields['bag'] = 'blue'
    },
    (theirs) => {
      theirs.texts.departureGate = 'B2'
      theirs.times.departure.time = '10:20'
      theirs.to = airports[2]!
      theirs.date = '2026-05-02'
      theirs.customFields['miles'] = 200
    },
  )
  assert.deepEqual(clashes, [])
  assert.deepEqual([draft.texts.note, draft.texts.departureGate], ['mine', 'B2'])
  assert.deepEqual([draft.times.arrival.time, draft.times.departure.time], ['15:15', '10:20'])
  assert.deepEqual([draft.to?.id, draft.date, draft.airline], [airports[2]!.id, '2026-05-02', null])
  assert.deepEqual(draft.customFields, { bag: 'blue', miles: 200 })
  assert.deepEqual(labels(taken).sort(), [
    'customFields.miles',
    'date',
    'texts.departureGate',
    'times.departure',
    'to',
  ])
})

test('what both changed is a clash, unless both changed it to the same', async () => {
  for (const same of [true, false]) {
    const { draft, clashes } = await edited(
      (mine) => {
        mine.texts.note = 'one'
        mine.times.departure.time = '11:00'
        mine.from = airports[3]!
        mine.datePrecision = 'month'
      },
      (theirs) => {
        theirs.texts.note = same ? 'one' : 'two'
        theirs.times.departure = same
          ? {
              date: '2026-05-01',
              time: '11:00',
              kept: { text: '2026-05-01T11:00:00+02:00', date: '2026-05-01', time: '11:00', airportId: 1 },
            }
          : { ...theirs.times.departure, time: '12:00' }
        theirs.from = same ? { ...airports[3]!, name: 'Renamed' } : airports[4]!
        theirs.datePrecision = same ? 'month' : 'year'
      },
    )
    const expected = same ? [] : ['date', 'from', 'texts.note', 'times.departure']
    assert.deepEqual(labels(clashes.map(({ path }) => path)).sort(), expected)
    assert.equal(draft.texts.note, 'one', 'this form’s value until another is chosen')
  }
})

test('a choice is taken into the draft and back, and an edit is neither', async () => {
  const { draft, clashes } = await edited(
    (mine) => {
      mine.texts.note = 'mine'
      mine.date = '2026-05-03'
      mine.aircraft = null
      mine.times.departure.time = '11:00'
      mine.customFields['bag'] = 'blue'
      mine.passengers[0]!.seat = 'aisle'
      mine.passengers[1]!.customFields['meal'] = 'fish'
      mine.track = {
        kind: 'new',
        step: 1,
        track: {
          sourceFormat: 'gpx',
          sourceName: null,
          coordinates: [
            [1, 2],
            [3, 4],
          ],
        },
      }
    },
    (theirs) => {
      theirs.texts.note = 'theirs'
      theirs.date = '2026-05-04'
      theirs.aircraft = { id: 99, name: 'Other', icao: 'OTH', class: 'jet' }
      theirs.times.departure.time = '12:00'
      delete theirs.customFields['bag']
      theirs.passengers[0]!.seat = 'window'
      theirs.passengers[1]!.customFields['meal'] = 'soup'
      theirs.track = {
        kind: 'stored',
        summary: { pointCount: 2, updatedAt: '2026-05-05T00:00:00Z', sourceFormat: 'gpx', sourceName: null },
      }
    },
  )
  assert.ok(clashes.length >= 7)
  for (const clash of clashes) {
    const name = clash.path.join('.')
    assert.equal(chosenSide(draft, clash), 'mine', name)
    choose(draft, clash, 'theirs')
    assert.deepEqual(valueAt(draft, clash.path), clash.theirs, name)
    assert.equal(chosenSide(draft, clash), 'theirs', name)
    choose(draft, clash, 'mine')
    assert.equal(chosenSide(draft, clash), 'mine', name)
  }
  draft.texts.note = 'a third'
  assert.equal(chosenSide(draft, clashes.find(({ path }) => path[1] === 'note')!), undefined)
})

test('passengers are merged one by one', async () => {
  const { draft, clashes } = await edited(
    (mine) => {
      mine.passengers[0]!.seatNumber = '12A'
      mine.passengers.push(guest('Bo'), guest('Bo'))
    },
    (theirs) => {
      theirs.passengers[0]!.seatClass = 'business'
      theirs.passengers.pop()
      theirs.passengers.push({ ...person({ id: 'user-9', displayName: 'Nine' }), id: 900 })
    },
  )
  assert.deepEqual(clashes, [])
  assert.deepEqual(
    draft.passengers.map(({ id, name, seatNumber, seatClass }) => [id, name, seatNumber, seatClass]),
    [
      [101, 'Person 101', '12A', 'business'],
      [undefined, 'Bo', '', ''],
      [undefined, 'Bo', '', ''],
      [900, 'Nine', '', ''],
    ],
  )
})

test('a passenger whom both sides added is one', async () => {
  const nine = { id: 'user-9', displayName: 'Nine' }
  const { draft, clashes } = await edited(
    (mine) => mine.passengers.push({ ...person(nine), seat: 'aisle', seatNumber: '3C' }),
    (theirs) => theirs.passengers.push({ ...person(nine), id: 900, seat: 'window', seatClass: 'first' }),
  )
  const added = draft.passengers.filter(({ userId }) => userId === 'user-9')
  assert.deepEqual(
    added.map(({ id, seat, seatNumber, seatClass }) => [id, seat, seatNumber, seatClass]),
    [[900, 'aisle', '3C', 'first']],
  )
  assert.deepEqual(labels(clashes.map(({ path }) => path.slice(2))), ['seat'])
})

test('a passenger whom one side removed and the other changed is a clash', async () => {
  const change = (draft: Draft) => {
    draft.passengers[1]!.customFields['meal'] = 'fish'
  }
  const remove = (draft: Draft) => void draft.passengers.pop()
  const changedHere = await edited(change, remove)
  assert.equal(changedHere.clashes.length, 1)
  assert.deepEqual(
    changedHere.draft.passengers.map(({ id, name }) => [id, name]),
    [
      [101, 'Person 101'],
      [undefined, 'Person 102'],
    ],
    'stored again, the id of the removed one is unknown',
  )
  choose(changedHere.draft, changedHere.clashes[0]!, 'theirs')
  assert.equal(changedHere.draft.passengers.length, 1)

  const removedHere = await edited(remove, change)
  assert.deepEqual([removedHere.draft.passengers.length, removedHere.clashes.length], [1, 1])
  assert.equal(chosenSide(removedHere.draft, removedHere.clashes[0]!), 'mine')
  choose(removedHere.draft, removedHere.clashes[0]!, 'theirs')
  assert.deepEqual(
    removedHere.draft.passengers.map(({ id }) => id),
    [101, 102],
  )
  assert.deepEqual((await edited(remove, remove)).draft.passengers.length, 1)
  assert.deepEqual((await edited(nothing, remove)).taken.length, 1)
})

test('a merged flight is sent as either side would send it', async () => {
  const { draft } = await edited(
    (mine) => {
      mine.texts.note = ' mine '
    },
    (theirs) => {
      theirs.texts.departureGate = 'B2'
      theirs.loaded!.texts.departureGate = 'B2'
    },
  )
  const input = await inputOf(draft)
  const untouched = await inputOf(await draftOf(stored))
  assert.deepEqual(input, { ...untouched, note: 'mine', departureGate: 'B2' })
  for (const field of [...timeFields, ...textFields]) assert.ok(field in input)
})
