// The instance secret: made once, readable only by its user, never in a backup, and harmless when it is lost.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { createInstanceSecret, secretFile, Unreadable } from '../../server/base/secret/instance-secret.ts'
import { restoreBackup } from '../../server/services/backup/backup.ts'
import { withoutAirports } from '../fixtures.ts'
import { freshDatabase, onSqlite, startTestApp } from '../harness.ts'
import { contrail } from '../running/processes.ts'
import { createHook, createTestDeliveries } from './receiver.ts'

const folder = () => mkdtempSync(join(process.env['TEST_SCRATCH'] ?? tmpdir(), 'secret-'))

test('a sealed text is opened only by the same secret for the same purpose', () => {
  const secret = createInstanceSecret({ secretKey: undefined, dataDir: folder() })
  const sealed = secret.seal('webhook of ada', 'whsec_ü')
  assert.notEqual(sealed, secret.seal('webhook of ada', 'whsec_ü'), 'the same text twice looks the same')
  assert.equal(secret.unseal('webhook of ada', sealed), 'whsec_ü')
  const last = sealed.at(-1) === 'A' ? 'B' : 'A'
  for (const changed of [sealed.slice(0, -1) + last, sealed.slice(0, 20), '', 's1.', 's1.AAAA', `x${sealed}`])
    assert.throws(() => secret.unseal('webhook of ada', changed), Unreadable, changed)
  assert.throws(() => secret.unseal('webhook of bob', sealed), Unreadable)
  const other = createInstanceSecret({ secretKey: undefined, dataDir: folder() })
  assert.throws(() => other.unseal('webhook of ada', sealed), Unreadable)
})

test('SECRET_KEY replaces the file', () => {
  const dataDir = folder()
  const secretKey = 'k'.repeat(32)
  const sealed = createInstanceSecret({ secretKey, dataDir }).seal('p', 'text')
  assert.ok(!existsSync(secretFile(dataDir)))
  assert.equal(createInstanceSecret({ secretKey, dataDir: folder() }).unseal('p', sealed), 'text')
})

test('processes that start concurrently make one secret, private to their user', async () => {
  const dataDir = join(folder(), 'not-there-yet')
  const script = `
    import { createInstanceSecret } from './server/base/secret/instance-secret.ts'
    process.stdout.write(createInstanceSecret({ secretKey: undefined, dataDir: ${JSON.stringify(dataDir)} }).seal('p', 'text'))`
  const run = promisify(execFile)
  const sealed = await Promise.all(
    Array.from({ length: 6 }, () => run(process.execPath, ['--input-type=module', '-e', script])),
  )
  const secret = createInstanceSecret({ secretKey: undefined, dataDir })
  for (const { stdout } of sealed) assert.equal(secret.unseal('p', stdout), 'text')
  assert.deepEqual(readdirSync(dataDir), ['secret.key'])
  assert.equal(statSync(secretFile(dataDir)).mode & 0o777, 0o600)
})

test('a file without a secret is an error and is not replaced', () => {
  const dataDir = folder()
  writeFileSync(secretFile(dataDir), '')
  assert.throws(() => createInstanceSecret({ secretKey: undefined, dataDir }).prepare(), /does not hold/)
  assert.equal(readFileSync(secretFile(dataDir), 'utf8'), '')
})

onSqlite('a backup with webhooks', (app) => {
  test('a backup contains neither the secret nor webhook secrets, and a restore elsewhere suspends webhooks', async () => {
    const target = await freshDatabase('sqlite')
    try {
      const ada = await app().person('owner')
      const key = await ada.key()
      const made = await createHook(app(), key, { url: 'https://receiver.example/' })
      const file = join(folder(), 'contrail.backup')
      const place = { databaseUrl: app().config.databaseUrl, dataDir: app().config.dataDir }
      assert.equal((await contrail(place, ['backup', file])).code, 0)
      const bytes = readFileSync(file)
      const text = bytes[0] === 0x1f ? gunzipSync(bytes).toString() : bytes.toString()
      assert.ok(text.includes('https://receiver.example/'), 'the webhook is missing')
      const instanceSecret = readFileSync(secretFile(app().config.dataDir), 'utf8').trim()
      for (const hidden of [made.secret, made.secret.slice(6), instanceSecret])
        assert.ok(!text.includes(hidden))

      const moved = await startTestApp('sqlite', target)
      try {
        const parts = { store: moved.store, uploads: moved.services.uploads, now: new Date() }
        await restoreBackup(parts, file, { replace: false, partial: false, set: withoutAirports() })
        const doctor = await contrail(target, ['doctor'])
        assert.match(doctor.out.toString(), /warn {2}sealed +1 of 1 encrypted values cannot be opened/)
        assert.ok(!existsSync(secretFile(target.dataDir)), 'doctor made a secret')
        await moved.request('POST', `/api/v1/webhooks/${made.id}/ping`, { key })
        await createTestDeliveries(moved).deliverDue()
        const shown = (await moved.request('GET', `/api/v1/webhooks/${made.id}`, { key })).json.data
        assert.deepEqual([shown.status, shown.stoppedBecause], ['suspended', 'secret_unreadable'])
        const rotated = await moved.request('POST', `/api/v1/webhooks/${made.id}/rotate-secret`, { key })
        assert.deepEqual([rotated.status, rotated.json.data.status], [200, 'active'])
        assert.match((await contrail(target, ['doctor'])).out.toString(), /ok {4}sealed/)
      } finally {
        await moved.close()
      }
    } finally {
      await target.drop()
    }
  })
})
