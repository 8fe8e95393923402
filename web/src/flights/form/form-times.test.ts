// Times and days in the form.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timeFields } from '../../../../server/domain/flights/fields.ts'
import { instantOf, localMinute, readLocal } from '../../../../server/domain/time/time.ts'
import { addDays } from '../../draft/dates.ts'
import { airports, bodyOf, zoneOf } from '../../testing/flights.ts'
import {
  copy,
  dated,
  draftOf,
  emptyDraft,
  FlightForm,
  filledIn,
  flights,
  formOf,
  newForm,
  sent,
  server,
  settled,
  stored,
  useServer,
} from '../../testing/form.ts'

useServer()

const { today } = await import('../../lib/fields/typed.ts')
const { airportOf, departureEnd } = await import('../../draft/draft.ts')
const [copenhagen, newYork, , tokyo] = airports

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

test('A flight across the date line that lands before it left, by the clocks, lands on the same day', async () => {
  const form = await filledIn()
  form.setAirport('from', tokyo!)
  form.setTime('departure', '21:55')
  form.setTime('arrival', '16:20')
  const body = await sent(form)
  assert.equal(instantOf(body.departure!), readLocal('2026-05-01T21:55', 'Asia/Tokyo').instant)
  assert.equal(instantOf(body.arrival!), readLocal('2026-05-01T16:20', 'America/New_York').instant)
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

test('a date without a year is close to the flight’s date, unless that is today', () => {
  const near = (date: string) => new FlightForm(null, emptyDraft(null, date), null).near
  assert.equal(near('2019-05-01'), '2019-05-01')
  assert.equal(near(today()), undefined)
  assert.equal(near(''), undefined)
})

// Warnings
