// Random bodies for the legacy save, combined from valid and invalid values. Every response is JSON in the legacy shape and never
// a 500; an accepted flight does not change when it is sent back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom, onBothEngines } from '../harness.ts'
import { isLong } from '../rounds.ts'

const SEED = Number(process.env['FUZZ_SEED'] ?? 20261115)
const REQUESTS = Number(process.env['FUZZ_LEGACY'] ?? (isLong ? 5000 : 250))

const odd = [
  null,
  undefined,
  '',
  ' ',
  0,
  -1,
  1.5,
  1e21,
  true,
  [],
  {},
  'NaN',
  '%',
  '_',
  '\u0000',
  '\ud800',
  '🛫',
  'x'.repeat(2000),
]
const codes = [
  'CPH',
  'jfk',
  'EKCH',
  'KTM',
  { id: 2542, icao: 'EKCH' },
  { icao: null, iata: 'LHR' },
  { id: '1' },
]
const days = [
  '2026-02-20',
  '2026-03-29',
  '1970-01-01',
  '0001-01-01',
  '9999-12-31',
  '2026-02-20T00:00:00.000Z',
]
const instants = [
  '2026-02-20T11:30:00.000+00:00',
  '0001-01-01T00:00:00+23:59',
  '9999-12-31T23:59:59.999-23:59',
  '2026-03-29T01:30Z',
]
const clocks = ['00:00', '2:30', '23.59', '1205', '12:00 am']
const people = [
  [{ userId: '<USER_ID>' }],
  [{ userId: '<USER_ID>', flightReason: 'crew' }, { guestName: 'Bob' }],
  [{ guestName: 'Bob' }, { userId: '<USER_ID>' }],
  [{ userId: '<USER_ID>', id: 2_147_483_648, seat: 'window', customFields: { a: [] } }],
  [{ userId: '<USER_ID>', guestName: 'Both' }],
]
const moments = [
  'departure',
  'arrival',
  'departureScheduled',
  'arrivalScheduled',
  'takeoffScheduled',
  'takeoffActual',
  'landingScheduled',
  'landingActual',
]
const texts = [
  'note',
  'notes',
  'flightNumber',
  'aircraftReg',
  'departureGate',
  'customFields',
  'track',
  'duration',
  'date',
  'flightReason',
]

function randomBody(random: ReturnType<typeof createRandom>): Record<string, unknown> {
  const mostly = (likely: readonly unknown[], share = 40) => random.pick(random.below(share) ? likely : odd)
  const body: Record<string, unknown> = {
    from: mostly(codes),
    to: mostly(codes),
    departure: mostly([...days, ...instants]),
    datePrecision: mostly(['day', 'day', 'month', 'year']),
    passengers: mostly(people),
  }
  for (const moment of moments) {
    if (moment !== 'departure' && !random.below(8)) body[moment] = mostly([...days, ...instants])
    if (!random.below(6)) body[`${moment}Time`] = mostly([...clocks, null])
  }
  for (const name of texts) if (!random.below(10)) body[name] = mostly(['ABC', null], 3)
  if (!random.below(4)) body['airline'] = mostly(['SAS', 'SK', { icao: 'SAS' }])
  if (!random.below(8)) body['id'] = mostly([1, 2, 3, 4_000_000_000])
  return body
}

onBothEngines(
  'legacy save with odd bodies',
  (app) => {
    test(`${REQUESTS} requests cause no 500, and accepted flights can be sent back`, async () => {
      const key = await (await app().person()).key()
      const random = createRandom(SEED)
      const save = (body: unknown) => app().request('POST', '/api/flight/save', { key, body })
      let accepted = 0
      for (let i = 0; i < REQUESTS; i++) {
        const body = randomBody(random)
        const reply = await save(body)
        const what = `${JSON.stringify(body)} → ${reply.status} ${reply.text.slice(0, 300)}`
        assert.ok(reply.status < 500, what)
        assert.equal(reply.json.success, reply.status === 200, what)
        if (reply.json.id === undefined) continue
        accepted++
        const get = async () =>
          (await app().request('GET', `/api/flight/get/${reply.json.id}`, { key })).json.flight
        const before = await get()
        const back = await save(before)
        assert.equal(back.status, 200, `${what}, sent back: ${back.text}`)
        assert.deepEqual(await get(), before, what)
      }
      assert.ok(accepted > REQUESTS / 20, `only ${accepted} were accepted`)
      assert.equal((await app().request('GET', '/api/flight/list', { key })).json.flights.length, accepted)
    })
  },
  {},
  { getsRandomRequests: true },
)
