// Verdicts are of now: they are judged again when the log has changed, on opening, on sending the file again and on commit.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CHANGES, readRevisions } from '../../server/store/engine/revisions.ts'
import { changesSince } from '../../server/store/imports/compared-flights.ts'
import { findImport } from '../../server/store/imports/imports.ts'
import { airportIds, logFlight } from '../fixtures.ts'
import { onBothEngines, type TestPerson } from '../harness.ts'
import { type Row, readImport } from './judged.ts'

const heading =
  'Date,Flight number,From,To,Dep time,Arr time,Duration,Airline,Aircraft,Registration,Seat number,Seat type,Flight class,Flight reason,Note'
const line = (date: string, number: string, seat = ''): string =>
  `${date},${number},Copenhagen / Kastrup (CPH/EKCH),Newark / Liberty (EWR/KEWR),00:00:00,00:00:00,00:00:00, (/), (),,${seat},0,0,0,`
const file = (...lines: string[]): string => `\n${heading}\n${lines.join('\n')}\n`

const dates = ['2019-03-01', '2019-03-02', '2019-03-03']
const flights = (seat = '') => file(...dates.map((date, i) => line(date, `SK90${i}`, seat)))

onBothEngines('verdicts of now', (app) => {
  const importer = async () => {
    const who = await app().person()
    return { who, key: await who.key() }
  }
  const request = (key: string, method: string, path: string, body?: object) =>
    app().request(method as 'GET', `/api/v1${path}`, { key, ...(body && { body }) })

  async function send(key: string, text: string): Promise<Row> {
    const reply = await request(key, 'POST', '/imports', { filename: 'flights.csv', text })
    assert.ok([200, 201].includes(reply.status), reply.text)
    return reply.json.data
  }
  const commit = async (key: string, id: number): Promise<Row> => {
    const reply = await request(key, 'POST', `/imports/${id}/commit`, {})
    assert.equal(reply.status, 200, reply.text)
    return reply.json.data
  }
  const log = async (who: TestPerson, date: string, flightNumber: string) => {
    const [fromId, toId] = await airportIds(app(), 'CPH', 'EWR')
    return logFlight(app(), who, { date, flightNumber, fromId, toId })
  }
  const codes = (rows: readonly Row[]) => rows.map(({ code, verdict }) => code ?? verdict)
  const versionOf = async (key: string, id: number) =>
    (await request(key, 'GET', `/imports/${id}`)).headers['etag']

  test('after an undo, the file of another program sent again is new', async () => {
    const { key } = await importer()
    const first = await send(key, flights())
    await commit(key, first.id)
    const other = await send(key, flights('12A'))
    assert.equal(other.counts.duplicate, 3)
    await request(key, 'POST', `/imports/${first.id}/undo`, {})
    const again = await send(key, flights('12A'))
    assert.deepEqual([again.id, again.repeated, again.counts.new], [other.id, true, 3])
    assert.equal((await commit(key, other.id)).committed.created, 3)
  })

  test('on opening, both directions: what is gone is new, what appeared is a duplicate', async () => {
    const { who, key } = await importer()
    const logged = await log(who, dates[0]!, 'SK900')
    const { id } = await send(key, flights())
    assert.deepEqual(codes((await readImport(app(), key, id)).rows), ['duplicate_in_log', 'new', 'new'])
    await request(key, 'DELETE', `/flights/${logged.id}`)
    await log(who, dates[1]!, 'SK901')
    const { import: opened, rows } = await readImport(app(), key, id)
    assert.deepEqual([opened.counts.new, opened.counts.duplicate], [2, 1])
    assert.deepEqual(codes(rows), ['new', 'duplicate_in_log', 'new'])
  })

  test('the rows alone are of now too', async () => {
    const { who, key } = await importer()
    const { id } = await send(key, flights())
    await log(who, dates[2]!, 'SK902')
    const { json } = await request(key, 'GET', `/imports/${id}/rows?verdict=duplicate`)
    assert.deepEqual(
      json.data.map(({ row }: Row) => row),
      [3],
    )
  })

  test('a commit creates what became new and leaves what became a duplicate', async () => {
    const { who, key } = await importer()
    const logged = await log(who, dates[0]!, 'SK900')
    const { id } = await send(key, flights())
    await request(key, 'DELETE', `/flights/${logged.id}`)
    await log(who, dates[1]!, 'SK901')
    const done = await commit(key, id)
    assert.deepEqual([done.committed.created, done.counts.duplicate], [2, 1])
    const { json } = await request(key, 'GET', '/flights')
    assert.deepEqual(json.data.map(({ flightNumber }: Row) => flightNumber).sort(), [
      'SK900',
      'SK901',
      'SK902',
    ])
  })

  test('an unchanged log costs nothing, nor does the flight of another person or the commit itself', async () => {
    const { who, key } = await importer()
    const { id } = await send(
      key,
      `${flights()}${line('2019-04-01', 'SK900').replace('Copenhagen / Kastrup (CPH/EKCH)', 'Nowhere (QQQ/QQQQ)')}\n`,
    )
    const before = await versionOf(key, id)
    const other = await importer()
    await log(other.who, dates[0]!, 'SK900')
    assert.equal(await versionOf(key, id), before)
    const done = await commit(key, id)
    assert.deepEqual([done.committed.created, done.counts.question], [3, 1])
    const stored = await findImport(app().store.read, { userId: who.id, id })
    assert.deepEqual(
      [stored?.seenChanges],
      await readRevisions(app().store.read, [CHANGES]),
      'one read suffices',
    )
    const committed = await versionOf(key, id)
    assert.equal(await versionOf(key, id), committed)
    assert.equal((await readImport(app(), key, id)).import.updatedAt, done.updatedAt)
  })

  test('a commit recognises its own changes, also when they take several reads', async () => {
    const { who, key } = await importer()
    const days = Array.from({ length: 1100 }, (_, i) => new Date(Date.UTC(2010, 0, 1 + i)).toISOString())
    const { id } = await send(key, file(...days.map((day) => line(day.slice(0, 10), 'SK900'))))
    const { seenChanges: seen } = (await findImport(app().store.read, { userId: who.id, id }))!
    assert.equal((await commit(key, id)).committed.created, days.length)
    const since = () => changesSince(app().store.read, { userId: who.id, importId: id, seen: seen! })
    assert.equal((await since()).isChanged, false)
    await log(who, '2020-01-01', 'SK900')
    assert.equal((await since()).isChanged, true, 'the last change of all')
  })

  test('decisions stay, and rows of a commit do not count as the log', async () => {
    const { who, key } = await importer()
    await log(who, dates[0]!, 'SK900')
    const { id } = await send(
      key,
      file(line(dates[0]!, 'SK900'), line(dates[1]!, 'SK901'), line(dates[1]!, 'SK901')),
    )
    await request(key, 'PATCH', `/imports/${id}/rows/1`, { accept: 'new' })
    await request(key, 'PATCH', `/imports/${id}/rows/2`, { include: false })
    await log(who, '2010-01-01', 'SK1')
    assert.deepEqual(codes((await readImport(app(), key, id)).rows), ['new', 'excluded', 'new'])
    await request(key, 'PATCH', `/imports/${id}/rows/2`, { include: null })
    assert.equal((await commit(key, id)).committed.created, 2)
    await log(who, '2010-01-02', 'SK2')
    const after = await readImport(app(), key, id)
    assert.equal(after.import.status, 'committed')
    assert.deepEqual(codes(after.rows), ['new', 'new', 'duplicate_in_file'])
  })

  test('the same file after its flights were deleted is a new import', async () => {
    const { key } = await importer()
    const first = await send(key, flights())
    await commit(key, first.id)
    assert.equal((await send(key, flights())).repeated, true)
    const { json } = await request(key, 'GET', '/flights')
    for (const { id } of json.data) await request(key, 'DELETE', `/flights/${id}`)
    const again = await send(key, flights())
    assert.deepEqual([again.repeated, again.counts.new], [false, 3])
  })

  test('a redo does not bring back what is in the log by then', async () => {
    const { key } = await importer()
    const first = await send(key, flights())
    await commit(key, first.id)
    await request(key, 'POST', `/imports/${first.id}/undo`, {})
    const other = await send(key, flights('12A'))
    await commit(key, other.id)
    const redone = await commit(key, first.id)
    assert.equal(redone.counts.duplicate, 3)
    const { json } = await request(key, 'GET', '/flights')
    assert.equal(json.data.length, 3)
  })
})
