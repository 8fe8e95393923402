// The contents of a backup, and incomplete backups: they are refused before anything is changed.
// test/running/backup.test.ts moves one from engine to engine.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { BackupError, verifyBackup } from '../../server/services/backup/backup.ts'
import { tables, tablesLeftOut } from '../../server/store/instance/backup.ts'
import { freshDatabase, onBothEngines } from '../harness.ts'
import { contrail } from '../running/processes.ts'
import { backUpUnderWrites, linesOf, newFile, run } from './backups.ts'

const scratch = process.env['TEST_SCRATCH']!

onBothEngines('backup and restore', (app, engine) => {
  test('every table of the store is in a backup, except shipped ones', async () => {
    const sql =
      engine === 'sqlite'
        ? "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'"
        : 'select tablename as name from pg_tables where schemaname = current_schema()'
    const names = (await app().store.read.query(sql, [])).map((row) => row['name'])
    assert.deepEqual(names.sort(), ['migration', ...tablesLeftOut, ...tables.map(({ name }) => name)].sort())
  })

  test('a backup made during writes is consistent', async () => {
    const file = newFile()
    const saved = await backUpUnderWrites(app(), app().config, file)
    assert.equal(saved.code, 0, saved.err)
    const { counts } = JSON.parse(linesOf(file)[0]!)
    assert.ok(counts.flight > 0)
    assert.equal(counts.flight_passenger, 2 * counts.flight)
  })

  test('a running server reads a restored instance immediately, without cached responses', async () => {
    const place = app().config
    const person = await app().person()
    const key = await person.key()
    const flights = async () => {
      const reply = await app().request('GET', '/api/v1/flights', { key })
      return { etag: reply.headers.etag!, notes: reply.json.data.map(({ note }: { note: string }) => note) }
    }
    const [fromId, toId] = [await app().airportId('CPH'), await app().airportId('OSL')]
    const add = (note: string) => {
      const body = { date: '2026-01-01', fromId, toId, note, passengers: [{ userId: person.id }] }
      return app().request('POST', '/api/v1/flights', { key, body })
    }
    await add('saved')
    const file = newFile()
    assert.equal((await run(place, 'backup', file)).code, 0)
    const id = (await add('later')).json.data.id
    const before = await flights()
    assert.deepEqual(before.notes, ['later', 'saved'])

    const refused = await run(place, 'restore', file)
    assert.deepEqual(
      [refused.code, refused.err],
      [2, 'contrail: this instance is not empty; --replace replaces everything in it\n'],
    )
    const unconfirmed = await contrail(place, ['restore', file, '--replace'], 'yes\n')
    assert.equal(unconfirmed.code, 2)
    assert.match(unconfirmed.err, /contrail: nothing was changed\n$/)
    assert.deepEqual(await flights(), before)
    const replaced = await contrail(place, ['restore', file, '--replace'], 'replace\n')
    assert.equal(replaced.code, 0, replaced.err)

    const after = await flights()
    assert.deepEqual(after.notes, ['saved'])
    const again = await app().request('GET', '/api/v1/flights', {
      key,
      headers: { 'if-none-match': before.etag },
    })
    assert.equal(again.status, 200)
    assert.ok((await add('new')).json.data.id > id)
    assert.deepEqual((await flights()).notes, ['new', 'saved'])
    const search = await app().request('GET', '/api/v1/airports?query=kastrup', { key })
    assert.equal(search.json.data[0].iata, 'CPH')
  })
})

describe('an incomplete or damaged backup file', () => {
  test('a damaged file is refused in one line, and nothing is changed', async () => {
    const source = await freshDatabase('sqlite')
    const good = newFile()
    assert.equal((await run(source, 'backup', good)).code, 0)
    const bytes = readFileSync(good)
    const lines = linesOf(good)
    const header = JSON.parse(lines[0]!)
    const write = (content: Buffer) => {
      const file = newFile()
      writeFileSync(file, content)
      return file
    }
    const signed = (body: string[]) => {
      const text = body.map((line) => `${line}\n`).join('')
      const sha256 = createHash('sha256').update(text).digest('hex')
      return write(gzipSync(`${text}${JSON.stringify({ lines: body.length, sha256 })}\n`))
    }
    const body = lines.slice(0, -1)
    const newer = JSON.stringify({ ...header, version: '9.9.9', schema: [...header.schema, '999-later'] })
    const cases: [string, RegExp][] = [
      [join(scratch, 'nowhere.gz'), /there is no file/],
      [write(Buffer.from('hello')), /is not a backup of Contrail/],
      [write(gzipSync('hello\n')), /is damaged/],
      [write(gzipSync('{"a":1}\n')), /is not a backup of Contrail/],
      [write(bytes.subarray(0, bytes.length - 100)), /is cut short/],
      [write(gzipSync(`${body.join('\n')}\n`)), /is cut short/],
      [write(gzipSync(`${lines.join('\n').replace('Administrator', 'Administrat0r')}\n`)), /is damaged/],
      [write(gzipSync(`${lines.join('\n')}\n${lines[0]}\n`)), /is damaged/],
      [signed([newer, ...body.slice(1)]), /was made by a newer Contrail \(9\.9\.9\); update this one first/],
      [signed(body.slice(0, -1)), /is damaged/],
      [signed([...body, '{"upload":"../../evil.png","base64":"AAAA"}']), /is damaged/],
      [signed([...body, '{"table":"person","columns":["id\\") ; drop table person"]}']), /is damaged/],
      [signed([...body, '{"table":"pg_user","columns":["id"]}']), /is damaged/],
      [write(Buffer.concat([bytes, Buffer.alloc(20)])), /has data after its end/],
      [write(Buffer.concat([bytes, Buffer.from('more')])), /has data after its end/],
      [write(Buffer.concat([bytes, bytes])), /is damaged/],
    ]
    for (const [file, message] of cases) {
      await assert.rejects(verifyBackup(file), (error: Error) => {
        assert.ok(error instanceof BackupError, String(error))
        assert.match(error.message, message)
        return true
      })
    }
    // The end of the file and the end of the decompression come in any order.
    const padded = write(Buffer.concat([bytes, Buffer.alloc(20)]))
    const results = await Promise.allSettled(Array.from({ length: 100 }, () => verifyBackup(padded)))
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 0)

    const target = await freshDatabase('sqlite')
    const digest = () => createHash('sha256').update(readFileSync(databaseFile)).digest('hex')
    const databaseFile = join(target.dataDir, 'contrail.sqlite')
    const untouched = digest()
    const [tampered] = cases[6]!
    const { code, out, err } = await run(target, 'restore', tampered)
    assert.deepEqual([code, out, err], [2, '', `contrail: ${tampered} is damaged; nothing was changed\n`])
    assert.equal(digest(), untouched)
    assert.ok(!existsSync(join(target.dataDir, 'uploads')))
  })

  test('a failed backup leaves no file, and no backup overwrites one', async () => {
    const source = await freshDatabase('sqlite')
    const file = newFile()
    writeFileSync(file, 'precious')
    const refused = await run(source, 'backup', file)
    assert.deepEqual([refused.code, refused.err], [2, `contrail: ${file} already exists\n`])
    assert.equal(readFileSync(file, 'utf8'), 'precious')
    const nowhere = await run(source, 'backup', join(scratch, 'no', 'such', 'folder.gz'))
    assert.deepEqual(
      [nowhere.code, nowhere.err],
      [2, `contrail: there is no folder ${join(scratch, 'no', 'such')}; create it first\n`],
    )
    const piped = await contrail(source, ['backup', '-'])
    const copy = newFile()
    writeFileSync(copy, piped.out)
    assert.equal((await verifyBackup(copy)).contrail, 'backup')
  })
})
