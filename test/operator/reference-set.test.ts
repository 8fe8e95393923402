// An invalid set of reference data is refused in one line. The external host is a server of this test.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openSet, ReferenceSetError } from '../../server/services/reference/set.ts'
import { indexOf, newFolder, type SetHost, SHIPPED, startSetHost, writeSet } from './reference-sets.ts'

describe('a set of reference data', () => {
  let host: SetHost
  before(async () => {
    host = await startSetHost()
  })
  after(() => host.close())

  test('the shipped set is valid', async () => {
    const { manifest } = await openSet(SHIPPED)
    assert.equal(manifest.version, JSON.parse(readFileSync(`${SHIPPED}/manifest.json`, 'utf8')).version)
  })

  test('an invalid set is refused in one line with the reason', async () => {
    const airport = (field: string, value: unknown) =>
      writeSet({
        airports(set) {
          set.columns[field]![indexOf(set, 'CPH')] = value
        },
      })
    const aircraft = (field: string, value: unknown) =>
      writeSet({
        aircraft(set) {
          set.columns[field]![7] = value
        },
      })
    const broken = writeSet({})
    writeFileSync(
      join(broken, 'airlines.json.gz'),
      readFileSync(join(broken, 'airlines.json.gz')).subarray(0, 999),
    )
    const few = writeSet({
      aircraft(set) {
        set.count = 10
      },
    })
    host.serve(writeSet({}), '/cut/')
    host.served.set('/cut/aircraft.json.gz', (response) => {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('half')
      setImmediate(() => response.destroy())
    })
    const cases: [string, RegExp][] = [
      [newFolder(), /manifest\.json: there is no such file/],
      [`${host.address}/nowhere/`, /nowhere\/manifest\.json responds with 404/],
      ['http://127.0.0.1:9/', /does not respond \(/],
      [`${host.address}/cut/`, /aircraft\.json\.gz broke off \(/],
      [writeSet({}, { snapshot: 'soon' }), /is not a reference set/],
      [writeSet({}, { version: '0123456789abcdef' }), /the files are not those that the manifest names/],
      [broken, /airlines\.json\.gz is damaged/],
      [few, /aircraft\.json\.gz has 10 records, expected about 2/],
      [
        airport('timezone', 'Europe/Atlantis'),
        /airports\.json\.gz, record 2542: timezone: There is no such time zone/,
      ],
      [airport('latitude', 91), /record 2542: latitude/],
      [airport('country', 'ZZ'), /record 2542: country: There is no such country/],
      [aircraft('id', 1_000_000_000), /aircraft\.json\.gz, record 1000000000: id/],
      [aircraft('name', { $gt: '' }), /aircraft\.json\.gz, record \d+: name/],
      [aircraft('id', 1), /aircraft\.json\.gz has an id twice/],
    ]
    for (const [source, message] of cases) {
      await assert.rejects(openSet(source), (error: Error) => {
        assert.ok(error instanceof ReferenceSetError, String(error))
        assert.match(error.message, message)
        assert.match(error.message, /^[^\n]*; nothing was changed$/)
        return true
      })
    }
  })
})
