// What log-flight accepts, refuses and warns about: names of arguments, times, people, duplicates.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { assertError } from '../fixtures.ts'
import { onSqlite, type Reply } from '../harness.ts'
import { callTool } from '../mcp/clients.ts'

interface Complaint {
  path: string[]
  reason: string
}
const complaints = ({ json }: Reply): string[] =>
  json.error.details.map(({ path, reason }: Complaint) => `${path.join('.')}: ${reason}`)
const codes = ({ warnings }: { warnings: { code: string }[] }) => warnings.map(({ code }) => code)

onSqlite('the rules of log-flight', (app) => {
  before(() => app().clock.set('2026-11-16T12:00:00Z'))
  const fresh = async () => (await app().person('role-user')).key()
  const log = (key: string, body: Record<string, unknown>) =>
    app().request('POST', '/api/v1/flights/log', { key, body })
  const logged = async (key: string, body: Record<string, unknown>) => {
    const reply = await log(key, body)
    assert.equal(reply.status, 201, reply.text)
    return reply.json
  }
  const route = { from: 'CPH', to: 'OSL', date: '2026-03-02' }

  test('former field names are accepted, and null is ignored', async () => {
    const grace = await app().person('role-user')
    const [now, then] = [await fresh(), await fresh()]
    const shown = ({ data }: { data: Record<string, unknown> }) => {
      const { departure, arrival, aircraftReg, note } = data
      const passengers = data['passengers'] as Record<string, unknown>[]
      const people = passengers.map(({ user, guestName, flightReason }) => [
        (user as { id: string } | null)?.id === grace.id ? 'grace' : guestName,
        flightReason,
      ])
      return { departure, arrival, aircraftReg, note, people }
    }
    const same = { ...route, note: null, seat: null }
    const ours = await logged(now, {
      ...same,
      ...{ departureTime: '07:40', arrivalTime: '08:55', registration: 'ln-rgi', reason: 'leisure' },
      companions: [{ userId: grace.id }, { name: 'Tom' }],
    })
    const theirs = await logged(then, {
      ...same,
      ...{ departure: '07:40', arrival: '08:55', aircraftReg: 'ln-rgi', flightReason: 'leisure' },
      ...{ companions: ['Tom'], companionIds: [grace.id] },
    })
    assert.deepEqual(shown(theirs), shown(ours))
    assert.deepEqual(shown(ours).people, [
      [null, 'leisure'],
      ['grace', null],
      ['Tom', null],
    ])
    assert.equal((await log(then, { ...same, confirmDuplicate: true })).status, 201)
    const twice: [Record<string, unknown>, string][] = [
      [{ departure: '07:40', departureTime: '07:40' }, 'departure: named_twice'],
      [{ confirmDuplicate: true, allowDuplicate: true }, 'confirmDuplicate: named_twice'],
      [{ companions: [{ name: 'Tom' }], companionIds: [grace.id] }, 'companionIds: named_twice'],
    ]
    for (const [body, complaint] of twice)
      assert.deepEqual(complaints(await log(then, { ...same, ...body })), [complaint])
    const tool = await callTool(app(), then, 'log_flight', {
      ...same,
      departure: '07:45',
      allowDuplicate: true,
    })
    assert.match(tool.content[0].text, /07:45/, 'the tool accepts the same arguments as the operation')
  })

  test('times are accepted as people write them, with an arrival some days later', async () => {
    const key = await fresh()
    const times = async (body: Record<string, unknown>) => {
      const { data } = await logged(key, { ...route, from: 'CPH', to: 'BKK', allowDuplicate: true, ...body })
      return [data.departure?.slice(0, 16) ?? null, data.arrival?.slice(0, 16) ?? null]
    }
    for (const written of ['7:50', '07:50', '0750', '7.50', '7:50 am', '2026-03-02T07:50'])
      assert.deepEqual(await times({ departureTime: written }), ['2026-03-02T07:50', null], written)
    const nextDay = ['2026-03-02T14:25', '2026-03-03T06:15']
    for (const written of ['6:15', '0615', '06:15+1', '6:15 +1', '2026-03-03T06:15'])
      assert.deepEqual(await times({ departureTime: '1425', arrivalTime: written }), nextDay, written)
    assert.deepEqual(await times({ arrivalTime: '23:15+0' }), [null, '2026-03-02T23:15'])
    assert.deepEqual(await times({ arrivalTime: '06:15+1' }), [null, '2026-03-03T06:15'])
    const refused: [Record<string, unknown>, string][] = [
      [{ departureTime: '07:50+1' }, 'departureTime: spoken_time_form'],
      [{ departureTime: '24:00' }, 'departureTime: spoken_time_form'],
      [{ departureTime: '0760' }, 'departureTime: spoken_time_form'],
      [{ arrivalTime: '07:50+7' }, 'arrivalTime: spoken_time_form'],
      [{ arrivalTime: '07:50' }, 'arrivalTime: arrival_date_missing'],
      [{ departureTime: '09:00', arrivalTime: '08:00+0' }, 'arrivalTime: arrival_before_departure'],
    ]
    for (const [body, complaint] of refused)
      assert.deepEqual(complaints(await log(key, { ...route, ...body })), [complaint], JSON.stringify(body))
  })

  test('all bad fields are reported together, each once', async () => {
    const key = await fresh()
    const body = {
      ...{ from: 'Qqqqq', to: 'Zzzzzz', date: '2. März', departureTime: 'early', airline: 'Nosuchair' },
      ...{ aircraft: 'Nosuchplane', seat: 'wing', seatClass: 'best', outcome: 'lost', plannedTo: 'Xxxxxx' },
      companions: [{ name: 'Tom' }, { nme: 'Eve' }],
    }
    const reply = await log(key, body)
    assertError(reply, 422, 'validation_failed')
    assert.deepEqual(complaints(reply).sort(), [
      'aircraft: no_aircraft_matches',
      'airline: no_airline_matches',
      'companions.1.nme: unknown_field',
      'companions.1: name_or_user_id',
      'date: spoken_date_form',
      'departureTime: spoken_time_form',
      'from: no_airport_matches',
      'outcome: not_an_option',
      'plannedTo: no_airport_matches',
      'seat: not_an_option',
      'seatClass: not_an_option',
      'to: no_airport_matches',
    ])
    const { details } = reply.json.error
    const messageOf = (field: string) => details.find(({ path }: Complaint) => path.at(-1) === field).message
    assert.equal(messageOf('date'), 'Write YYYY-MM-DD, or YYYY-MM if only the month is known')
    assert.match(messageOf('nme'), /Known: name, userId, seatNumber, seatClass/)
    assert.deepEqual(complaints(await log(key, { text: 'from cph', seat: 'wing' })), [
      'seat: not_an_option',
      'date: text_names_no_day',
      'to: text_names_no_route',
    ])
    assert.deepEqual((await app().request('GET', '/api/v1/flights', { key })).json.data, [])
  })

  test('unusual values are stored with a warning', async () => {
    const key = await fresh()
    const cases: [Record<string, unknown>, string[]][] = [
      [{ date: '1914-01-01' }, []],
      [{ date: '1913' }, ['before_airlines']],
      [{ date: '2027-11-16' }, []],
      [{ date: '2027-11-17' }, ['far_future']],
      [{ to: 'CPH' }, ['same_airport']],
      [{ flightNumber: 'SK1460', airline: 'SAS', date: '2026-05-01' }, []],
      [{ flightNumber: 'SAS1460', airline: 'SK', date: '2026-05-09' }, []],
      [{ flightNumber: 'SK1460', airline: 'Lufthansa', date: '2026-05-20' }, ['airline_not_of_number']],
      [{ departureTime: '08:00', arrivalTime: '08:20', date: '2026-06-01' }, ['flight_too_fast']],
      [{ departureTime: '08:00', arrivalTime: '09:00+1', date: '2026-06-09' }, ['flight_too_long']],
      [{ departureTime: '02:30', date: '2026-03-29' }, ['clock_skipped']],
      [{ departureTime: '02:30', date: '2026-10-25' }, ['clock_repeated']],
      [{ flightNumber: 'ZZQ1', date: '2026-07-01' }, ['airline_unknown']],
    ]
    for (const [body, expected] of cases) {
      const reply = await logged(key, { ...route, ...body, allowDuplicate: true })
      // Places given by code have their own tests.
      const own = codes(reply).filter((code) => !code.endsWith('_then'))
      assert.deepEqual(own, expected, JSON.stringify([body, reply.warnings]))
    }
  })

  test('a companion is a user by name, else a guest', async () => {
    const ada = await app().person('role-user')
    const key = await ada.key()
    const grace = await app().person('role-user')
    const on = async (date: string, companions: unknown[]) => {
      const { data, warnings } = await logged(key, { ...route, date, companions })
      const [, second] = data.passengers
      return [second.user?.id ?? second.guestName, second.seatNumber, second.seatClass, codes({ warnings })]
    }
    const seated = { seatNumber: '12B', seatClass: 'business' }
    const name = grace.displayName
    assert.deepEqual(await on('2026-01-01', [{ name, ...seated }]), [grace.id, '12B', 'business', []])
    assert.deepEqual(await on('2026-01-11', [{ name: grace.username }]), [
      grace.id,
      null,
      null,
      ['person_by_name'],
    ])
    assert.deepEqual(await on('2026-01-21', [{ name: 'Tom' }]), ['Tom', null, null, ['guest_added']])
    assert.deepEqual(await on('2026-02-01', [{ name: 'tom' }]), ['Tom', null, null, []], 'the same guest')
    const again = await log(key, { ...route, companions: [{ name: 'Tom' }, { name: 'tom' }] })
    assert.deepEqual(complaints(again), ['companions.1: person_already_aboard'])
    const self = await log(key, { ...route, companions: [{ name: 'me' }] })
    assert.deepEqual(complaints(self), ['companions.0: person_already_aboard'])
    const reader = await ada.key([
      'flight.read.own',
      'flight.create.own',
      'flight.passengers.manage.own',
      'reference_data.read',
    ])
    const stranger = await app().person('role-user')
    const hidden = await logged(reader, { ...route, companions: [{ name: stranger.displayName }] })
    assert.equal(hidden.data.passengers[1].user, null, 'without the directory, users look like guests')
  })

  test('a diverted flight has its actual and planned airport; a cancelled flight is not a duplicate', async () => {
    const key = await fresh()
    const { data } = await logged(key, { ...route, outcome: 'diverted', plannedTo: 'BGO' })
    assert.deepEqual([data.outcome, data.to.iata, data.plannedTo.iata], ['diverted', 'OSL', 'BGO'])
    const flown = await log(key, { ...route, date: '2026-03-20', plannedTo: 'BGO' })
    assert.deepEqual(complaints(flown), ['plannedTo: planned_only_diverted'])
    const cancelled = { ...route, date: '2026-04-01', flightNumber: 'SK1460', outcome: 'cancelled' }
    assert.equal((await logged(key, cancelled)).data.outcome, 'cancelled')
    assert.equal((await log(key, cancelled)).status, 409, 'logged twice')
    const instead = { ...route, date: '2026-04-01', flightNumber: 'SK1462' }
    assert.equal((await log(key, instead)).status, 201)
  })

  test('a probable duplicate is refused with the existing flight, or stored with a warning', async () => {
    const key = await fresh()
    const base = {
      from: 'CPH',
      to: 'ARN',
      date: '2026-03-10',
      departureTime: '08:00',
      flightNumber: 'SK1419',
    }
    const { data: first } = await logged(key, base)
    await logged(key, { from: 'CPH', to: 'JFK', date: '2019-08' })
    const cases: [Record<string, unknown>, number, string?][] = [
      [base, 409, 'likely_duplicate'],
      [{ ...base, flightNumber: 'sas 1419', departureTime: '11:00' }, 409, 'likely_duplicate'],
      [{ ...base, flightNumber: undefined, departureTime: undefined }, 409, 'likely_duplicate'],
      [{ ...base, flightNumber: 'LH3001', departureTime: '09:29' }, 409, 'likely_duplicate'],
      [{ ...base, flightNumber: 'LH3001', departureTime: undefined }, 409, 'likely_duplicate'],
      [{ ...base, date: '2026-03', departureTime: undefined }, 409, 'period_in_log'],
      [{ from: 'CPH', to: 'JFK', date: '2019-08-14' }, 409, 'period_in_log'],
      [{ from: 'CPH', to: 'JFK', date: '2019' }, 409, 'period_in_log'],
      [{ from: 'CPH', to: 'JFK', date: '2019-08' }, 409, 'likely_duplicate'],
      [{ from: 'CPH', to: 'JFK', date: '2019-09-01' }, 201],
      [{ ...base, flightNumber: 'SK1421', departureTime: '09:30' }, 201],
      [{ ...base, date: '2026-03-13' }, 201],
    ]
    for (const [body, status, reason] of cases) {
      const reply = await log(key, body)
      assert.equal(reply.status, status, `${JSON.stringify(body)} ${reply.text}`)
      if (reason) assert.equal(reply.json.error.reason, reason, JSON.stringify(body))
    }
    const { error } = (await log(key, { from: 'CPH', to: 'JFK', date: '2019-08-14' })).json
    assert.match(
      error.message,
      /^You have an entry for August 2019 on this route \(flight \d+: 2019-08 CPH–JFK\)\. Edit it with edit_flight, or/,
    )
    const other = await fresh()
    const { data: flown } = await logged(other, base)
    const near = await logged(other, { ...base, date: '2026-03-12' })
    assert.deepEqual(near.warnings, [
      {
        code: 'near_day',
        message: `SK1419 CPH–ARN is in the log on 2026-03-10 too (flight ${flown.id}); check that this is another flight.`,
      },
    ])
    const forced = await logged(key, { ...base, allowDuplicate: true })
    assert.ok(forced.data.id > first.id)
    const late = await log(key, { from: 'CPH', to: 'OSL', date: '2019-08-14', departureTime: '01:00+1' })
    assert.equal(late.status, 422)
  })

  test('assistants get a line, a sentence, the warnings and the change', async () => {
    const key = await fresh()
    const body = { from: 'CPH', to: 'EWR', date: '2026-02-20', departureTime: '12:30', flightNumber: 'SK909' }
    const result = await callTool(app(), key, 'log_flight', { ...body, airline: 'Lufthansa' })
    const text = result.content[0].text as string
    assert.match(text, /^Logged SK909 Copenhagen \(CPH\) to Newark \(EWR\) on 2026-02-20, 12:30\./)
    assert.match(text, /SK909 begins with SK/)
    const { data, warnings } = result.structuredContent
    assert.deepEqual([data.from, data.to, data.number, data.date], ['CPH', 'EWR', 'SK909', '2026-02-20'])
    assert.deepEqual(codes({ warnings }), ['airline_not_of_number'])
    assert.ok('changeId' in result.structuredContent)
    const month = await callTool(app(), key, 'log_flight', { from: 'CPH', to: 'JFK', date: '2019-08' })
    assert.match(month.content[0].text, /^Logged Copenhagen \(CPH\) to New York \(JFK\) in 2019-08\./)
  })
})
