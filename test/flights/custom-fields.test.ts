import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readOnlyScopes } from '../../server/domain/access/access.ts'
import { airportIds, assertError, logFlight } from '../fixtures.ts'
import { onBothEngines, type TestPerson } from '../harness.ts'
import { callTool, modern } from '../mcp/clients.ts'

onBothEngines('custom fields', (app) => {
  const manager = () => app().person('role-administrator')
  const define = (cookie: string, body: object) =>
    app().request('POST', '/app/api/custom-fields', { cookie, body })
  const seat = { entityType: 'flight', key: 'meal', label: 'Meal', fieldType: 'text' }

  test('create-custom-field, update-custom-field, delete-custom-field, list-custom-fields, list-all-custom-fields: a field is created, changed, listed and deleted', async () => {
    const admin = await manager()
    const cookie = await admin.session()
    const key = await admin.key()
    const created = await define(cookie, seat)
    assert.equal(created.status, 201, created.text)
    const field = created.json.data
    const shown = {
      id: field.id,
      ...seat,
      description: null,
      required: false,
      order: 0,
      defaultValue: null,
      options: null,
    }
    assert.deepEqual(field, { ...shown, validation: null, active: true })
    const active = async () => (await app().request('GET', '/api/v1/custom-fields', { key })).json
    assert.deepEqual(await active(), { data: [shown], page: { nextCursor: null } })

    assertError(await define(cookie, seat), 409, 'conflict')
    assert.equal((await define(cookie, { ...seat, entityType: 'flight_passenger', order: 2 })).status, 201)
    const earlier = { ...seat, key: 'a1', label: 'Aa', entityType: 'flight_passenger' }
    assert.equal((await define(cookie, earlier)).status, 201)
    const keys = (await active()).data.map(
      (row: { entityType: string; key: string }) => `${row.entityType}.${row.key}`,
    )
    assert.deepEqual(keys, ['flight.meal', 'flight_passenger.a1', 'flight_passenger.meal'])

    const put = (body: object) => app().request('PUT', `/app/api/custom-fields/${field.id}`, { cookie, body })
    const off = await put({ ...seat, key: 'food', active: false, validation: { maxLength: 5 } })
    assert.equal(off.status, 200, off.text)
    assert.equal((await active()).data.length, 2)
    const all = (await app().request('GET', '/app/api/custom-fields/all', { cookie })).json.data
    assert.deepEqual(all[0], { ...shown, key: 'food', active: false, validation: { maxLength: 5 } })
    assertError(await put({ ...seat, fieldType: 'number' }), 422, 'validation_failed', ['fieldType'])
    assertError(await put({ ...seat, entityType: 'flight_passenger' }), 422, 'validation_failed', [
      'entityType',
    ])

    const gone = { cookie }
    for (const row of all) {
      assert.equal((await app().request('DELETE', `/app/api/custom-fields/${row.id}`, gone)).status, 204)
    }
    assertError(await app().request('DELETE', `/app/api/custom-fields/${field.id}`, gone), 404, 'not_found')
    assertError(await put(seat), 404, 'not_found')
    assert.deepEqual((await active()).data, [])
  })

  test('an invalid definition is refused', async () => {
    const cookie = await (await manager()).session()
    const refused: [object, string[]][] = [
      [{ key: 'x' }, ['key']],
      [{ key: 'Big' }, ['key']],
      [{ key: '__proto__' }, ['key']],
      [{ key: 'k'.repeat(51) }, ['key']],
      [{ label: ' ' }, ['label']],
      [{ label: 'l'.repeat(81) }, ['label']],
      [{ description: 'd'.repeat(201) }, ['description']],
      [{ entityType: 'airport' }, ['entityType']],
      [{ fieldType: 'colour' }, ['fieldType']],
      [{ fieldType: 'select' }, ['options']],
      [{ fieldType: 'select', options: [] }, ['options']],
      [{ fieldType: 'multi-select', options: ['a', ''] }, ['options', '1']],
      [{ fieldType: 'select', options: ['a', 'a'] }, ['options']],
      [{ options: ['a'] }, ['options']],
      [{ defaultValue: '' }, ['defaultValue']],
      [{ defaultValue: 3 }, ['defaultValue']],
      [{ fieldType: 'select', options: ['a'], defaultValue: 'b' }, ['defaultValue']],
      [{ fieldType: 'date', defaultValue: '2026-02-30' }, ['defaultValue']],
      [{ fieldType: 'number', validation: { min: 2, max: 1 } }, ['validation', 'max']],
      [{ validation: { minLength: 2, maxLength: 1 } }, ['validation', 'maxLength']],
      [{ validation: { min: 1 } }, ['validation', 'min']],
      [{ fieldType: 'boolean', validation: { regex: 'a' } }, ['validation', 'regex']],
      [{ validation: { regex: '(' } }, ['validation', 'regex']],
      [{ validation: { regex: 'a'.repeat(201) } }, ['validation', 'regex']],
      [{ validation: { regex: '^(a+)+$' } }, ['validation', 'regex']],
      [{ validation: { regex: '(a|aa)*b' } }, ['validation', 'regex']],
      [{ validation: { regex: '(a)\\1' } }, ['validation', 'regex']],
      [{ defaultValue: 'abc', validation: { regex: '^[0-9]+$' } }, ['defaultValue']],
    ]
    for (const [change, path] of refused) {
      assertError(await define(cookie, { ...seat, ...change }), 422, 'validation_failed', path)
    }
    const fine = await define(cookie, {
      ...seat,
      key: 'pnr_1',
      validation: { regex: '^[A-Z0-9]{6}(-[0-9])?$' },
      defaultValue: 'ABC123',
    })
    assert.equal(fine.status, 201, fine.text)
    await app().request('DELETE', `/app/api/custom-fields/${fine.json.data.id}`, { cookie })
  })

  test('only users with the permission manage custom fields', async () => {
    const ada = await app().person()
    const cookie = await ada.session()
    assertError(await define(cookie, seat), 403, 'forbidden')
    assertError(await app().request('GET', '/app/api/custom-fields/all', { cookie }), 403, 'forbidden')
    assertError(await app().request('DELETE', '/app/api/custom-fields/1', { cookie }), 403, 'forbidden')
  })

  test('create-custom-field in v1 and as a tool: the role decides, and a read-only key changes nothing', async () => {
    const admin = await manager()
    const create = (key: string, body: object) =>
      app().request('POST', '/api/v1/custom-fields', { key, body })
    const keys = async () =>
      (await app().request('GET', '/api/v1/custom-fields', { key: await admin.key() })).json.data.map(
        (field: { key: string }) => field.key,
      )
    const offers = async (key: string) =>
      (await modern(app(), key, 'tools/list')).json.result.tools.some(
        ({ name }: { name: string }) => name === 'create_custom_field',
      )

    const enough = await admin.key(['custom_fields.read', 'flight.update.own'])
    const made = await create(enough, { ...seat, key: 'by_key' })
    assert.equal(made.status, 201, made.text)
    assert.ok(await offers(enough))
    const misspelt = { ...seat, key: 'other', fieldtype: 'text' }
    assertError(await create(enough, misspelt), 422, 'validation_failed', ['fieldtype'])
    const tool = await callTool(app(), enough, 'create_custom_field', { ...seat, key: 'by_tool' })
    assert.equal(tool.isError, undefined, JSON.stringify(tool))
    assert.equal(tool.structuredContent.data.key, 'by_tool')

    const without = await admin.key(['flight.update.own'])
    assertError(await create(without, seat), 403, 'insufficient_scope')
    for (const scopes of [['custom_fields.read'] as const, readOnlyScopes]) {
      const reading = await admin.key(scopes)
      assertError(await create(reading, seat), 403, 'forbidden')
      assert.ok(!(await offers(reading)))
      const { content } = await callTool(app(), reading, 'create_custom_field', seat)
      assert.match(content[0].text, /read-only/)
    }
    const ordinary = await (await app().person()).key()
    assertError(await create(ordinary, seat), 403, 'forbidden')
    assert.ok(!(await offers(ordinary)))
    assert.deepEqual(await keys(), ['by_key', 'by_tool'])
    const cookie = await admin.session()
    for (const { id } of [made.json.data, tool.structuredContent.data])
      await app().request('DELETE', `/app/api/custom-fields/${id}`, { cookie })
  })

  /** Defines these fields and deletes them afterwards. */
  async function withFields(fields: object[], work: (ids: number[]) => Promise<void>): Promise<void> {
    const cookie = await (await manager()).session()
    const ids: number[] = []
    try {
      for (const field of fields) {
        const reply = await define(cookie, field)
        assert.equal(reply.status, 201, reply.text)
        ids.push(reply.json.data.id)
      }
      await work(ids)
    } finally {
      for (const id of ids) await app().request('DELETE', `/app/api/custom-fields/${id}`, { cookie })
    }
  }

  async function bodyFor(who: TestPerson, more: object = {}) {
    const [fromId, toId] = await airportIds(app(), 'CPH', 'JFK')
    return { date: '2026-02-20', fromId, toId, passengers: [{ userId: who.id }], ...more }
  }

  test('values: defaults are stored, absent keys keep, null, "" and [] delete, by key or by id', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const fields = [
      { ...seat, defaultValue: 'none' },
      { ...seat, key: 'rating', label: 'Rating', fieldType: 'number', validation: { min: 1, max: 5 } },
      { ...seat, key: 'tags', label: 'Tags', fieldType: 'multi-select', options: ['red', 'blue'] },
      { ...seat, key: 'lounge', label: 'Lounge', entityType: 'flight_passenger', fieldType: 'boolean' },
    ]
    await withFields(fields, async ([, rating]) => {
      const passengers = [{ userId: ada.id, customFields: { lounge: false } }]
      const customFields = { [rating!]: 4, tags: ['red'] }
      const flight = await logFlight(app(), ada, await bodyFor(ada, { customFields, passengers }))
      assert.deepEqual(flight.customFields, { meal: 'none', rating: 4, tags: ['red'] })
      assert.deepEqual(flight.passengers[0].customFields, { lounge: false })
      const put = async (more: object) => {
        const body = await bodyFor(ada, more)
        const reply = await app().request('PUT', `/api/v1/flights/${flight.id}`, { key, body })
        assert.equal(reply.status, 200, reply.text)
        return reply.json.data
      }
      assert.deepEqual((await put({})).customFields, flight.customFields)
      assert.deepEqual((await put({})).passengers[0].customFields, { lounge: false })
      const less = await put({ customFields: { rating: null, tags: [], meal: 'fish' } })
      assert.deepEqual(less.customFields, { meal: 'fish' })
      // Once cleared, the default applies again with the next write that does not name the field.
      assert.deepEqual((await put({ customFields: { meal: '' } })).customFields, {})
      assert.deepEqual((await put({})).customFields, { meal: 'none' })
      const read = await app().request('GET', `/api/v1/flights/${flight.id}`, { key })
      assert.deepEqual(read.json.data.customFields, { meal: 'none' })
    })
  })

  test('values: a key that equals another field’s id means the key', async () => {
    const [ada, admin] = [await app().person(), await manager()]
    const cookie = await admin.session()
    const made: number[] = []
    // Keys have at least two characters.
    while ((made.at(-1) ?? 0) < 10) {
      made.push((await define(cookie, { ...seat, key: `field_${made.length}` })).json.data.id)
    }
    const last = made.at(-1)!
    made.push((await define(cookie, { ...seat, key: String(last) })).json.data.id)
    const customFields = { [last]: 'a', [made.at(-1)!]: 'b' }
    const flight = await logFlight(app(), ada, await bodyFor(ada, { customFields }))
    assert.deepEqual(flight.customFields, { [last]: 'a' })
    for (const id of made) await app().request('DELETE', `/app/api/custom-fields/${id}`, { cookie })
  })

  test('values: each type is checked, and the first fault is reported, flight before passenger', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const types: [string, object, unknown[], unknown[]][] = [
      [
        'text',
        { validation: { minLength: 2, maxLength: 3, regex: '^a' } },
        ['ab', 'a🛫🛫'],
        [1, 'a', 'abcd', 'bb', {}],
      ],
      ['textarea', {}, ['a\nb'], [1, 'x'.repeat(10_001)]],
      ['number', { validation: { min: 0, max: 9 } }, [0, 9, 1.5], [-1, 10, '5', true]],
      ['boolean', {}, [true, false], ['true', 1]],
      ['date', {}, ['2024-02-29', '0001-01-01'], ['2023-02-29', '2024-2-1', 5]],
      ['select', { options: ['x', 'y'] }, ['x'], ['z', ['x']]],
      ['multi-select', { options: ['x', 'y'] }, [['x'], ['y', 'x']], ['x', ['z'], ['x', 'y', 'x']]],
      ['airport', {}, [1, 99999], ['CPH', 1.5, -1]],
      ['airline', {}, [1], ['SK']],
      ['aircraft', {}, [1], [true]],
    ]
    const fields = types.map(([fieldType, more]) => ({
      ...seat,
      ...more,
      key: fieldType.replace('-', '_'),
      label: `The ${fieldType}`,
      fieldType,
    }))
    await withFields(fields, async () => {
      const post = async (customFields: object) =>
        app().request('POST', '/api/v1/flights', { key, body: await bodyFor(ada, { customFields }) })
      for (const [fieldType, , good, bad] of types) {
        const name = fieldType.replace('-', '_')
        for (const value of good) {
          const reply = await post({ [name]: value })
          assert.equal(reply.status, 201, `${name} ${JSON.stringify(value)}: ${reply.text}`)
          assert.deepEqual(reply.json.data.customFields, { [name]: value })
        }
        for (const value of bad) {
          const reply = await post({ [name]: value })
          assertError(reply, 422, 'validation_failed', ['customFields', name])
          assert.equal(reply.json.error.reason, 'custom_field_invalid')
          assert.ok(reply.json.error.message.startsWith(`Custom field "The ${fieldType}": `))
          assert.equal(reply.json.error.params.problem.reason, reply.json.error.details[0].reason)
        }
      }
      assertError(await post([]), 422, 'validation_failed', ['customFields'])
    })
  })

  test('values: required fields are checked on create and update; passengers’ values need passengers.manage', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const flight = await logFlight(app(), ada, await bodyFor(ada))
    const fields = [
      { ...seat, required: true },
      {
        ...seat,
        entityType: 'flight_passenger',
        key: 'lounge',
        label: 'Lounge',
        fieldType: 'text',
        required: true,
      },
    ]
    await withFields(fields, async () => {
      const post = async (more: object) =>
        app().request('POST', '/api/v1/flights', { key, body: await bodyFor(ada, more) })
      const given = { customFields: { meal: 'fish' } }
      const passengers = [{ userId: ada.id, customFields: { lounge: 'A' } }]
      assertError(await post({}), 422, 'validation_failed', ['customFields', 'meal'])
      assertError(await post(given), 422, 'validation_failed', ['passengers', '0', 'customFields', 'lounge'])
      assert.equal((await post({ ...given, passengers })).status, 201)
      const put = async (more: object, credential = key) =>
        app().request('PUT', `/api/v1/flights/${flight.id}`, {
          key: credential,
          body: await bodyFor(ada, more),
        })
      assertError(await put({}), 422, 'validation_failed', ['customFields', 'meal'])
      assert.equal((await put(given)).status, 200, 'untouched passengers are not judged')
      const narrow = await ada.key(['flight.update.own'])
      assert.equal((await put({}, narrow)).status, 200)
      assertError(await put({ passengers }, narrow), 403, 'insufficient_scope')
      const unsound = { passengers: [{ userId: ada.id, customFields: { lounge: 7 } }] }
      assertError(await put(unsound, narrow), 403, 'insufficient_scope')
      assert.equal((await put({ passengers })).status, 200)
      const same = await put({ passengers }, narrow)
      assert.equal(same.status, 200, 'the same value again changes nothing')
      const bob = { guestName: 'Bob', customFields: { lounge: 'B' } }
      assert.equal((await put({ passengers: [...passengers, bob] })).status, 200)
      const oneOfTwo = [{ userId: ada.id, customFields: { lounge: 'C' } }, bob]
      assertError(await put({ passengers: oneOfTwo }, narrow), 403, 'insufficient_scope')
      const limited = await app().person(['flight.read.own', 'flight.create.own', 'flight.update.own'])
      const body = await bodyFor(limited, {
        ...given,
        passengers: [{ userId: limited.id, customFields: { lounge: 'A' } }],
      })
      const own = (await app().request('POST', '/api/v1/flights', { key: await limited.key(), body })).json
        .data
      const changed = { ...body, passengers: [{ userId: limited.id, customFields: { lounge: 'B' } }] }
      const masked = await app().request('PUT', `/api/v1/flights/${own.id}`, {
        key: await limited.key(),
        body: changed,
      })
      assertError(masked, 404, 'not_found')
    })
  })

  test('deleting a field deletes its values and no others', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const lounge = { ...seat, entityType: 'flight_passenger', key: 'lounge', label: 'Lounge' }
    await withFields([{ ...seat, key: 'kept', label: 'Kept' }], async () => {
      let id = 0
      await withFields([seat, lounge], async () => {
        const passengers = [{ userId: ada.id, customFields: { lounge: 'A' } }]
        const customFields = { meal: 'fish', kept: 'yes' }
        id = (await logFlight(app(), ada, await bodyFor(ada, { customFields, passengers }))).id
        assert.equal(
          (await app().request('GET', '/api/v1/flights', { key })).json.data[0].customFields.meal,
          'fish',
        )
      })
      const [flight] = (await app().request('GET', '/api/v1/flights', { key })).json.data
      assert.deepEqual([flight.id, flight.customFields], [id, { kept: 'yes' }])
      assert.deepEqual(flight.passengers[0].customFields, {})
      const rows = await app().store.read.query(
        'select custom_fields from flight_passenger where user_id is not null',
        [],
      )
      assert.ok(
        rows.every((row) => row['custom_fields'] === null),
        'nothing is left behind',
      )
      await withFields([seat, lounge], async () => {
        const again = (await app().request('GET', `/api/v1/flights/${id}`, { key })).json.data
        assert.deepEqual(again.customFields, { kept: 'yes' }, 'a new field of the same key starts empty')
      })
    })
  })

  test('a pattern that takes too long is aborted', async () => {
    const ada = await app().person()
    const slow = { ...seat, validation: { regex: 'a*a*a*a*a*b' } }
    await withFields([slow], async () => {
      const body = await bodyFor(ada, { customFields: { meal: 'a'.repeat(10_000) } })
      const reply = await app().request('POST', '/api/v1/flights', { key: await ada.key(), body })
      assertError(reply, 422, 'validation_failed', ['customFields', 'meal'])
    })
  })
})
