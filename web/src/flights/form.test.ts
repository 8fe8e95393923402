import '../testing/svelte-modules.ts'
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { derivedDuration } from '../../../server/domain/flight.ts'
import { flightFieldNames, textFields, timeFields } from '../../../server/domain/flight-fields.ts'
import { instantOf, localMinute, readLocal } from '../../../server/domain/time.ts'
import type { Flight } from '../api/log.ts'
import type { FlightInput, FlightRecord } from '../api/types.ts'
import { airports, bodyOf, createRandom, randomFlight, startServer, zoneOf } from '../testing/flights.ts'
import { addDays, daysBetween } from './dates.ts'

const { today } = await import('../lib/typed.ts')
const { FlightForm, storedDraft } = await import('./form.svelte.ts')
const { warnings } = await import('./check.ts')
const { choose } = await import('./merge.ts')
const { airportOf, departureEnd, draftOf, emptyDraft, nextLeg } = await import('./draft.ts')
type Form = InstanceType<typeof FlightForm>

const random = createRandom(10)
// `npm run mutate` runs these tests hundreds of times.
const FLIGHTS = process.env['MUTATED'] ? 40 : 200
const flights = Array.from({ length: FLIGHTS }, () => randomFlight(random))
const dated = flights.filter((flight) => flight.datePrecision === 'day')
const nothingUnread = async () => true
const copy = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value
const [copenhagen, newYork, , tokyo] = airports

let server: ReturnType<typeof startServer>
beforeEach(() => {
  server = startServer()
  localStorage.removeItem('contrail.draft.7')
  localStorage.removeItem('contrail.draft.new')
})

/** The form of a stored flight, restored from the copy in localStorage. */
const formOf = async (flight: FlightRecord): Promise<Form> => {
  const draft = await draftOf(flight)
  return new FlightForm(flight.id, draft, { draft: copy(draft), base: null }, flight.version)
}
const newForm = (): Form =>
  new FlightForm(null, emptyDraft({ id: 'ada', displayName: 'Ada' }, '2026-05-01'), null)

/** What saving the form sends. */
async function sent(form: Form): Promise<FlightInput> {
  const before = server.saved.length
  await form.save(nothingUnread)
  assert.deepEqual([form.failure, form.errors], ['', {}])
  assert.equal(server.saved.length, before + 1)
  return server.saved.at(-1)!.body
}

/** A body as the server stores it: a duration that is left out follows from the times. */
const stored = (body: FlightInput) => {
  const { passengers, ...fields } = body
  const duration = derivedDuration(body as Parameters<typeof derivedDuration>[0])
  // A passenger without values of custom fields may leave them out.
  return { ...fields, duration, passengers: passengers?.map((one) => ({ customFields: {}, ...one })) }
}

test('an unedited form sends back exactly what the server stored', async () => {
  for (const flight of flights) {
    assert.deepEqual(stored(await sent(await formOf(flight))), stored(bodyOf(flight)), JSON.stringify(flight))
  }
})

test('times are shown in the local time of their airports', async () => {
  for (const flight of flights) {
    const draft = await draftOf(flight)
    for (const field of timeFields) {
      const text = flight[field]
      const shown = `${draft.times[field].date}T${draft.times[field].time}`
      if (text === null) assert.equal(shown, 'T')
      else
        assert.equal(shown, localMinute(instantOf(text), zoneOf(airportOf(draft, field))), `${field} ${text}`)
    }
  }
})

test('next to a clock change, whatever offset a time was written with', async () => {
  for (const [text, shown] of [
    ['2026-03-29T06:25:00+05:45', '2026-03-29T01:40'],
    ['2026-03-29T01:40:00Z', '2026-03-29T03:40'],
    ['2026-10-25T00:40:00Z', '2026-10-25T02:40'],
    ['2026-10-25T01:40:00Z', '2026-10-25T02:40'],
    ['2026-10-25T07:25:00+05:45', '2026-10-25T02:40'],
    ['2026-10-24T20:40:00-04:00', '2026-10-25T02:40'],
  ] as const) {
    const flight = { ...dated[0]!, from: copenhagen!, departure: text, date: '2026-03-29' }
    const { date, time } = (await draftOf(flight)).times.departure
    assert.equal(`${date}T${time}`, shown, text)
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

async function filledIn(): Promise<Form> {
  const form = newForm()
  form.setAirport('from', copenhagen!)
  form.setAirport('to', newYork!)
  return form
}

test('an edited time is saved, at its own airport’s clocks, and nothing else changes', async () => {
  for (const [i, flight] of dated.entries()) {
    const field = timeFields[i % timeFields.length]!
    const form = await formOf(flight)
    const day = form.draft.times[field].date
    form.setTime(field, '11:37')
    const body = await sent(form)
    const zone = zoneOf(departureEnd.includes(field) ? flight.from : flight.to)
    const fallback = departureEnd.includes(field)
      ? form.draft.times.departure.date
      : form.draft.times.arrival.date
    const expected = readLocal(`${day || fallback || flight.date}T11:37`, zone).instant
    assert.equal(instantOf(body[field]!), expected, `${field} of ${JSON.stringify(flight)}`)
    const [{ duration: _now, ...rest }, { duration: _before, ...before }] = [
      stored(body),
      stored(bodyOf(flight)),
    ]
    assert.deepEqual({ ...rest, [field]: null }, { ...before, [field]: null })
  }
})

test('moving the date moves the times: same local times, as many days later', async () => {
  for (const flight of dated) {
    for (const days of [1, -3, 200]) {
      const form = await formOf(flight)
      const shown = copy(form.draft.times)
      form.setDate(addDays(flight.date, days))
      const body = await sent(form)
      assert.equal(body.date, addDays(flight.date, days))
      for (const field of timeFields) {
        const text = flight[field]
        if (text === null) assert.equal(body[field], null)
        else {
          const zone = zoneOf(airportOf(form.draft, field))
          const wanted = `${addDays(shown[field].date, days)}T${shown[field].time}`
          const seconds = /T\d\d:\d\d(:\d\d)/.exec(text)?.[1] ?? ''
          assert.equal(instantOf(body[field]!), readLocal(wanted + seconds, zone).instant, `${field} ${text}`)
        }
      }
    }
  }
})

test('clearing a time also clears its day', async () => {
  for (const flight of dated.slice(0, 20)) {
    const form = await formOf(flight)
    for (const field of timeFields) form.setTime(field, '')
    const body = await sent(form)
    for (const field of timeFields) assert.equal(body[field], null)
    assert.deepEqual(form.draft.times.arrival.date, '')
  }
})

test('the same local time at another airport is another instant', async () => {
  const flight = dated.find(({ departure, from }) => departure !== null && from !== tokyo)!
  const form = await formOf(flight)
  const { date, time } = form.draft.times.departure
  form.setAirport('from', tokyo!)
  const body = await sent(form)
  assert.equal(body.fromId, tokyo!.id)
  const instant = instantOf(body.departure!)
  assert.equal(localMinute(instant, 'Asia/Tokyo'), `${date}T${time}`)
  assert.notEqual(instant, instantOf(flight.departure!))
})

test('swapping the airports swaps what is saved', async () => {
  const flight = dated.find(({ from, to }) => from !== to)!
  const form = await formOf(flight)
  form.swap()
  const body = await sent(form)
  assert.deepEqual([body.fromId, body.toId], [flight.to!.id, flight.from!.id])
})

test('a new flight overnight: the day of the arrival is computed before it is saved', async () => {
  const form = await filledIn()
  form.setAirport('to', tokyo!)
  form.setTime('departure', '15:45')
  form.setTime('arrival', '11:10')
  const body = await sent(form)
  assert.equal(server.saved.at(-1)!.method, 'POST')
  assert.equal(instantOf(body.departure!), readLocal('2026-05-01T15:45', 'Europe/Copenhagen').instant)
  assert.equal(instantOf(body.arrival!), readLocal('2026-05-02T11:10', 'Asia/Tokyo').instant)
  assert.deepEqual(body.passengers, [
    { userId: 'ada', guestName: null, seat: null, seatNumber: null, seatClass: null, flightReason: null },
  ])
})

test('a day that was chosen for the arrival is not guessed again', async () => {
  const form = await filledIn()
  form.setTime('departure', '15:45')
  form.setTime('arrival', '18:10', 2)
  assert.equal(form.draft.times.arrival.date, '2026-05-03')
  form.setTime('departure', '09:00')
  const body = await sent(form)
  assert.equal(instantOf(body.arrival!), readLocal('2026-05-03T18:10', 'America/New_York').instant)
})

test('other times belong to the day of their end', async () => {
  const form = await filledIn()
  form.setTime('departure', '23:40')
  form.setTime('arrival', '07:10', 1)
  form.setTime('takeoffActual', '23:55')
  form.setTime('landingActual', '07:01')
  assert.equal(form.draft.times.takeoffActual.date, '2026-05-01')
  assert.equal(form.draft.times.landingActual.date, '2026-05-02')
  form.setTimeDate('takeoffActual', '2026-05-02')
  const body = await sent(form)
  assert.equal(instantOf(body.takeoffActual!), readLocal('2026-05-02T23:55', 'Europe/Copenhagen').instant)
})

test('a day without a time is no time', async () => {
  const form = await filledIn()
  form.setTimeDate('arrival', '2026-05-02')
  assert.equal((await sent(form)).arrival, null)
})

test('a time that was typed before the date belongs to that date', async () => {
  const form = await filledIn()
  form.setDate('')
  form.setTime('departure', '09:00')
  form.setDate('2026-06-01')
  assert.equal(
    instantOf((await sent(form)).departure!),
    readLocal('2026-06-01T09:00', 'Europe/Copenhagen').instant,
  )
})

test('of a flight whose day is unknown, times are kept as stored, and dropped with the day', async () => {
  const flight = dated.find(({ departure, arrival }) => departure !== null && arrival !== null)!
  const vague = { ...flight, datePrecision: 'month' as const, date: '2026-03-14' }
  const vagueForm = await formOf(vague)
  assert.ok(!vagueForm.warnings.includes('form.warnTimes'), 'nothing is lost')
  const kept = await sent(vagueForm)
  assert.deepEqual(
    [kept.date, kept.departure, kept.arrival],
    ['2026-03-14', flight.departure, flight.arrival],
  )
  const form = await formOf(flight)
  form.setDate(flight.date, 'year')
  assert.ok(form.warnings.includes('form.warnTimes'))
  const body = await sent(form)
  assert.equal(body.date, `${flight.date.slice(0, 4)}-01-01`)
  for (const field of timeFields) assert.equal(body[field], null)
  const monthly = await formOf(flight)
  monthly.setDate(flight.date, 'month')
  assert.equal((await sent(monthly)).date, `${flight.date.slice(0, 7)}-01`)
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
  const details = [{ code: 'custom', path: ['arrival'], reason: 'arrival_before_departure', message: 'x' }]
  server.refuse(
    Response.json(
      { error: { code: 'validation_failed', reason: 'validation_failed', message: 'Invalid', details } },
      { status: 422 },
    ),
  )
  assert.equal(await form.save(nothingUnread), null)
  assert.deepEqual(
    [form.errors, form.failure, form.saving],
    // No texts are loaded here, so the server's message is shown.
    [{ arrival: 'x' }, 'form.fix', false],
  )
  server.refuse(
    Response.json(
      { error: { code: 'not_found', reason: 'flight_not_found', message: 'gone' } },
      { status: 404 },
    ),
  )
  assert.equal(await form.save(nothingUnread), null)
  assert.deepEqual([form.failure, form.gone], ['gone', false])
  server.refuse(new TypeError('fetch failed'))
  assert.equal(await form.save(nothingUnread), null)
  assert.equal(form.failure, 'app.offline')
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
  assert.deepEqual([form.failure, form.errors], ['Invalid', {}])
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

// What the form computes

/** Until every request of the form has been responded to. */
async function settled(): Promise<void> {
  for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve))
}

test('distance, estimate and the time between departure and arrival', async () => {
  const form = newForm()
  assert.deepEqual([form.km, form.estimate, form.elapsed, form.duration], [null, null, null, null])
  form.setAirport('from', copenhagen!)
  assert.equal(form.km, null)
  form.setAirport('to', copenhagen!)
  assert.deepEqual([form.km, form.estimate], [0, null], 'a round flight takes as long as it takes')
  form.setAirport('to', newYork!)
  assert.ok(form.km! > 1000 && form.estimate! > 3600)
  form.setTime('departure', '10:00')
  form.setTime('takeoffActual', '10:15')
  form.read()
  await settled()
  assert.deepEqual(Object.keys(form.readings), ['departure', 'takeoffActual'])
  assert.equal(form.elapsed, null)
  form.setTime('arrival', '12:30', 0)
  form.read()
  await settled()
  // Six hours behind.
  assert.deepEqual([form.elapsed, form.duration], [8.5 * 3600, 8.5 * 3600])
  form.draft.duration = '7:00'
  assert.equal(form.duration, 7 * 3600)
  form.draft.duration = 'long'
  assert.equal(form.duration, 8.5 * 3600)
  form.setTime('arrival', '12:30', 2)
  form.read()
  await settled()
  form.draft.duration = ''
  assert.deepEqual(form.warnings, ['form.warnLong'])
  form.setDate('2026-05-01', 'month')
  assert.equal(form.elapsed, null)
  form.setDate('2026-05-01', 'day')
  form.setAirport('from', null)
  form.read()
  await settled()
  assert.deepEqual(Object.keys(form.readings), ['arrival'])
})

test('no warning about a duration of zero or less', async () => {
  const form = await filledIn()
  form.draft.duration = '0:00'
  assert.deepEqual(form.warnings, [])
})

test('the day of the arrival is computed again when an airport or the departure changes', async () => {
  const form = newForm()
  const day = async () => {
    await settled()
    return form.draft.times.arrival.date
  }
  form.setTime('departure', '15:45')
  form.setTime('arrival', '11:10')
  assert.equal(await day(), '2026-05-01', 'nothing is known yet')
  form.setAirport('from', copenhagen!)
  assert.equal(await day(), '2026-05-01')
  form.setAirport('to', tokyo!)
  assert.equal(await day(), '2026-05-02')
  form.swap()
  assert.equal(await day(), '2026-05-01')
  form.setTime('departure', '23:00')
  assert.equal(await day(), '2026-05-02')
  form.setTime('departure', '')
  form.setTime('arrival', '09:00')
  assert.equal(await day(), '2026-05-02', 'without a departure it stays')
})

test('the day of the arrival counts from that of the departure; one airport is not enough', async () => {
  const form = newForm()
  form.setAirport('to', newYork!)
  form.setTime('departure', '10:00')
  form.setTime('arrival', '12:30')
  await settled()
  assert.equal(form.draft.times.arrival.date, '2026-05-01')
  form.setTimeDate('departure', '2026-05-02')
  form.setAirport('from', copenhagen!)
  await settled()
  assert.equal(form.draft.times.arrival.date, '2026-05-02')
})

test('an arrival that was edited meanwhile keeps its day', async () => {
  const form = await filledIn()
  form.setAirport('to', tokyo!)
  form.setTime('departure', '15:45')
  form.setTime('arrival', '11:10')
  form.setTimeDate('arrival', '2026-05-04')
  await settled()
  assert.equal(form.draft.times.arrival.date, '2026-05-04')
  form.setTime('departure', '16:00')
  await settled()
  assert.equal(form.draft.times.arrival.date, '2026-05-04')
})

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

test('a date without a year is close to the flight’s date, unless that is today', () => {
  const near = (date: string) => new FlightForm(null, emptyDraft(null, date), null).near
  assert.equal(near('2019-05-01'), '2019-05-01')
  assert.equal(near(today()), undefined)
  assert.equal(near(''), undefined)
})

// Warnings

test('warnings', async () => {
  const warningsOf = async (edit: (form: Form) => void) => {
    const form = await filledIn()
    edit(form)
    return form.warnings
  }
  assert.deepEqual(await warningsOf(() => {}), [])
  assert.deepEqual(await warningsOf((form) => form.setAirport('to', copenhagen!)), ['form.warnSame'])
  assert.deepEqual(await warningsOf((form) => (form.draft.duration = '25:00')), ['form.warnLong'])
  assert.deepEqual(await warningsOf((form) => (form.draft.duration = '0:20')), ['form.warnFast'])
  assert.deepEqual(await warningsOf((form) => form.setDate('1913-05-01')), ['form.warnPast'])
  assert.deepEqual(await warningsOf((form) => form.setDate('2999-05-01')), ['form.warnFuture'])
  const track = (coordinates: [number, number][]) => ({
    coordinates,
    sourceFormat: 'gpx' as const,
    sourceName: null,
  })
  const near = [copenhagen!, newYork!].map(({ longitude, latitude }): [number, number] => [
    longitude,
    latitude,
  ])
  const trackWarnings = (coordinates: [number, number][], step: number) =>
    warningsOf((form) => (form.draft.track = { kind: 'new', step, track: track(coordinates) }))
  assert.deepEqual(await trackWarnings(near, 1), [])
  assert.deepEqual(await trackWarnings(near.toReversed(), 1), ['form.trackFar'])
  assert.deepEqual(await trackWarnings(near, 4), ['form.trackTooLong'])
  assert.deepEqual(await trackWarnings(near, 2), ['form.trackTooLong'])
  assert.deepEqual(await trackWarnings([], 1), [])
  const [start, end] = near as [[number, number], [number, number]]
  const north = ([longitude, latitude]: [number, number], degrees: number): [number, number] => [
    longitude,
    latitude + degrees,
  ]
  // A degree is 111 km.
  assert.deepEqual(await trackWarnings([north(start, 0.85), north(end, -0.85)], 1), [])
  assert.deepEqual(await trackWarnings([north(start, 0.95), end], 1), ['form.trackFar'])
  assert.deepEqual(await trackWarnings([start, north(end, -0.95)], 1), ['form.trackFar'])
  const unknownEnds = newForm()
  unknownEnds.draft.track = { kind: 'new', step: 1, track: track(near) }
  assert.deepEqual(unknownEnds.warnings, [])
})

test('times that would be lost with the day are warned of, typed or not yet parsed', async () => {
  const warned = (edit: (form: Form) => void) => {
    const form = newForm()
    edit(form)
    return form.warnings.includes('form.warnTimes')
  }
  assert.ok(!warned((form) => form.setDate('2026-05-01', 'month')), 'there are none')
  assert.ok(!warned((form) => form.setTime('landingActual', '10:00')), 'the day is known')
  for (const precision of ['month', 'year'] as const) {
    assert.ok(
      warned((form) => {
        form.setTime('landingActual', '10:00')
        form.setDate('2026-05-01', precision)
      }),
    )
    assert.ok(
      warned((form) => {
        form.setRaw('arrival', '7.3')
        form.setDate('2026-05-01', precision)
      }),
    )
  }
})

test('without both airports nothing is compared', () => {
  const form = newForm()
  form.draft.duration = '0:20'
  assert.deepEqual(form.warnings, [])
  form.setAirport('from', copenhagen!)
  assert.deepEqual(form.warnings, [])
  const nowhere = {
    id: 9,
    from: copenhagen,
    to: null,
    date: '2026-05-01',
    flightNumber: null,
  } as unknown as Flight
  assert.deepEqual(warnings(form.draft, null, [nowhere], null), [])
  form.setAirport('from', null)
  form.setAirport('to', copenhagen!)
  assert.deepEqual(form.warnings, [])
  assert.deepEqual(warnings(form.draft, null, [{ ...nowhere, from: null, to: copenhagen! }], null), [])
})

test('a missing date is one error, whatever times there are', async () => {
  const form = await filledIn()
  form.setDate('')
  form.setTime('departure', '10:00')
  assert.equal(await form.save(nothingUnread), null)
  assert.deepEqual(form.errors, { date: 'form.requiredDate' })
})

test('a flight that looks like another one in the log', async () => {
  const form = await filledIn()
  form.draft.texts.flightNumber = 'SK909'
  const other = (more: Partial<Flight>) =>
    ({ id: 9, from: copenhagen!, to: newYork!, date: '2026-05-01', flightNumber: null, ...more }) as Flight
  const found = (flight: Flight) => warnings(form.draft, null, [flight], 7).includes('form.warnDuplicate')
  assert.ok(found(other({})))
  assert.ok(found(other({ date: '2026-05-02', flightNumber: 'SK909' })))
  assert.ok(!found(other({ id: 7 })), 'itself')
  assert.ok(!found(other({ date: '2026-05-02', flightNumber: 'SK901' })))
  assert.ok(!found(other({ date: '2026-05-02' })))
  assert.ok(!found(other({ date: '2026-05-09', flightNumber: 'SK909' })))
  assert.ok(!found(other({ to: tokyo! })))
  assert.ok(!found(other({ from: tokyo! })))
  form.draft.datePrecision = 'month'
  assert.ok(!found(other({})), 'the day is not known')
})

// The copy in localStorage

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

test('a cancelled flight is no duplicate, and has none', async () => {
  const form = await filledIn()
  const other = {
    id: 3,
    date: form.draft.date,
    from: copenhagen!,
    to: newYork!,
    flightNumber: null,
  } as unknown as Flight
  const found = (others: Flight[]) => warnings(form.draft, null, others, null).length
  assert.equal(found([other]), found([]) + 1)
  assert.equal(found([{ ...other, outcome: 'cancelled' }]), found([]))
  form.draft.outcome = 'cancelled'
  assert.equal(found([other]), found([]))
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
