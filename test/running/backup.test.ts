// A backup contains the whole instance and moves from one engine to the other and back.
import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { tables } from '../../server/store/instance/backup.ts'
import { saveMailAddress } from '../../server/store/intake/mail-addresses.ts'
import { mailboxes } from '../../server/store/intake/mailboxes.ts'
import { freshDatabase, startTestApp, type TestApp } from '../harness.ts'
import { calendar, serving, startCalendarHost, toNewark } from '../intake/calendar-host.ts'
import {
  approve,
  connect,
  createFlow,
  exchange,
  openConsent,
  refreshExchange,
  statusWith,
} from '../oauth/browser.ts'
import { backUpUnderWrites, linesOf, newFile, run } from '../operator/backups.ts'

type Fresh = Awaited<ReturnType<typeof freshDatabase>>

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Ways to sign in, as stored in the tables. */
async function addWaysIn({ store }: TestApp): Promise<void> {
  const at = '2026-01-01T00:00:00.000Z'
  const someone = '(select id from person order by id limit 1)'
  await store.transaction(async (tx) => {
    await tx.query(
      `insert into identity (user_id, issuer, subject, label, created_at, last_used_at) values (${someone}, 'https://id.example.org', 'ada', 'ada', '${at}', '${at}')`,
      [],
    )
    await tx.query(
      `insert into passkey (user_id, credential_id, public_key, counter, transports, name, created_at) values (${someone}, 'abc', 'def', 7, '[]', 'Phone', '${at}')`,
      [],
    )
    await tx.query(
      `insert into second_factor (user_id, secret, enabled_at, created_at) values (${someone}, 's1.x', '${at}', '${at}')`,
      [],
    )
    await tx.query(`insert into recovery_code (user_id, hash) values (${someone}, 'x')`, [])
  })
}

const device = {
  endpoint: 'https://push.example.net/send/Zm9v',
  keys: {
    p256dh: 'BKDTeuFTxgxe54xUdnjy_CQORmaZ3E4XH_2NB_KH6eeNleQRpF6YtjQbl_m5mXd8SVS0FNWQZ7o-2UeSjx0oMj4',
    auth: 'KQMcle6zGlwBIyMQ93SxtA',
  },
}
const pass = { text: 'M1ROSSI/MARIA         EQ7RT2M CPHLHRSK 0501 167Y012C0041 100', format: 'aztec' }

/** Creates records of every kind through the API. */
async function live(app: TestApp) {
  const owner = await app.person('owner')
  const other = await app.person()
  const [key, cookie] = [await owner.key(), await owner.session()]
  const send = async (method: string, path: string, body: unknown) => {
    const reply = await app.request(method, path, { cookie, body })
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`)
    return reply.json?.data
  }
  const airport = await send('POST', '/app/api/airports', {
    icao: 'X-1',
    name: 'Meadow “Zoë” 🛩\u2028',
    latitude: 55.000000000000014,
    longitude: -12.3,
    timezone: 'Europe/Copenhagen',
    continent: 'EU',
    country: 'DK',
  })
  const airlines = await app.request('GET', '/app/api/airlines?query=SAS', { cookie })
  const airline = airlines.json.data[0]
  const icon = await app.request('PUT', `/app/api/airlines/${airline.id}/icon`, {
    cookie,
    raw: png,
    headers: { 'content-type': 'image/png' },
  })
  assert.ok(icon.status < 300, icon.text)
  const field = (entityType: string, name: string, fieldType: string) =>
    send('POST', '/app/api/custom-fields', { entityType, key: name, label: name, fieldType })
  const ownAirline = await send('POST', '/app/api/airlines', { name: 'Ætherflug “Ö”', icao: 'QZ9' })
  const ownAircraft = await send('POST', '/app/api/aircraft', { name: 'Дирижабль 飛行船', icao: 'ZZZ9' })
  await field('flight', 'alternate', 'airport')
  await field('flight', 'carrier', 'airline')
  await field('flight', 'fare', 'number')
  await field('flight', 'upgraded', 'boolean')
  await field('flight', 'booked', 'date')
  await field('flight_passenger', 'meal', 'text')
  const [cph, osl, jfk] = [await app.airportId('CPH'), await app.airportId('OSL'), await app.airportId('JFK')]
  for (let i = 0; i < 40; i++) {
    const flight = await send('POST', '/app/api/flights', {
      date: `2025-${String((i % 12) + 1).padStart(2, '0')}-11`,
      fromId: i % 2 ? cph : airport.id,
      toId: osl,
      airlineId: i % 4 ? airline.id : ownAirline.id,
      aircraftId: i % 5 ? null : ownAircraft.id,
      ...(i % 6 ? {} : { departure: `2025-${String((i % 12) + 1).padStart(2, '0')}-11T23:30:00+02:00` }),
      ...(i === 5 ? { externalIds: { tripit: '77 “Ö”' } } : {}),
      note: i === 3 ? 'line\nbreak, "quotes", \\ and \u2028' : null,
      customFields: {
        alternate: jfk,
        carrier: ownAirline.id,
        fare: 0.1 + 0.2,
        upgraded: i % 2 === 0,
        booked: '2024-02-29',
      },
      passengers: [
        { userId: owner.id, seat: 'window', customFields: { meal: 'fish' } },
        i % 3 ? { userId: other.id } : { guestName: 'Grace' },
      ],
    })
    if (i < 2) await send('PUT', `/app/api/flights/${flight.id}/track`, track)
  }
  await send('PUT', '/app/api/notification-settings', { reminderMinutes: [240] })
  await send('POST', '/app/api/push-subscriptions', device)
  const ahead = await send('POST', '/app/api/flights', {
    date: '2026-06-16',
    fromId: cph,
    toId: await app.airportId('LHR'),
    passengers: [{ userId: owner.id }],
  })
  await send('PUT', `/app/api/flights/${ahead.id}/kept-pass`, pass)
  await send('POST', '/app/api/shares', { slug: 'our-flights' })
  const feed = await send('POST', '/app/api/feeds', { kind: 'json', name: 'All', redact: ['note'] })
  const brought = await send('POST', '/app/api/imports', {
    filename: 'flüge.csv',
    text: 'Date,Flight number,From,To,Dep time,Arr time,Duration\n2024-01-05,SK909,Nowhere (QQQ/QQQQ),CPH,,,\n',
  })
  const answers = [{ kind: 'unknown_airport', value: brought.questions[0].value, id: osl }]
  await send('PATCH', `/app/api/imports/${brought.id}`, { answers })
  await send('POST', '/app/api/webhooks', { url: 'https://receiver.example/flights' })
  const host = await startCalendarHost()
  host.respond = serving(calendar(toNewark))
  await send('POST', '/app/api/subscriptions', { url: host.url, name: 'Reisen' })
  await host.close()
  await app.store.transaction(async (tx) => {
    const mailbox = {
      host: 'imap.example.org',
      port: 993,
      security: 'tls',
      username: 'ada',
      folder: 'Reisen',
    } as const
    const position = { uidValidity: 4_294_967_295, lastUid: 4_294_967_294, since: '2026-01-01T00:00:00.000Z' }
    const now = '2026-01-01T00:00:00.000Z'
    await mailboxes.insert(tx, { ...mailbox, ...position, userId: owner.id, password: 'sealed', now })
    await saveMailAddress(tx, { userId: owner.id, token: 'sealed', hash: 'h', now })
  })
  await send('PUT', '/app/api/visited-countries', { code: 'JP', status: 'visited', note: '東京 \u{1F5FC}' })
  await send('POST', '/app/api/demo', undefined)
  // The last id is deleted and must not be used again.
  const gone = Math.max(...(await flightIds(app, key)))
  await app.request('DELETE', `/api/v1/flights/${gone}`, { key })
  const { flow, tokens, browser } = await connect(app)
  // A consent request is pending, and an app is about to exchange its code.
  await openConsent(browser, createFlow(app, flow.client))
  await approve(browser, createFlow(app, flow.client))
  return { key, icon: icon.json.data.iconPath as string, flow, tokens, feed: new URL(feed.url).pathname }
}

const track = {
  coordinates: [
    [12.65, 55.61, 5],
    [0, 60, 11_000.5],
    [-73.77, 40.63],
  ],
  times: [1_771_500_000, 1_771_510_000, 1_771_520_000],
  ground: [true, false, true],
  sourceFormat: 'gpx',
  sourceName: 'flight.gpx',
}

async function flightIds(app: TestApp, key: string): Promise<number[]> {
  const { json } = await app.request('GET', '/api/v1/flights?limit=100&scope=all', { key })
  return json.data.map(({ id }: { id: number }) => id)
}

type Lived = Awaited<ReturnType<typeof live>>

/** What a user sees of the instance. */
async function seen(database: Fresh, { key, flow, tokens, feed }: Lived) {
  const app = await startTestApp(database.databaseUrl ? 'postgres' : 'sqlite', database)
  try {
    const get = (path: string) => app.request('GET', path, { key })
    const list = await get('/api/v1/flights')
    return {
      own: (await get('/api/v1/flights/export')).text,
      everybodys: (await get('/api/v1/flights/export?scope=all')).text,
      list: list.text,
      deleted: (await get('/api/v1/flights/deleted?scope=all')).text,
      stats: (await get('/api/v1/stats')).text,
      share: (await get('/api/v1/shares')).text,
      feed: (await app.request('GET', feed)).text,
      imports: (await get('/api/v1/imports')).text,
      countries: (await get('/api/v1/visited-countries')).text,
      etag: list.headers.etag,
      nextId: await nextFlightId(app, key),
      application: await statusWith(app, tokens.access_token),
      refreshed: (await exchange(app, refreshExchange(flow, tokens.refresh_token))).scope,
    }
  } finally {
    await app.close()
  }
}

async function nextFlightId(app: TestApp, key: string): Promise<number> {
  const me = (await app.request('GET', '/api/v1/me', { key })).json.data
  const body = { date: '2026-01-01', fromId: 1, toId: 2, passengers: [{ userId: me.id }] }
  const [fromId, toId] = [await app.airportId('CPH'), await app.airportId('OSL')]
  const made = await app.request('POST', '/api/v1/flights', { key, body: { ...body, fromId, toId } })
  assert.equal(made.status, 201, made.text)
  await app.request('DELETE', `/api/v1/flights/${made.json.data.id}`, { key })
  return made.json.data.id
}

/**
 * The rows and uploads of a backup, without what must differ: its header, counters, versions, checksum and the events of restores.
 */
function rowsIn(file: string): string[] {
  const lines = linesOf(file).slice(1, -1)
  let table = ''
  return lines.filter((line) => {
    if (line.startsWith('{"table"')) table = JSON.parse(line).table
    const isRestore = table === 'audit_event' && line.includes('"instance.restored"')
    const isVersion = /^\["(referenceVersion|lastVersion)"/.test(line)
    return table !== 'revision' && !isVersion && !isRestore
  })
}

/** The last id of a flight, even if that flight was deleted. */
function lastIdIn(file: string): number {
  return JSON.parse(linesOf(file)[0]!).lastIds.flight
}

test('a backup of a busy instance moves from SQLite to PostgreSQL and back, and the export stays byte for byte', async () => {
  const first = await freshDatabase('sqlite')
  const app = await startTestApp('sqlite', first)
  const lived = await live(app)
  await addWaysIn(app)
  const [one, two, three] = [newFile(), newFile(), newFile()]
  const saved = await backUpUnderWrites(app, first, one)
  await app.close()
  assert.equal(saved.err, '')
  const { counts } = JSON.parse(linesOf(one)[0]!)
  assert.deepEqual(
    tables.filter(({ name }) => !(counts[name] > 0)).map(({ name }) => name),
    [],
    'the log uses every table',
  )
  assert.equal(saved.out, `saved 4 people, ${counts.flight} flights and 1 upload to ${one}\n`)
  assert.equal(statSync(one).mode & 0o777, 0o600)
  const before = await seen(first, lived)

  const second = await freshDatabase('postgres')
  const restored = await run(second, 'restore', one)
  assert.equal(restored.err, '')
  assert.match(restored.out, /^restored 4 people, \d+ flights and 1 upload from .* by Contrail \d/)
  assert.equal((await run(second, 'backup', two)).code, 0)
  assert.deepEqual(rowsIn(two), rowsIn(one))
  assert.equal(linesOf(two).filter((line) => line.includes('"instance.restored"')).length, 1)
  const between = await seen(second, lived)

  const third = await freshDatabase('sqlite')
  assert.equal((await run(third, 'restore', two)).code, 0)
  assert.equal((await run(third, 'backup', three)).code, 0)
  assert.deepEqual(rowsIn(three), rowsIn(one))
  const after = await seen(third, lived)

  assert.equal(after.everybodys, between.everybodys)
  for (const later of [between, after]) {
    for (const what of [
      'own',
      'list',
      'deleted',
      'stats',
      'share',
      'feed',
      'countries',
      'application',
      'refreshed',
    ] as const)
      assert.equal(later[what], before[what], what)
    assert.equal(later.application, 200)
    assert.notEqual(later.etag, before.etag)
    assert.ok(later.nextId > lastIdIn(one), 'an id is never used twice')
  }
  const file = join(third.dataDir, 'uploads', lived.icon.replace(/^.*(airlines\/)/, '$1'))
  assert.deepEqual(readFileSync(file), png)
  await second.drop()
})
