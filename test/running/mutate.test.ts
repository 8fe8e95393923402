// `npm run mutate` shows whether tests notice a fault, so a run that tries nothing must not look like one that did.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

test('npm run mutate changes a file and counts the mutants that its tests detect', () => {
  const words = ['--sample', '3', 'server/domain/flights/number.ts', 'test/flights/number.test.ts']
  const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/mutate.ts', ...words], {
    encoding: 'utf8',
  })
  assert.equal(status, 0, stdout + stderr)
  assert.match(stdout, /^3 mutants of server\/domain\/flights\/number\.ts/)
  assert.match(stdout, /3 killed, 0 survived\n$/)
})
