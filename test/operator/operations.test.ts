// The settings, commands, addresses, metrics and files in the guide for operators are compared with the sources. WRITE=1 writes the
// tables of settings and .env.example.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { parse } from 'yaml'
import packageJson from '../../package.json' with { type: 'json' }
import { secretSettings, settingGroups, settings } from '../../server/base/config.ts'
import { startTestApp } from '../harness.ts'
import { contrail } from '../running/processes.ts'

const GUIDE = 'docs/operations.md'
const ALL_SETTINGS = 'docs/settings.md'
const EXAMPLE = '.env.example'
const pages = [GUIDE, ALL_SETTINGS, 'docs/monitoring.md', 'docs/postgresql.md']
const textOf = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '')
const guide = pages.map(textOf).join('\n')
const blocks = (language: string) =>
  [...guide.matchAll(/```(\w*)\n([\s\S]*?)```/g)].flatMap(([, of, text]) => (of === language ? [text!] : []))

const defaults: Record<string, unknown> = settings.parse({})

/** As it is written in a file of settings; undefined if there is none. */
function defaultOf(name: string): string | undefined {
  const value = defaults[name]
  if (typeof value === 'number' && value % 1024 ** 2 === 0 && value > 0) return `${value / 1024 ** 2}M`
  return value === 86_400_000 ? '1d' : value?.toString()
}

const described = Object.entries(settings.shape).map(([name, schema]) => {
  const { description = '', group, common } = schema.meta() ?? {}
  const orFile = secretSettings.includes(name) ? `; or \`${name}_FILE\`` : ''
  return { name, group, isCommon: common === true, meaning: description + orFile }
})
type Described = (typeof described)[number]

const tableOf = (rows: readonly Described[]): string =>
  [
    '| variable | default | meaning |',
    '|---|---|---|',
    ...rows.map(({ name, meaning }) => {
      const value = defaultOf(name)
      return `| \`${name}\` | ${value === undefined ? 'none' : `\`${value}\``} | ${meaning} |`
    }),
  ].join('\n')

const inGroups = settingGroups.map((group) => ({
  group,
  rows: described.filter((setting) => setting.group === group),
}))

const foldedTables = (): string =>
  inGroups
    .map(
      ({ group, rows }) =>
        `<details>\n<summary><b>${group}</b>: ${rows.map(({ name }) => `<code>${name}</code>`).join(' ')}</summary>\n\n${tableOf(rows)}\n\n</details>\n`,
    )
    .join('\n')

const exampleFile = (): string =>
  [
    '# Every setting of Contrail with its default, for .env next to compose.yaml or for /etc/contrail.env. Copy what you need and remove',
    '# its #. Written from server/base/config.ts by WRITE=1 npm test -- test/operator/operations.test.ts; explained in docs/settings.md.',
    ...inGroups.flatMap(({ group, rows }) => [
      `\n# ${group}`,
      ...rows.map(
        ({ name, meaning }) => `\n# ${meaning.replaceAll('`', '')}\n#${name}=${defaultOf(name) ?? ''}`,
      ),
    ]),
    '',
  ].join('\n')

const withTable = (file: string, table: string): string =>
  textOf(file).replace(
    /(<!-- settings: .* -->\n)[\s\S]*?(<!-- \/settings -->)/,
    (_, start, end) => `${start}\n${table.trimEnd()}\n\n${end}`,
  )

test('the documented settings are those of server/base/config.ts', () => {
  const common = described.filter(({ isCommon }) => isCommon)
  assert.equal(common.length, 10)
  for (const { name, group } of described) assert.ok(group, `${name} is in no group`)
  const right = {
    [GUIDE]: withTable(GUIDE, tableOf(common)),
    [ALL_SETTINGS]: withTable(ALL_SETTINGS, foldedTables()),
    [EXAMPLE]: exampleFile(),
  }
  for (const [file, text] of Object.entries(right)) {
    if (process.env['WRITE']) writeFileSync(file, text)
    else assert.equal(textOf(file), text, 'run "WRITE=1 npm test -- test/operator/operations.test.ts"')
  }
  const readme = readFileSync('README.md', 'utf8')
  for (const { name } of common) assert.ok(readme.includes(`\`${name}\``), `README.md does not name ${name}`)
  assert.ok(readme.includes('(docs/operations.md#first-settings)'))
})

test('every line of .env.example is a setting with a value that is accepted', () => {
  const lines = [...textOf(EXAMPLE).matchAll(/^#([A-Z0-9_]+)=(.*)$/gm)]
  assert.deepEqual(lines.map(([, name]) => name).sort(), Object.keys(settings.shape).sort())
  const given = lines.flatMap(([, name, value]) => (value ? [[name!, value]] : []))
  assert.deepEqual(settings.parse(Object.fromEntries(given)), defaults)
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
  for (const page of pages) {
    for (const [, file, anchor] of textOf(page).matchAll(/\]\(([\w-]+\.md)?#([\w-]+)\)/g)) {
      const target = file === undefined ? page : `docs/${file}`
      assert.ok(headingsIn(textOf(target)).includes(anchor!), `${page}: no heading #${anchor} in ${target}`)
    }
  }
})

const headingsIn = (text: string): string[] =>
  [...text.matchAll(/^##+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )

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
