// The command line on both engines, as an operator uses it: real processes, real output.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { freshDatabase } from './harness.ts'

interface Run {
  code: number | null
  out: string
  err: string
}

function run(environment: Record<string, string>, args: string[], input = '', entry = 'cli'): Promise<Run> {
  const child = spawn(process.execPath, ['server/run.js', ...(entry ? [entry] : []), ...args], {
    env: { ...process.env, ...environment },
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  child.stdin.end(input)
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })))
}

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`command line on ${engine}`, () => {
    let database: Awaited<ReturnType<typeof freshDatabase>>
    let environment: Record<string, string>
    before(async () => {
      database = await freshDatabase(engine)
      environment = { DATA_DIR: database.dataDir, DATABASE_URL: database.databaseUrl ?? '' }
    })
    after(() => database.drop())
    const contrail = (line: string, input?: string) => run(environment, line.split(' '), input)

    test('an operator sets up, adds people and makes keys', async () => {
      assert.deepEqual(
        await contrail('setup --username ada --password - --display-name Ada', 'correct horse\n'),
        {
          code: 0,
          out: 'created the owner ada\n',
          err: '',
        },
      )
      const twice = await contrail('setup --username eve --password longenough --display-name Eve')
      assert.equal(twice.code, 2)
      assert.equal(twice.err, 'contrail: This instance is already set up\n')
      assert.equal(
        (await contrail('user add --username bob --password longenough --display-name Bob')).code,
        0,
      )
      assert.match(
        (await contrail('user add --username BOB --password longenough --display-name Bob')).err,
        /taken/,
      )
      assert.equal((await contrail('user role bob administrator')).out, 'bob is now Administrator\n')
      assert.match((await contrail('user role ada User')).err, /owner has no role/)
      assert.match((await contrail('user list')).out, /\tada\tAda\towner\n.*\tbob\tBob\tAdministrator\n/)
      assert.equal((await contrail('user password bob --password -', 'new password')).code, 0)
      assert.equal((await contrail('user password bob', 'newer password')).code, 0)
      assert.match((await contrail('user password bob', 'short')).err, /^contrail: password: Too small/)
      const key = await contrail('key create --user ada --name ha --scopes read-only --legacy-format objects')
      assert.match(key.out, /^ctk_[a-z2-7]{39}\n$/)
      const listed = await contrail('key list --user ada')
      assert.match(listed.out, /^\d+\tha\t….{4}\tnever used\tflight\.read\.own,flight\.read\.any/)
      assert.equal((await contrail(`key delete ${listed.out.split('\t')[0]}`)).code, 0)
      assert.equal((await contrail('key list --user ada')).out, '')
      assert.match((await contrail('reference status')).out, /airports\t8\d{4}/)
    })

    test('mistakes are one clear line and a non-zero exit', async () => {
      const mistakes: [string, string][] = [
        ['nonsense', 'unknown command nonsense; try help'],
        ['setup --username ada', '--display-name is missing'],
        ['user add --username a --password longenough --display-name Bob', 'username: Too small'],
        ['user add --username carl --password short --display-name Carl', 'password: Too small'],
        [
          'user add --username carl --password longenough --display-name Carl --role nobody',
          'there is no role nobody',
        ],
        ['user password nobody --password longenough', 'there is no user nobody'],
        ['key create --user bob --name x --scopes roles.manage', 'does not permit the scope roles.manage'],
        ['key create --user bob --name x --scopes nonsense', 'there is no scope nonsense'],
        ['key delete x', 'key delete needs an id'],
        ['user list --nonsense', 'nonsense'],
      ]
      for (const [line, message] of mistakes) {
        const { code, err } = await contrail(line)
        assert.equal(code, 2, line)
        assert.equal(err.trim().split('\n').length, 1, err)
        assert.ok(err.startsWith('contrail: ') && err.includes(message), `${line}: ${err}`)
      }
    })
  })
}

test('a bad setting stops the start with its name', async () => {
  const bad: [string, string][] = [
    ['PORT', 'eighty'],
    ['ORIGIN', 'https://example.org/path'],
    ['DATABASE_URL', 'mysql://x'],
    ['BODY_SIZE_LIMIT', '20 apples'],
    ['LOG_LEVEL', 'loud'],
    ['WORKERS', 'many'],
  ]
  for (const [name, value] of bad) {
    const { code, err } = await run({ [name]: value }, [], '', '')
    assert.equal(code, 2, name)
    assert.match(err, new RegExp(`^contrail: bad setting ${name}: [^\n]+\n$`))
    assert.doesNotMatch(err, /: Invalid input\n/, 'it says what would be right')
  }
})

test('a reader that goes away ends a command without a word', async () => {
  const { dataDir } = await freshDatabase('sqlite')
  const child = spawn(process.execPath, ['server/run.js', 'cli', 'backup', '-'], {
    env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '' },
  })
  child.stdout.destroy()
  const stderr: Buffer[] = []
  child.stderr.on('data', (chunk) => stderr.push(chunk))
  const code = await new Promise((resolve) => child.on('close', resolve))
  assert.deepEqual([code, Buffer.concat(stderr).toString()], [141, ''])
})
