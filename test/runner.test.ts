// The test runner: a test that never ends fails with its name and does not block the others.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { slowestFiles, watchedRun } from './watched-run.ts'

const folder = join(process.env['TEST_SCRATCH']!, `runner-${process.pid}`)
mkdirSync(folder)

async function run(name: string, source: string, limits: { testMs: number; silenceMs: number }) {
  const file = join(folder, `${name}.test.mjs`)
  writeFileSync(file, `import { before, describe, test } from 'node:test'\n${source}`)
  const output: string[] = []
  const notes = join(folder, name)
  const code = await watchedRun([file], notes, limits, (text) => output.push(text), 'ignore')
  return { code, output: output.join(''), progress: readFileSync(join(notes, 'progress.jsonl'), 'utf8') }
}

const patient = 60_000
const open = 'setInterval(() => {}, 1000)'

test('a test and a hook that never end fail, and the next test runs', async () => {
  const { code, output, progress } = await run(
    'hung',
    `test('hangs', () => new Promise(() => ${open}))
     describe('suite', () => { before(() => new Promise(() => ${open})); test('never', () => {}) })
     test('the next', () => {})`,
    { testMs: 1_000, silenceMs: patient },
  )
  assert.equal(code, 1)
  assert.equal(output, '')
  assert.match(progress, /"begins":false,"name":"hangs".*"begins":false,"name":"the next"/s)
})

test('what a finished file left open does not hold it up', async () => {
  const { code } = await run('open', `${open}\ntest('works', () => {})`, {
    testMs: patient,
    silenceMs: patient,
  })
  assert.equal(code, 0)
})

test('an endless loop ends the run and its file is named, whatever signals it catches', async () => {
  const { code, output } = await run(
    'loop',
    `process.on('SIGTERM', () => {})
     test('loops', () => { for (;;); })`,
    { testMs: 1_000, silenceMs: 6_000 },
  )
  assert.equal(code, 1)
  assert.match(output, /loop\.test\.mjs hangs: no test began or ended for 6 s\n/)
})

test('tests that a file imports run, and the slowest files are named', async () => {
  const source = (name: string) => `import { test } from 'node:test'\ntest('${name}', () => {})`
  for (const name of ['first', 'second']) writeFileSync(join(folder, `${name}.mjs`), source(name))
  const { code, progress } = await run('both', `import './first.mjs'\nimport './second.mjs'`, {
    testMs: patient,
    silenceMs: patient,
  })
  assert.equal(code, 0)
  for (const name of ['first', 'second'])
    assert.match(progress, new RegExp(`"begins":false,"name":"${name}"`))
  assert.match(slowestFiles(join(folder, 'both'), 10), /^ +\d+\.\d s {2}\S*both\.test\.mjs\n$/)
})
