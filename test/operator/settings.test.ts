// Errors about settings and databases that a server cannot use: the fault and the fix in one line, never with a password.
// test/running/start.test.ts shows that a start prints it.
import assert from 'node:assert/strict'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { ConfigError, readConfig } from '../../server/base/config.ts'
import { createLogger } from '../../server/base/log.ts'
import { claimPort, explainListening } from '../../server/process/claim-port.ts'
import { readMailCertificate } from '../../server/services/intake/mail-certificate.ts'
import { explainSqlite } from '../../server/store/engine/explain.ts'
import { openStore, placeOf } from '../../server/store/store.ts'
import { engines, runSql, startTestApp } from '../harness.ts'
import { firstCertificate, secondCertificate } from '../intake/certificates.ts'
import { contrail } from '../running/processes.ts'

const scratch = process.env['TEST_SCRATCH']!

/** The message with which a start ends. */
async function refusal(place: { databaseUrl?: string; dataDir?: string }): Promise<string> {
  const error: unknown = await openStore(
    { databaseUrl: undefined, dataDir: join(scratch, 'never'), ...place },
    createLogger('silent'),
  ).then(
    (store) => store.close().then(() => assert.fail('it opened')),
    (reason) => reason,
  )
  return (error as Error).message
}

for (const engine of engines)
  describe(`an unusable database on ${engine}`, () => {
    if (engine === 'postgres') ofPostgres()
    else
      test('a data folder that is a file, is below a file or belongs to another user is refused', async () => {
        const file = join(scratch, `a-file-${process.pid}`)
        writeFileSync(file, 'not a folder')
        assert.equal(
          await refusal({ dataDir: file }),
          `cannot use the data folder ${file}: it is a file, not a folder; set DATA_DIR to a folder`,
        )
        const below = join(file, 'data')
        assert.equal(
          await refusal({ dataDir: below }),
          `cannot use the data folder ${below}: a part of this path is a file, not a folder; set DATA_DIR to a folder`,
        )
        const denied = Object.assign(new Error('mkdir'), { code: 'EACCES' })
        assert.match(
          explainSqlite('/data', denied),
          /^cannot use the data folder \/data: this user may not write there; /,
        )
      })
  })

function ofPostgres(): void {
  const admin = process.env['TEST_POSTGRES']!
  const { port } = new URL(admin)
  const role = `start_${process.pid}`
  const PASSWORD = 'hunter22'
  const at = (host: string, rest: string, user = role, password = PASSWORD) =>
    `postgres://${user}:${password}@${host}/${rest}`
  before(async () => {
    await runSql(admin, `create role ${role} login password '${PASSWORD}'`)
    await runSql(admin, `create database ${role}_db`)
  })
  after(async () => {
    await runSql(admin, `drop database ${role}_db with (force)`)
    await runSql(admin, `drop role ${role}`)
  })

  test('an unusable database is reported with the reason and the fix, never with the password', async () => {
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
      const message = await refusal({ databaseUrl })
      assert.match(message, expected)
      assert.doesNotMatch(message, /hunter22|\n/)
    }
  })

  test('a usable database has its statements prepared once per connection', async () => {
    const app = await startTestApp('postgres')
    try {
      const key = await (await app.person()).key()
      for (let i = 0; i < 3; i++) await app.request('GET', '/api/v1/me', { key })
      const [row] = await app.store.read.query(
        '/* test */ select count(*)::int as "count" from pg_prepared_statements where length(name) = 27',
        [],
      )
      assert.ok((row!['count'] as number) > 0)
    } finally {
      await app.close()
    }
  })
}

describe('invalid settings', () => {
  test('an invalid setting is named with its permitted values', () => {
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
      ['OIDC_CLIENT_SECRET', 'secret', 'needs OIDC_ISSUER'],
    ]
    for (const [name, value, rule] of cases)
      assert.throws(() => readConfig({ [name]: value }), new ConfigError(`${name}: ${rule}`))
    assert.deepEqual(
      [readConfig({ WORKERS: '256' }).workers, readConfig({ WORKERS: 'auto' }).workers],
      [256, 'auto'],
    )
    for (const [name, value] of [
      ['ORIGIN', 'https://example.org/path'],
      ['DATABASE_URL', 'mysql://x'],
      ['BODY_SIZE_LIMIT', '20 apples'],
      ['LOG_LEVEL', 'loud'],
      ['WORKERS', 'many'],
    ] as const)
      assert.throws(
        () => readConfig({ [name]: value }),
        (error: Error) => {
          assert.match(error.message, new RegExp(`^${name}: [^\n]+$`))
          assert.doesNotMatch(error.message, /: Invalid input$/, 'it names valid values')
          return true
        },
      )
  })

  test('an invalid setting stops a command too', async () => {
    const place = { databaseUrl: 'postgres://a:b#c@d/e', dataDir: scratch }
    const { code, err } = await contrail(place, ['user', 'list'])
    assert.equal(code, 2)
    assert.match(err, /^contrail: bad setting DATABASE_URL: /)
  })

  test('an unencoded password in an address is refused without showing it', () => {
    for (const password of ['hunter22#x', 'hunter22/x', '12/hunter22', '12?hunter22', '%hunter22'])
      assert.throws(
        () => readConfig({ DATABASE_URL: `postgres://ada:${password}@127.0.0.1/x` }),
        (error: Error) => {
          assert.ok(error instanceof ConfigError)
          assert.match(error.message, /^DATABASE_URL: .*percent-encode special characters in the password/)
          assert.doesNotMatch(error.message, /hunter22/)
          return true
        },
      )
  })

  test('several database servers are accepted, and a wrong one is refused without showing it', () => {
    const hosts = [
      ['postgres://ada:a%40b@one:5432,two:5433/contrail?sslmode=verify-full', 'one:5432,two:5433'],
      ['postgresql://one,two/contrail', 'one,two'],
      ['postgres://[::1]:5432,[::2]/contrail', '[::1]:5432,[::2]'],
      ['postgres:///contrail?host=/run/a,/run/b&port=5432,5433', '/run/a,/run/b'],
      ['postgres://one/contrail', 'one'],
    ] as const
    for (const [url, places] of hosts) {
      const config = readConfig({ DATABASE_URL: url, DATABASE_READ_URL: url })
      assert.equal(placeOf(config), `PostgreSQL at ${places}`)
      assert.equal(config.databaseReadUrl, url)
    }
    const wrong: [Record<string, string>, RegExp][] = [
      [{ DATABASE_URL: 'postgres://ada:s3cret,x/y@one,two/contrail' }, /percent-encode special characters/],
      [{ DATABASE_URL: 'postgres://ada:s3cret@one:port,two/contrail' }, /is not a valid address/],
      [
        { DATABASE_READ_URL: 'postgres://ada:s3cret@one/contrail' },
        /^DATABASE_READ_URL: needs DATABASE_URL$/,
      ],
      [{ DATABASE_PREPARE: 'yes' }, /^DATABASE_PREPARE: must be auto, true or false$/],
    ]
    for (const [environment, expected] of wrong)
      assert.throws(
        () => readConfig(environment),
        (error: Error) => {
          assert.match(error.message, expected)
          assert.doesNotMatch(error.message, /s3cret/)
          return true
        },
      )
  })

  test('an unusable certificate for mails is named with the fix', () => {
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
      [{ MAIL_IN_TLS_CERT: cert }, /^MAIL_IN_TLS_CERT: set it together with MAIL_IN_TLS_KEY/],
      [
        { MAIL_IN_TLS_CERT: join(folder, 'none'), MAIL_IN_TLS_KEY: key },
        /^MAIL_IN_TLS_CERT: .*none cannot be read \(the file does not exist; correct the path\)$/,
      ],
      [{ MAIL_IN_TLS_CERT: cert, MAIL_IN_TLS_KEY: folder }, /^MAIL_IN_TLS_KEY: .*cannot be read/],
      [{ MAIL_IN_TLS_CERT: key, MAIL_IN_TLS_KEY: key }, /^MAIL_IN_TLS_CERT: .*not a certificate/],
      [{ MAIL_IN_TLS_CERT: cert, MAIL_IN_TLS_KEY: cert }, /^MAIL_IN_TLS_KEY: .*not a private key/],
      [{ MAIL_IN_TLS_CERT: cert, MAIL_IN_TLS_KEY: other }, /^MAIL_IN_TLS_KEY: .*does not belong/],
      [
        { MAIL_IN_TLS_CERT: half, MAIL_IN_TLS_KEY: key },
        /^MAIL_IN_TLS_CERT: .*cannot be used for encryption \(.*bad end line\); give .*the whole chain/,
      ],
    ]
    for (const [settings, expected] of cases) {
      const all = { MAIL_IN_PORT: '2525', MAIL_IN_DOMAIN: 'in.example.org', ...settings }
      assert.throws(
        () => readMailCertificate(readConfig(all).mailIn!.tls!),
        (error: Error) => {
          assert.ok(error instanceof ConfigError)
          assert.match(error.message, expected)
          return true
        },
      )
    }
  })
})

test('an unusable port or address is named with the fix', async () => {
  const elsewhere = { port: 0, host: '192.0.2.1', origin: 'http://localhost' }
  await assert.rejects(claimPort(elsewhere), /^Error: HOST 192\.0\.2\.1 is not an address of this machine; /)
  const denied = Object.assign(new Error('listen EACCES'), { code: 'EACCES' })
  assert.match(
    explainListening(denied, 80, '0.0.0.0'),
    /^port 80 needs more rights .* set PORT to 1024 or above/,
  )
})
