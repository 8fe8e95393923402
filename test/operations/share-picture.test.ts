// The link preview of a share: drawn only from what the share shows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { airportIds, logFlight } from '../fixtures.ts'
import { onBothEngines, type TestApp, type TestPerson } from '../harness.ts'

const WIDTH = 1200
const HEIGHT = 630

async function pictureOf(app: TestApp, slug: string, headers: Record<string, string> = {}) {
  const reply = await fetch(`${app.url}/share/${slug}/preview.png`, { headers, redirect: 'manual' })
  return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) }
}

/** The pixels of a PNG as ours are: one block of data, rows without filter. */
function pixelsOf(png: Buffer): Buffer {
  assert.deepEqual([...png.subarray(0, 8)], [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  assert.equal(png.toString('latin1', 12, 16), 'IHDR')
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [WIDTH, HEIGHT])
  assert.equal(png.toString('latin1', 37, 41), 'IDAT')
  const pixels = inflateSync(png.subarray(41, 41 + png.readUInt32BE(33)))
  assert.equal(pixels.byteLength, (WIDTH * 3 + 1) * HEIGHT)
  return pixels
}

/** Nothing but airports, arcs and letters is that light. */
function lightPixels(png: Buffer): number {
  const pixels = pixelsOf(png)
  let count = 0
  for (let i = 0; i < pixels.length; i++) if (pixels[i]! > 200) count++
  return count
}

async function share(app: TestApp, person: TestPerson, body: object) {
  const reply = await app.request('POST', '/api/v1/shares', { key: await person.key(), body })
  assert.equal(reply.status, 201, reply.text)
  return reply.json.data
}

onBothEngines('the picture of a share', (app) => {
  test('is the map of the flights that are shown, as they are now', async () => {
    const [ada, bob] = [await app().person(), await app().person()]
    const [cph, jfk, syd] = await airportIds(app(), 'CPH', 'JFK', 'SYD')
    await share(app(), ada, { slug: 'drawn', dateTo: '2025-12-31' })
    const empty = await pictureOf(app(), 'drawn')
    assert.equal(empty.status, 200)
    assert.equal(empty.headers.get('content-type'), 'image/png')
    assert.equal(empty.headers.get('access-control-allow-origin'), null)

    await logFlight(app(), ada, { date: '2024-02-20', fromId: cph, toId: jfk })
    const flown = await pictureOf(app(), 'drawn')
    assert.ok(lightPixels(flown.bytes) > lightPixels(empty.bytes) + 500, 'an arc and two airports are drawn')
    assert.notEqual(flown.headers.get('etag'), empty.headers.get('etag'))
    const tag = flown.headers.get('etag')!
    assert.equal((await pictureOf(app(), 'drawn', { 'if-none-match': tag })).status, 304)

    await logFlight(app(), bob, { date: '2024-02-21', fromId: cph, toId: syd })
    await logFlight(app(), ada, { date: '2026-01-01', fromId: cph, toId: syd })
    const later = await pictureOf(app(), 'drawn')
    assert.deepEqual(later.bytes, flown.bytes, 'others’ and later days show nothing')
    assert.equal(later.headers.get('etag'), tag, 'and its tag does not tell of them')
    assert.equal(later.headers.get('x-robots-tag'), 'noindex')
    assert.equal((await pictureOf(app(), 'nowhere')).headers.get('x-robots-tag'), 'noindex')
  })

  test('has figures only where statistics are ticked', async () => {
    const ada = await app().person()
    const [cph, jfk] = await airportIds(app(), 'CPH', 'JFK')
    await logFlight(app(), ada, { date: '2024-02-20', fromId: cph, toId: jfk })
    await share(app(), ada, { slug: 'plain' })
    await share(app(), ada, { slug: 'counted', showStats: true })
    const [plain, counted] = [await pictureOf(app(), 'plain'), await pictureOf(app(), 'counted')]
    assert.ok(lightPixels(counted.bytes) > lightPixels(plain.bytes) + 500)
  })

  test('tells neither when nor which way nor in what order', async () => {
    const [ada, bob] = [await app().person(), await app().person()]
    const [cph, jfk, syd] = await airportIds(app(), 'CPH', 'JFK', 'SYD')
    const far = { fromId: cph, toId: jfk }
    await logFlight(app(), ada, { date: '2023-02-20', ...far })
    await logFlight(app(), ada, { date: '2024-02-20', fromId: jfk, toId: syd })
    await logFlight(app(), bob, { date: '2011-05-05', fromId: syd, toId: jfk })
    await logFlight(app(), bob, { date: '2010-05-05', fromId: jfk, toId: cph })
    await share(app(), ada, { slug: 'adas', showStats: true })
    await share(app(), bob, { slug: 'bobs', showStats: true })
    const [adas, bobs] = [await pictureOf(app(), 'adas'), await pictureOf(app(), 'bobs')]
    assert.deepEqual(adas.bytes, bobs.bytes)
  })

  test('is there only while the share is and shows its map; its page names it then', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const { id } = await share(app(), ada, { slug: 'here' })
    await share(app(), ada, { slug: 'listed', showMap: false, showFlightList: true })
    const imageOf = async (slug: string) => {
      const page = await app().request('GET', `/share/${slug}`, { headers: { accept: 'text/html' } })
      return /og:image" content="[^"]*?(\/share\/[^"]*|\/preview[^"]*)"/.exec(page.text)?.[1]
    }
    assert.equal(await imageOf('here'), '/share/here/preview.png')
    assert.equal(await imageOf('listed'), '/preview.jpg')
    assert.equal((await pictureOf(app(), 'here')).status, 200)
    assert.equal((await pictureOf(app(), 'listed')).status, 404)
    assert.equal((await pictureOf(app(), 'nowhere')).status, 404)
    assert.equal((await app().request('DELETE', `/api/v1/shares/${id}`, { key })).status, 204)
    assert.equal((await pictureOf(app(), 'here')).status, 404)
  })

  test('asked for by many at once is drawn once', async () => {
    const ada = await app().person()
    await share(app(), ada, { slug: 'wanted' })
    const replies = await Promise.all(Array.from({ length: 20 }, () => pictureOf(app(), 'wanted')))
    assert.deepEqual(
      replies.map(({ status }) => status),
      replies.map(() => 200),
    )
  })
})
