// The launcher uses the installed Node if it is new enough, otherwise the bundled one, otherwise it prints one line that says what
// to install.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import packageJson from '../../package.json' with { type: 'json' }
import lock from '../../package-lock.json' with { type: 'json' }

/** A checkout with the launcher alone, run by a Node that reports an old version, with a bundled runtime of our choice. */
function checkoutWith(bundled: string | undefined): { run: string[]; cwd: string } {
  const cwd = mkdtempSync(join(tmpdir(), 'contrail-launcher-'))
  mkdirSync(join(cwd, 'server'))
  for (const file of ['run.js', 'runtime.js']) cpSync(`server/${file}`, join(cwd, 'server', file))
  writeFileSync(join(cwd, 'package.json'), '{"type":"module"}')
  const old =
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })"
  writeFileSync(join(cwd, 'old.cjs'), old)
  if (bundled !== undefined) {
    const folder = join(cwd, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'node'), `#!/bin/sh\n[ "$1" = --version ] && { ${bundled}; }\n${CHILD}\n`)
    chmodSync(join(folder, 'node'), 0o755)
  }
  return { run: ['--require', './old.cjs', 'server/run.js'], cwd }
}

/** Prints its arguments; exits with 7, or with 8 on SIGTERM. */
const CHILD = `echo "$@"
[ "$4" = wait ] && { trap 'exit 8' TERM; echo ready; while :; do sleep 0.05; done; }
exit 7`

const launch = ({ run, cwd }: { run: string[]; cwd: string }, ...args: string[]) =>
  spawnSync(process.execPath, [...run, ...args], { cwd, encoding: 'utf8' })

describe('the launcher', () => {
  test('the bundled runtime gets the same arguments, and its exit code is returned', () => {
    const place = checkoutWith('echo v26.10.0; exit 0')
    const { status, stdout } = launch(place, 'cli', 'help')
    assert.equal(status, 7)
    assert.match(stdout, /^--require \.\/old\.cjs \S*server\/run\.js cli help\n$/)
  })

  test('SIGTERM is forwarded', async () => {
    const { run, cwd } = checkoutWith('echo v26.10.0; exit 0')
    const child = spawn(process.execPath, [...run, 'wait'], { cwd, stdio: ['ignore', 'pipe', 'inherit'] })
    for await (const chunk of child.stdout) if (String(chunk).includes('ready')) break
    child.kill('SIGTERM')
    assert.deepEqual(await once(child, 'exit'), [8, null])
  })

  for (const [what, bundled, says] of [
    [
      'has no runtime',
      undefined,
      /no runtime for this system came with the packages\. Install Node 24 or newer/,
    ],
    [
      'lacks a library',
      'echo "node: error while loading shared libraries: libatomic.so.1: cannot open" >&2; exit 127',
      /does not run here \(.*libatomic\.so\.1.*\)\. Install libatomic \(Debian, Ubuntu: apt-get install libatomic1;/,
    ],
    ['has an old runtime', 'echo v22.1.0; exit 0', /the bundled runtime is too old \(v22\.1\.0\)/],
  ] as const) {
    test(`the launcher tells in one line what to install if the system ${what}`, () => {
      const { status, stdout, stderr } = launch(checkoutWith(bundled))
      assert.deepEqual([status, stdout, stderr.split('\n').length], [1, '', 2])
      assert.match(stderr, /^contrail: needs Node 24 or newer; this is 20\.20\.2, and /)
      assert.match(stderr, says)
    })
  }

  test('an older Node, if installed, starts the command line', (t) => {
    const path = process.env['PATH']!.split(':').filter((folder) => !folder.includes('node_modules'))
    const found = spawnSync('node', ['--version'], { env: { PATH: path.join(':') }, encoding: 'utf8' })
    if (!found.stdout || Number.parseInt(found.stdout.slice(1), 10) >= 24) {
      return t.skip('the Node of this system is new enough')
    }
    const { status, stdout } = spawnSync('node', ['server/run.js', 'cli', 'help'], {
      env: { PATH: path.join(':') },
      encoding: 'utf8',
    })
    assert.equal(status, 0)
    assert.match(stdout, /^usage: contrail COMMAND/)
  })
})

describe('npm scripts and installs', () => {
  // npm would link it as node_modules/.bin/node, which every script would find before a working Node.
  test('the bundled runtime is not in the path of scripts, and is installed only where it runs', () => {
    for (const name of Object.keys(packageJson.optionalDependencies)) {
      const entry = lock.packages[`node_modules/${name}` as keyof typeof lock.packages]
      assert.ok(!('bin' in entry), `package-lock.json links the program of ${name}`)
      assert.deepEqual('libc' in entry && entry.libc, ['glibc'], name)
    }
  })

  test('npm scripts work in every shell', () => {
    for (const [name, script] of Object.entries(packageJson.scripts)) {
      assert.doesNotMatch(script, /'|\$|^exec |;|(^|&& )\w+=/, name)
      for (const [, file] of script.matchAll(/\bnode (?:--\S+ )*(\S+\.ts)/g))
        assert.fail(`${name} runs ${file} with whatever Node there is`)
    }
  })

  test('an install prints no warnings about required Node versions', () => {
    assert.match(readFileSync('.npmrc', 'utf8'), /^loglevel=error$/m)
  })
})
