// Notices that no other person causes: a new sign-in, a pending import, a failed backup, a share made by a program. Each
// cause makes one notice.
import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { DAY } from '../../server/domain/time/durations.ts'
import { deleteExpired } from '../../server/process/cleanup.ts'
import { hashPassword } from '../../server/services/accounts/passwords.ts'
import { makeBackup } from '../../server/services/backup/schedule.ts'
import { updatePassword } from '../../server/store/people/people.ts'
import { onBothEngines, type Reply, type TestApp, type TestPerson } from '../harness.ts'
import { readImport } from '../imports/judged.ts'
import { callTool } from '../mcp/clients.ts'
import { connect } from '../oauth/browser.ts'

interface Notice {
  id: number
  kind: string
  data: Record<string, unknown>
}

async function noticesOf(app: TestApp, who: TestPerson): Promise<Notice[]> {
  const reply = await app.request('GET', '/app/api/notices', { cookie: await who.session() })
  assert.equal(reply.status, 200, reply.text)
  return reply.json.data
}

async function markRead(app: TestApp, who: TestPerson): Promise<void> {
  const [newest] = await noticesOf(app, who)
  await app.request('POST', '/app/api/notices/read', {
    cookie: await who.session(),
    body: { upTo: newest!.id },
  })
}

const knownCookie = (reply: Reply) =>
  reply.headers['set-cookie']?.find((line) => /^(__Host-)?contrail-known=/.test(line))?.split(';')[0] ?? ''

onBothEngines('notices of automatic events', (app) => {
  test('a sign-in with a new browser makes one notice per browser', async () => {
    const ada = await app().person()
    const hash = await hashPassword('kitty hawk')
    await app().store.transaction((tx) => updatePassword(tx, ada.id, hash))
    const signIn = async (userAgent: string, cookie?: string): Promise<Reply> => {
      const reply = await app().request('POST', '/app/api/sign-in', {
        body: { username: ada.username, password: 'kitty hawk' },
        cookie,
        headers: { 'sec-fetch-site': 'same-origin', 'user-agent': userAgent },
      })
      assert.equal(reply.status, 204, reply.text)
      return reply
    }
    const first = await signIn('Firefox/140')
    const kinds = async () => (await noticesOf(app(), ada)).map(({ kind }) => kind)
    assert.deepEqual(await kinds(), [], 'the first sign-in of all is no news')
    await signIn('Firefox/140', knownCookie(first))
    assert.deepEqual(await kinds(), [], 'nor is one with a known browser')
    await signIn('Safari/600')
    await signIn('Safari/600')
    const [notice, ...others] = await noticesOf(app(), ada)
    const [userAgent, device] = [notice?.data['userAgent'], notice?.data['device']]
    assert.deepEqual([notice?.kind, userAgent, device], ['session.new', 'Safari/600', 'Safari'])
    assert.deepEqual(
      others.map(({ kind }) => kind),
      ['session.new'],
      'two browsers that look alike are two',
    )
    assert.equal(typeof notice?.data['address'], 'string')
    await markRead(app(), ada)
    await signIn('Safari/600')
    assert.equal((await kinds()).length, 3, 'again once they were read')
    await signIn('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0')
    await signIn('curl/8.9')
    const devices = (await noticesOf(app(), ada)).map(({ data }) => data['device'])
    assert.deepEqual(devices, [null, 'Firefox on Linux', 'Safari', 'Safari', 'Safari'])
  })

  test('an import left open for a day makes one notice', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const text = 'Date,Airline,Flight,From,To\n2024-05-10,SAS,1416,CPH,ARN\n'
    const started = await app().request('POST', '/api/v1/imports', {
      key,
      body: { filename: 'FlightyExport.csv', text },
    })
    const { id } = started.json.data
    await readImport(app(), key, id)
    const later = async (ms: number) => deleteExpired(app().store, app().clock.now() + ms)
    await later(DAY - 60_000)
    assert.deepEqual(await noticesOf(app(), ada), [])
    await later(DAY + 60_000)
    await later(DAY + 120_000)
    const [notice, ...others] = await noticesOf(app(), ada)
    assert.deepEqual([notice?.kind, others], ['import.waiting', []])
    assert.deepEqual(notice?.data, {
      importId: id,
      filename: 'FlightyExport.csv',
      questions: 0,
      status: 'ready',
    })
    await markRead(app(), ada)
    await later(2 * DAY)
    assert.equal((await noticesOf(app(), ada)).length, 1, 'and never again')
    const committed = await app().request('POST', `/api/v1/imports/${id}/commit`, { key, body: {} })
    assert.ok(committed.status < 300, committed.text)
    await readImport(app(), key, id)
    assert.notEqual((await noticesOf(app(), ada))[0]?.data['status'], 'ready')
  })

  test('a failed backup makes one notice per reason for administrators', async () => {
    const [ada, eve] = [await app().person(), await app().person('role-administrator')]
    const fail = (backupDir: string) =>
      assert.rejects(
        makeBackup({
          store: app().store,
          uploads: app().services.uploads,
          config: { backupDir, backupKeep: 3, backupEveryMs: 86_400_000 },
          clock: app().clock,
        }),
      )
    const missing = join(mkdtempSync(join(process.env['TEST_SCRATCH']!, 'backups-')), 'not', 'there')
    await fail(missing)
    await fail(missing)
    const found = await noticesOf(app(), eve)
    assert.deepEqual(
      found.map(({ kind, data }) => [kind, data]),
      [['backup.failed', { reason: 'folder_missing' }]],
    )
    assert.deepEqual(await noticesOf(app(), ada), [])
    await markRead(app(), eve)
    await fail(missing)
    assert.equal((await noticesOf(app(), eve)).length, 2)
  })

  test('a share made or widened by a program makes a notice, merged per program', async () => {
    const { person: ada, tokens } = await connect(app(), 'shares.write')
    const [cookie, key] = [await ada.session(), await ada.key(['shares.write'])]
    const sent = async (
      method: string,
      path: string,
      body: object,
      by: { key: string } | { cookie: string },
    ) => {
      const root = 'cookie' in by ? '/app/api' : '/api/v1'
      const reply = await app().request(method, `${root}/shares${path}`, { ...by, body })
      assert.ok(reply.status < 300, reply.text)
      return reply.json.data
    }
    const told = async () =>
      (await noticesOf(app(), ada))
        .filter(({ kind }) => kind === 'share.published')
        .map(({ data: { shareId, how, program, shares } }) => [shareId, how, program, shares])
    const narrow = {
      showDates: false,
      dateFrom: '2024-01-01',
      dateTo: '2024-12-31',
      expiresAt: '2030-01-01T00:00:00Z',
    }

    const own = await sent('POST', '', narrow, { cookie })
    await sent('PUT', `/${own.id}`, { ...narrow, showFlightList: true }, { cookie })
    await sent('PUT', `/${own.id}`, narrow, { key })
    await sent('PUT', `/${own.id}`, { ...narrow, dateFrom: '2024-02-01', showAirlines: false }, { key })
    assert.deepEqual(await told(), [], 'shares by the web app, and a share that shows less')

    await sent('PUT', `/${own.id}`, narrow, { key })
    const first = [own.id, 'widened', 'test', 1]
    assert.deepEqual(await told(), [first])
    await sent('PUT', `/${own.id}`, narrow, { key })
    const made = await sent('POST', '', {}, { key })
    assert.deepEqual(await told(), [[made.id, 'created', 'test', 2]])
    await sent('PUT', `/${made.id}`, { showFlightList: true }, { key })
    assert.deepEqual(await told(), [[made.id, 'created', 'test', 2]], 'the same share counts once')

    const byApp = await sent('POST', '', narrow, { key: tokens.access_token })
    assert.deepEqual((await told())[0]?.slice(0, 2), [byApp.id, 'created'])
    assert.equal((await told())[0]?.[2], 'Test client')
    await markRead(app(), ada)
    const called = await callTool(app(), key, 'create_share', narrow)
    assert.equal((await told())[0]?.[0], called.structuredContent.data.id)
    assert.equal((await told()).length, 3)
  })

  test('each change that lets a share show more makes a notice', async () => {
    const ada = await app().person()
    const [cookie, key] = [await ada.session(), await ada.key()]
    const off = {
      ...{ showMap: false, showFlightNumbers: false, showAirlines: false, showDates: false },
      ...{ dateFrom: '2024-01-01', dateTo: '2024-12-31', expiresAt: '2030-01-01T00:00:00Z' },
    }
    const wider: object[] = [
      ...['showMap', 'showStats', 'showFlightList', 'showFlightNumbers', 'showAirlines'],
      ...['showAircraft', 'showTimes', 'showDates', 'showSeat'],
    ].map((name) => ({ [name]: true }))
    wider.push({ showMap: true, showTracks: true }, { dateFrom: null }, { dateFrom: '2023-12-31' })
    wider.push({ dateTo: null }, { dateTo: '2025-01-01' }, { expiresAt: null })
    wider.push({ expiresAt: '2030-01-01T00:00:01Z' })
    const share = await app().request('POST', '/app/api/shares', { cookie, body: off })
    const path = `/shares/${share.json.data.id}`
    for (const more of wider) {
      const count = (await noticesOf(app(), ada)).length
      await app().request('PUT', `/app/api${path}`, { cookie, body: off })
      const reply = await app().request('PUT', `/api/v1${path}`, { key, body: { ...off, ...more } })
      assert.equal(reply.status, 200, reply.text)
      assert.equal((await noticesOf(app(), ada)).length, count + 1, JSON.stringify(more))
      await markRead(app(), ada)
    }
  })
})
