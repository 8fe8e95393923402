// The clock jumps: a small computer without a battery starts in 1970 or 2099 and is corrected later. No user is locked out, no
// completed flight stays planned, and nothing that expired becomes valid again.
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { DAY } from '../../server/domain/time/durations.ts'
import { onBothEngines } from '../harness.ts'
import { connect, fromManyAddresses, statusWith } from '../oauth/browser.ts'

const NOW = Date.parse('2026-06-15T12:00:00Z')

onBothEngines(
  'a clock that jumps',
  (app) => {
    afterEach(() => app().clock.set(NOW))

    test('flown flights follow the clock in both directions, through every cache', async () => {
      const ada = await app().person()
      const key = await ada.key()
      const [fromId, toId] = [await app().airportId('CPH'), await app().airportId('OSL')]
      for (const date of ['2026-06-01', '2026-06-20', '2026-07-20']) {
        const body = { date, fromId, toId, passengers: [{ userId: ada.id }] }
        assert.equal((await app().request('POST', '/api/v1/flights', { key, body })).status, 201)
      }
      const flown = async () => {
        const { json } = await app().request('GET', '/api/v1/stats', { key })
        const legacy = await app().request('GET', '/api/stats', { key })
        assert.equal(legacy.status, 200)
        return json.data.totalFlights ?? json.data.flights
      }
      for (const [time, expected] of [
        [NOW, 1],
        [Date.parse('2099-01-01T00:00:00Z'), 3],
        [NOW, 1],
        [NOW + 10 * DAY, 2],
        [NOW, 1],
        [Date.parse('1970-01-01T00:00:00Z'), 0],
        [NOW, 1],
      ]) {
        app().clock.set(time!)
        assert.equal(await flown(), expected, new Date(time!).toISOString())
      }
    })

    test('a limit reached in 2099 ends when the clock is corrected', async () => {
      const attempt = async () => {
        const body = { username: 'nobody-here', password: 'wrong-password' }
        const headers = { 'sec-fetch-site': 'same-origin', 'x-client-address': '192.0.2.7' }
        return (await app().request('POST', '/app/api/sign-in', { body, headers })).status
      }
      app().clock.set('2099-01-01T00:00:00Z')
      for (let i = 0; i < 5; i++) assert.equal(await attempt(), 401)
      assert.equal(await attempt(), 429)
      app().clock.set(NOW)
      assert.equal(await attempt(), 401)
    })

    test('keys, sessions and tokens follow the corrected clock', async () => {
      const { person, tokens } = await connect(app())
      const key = await person.key()
      const cookie = await person.session()
      const seen = async () => [
        await statusWith(app(), key),
        (await app().request('GET', '/app/api/me', { cookie })).status,
        await statusWith(app(), tokens.access_token),
      ]
      assert.deepEqual(await seen(), [200, 200, 200])
      app().clock.set(NOW - 365 * DAY)
      assert.deepEqual(await seen(), [200, 200, 200])
      app().clock.set(NOW + 61 * DAY)
      assert.deepEqual(await seen(), [200, 401, 401])
      app().clock.set(NOW)
      assert.deepEqual(await seen(), [200, 200, 200])
    })
  },
  fromManyAddresses,
)
