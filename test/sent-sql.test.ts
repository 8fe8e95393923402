// The list of SQL in docs/scaling.md is what the application needs of an engine that speaks PostgreSQL: every suite on PostgreSQL
// compares what it sent with the list (sent-sql.ts). Here: that the comparison finds what is not in it, and that no entry is idle.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { before, describe, test } from 'node:test'
import { createLogger } from '../server/base/log.ts'
import { openStore } from '../server/store/store.ts'
import { engines, freshDatabase, runSql, startTestApp } from './harness.ts'
import { contrail } from './running/processes.ts'
import {
  listedWords,
  noteSent,
  readVocabulary,
  requireListedSql,
  type Vocabulary,
  wordsOf,
} from './sent-sql.ts'

/** Each with a word that no entry has. */
const notNeeded: Record<string, string> = {
  'listen changes': 'listen',
  "notify changes, 'now'": 'notify',
  'create temporary table found (id integer)': 'temporary',
  'create trigger told after insert on flight execute function tell()': 'trigger',
  'set search_path = other': 'set-search_path',
  "set session time zone 'UTC'": 'set-session',
  'select pg_advisory_lock(1)': 'pg_advisory_lock()',
  'declare rows cursor for select * from flight': 'declare',
  'prepare found as select 1': 'prepare',
  'select * from flight for share': 'for-share',
  'lock table flight': 'lock',
  "copy flight from '/tmp/flights'": 'copy',
  'vacuum flight': 'vacuum',
  'select now()': 'now()',
  'select note::xml from flight': 'xml',
  'select id from flight where note ~ $1': '~',
  'select * from pg_locks': 'pg_locks',
  'commit; listen changes': 'listen',
}

describe('the list of SQL', { skip: !engines.includes('postgres') }, () => {
  let vocabulary: Vocabulary
  const log = createLogger('silent')
  before(async () => {
    const database = await freshDatabase('postgres')
    vocabulary = await readVocabulary(database.databaseUrl!)
    const name = new URL(database.databaseUrl!).pathname.slice(1)
    await database.drop()
    // Every migration, and what suites without an application send.
    await runSql(process.env['TEST_POSTGRES']!, `create database ${name}`)
    await (await openStore(database, log)).close()
    await contrail(database, ['doctor'])
    await database.drop()
    await (await startTestApp('postgres')).close()
  })

  test('a statement that needs more than the list is found', () => {
    const listed = listedWords()
    for (const [text, word] of Object.entries(notNeeded)) {
      const outside = [...wordsOf(text, vocabulary)].filter((one) => !listed.has(one))
      assert.ok(outside.includes(word), `${text}: ${outside}`)
    }
    requireListedSql()
    noteSent('listen changes')
    assert.throws(requireListedSql, /listen changes/)
  })

  test('every entry of the list is in the sources', () => {
    const sources = globSync('server/**/*.ts').map((file) => readFileSync(file, 'utf8'))
    const all = sources
      .join('\n')
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
    for (const word of listedWords()) {
      if (/^(?!for-|set-)\w+-/.test(word)) continue
      const text = word.replace(/\(\)$/, '').replaceAll('-', /^(?:set|for)-/.test(word) ? ' ' : '-')
      assert.ok(all.includes(text), `nothing needs ${word}`)
    }
  })
})
