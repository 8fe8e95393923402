// Hostile texts in every stored input and every output: they are returned unchanged and never become SQL, HTML, YAML, a
// spreadsheet formula, a path or an object's prototype.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { parse as parseYaml } from 'yaml'
import { nameFault } from '../../server/domain/text/names.ts'
import { onBothEngines, type TestPerson, testOnSqlite } from '../harness.ts'

const hostile = [
  "'; drop table flight; --",
  "' or '1'='1",
  '"; delete from person; --',
  '$1 ? :name @p %s %_\\',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '</textarea></title><svg/onload=alert(1)>',
  '=HYPERLINK("http://evil.example","x")',
  '+1+cmd|" /C calc"!A0',
  '@SUM(1)',
  '- a: b\n  c: !!js/function "x"',
  '!!python/object/apply:os.system ["id"]',
  '&anchor *anchor <<: *x',
  'yes: no # comment',
  '---\n...\n%YAML 1.2',
  '\u2028\u2029\u0085\ufeff\u007f',
  '\u202eright to left',
  '\r\nSet-Cookie: contrail=stolen\r\n\r\n',
  '\n{"level":"error","message":"forged"}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: that is the attack
  '{{7*7}} ${7*7} <%= 7*7 %>',
  '../../../../etc/passwd',
  '__proto__',
  'constructor',
]

onBothEngines('hostile input', (app, engine) => {
  const sqliteTest = testOnSqlite(engine)
  let owner: TestPerson
  let key: string
  let cookie: string
  let ids: { fromId: number; toId: number }
  before(async () => {
    owner = await app().person('owner')
    key = await owner.key()
    cookie = await owner.session()
    ids = { fromId: await app().airportId('CPH'), toId: await app().airportId('OSL') }
  })

  test('texts of a flight are returned unchanged in JSON, YAML and the legacy list', async () => {
    const ada = await app().person()
    const adaKey = await ada.key()
    for (const text of hostile) {
      const body = {
        date: '2026-05-01',
        ...ids,
        note: text,
        flightNumber: text,
        departureGate: text,
        aircraftReg: text,
        passengers: [
          { userId: ada.id },
          { guestName: `g${text}`.slice(0, 50), seatNumber: text.slice(0, 5) },
        ],
      }
      const reply = await app().request('POST', '/api/v1/flights', { key: adaKey, body })
      assert.equal(reply.status, 201, `${JSON.stringify(text)} ${reply.text}`)
    }
    const notes = (flights: { note: string }[]) => new Set(flights.map(({ note }) => note))
    const list = await app().request('GET', '/api/v1/flights?limit=100', { key: adaKey })
    assert.deepEqual(notes(list.json.data), new Set(hostile.map((text) => text.trim() && text)))
    const json = await app().request('GET', '/api/v1/flights/export', { key: adaKey })
    const yaml = await app().request('GET', '/api/v1/flights/export?format=yaml', { key: adaKey })
    assert.deepEqual(parseYaml(yaml.text), json.json)
    assert.deepEqual(notes(json.json.flights), notes(list.json.data))
    const legacy = await app().request('GET', '/api/flight/list', { key: adaKey })
    assert.deepEqual(notes(legacy.json.flights), notes(list.json.data))
    assert.equal((await app().request('GET', '/api/v1/stats', { key: adaKey })).status, 200)
  })

  test('searches treat hostile input as text, filters refuse it as an unknown value', async () => {
    for (const text of hostile.filter((_, i) => i % 3 === 0)) {
      const query = encodeURIComponent(text.trim() || 'x')
      for (const path of ['/airports', '/airlines', '/aircraft']) {
        const reply = await app().request('GET', `/api/v1${path}?query=${query}`, { key })
        assert.equal(reply.status, 200, `${path} ${text} ${reply.text}`)
      }
      for (const path of [`/flights?cursor=${query}`, `/flights?limit=${query}`, `/flights?scope=${query}`]) {
        assert.equal((await app().request('GET', `/api/v1${path}`, { key })).status, 400, path)
      }
      const of = await app().request('GET', `/api/v1/flights?scope=user&userId=${query}`, { key })
      assert.deepEqual([of.status, of.json.error.code], [400, 'bad_request'])
      assert.equal((await app().request('GET', `/share/${query}/data`)).status, 404)
    }
  })

  sqliteTest('names of people are shown as text on every page', async () => {
    for (const text of hostile.filter((given) => given.trim().length >= 3 && given.length < 100)) {
      const profile = { username: owner.username, displayName: text }
      const reply = await app().request('PUT', '/app/api/me', { cookie, body: profile })
      assert.equal(reply.status, nameFault(text.trim()) ? 422 : 204, `${text} ${reply.text}`)
      const next = encodeURIComponent(`/x${text}`)
      for (const path of [
        `/sign-in?next=${next}`,
        `/oauth/authorize?client_id=${next}`,
        '/oauth/consent?id=1',
      ]) {
        const page = await app().request('GET', path, path.includes('consent') ? { cookie } : {})
        // The picture and the script of the page are ours.
        const rest = page.text
          .replace(/<img src="\/globe\.svg\?v=\w+" alt="" width="\d+" height="\d+">/, '')
          .replace('<script type="module" src="/sign-in.js"></script>', '')
        assert.ok(!/<(script|img|svg\/|\/title><svg)/.test(rest), `${path} ${text}`)
        assert.equal(page.headers['set-cookie']?.some((line) => line.includes('stolen')) ?? false, false)
      }
    }
  })

  sqliteTest('sign-in never redirects to another site', async () => {
    for (const next of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      '/%09/evil.example',
      'javascript:alert(1)',
      '/..//evil.example',
      '/.//evil.example',
      '\\\\evil.example',
      'https:evil.example',
      '/@evil.example',
    ]) {
      const reply = await app().request('GET', `/sign-in?next=${encodeURIComponent(next)}`, { cookie })
      assert.equal(reply.status, 303)
      const { origin } = app().config
      assert.equal(
        new URL(reply.headers.location!, origin).origin,
        origin,
        `${next} → ${reply.headers.location}`,
      )
    }
  })

  sqliteTest('paths cannot leave the folders that are served', async () => {
    const climbs = [
      '../contrail.sqlite',
      '..%2fcontrail.sqlite',
      '%2e%2e/contrail.sqlite',
      '%2e%2e%2fcontrail.sqlite',
      '..%5ccontrail.sqlite',
      '....//contrail.sqlite',
      'airlines/../../contrail.sqlite',
      'airlines%2f..%2f..%2fcontrail.sqlite',
      '/etc/passwd',
      '%00',
      'airlines/aaaaaaaaaaaaaaaaaaaaaaaa.svg%00.png',
    ]
    for (const root of ['/api/uploads/', '/', '/assets/', '/fonts/', '/share/']) {
      for (const climb of climbs) {
        const reply = await app().request('GET', root + climb)
        assert.ok([400, 404].includes(reply.status), `${root + climb} ${reply.status}`)
        assert.ok(!/SQLite format|root:/.test(reply.text), root + climb)
      }
    }
  })

  sqliteTest('pictures with active content are refused', async () => {
    const made = await app().request('POST', '/app/api/airlines', { cookie, body: { name: 'Hostile Air' } })
    const put = (raw: string | Buffer) =>
      app().request('PUT', `/app/api/airlines/${made.json.data.id}/icon`, {
        cookie,
        raw,
        headers: { 'content-type': 'image/svg+xml' },
      })
    const svg = (inside: string) => `<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`
    for (const raw of [
      svg('<script>alert(1)</script>'),
      svg('<a onclick="x()">x</a>'),
      svg('<x:script xmlns:x="http://www.w3.org/2000/svg">1</x:script>'),
      svg('<foreignObject><iframe src="https://evil.example"/></foreignObject>'),
      `<!DOCTYPE svg [<!ENTITY x "${'y'.repeat(100)}">]>${svg('&x;')}`,
      '<html><script>alert(1)</script></html>',
      'GIF89a<script>',
      '<!---->'.repeat(100_000),
      `<?xml ${' '.repeat(100_000)}`,
      `${' '.repeat(200_000)}x`,
      Buffer.from(svg('<script/>'), 'utf16le'),
    ]) {
      const reply = await put(raw)
      assert.ok([400, 422].includes(reply.status), `${raw.slice(0, 60)} ${reply.status}`)
    }
  })

  sqliteTest('deeply nested bodies, prototype keys and huge lists are refused or ignored', async () => {
    const deep = (open: string, close: string) => open.repeat(100_000) + close.repeat(100_000)
    const flight = { date: '2026-05-01', ...ids, passengers: [{ userId: owner.id }] }
    const text = JSON.stringify(flight).slice(0, -1)
    for (const [raw, status] of [
      [deep('[', ']'), 400],
      [`${deep('{"a":', '').slice(0, -1)}:1${'}'.repeat(100_000)}`, 400],
      [`${text},"customFields":{"a":${deep('[', ']')}}}`, 400],
      [`${text},"customFields":{"__proto__":{"polluted":1}},"__proto__":{"polluted":1}}`, 201],
      [`${text},"constructor":{"prototype":{"polluted":1}}}`, 201],
      [
        JSON.stringify({
          ...flight,
          passengers: Array.from({ length: 1001 }, (_, i) => ({ guestName: `${i}` })),
        }),
        422,
      ],
      [JSON.stringify({ ...flight, id: 1, userId: 'x', isOwner: true, createdAt: '1970-01-01' }), 201],
    ] as const) {
      const reply = await app().request('POST', '/api/v1/flights', { key, raw })
      assert.equal(reply.status, status, `${raw.slice(0, 80)} ${reply.text.slice(0, 200)}`)
      if (status === 201) assert.notEqual(reply.json.data.createdAt, '1970-01-01')
    }
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined)
  })

  sqliteTest('extra fields in a request grant no permissions', async () => {
    const bob = await app().person()
    const session = await bob.session()
    const before = await app().request('GET', '/app/api/me', { cookie: session })
    const more = {
      isOwner: true,
      is_owner: 1,
      roleId: 'role-administrator',
      role: null,
      permissions: ['roles.manage'],
    }
    const names = { username: bob.username, displayName: 'Bob B', ...more, id: owner.id, userId: owner.id }
    assert.equal((await app().request('PUT', '/app/api/me', { cookie: session, body: names })).status, 204)
    const { json } = await app().request('GET', '/app/api/me', { cookie: session })
    assert.deepEqual(json.data.permissions, before.json.data.permissions)
    assert.deepEqual(json.data.role, before.json.data.role)
    assert.equal(json.data.user?.id ?? json.data.id, bob.id)
    for (const [method, path, body] of [
      ['PUT', `/app/api/users/${bob.id}/role`, { roleId: 'role-administrator' }],
      ['PUT', `/app/api/users/${owner.id}`, { username: 'owned', displayName: 'Owned' }],
      ['DELETE', `/app/api/users/${owner.id}`, undefined],
      ['POST', '/app/api/roles', { name: 'all', permissions: ['roles.manage'] }],
      ['PUT', '/app/api/default-role', { roleId: 'role-administrator' }],
      ['POST', '/app/api/api-keys', { name: 'x', scopes: ['roles.manage'] }],
    ] as const) {
      const reply = await app().request(method, path, { cookie: session, body })
      assert.equal(reply.status, 403, `${method} ${path} ${reply.text}`)
    }
  })
})
