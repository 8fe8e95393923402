// What the form sends, and how it handles refusals.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { flightFieldNames, textFields } from '../../../../server/domain/flights/fields.ts'
import { airports, bodyOf, createRandom, randomFlight } from '../../testing/flights.ts'
import {
  copy,
  dated,
  filledIn,
  flights,
  formOf,
  newForm,
  nothingUnread,
  sent,
  server,
  stored,
  useServer,
} from '../../testing/form.ts'

useServer()

type Form = ReturnType<typeof newForm>
const [copenhagen, newYork, , tokyo] = airports

test('an unedited form sends back exactly what the server stored', async () => {
  for (const flight of flights) {
    assert.deepEqual(stored(await sent(await formOf(flight))), stored(bodyOf(flight)), JSON.stringify(flight))
  }
})

test('the form sends every field of a flight', async () => {
  for (const [form, name] of [
    [await formOf(flights[0]!), 'a stored flight'],
    [await filledIn(), 'a new flight'],
  ] as const) {
    const body = await sent(form)
    assert.deepEqual(
      flightFieldNames.filter((field) => !(field in body)),
      [],
      name,
    )
  }
})

test('edited texts are trimmed, empty ones are null, others keep their blanks', async () => {
  for (const field of textFields) {
    const form = await formOf({
      ...dated[0]!,
      ...Object.fromEntries(textFields.map((name) => [name, ' x '])),
    })
    form.draft.texts[field] = '  changed '
    const body = await sent(form)
    for (const name of textFields) assert.equal(body[name], name === field ? 'changed' : ' x ')
    form.draft.texts[field] = '  '
    assert.equal((await sent(form))[field], null)
  }
})

test('a typed duration is saved; one that only repeats the times follows them', async () => {
  const times = { departure: '2026-05-01T10:00:00+02:00', arrival: '2026-05-01T12:30:00+02:00' }
  const base = { ...dated[0]!, ...times, from: copenhagen!, to: copenhagen!, date: '2026-05-01' }
  const follows = await formOf({ ...base, duration: 9000 })
  assert.equal(follows.draft.duration, '')
  follows.setTime('arrival', '13:00')
  assert.equal(stored(await sent(follows)).duration, 10_800)
  const stated = await formOf({ ...base, duration: 7777 })
  assert.equal((await sent(stated)).duration, 7777)
  stated.draft.duration = '3:15'
  assert.equal((await sent(stated)).duration, 11_700)
  stated.draft.duration = ''
  assert.equal((await sent(stated)).duration, null)
})

test('a track is sent only if it was chosen or removed', async () => {
  const form = await formOf({ ...dated[0]!, track: null })
  assert.ok(!('track' in (await sent(form))))
  form.draft.track = { kind: 'removed' }
  assert.equal((await sent(form)).track, null)
  const track = {
    coordinates: [[1, 2] as [number, number], [3, 4] as [number, number]],
    sourceFormat: 'gpx' as const,
    sourceName: null,
  }
  form.draft.track = { kind: 'new', step: 1, track }
  assert.deepEqual((await sent(form)).track, track)
})

// Errors

test('nothing is sent while something is missing', async () => {
  const form = newForm()
  form.draft.passengers = []
  form.draft.date = ''
  form.draft.duration = 'long'
  assert.equal(await form.save(nothingUnread), null)
  assert.deepEqual(form.errors, {
    fromId: 'form.requiredAirport',
    toId: 'form.requiredAirport',
    date: 'form.requiredDate',
    duration: 'form.durationBad',
    passengers: 'form.needPassenger',
  })
  assert.equal(form.failure, 'form.fix')
  form.setAirport('from', copenhagen!)
  assert.ok(!('fromId' in form.errors), 'a corrected field is no longer marked')
  const odd = await filledIn()
  odd.setDate('2026-02-30')
  assert.equal(await odd.save(nothingUnread), null)
  assert.deepEqual(odd.errors, { date: 'form.badDate' })
  const undatedTime = await filledIn()
  undatedTime.setTime('arrival', '10:00')
  undatedTime.setTimeDate('arrival', '')
  assert.equal(await undatedTime.save(nothingUnread), null)
  assert.deepEqual(undatedTime.errors, { arrivalDate: 'form.requiredDate' })
  const unread = await filledIn()
  assert.equal(await unread.save(async () => false), null)
  assert.equal(unread.failure, 'form.fix')
  assert.deepEqual(server.saved, [])
})

test('an error of the server is shown at its field; the form stays unchanged', async () => {
  const form = await filledIn()
  const params = { field: 'B', earlier: 'A' }
  const reason = 'arrival_before_departure'
  const details = [{ code: 'custom', path: ['arrival'], reason, params, message: 'x' }]
  server.refuse(
    Response.json(
      { error: { code: 'validation_failed', reason: 'validation_failed', message: 'Invalid', details } },
      { status: 422 },
    ),
  )
  assert.equal(await form.save(nothingUnread), null)
  assert.deepEqual(
    [form.errors, form.failure, form.saving],
    // The only texts loaded here are those of the server's reasons.
    [{ arrival: '“B” must be after “A”.' }, 'form.fix', false],
  )
  server.refuse(
    Response.json(
      { error: { code: 'not_found', reason: 'flight_not_found', message: 'gone' } },
      { status: 404 },
    ),
  )
  assert.equal(await form.save(nothingUnread), null)
  assert.deepEqual([form.failure, form.gone], ['This flight no longer exists.', false])
  server.refuse(new TypeError('fetch failed'))
  assert.equal(await form.save(nothingUnread), null)
  assert.equal(form.failure, 'app.notKept')
})

test('errors without a field, of nested fields, and several of one field', async () => {
  const form = await filledIn()
  const refuse = (details: object[]) =>
    server.refuse(
      Response.json(
        { error: { code: 'validation_failed', reason: 'validation_failed', message: 'Invalid', details } },
        { status: 422 },
      ),
    )
  refuse([])
  assert.equal(await form.save(nothingUnread), null)
  assert.deepEqual([form.failure, form.errors], ['Please check the marked fields.', {}])
  const detail = (path: (string | number)[], message: string) => ({
    code: 'custom',
    path,
    reason: 'x',
    message,
  })
  refuse([detail(['passengers', 0, 'seat'], 'first'), detail(['passengers', 0, 'seat'], 'second')])
  assert.equal(await form.save(nothingUnread), null)
  assert.deepEqual(form.errors, { 'passengers.0.seat': 'first' })
})

test('a mistake in the form itself is not hidden, and does not block it', async () => {
  const form = await filledIn()
  await assert.rejects(
    form.save(() => Promise.reject(new TypeError('a mistake'))),
    /a mistake/,
  )
  assert.equal(form.saving, false)
})

test('while it saves, the form says so; a failure is gone with the next attempt', async () => {
  const form = await filledIn()
  form.failure = 'before'
  let during: unknown[] = []
  await form.save(async () => {
    during = [form.saving, form.failure]
    return true
  })
  assert.deepEqual(during, [true, ''])
  assert.equal(form.saving, false)
})

test('an error is gone once its field is edited', async () => {
  const form = await filledIn()
  const errors = { fromId: 'x', toId: 'x', date: 'x', arrival: 'x', arrivalDate: 'x', note: 'x' }
  form.errors = errors
  form.setAirport('from', copenhagen!)
  form.setAirport('to', newYork!)
  form.setDate('2026-05-02')
  form.setTime('arrival', '10:00')
  assert.deepEqual(form.errors, { arrivalDate: 'x', note: 'x' })
  form.setTimeDate('arrival', '2026-05-02')
  assert.deepEqual(form.errors, { note: 'x' })
})

test('text that was not parsed is dropped once its field has a value', () => {
  const form = newForm()
  for (const field of ['date', 'arrivalDate', 'departureDate', 'note']) form.setRaw(field, 'x')
  form.setDate('2026-05-02')
  form.setTimeDate('arrival', '2026-05-03')
  form.setTime('departure', '')
  assert.deepEqual(form.draft.unread, { note: 'x' })
})

// What the form calculates

test('the airline follows from the flight number, unless one is chosen', async () => {
  const [sas, other] = [
    { id: 1, iata: 'SK', icao: 'SAS' },
    { id: 2, iata: 'XX', icao: null },
  ]
  server.airlines.push(other, sas)
  const airlineOf = async (number: string, chosen: object | null = null) => {
    const form = newForm()
    form.draft.texts.flightNumber = number
    form.draft.airline = chosen as Form['draft']['airline']
    await form.airlineFromNumber()
    return form.draft.airline?.id
  }
  for (const number of ['SK1417', ' sk 1417 ', 'SAS1417', 'SK1A'])
    assert.equal(await airlineOf(number), 1, number)
  for (const number of ['', '1417', 'SK', 'LH1417', 'SK12345', 'on SK1417'])
    assert.equal(await airlineOf(number), undefined, number)
  assert.equal(await airlineOf('SK1417', other), 2)
  const form = newForm()
  form.draft.texts.flightNumber = 'SK1417'
  const search = form.airlineFromNumber()
  form.draft.airline = other as unknown as Form['draft']['airline']
  await search
  assert.equal(form.draft.airline?.id, 2, 'chosen during the search')
})

test('a flight that is saved while its airline is looked up has the airline', async () => {
  server.airlines.push({ id: 1, iata: 'SK', icao: 'SAS' })
  const form = await filledIn()
  form.draft.texts.flightNumber = 'SK909'
  const search = form.airlineFromNumber()
  assert.equal((await sent(form)).airlineId, 1)
  await search
})

test('a price without a currency, or that is no number, is not sent', async () => {
  const form = await filledIn()
  for (const [amount, currency, path] of [
    ['12', '', 'price.currency'],
    ['1.234,50', 'EUR', 'price.amount'],
    ['-5', 'EUR', 'price.amount'],
    ['free', 'EUR', 'price.amount'],
  ] as const) {
    form.draft.price = { amount, currency }
    assert.equal(await form.save(nothingUnread), null)
    assert.deepEqual(Object.keys(form.errors), [path], amount)
  }
  assert.equal(server.saved.length, 0)
})

test('passengers are saved as they were edited', async () => {
  const flight = { ...dated[0]!, passengers: randomFlight(createRandom(3)).passengers }
  const form = await formOf(flight)
  const [first] = form.draft.passengers
  Object.assign(first!, { seat: '', seatNumber: ' 9F ', seatClass: 'private', flightReason: 'other' })
  form.draft.passengers.push({ ...copy(first!), key: 'new', userId: null, guestName: 'Bo', name: 'Bo' })
  delete form.draft.passengers.at(-1)!.id
  const { passengers = [] } = await sent(form)
  const { id, ...edited } = passengers[0]!
  assert.equal(id, flight.passengers[0]!.id)
  assert.deepEqual(
    [edited.userId, edited.seat, edited.seatNumber, edited.seatClass, edited.flightReason],
    [flight.passengers[0]!.user!.id, null, '9F', 'private', 'other'],
  )
  assert.deepEqual([passengers.at(-1)!.id, passengers.at(-1)!.guestName], [undefined, 'Bo'])
})

test('a planned destination is sent with a diversion only, a price with its amount only', async () => {
  const form = await filledIn()
  form.draft.outcome = 'diverted'
  form.draft.plannedTo = tokyo!
  form.draft.price = { amount: ' 1 234,5', currency: 'DKK' }
  form.draft.texts.bookingReference = ' ABC123 '
  const diverted = await sent(form)
  assert.deepEqual(
    [diverted.outcome, diverted.plannedToId, diverted.price, diverted.bookingReference],
    ['diverted', tokyo!.id, { amount: '1234.5', currency: 'DKK' }, 'ABC123'],
  )
  form.draft.outcome = 'cancelled'
  form.draft.price.amount = '  '
  const cancelled = await sent(form)
  assert.deepEqual([cancelled.outcome, cancelled.plannedToId, cancelled.price], ['cancelled', null, null])
})
