import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../fixtures.ts'
import { onBothEngines } from '../harness.ts'

const defaults = {
  distanceUnit: 'km',
  windSpeedUnit: 'kt',
  temperatureUnit: 'c',
  pressureUnit: 'hpa',
  timeFormat: 'auto',
  dateFormat: 'auto',
  weekStartsOn: 'auto',
  flightTimeDisplay: 'airport',
  language: 'auto',
  homeAirportId: null,
}

onBothEngines('preferences', (app) => {
  test('get-preferences, update-preferences: given values change and the others stay', async () => {
    const [ada, bob] = [await app().person(), await app().person()]
    const key = await ada.key()
    const read = async () => (await app().request('GET', '/api/v1/preferences', { key })).json.data
    const write = (body: unknown) => app().request('PUT', '/api/v1/preferences', { key, body })
    assert.deepEqual(await read(), defaults)
    const changed = await write({ distanceUnit: 'nm', timeFormat: '24h', unknown: 1 })
    assert.equal(changed.status, 200, changed.text)
    assert.equal(changed.json.data.updated, true)
    await write({ dateFormat: 'iso' })
    assert.equal((await write({})).status, 200)
    assert.deepEqual(await read(), {
      ...defaults,
      distanceUnit: 'nm',
      timeFormat: '24h',
      dateFormat: 'iso',
    })
    const bobs = await app().request('GET', '/api/v1/preferences', { key: await bob.key() })
    assert.deepEqual(bobs.json.data, defaults)
  })

  test('twenty concurrent changes are all stored', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const changes = Object.entries({
      distanceUnit: 'mi',
      temperatureUnit: 'f',
      pressureUnit: 'inhg',
      weekStartsOn: 'sun',
    })
    await Promise.all(
      Array.from({ length: 20 }, (_, i) => {
        const [name, value] = changes[i % changes.length]!
        return app().request('PUT', '/api/v1/preferences', { key, body: { [name]: value } })
      }),
    )
    const { data } = (await app().request('GET', '/api/v1/preferences', { key })).json
    assert.deepEqual(data, { ...defaults, ...Object.fromEntries(changes) })
  })

  test('invalid preferences are refused', async () => {
    const key = await (await app().person()).key()
    const write = (body: unknown) => app().request('PUT', '/api/v1/preferences', { key, body })
    assertError(await write({ distanceUnit: 'furlong' }), 422, 'validation_failed', ['distanceUnit'])
    assertError(await write({ dateFormat: null }), 422, 'validation_failed', ['dateFormat'])
    assertError(await write([]), 422, 'validation_failed')
    assertError(await app().request('PUT', '/api/v1/preferences', { key }), 400, 'invalid_json')
  })
})
