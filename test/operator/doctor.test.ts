// `contrail doctor`: one line per check, an exit code for cron, and no changes.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import Database from 'better-sqlite3'
import { keepsConnections } from '../external-host.ts'
import { engines, freshDatabase, runSql, startTestApp } from '../harness.ts'
import { expiredCertificate, firstCertificate } from '../intake/certificates.ts'
import { freePort } from '../postgres.ts'
import { contrail, type Database as Place } from '../running/processes.ts'

const newFolder = () => mkdtempSync(join(process.env['TEST_SCRATCH']!, 'doctor-'))
const nowhere = (port: number) => ({ ORIGIN: `http://localhost:${port}`, PORT: String(port) })

async function doctor(place: Place, settings: Record<string, string> = {}, ...options: string[]) {
  const { code, out, err } = await contrail(place, ['doctor', ...options], '', settings)
  assert.equal(err, '')
  const lines = out.toString().trimEnd().split('\n')
  const findings = new Map(
    lines.filter(Boolean).map((line) => {
      const match = /^(ok|warn|fail) {2,4}([a-z ]+?) {2,}(\S.*)$/.exec(line)
      assert.ok(match, line)
      return [match[2]!, { level: match[1]!, text: match[3]! }]
    }),
  )
  assert.equal(findings.size, lines.filter(Boolean).length, 'each thing has one line')
  const is = (name: string, level: string, text: RegExp) => {
    const found = findings.get(name)
    assert.equal(found?.level, level, `${name}: ${JSON.stringify(found)}`)
    assert.match(found.text, text)
  }
  return { code, findings, is, text: out.toString() }
}

const setUp = async (place: Place) => {
  const words = 'setup --username ada --password - --display-name Ada'.split(' ')
  assert.equal((await contrail(place, words, 'correct horse')).code, 0)
}

/** Every file in the folder, byte by byte, except those that every reader creates and deletes. */
const digestOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/-(wal|shm)$/.test(entry.name))
    .map((entry) => {
      const path = join(entry.parentPath, entry.name)
      return `${path} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`
    })

for (const engine of engines) {
  describe(`contrail doctor on ${engine}`, () => {
    test('doctor finds no fault in a running instance that is set up and backed up', async () => {
      const backupDir = newFolder()
      const app = await startTestApp(engine, { backupDir }, { atOrigin: 'localhost' })
      const place = app.config
      await setUp(place)
      if (engine === 'sqlite') chmodSync(place.dataDir, 0o700)
      const settings = { ...nowhere(Number(new URL(app.url).port)), BACKUP_DIR: backupDir }
      assert.equal((await contrail(place, ['backup'], '', settings)).code, 0)
      const { code, findings, is } = await doctor(place, settings)
      const wrong = [...findings].filter(([, { level }]) => level !== 'ok')
      // The test machine may have little free space, and its PostgreSQL runs without fsync.
      assert.deepEqual(
        wrong.filter(([name]) => !/disk|postgresql/.test(name)),
        [],
      )
      if (wrong.length === 0) assert.equal(code, 0)
      is('names', 'ok', /^no variable/)
      is('origin', 'ok', /^Contrail \d\S* at http:\/\/localhost:\d+$/)
      is('schema', 'ok', /up to date/)
      is('owner', 'ok', /exists/)
      is('backups', 'ok', /the newest is \d+ minutes old and complete/)
      is('clock', 'ok', /^\d{4}-/)
      is('version', 'ok', /not looked for/)
      is('time zones', 'ok', /tzdata 20\d\d[a-z] are installed/)
      is('proxy', 'ok', /none/)
      is('integrity', 'ok', engine === 'sqlite' ? /quick_check/ : /damaged page|checksums/)
      if (engine === 'postgres') {
        is('rights', 'ok', /may create/)
        is('postgresql', 'fail', /^fsync is off: [^;]+; turn it on; synchronous_commit is off/)
        is('connections', 'ok', /of \d+ in use/)
      }
      const quiet = await doctor(place, settings, '--quiet')
      assert.ok([...quiet.findings.values()].every(({ level }) => level !== 'ok'))
      await app.close()
    })

    test('doctor warns of a stopped instance', async () => {
      const place = await freshDatabase(engine)
      if (engine === 'sqlite') chmodSync(place.dataDir, 0o700)
      await setUp(place)
      const settings = { ...nowhere(await freePort()), BACKUP_DIR: newFolder() }
      assert.equal((await contrail(place, ['backup'], '', settings)).code, 0)
      const stopped = await doctor(place, settings)
      stopped.is('origin', 'warn', /cannot be reached .*ECONNREFUSED.*start the server/)
      assert.equal(stopped.code, engine === 'sqlite' ? 1 : 2)
      await place.drop()
    })

    test('doctor explains how to correct contradictory settings', async () => {
      const place = await freshDatabase(engine)
      const before = digestOf(engine === 'sqlite' ? place.dataDir : newFolder())
      const port = await freePort()
      const bad = await doctor(place, { PORT: 'abc', ORGIN: 'https://flights.example.org' })
      assert.equal(bad.code, 2)
      assert.deepEqual([...bad.findings.keys()], ['settings', 'names'])
      bad.is('settings', 'fail', /^PORT: /)
      bad.is('names', 'warn', /^ORGIN is not a setting \(did you mean ORIGIN\?\); rename or remove it/)

      const plain = await doctor(place, { ORIGIN: 'http://flights.invalid', PORT: String(port) })
      plain.is('encryption', 'warn', /plain http/)
      plain.is('origin', 'warn', /cannot be reached/)
      plain.is('proxy', 'warn', /ADDRESS_HEADER is not set.*ADDRESS_HEADER=x-forwarded-for/)
      plain.is('backups', 'warn', /BACKUP_DIR is off/)
      plain.is('owner', 'warn', /is not set up yet.*flights\.invalid\/setup/)

      const claimed = await doctor(place, {
        ...nowhere(port),
        ADDRESS_HEADER: 'x-forwarded-for',
        BACKUP_EVERY: '1h',
      })
      claimed.is('proxy', 'warn', /any client can claim any address/)
      claimed.is('settings', 'warn', /BACKUP_EVERY.*BACKUP_DIR is off/)

      const noFolder = await doctor(place, {
        ...nowhere(port),
        BACKUP_DIR: join(newFolder(), 'not', 'there'),
      })
      noFolder.is('backups', 'fail', /cannot be read/)
      // Unset, it is a folder in DATA_DIR, which the first backup makes.
      const byDefault = await doctor(place, { ...nowhere(port), BACKUP_DIR: '' })
      byDefault.is('backups', 'warn', /there are none in .*backups yet/)
      assert.equal(noFolder.code, 2)

      const mails = { ...nowhere(port), MAIL_IN_PORT: '2525', MAIL_IN_DOMAIN: 'in.example.org' }
      const unencrypted = await doctor(place, mails)
      unencrypted.is('mails', 'ok', /port 2525 for in\.example\.org, without encryption: MAIL_IN_TLS_CERT/)
      const [cert, key] = [join(newFolder(), 'mail.pem'), join(newFolder(), 'mail.key')]
      writeFileSync(cert, firstCertificate.cert)
      writeFileSync(key, firstCertificate.key)
      const certified = { ...mails, MAIL_IN_TLS_CERT: cert, MAIL_IN_TLS_KEY: key }
      const encrypted = await doctor(place, certified)
      encrypted.is('mails', 'ok', /with encryption \(STARTTLS\); the certificate is valid until 2126-/)
      writeFileSync(cert, expiredCertificate.cert)
      writeFileSync(key, expiredCertificate.key)
      const expired = await doctor(place, certified)
      expired.is('mails', 'warn', /expired on 20\d\d-\d\d-\d\d; renew .*mail\.pem$/)
      writeFileSync(key, firstCertificate.key)
      const unfit = await doctor(place, certified)
      unfit.is('mails', 'fail', /MAIL_IN_TLS_KEY: .*does not belong to the certificate/)
      if (engine === 'sqlite') assert.deepEqual(digestOf(place.dataDir), before)
      await place.drop()
    })

    test('doctor fails a backup that cannot be restored or that failed', async () => {
      const place = await freshDatabase(engine)
      const folder = newFolder()
      const settings = { ...nowhere(await freePort()), BACKUP_DIR: folder }
      assert.equal((await contrail(place, ['backup'], '', settings)).code, 0)
      const [name] = readdirSync(folder)
      const bytes = readFileSync(join(folder, name!))
      writeFileSync(join(folder, name!), bytes.subarray(0, bytes.length / 2))
      const rotten = await doctor(place, settings)
      rotten.is('backups', 'fail', /cannot be restored: .* cut short/)
      const elsewhere = { ...settings, BACKUP_DIR: join(folder, name!) }
      assert.notEqual((await contrail(place, ['backup'], '', elsewhere)).code, 0)
      await doctor(place, elsewhere).then(({ is }) => is('backups', 'fail', /cannot be read/))
      await place.drop()
    })

    test('doctor refuses a newer database, names pending migrations and applies none', async () => {
      const place = await freshDatabase(engine)
      const settings = nowhere(await freePort())
      const execute = async (sql: string) => {
        if (place.databaseUrl) return runSql(place.databaseUrl, sql)
        const db = new Database(join(place.dataDir, 'contrail.sqlite'))
        db.exec(sql)
        db.close()
      }
      await execute("insert into migration values ('999-later', '2030-01-01T00:00:00Z')")
      const newer = await doctor(place, settings)
      newer.is('schema', 'fail', /newer Contrail .*999-later/)
      assert.equal(newer.code, 2)
      await execute("delete from migration where name in ('999-later', '003-demo')")
      await execute("update setting set value = 'x' where name = 'none'")
      const older = await doctor(place, settings)
      older.is('schema', 'warn', /003-demo/)
      await doctor(place, settings).then(({ is }) => is('schema', 'warn', /003-demo/))
      await place.drop()
    })
  })
}

describe('contrail doctor', () => {
  test('doctor reports a damaged, unreadable or missing database file without a stack trace', async () => {
    const place = await freshDatabase('sqlite')
    const settings = nowhere(await freePort())
    const file = join(place.dataDir, 'contrail.sqlite')
    const db = new Database(file)
    const page = (
      db.prepare("select pageno from dbstat where name = 'airport' and pagetype = 'leaf'").get() as {
        pageno: number
      }
    ).pageno
    db.close()
    const handle = openSync(file, 'r+')
    writeSync(handle, Buffer.alloc(4096, 0xaa), 0, 4096, (page - 1) * 4096)
    const damaged = await doctor(place, settings)
    damaged.is('integrity', 'fail', /the database file is damaged: .*contrail backup FILE/)
    assert.equal(damaged.code, 2)
    writeSync(handle, Buffer.alloc(4096, 0xaa), 0, 4096, 0)
    closeSync(handle)
    const unreadable = await doctor(place, settings)
    unreadable.is('database', 'fail', /cannot use the data folder .*: The database of this server is damaged/)
    assert.doesNotMatch(unreadable.text, /\n\s+at /)

    const empty = { databaseUrl: undefined, dataDir: join(newFolder(), 'none') }
    const fresh = await doctor(empty, settings)
    fresh.is('data folder', 'warn', /does not exist yet/)
    assert.deepEqual(readdirSync(join(empty.dataDir, '..')), [])
    writeFileSync(empty.dataDir, '')
    await doctor(empty, settings).then(({ is }) => is('data folder', 'fail', /is a file/))
  })

  test('doctor warns if other users of the machine can read the database', async () => {
    const place = await freshDatabase('sqlite')
    chmodSync(place.dataDir, 0o755)
    chmodSync(join(place.dataDir, 'contrail.sqlite'), 0o644)
    const { is } = await doctor(place, nowhere(await freePort()))
    is('data folder', 'warn', /other users .* chmod 700/)
  })

  test('doctor never prints the password of PostgreSQL', async () => {
    const place = {
      databaseUrl: `postgres://ada:s3cret-word@127.0.0.1:${await freePort()}/x`,
      dataDir: newFolder(),
    }
    const { is, text, code } = await doctor(place, {
      ...nowhere(await freePort()),
      METRICS_TOKEN: 'another-s3cret-word',
    })
    is('database', 'fail', /cannot use PostgreSQL at 127\.0\.0\.1:\d+: /)
    assert.equal(code, 2)
    assert.doesNotMatch(text, /s3cret/)
  })

  test('doctor names missing rights of a PostgreSQL role', {
    skip: !engines.includes('postgres'),
  }, async () => {
    const place = await freshDatabase('postgres')
    const name = `reader_${process.pid}`
    await runSql(
      place.databaseUrl!,
      `create role ${name} login password 'reader'; grant select on all tables in schema public to ${name};
       alter role ${name} set synchronous_commit = off; alter role ${name} set statement_timeout = '20s';
       alter role ${name} set default_transaction_isolation = 'serializable'`,
    )
    const url = new URL(place.databaseUrl!)
    url.username = name
    url.password = 'reader'
    const { is } = await doctor(
      { ...place, databaseUrl: url.href },
      { ...nowhere(await freePort()), WORKERS: '200' },
    )
    is('rights', 'fail', /may not read and write .*flight/)
    is(
      'postgresql',
      'fail',
      /synchronous_commit is off.*isolation is serializable.*statement_timeout is 20000 ms/,
    )
    is('connections', 'warn', /this server may open \d+.*max_connections/)
    await runSql(place.databaseUrl!, `drop owned by ${name}; drop role ${name}`)
    await place.drop()
  })

  test('doctor distinguishes another server, another name and a redirect at ORIGIN from the instance', async () => {
    const place = await freshDatabase('sqlite')
    let respond: (path: string) => { status: number; headers?: Record<string, string>; body: unknown }
    const server = createServer(keepsConnections, (request, response) => {
      const { status, headers, body } = respond(request.url!)
      response.writeHead(status, { 'content-type': 'application/json', server: 'nginx', ...headers })
      response.end(JSON.stringify(body))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    server.unref()
    const { port } = server.address() as AddressInfo
    const settings = { ORIGIN: `http://127.0.0.1:${port}`, PORT: '3000' }
    respond = () => ({ status: 200, body: { hello: 'world' } })
    await doctor(place, settings).then(({ is }) => is('origin', 'fail', /is not Contrail/))
    respond = () => ({ status: 301, headers: { location: 'https://flights.example.org/' }, body: {} })
    await doctor(place, settings).then(({ is }) =>
      is('origin', 'warn', /redirects to https:\/\/flights\.example\.org/),
    )
    respond = (path) => ({
      status: 200,
      headers: { date: new Date(Date.now() - 3_600_000).toUTCString() },
      body: path.startsWith('/api')
        ? { instance: { name: 'Contrail', version: '0' } }
        : { issuer: 'https://other.example' },
    })
    const other = await doctor(place, settings)
    other.is('origin', 'fail', /runs with ORIGIN https:\/\/other\.example.*same ORIGIN/)
    other.is('proxy', 'warn', /ORIGIN has port \d+ and PORT is 3000, responses have a proxy’s headers/)
    other.is('clock', 'warn', /the server at ORIGIN is 60 minutes behind/)
    await new Promise((resolve) => server.close(resolve))
  })

  test('doctor detects that all sign-ins seem to come from the proxy', async () => {
    const place = await freshDatabase('sqlite')
    const db = new Database(join(place.dataDir, 'contrail.sqlite'))
    const add = db.prepare(
      "insert into audit_event (happened_at, kind, address, details) values (?, 'sign-in.failed', '172.18.0.2', '{}')",
    )
    for (let i = 0; i < 6; i++) add.run(new Date(Date.now() + 3_600_000).toISOString())
    db.close()
    const settings = { ORIGIN: 'https://flights.invalid', PORT: '3000', ADDRESS_HEADER: 'x-forwarded-for' }
    const { is } = await doctor(place, settings)
    is('proxy', 'warn', /the last 6 sign-ins all came from 172\.18\.0\.2/)
    is('clock', 'warn', /in the future/)
  })
})
