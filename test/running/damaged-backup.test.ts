// A SQLite file with overwritten pages: readable data is saved and can be restored, and missing data is named before
// anything is restored.
import assert from 'node:assert/strict'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { freshDatabase, startTestApp } from '../harness.ts'
import { contrail } from './processes.ts'

type Fresh = Awaited<ReturnType<typeof freshDatabase>>

const FLIGHTS = 120
let files = 0
const newFile = () => join(process.env['TEST_SCRATCH']!, `damaged-${process.pid}-${files++}.gz`)
const sqliteFile = ({ dataDir }: Fresh) => join(dataDir, 'contrail.sqlite')

async function run(database: Fresh, ...args: string[]) {
  const { code, out, err } = await contrail(database, args)
  return { code, out: out.toString(), err }
}

/** Some people with flights and one long track; returns a key that may read all of it. */
async function live(database: Fresh): Promise<string> {
  const app = await startTestApp('sqlite', database)
  const owner = await app.person('owner')
  const other = await app.person()
  const key = await owner.key()
  const [fromId, toId] = [await app.airportId('CPH'), await app.airportId('OSL')]
  const ids: number[] = []
  for (let i = 0; i < FLIGHTS; i++) {
    const body = {
      date: '2026-01-01',
      fromId,
      toId,
      note: `note ${i} ${'x'.repeat(400)}`,
      passengers: [{ userId: owner.id }, { userId: other.id }],
    }
    const made = await app.request('POST', '/api/v1/flights', { key, body })
    assert.equal(made.status, 201, made.text)
    ids.push(made.json.data.id)
  }
  const coordinates = Array.from({ length: 3000 }, (_, i) => [i / 1000, Math.sin(i) * 50, i])
  const track = { coordinates, sourceFormat: 'gpx', sourceName: 'a.gpx' }
  const path = `/api/v1/flights/${ids[0]}/track`
  const stored = await app.request('PUT', path, { key, body: track })
  assert.ok(stored.status < 300, stored.text)
  await app.close()
  deleteMostAirports(database)
  return key
}

/** Rows of a damaged file are read one by one, so two hundred pages of airports test the same as thousands. */
function deleteMostAirports(database: Fresh): void {
  const db = new Database(sqliteFile(database))
  db.prepare('delete from airport where id > (select max(max(from_id), max(to_id)) from flight)').run()
  db.exec('vacuum')
  db.close()
}

const copyOf = async (source: Fresh): Promise<Fresh> => {
  const copy = await freshDatabase('sqlite')
  const db = new Database(sqliteFile(source))
  await db.backup(sqliteFile(copy))
  db.close()
  const fresh = new Database(sqliteFile(copy))
  fresh.pragma('journal_mode = wal')
  fresh.close()
  return copy
}

type Kind = 'leaf' | 'internal' | 'overflow'

/** Finds the pages of a table or an index, of one kind: the same in every copy. */
function mapPages(database: Fresh): (name: string, kind: Kind) => number[] {
  const db = new Database(sqliteFile(database))
  const rows = db.prepare('select name, pagetype, pageno from dbstat order by name, path').all()
  db.close()
  const found = rows as { name: string; pagetype: Kind; pageno: number }[]
  return (name, kind) =>
    found.filter((row) => row.name === name && row.pagetype === kind).map(({ pageno }) => pageno)
}

function overwrite(database: Fresh, pages: readonly number[], byte = 0xaa): void {
  const file = openSync(sqliteFile(database), 'r+')
  for (const page of pages) writeSync(file, Buffer.alloc(4096, byte), 0, 4096, (page - 1) * 4096)
  closeSync(file)
}

/** A table and the indexes of its keys. */
const withIndexes = (table: string, keys: number): string[] => [
  table,
  ...Array.from({ length: keys }, (_, i) => `sqlite_autoindex_${table}_${i + 1}`),
]

/** The files of the folder that this process has open, if the system tells. */
const openFilesIn = (folder: string): string[] =>
  process.platform === 'linux'
    ? readdirSync('/proc/self/fd')
        .map((fd) => readlinkIfOpen(`/proc/self/fd/${fd}`))
        .filter((file) => file.startsWith(folder))
    : []

function readlinkIfOpen(link: string): string {
  try {
    return readlinkSync(link)
  } catch {
    // The folder was read through this handle.
    return ''
  }
}

const headerOf = (file: string) => JSON.parse(gunzipSync(readFileSync(file)).toString().split('\n', 1)[0]!)
// biome-ignore lint/suspicious/noExplicitAny: tests look into headers of every shape
const missingFrom = (header: any, table: string) =>
  header.partial.missing.find((entry: { table: string }) => entry.table === table)

async function restoredFlights(file: string, key: string) {
  const place = await freshDatabase('postgres')
  const restored = await run(place, 'restore', file, '--partial')
  assert.equal(restored.code, 0, restored.err)
  const app = await startTestApp('postgres', place)
  const { json, text } = await app.request('GET', '/api/v1/flights/export', { key })
  assert.ok(json ?? text)
  const { flights } = JSON.parse(text)
  await app.close()
  await place.drop()
  return { flights, err: restored.err }
}

describe('a backup of a damaged database', () => {
  let source: Fresh
  let key: string
  let pagesOf: ReturnType<typeof mapPages>
  before(async () => {
    source = await freshDatabase('sqlite')
    key = await live(source)
    pagesOf = mapPages(source)
  })

  test('readable data is saved, lost data listed, and a restore needs --partial', async () => {
    const damaged = await copyOf(source)
    const [flightPage] = pagesOf('flight', 'leaf').slice(2)
    const airportPages = pagesOf('airport', 'leaf')
    const trackPage = pagesOf('track', 'overflow')[1]
    overwrite(damaged, [flightPage!, trackPage!, airportPages[0]!])
    overwrite(damaged, airportPages.slice(10, 12), 0)
    for (const lost of [...withIndexes('role', 2), ...withIndexes('setting', 1), 'revision'])
      overwrite(damaged, pagesOf(lost, 'leaf'))

    const file = newFile()
    const saved = await run(damaged, 'backup', file)
    assert.equal(saved.code, 3, saved.err)
    assert.match(saved.out, /^saved in part 2 people, \d+ flights and 0 uploads to /)
    const header = headerOf(file)
    const flights = missingFrom(header, 'flight')
    assert.ok(flights.isExact && flights.unreadable > 0 && flights.unreadable < 20, JSON.stringify(flights))
    assert.equal(flights.ids.length, flights.unreadable)
    assert.equal(header.counts.flight, FLIGHTS - flights.unreadable)
    assert.equal(missingFrom(header, 'flight_passenger').leftOut, 2 * flights.unreadable)
    assert.equal(missingFrom(header, 'track').unreadable, 1)
    assert.match(
      saved.err,
      new RegExp(`flight: ${flights.unreadable} rows? could not be read .*${flights.ids[0]}`),
    )
    assert.match(saved.err, /role: an unknown number of rows/)
    // No shipped airport is lost, because the program contains them.
    assert.equal(missingFrom(header, 'airport'), undefined)

    const refused = await run(await freshDatabase('sqlite'), 'restore', file)
    assert.equal(refused.code, 2)
    assert.match(
      refused.err,
      /is a partial backup, [\s\S]*\n {2}flight: \d+ rows? could not be read[\s\S]*--partial/,
    )
    // People keep their flights and their account; those with a lost role get the default role.
    const restored = await restoredFlights(file, key)
    assert.equal(restored.flights.length, FLIGHTS - flights.unreadable)
    assert.ok(restored.flights.every((flight: { from: object; to: object }) => flight.from && flight.to))
    assert.match(restored.err, /Missing from it:\n[\s\S]* {2}flight/)
  })

  test('damaged indexes alone lose no data', async () => {
    const damaged = await copyOf(source)
    for (const index of ['flight_newest', 'sqlite_autoindex_person_1', 'sqlite_autoindex_setting_1'])
      overwrite(damaged, pagesOf(index, 'leaf'))
    const file = newFile()
    assert.equal((await run(damaged, 'backup', file)).code, 3)
    const header = headerOf(file)
    assert.deepEqual(header.partial.missing, [])
    assert.equal(header.counts.flight, FLIGHTS)
    assert.equal(header.counts.person, 2)
  })

  test('a backup of an unreadable database fails completely, and automatic backups are never partial', async () => {
    const damaged = await copyOf(source)
    overwrite(damaged, pagesOf('flight', 'leaf').slice(0, 1))
    const folder = join(damaged.dataDir, 'backups')
    const automatic = await contrail(damaged, ['backup'], '', { BACKUP_DIR: folder })
    assert.equal(automatic.code, 2)
    assert.match(automatic.err, /^contrail: the database file is damaged; /)
    assert.deepEqual(readdirSync(folder), [])
    assert.deepEqual(openFilesIn(folder), [])

    for (const pages of [[1], pagesOf('sqlite_schema', 'leaf')]) {
      overwrite(damaged, pages)
      const file = newFile()
      const failed = await run(damaged, 'backup', file)
      assert.ok(failed.code !== 0 && failed.code !== 3)
      assert.match(failed.err, /^contrail: [^\n]*(damaged|nothing in the database file can be read)[^\n]*\n$/)
      assert.ok(!existsSync(file))
    }
  })

  test('a folder without a database gets no backup', async () => {
    const nowhere = { databaseUrl: undefined, dataDir: join(process.env['TEST_SCRATCH']!, 'nowhere') }
    const file = newFile()
    const { code, err } = await contrail(nowhere, ['backup', file])
    assert.notEqual(code, 0)
    assert.match(err, /there is no database in it\n$/)
    assert.ok(!existsSync(file) && !existsSync(nowhere.dataDir))
  })
})
