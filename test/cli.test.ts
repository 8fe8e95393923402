// The command line on both engines, as an operator uses it, run in this process. test/running/commands.test.ts starts each
// command once.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { readConfig } from '../server/base/config.ts'
import { createLogger } from '../server/base/log.ts'
import { openStore } from '../server/store/store.ts'
import { engines, freshDatabase } from './harness.ts'
import { contrail as runCommand } from './running/processes.ts'

interface Run {
  code: number | null
  out: string
  err: string
}

type Place = Pick<Awaited<ReturnType<typeof freshDatabase>>, 'databaseUrl' | 'dataDir'>

async function run(
  place: Place,
  line: string,
  input?: string,
  settings?: Record<string, string>,
): Promise<Run> {
  const { code, out, err } = await runCommand(place, line.split(' ').filter(Boolean), input, settings)
  return { code, out: out.toString(), err }
}

function requireOneLine({ code, err }: Run, line: string, message: string): void {
  assert.equal(code, 2, line)
  assert.equal(err.trim().split('\n').length, 1, err)
  assert.ok(err.startsWith('contrail: ') && err.includes(message), `${line}: ${err}`)
}

const everyCommand =
  'setup, user add, user list, user password, user invite, user reset-link, user role, key create, key list, key delete, import, backup, restore, uploads move, push reset, doctor, reference load, reference status, reference update, version'

for (const engine of engines) {
  describe(`command line on ${engine}`, () => {
    let database: Awaited<ReturnType<typeof freshDatabase>>
    before(async () => {
      database = await freshDatabase(engine)
    })
    after(() => database.drop())
    const contrail = (line: string, input?: string) => run(database, line, input)

    test('an operator sets up the instance, adds people and creates keys', async () => {
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
      assert.match(
        (await contrail('user password bob', 'short')).err,
        /^contrail: password: Must have at least 8 characters\n/,
      )
      const key = await contrail('key create --user ada --name ha --scopes read-only --legacy-format objects')
      assert.match(key.out, /^ctk_[a-z2-7]{39}\n$/)
      const listed = await contrail('key list --user ada')
      assert.match(listed.out, /^\d+\tha\t….{4}\tnever used\tflight\.read\.own,flight\.read\.any/)
      assert.equal((await contrail(`key delete ${listed.out.split('\t')[0]}`)).code, 0)
      assert.equal((await contrail('key list --user ada')).out, '')
      assert.match((await contrail('reference status')).out, /airports\t8\d{4}/)
    })

    test('a role counts as chosen only if it was named, until it is returned to the rules', async () => {
      const add = (name: string, more = '') =>
        contrail(`user add --username ${name} --password longenough --display-name ${name}${more}`)
      for (const done of [await add('dora'), await add('emil', ' --role user'), await add('fritz')])
        assert.equal(done.code, 0, done.err)
      assert.equal((await contrail('user role fritz administrator')).out, 'fritz is now Administrator\n')
      const byHand = async () => {
        const store = await openStore(
          { ...readConfig({}), dataDir: database.dataDir, databaseUrl: database.databaseUrl },
          createLogger('silent'),
        )
        const rows = await store.read.query(
          "select username, role_by_hand from person where username in ('dora', 'emil', 'fritz') order by username",
          [],
        )
        await store.close()
        return rows.map((row) => Object.values(row).join(' '))
      }
      assert.deepEqual(await byHand(), ['dora 0', 'emil 1', 'fritz 1'])
      assert.equal(
        (await contrail('user role fritz administrator --mapped')).out,
        'fritz is now Administrator\n',
      )
      assert.deepEqual(await byHand(), ['dora 0', 'emil 1', 'fritz 0'])
      assert.match((await contrail('user role ada user --mapped')).err, /owner has no role/)
    })

    test('links are printed alone and work', async () => {
      const link = (line: string) => run(database, line, '', { ORIGIN: 'https://flights.example.org' })
      const invited = await link('user invite --role user')
      assert.match(invited.out, /^https:\/\/flights\.example\.org\/invite\/cti_[a-z2-7]{39}\n$/)
      const reset = await link('user reset-link ada')
      assert.match(reset.out, /^https:\/\/flights\.example\.org\/reset\/ctl_[a-z2-7]{39}\n$/)
      assert.equal((await link('user reset-link bob --end-keys --end-apps --keep-second-factor')).code, 0)
      const store = await openStore(
        { ...readConfig({}), dataDir: database.dataDir, databaseUrl: database.databaseUrl },
        createLogger('silent'),
      )
      const rows = await store.read.query(
        `select purpose, end_api_keys, end_apps, end_second_factor, person.username from account_link
         left join person on person.id = account_link.user_id order by account_link.id`,
        [],
      )
      const hashes = await store.read.query('select hash from account_link', [])
      await store.close()
      assert.deepEqual(
        rows.map((row) => Object.values(row)),
        [
          ['invite', 0, 0, 0, null],
          ['reset', 0, 0, 1, 'ada'],
          ['reset', 1, 1, 0, 'bob'],
        ],
      )
      assert.ok(
        hashes.every(({ hash }) => /^[0-9a-f]{64}$/.test(String(hash))),
        'only hashes are stored',
      )
      const off = {
        OIDC_ISSUER: 'https://id.example.org',
        OIDC_CLIENT_ID: 'x',
        OIDC_PASSWORDS: 'false',
      }
      for (const line of ['user invite --role user', 'user reset-link bob'])
        requireOneLine(
          await run(database, line, '', off),
          line,
          'Only the owner signs in with a password here',
        )
      assert.equal((await run(database, 'user reset-link ada', '', off)).code, 0, 'the owner gets in')
      for (const [line, message] of [
        ['user invite', '--role is missing'],
        ['user invite --role unknown', 'there is no role unknown'],
        ['user reset-link', 'name a user'],
        ['user reset-link unknown', 'there is no user unknown'],
      ] as const)
        requireOneLine(await contrail(line), line, message)
    })

    test('mistakes are reported in one line with a non-zero exit code', async () => {
      const mistakes: [string, string][] = [
        ['nonsense', 'unknown command nonsense; try help'],
        ['setup --username ada', '--display-name is missing'],
        [
          'user add --username a --password longenough --display-name Bob',
          'username: Must have at least 3 characters',
        ],
        [
          'user add --username carl --password short --display-name Carl',
          'password: Must have at least 8 characters',
        ],
        [
          'user add --username carl --password longenough --display-name Carl --role unknown',
          'there is no role unknown',
        ],
        ['user password unknown --password longenough', 'there is no user unknown'],
        ['key create --user bob --name x --scopes roles.manage', 'does not permit the scope roles.manage'],
        ['key create --user bob --name x --scopes nonsense', 'there is no scope nonsense'],
        ['key delete x', 'key delete needs an id'],
        ['user list --nonsense', 'nonsense'],
      ]
      for (const [line, message] of mistakes) requireOneLine(await contrail(line), line, message)
    })
  })
}

/** Neither help nor a usage error needs valid settings. */
const wrong: [Place, settings: Record<string, string>] = [
  { databaseUrl: 'mysql://x', dataDir: '/nowhere' },
  { PORT: 'eighty' },
]
const runWrongly = (line: string) => run(wrong[0], line, '', wrong[1])

test('options and arguments are checked per command', async () => {
  const mistakes: [string, string][] = [
    ['user list --scopes x', 'user list has no option --scopes; it has none'],
    [
      'user add --scopes all --username carl',
      'user add has no option --scopes; its options are --username, --display-name, --password, --role',
    ],
    ['key list --user ada --quiet', 'key list has no option --quiet; its options are --user'],
    ['user password bob -x', 'user password has no option -x'],
    ['user list bob', 'unexpected argument bob; user list takes none'],
    ['user role bob User Guest', 'unexpected argument Guest; user role takes NAME ROLE'],
    ['key list', '--user is missing'],
    ['key list --user', '--user'],
    ['user add --username --role x', '--username'],
    ['doctor --quiet=yes', '--quiet'],
    ['user', 'unknown command user; try help'],
    ['help nonsense', 'unknown command nonsense; try help'],
  ]
  for (const [line, message] of mistakes) {
    requireOneLine(await runWrongly(line), line, message)
  }
})

test('every command and group has help', async () => {
  const help = async (line: string) => {
    const { code, out, err } = await runWrongly(line)
    assert.deepEqual([code, err], [0, ''], line)
    return out
  }
  const all = await help('')
  assert.equal(await help('help'), all)
  const commands = [...all.matchAll(/^ {2}((?:[a-z]+(?:-[a-z]+)* ?)+)\b/gm)].map(([, words]) => words!.trim())
  assert.equal(commands.join(', '), everyCommand)
  const users = await help('user --help')
  const listed = [...users.matchAll(/^ {2}(\w+ [\w-]+)/gm)].map(([, words]) => words)
  assert.deepEqual(listed, [
    'user add',
    'user list',
    'user password',
    'user invite',
    'user reset-link',
    'user role',
  ])
  const add = await help('user add --help')
  assert.equal(await help('help user add'), add)
  assert.match(add, /^usage: contrail user add --username NAME .*\[--role NAME\]\n/)
  for (const name of ['username', 'display-name', 'password', 'role']) {
    assert.match(add, new RegExp(`^  --${name} [A-Z|-]+ +[^ ]`, 'm'))
  }
  assert.match(await help('doctor --quiet --help'), /^usage: contrail doctor \[--quiet\]\n/)
})
