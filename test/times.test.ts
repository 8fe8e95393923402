// Local times at both ends of a flight, through the API: what is stored, what is returned, and that sending it back changes nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onSqlite } from './harness.ts'

interface Case {
  name: string
  from: string
  to: string
  sent: Record<string, string | null>
  date: string
  departure: string | null
  arrival: string | null
  minutes?: number
}

const day = (departure: string, arrival: string) => {
  const [departureDate, departureTime] = departure.split(' ')
  const [arrivalDate, arrivalTime] = arrival.split(' ')
  return {
    departure: departureDate!,
    departureTime: departureTime!,
    arrival: arrivalDate!,
    arrivalTime: arrivalTime!,
  }
}

const cases: Case[] = [
  {
    name: 'overnight eastward',
    from: 'JFK',
    to: 'LHR',
    sent: day('2026-01-10 21:30', '2026-01-11 09:25'),
    date: '2026-01-10',
    departure: '2026-01-11T02:30',
    arrival: '2026-01-11T09:25',
    minutes: 415,
  },
  {
    name: 'evening departure west of Greenwich, next day in UTC',
    from: 'LAX',
    to: 'SFO',
    sent: day('2026-07-04 20:15', '2026-07-04 21:40'),
    date: '2026-07-04',
    departure: '2026-07-05T03:15',
    arrival: '2026-07-05T04:40',
    minutes: 85,
  },
  {
    name: 'across the date line eastward: lands before it left by the clock (HND-EWR)',
    from: 'HND',
    to: 'EWR',
    sent: day('2026-03-20 16:45', '2026-03-20 16:20'),
    date: '2026-03-20',
    departure: '2026-03-20T07:45',
    arrival: '2026-03-20T20:20',
    minutes: 755,
  },
  {
    name: 'across the date line eastward: lands the day before (AKL-HNL)',
    from: 'AKL',
    to: 'HNL',
    sent: day('2026-01-15 00:30', '2026-01-14 10:20'),
    date: '2026-01-15',
    departure: '2026-01-14T11:30',
    arrival: '2026-01-14T20:20',
    minutes: 530,
  },
  {
    name: 'across the date line westward: two days later by the calendar (HNL-AKL)',
    from: 'HNL',
    to: 'AKL',
    sent: day('2026-01-14 23:55', '2026-01-16 07:45'),
    date: '2026-01-14',
    departure: '2026-01-15T09:55',
    arrival: '2026-01-15T18:45',
    minutes: 530,
  },
  {
    name: 'departure in the gap of spring moves forward (JFK)',
    from: 'JFK',
    to: 'LHR',
    sent: day('2026-03-08 02:30', '2026-03-08 14:00'),
    date: '2026-03-08',
    departure: '2026-03-08T07:30',
    arrival: '2026-03-08T14:00',
    minutes: 390,
  },
  {
    name: 'arrival in the gap of spring moves forward (CPH)',
    from: 'LHR',
    to: 'CPH',
    sent: day('2026-03-28 23:50', '2026-03-29 02:30'),
    date: '2026-03-28',
    departure: '2026-03-28T23:50',
    arrival: '2026-03-29T01:30',
    minutes: 100,
  },
  {
    name: 'departure in the repeated hour of autumn is the earlier one (JFK)',
    from: 'JFK',
    to: 'LHR',
    sent: day('2026-11-01 01:30', '2026-11-01 12:00'),
    date: '2026-11-01',
    departure: '2026-11-01T05:30',
    arrival: '2026-11-01T12:00',
    minutes: 390,
  },
  {
    name: 'arrival in the repeated hour of autumn is the earlier one (CPH)',
    from: 'LHR',
    to: 'CPH',
    sent: day('2026-10-24 23:40', '2026-10-25 02:15'),
    date: '2026-10-24',
    departure: '2026-10-24T22:40',
    arrival: '2026-10-25T00:15',
    minutes: 95,
  },
  {
    name: 'southern summer time, where the gap is in October (SYD)',
    from: 'SYD',
    to: 'ADL',
    sent: day('2026-10-04 02:15', '2026-10-04 05:00'),
    date: '2026-10-04',
    departure: '2026-10-03T16:15',
    arrival: '2026-10-03T18:30',
    minutes: 135,
  },
  {
    name: 'offset of 5:45 (KTM)',
    from: 'KTM',
    to: 'ADL',
    sent: day('2026-05-01 10:00', '2026-05-02 01:00'),
    date: '2026-05-01',
    departure: '2026-05-01T04:15',
    arrival: '2026-05-01T15:30',
    minutes: 675,
  },
  {
    name: 'Nepal before 1986 was 5:30',
    from: 'KTM',
    to: 'LHR',
    sent: day('1985-06-01 10:00', '1985-06-01 20:00'),
    date: '1985-06-01',
    departure: '1985-06-01T04:30',
    arrival: '1985-06-01T19:00',
    minutes: 870,
  },
  {
    name: 'offset of half an hour, with and without summer time (ADL)',
    from: 'ADL',
    to: 'ADL',
    sent: day('2026-04-04 23:30', '2026-04-05 04:30'),
    date: '2026-04-04',
    departure: '2026-04-04T13:00',
    arrival: '2026-04-04T19:00',
    minutes: 360,
  },
  {
    name: 'war time in 1943, before any computer knew (LHR)',
    from: 'LHR',
    to: 'LHR',
    sent: day('1943-07-01 12:00', '1943-07-01 13:00'),
    date: '1943-07-01',
    departure: '1943-07-01T10:00',
    arrival: '1943-07-01T11:00',
    minutes: 60,
  },
  {
    name: 'Iceland in the winter of 1960 was an hour behind Greenwich (KEF)',
    from: 'KEF',
    to: 'OSL',
    sent: day('1960-01-15 10:00', '1960-01-15 17:00'),
    date: '1960-01-15',
    departure: '1960-01-15T11:00',
    arrival: '1960-01-15T16:00',
    minutes: 300,
  },
  {
    name: 'Norway had summer time in 1962, Germany had not (OSL)',
    from: 'KEF',
    to: 'OSL',
    sent: day('1962-07-01 08:00', '1962-07-01 15:00'),
    date: '1962-07-01',
    departure: '1962-07-01T08:00',
    arrival: '1962-07-01T13:00',
    minutes: 300,
  },
  {
    name: 'twenty minutes ahead of Greenwich until 1940 (AMS)',
    from: 'AMS',
    to: 'LHR',
    sent: day('1938-02-01 10:00', '1938-02-01 12:00'),
    date: '1938-02-01',
    departure: '1938-02-01T09:40',
    arrival: '1938-02-01T12:00',
    minutes: 140,
  },
  {
    name: 'summer time of half an hour in autumn 1955 (ACC)',
    from: 'ACC',
    to: 'LOS',
    sent: day('1955-10-01 08:00', '1955-10-01 10:00'),
    date: '1955-10-01',
    departure: '1955-10-01T07:30',
    arrival: '1955-10-01T09:00',
    minutes: 90,
  },
  {
    name: 'a name that shares the history of Curaçao (BON)',
    from: 'BON',
    to: 'CUR',
    sent: day('1960-03-01 12:00', '1960-03-01 12:30'),
    date: '1960-03-01',
    departure: '1960-03-01T16:30',
    arrival: '1960-03-01T17:00',
    minutes: 30,
  },
  {
    name: 'twelve-hour clock, and an arrival that has only a time',
    from: 'LHR',
    to: 'CPH',
    sent: { departure: '2026-02-20', departureTime: '12:05 am', arrivalTime: '2:55AM' },
    date: '2026-02-20',
    departure: '2026-02-20T00:05',
    arrival: '2026-02-20T01:55',
    minutes: 110,
  },
  {
    name: 'date only',
    from: 'HND',
    to: 'EWR',
    sent: { departure: '2026-03-20' },
    date: '2026-03-20',
    departure: null,
    arrival: null,
  },
  {
    name: 'month',
    from: 'HND',
    to: 'EWR',
    sent: { departure: '1998-07-01', datePrecision: 'month' },
    date: '1998-07-01',
    departure: '1998-07-01T10:00',
    arrival: null,
  },
  {
    name: 'year',
    from: 'HND',
    to: 'EWR',
    sent: { departure: '1974-01-01', datePrecision: 'year', departureTime: '09:00', arrivalTime: null },
    date: '1974-01-01',
    departure: '1974-01-01T10:00',
    arrival: null,
  },
]

const full = (minute: string | null) => minute && `${minute}:00.000+00:00`

onSqlite('times', (app) => {
  const me = [{ userId: '<USER_ID>' }]
  const get = async (key: string, id: number) =>
    (await app().request('GET', `/api/flight/get/${id}`, { key })).json.flight
  const v1 = async (key: string, id: number) =>
    (await app().request('GET', `/api/v1/flights/${id}`, { key })).json.data

  for (const { name, from, to, sent, date, departure, arrival, minutes } of cases) {
    test(name, async () => {
      const key = await (await app().person()).key()
      const body = { from, to, passengers: me, ...sent }
      const save = async (more: object) => {
        const reply = await app().request('POST', '/api/flight/save', { key, body: { ...body, ...more } })
        assert.equal(reply.status, 200, reply.text)
        return reply.json.id
      }
      const id = await save({})
      const stored = await v1(key, id)
      assert.equal(stored.date, date)
      assert.equal(stored.departure, full(departure))
      assert.equal(stored.arrival, full(arrival))
      if (minutes !== undefined) assert.equal(stored.duration, minutes * 60)

      const { flights } = (await app().request('GET', '/api/flight/list', { key })).json
      const [listed] = flights
      assert.equal(listed.departure, full(departure))
      assert.deepEqual(await get(key, id), listed)
      const unchanged = async (what: string) => {
        const { updatedAt: _, ...now } = await v1(key, id)
        const { updatedAt: __, ...before } = stored
        assert.deepEqual(now, before, what)
      }
      await save({ id })
      await unchanged('the same form sent again')
      await save({ ...listed, departureTime: undefined, arrivalTime: undefined })
      await unchanged('what was listed sent back')
      await save({ ...listed, ...sent, from: listed.from.iata, to: listed.to.icao })
      await unchanged('what was listed with the form laid over it, as TREK does')
    })
  }

  test('an edit by local time keeps the later one of a repeated hour, and the seconds', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const departure = '2026-11-01T01:30:42-05:00'
    const body = {
      date: '2026-11-01',
      fromId: await app().airportId('JFK'),
      toId: await app().airportId('LHR'),
      departure,
      passengers: [{ userId: ada.id }],
    }
    const { id } = (await app().request('POST', '/api/v1/flights', { key, body })).json.data
    const edit = (time: string) =>
      app().request('POST', '/api/flight/save', {
        key,
        body: { id, from: 'JFK', to: 'LHR', departure: '2026-11-01', departureTime: time, passengers: me },
      })
    await edit('01:30')
    assert.equal((await v1(key, id)).departure, departure)
    await edit('01:31')
    assert.equal((await v1(key, id)).departure, '2026-11-01T05:31:00.000+00:00')
  })

  test('another departure airport reads the same local time in its own zone', async () => {
    const key = await (await app().person()).key()
    const save = (body: object) => app().request('POST', '/api/flight/save', { key, body })
    const body = { to: 'LHR', departure: '2026-02-20', departureTime: '08:00', passengers: me }
    const { id } = (await save({ ...body, from: 'CPH' })).json
    assert.equal((await v1(key, id)).departure, '2026-02-20T07:00:00.000+00:00')
    await save({ ...body, id, from: 'JFK' })
    assert.equal((await v1(key, id)).departure, '2026-02-20T13:00:00.000+00:00')
  })
})
