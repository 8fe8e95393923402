// Everything that can be checked without running the application, several checks at a time: `npm run check`.
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'

const node = (...words: string[]) => ({ command: process.execPath, words })
const installed = (path: string, ...words: string[]) => node(`node_modules/${path}`, ...words)

/** The longest first. */
const checks = {
  'types of the web app': installed(
    'svelte-check/bin/svelte-check',
    '--tsconfig=web/tsconfig.json',
    '--output=human',
    '--fail-on-warnings',
  ),
  types: installed('typescript-native/bin/tsc', '--noEmit'),
  'rules of the web app': node(
    '--test',
    '--test-timeout=60000',
    '--test-force-exit',
    '--test-reporter=dot',
    'web/src/**/*.test.ts',
  ),
  'lint and format': installed('@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', '.'),
  'openapi.yaml is current': node('tools/openapi.ts', '--check'),
  'openapi.yaml is valid': installed('@redocly/cli/bin/cli.js', 'lint', 'docs/openapi.yaml'),
}

/** The linter of openapi.yaml asks no host for a newer version and reports nothing. */
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

const waiting = Object.entries(checks)
let failures = 0
await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, runNext))
process.exit(failures > 0 ? 1 : 0)

async function runNext(): Promise<void> {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const [name, { command, words }] = next
    const { code, output } = await run(command, words)
    if (code !== 0) failures++
    process.stdout.write(`${code === 0 ? '✔' : '✖'} ${name}\n${code === 0 ? '' : output}`)
  }
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
