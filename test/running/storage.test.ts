// A disk that is full or read-only: one clear log line, no damage, and normal operation once there is space.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, cpSync, openSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import Database from 'better-sqlite3'
import { freshDatabase, startTestApp } from '../harness.ts'
import { canMount, mountDisk } from '../small-disk.ts'
import { StartError, startServer, tryAsking } from './processes.ts'

const MB = 1024 * 1024
const scratch = process.env['TEST_SCRATCH']!
const root = join(scratch, `disk-${process.pid}`)

const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)

const remount = (options: string) => execFileSync('mount', ['-o', `remount,${options}`, root])

describe('a full or read-only disk', {
  skip: canMount(root) ? false : 'needs the right to mount a disk',
}, () => {
  let key: string
  let flight: Record<string, unknown>
  let roomMb: number
  before(async () => {
    const { dataDir } = await freshDatabase('sqlite')
    const app = await startTestApp('sqlite', { dataDir })
    const owner = await app.person('owner')
    key = await owner.key()
    flight = {
      date: '2026-05-01',
      fromId: await app.airportId('CPH'),
      toId: await app.airportId('OSL'),
      passengers: [{ userId: owner.id }],
    }
    await app.close()
    roomMb = Math.ceil(sizeOf(dataDir) / MB) + 2
    mountDisk(root, roomMb)
    cpSync(dataDir, root, { recursive: true })
  })
  after(() => {
    execFileSync('umount', ['--lazy', root])
    rmSync(root, { recursive: true, force: true })
  })
  const place = { databaseUrl: undefined, dataDir: root }
  const add = (url: string, note: string) =>
    tryAsking(url, 'POST', '/api/v1/flights', key, { ...flight, note })

  test('on a full disk writes are refused with a reason, reads work, and writes recover', async () => {
    const server = await startServer(place)
    const accepted: string[] = []
    let refused: { status: number; text: string } | undefined
    for (let i = 0; i < 2000 && !refused; i++) {
      const note = `${i} ${'x'.repeat(9000)}`
      const reply = await add(server.url, note)
      if (reply!.status === 201) accepted.push(note)
      else refused = reply
    }
    assert.equal(refused?.status, 503)
    assert.deepEqual(JSON.parse(refused!.text), {
      error: { code: 'unavailable', reason: 'disk_full', message: 'The disk of this server is full' },
    })
    assert.equal((await tryAsking(server.url, 'GET', '/api/v1/flights', key))?.status, 200)
    remount(`size=${roomMb + 32}m`)
    accepted.push('room again')
    assert.equal((await add(server.url, 'room again'))?.status, 201)
    assert.equal(await server.stop(), 0)

    const database = new Database(join(root, 'contrail.sqlite'), { readonly: true })
    assert.deepEqual(database.pragma('integrity_check'), [{ integrity_check: 'ok' }])
    const notes = database.prepare('select note from flight order by id').pluck().all()
    database.close()
    assert.deepEqual(notes, accepted)
  })

  test('a full disk at start is reported in one line', async () => {
    // As after a clean stop; the previous test has read the file.
    for (const end of ['-shm', '-wal']) rmSync(join(root, `contrail.sqlite${end}`), { force: true })
    const fill = join(root, 'fill')
    const file = openSync(fill, 'w')
    const isFull = (bytes: number) => {
      try {
        writeSync(file, Buffer.alloc(bytes))
        return false
      } catch {
        return true
      }
    }
    for (const bytes of [MB, 4096, 1]) while (!isFull(bytes));
    await assert.rejects(startServer(place), (error) => {
      assert.ok(error instanceof StartError)
      assert.equal(
        error.output,
        `contrail: cannot use the data folder ${root}: the disk is full; free some space\n`,
      )
      return true
    })
    closeSync(file)
    rmSync(fill)
  })

  test('a read-only disk at start is reported in one line, and the data is unchanged', async () => {
    const starts = async () => {
      const error: unknown = await startServer(place).then(
        () => assert.fail('it started'),
        (reason) => reason,
      )
      assert.ok(error instanceof StartError, String(error))
      assert.equal(error.code, 1)
      return error.output
    }
    remount('ro')
    assert.equal(
      await starts(),
      `contrail: cannot use the data folder ${root}: it is on a read-only file system; mount it for writing or set DATA_DIR to another folder\n`,
    )
    remount('rw')
    const app = await startTestApp('sqlite', place)
    const body = { ...flight, note: 'works again' }
    assert.equal((await app.request('POST', '/api/v1/flights', { key, body })).status, 201)
    await app.close()
  })
})
