// The public CI (.github): actions are pinned, scripts exist, rights are few, and it runs the Node versions that README names.
// Whether the files are valid is checked by `npm run check workflows`.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parse } from 'yaml'
import packageJson from '../package.json' with { type: 'json' }

interface Job {
  permissions?: Record<string, string>
  'timeout-minutes'?: number
  uses?: string
  container?: string
  strategy?: { matrix: { node?: number[]; include?: { node?: number }[] } }
  steps?: { uses?: string; run?: string; with?: Record<string, unknown> }[]
}

const files = globSync('.github/workflows/*.yml').sort()
const workflows = files.map((file) => {
  const text = readFileSync(file, 'utf8')
  return { file, text, parsed: parse(text) as { permissions: unknown; jobs: Record<string, Job> } }
})

test('every action is one of actions/ and pinned by a commit with its version beside it', () => {
  assert.equal(files.length, 3)
  for (const { file, text } of workflows)
    for (const [, used] of text.matchAll(/uses: (.*)$/gm))
      assert.match(
        used!,
        /^(?:actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+|\.\/\.github\/workflows\/[\w-]+\.yml)$/,
        file,
      )
})

test('every script and file that a workflow runs exists', () => {
  for (const { file, text } of workflows) {
    for (const [, script] of text.matchAll(/npm run (?:-s )?([\w:]+)/g))
      assert.ok(script! in packageJson.scripts, `${file}: npm run ${script}`)
    for (const [, path] of text.matchAll(/(?:^|\s)((?:tools|deploy|test)\/[\w./-]+)/gm))
      assert.ok(existsSync(path!), `${file}: ${path}`)
  }
})

test('a workflow can only read, a job names what more it may do, and none runs without end', () => {
  for (const { file, parsed } of workflows) {
    assert.deepEqual(parsed.permissions, { contents: 'read' }, file)
    for (const [name, job] of Object.entries(parsed.jobs))
      if (!job.uses) assert.ok(job['timeout-minutes'], `${file}: ${name}`)
  }
})

test('no script contains what others wrote: expressions reach it as variables', () => {
  for (const { file, parsed } of workflows)
    for (const step of Object.values(parsed.jobs).flatMap(({ steps = [] }) => steps))
      assert.doesNotMatch(step.run?.replace(/\$\{\{ matrix\.\w+ \}\}/g, '') ?? '', /\$\{\{/, file)
})

test('the tested Node versions are those of README', () => {
  const jobs = workflows.flatMap(({ parsed }) => Object.values(parsed.jobs))
  const tested = jobs.flatMap(({ strategy, steps = [] }) => [
    ...(strategy?.matrix.node ?? []),
    ...(strategy?.matrix.include ?? []).flatMap(({ node }) => node ?? []),
    ...steps.map((step) => step.with?.['node-version']).filter((version) => typeof version === 'number'),
  ])
  const table = /^\| system \| Node \|\n(?:\|.*\n)+/m.exec(readFileSync('README.md', 'utf8'))![0]
  const named = [...table.matchAll(/\b2\d\b/g)].map(([version]) => Number(version))
  assert.deepEqual([...new Set(tested)].sort(), [...new Set(named)].sort())
})

test('the issue forms ask for the version and refuse empty issues', () => {
  for (const form of ['bug', 'file']) {
    const { body } = parse(readFileSync(`.github/ISSUE_TEMPLATE/${form}.yml`, 'utf8'))
    assert.ok(body.some(({ id }: { id: string }) => id === 'version'))
  }
  assert.equal(parse(readFileSync('.github/ISSUE_TEMPLATE/config.yml', 'utf8')).blank_issues_enabled, false)
})

test('shell scripts have no warnings of shellcheck', (t) => {
  if (spawnSync('shellcheck', ['--version']).error) return t.skip('there is no shellcheck here')
  const scripts = [
    '.ci/run',
    'deploy/contrail',
    ...globSync(['{tools,test}/**/*.sh', 'deploy/debian/{post,pre}*']),
  ]
  const { status, stdout } = spawnSync('shellcheck', ['--severity=warning', ...scripts], { encoding: 'utf8' })
  assert.deepEqual([status, stdout], [0, ''])
})
