// Startup: first the port, then the data. Every failure is one line that says what to do.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { ConfigError, readConfig } from '../../server/base/config.ts'
import { explainListening, sharedPortLock } from '../../server/process/claim-port.ts'
import { explainSqlite } from '../../server/store/explain.ts'
import { StartError, startServer } from '../faults/process.ts'
import { freshDatabase, runSql } from '../harness.ts'
import { firstCertificate, secondCertificate } from '../intake/certificates.ts'
import { freePort } from '../postgres.ts'
import { ask, contrail } from './processes.ts'

const scratch = process.env['TEST_SCRATCH']!
const admin = process.env['TEST_POSTGRES']!
const STARTUP_LOCK = 727_351_001

/** The message of a failed start, without the prefix. */
async function refusal(
  place: { databaseUrl?: string | undefined; dataDir?: string },
  settings: Record<string, string> = {},
): Promise<{ message: string; code: number | null }> {
  const full = { databaseUrl: undefined, dataDir: join(scratch, 'never'), ...place }
  const error: unknown = await startServer(full, settings).then(
    (server) => server.end('SIGKILL').then(() => assert.fail('it started')),
    (reason) => reason,
  )
  assert.ok(error instanceof StartError, String(error))
  const [, message] = /^contrail: ([^\n]+)\n$/.exec(error.output) ?? assert.fail(error.output)
  return { message: message!, code: error.code }
}

/** While it starts, every address responds in its own shape, and a browser gets a page that reloads. */
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

/** The lines for people, and those for programs. */
// biome-ignore lint/suspicious/noExplicitAny: lines have every shape
function linesOf(output: string): [string[], any[]] {
  const lines = output.trim().split('\n')
  const isJson = (line: string) => line.startsWith('{')
  return [lines.filter((line) => !isJson(line)), lines.filter(isJson).map((line) => JSON.parse(line))]
}

describe('the port comes first', () => {
  for (const WORKERS of ['1', '2']) {
    test(`a second server on it says so and changes nothing, with ${WORKERS} workers`, async () => {
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

    test(`two servers started together on the same data: one serves, with ${WORKERS} workers`, async () => {
      const { dataDir } = await freshDatabase('sqlite')
      const PORT = String(await freePort())
      const starts = await Promise.allSettled(
        [1, 2].map(() => startServer({ databaseUrl: undefined, dataDir }, { PORT, WORKERS })),
      )
      const [server] = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
      const [failure] = starts.flatMap((start) => (start.status === 'rejected' ? [start.reason] : []))
      assert.match((failure as StartError).output, /port \d+ is in use/)
      assert.equal((await fetch(`${server!.url}/readyz`)).status, 200)
      assert.equal(await server!.end('SIGTERM'), 0)
    })

    if (WORKERS === '2' && process.platform === 'linux')
      test('a server that is about to share the port with its workers keeps others away', async () => {
        const port = await freePort()
        const other = createServer()
        await new Promise<void>((resolve) => other.listen(sharedPortLock(port, '127.0.0.1'), resolve))
        const { message } = await refusal({}, { PORT: String(port), WORKERS })
        assert.match(message, /^port \d+ is in use/)
        other.close()
      })

    test(`while it migrates, requests get 503 and the process is alive, with ${WORKERS} workers`, async () => {
      const { databaseUrl, dataDir, drop } = await freshDatabase('postgres')
      const port = await freePort()
      // Another process migrates.
      const other = new pg.Client({ connectionString: databaseUrl! })
      await other.connect()
      await other.query('select pg_advisory_lock($1)', [STARTUP_LOCK])
      const starting = startServer({ databaseUrl, dataDir }, { PORT: String(port), WORKERS })
      const get = (path: string, headers = {}) =>
        fetch(`http://127.0.0.1:${port}${path}`, { headers }).catch(() => undefined)
      while (!(await get('/readyz')));
      await requireStartingShapes(async (path, headers) => (await get(path, headers))!)
      assert.equal((await get('/readyz'))?.status, 503)
      assert.equal((await get('/healthz'))?.status, 200)
      await other.end()
      // On a connection of its own each, so that every process which accepts them gets some.
      const status = () =>
        ask(port, 'GET', '/readyz').then(
          (one) => one.status,
          () => undefined,
        )
      while ((await status()) !== 200);
      const later = new Set<number | undefined>()
      for (let i = 0; i < 200; i++) later.add(await status())
      assert.deepEqual(later, new Set([200]), 'ready means that all are')
      const server = await starting
      assert.equal(new URL(server.url).port, String(port))
      assert.match(server.output(), /^Contrail is starting… Open http:\/\/localhost:3000\n/)
      assert.equal(await server.end('SIGTERM'), 0)
      await drop()
    })
  }

  test('the first start tells people where to open it, how far it is, and what to do next', async () => {
    const dataDir = mkdtempSync(join(scratch, 'first-'))
    const PORT = String(await freePort())
    const server = await startServer(
      { databaseUrl: undefined, dataDir },
      { PORT, HOST: '0.0.0.0', ORIGIN: '' },
    )
    const [, logged] = linesOf(server.output())
    const origin = `http://localhost:${PORT}`
    const token = logged.find((line) => line.setupToken).setupToken
    while (!server.output().includes('Create your account')) await new Promise((next) => setTimeout(next, 20))
    assert.deepEqual(linesOf(server.output())[0], [
      `Contrail is starting… Open ${origin}`,
      ...[0, 25, 50, 75, 100].map((share) => `Loading airports, airlines and aircraft: ${share} %`),
      `Contrail is ready: ${origin} (it listens on every network of this computer)`,
      `Create your account at ${origin}/setup with the set-up token ${token}`,
    ])
    assert.equal(logged.find(({ message }) => message === 'listening').address, `http://0.0.0.0:${PORT}`)
    assert.equal(await server.end('SIGTERM'), 0)
  })

  test('other reasons why it cannot listen', async () => {
    const { message } = await refusal({}, { HOST: '192.0.2.1' })
    assert.match(message, /^HOST 192\.0\.2\.1 is not an address of this machine; /)
    const denied = Object.assign(new Error('listen EACCES'), { code: 'EACCES' })
    assert.match(
      explainListening(denied, 80, '0.0.0.0'),
      /^port 80 needs more rights .* set PORT to 1024 or above/,
    )
  })
})

describe('a PostgreSQL that cannot be used', () => {
  const role = `start_${process.pid}`
  const PASSWORD = 'hunter22'
  before(async () => {
    await runSql(admin, `create role ${role} login password '${PASSWORD}'`)
    await runSql(admin, `create database ${role}_db`)
  })
  after(async () => {
    await runSql(admin, `drop database ${role}_db with (force)`)
    await runSql(admin, `drop role ${role}`)
  })
  const { port } = new URL(admin)
  const at = (host: string, rest: string, user = role, password = PASSWORD) =>
    `postgres://${user}:${password}@${host}/${rest}`

  test('is named with the reason and what to do, never with the password', async () => {
    const here = `127.0.0.1:${port}`
    const cases: [string, RegExp][] = [
      [
        at('127.0.0.1:1', 'x'),
        /^cannot use PostgreSQL at 127\.0\.0\.1:1: connection refused; is PostgreSQL running/,
      ],
      [
        at('db.invalid', 'x'),
        /^cannot use PostgreSQL at db\.invalid: (no such host db\.invalid|the name db\.invalid cannot be resolved); /,
      ],
      [
        at(here, 'x', role, 'wrong-hunter22'),
        new RegExp(`: authentication failed for user ${role}; check the user`),
      ],
      [
        at(here, 'no_such_db'),
        new RegExp(
          `: the database no_such_db does not exist; create it with: createdb --owner ${role} no_such_db$`,
        ),
      ],
      [
        at(here, `${role}_db`),
        new RegExp(
          `: user ${role} may not create tables; run in the database ${role}_db: grant usage, create on schema public to ${role}$`,
        ),
      ],
      [
        at(here, `${role}_db?sslmode=verify-full`),
        /: the server offers no TLS; turn it on there or remove sslmode/,
      ],
      [
        `postgres://${role}@${here}/${role}_db`,
        /: (the server wants a password and DATABASE_URL has none|authentication failed for user \w+); /,
      ],
    ]
    for (const [databaseUrl, expected] of cases) {
      const { message, code } = await refusal({ databaseUrl })
      assert.match(message, expected)
      assert.doesNotMatch(message, /hunter22/)
      assert.equal(code, 1)
    }
  })

  test('an address with an unencoded password is refused as a setting, without showing it', async () => {
    for (const password of ['hunter22#x', 'hunter22/x', '12/hunter22', '12?hunter22', '%hunter22']) {
      const { message, code } = await refusal({ databaseUrl: at('127.0.0.1', 'x', 'ada', password) })
      assert.match(message, /^bad setting DATABASE_URL: .*percent-encode special characters in the password/)
      assert.doesNotMatch(message, /hunter22/)
      assert.equal(code, 2)
    }
  })
})

describe('settings in words', () => {
  test('messages about numbers name the permitted range', async () => {
    const cases: [string, string, string][] = [
      ['PORT', 'abc', 'must be a whole number from 0 to 65535'],
      ['PORT', '70000', 'must be a whole number from 0 to 65535'],
      ['PORT', '80.5', 'must be a whole number from 0 to 65535'],
      ['DATABASE_CONNECTIONS', '1', 'must be a whole number from 2 to 1000'],
      ['XFF_DEPTH', '-1', 'must be a whole number from 1 to 32'],
      ['ADDRESS_HEADER', 'x forwarded for', 'must be the name of a header, such as x-forwarded-for'],
      ['ADDRESS_HEADER', 'x-forwarded-for:', 'must be the name of a header, such as x-forwarded-for'],
      ['CLIENT_ID_DOCUMENTS', 'yes', 'must be true or false'],
      ['WORKERS', '0', 'must be auto or a number from 1 to 256'],
      ['WORKERS', '257', 'must be auto or a number from 1 to 256'],
      ['WORKERS', '1e2', 'must be auto or a number from 1 to 256'],
      ['BACKUP_KEEP', '0x10', 'must be a whole number from 1 to 10000'],
      ['BACKUP_KEEP', '1e3', 'must be a whole number from 1 to 10000'],
      ['BODY_SIZE_LIMIT', '0', 'must be a number of bytes from 64K to 1G, optionally with K, M or G'],
      ['IMPORT_SIZE_LIMIT', '2G', 'must be a number of bytes from 64K to 1G, optionally with K, M or G'],
      [
        'RESPONSE_CACHE_DISK',
        '9999G',
        'must be a number of bytes from 0 to 1024G, optionally with K, M or G',
      ],
      ['DATA_DIR', '/proc/x', 'must be a folder on a disk, not in /proc or /sys'],
      ['IMPORT_DIR', '/tmp/../proc', 'must be a folder on a disk, not in /proc or /sys'],
      ['OIDC_CLIENT_ID', 'contrail', 'needs OIDC_ISSUER'],
      ['OIDC_CLIENT_SECRET_FILE', '/run/secret', 'needs OIDC_ISSUER'],
    ]
    for (const [name, value, rule] of cases)
      assert.throws(() => readConfig({ [name]: value }), new ConfigError(`${name}: ${rule}`))
    assert.deepEqual(
      [readConfig({ WORKERS: '256' }).workers, readConfig({ WORKERS: 'auto' }).workers],
      [256, 'auto'],
    )
    const bad = await refusal({ dataDir: '/proc/x' })
    assert.deepEqual(bad, {
      message: 'bad setting DATA_DIR: must be a folder on a disk, not in /proc or /sys',
      code: 2,
    })
    const command = await contrail({ databaseUrl: 'postgres://a:b#c@d/e', dataDir: scratch }, [
      'user',
      'list',
    ])
    assert.equal(command.code, 2)
    assert.match(command.err, /^contrail: bad setting DATABASE_URL: /)
  })

  test('a certificate for mails that cannot be used names its setting and the fix', async () => {
    const folder = mkdtempSync(join(scratch, 'mails-'))
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    }
    const cert = file('cert.pem', firstCertificate.cert)
    const key = file('key.pem', firstCertificate.key)
    const other = file('other.pem', secondCertificate.key)
    const half = file('half.pem', firstCertificate.cert + secondCertificate.cert.slice(0, 200))
    const cases: [Record<string, string>, RegExp][] = [
      [{ MAIL_IN_TLS_CERT: cert }, /^bad setting MAIL_IN_TLS_CERT: is set together with MAIL_IN_TLS_KEY/],
      [
        { MAIL_IN_TLS_CERT: join(folder, 'none'), MAIL_IN_TLS_KEY: key },
        /^bad setting MAIL_IN_TLS_CERT: .*none cannot be read \(there is no such file; correct the path\)$/,
      ],
      [{ MAIL_IN_TLS_CERT: cert, MAIL_IN_TLS_KEY: folder }, /^bad setting MAIL_IN_TLS_KEY: .*cannot be read/],
      [{ MAIL_IN_TLS_CERT: key, MAIL_IN_TLS_KEY: key }, /^bad setting MAIL_IN_TLS_CERT: .*not a certificate/],
      [
        { MAIL_IN_TLS_CERT: cert, MAIL_IN_TLS_KEY: cert },
        /^bad setting MAIL_IN_TLS_KEY: .*not a private key/,
      ],
      [{ MAIL_IN_TLS_CERT: cert, MAIL_IN_TLS_KEY: other }, /^bad setting MAIL_IN_TLS_KEY: .*does not belong/],
      [
        { MAIL_IN_TLS_CERT: half, MAIL_IN_TLS_KEY: key },
        /^bad setting MAIL_IN_TLS_CERT: .*cannot be used for encryption \(.*bad end line\); give .*the whole chain/,
      ],
    ]
    for (const [settings, expected] of cases) {
      const all = { MAIL_IN_PORT: '2525', MAIL_IN_DOMAIN: 'in.example.org', ...settings }
      const { message, code } = await refusal({}, all)
      assert.match(message, expected)
      assert.equal(code, 2)
    }
  })

  test('a data folder that is a file, lies below a file, or belongs to another user', async () => {
    const file = join(scratch, `a-file-${process.pid}`)
    writeFileSync(file, 'not a folder')
    assert.equal(
      (await refusal({ dataDir: file })).message,
      `cannot use the data folder ${file}: it is a file, not a folder; set DATA_DIR to a folder`,
    )
    assert.equal(
      (await refusal({ dataDir: join(file, 'data') })).message,
      `cannot use the data folder ${join(file, 'data')}: a part of this path is a file, not a folder; set DATA_DIR to a folder`,
    )
    const denied = Object.assign(new Error('mkdir'), { code: 'EACCES' })
    assert.match(
      explainSqlite('/data', denied),
      /^cannot use the data folder \/data: this user may not write there; /,
    )
  })

  test('a backup into a folder that does not exist', async () => {
    const { databaseUrl, dataDir } = await freshDatabase('sqlite')
    const folder = join(scratch, `missing-${process.pid}`)
    const missing = await contrail({ databaseUrl, dataDir }, ['backup', join(folder, 'all.gz')])
    assert.deepEqual(
      [missing.code, missing.err],
      [2, `contrail: there is no folder ${folder}; create it first\n`],
    )
    mkdirSync(folder)
    assert.equal((await contrail({ databaseUrl, dataDir }, ['backup', join(folder, 'all.gz')])).code, 0)
  })
})
