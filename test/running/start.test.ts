// Startup: first the port, then the data. Every failure is one line with advice; test/operator/settings.test.ts tests all
// of them.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import pg from 'pg'
import { createLogger } from '../../server/base/log.ts'
import { sharedPortLock } from '../../server/process/claim-port.ts'
import { openStore } from '../../server/store/store.ts'
import { freshDatabase } from '../harness.ts'
import { freePort } from '../postgres.ts'
import { until } from '../until.ts'
import { ask, type ServerProcess, StartError, startServer } from './processes.ts'

const scratch = process.env['TEST_SCRATCH']!
const isRoot = process.getuid?.() === 0
const STARTUP_LOCK = 727_351_001

/** The message of a failed start, without the prefix. */
async function refusal(
  place: { databaseUrl?: string | undefined; dataDir?: string },
  settings: Record<string, string> = {},
): Promise<{ message: string; code: number | null }> {
  const full = { databaseUrl: undefined, dataDir: join(scratch, 'never'), ...place }
  const error: unknown = await startServer(full, settings).then(
    (server) => server.stop('SIGKILL').then(() => assert.fail('it started')),
    (reason) => reason,
  )
  assert.ok(error instanceof StartError, String(error))
  const [, message] = /^contrail: ([^\n]+)\n$/.exec(error.output) ?? assert.fail(error.output)
  return { message: message!, code: error.code }
}

/** During startup every address responds in its own format, and a browser gets a page that reloads. */
async function requireStartingShapes(get: (path: string, headers?: object) => Promise<Response>) {
  const message = 'This server is starting'
  const inShape = async (path: string) => {
    const reply = await get(path)
    assert.equal(reply.status, 503, path)
    assert.match(reply.headers.get('retry-after') ?? '', /^\d+$/)
    assert.equal(reply.headers.get('x-content-type-options'), 'nosniff')
    return reply.json()
  }
  const error = { error: { code: 'unavailable', reason: 'server_starting', message } }
  for (const path of ['/api/v1/me', '/api/mcp', '/app/api/me', '/'])
    assert.deepEqual(await inShape(path), error, path)
  for (const path of ['/api/flight/list', '/api//flight/export?format=csv', '/api/stats'])
    assert.deepEqual(await inShape(path), { success: false, message }, path)
  assert.deepEqual(await inShape('/oauth/token'), {
    error: 'temporarily_unavailable',
    error_description: message,
  })
  const asBrowser = { accept: 'text/html,*/*;q=0.8', 'accept-language': 'de-DE,de;q=0.9' }
  const page = await get('/flights/12', asBrowser)
  assert.deepEqual([page.status, page.headers.get('refresh')], [503, '2'])
  assert.match(
    page.headers.get('content-security-policy')!,
    /^default-src 'none'; style-src 'sha256-[^']+'; /,
  )
  const text = await page.text()
  assert.match(text, /<html lang="de">[\s\S]*<h1>Contrail startet<\/h1>/)
  const hash = createHash('sha256')
    .update(/<style>([\s\S]*)<\/style>/.exec(text)![1]!)
    .digest('base64')
  assert.ok(page.headers.get('content-security-policy')!.includes(hash))
  assert.deepEqual(await (await get('/api/v1/me', asBrowser)).json(), error)
}

describe('claiming the port', () => {
  for (const WORKERS of ['1', '2']) {
    test(`a second server on the port reports it and changes nothing, with ${WORKERS} workers`, async () => {
      const blocker = createServer()
      await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve))
      const { port } = blocker.address() as { port: number }
      const dataDir = join(scratch, `untouched-${WORKERS}-${process.pid}`)
      const expected = {
        message: `port ${port} is in use, perhaps by another Contrail; stop that program or set PORT to another number`,
        code: 1,
      }
      assert.deepEqual(await refusal({ dataDir }, { PORT: String(port), WORKERS }), expected)
      assert.equal(existsSync(dataDir), false)
      blocker.close()
    })

    test(`during migrations requests get 503 and liveness 200, with ${WORKERS} workers`, async () => {
      const { databaseUrl, dataDir, drop } = await freshDatabase('postgres')
      const port = await freePort()
      // Another process migrates.
      const other = new pg.Client({ connectionString: databaseUrl! })
      await other.connect()
      await other.query('select pg_advisory_lock($1)', [STARTUP_LOCK])
      const starting = startServer({ databaseUrl, dataDir }, { PORT: String(port), WORKERS })
      const get = (path: string, headers = {}) =>
        fetch(`http://127.0.0.1:${port}${path}`, { headers }).catch(() => undefined)
      await until('the server responds', () => get('/readyz'))
      await requireStartingShapes(async (path, headers) => (await get(path, headers))!)
      assert.equal((await get('/readyz'))?.status, 503)
      assert.equal((await get('/healthz'))?.status, 200)
      await other.end()
      // On separate connections, so that every process that accepts them gets some.
      const status = () =>
        ask(port, 'GET', '/readyz').then(
          (one) => one.status,
          () => undefined,
        )
      await until('the server is ready', async () => (await status()) === 200)
      const later = new Set<number | undefined>()
      for (let i = 0; i < 60; i++) later.add(await status())
      assert.deepEqual(later, new Set([200]), 'ready means that all are')
      const server = await starting
      assert.equal(new URL(server.url).port, String(port))
      assert.ok(server.output().startsWith(`Contrail is starting… Open http://localhost:${port}\n`))
      assert.equal(await server.stop(), 0)
      await drop()
    })
  }

  test('of two servers started concurrently on the same data and port, one serves', async () => {
    const { dataDir } = await freshDatabase('sqlite')
    const PORT = String(await freePort())
    const starts = await Promise.allSettled(
      [1, 2].map(() => startServer({ databaseUrl: undefined, dataDir }, { PORT, WORKERS: '2' })),
    )
    const [server] = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
    const [failure] = starts.flatMap((start) => (start.status === 'rejected' ? [start.reason] : []))
    assert.match((failure as StartError).output, /port \d+ is in use/)
    assert.equal((await fetch(`${server!.url}/readyz`)).status, 200)
    assert.equal(await server!.stop(), 0)
  })

  test('a server that will share the port with its workers excludes others', {
    skip: process.platform !== 'linux',
  }, async () => {
    const port = await freePort()
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(sharedPortLock(port, '127.0.0.1'), resolve))
    const { message } = await refusal({}, { PORT: String(port), WORKERS: '2' })
    assert.match(message, /^port \d+ is in use/)
    other.close()
  })

  test('the first start prints the address, the progress and the next step', async () => {
    const dataDir = mkdtempSync(join(scratch, 'first-'))
    const PORT = String(await freePort())
    const misspelt = { DATADIR: 'hunter22', EDITOR: 'vi' }
    const server = await startServer(
      { databaseUrl: undefined, dataDir },
      { PORT, HOST: '0.0.0.0', ...misspelt },
    )
    const warnings = server.lines.filter(({ level }) => level === 'warn')
    assert.deepEqual(
      warnings.map(({ message, reason }) => [message, reason]),
      [['a variable is ignored', 'DATADIR is not a setting (did you mean DATA_DIR?)']],
    )
    assert.ok(!server.output().includes('hunter22'), 'the value may be a secret')
    const origin = `http://localhost:${PORT}`
    const { setupToken: token } = server.lines.find((line) => line.setupToken)
    await until('it says what to do next', () => server.spoken().includes('Create your account'))
    assert.deepEqual(server.spoken().trim().split('\n'), [
      `Contrail is starting… Open ${origin}`,
      ...[0, 25, 50, 75, 100].map((share) => `Loading airports, airlines and aircraft: ${share} %`),
      `Contrail is ready: ${origin} (it listens on every network of this computer)`,
      `Create your account at ${origin}/setup with the set-up token ${token}`,
    ])
    assert.equal(server.url, `http://0.0.0.0:${PORT}`)
    // Loading the reference data has written the file.
    assert.equal(statSync(join(dataDir, 'contrail.sqlite-wal')).size, 0, 'the write-ahead log is emptied')
    await requireCostOfPasswords(server, dataDir, token)
    assert.equal(await server.stop(), 0)
  })
})

/** Passwords are cheap in the test process (test/preload.ts); this test checks their real cost, also for unknown users. */
async function requireCostOfPasswords(server: ServerProcess, dataDir: string, token: string): Promise<void> {
  const real = '$argon2id$v=19$m=19456,t=2,p=1$'
  const made = await ask(server.port, 'POST', '/app/api/setup', {
    headers: { 'sec-fetch-site': 'same-origin' },
    body: { username: 'ada', displayName: 'Ada', password: 'correct horse', token },
  })
  assert.ok(made.status < 300, made.text)
  const store = await openStore({ databaseUrl: undefined, dataDir }, createLogger('silent'))
  const [person] = await store.read.query('select password_hash as hash from person', [])
  await store.close()
  assert.ok(String(person!['hash']).startsWith(real), String(person!['hash']))
  const source = readFileSync('server/services/accounts/passwords.ts', 'utf8')
  assert.ok(source.includes(`const DECOY =\n  '${real}`), 'verifying the decoy costs the same')
}

describe('a failing start prints the reason', () => {
  test('an unreachable PostgreSQL ends with 1, without showing the password', async () => {
    const refused = await refusal({ databaseUrl: 'postgres://someone:hunter22@127.0.0.1:1/contrail' })
    assert.deepEqual(refused, {
      message:
        'cannot use PostgreSQL at 127.0.0.1:1: connection refused; is PostgreSQL running there and listening on this address and port?',
      code: 1,
    })
  })

  describe('as a user that this system does not know', { skip: isRoot ? false : 'needs root' }, () => {
    const startAs4242 = async (place: { databaseUrl?: string; dataDir: string }) => {
      const words = ['--reuid=4242', '--regid=4243', '--clear-groups', process.execPath, 'server/run.js']
      const starting = startServer({ databaseUrl: undefined, ...place }, {}, ['setpriv', ...words])
      const error: unknown = await starting.then(
        (server) => server.stop('SIGKILL').then(() => assert.fail('it started')),
        (reason) => reason,
      )
      assert.ok(error instanceof StartError, String(error))
      return error.output
    }
    // The folder of this run belongs to root alone.
    const dataDir = mkdtempSync(join(tmpdir(), 'contrail-foreign-'))

    test('a data folder of another owner is named with both owners', async () => {
      for (const [owner, mode] of [
        [1000, 0o700],
        [1000, 0o755],
        [4242, 0o500],
      ] as const) {
        chownSync(dataDir, owner, 1001)
        chmodSync(dataDir, mode)
        assert.equal(
          await startAs4242({ dataDir }),
          owner === 1000
            ? `contrail: cannot use the data folder ${dataDir}: it belongs to 1000:1001 and the server runs as 4242:4243; run "chown -R 4242:4243 ${dataDir}", or set DATA_DIR to another folder\n`
            : `contrail: cannot use the data folder ${dataDir}: this user may not write there; give it to the user that runs Contrail (chown) or set DATA_DIR to another folder\n`,
        )
      }
    })

    test('so is a file in it', async () => {
      chownSync(dataDir, 4242, 4243)
      chmodSync(dataDir, 0o700)
      const file = join(dataDir, 'contrail.sqlite')
      writeFileSync(file, '', { mode: 0o600 })
      assert.match(
        await startAs4242({ dataDir }),
        /contrail\.sqlite belongs to 0:0 and the server runs as 4242:4243/,
      )
    })

    test('the folder is also needed with PostgreSQL', async () => {
      const { databaseUrl, drop } = await freshDatabase('postgres')
      chownSync(dataDir, 1000, 1001)
      chmodSync(dataDir, 0o755)
      const output = await startAs4242({ databaseUrl: databaseUrl!, dataDir })
      await drop()
      assert.match(output, /: it belongs to 1000:1001 and the server runs as 4242:4243; run /)
      assert.equal(output.split('\n').length, 2, output)
    })

    test('an unreachable PostgreSQL is reported as for others', async () => {
      chownSync(dataDir, 4242, 4243)
      const databaseUrl = 'postgres://127.0.0.1:1/contrail'
      assert.match(await startAs4242({ databaseUrl, dataDir }), /: connection refused; is PostgreSQL running/)
    })
  })

  test('a setting with an unusable file ends with 2', async () => {
    const mails = { MAIL_IN_PORT: '2525', MAIL_IN_DOMAIN: 'in.example.org' }
    const { message, code } = await refusal(
      {},
      { ...mails, MAIL_IN_TLS_CERT: join(scratch, 'none'), MAIL_IN_TLS_KEY: join(scratch, 'none') },
    )
    assert.match(message, /^bad setting MAIL_IN_TLS_CERT: .*none cannot be read/)
    assert.equal(code, 2)
  })

  test('a misspelt setting is named together with the missing one', async () => {
    const settings = { OIDC_ISSUER: 'https://id.example.org', OIDC_CLIENTID: 'contrail' }
    const starting = startServer({ databaseUrl: undefined, dataDir: join(scratch, 'never') }, settings)
    await assert.rejects(starting, (error: StartError) => {
      assert.equal(
        error.output,
        'contrail: bad setting OIDC_CLIENT_ID: is required if OIDC_ISSUER is set\n' +
          'contrail: OIDC_CLIENTID is not a setting (did you mean OIDC_CLIENT_ID?)\n',
      )
      return true
    })
  })

  test('a file that is not a database stays unchanged', async () => {
    const dataDir = mkdtempSync(join(scratch, 'damaged-'))
    writeFileSync(join(dataDir, 'contrail.sqlite'), 'not a database'.repeat(100))
    const { message } = await refusal({ dataDir })
    assert.match(message, /: The database of this server is damaged$/)
    assert.equal(readFileSync(join(dataDir, 'contrail.sqlite'), 'utf8'), 'not a database'.repeat(100))
  })
})
