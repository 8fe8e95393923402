// Uploads in the database and in an S3-compatible store, shared by several processes; and the signature that S3 requires.
import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { existsSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { systemClock } from '../../server/base/clock.ts'
import { readConfig } from '../../server/base/config.ts'
import { AppError } from '../../server/base/errors.ts'
import { authorizationFor } from '../../server/base/network/aws-signature.ts'
import { restoreBackup, writeBackup } from '../../server/services/backup/backup.ts'
import { createImportFiles } from '../../server/store/imports/files.ts'
import { createUploads } from '../../server/store/uploads/pictures.ts'
import { keepsConnections } from '../external-host.ts'
import { withoutAirports } from '../fixtures.ts'
import { onBothEngines, onSqlite, testOnSqlite } from '../harness.ts'

const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h1v1z"/></svg>')

// The signature, as published by Amazon

const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

test('requests are signed as in the published test suite of Signature Version 4', () => {
  const key = {
    accessKeyId: 'AKIDEXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
    region: 'us-east-1',
    service: 'service',
  }
  const headers = { host: 'example.amazonaws.com', 'x-amz-date': '20150830T123600Z' }
  const signatureOf = (url: string, method = 'GET') =>
    authorizationFor(key, {
      method,
      url: new URL(`https://example.amazonaws.com${url}`),
      headers,
      payloadHash: emptyHash,
    }).split('Signature=')[1]
  assert.equal(signatureOf('/'), '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31')
  assert.equal(signatureOf('/', 'POST'), '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b')
  assert.equal(
    signatureOf('/?Param2=value2&Param1=value1'),
    'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
  )
})

test('requests are signed as in the examples of the S3 documentation', () => {
  const key = {
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    region: 'us-east-1',
    service: 's3',
  }
  const common = {
    host: 'examplebucket.s3.amazonaws.com',
    'x-amz-content-sha256': emptyHash,
    'x-amz-date': '20130524T000000Z',
  }
  const signed = (path: string, more: Record<string, string> = {}) =>
    authorizationFor(key, {
      method: 'GET',
      url: new URL(`https://examplebucket.s3.amazonaws.com${path}`),
      headers: { ...common, ...more },
      payloadHash: emptyHash,
    })
  assert.equal(
    signed('/test.txt', { range: 'bytes=0-9' }),
    'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  )
  assert.match(
    signed('/?max-keys=2&prefix=J'),
    /Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7$/,
  )
})

// A store that checks each request itself

const secret = 'a secret of the store'
const objects = new Map<string, Buffer>()
let isBroken = false
let refusesRemoval = false
let hasSeen: string[] = []

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

function isSigned(request: http.IncomingMessage, body: Buffer): boolean {
  const { authorization = '', host = '' } = request.headers
  const parts =
    /^AWS4-HMAC-SHA256 Credential=key-id\/(\d{8})\/test-1\/s3\/aws4_request,SignedHeaders=(\S+),Signature=([0-9a-f]{64})$/
  const [, day, names, signature] = parts.exec(authorization) ?? []
  if (day === undefined || names !== 'host;x-amz-content-sha256;x-amz-date') return false
  const content = createHash('sha256').update(body).digest('hex')
  const time = String(request.headers['x-amz-date'])
  const [path, query = ''] = request.url!.split('?')
  const text = `${request.method}\n${path}\n${query.split('&').sort().join('&')}\nhost:${host}\nx-amz-content-sha256:${content}\nx-amz-date:${time}\n\n${names}\n${content}`
  const scope = `${day}/test-1/s3/aws4_request`
  const hashed = createHash('sha256').update(text).digest('hex')
  const signing = hmac(hmac(hmac(hmac(`AWS4${secret}`, day), 'test-1'), 's3'), 'aws4_request')
  const wanted = hmac(signing, `AWS4-HMAC-SHA256\n${time}\n${scope}\n${hashed}`).toString('hex')
  return wanted === signature && request.headers['x-amz-content-sha256'] === content
}

function listing(query: URLSearchParams): string {
  const all = [...objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '')).sort()
  const start = Number(query.get('continuation-token') ?? 0)
  const more = start + 2 < all.length ? `<NextContinuationToken>${start + 2}</NextContinuationToken>` : ''
  const object = (key: string) =>
    `<Contents><Key>${key}</Key><LastModified>2026-01-02T03:04:05.000Z</LastModified></Contents>`
  const keys = all.slice(start, start + 2).map(object)
  return `<ListBucketResult>${keys.join('')}${more}</ListBucketResult>`
}

const store = http.createServer(keepsConnections, async (request, response) => {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  const body = Buffer.concat(pieces)
  const url = new URL(request.url!, 'http://store')
  hasSeen.push(`${request.method} ${url.pathname}`)
  const answer = (status: number, text: string | Buffer = '') => response.writeHead(status).end(text)
  if (isBroken || (refusesRemoval && request.method === 'DELETE')) return answer(500)
  if (!isSigned(request, body)) return answer(403, '<Error><Code>SignatureDoesNotMatch</Code></Error>')
  const key = url.pathname.replace(/^\/pictures\/?/, '')
  if (key === '') return answer(200, listing(url.searchParams))
  if (request.method === 'PUT') objects.set(key, body)
  if (request.method === 'DELETE') return answer(objects.delete(key) ? 204 : 204)
  const found = objects.get(key)
  return found
    ? answer(200, request.method === 'GET' ? found : '')
    : answer(404, '<Error><Code>NoSuchKey</Code></Error>')
})
let endpoint = ''
before(async () => {
  await new Promise<void>((resolve) => store.listen(0, '127.0.0.1', resolve))
  endpoint = `http://127.0.0.1:${(store.address() as AddressInfo).port}`
})
after(() => void store.close())

const s3 = () => ({
  endpoint,
  bucket: 'pictures',
  region: 'test-1',
  accessKeyId: 'key-id',
  secretAccessKey: secret,
})

test('the S3 settings are required together, and their secret is not shown', () => {
  assert.throws(() => readConfig({ UPLOADS: 's3' }), /UPLOADS: s3 needs S3_ENDPOINT/)
  assert.throws(() => readConfig({ UPLOADS: 'ftp' }), /must be folder, database or s3/)
  assert.equal(readConfig({}).uploads, 'folder')
})

onBothEngines('storage of uploads', (app, engine) => {
  const sqliteTest = testOnSqlite(engine)
  const places = () => {
    const { store: db, config } = app()
    const parts = { store: db, clock: systemClock }
    return {
      database: createUploads({ ...parts, config: { ...config, uploads: 'database', s3: undefined } }),
      s3: createUploads({ ...parts, config: { ...config, uploads: 's3', s3: s3() } }),
    }
  }

  for (const place of ['database', 's3'] as const) {
    test(`uploads in ${place}: one process saves, another reads and deletes`, async () => {
      objects.clear()
      const [uploads, another] = [places()[place], places()[place]]
      const paths = await Promise.all(Array.from({ length: 5 }, () => uploads.save('airlines', svg, 'svg')))
      assert.deepEqual(await another.read(paths[0]!), { bytes: svg, type: 'svg' })
      assert.deepEqual(await another.list(), paths.toSorted())
      await another.remove(paths[0]!)
      assert.equal(await uploads.read(paths[0]!), undefined)
      assert.equal(await uploads.read('airlines/../secret.key'), undefined)
      await assert.rejects(uploads.restore('../x.svg', svg))
      for (const path of await uploads.list()) await uploads.remove(path)
    })
  }

  test('a backup contains uploads of any storage, and restores them to the current one', async () => {
    objects.clear()
    const { store: db } = app()
    await app().person('owner')
    const { database, s3: elsewhere } = places()
    const path = await database.save('airlines', svg, 'svg')
    const file = join(process.env['TEST_SCRATCH']!, `uploads-${app().engine}-${process.pid}.backup`)
    const now = new Date()
    const header = await writeBackup({ store: db, uploads: database, now }, file)
    assert.equal(header.uploads, 1)
    const choices = { replace: true, partial: false, set: withoutAirports() }
    await database.save('airlines', svg, 'svg')
    await restoreBackup({ store: db, uploads: database, now }, file, choices)
    assert.deepEqual(await database.list(), [path])
    assert.deepEqual((await database.read(path))?.bytes, svg)
    await restoreBackup({ store: db, uploads: elsewhere, now }, file, choices)
    assert.deepEqual([...objects.keys()], [path])
  })

  sqliteTest('a broken, refusing or unreachable storage is reported as an error', async () => {
    const { store: db, config } = app()
    const unavailable = (error: unknown) =>
      error instanceof AppError && error.status === 503 && error.problem.reason === 'uploads_unreachable'
    const { s3: uploads } = places()
    isBroken = true
    await assert.rejects(uploads.save('airlines', svg, 'svg'), unavailable)
    isBroken = false
    const other = (s3Config: object) =>
      createUploads({
        store: db,
        clock: systemClock,
        config: { ...config, uploads: 's3', s3: { ...s3(), ...s3Config } },
      })
    const wrong = other({ secretAccessKey: 'wrong' })
    await assert.rejects(wrong.list(), (error) => {
      assert.ok(unavailable(error))
      assert.match(String((error as Error).cause), /403 SignatureDoesNotMatch/)
      assert.doesNotMatch(String((error as Error).cause), /wrong/)
      return true
    })
    await assert.rejects(other({ endpoint: 'http://127.0.0.1:1' }).list(), unavailable)
    hasSeen = []
  })
})

for (const place of ['database', 's3'] as const)
  (place === 'database' ? onBothEngines : onSqlite)(
    `an instance with uploads in ${place}`,
    (app) => {
      const importFiles = (dataDir: string) =>
        createImportFiles({ config: { ...app().config, dataDir }, store: app().store, clock: systemClock })

      test('the file of an import is available on every machine, and deleted with it', async () => {
        const key = await (await app().person()).key()
        const raw = 'Date,From,To\n2016-01-01,QQQ,CPH\n'
        const headers = { 'content-type': 'text/csv' }
        const sent = await app().request('POST', '/api/v1/imports', { key, raw, headers })
        assert.equal(sent.status, 201, sent.text)
        assert.equal(existsSync(join(app().config.dataDir, 'imports')), false, 'not on this machine alone')
        const elsewhere = importFiles('/nowhere')
        const [file, ...others] = await elsewhere.list()
        assert.deepEqual(others, [])
        assert.equal((await elsewhere.read(file!.name))?.toString(), raw)
        assert.ok(Number.isFinite(file!.writtenAt))
        assert.equal(await elsewhere.has(file!.name), true)
        assert.equal(await elsewhere.has(file!.name.replace(/.$/, '')), false)
        assert.equal(await elsewhere.has('a'.repeat(24)), false)
        // It is read again here.
        const path = `/api/v1/imports/${sent.json.data.id}`
        const [{ kind, value }] = sent.json.data.questions
        const body = { answers: [{ kind, value, id: await app().airportId('OSL') }] }
        const answered = await app().request('PATCH', path, { key, body })
        assert.equal(answered.json.data?.counts.new, 1, answered.text)
        assert.equal((await app().request('DELETE', path, { key })).status, 204)
        assert.deepEqual(await elsewhere.list(), [])
        assert.equal(await elsewhere.read('../secret.key'), undefined)
      })

      test('an icon stays if the previous one cannot be deleted', async () => {
        const owner = await app().person('owner')
        const [cookie, key] = [await owner.session(), await owner.key()]
        const airline = (await app().request('GET', '/api/v1/airlines?query=SAS', { key })).json.data[0].id
        const upload = () => app().request('PUT', `/app/api/airlines/${airline}/icon`, { cookie, raw: svg })
        assert.equal((await upload()).status, 200)
        refusesRemoval = true
        const second = await upload()
        refusesRemoval = false
        assert.equal(second.status, 200, second.text)
        assert.equal((await app().request('GET', `/api/uploads/${second.json.data.iconPath}`)).status, 200)
      })
    },
    {
      uploads: place,
      // Its address is known once it listens.
      get s3() {
        return s3()
      },
    },
  )
