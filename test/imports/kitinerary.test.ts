// KDE's engine, if it is installed: its records are added to ours, and its failures reported.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, globSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkKitinerary } from '../../server/doctor/doctor.ts'
import { createKitinerary, isNetworkCut } from '../../server/services/imports/content/kitinerary.ts'
import { openReading } from '../../server/services/imports/reading/reading.ts'
import { message, page, reservation, script } from './mails-made.ts'

const installed = globSync('/usr/{lib,libexec}/{*/,}{libexec/,}kf{5,6}/kitinerary-extractor')[0]
const isAbsent = installed === undefined && 'kitinerary-extractor is not installed'

const hasTimeout = process.platform === 'linux' && spawnSync('timeout', ['1', 'true']).status === 0

const request = {
  source: null,
  options: {},
  mapping: null,
  today: '2026-06-15',
  documentDate: '2026-06-15',
  preferredOrder: null,
  filename: 'file',
}

/** A program that runs a shell script. */
function program(lines: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'engine-')), 'engine')
  writeFileSync(path, `#!/bin/sh\n${lines}\n`)
  chmodSync(path, 0o755)
  return path
}

async function flightsIn(file: string, kitineraryPath: string): Promise<string[]> {
  const { source, batches } = await openReading(Buffer.from(file), { ...request, kitineraryPath })
  const rows: string[] = []
  for await (const batch of batches)
    for (const { flight, error, skip } of batch)
      rows.push(`${source} ${flight?.flightNumber ?? error?.code ?? skip}`)
  return rows
}

const words = message(page('<p>Your flight</p>'))

test('a mail in a layout only the engine knows is read', async () => {
  const engine = program(`echo '${JSON.stringify([reservation('Nora Lindqvist')])}'`)
  assert.deepEqual(await flightsIn(words, engine), ['email SK1416'])
  // A page that our readers cannot read is no error if the engine can.
  assert.deepEqual(await flightsIn('<html><body><p>Your flight</p></body></html>', engine), ['email SK1416'])
})

test('a file is read without an engine that fails, is missing or writes nonsense or too much', async () => {
  for (const lines of ['exit 1', 'echo nonsense', 'echo "{}"', 'yes | head -c 4000000', 'kill -9 $$'])
    assert.deepEqual(await flightsIn(words, program(lines)), ['email not_a_flight'], lines)
  assert.deepEqual(await flightsIn(words, '/nowhere/engine'), ['email not_a_flight'])
})

test('the engine gets the file and the day, not our environment, and can write no file', async () => {
  const engine = program(
    'input=$(cat | head -c 9); test "$input" = "Received:" || exit 1; test "$2" = "2026-06-01T12:00:00" || exit 1; ' +
      'test -z "$HOME$TEST_SCRATCH$DATA_DIR" || exit 1; test "$QT_QPA_PLATFORM" = offscreen || exit 1; ' +
      'if (trap "" XFSZ; echo x > "$0.out") 2>/dev/null && test -s "$0.out"; then exit 1; fi; echo "[{\\"a\\":1}]"',
  )
  const found = await createKitinerary(engine, '2026-01-01')(Buffer.from(words), '2026-06-01')
  assert.equal(found.length, 1)
})

test('the engine is ended by a process that outlives the thread which started it', {
  skip: !hasTimeout,
}, async () => {
  const engine = program('test "$(cat /proc/$PPID/comm)" = timeout || exit 1; echo "[{\\"a\\":1}]"')
  assert.equal((await createKitinerary(engine, '2026-01-01')(Buffer.from(words), null)).length, 1)
})

test('the doctor reports whether the engine runs and is kept off the network', async () => {
  const engine = program('echo "Engine version : 5.22.3"')
  assert.equal((await checkKitinerary(engine, async () => true)).level, 'ok')
  const open = await checkKitinerary(engine, async () => false)
  assert.deepEqual([open.level, /network/.test(open.found)], ['warn', true])
  assert.equal(await isNetworkCut(), spawnSync('unshare', ['-rn', 'true']).status === 0)
  assert.equal((await checkKitinerary('/nowhere/engine')).level, 'fail')
})

test('the real engine reads a booking as the same flight as our reader', { skip: isAbsent }, async () => {
  assert.notEqual((await checkKitinerary(installed!)).level, 'fail')
  const file = message(page(script(reservation('Nora Lindqvist'))))
  assert.deepEqual(await flightsIn(file, installed!), ['email SK1416', 'email SK1416'])
})
