// NAME_FILE: the secrets among the settings can be read from files, as Docker, Kubernetes and systemd provide them.
import assert from 'node:assert/strict'
import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ConfigError, readConfig, secretSettings } from '../../server/base/config.ts'
import { contrail } from '../running/processes.ts'

const folder = mkdtempSync(join(process.env['TEST_SCRATCH']!, 'secrets-'))
const SECRET = 'postgres://ada:hunter22@db.example.org/contrail'
let files = 0
const fileWith = (content: string | Uint8Array) => {
  const file = join(folder, `secret-${++files}`)
  writeFileSync(file, content)
  return file
}

function refused(environment: Record<string, string>, message: string): void {
  assert.throws(
    () => readConfig(environment),
    (error) => {
      assert.ok(error instanceof ConfigError)
      assert.equal(error.message, message)
      return true
    },
  )
}

test('every secret can be read from a file, and nothing else can', () => {
  const values: Record<string, string> = {
    DATABASE_URL: SECRET,
    DATABASE_READ_URL: 'postgres://ada:hunter22@replica/contrail',
    SECRET_KEY: 'k'.repeat(32),
    METRICS_TOKEN: 't'.repeat(16),
    S3_SECRET_ACCESS_KEY: 's3 secret',
    SMTP_URL: 'smtp://ada:hunter22@mail.example.org',
    AERODATABOX_KEY: 'key',
    OIDC_CLIENT_SECRET: ' with blanks ',
  }
  assert.deepEqual([...secretSettings].sort(), Object.keys(values).sort())
  const others = {
    OIDC_ISSUER: 'https://id.example.org',
    OIDC_CLIENT_ID: 'contrail',
    S3_ENDPOINT: 'https://s3.example.org',
    S3_BUCKET: 'flights',
    S3_ACCESS_KEY_ID: 'id',
  }
  const named = Object.entries(values).map(([name, value]) => [`${name}_FILE`, fileWith(`${value}\n`)])
  const fromFiles = readConfig({ ...others, ...Object.fromEntries(named) })
  assert.deepEqual(fromFiles, readConfig({ ...others, ...values }))
  assert.equal(fromFiles.oidc!.clientSecret, ' with blanks ')
  assert.equal(readConfig({ PORT_FILE: fileWith('8080') }).port, 3000)
})

test('a line end after the secret is removed, and links are followed', () => {
  for (const end of ['', '\n', '\r\n', '\n\n'])
    assert.equal(readConfig({ DATABASE_URL_FILE: fileWith(SECRET + end) }).databaseUrl, SECRET)
  const link = join(folder, 'link')
  symlinkSync(fileWith(SECRET), link)
  assert.equal(readConfig({ DATABASE_URL_FILE: link }).databaseUrl, SECRET)
})

test('an empty variable counts as unset', () => {
  assert.equal(readConfig({ DATABASE_URL_FILE: fileWith(SECRET), DATABASE_URL: '' }).databaseUrl, SECRET)
  assert.equal(readConfig({ DATABASE_URL_FILE: '', DATABASE_URL: SECRET }).databaseUrl, SECRET)
})

test('an unusable file is named by its setting, and neither its path nor its content is shown', () => {
  const cases: [file: string, fault: string][] = [
    [join(folder, 'none'), 'cannot be read (the file does not exist; correct the path)'],
    [join(fileWith(SECRET), 'x'), 'cannot be read (the file does not exist; correct the path)'],
    // The secret itself instead of a path.
    [SECRET, 'cannot be read (the file does not exist; correct the path)'],
    ['k'.repeat(5000), 'cannot be read (the value is too long for a path; enter the path of a file)'],
    [folder, 'must be a file'],
    ['/dev/zero', 'must be a file'],
    [fileWith(''), 'is empty'],
    [fileWith(' \n'), 'is empty'],
    [fileWith(`${SECRET}\nhunter22`), 'must be a file with one line'],
    [fileWith(`${SECRET}\0`), 'must be a file with one line'],
    [fileWith(Uint8Array.of(0xc3, 0x28)), 'must be a file with UTF-8 text'],
    [fileWith('x'.repeat(64 * 1024 + 1)), 'must be a file of at most 64 kB'],
    [fileWith('mysql://ada:hunter22@db/contrail'), 'must start with postgres://'],
  ]
  for (const [file, fault] of cases) refused({ DATABASE_URL_FILE: file }, `DATABASE_URL_FILE: ${fault}`)
  refused(
    { METRICS_TOKEN_FILE: fileWith('x'.repeat(15)) },
    'METRICS_TOKEN_FILE: must have at least 16 characters',
  )
  assert.equal(
    readConfig({ METRICS_TOKEN_FILE: fileWith('x'.repeat(64 * 1024)) }).metricsToken?.length,
    65_536,
  )
})

test('a secret that is given twice is refused', () => {
  refused(
    { DATABASE_URL: SECRET, DATABASE_URL_FILE: fileWith(SECRET) },
    'DATABASE_URL_FILE: set either this or DATABASE_URL, not both',
  )
})

test('a command reports an unusable file, and doctor does', async () => {
  const place = { databaseUrl: undefined, dataDir: folder }
  const settings = { SMTP_URL_FILE: fileWith('hunter22') }
  const { code, err } = await contrail(place, ['user', 'list'], '', settings)
  const fault = 'SMTP_URL_FILE: must start with smtp:// or smtps://'
  assert.deepEqual([code, err], [2, `contrail: bad setting ${fault}\n`])
  const { out } = await contrail(place, ['doctor'], '', settings)
  assert.match(out.toString(), new RegExp(`^fail {2}settings +${fault}; correct that setting`))
})

test('the version names the engine of a database whose address is in a file', async () => {
  const place = { databaseUrl: undefined, dataDir: folder }
  const { out } = await contrail(place, ['version'], '', { DATABASE_URL_FILE: fileWith(SECRET) })
  assert.match(out.toString(), /, postgres\)\n$/)
})
