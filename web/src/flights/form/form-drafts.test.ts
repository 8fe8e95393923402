// Copies of unsaved input, and the values that a form starts with.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timeFields } from '../../../../server/domain/flights/fields.ts'
import { daysBetween } from '../../draft/dates.ts'
import { airports, bodyOf } from '../../testing/flights.ts'
import {
  copy,
  dated,
  draftOf,
  emptyDraft,
  FlightForm,
  filledIn,
  formOf,
  newForm,
  sent,
  stored,
  storedDraft,
  useServer,
} from '../../testing/form.ts'

useServer()

const { nextLeg } = await import('../../draft/draft.ts')
const [copenhagen, newYork] = airports

test('what was typed is kept until it is saved, and offered again', async () => {
  const flight = dated[0]!
  const form = await formOf(flight)
  assert.equal(form.restored, false)
  form.draft.texts.note = 'typed'
  form.scheduleSave()
  form.saveNow()
  const again = new FlightForm(flight.id, await draftOf(flight), storedDraft(flight.id))
  assert.equal(again.restored, true)
  assert.equal((await sent(again)).note, 'typed')
  assert.equal(storedDraft(flight.id), null)
})

test('an unchanged form keeps no copy, and starting over removes it', async () => {
  const draft = await draftOf(dated[0]!)
  const form = new FlightForm(7, draft, null)
  form.scheduleSave()
  form.saveNow()
  assert.equal(storedDraft(7), null)
  form.draft.texts.note = 'typed'
  form.scheduleSave()
  form.saveNow()
  assert.notEqual(storedDraft(7), null)
  form.reset()
  assert.equal(storedDraft(7), null)
  assert.equal(form.draft.texts.note, dated[0]!.note ?? '')
})

test('a copy is written after a moment, once, and not after the form was saved', async ({ mock }) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  const form = await filledIn()
  form.saveNow()
  assert.equal(storedDraft(null), null, 'nothing has changed')
  form.draft.texts.note = 'a'
  form.scheduleSave()
  form.draft.texts.note = 'b'
  form.scheduleSave()
  mock.timers.tick(249)
  assert.equal(storedDraft(null), null)
  mock.timers.tick(1)
  assert.equal(storedDraft(null)?.draft.texts.note, 'b')
  form.draft.texts.note = 'c'
  form.scheduleSave()
  await sent(form)
  mock.timers.tick(300)
  assert.equal(storedDraft(null), null)
  form.draft.texts.note = 'd'
  form.scheduleSave()
  form.saveNow()
  await sent(form)
  mock.timers.tick(300)
  assert.equal(storedDraft(null), null)
})

test('a form that was saved keeps no copy, whatever arrives afterwards', async ({ mock }) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  const form = await filledIn()
  await sent(form)
  form.draft.texts.note = 'late'
  form.scheduleSave()
  mock.timers.tick(300)
  form.saveNow()
  assert.equal(storedDraft(null), null)
})

test('starting over also removes errors', () => {
  const form = new FlightForm(null, emptyDraft(null, '2026-05-01'), {
    draft: emptyDraft(null, '2026-05-02'),
    base: null,
  })
  assert.equal(form.restored, true)
  form.errors = { date: 'x' }
  form.failure = 'x'
  form.reset()
  assert.deepEqual([form.restored, form.errors, form.failure, form.draft.date], [false, {}, '', '2026-05-01'])
})

test('a copy that cannot be read is none; one that is too large is kept without its track', async () => {
  localStorage.setItem('contrail.draft.7', '{')
  assert.equal(storedDraft(7), null)
  const form = await filledIn()
  form.draft.texts.note = 'typed'
  const coordinates = [[1, 2] as [number, number]]
  form.draft.track = { kind: 'new', step: 1, track: { coordinates, sourceFormat: 'gpx', sourceName: null } }
  const { setItem } = localStorage
  const quota = (most: number) => {
    localStorage.setItem = (name: string, text: string) => {
      if (text.length > most) throw new Error('quota')
      setItem(name, text)
    }
  }
  try {
    for (const most of [JSON.stringify(form.draft).length - 1, 10]) {
      quota(most)
      form.scheduleSave()
      form.saveNow()
      assert.deepEqual(storedDraft(null)?.draft.track, { kind: 'none' })
      assert.equal(storedDraft(null)?.draft.texts.note, 'typed')
    }
  } finally {
    localStorage.setItem = setItem
  }
})

test('a copy of an earlier version still saves every time as it was', async () => {
  const flight = dated.find(({ departure, duration }) => departure !== null && duration !== null)!
  const { loaded: _loaded, unread: _unread, ...old } = copy(await draftOf(flight))
  localStorage.setItem('contrail.draft.7', JSON.stringify(old))
  const form = new FlightForm(7, await draftOf(flight), storedDraft(7), flight.version)
  assert.deepEqual(stored(await sent(form)), stored(bodyOf(flight)))
  assert.equal(form.rawOf('date'), null)
})

test('text that was not parsed yet is part of the copy', async () => {
  const form = newForm()
  form.setRaw('arrival', '7.3')
  assert.equal(form.rawOf('arrival'), '7.3')
  form.setRaw('arrival', null)
  assert.equal(form.rawOf('arrival'), null)
})

test('the next leg of an overnight flight is on the day of the arrival', async () => {
  const form = await filledIn()
  assert.equal(nextLeg(form.draft, '2026-11-15').date, '2026-05-01')
  form.setTime('arrival', '07:10', 1)
  assert.equal(nextLeg(form.draft, '2026-11-15').date, '2026-05-02')
})

test('a stored flight is shown with its track, its duration if it has one, and times as written without an airport', async () => {
  const [flight] = dated
  const track = { pointCount: 2, updatedAt: '', sourceFormat: 'gpx' as const, sourceName: null }
  assert.deepEqual((await draftOf({ ...flight!, track })).track, { kind: 'stored', summary: track })
  assert.deepEqual((await draftOf({ ...flight!, track: null })).track, { kind: 'none' })
  const times = { departure: '2026-05-01T10:00:30+02:00', arrival: '2026-05-01T12:30:30+02:00' }
  assert.equal((await draftOf({ ...flight!, ...times, duration: null })).duration, '')
  assert.equal((await draftOf({ ...flight!, ...times, arrival: null, duration: 9000 })).duration, '2:30')
  const { departure } = (await draftOf({ ...flight!, ...times, from: null })).times
  assert.deepEqual([departure.date, departure.time], ['2026-05-01', '10:00'])
})

test('the next leg starts where this one ended, with the same people', async () => {
  const form = await formOf({ ...dated[0]!, from: copenhagen!, to: newYork! })
  const { draft } = form
  const next = nextLeg(draft, '2026-11-15')
  assert.deepEqual([next.from, next.to, next.airline], [draft.to, null, draft.airline])
  assert.equal(next.date, draft.times.arrival.date || draft.date)
  assert.deepEqual(
    next.passengers.map(({ id, userId, guestName, seat, seatNumber }) => [
      id,
      userId,
      guestName,
      seat,
      seatNumber,
    ]),
    draft.passengers.map(({ userId, guestName }) => [undefined, userId, guestName, '', '']),
  )
  assert.equal(daysBetween(next.date, draft.times.arrival.date || draft.date), 0)
  const body = await sent(new FlightForm(null, { ...next, to: copenhagen! }, null))
  assert.equal(body.fromId, newYork!.id)
  for (const field of timeFields) assert.equal(body[field], null)
})

test('the next leg has the same booking reference, and nothing else of the booking', async () => {
  const form = await filledIn()
  form.draft.texts.bookingReference = 'ABC123'
  form.draft.texts.operatingFlightNumber = 'LH 1'
  form.draft.outcome = 'cancelled'
  form.draft.price = { amount: '12', currency: 'EUR' }
  const next = nextLeg(form.draft, '2026-05-02')
  assert.deepEqual(
    [next.texts.bookingReference, next.texts.operatingFlightNumber, next.outcome, next.price.amount],
    ['ABC123', '', 'flown', ''],
  )
})

test('a draft that an earlier version stored is completed', async () => {
  const draft = emptyDraft(null, '2026-05-01')
  const { outcome: _outcome, price: _price, plannedTo: _to, ...older } = copy(draft)
  const form = new FlightForm(null, draft, { draft: older as typeof draft, base: null })
  assert.deepEqual([form.draft.outcome, form.draft.price.amount, form.draft.plannedTo], ['flown', '', null])
})
