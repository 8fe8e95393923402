// A server makes its own backups in a separate process. test/operator/automatic-backups.test.ts tests the rules.
import assert from 'node:assert/strict'
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { verifyBackup } from '../../server/services/backup/backup.ts'
import { freshDatabase } from '../harness.ts'
import { until } from '../until.ts'
import { ask, contrail, type Database, type ServerProcess, startServer } from './processes.ts'

describe('automatic backups of a server without settings', () => {
  let database: Database
  let where: string
  before(async () => {
    database = await freshDatabase('sqlite')
    where = join(database.dataDir, 'backups')
    const person = 'setup --username ada --password - --display-name Ada'.split(' ')
    assert.equal((await contrail(database, person, 'correct horse')).code, 0)
  })

  const message = (server: ServerProcess, text: string) =>
    until(`the log says "${text}"`, () => {
      assert.equal(server.child.exitCode, null)
      return server.lines.find((line) => line.message === text)
    })

  test('a backup missed while the server was down is made once by all its processes', async () => {
    const settings = { BACKUP_DIR: '', WORKERS: '2' }
    const server = await startServer(database, settings)
    await message(server, 'backup made')
    const [first] = readdirSync(where)
    assert.equal(readdirSync(where).length, 1)
    assert.equal(statSync(where).mode & 0o777, 0o700)
    assert.equal(statSync(join(where, first!)).mode & 0o777, 0o600)
    assert.equal((await verifyBackup(join(where, first!))).counts['person'], 1)
    const text = (await ask(server.port, 'GET', '/metrics')).text
    assert.match(text, /^contrail_backup_last_success_timestamp_seconds 1\d{9}$/m)
    assert.match(text, /^contrail_sign_in_failures_total\{worker="2"\} 0$/m)
    assert.match(text, /^contrail_mails_taken_total\{worker="primary",way="mail"\} 0$/m)
    assert.equal(await server.stop(), 0)

    // Not due, because the next one is a day away. The command line makes one regardless.
    assert.equal((await contrail(database, ['backup', '--if-due'], '', settings)).out.toString(), '')
    const byHand = await contrail(database, ['backup'], '', settings)
    assert.equal(byHand.code, 0, byHand.err)
    assert.equal(readdirSync(where).length, 2)
  })

  test('the server keeps serving and logs an error if the backup folder cannot be written', async () => {
    rmSync(where, { recursive: true, force: true })
    writeFileSync(where, 'a file, not a folder')
    const server = await startServer(database, { BACKUP_DIR: '' })
    const failed = await message(server, 'backup failed')
    assert.equal(failed.level, 'error')
    assert.match(failed.reason, / is not a folder$/)
    assert.match((await ask(server.port, 'GET', '/metrics')).text, /^contrail_backups_failed_total 1$/m)
    assert.equal(await server.stop('SIGINT'), 0)
  })
})
