// One file through REST, MCP, the command line and the watch folder: the same verdicts.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createWatch } from '../../server/process/watch-folder.ts'
import { onSqlite, type TestApp, type TestPerson } from '../harness.ts'
import { boardingPass } from '../intake/mails.ts'
import { callTool } from '../mcp/clients.ts'
import { contrail as runCommand } from '../running/processes.ts'

const file = `
Date,Flight number,From,To,Dep time,Arr time,Duration,Airline,Aircraft,Registration,Seat number,Seat type,Flight class,Flight reason,Note
2018-10-06,LX93,"Sao Paulo / Guarulhos (GRU/SBGR)","Zurich / Zurich (ZRH/LSZH)",18:25:00,11:00:00,11:35:00,"Swiss (LX/SWR)","Boeing 777-300ER (B77W)",HB-JNA,31K,1,1,1,""
2018-10-06,LX93,"Sao Paulo / Guarulhos (GRU/SBGR)","Zurich / Zurich (ZRH/LSZH)",18:25:00,11:00:00,11:35:00,"Swiss (LX/SWR)","Boeing 777-300ER (B77W)",HB-JNA,31K,1,1,1,""
2019-01-02,SK1416,"Copenhagen / Kastrup (CPH/EKCH)","Nowhere / Nowhere (QQQ/ZZZZ)",08:00:00,09:10:00,01:10:00,"SAS (SK/SAS)"," ()",,,0,0,0,""
2019-13-02,SK1416,"Copenhagen / Kastrup (CPH/EKCH)","Stockholm / Arlanda (ARN/ESSA)",08:00:00,09:10:00,01:10:00,"SAS (SK/SAS)"," ()",,,0,0,0,""
`
const clean = file
  .split('\n')
  .filter((_, i) => i < 3)
  .join('\n')

interface Row {
  row: number
  verdict: string
  code: string | null
}
const verdictsOf = (rows: Row[]) =>
  [...rows]
    .sort((a, b) => a.row - b.row)
    .map(({ row, verdict, code }) => `${row} ${verdict} ${code ?? ''}`.trim())

const expected = ['1 new', '2 duplicate duplicate_in_file', '3 question unknown_airport', '4 error bad_date']

async function byRest(app: TestApp, person: TestPerson): Promise<Row[]> {
  const key = await person.key()
  const started = await app.request('POST', '/api/v1/imports?filename=diary.csv', {
    key,
    headers: { 'content-type': 'text/csv' },
    raw: file,
  })
  assert.equal(started.status, 201, started.text)
  return (await app.request('GET', `/api/v1/imports/${started.json.data.id}/rows`, { key })).json.data
}

async function byMcp(app: TestApp, person: TestPerson): Promise<Row[]> {
  const key = await person.key()
  const result = await callTool(app, key, 'preview_import', { filename: 'diary.csv', text: file })
  assert.equal(result.isError, undefined, result.content?.[0]?.text)
  return result.structuredContent.data.rows
}

/** As run by an operator, in this process. */
async function contrail(
  app: TestApp,
  args: string[],
): Promise<{ code: number | null; out: string; err: string }> {
  const { code, out, err } = await runCommand(app.config, args)
  return { code, out: out.toString(), err }
}

const flightsOf = async (app: TestApp, person: TestPerson): Promise<{ importId: number | null }[]> =>
  (await app.request('GET', '/api/v1/flights', { key: await person.key() })).json.data

onSqlite('ways in for imports', (app) => {
  let folder: string
  const inFolder = async (work: () => Promise<void>) => {
    folder = await mkdtemp(join(tmpdir(), 'contrail-imports-'))
    try {
      await work()
    } finally {
      await rm(folder, { recursive: true })
    }
  }

  test('a file gets the same verdicts over REST and MCP', async () => {
    assert.deepEqual(verdictsOf(await byRest(app(), await app().person())), expected)
    assert.deepEqual(verdictsOf(await byMcp(app(), await app().person())), expected)
  })

  test('the command line is a dry run by default, --commit writes, and the exit code reports open questions', () =>
    inFolder(async () => {
      const ada = await app().person()
      const path = join(folder, 'diary.csv')
      await writeFile(path, file)
      const user = ['--user', ada.username]
      const dry = await contrail(app(), ['import', path, ...user, '--json'])
      assert.deepEqual([dry.code, dry.err], [1, ''])
      const shown = JSON.parse(dry.out)
      assert.deepEqual(verdictsOf(shown.rows), expected)
      assert.equal(shown.counts.rows, 4)
      assert.deepEqual(await flightsOf(app(), ada), [])

      const real = await contrail(app(), ['import', path, ...user, '--commit'])
      assert.equal(real.code, 1, real.err)
      assert.match(real.out, /diary\.csv: fr24, 4 rows/)
      assert.match(real.out, /1 new, 1 question, 1 duplicate, 0 similar, 0 skipped, 1 error/)
      assert.match(real.out, /unknown_airport .*QQQ.*: 1 rows/)
      assert.match(real.out, /1 flights created/)
      assert.deepEqual(
        (await flightsOf(app(), ada)).map(({ importId }) => importId),
        [shown.id],
      )

      const [other, third] = [join(folder, 'clean.csv'), join(folder, 'nothing.csv')]
      await writeFile(other, clean)
      assert.equal((await contrail(app(), ['import', other, other, ...user])).code, 0, 'several files')
      const missing = await contrail(app(), ['import', third, ...user])
      assert.deepEqual([missing.code, missing.err], [2, `contrail: cannot read ${third}: ENOENT\n`])
      const unknown = await contrail(app(), ['import', other, ...user, '--source', 'airmail'])
      assert.match(unknown.err, /there is no source airmail; sources are fr24, flighty/)
      assert.match((await contrail(app(), ['import', ...user])).err, /name a file/)
      assert.match(
        (await contrail(app(), ['import', other, '--user', 'missing'])).err,
        /there is no user missing/,
      )
    }))

  test('the watch folder commits clear files, keeps others pending and ignores links and unknown people', () =>
    inFolder(async () => {
      const ada = await app().person()
      const own = join(folder, ada.username)
      const { services, clock } = app()
      const watch = createWatch({ folder, services, clock, log: services.log })
      await mkdir(own)
      await mkdir(join(folder, 'stranger'))
      await writeFile(join(own, 'diary.csv'), file)
      await writeFile(join(own, 'clean.csv'), clean.replaceAll('2018', '2017'))
      await writeFile(join(own, '.partial.csv'), clean)
      await writeFile(join(own, 'pass.eml'), boardingPass(ada.displayName.split(' ').reverse().join('/')))
      await writeFile(join(folder, 'stranger', 'diary.csv'), file)
      await symlink('/etc/hostname', join(own, 'link.csv'))
      await watch.look()
      clock.advance(9_000)
      await writeFile(join(own, 'growing.csv'), clean.slice(0, 200))
      await watch.look()
      assert.deepEqual(await flightsOf(app(), ada), [], 'nothing is read before it is still')
      clock.advance(1_000)
      await watch.look()
      assert.deepEqual((await readdir(own)).sort(), [
        '.partial.csv',
        'done',
        'growing.csv',
        'link.csv',
        'waiting',
      ])
      assert.deepEqual(await readdir(join(own, 'done')), ['clean.csv'])
      assert.deepEqual((await readdir(join(own, 'waiting'))).sort(), ['diary.csv', 'pass.eml'])
      assert.deepEqual(await readdir(join(folder, 'stranger')), ['diary.csv'])
      assert.equal((await flightsOf(app(), ada)).length, 1)

      const key = await ada.key()
      const imports = (await app().request('GET', '/api/v1/imports', { key })).json.data
      const waiting = imports.find((one: { filename: string }) => one.filename === 'diary.csv')
      const rows = await app().request('GET', `/api/v1/imports/${waiting.id}/rows`, { key })
      assert.deepEqual(verdictsOf(rows.json.data), expected)

      await rm(join(own, 'growing.csv'))
      // The same bytes under the same name again: nothing new, and both copies are kept.
      await writeFile(join(own, 'clean.csv'), clean.replaceAll('2018', '2017'))
      await watch.look()
      clock.advance(10_000)
      await watch.look()
      assert.deepEqual((await readdir(join(own, 'done'))).sort(), ['clean (2).csv', 'clean.csv'])
      assert.equal((await flightsOf(app(), ada)).length, 1)
    }))
})
