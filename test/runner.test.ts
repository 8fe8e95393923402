// The test runner: a test that never ends fails with its name and does not block the others.
import assert from 'node:assert/strict'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, test } from 'node:test'
import { costOf, slownessOf, startCpuMeter, startSpeedMeter } from './cpu.ts'
import { dependenciesOf } from './dependencies.ts'
import { type Batch, type Gear, gears, planOf } from './gears.ts'
import { until } from './until.ts'
import { slowestFiles, unfinishedFiles, watchedRun } from './watched-run.ts'

const folder = join(process.env['TEST_SCRATCH']!, `runner-${process.pid}`)
mkdirSync(folder)

async function run(name: string, source: string, limits: { testMs: number; silenceMs: number }) {
  const file = join(folder, `${name}.test.mjs`)
  writeFileSync(file, `import { before, describe, test } from 'node:test'\n${source}`)
  const output: string[] = []
  const notes = join(folder, name)
  const code = await watchedRun({
    files: [file],
    folder: notes,
    limits,
    say: (text) => output.push(text),
    output: 'ignore',
  })
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

test('a suite may take longer than one of its tests', async () => {
  const module = new URL('./batch.ts', import.meta.url).href
  const { code, progress } = await run(
    'suite',
    `import { unlimited } from '${module}'
     const wait = () => new Promise((done) => setTimeout(done, 800))
     describe('long', unlimited, () => { for (let i = 0; i < 4; i++) test('of four ' + i, wait) })`,
    { testMs: 2_500, silenceMs: patient },
  )
  assert.equal(code, 0, progress)
})

test('open handles of a finished file do not delay its end', async () => {
  const { code } = await run('open', `${open}\ntest('works', () => {})`, {
    testMs: patient,
    silenceMs: patient,
  })
  assert.equal(code, 0)
})

test('every result arrives, even if the runner reads late', async () => {
  const count = 300
  const { code, progress } = await run(
    'late',
    `import { spawn } from 'node:child_process'
     test('pauses the runner', () => {
       process.kill(process.ppid, 'SIGSTOP')
       spawn('sh', ['-c', \`sleep 1; kill -CONT \${process.ppid}\`], { detached: true, stdio: 'ignore' }).unref()
     })
     for (let i = 0; i < ${count}; i++) test('quick ' + i, () => {})`,
    { testMs: patient, silenceMs: patient },
  )
  assert.equal(code, 0)
  assert.equal(progress.match(/"begins":false,"name":"quick \d+"/g)?.length, count)
})

test('an endless loop ends the run with the name of its file, whatever signals it catches', async () => {
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

test('files of one batch run one after the other, with their own hooks and the batch’s engine', async () => {
  const source = (name: string) => `import { after, before, test } from 'node:test'
    import assert from 'node:assert/strict'
    let own
    before(() => { own = globalThis.now = '${name}' })
    after(() => { globalThis.now = undefined })
    test('${name} is prepared', () => assert.deepEqual([own, globalThis.now, process.env.TEST_ENGINE], ['${name}', '${name}', 'postgres']))`
  const files = ['one', 'two'].map((name) => join(folder, `${name}.test.mjs`))
  for (const file of files) writeFileSync(file, source(basename(file)))
  const batch = { name: 'both', files, engine: 'postgres' }
  const module = new URL('./batch.ts', import.meta.url).href
  const { code, progress } = await run(
    'batch',
    `import { runBatch } from '${module}'\nrunBatch(${JSON.stringify(batch)})`,
    { testMs: patient, silenceMs: patient },
  )
  assert.equal(code, 0, progress)
  for (const file of files) assert.match(slowestFiles(join(folder, 'batch'), 10), new RegExp(basename(file)))
})

test('files of a batch whose process ends too early are named', async () => {
  const files = ['last', 'never'].map((name) => join(folder, `${name}.test.mjs`))
  writeFileSync(files[0]!, `import { test } from 'node:test'\ntest('ends it', () => process.exit(0))`)
  writeFileSync(files[1]!, `import { test } from 'node:test'\ntest('is not run', () => {})`)
  const module = new URL('./batch.ts', import.meta.url).href
  await run('early', `import { runBatch } from '${module}'\nrunBatch(${JSON.stringify({ files })})`, {
    testMs: patient,
    silenceMs: patient,
  })
  const entry = join(folder, 'early.test.mjs')
  assert.deepEqual(unfinishedFiles(join(folder, 'early'), new Map([[entry, files]])), files)
})

test('imports are followed to files that exist, and skipped inside strings', () => {
  const path = (name: string) => join(folder, `${name}.ts`)
  const text = (name: string) => `const script = "import { a } from './${name}.ts'"`
  writeFileSync(path('root'), `import { next } from './next.ts'\n${text('missing')}`)
  writeFileSync(path('next'), '')
  assert.deepEqual([...dependenciesOf(path('root')).keys()], [path('root'), path('next')])
})

describe('the cost of a run', () => {
  test('a slow machine’s seconds count for less, a fast one’s are seconds', () => {
    const reference = slownessOf([0.001])
    assert.equal(reference, 1)
    const [slow, twiceAsSlow] = [slownessOf([1_000]), slownessOf([2_000])]
    assert.ok(slow > 1)
    assert.equal(twiceAsSlow, 2 * slow)
    assert.equal(slownessOf([3_000, 0.001, 1_000, 1_000, 90_000]), slow, 'the median counts')
    assert.deepEqual(costOf(1_106.4, 1), { seconds: 1_106, words: '1106 CPU seconds' })
    assert.deepEqual(costOf(1_106.4, 1.25), {
      seconds: 885,
      words: '1106 CPU seconds (885 on the reference machine)',
    })
  })

  test('the speed is measured while other processes work, and the CPU time of this one counts', async () => {
    const [cpu, speed] = [startCpuMeter(), startSpeedMeter(1)]
    const before = process.cpuUsage()
    await until('it has been measured', () => process.cpuUsage(before).user > 200_000)
    const slowness = speed.read()
    assert.ok(slowness >= 1 && slowness < 100, String(slowness))
    const used = cpu.read()
    assert.ok(used === undefined || used >= 0.2)
  })
})

describe('the gears', () => {
  const filesOf = (gear: Gear, is: (batch: Batch) => boolean = () => true) =>
    planOf(gear)
      .filter(is)
      .flatMap((batch) => batch.files)
  const all = [...globSync('test/**/*.test.ts'), ...globSync('web/src/**/*.test.ts')]

  test('every test file is in a gear, or has a command of its own', () => {
    const planned = new Set([...filesOf('all'), ...filesOf('faults'), ...globSync('test/image/*.test.ts')])
    assert.deepEqual(
      all.filter((file) => !planned.has(file)),
      [],
    )
  })

  test('no batch of one gear repeats a file on the same engine', () => {
    for (const gear of gears) {
      const runs = planOf(gear).flatMap((batch) =>
        batch.files.map((file) => `${file} ${batch.engine} ${batch.journeys} ${batch.conflicts}`),
      )
      assert.equal(new Set(runs).size, runs.length, gear)
    }
  })

  test('a suite for both engines runs on SQLite in npm test, and on PostgreSQL in one of the two gears', () => {
    const onSqlite = new Set(filesOf('quick', ({ engine }) => engine === 'sqlite'))
    const onPostgres = filesOf('all', ({ engine }) => engine === 'postgres')
    const suites = all.filter(
      (file) => /\bonBothEngines\(/.test(readFileSync(file, 'utf8')) && onSqlite.has(file),
    )
    assert.ok(suites.length > 100)
    assert.deepEqual(
      [...onPostgres].filter((file) => !onSqlite.has(file)),
      [],
    )
    for (const file of suites) assert.equal(onPostgres.filter((other) => other === file).length, 1, file)
  })
})
