// When a reminder is due, until when it is sent late, and when quiet hours end.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  dueTimes,
  isWorthSaying,
  kindOfNotice,
  quietUntil,
  remindedDeparture,
  reminderUrgency,
} from '../../server/domain/push/notifications.ts'
import { defaultNotificationSettings } from '../../server/domain/push/settings.ts'
import { HOUR, MINUTE } from '../../server/domain/time/durations.ts'

const at = (text: string) => Date.parse(text)
const iso = (instant: number | null) => (instant === null ? null : new Date(instant).toISOString())

const flight: Parameters<typeof remindedDeparture>[0] = {
  date: '2026-03-29',
  datePrecision: 'day',
  outcome: 'flown',
  departure: '2026-03-29T12:30:00+02:00',
  takeoffActual: null,
  departureScheduled: null,
  takeoffScheduled: null,
}

test('defaults never use mail', () => {
  assert.deepEqual(new Set(Object.values(defaultNotificationSettings.kinds)), new Set(['push', 'none']))
})

test('a notice belongs to one kind or is only shown in the app', () => {
  assert.equal(kindOfNotice('session.new'), 'security')
  assert.equal(kindOfNotice('import.waiting'), 'imports')
  assert.equal(kindOfNotice('release.available'), undefined)
})

test('only a flight with a day, a time and an outcome other than cancelled is reminded of', () => {
  assert.equal(iso(remindedDeparture(flight)), '2026-03-29T10:30:00.000Z')
  const takeoffScheduled = '2026-03-29T12:40:00+02:00'
  assert.equal(remindedDeparture({ ...flight, datePrecision: 'month', takeoffScheduled }), null)
  assert.equal(remindedDeparture({ ...flight, outcome: 'cancelled' }), null)
  assert.equal(remindedDeparture({ ...flight, departure: null }), null)
  assert.ok(remindedDeparture({ ...flight, departure: null, takeoffScheduled }))
  const estimated = remindedDeparture(flight, '2026-03-29T13:10:00+02:00')
  assert.equal(iso(estimated), '2026-03-29T11:10:00.000Z', 'an estimate comes first')
})

test('a reminder counts back from an instant, whatever the clocks do in between', () => {
  const departure = remindedDeparture(flight)!
  const [day, hours] = dueTimes(departure, [180, 1440])
  // Clocks in Europe change on this night: a day before is 11:30 there.
  assert.equal(iso(day!.dueAt), '2026-03-28T10:30:00.000Z')
  assert.equal(iso(hours!.dueAt), '2026-03-29T07:30:00.000Z')
})

test('a reminder is sent late until half of its lead time has passed, or the next one is due', () => {
  const departure = at('2026-02-20T12:00:00Z')
  const [day, hours] = dueTimes(departure, [1440, 180])
  assert.equal(day!.lateUntil - day!.dueAt, 12 * HOUR)
  assert.equal(hours!.lateUntil - hours!.dueAt, 90 * MINUTE)
  const [longer, shorter] = dueTimes(departure, [200, 180, 180])
  assert.equal(longer!.lateUntil, shorter!.dueAt)
  assert.ok(dueTimes(departure, [15]).every(({ lateUntil }) => lateUntil < departure))
})

test('a reminder that is due gives way to a shorter one, and to the choice of the person', () => {
  const departure = at('2026-02-20T12:00:00Z')
  const isWorth = (minutes: number, now: string, chosen = [240, 180]) =>
    isWorthSaying(minutes, departure, chosen, at(now))
  assert.ok(isWorth(240, '2026-02-20T08:59:59Z'))
  assert.ok(!isWorth(240, '2026-02-20T09:00:00Z'))
  assert.ok(isWorth(180, '2026-02-20T09:00:00Z'))
  assert.ok(!isWorth(120, '2026-02-20T10:00:00Z'), 'no longer chosen')
})

test('a reminder of four hours or less is urgent', () => {
  assert.deepEqual([240, 241].map(reminderUrgency), ['high', 'normal'])
})

test('quiet hours may be within a day or over midnight', () => {
  const night = { from: '22:00', to: '07:00' }
  const until = (now: string, quiet = night, zone = 'Europe/Copenhagen') =>
    iso(quietUntil(at(now), quiet, zone))
  assert.equal(until('2026-02-20T20:59:59Z'), null)
  assert.equal(until('2026-02-20T21:00:00Z'), '2026-02-21T06:00:00.000Z')
  assert.equal(until('2026-02-21T05:59:59Z'), '2026-02-21T06:00:00.000Z')
  assert.equal(until('2026-02-21T06:00:00Z'), null)
  const noon = { from: '12:00', to: '14:00' }
  assert.equal(until('2026-02-21T11:30:00Z', noon), '2026-02-21T13:00:00.000Z')
  assert.equal(until('2026-02-21T13:00:00Z', noon), null)
  assert.equal(quietUntil(at('2026-02-21T11:30:00Z'), null, 'Etc/UTC'), null)
  assert.equal(until('2026-02-21T11:30:00Z', { from: '07:00', to: '07:00' }), null)
})

test('a time that the clocks skip is the first one after the gap', () => {
  const until = (now: string, from: string, to: string) =>
    iso(quietUntil(at(now), { from, to }, 'Europe/Copenhagen'))
  // 02:00 to 03:00 on 29 March does not exist.
  assert.equal(until('2026-03-28T23:00:00Z', '23:00', '02:30'), '2026-03-29T01:00:00.000Z')
  assert.equal(until('2026-03-29T00:59:59Z', '02:30', '05:00'), null)
  assert.equal(until('2026-03-29T01:00:00Z', '02:30', '05:00'), '2026-03-29T03:00:00.000Z')
  assert.equal(until('2026-03-29T01:00:00Z', '02:10', '02:40'), null)
})

test('quiet hours end when the clocks show the time for the last time', () => {
  const until = (now: string) => iso(quietUntil(at(now), { from: '22:00', to: '02:30' }, 'Europe/Copenhagen'))
  // Between 02:00 and 03:00 on 25 October everything happens twice.
  assert.equal(until('2026-10-25T00:45:00Z'), '2026-10-25T01:30:00.000Z')
  assert.equal(until('2026-10-25T01:30:00Z'), null)
})

test('quiet hours follow the calendar over the date line', () => {
  const night = { from: '22:00', to: '07:00' }
  // Samoa had no 30 December 2011: midnight after the 29th is the 31st.
  const evening = quietUntil(at('2011-12-30T08:30:00Z'), night, 'Pacific/Apia')!
  const rest = quietUntil(evening, night, 'Pacific/Apia')
  assert.equal(iso(rest), '2011-12-30T17:00:00.000Z')
  assert.equal(
    iso(quietUntil(at('2026-01-01T10:00:00Z'), night, 'Pacific/Kiritimati')),
    '2026-01-01T17:00:00.000Z',
  )
})
