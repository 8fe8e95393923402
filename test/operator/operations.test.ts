// The settings, commands, addresses, metrics and files in docs/operations.md are compared with the sources. WRITE=1 writes the table
// of settings into the guide.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { parse } from 'yaml'
import packageJson from '../../package.json' with { type: 'json' }
import { secretSettings, settings } from '../../server/base/config.ts'
import { startTestApp } from '../harness.ts'
import { contrail } from '../running/processes.ts'

const GUIDE = 'docs/operations.md'
const guide = readFileSync(GUIDE, 'utf8')
const blocks = (language: string) =>
  [...guide.matchAll(/```(\w*)\n([\s\S]*?)```/g)].flatMap(([, of, text]) => (of === language ? [text!] : []))

const inWords = (value: unknown): string => {
  if (value === undefined) return 'none'
  if (typeof value === 'number' && value % 1024 ** 2 === 0 && value > 0) return `\`${value / 1024 ** 2}M\``
  return value === 86_400_000 ? '`1d`' : `\`${value}\``
}

/** Each setting is in the first matching group. */
const groups: [title: string, names: RegExp][] = [
  ['PostgreSQL', /^DATABASE_/],
  ['Sign-in by a provider', /^OIDC_/],
  ['Mails, mailboxes and calendars', /^(SMTP|MAIL|SUBSCRIPTIONS|INTAKE)/],
  ['Backups', /^BACKUP_/],
  ['Imports and flight lookup', /^(IMPORT_|KITINERARY|AERODATABOX|ADSBDB)/],
  ['Uploads', /^(UPLOADS|S3_)/],
  ['Log and metrics', /^(LOG_|ACCESS_LOG|METRICS_)/],
  ['Programs and webhooks', /^(WEBHOOK|CLIENT_ID_|REQUIRE_|SECRET_KEY)/],
  ['Address, data and processes', /./],
]

function settingsTable(): string {
  const defaults: Record<string, unknown> = settings.parse({})
  const rows = Object.entries(settings.shape).map(([name, schema]) => ({
    group: groups.find(([, names]) => names.test(name))![0],
    row: `| \`${name}\` | ${inWords(defaults[name])} | ${schema.description}${secretSettings.includes(name) ? `; or \`${name}_FILE\`` : ''} |`,
  }))
  return groups
    .toReversed()
    .flatMap(([title]) => [
      `\n**${title}**\n`,
      '| variable | default | meaning |',
      '|---|---|---|',
      ...rows.filter(({ group }) => group === title).map(({ row }) => row),
    ])
    .concat('')
    .join('\n')
}

const tablePattern = /(<!-- settings: .* -->\n)[\s\S]*?(<!-- \/settings -->)/

test('the documented settings are those of server/base/config.ts', () => {
  const right = guide.replace(tablePattern, (_, start, end) => `${start}${settingsTable()}\n${end}`)
  if (process.env['WRITE']) writeFileSync(GUIDE, right)
  else assert.equal(guide, right, 'run "WRITE=1 npm test -- test/operator/operations.test.ts"')
  // The README lists the most common settings.
  const readme = readFileSync('README.md', 'utf8')
  const named = [...readme.matchAll(/^\| (`[A-Z_]+`(?:, `[A-Z_]+`)*) \|/gm)].flatMap(([, names]) =>
    names!.replaceAll('`', '').split(', '),
  )
  assert.ok(named.includes('ORIGIN') && named.includes('DATABASE_URL'))
  for (const name of named) assert.ok(name in settings.shape, `there is no setting ${name}`)
  assert.ok(readme.includes('(docs/operations.md)'))
})

test('documented commands and scripts exist', async () => {
  const { out } = await contrail({ databaseUrl: undefined, dataDir: process.env['TEST_SCRATCH']! }, ['help'])
  const known = [...out.toString().matchAll(/^ {2}([a-z]+(?: [a-z]+)?)/gm)].map(([, words]) => words!)
  const used = [...guide.matchAll(/(?:^|`|bin\/|contrail |run -s )contrail (?:-- )?([a-z]+)(?: ([a-z]+))?/gm)]
  assert.ok(used.length > 8)
  for (const [command, first, second] of used) {
    const isKnown = first === 'help' || known.includes(first!) || known.includes(`${first} ${second}`)
    assert.ok(isKnown, command)
  }
  for (const [, script] of guide.matchAll(/npm run (?:-s )?([a-z:]+)/g))
    assert.ok(script! in packageJson.scripts, `npm run ${script}`)
})

test('documented files exist, and YAML examples can be parsed', () => {
  for (const [, file] of guide.matchAll(/(deploy\/[\w.]+|compose[\w.]*\.yaml|decisions\/[\w-]+\.md)/g))
    assert.ok(existsSync(file!.startsWith('decisions') ? `docs/${file}` : file!), `${file} is not there`)
  for (const text of blocks('yaml')) assert.ok(parse(text))
  for (const [, anchor] of guide.matchAll(/\]\(#([\w-]+)\)/g)) {
    const headings = [...guide.matchAll(/^##+ (.*)$/gm)].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    )
    assert.ok(headings.includes(anchor!), `no heading #${anchor}`)
  }
})

test('documented addresses respond and metrics exist', async () => {
  const app = await startTestApp('sqlite')
  for (const path of ['/healthz', '/readyz', '/metrics']) {
    assert.ok(guide.includes(`\`${path}\``))
    assert.equal((await app.request('GET', path)).status, 200, path)
  }
  const { text } = await app.request('GET', '/metrics')
  for (const [name] of guide.matchAll(/\bcontrail_\w+/g)) assert.ok(text.includes(`# TYPE ${name} `), name)
  for (const [, name] of text.matchAll(/^# TYPE (\w+) /gm)) assert.ok(guide.includes(`\`${name}\``), name!)
  const key = await (await app.person()).key()
  const headers = { 'content-type': 'text/csv', 'content-length': String(200 * 1024 ** 2) }
  const refused = await app.request('POST', '/api/v1/imports', { key, raw: 'x', headers })
  assert.equal(refused.status, 413)
  assert.ok(blocks('nginx')[0]!.includes(`return 413 '${refused.text}';`), refused.text)
  await app.close()
})
