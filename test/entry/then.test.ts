// Airports and codes on the day of a flight, and the day of an arrival: when logging and when editing.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onSqlite } from '../harness.ts'

interface Said {
  code: string
  message: string
}

onSqlite('airports and times of the day of a flight', (app) => {
  before(() => app().clock.set('2026-11-16T12:00:00Z'))
  const fresh = async () => (await app().person('role-user')).key()
  const log = async (body: object, key?: string) =>
    app().request('POST', '/api/v1/flights/log', { key: key ?? (await fresh()), body })
  const logged = async (body: object, key?: string) => {
    const reply = await log(body, key)
    assert.equal(reply.status, 201, reply.text)
    return reply.json
  }
  /** Logs a flight, edits it, and returns both answers. */
  const edited = async (body: object, edit: object) => {
    const key = await fresh()
    const { data } = await logged(body, key)
    const reply = await app().request('POST', '/api/v1/flights/edit', { key, body: { id: data.id, ...edit } })
    assert.equal(reply.status, 200, reply.text)
    return { before: data, key, ...reply.json }
  }
  const codes = ({ warnings }: { warnings: Said[] }) => warnings.map(({ code }) => code)
  const messages = ({ warnings }: { warnings: Said[] }) => warnings.map(({ message }) => message)
  const short = { from: 'CPH', to: 'ARN', date: '2024-06-16', departureTime: '14:00', arrivalTime: '14:10' }

  test('an arrival soon after the departure stays on its day, with a warning about the speed', async () => {
    const fast = await logged(short)
    assert.equal(fast.data.arrival, '2024-06-16T14:10:00+02:00')
    assert.deepEqual(codes(fast), ['flight_too_fast'])
    const { data, warnings } = await edited({ ...short, arrivalTime: '15:10' }, { arrivalTime: '14:10' })
    assert.deepEqual([data.arrival, codes({ warnings })], [fast.data.arrival, ['flight_too_fast']])
    const before = await logged({ ...short, arrivalTime: '13:50' })
    assert.equal(before.data.arrival, '2024-06-17T13:50:00+02:00')
    assert.ok(codes(before).includes('arrival_day_assumed'))
  })

  test('an arrival on another day is reported with the number of days', async () => {
    const day = async (body: object) => {
      const { data, warnings } = await logged(body)
      return [data.arrival.slice(0, 16), ...messages({ warnings })]
    }
    const night = { from: 'LAX', to: 'SYD', date: '2024-05-16', departureTime: '22:30', arrivalTime: '06:20' }
    assert.deepEqual(await day(night), [
      '2024-05-18T06:20',
      'The arrival was taken to be on 2024-05-18, two days after the departure.',
    ])
    assert.deepEqual(await day({ ...night, to: 'JFK' }), [
      '2024-05-17T06:20',
      'The arrival was taken to be on 2024-05-17, the day after the departure.',
    ])
    const back = { from: 'AKL', to: 'RAR', date: '2024-05-16', departureTime: '08:50', arrivalTime: '14:40' }
    assert.deepEqual(await day(back), [
      '2024-05-15T14:40',
      'The arrival was taken to be on 2024-05-15, the day before the departure.',
    ])
  })

  test('a month or a year gets no invented day', async () => {
    const about = async (to: string, date: string) => messages(await logged({ from: 'CPH', to, date }))
    assert.match((await about('ICN', '1999')).join(), /was not open in 1999; check/)
    assert.match((await about('ICN', '1999-05')).join(), /was not open in 1999-05; check/)
    assert.match((await about('ICN', '1999-05-02')).join(), /was not open on 1999-05-02; check/)
    assert.match((await about('MUC', '1985')).join(), /^MUC was MUC .* in 1985\.$/)
  })

  test('a code that passed to another airport in the month or year is asked about, and the candidates can be given back', async () => {
    for (const [code, date, expected] of [
      ['MUC', '1992', ['Munich Airport', 'Flughafen München-Riem']],
      [
        'ATH',
        '2001-03',
        ['Athens Ellinikon International Airport', 'Athens Eleftherios Venizelos International Airport'],
      ],
      ['IST', '2019', ['İstanbul Airport', 'İstanbul Atatürk Airport']],
    ] as const) {
      const { json } = await log({ from: 'CPH', to: code, date })
      const names = json.error.details[0].params.candidates.map((text: string) => text.split(' (')[0])
      assert.deepEqual(names, expected, code)
      const chosen = await Promise.all(names.map((to: string) => log({ from: 'CPH', to, date })))
      assert.deepEqual(
        chosen.map((reply) => reply.json.data?.to.name ?? reply.text),
        names,
      )
    }
  })

  test('a code that was a city’s for most of the year is asked about, with its main airport', async () => {
    const asked = async (to: string) =>
      (await log({ from: 'CPH', to, date: '2020' })).json.error.details[0].params.candidates as string[]
    const candidates = await asked('BER')
    assert.equal(candidates[0], 'Berlin Brandenburg Airport (BER; Berlin, Germany)')
    assert.deepEqual(
      candidates.slice(1).map((text) => text.split(' ')[0]),
      ['TXL', 'SXF'],
    )
    assert.deepEqual((await asked('Berlin')).toSorted(), candidates.toSorted())
    for (const [said, icao] of [
      ['Berlin Brandenburg Airport', 'EDDB'],
      ['TXL', 'EDDT'],
    ])
      assert.equal((await logged({ from: 'CPH', to: said, date: '2020' })).data.to.icao, icao)
    assert.equal((await logged({ from: 'CPH', to: 'BER', date: '2020-12' })).data.to.icao, 'EDDB')
  })

  test('the name of a known airline takes precedence over the code of a small one', async () => {
    const airline = async (name: string, date = '2024-06-16') => {
      const reply = await log({ from: 'FCO', to: 'LIN', date, airline: name })
      return reply.status === 201
        ? [reply.json.data.airline?.name, ...codes(reply.json)]
        : reply.json.error.details[0].params.candidates
    }
    assert.deepEqual(await airline('ITA'), ['ITA Airways', 'airline_by_name'])
    assert.deepEqual(await airline('KLM'), ['KLM Royal Dutch Airlines'])
    assert.deepEqual(await airline('DLH'), ['Lufthansa'])
    assert.deepEqual(await airline('klm'), ['KLM Royal Dutch Airlines'])
    assert.deepEqual(await airline('Jet', '2010-06-16'), ['9W Jet Airways', 'IV Wind Jet'])
    assert.ok((await airline('Jet')).some((text: string) => text.includes('Jet Airways')))
    assert.ok((await airline('Ryan')).some((text: string) => text.includes('Ryanair')))
  })

  test('an edit of the date alone reports what did not exist on that day, and moves nothing', async () => {
    const said = async (body: object, edit: object) => {
      const { before, data, changed, warnings } = await edited({ from: 'CPH', ...body }, edit)
      assert.deepEqual([data.to.id, data.airline?.id], [before.to.id, before.airline?.id])
      assert.deepEqual(Object.keys(changed), ['date'])
      return messages({ warnings })
    }
    const check = 'check the airport and the date.'
    assert.deepEqual(await said({ to: 'BER', date: '2024-05-01' }, { date: '2015-01-01' }), [
      `BER, Berlin Brandenburg, Germany was not open on 2015-01-01; ${check}`,
    ])
    assert.deepEqual(await said({ to: 'BER', date: '2024-05-01' }, { date: '2015' }), [
      `BER, Berlin Brandenburg, Germany was not open in 2015; ${check}`,
    ])
    const [kaiTak, ...others] = await said({ to: 'HKG', date: '1995-05-01' }, { date: '2010-01-01' })
    assert.match(kaiTak!, /^HKG, .*Kai Tak.* was not open on 2010-01-01; check/)
    assert.deepEqual(others, [])
    const [subang] = await said({ to: 'KUL', date: '1995-05-01' }, { date: '2010-01-01' })
    assert.match(subang!, /^KUL was KUL Kuala Lumpur .* on 2010-01-01; the flight keeps SZB\.$/)
    assert.deepEqual(
      await said({ to: 'MUC', date: '2010-05-01', flightNumber: 'AB100' }, { date: '2024-01-01' }),
      ['AB Air Berlin was not flying on 2024-01-01; check the airline and the date.'],
    )
    assert.deepEqual(
      await said({ to: 'MUC', date: '2010-05-01', flightNumber: 'LH100' }, { date: '2024-01-01' }),
      [],
    )
  })

  test('values that the edit names, or that keep their day, are not asked about again', async () => {
    const berlin = { from: 'CPH', to: 'BER', date: '2024-05-01' }
    const { warnings } = await edited(berlin, { date: '2015-01-01', to: 'TXL' })
    assert.deepEqual(warnings, [])
    assert.deepEqual((await edited(berlin, { note: 'late' })).warnings, [])
  })

  test('a local time that the new day skips or repeats is reported', async () => {
    const night = { from: 'FRA', to: 'LHR', date: '2024-03-30', departureTime: '02:30', arrivalTime: '03:20' }
    const { data, warnings } = await edited(night, { date: '2024-03-31' })
    assert.equal(data.departure, '2024-03-31T03:30:00+02:00')
    assert.deepEqual(messages({ warnings }), [
      'The clocks in Europe/Berlin skipped 02:30 on 2024-03-31. 03:30 was used.',
    ])
    assert.deepEqual(codes(await edited(night, { date: '2024-10-27' })), ['clock_repeated'])
    assert.deepEqual(codes(await edited(night, { date: '2024-03-31', departureTime: '01:50' })), [])
    assert.deepEqual(codes(await edited(night, { date: '2024-04-01' })), [])
  })
})
