// The tables of the benchmarks are written into the documents by name, and nothing else of a document changes.
import assert from 'node:assert/strict'
import { globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fillIn, markdownOf, type Table, withTarget } from '../../bench/report.ts'

const table: Table = {
  name: 'sqlite-ratios',
  columns: ['scenario', 'per second', 'ratio', 'target'],
  rows: [
    ['/me', 14_762.4, ...withTarget(2.654, 2)],
    ['page', 6060, ...withTarget(2.1, 3)],
    ['export', 9.94, ...withTarget(31.26, undefined)],
  ],
}

test('numbers are rounded to their magnitude, and missed targets are bold', () => {
  assert.equal(
    markdownOf(table),
    [
      '| scenario | per second | ratio | target |',
      '|---|--:|--:|--:|',
      '| /me | 14,762 | **2.65** | 2 |',
      '| page | 6,060 | 2.10 | 3 |',
      '| export | 9.94 | 31.3 | – |',
    ].join('\n'),
  )
})

test('a table replaces the text between its comments', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'contrail-report-')), 'page.md')
  writeFileSync(
    file,
    'A\n\n<!-- bench sqlite-ratios -->\n\nold\n\n<!-- /bench -->\n\nB\n\n<!-- bench other -->\nkept\n<!-- /bench -->\n',
  )
  assert.deepEqual(fillIn(file, [table, { ...table, name: 'unknown' }]), ['sqlite-ratios'])
  const filled = `A\n\n<!-- bench sqlite-ratios -->\n\n${markdownOf(table)}\n\n<!-- /bench -->\n\nB\n\n<!-- bench other -->\nkept\n<!-- /bench -->\n`
  assert.equal(readFileSync(file, 'utf8'), filled)
  fillIn(file, [table])
  assert.equal(readFileSync(file, 'utf8'), filled)
})

test('every place for a table in the documents is closed and unique', () => {
  const names = globSync('docs/*.md').flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    const marks = [...text.matchAll(/<!-- (bench [\w-]+|\/bench) -->/g)].map(([, mark]) => mark!)
    for (const [i, mark] of marks.entries()) assert.equal(mark === '/bench', i % 2 === 1, `${file}: ${mark}`)
    assert.equal(marks.length % 2, 0, file)
    return marks.filter((mark) => mark !== '/bench')
  })
  assert.ok(names.length > 10)
  assert.deepEqual(names, [...new Set(names)])
})
