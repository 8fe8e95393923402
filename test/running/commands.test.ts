// Every command prints its result and has the right exit code. One of each group runs as a process: it reads its input and
// ends, because everything that keeps a process alive is opened and closed in one place (server/cli/cli.ts). Other effects
// of commands are tested in test/cli.test.ts and test/operator.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import packageJson from '../../package.json' with { type: 'json' }
import { freshDatabase } from '../harness.ts'
import { contrail, type Database, spawnContrail } from './processes.ts'

const folder = mkdtempSync(join(process.env['TEST_SCRATCH']!, 'commands-'))
const [flights, saved, copy] = ['flights.csv', 'saved.gz', 'copy.gz'].map((name) => join(folder, name))

interface Expected {
  out: RegExp
  exit?: number
  input?: string
  settings?: Record<string, string>
  /** In an instance that is not set up. */
  isFresh?: true
  /** Run in a separate process. */
  isSpawned?: true
}

const commands: Record<string, Expected> = {
  'setup --username ada --password - --display-name Ada': {
    out: /^created the owner ada\n$/,
    input: 'correct horse\n',
    isFresh: true,
    isSpawned: true,
  },
  'user add --username eve --password longenough --display-name Eve': { out: /^added eve\n$/ },
  'user list': { out: /\tada\tAda\towner\n.*\tbob\tBob\t/, isSpawned: true },
  'user password bob': { out: /^changed the password of bob\n$/, input: 'another one' },
  'user invite --role user': { out: /\/invite\/cti_[a-z2-7]{39}\n$/ },
  'user reset-link bob': { out: /\/reset\/ctl_[a-z2-7]{39}\n$/ },
  'user role bob administrator': { out: /^bob is now Administrator\n$/ },
  'key create --user ada --name more --scopes all': { out: /^ctk_[a-z2-7]{39}\n$/, isSpawned: true },
  'key list --user bob': { out: /^1\tphone\t/ },
  'key delete 1': { out: /^deleted key 1\n$/ },
  [`import ${flights} --user bob`]: { out: /1 question/, exit: 1, isSpawned: true },
  [`backup ${copy}`]: { out: /^saved \d people, 0 flights and 0 uploads to /, isSpawned: true },
  [`restore ${saved}`]: { out: /^restored 2 people, 0 flights /, isFresh: true, isSpawned: true },
  'uploads move database': { out: /^moved 0 uploads from database to folder\n$/, isSpawned: true },
  doctor: { out: /^fail {2}settings {2,}PORT: /, exit: 2, settings: { PORT: 'abc' }, isSpawned: true },
  version: {
    out: RegExp(`^contrail ${packageJson.version} \\(node ${process.versions.node}, sqlite\\)\\n$`),
    isSpawned: true,
  },
  'push reset': { out: /^made a new key; devices deleted: 0\n$/, isSpawned: true },
  'reference load': { out: /^$/ },
  'reference status': { out: /^loaded\t[0-9a-f]{16}\t.*airports\t8\d{4}/s },
  'reference update server/services/reference/data': { out: /^nothing to do: /, isSpawned: true },
}

describe('the command line', () => {
  let place: Database
  before(async () => {
    place = await freshDatabase('sqlite')
    const run = (line: string) => contrail(place, line.split(' '))
    await run('setup --username ada --password longenough --display-name Ada')
    await run('user add --username bob --password longenough --display-name Bob')
    await run('key create --user bob --name phone --scopes read-only')
    assert.equal((await run(`backup ${saved}`)).code, 0)
    writeFileSync(flights!, 'date,from,to\n2016-01-01,QQQ,CPH\n')
  })

  for (const [line, { out, exit = 0, input, settings, isFresh, isSpawned }] of Object.entries(commands))
    test(`contrail ${line.replaceAll(folder, '')} ${isSpawned ? 'as a process ' : ''}ends with ${exit}`, async () => {
      const given = isFresh ? await freshDatabase('sqlite') : place
      const ended = await (isSpawned ? spawnContrail : contrail)(given, line.split(' '), input, settings)
      assert.deepEqual([ended.code, ended.err], [exit, ''])
      assert.match(ended.out.toString(), out)
    })

  test('every command has a test', async () => {
    const help = await contrail(place, ['help'])
    const known = [...help.out.toString().matchAll(/^ {2}((?:[a-z]+(?:-[a-z]+)* ?)+)\b/gm)]
    for (const [, words] of known)
      assert.ok(
        Object.keys(commands).some((line) => line.startsWith(words!.trim())),
        words!,
      )
    const groups = (lines: string[]) => new Set(lines.map((line) => line.split(' ')[0]))
    const spawned = Object.keys(commands).filter((line) => commands[line]!.isSpawned)
    assert.deepEqual(groups(spawned), groups(Object.keys(commands)), 'one of each group as a process')
  })

  test('a refused command prints the reason in one line and ends with 2', async () => {
    const { code, out, err } = await spawnContrail(place, ['setup', '--username', 'eve'])
    assert.deepEqual([code, out.toString(), err], [2, '', 'contrail: --display-name is missing\n'])
  })

  test('a command without its database prints the reason in one line and ends with 1', async () => {
    const nowhere = { databaseUrl: 'postgres://ada:s3cret@127.0.0.1:1/x', dataDir: folder }
    const { code, err } = await spawnContrail(nowhere, ['user', 'list'])
    assert.equal(code, 1)
    assert.match(err, /^contrail: cannot use PostgreSQL at 127\.0\.0\.1:1: connection refused[^\n]*\n$/)
  })

  test('a closed pipe ends a command silently', async () => {
    const child = spawn(process.execPath, ['server/run.js', 'cli', 'backup', '-'], {
      env: { ...process.env, DATA_DIR: place.dataDir, DATABASE_URL: '' },
    })
    child.stdout.destroy()
    const stderr: Buffer[] = []
    child.stderr.on('data', (chunk) => stderr.push(chunk))
    const code = await new Promise((resolve) => child.on('close', resolve))
    assert.deepEqual([code, Buffer.concat(stderr).toString()], [141, ''])
  })
})
