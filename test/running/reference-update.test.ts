// Reference data is updated only on request, completely or not at all, and kept until the program ships newer data. The external
// host is a server of this test.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { openSet, ReferenceSetError } from '../../server/reference/set.ts'
import { onBothEngines } from '../harness.ts'
import { contrail } from './processes.ts'

const SHIPPED = 'server/reference/data'
const kinds = ['airports', 'airlines', 'aircraft'] as const

// biome-ignore lint/suspicious/noExplicitAny: columns of every kind
type Columns = Record<string, any[]>
type Sets = Record<(typeof kinds)[number], { count: number; columns: Columns }>

let folders = 0
const newFolder = () => join(process.env['TEST_SCRATCH']!, `set-${process.pid}-${folders++}`)

const shippedBytes = Object.fromEntries(
  kinds.map((kind) => [kind, readFileSync(`${SHIPPED}/${kind}.json.gz`)]),
)
const shippedTexts = Object.fromEntries(
  kinds.map((kind) => [kind, gunzipSync(shippedBytes[kind]!).toString()]),
)

/** The shipped set with some kinds changed, as the generator would write it. */
function writeSet(
  changes: { [Kind in keyof Sets]?: (set: Sets[Kind]) => void },
  manifestChange: object = {},
): string {
  const shipped = JSON.parse(readFileSync(`${SHIPPED}/manifest.json`, 'utf8'))
  const counts = { ...shipped.counts }
  const texts = { ...shippedTexts }
  const bytes = { ...shippedBytes }
  for (const kind of kinds) {
    const change = changes[kind]
    if (!change) continue
    const set = JSON.parse(texts[kind]!)
    change(set)
    counts[kind] = set.count
    texts[kind] = JSON.stringify(set)
    bytes[kind] = gzipSync(texts[kind], { level: 1 })
  }
  const version = createHash('sha256')
    .update(kinds.map((kind) => texts[kind]).join('\n'))
    .digest('hex')
    .slice(0, 16)
  const manifest = { ...shipped, version, counts, snapshot: '2099-01-31', ...manifestChange }
  const folder = newFolder()
  mkdirSync(folder)
  for (const kind of kinds) writeFileSync(join(folder, `${kind}.json.gz`), bytes[kind]!)
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest))
  return folder
}

const indexOf = ({ columns }: Sets['airports'], iata: string) => columns['iata']!.indexOf(iata)

/** Copenhagen has another name, and there is a new airport. */
function renewed(airports: Sets['airports']): void {
  const cph = indexOf(airports, 'CPH')
  airports.columns['name']![cph] = 'Kastrup, renamed'
  for (const values of Object.values(airports.columns)) values.push(values[cph])
  const last = airports.count++
  for (const [field, value] of Object.entries({ id: 900_001, icao: 'ZZQQ', iata: null, name: 'Xyzzyfield' }))
    airports.columns[field]![last] = value
}

let host: http.Server
let address: string
const served = new Map<string, (response: http.ServerResponse) => void>()
before(async () => {
  host = http.createServer((request, response) => {
    const respond = served.get(request.url!)
    if (respond) respond(response)
    else response.writeHead(404).end()
  })
  host.listen(0, '127.0.0.1')
  await once(host, 'listening')
  address = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
})
after(() => host.close())

function serve(folder: string, path: string): string {
  for (const name of ['manifest.json', ...kinds.map((kind) => `${kind}.json.gz`)])
    served.set(`${path}${name}`, (response) => response.end(readFileSync(join(folder, name))))
  return address + path
}

onBothEngines('reference update', (app, engine) => {
  const run = async (...args: string[]) => {
    const { code, out, err } = await contrail(app().config, args)
    return { code, out: out.toString(), err }
  }

  test('a running server uses a newer set immediately, and custom records are kept', async () => {
    const owner = await app().person('owner')
    const [key, cookie] = [await owner.key(), await owner.session()]
    const own = await app().request('POST', '/app/api/airports', {
      cookie,
      body: {
        icao: 'X-9',
        name: 'Own meadow',
        latitude: 1,
        longitude: 1,
        timezone: 'Europe/Copenhagen',
        continent: 'EU',
        country: 'DK',
      },
    })
    const body = {
      date: '2026-01-01',
      fromId: await app().airportId('CPH'),
      toId: own.json.data.id,
      passengers: [{ userId: owner.id }],
    }
    assert.equal((await app().request('POST', '/api/v1/flights', { key, body })).status, 201)
    const search = async (query: string) =>
      (await app().request('GET', `/api/v1/airports?query=${query}`, { key })).json.data
    assert.deepEqual(await search('xyzzyfield'), [])

    const folder = writeSet({ airports: renewed })
    const source = engine === 'sqlite' ? folder : `${serve(folder, '/data/')}manifest.json`
    const updated = await run('reference', 'update', source)
    assert.deepEqual([updated.code, updated.err], [0, ''])
    assert.match(
      updated.out,
      /^loaded the set of 2099-01-31: 85\d{3} airports, 6\d{3} airlines, 2\d{3} aircraft types\n$/,
    )

    assert.equal((await search('xyzzyfield'))[0].id, 900_001)
    const [flight] = (await app().request('GET', '/api/v1/flights', { key })).json.data
    assert.deepEqual([flight.from.name, flight.to.name], ['Kastrup, renamed', 'Own meadow'])

    const again = await run('reference', 'update', folder)
    assert.deepEqual(
      [again.code, again.err, again.out],
      [0, '', 'nothing to do: this set is of 2099-01-31, and there is one of 2099-01-31 already\n'],
    )
    assert.equal((await run('reference', 'load')).code, 0)
    assert.match(
      (await run('reference', 'status')).out,
      /^loaded\t[0-9a-f]{16}\t2099-01-31\nshipped\t[0-9a-f]{16}\t20/,
    )
    assert.equal((await search('xyzzyfield')).length, 1)
  })
})

describe('a set that is not sound', () => {
  test('the shipped one is', async () => {
    const { manifest } = await openSet(SHIPPED)
    assert.equal(manifest.version, JSON.parse(readFileSync(`${SHIPPED}/manifest.json`, 'utf8')).version)
  })

  test('is refused in one line that says why', async () => {
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
    serve(writeSet({}), '/cut/')
    served.set('/cut/aircraft.json.gz', (response) => {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('half')
      setImmediate(() => response.destroy())
    })
    const cases: [string, RegExp][] = [
      [newFolder(), /manifest\.json: there is no such file/],
      [`${address}/nowhere/`, /nowhere\/manifest\.json responds with 404/],
      ['http://127.0.0.1:9/', /does not respond \(/],
      [`${address}/cut/`, /aircraft\.json\.gz broke off \(/],
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
