// The link preview of a share is drawn only from what the share shows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { airportIds, logFlight } from '../fixtures.ts'
import { onBothEngines, type TestApp, type TestPerson, testOnSqlite } from '../harness.ts'

const WIDTH = 1200
const HEIGHT = 630

async function pictureOf(app: TestApp, slug: string, headers: Record<string, string> = {}) {
  const reply = await fetch(`${app.url}/share/${slug}/preview.png`, { headers, redirect: 'manual' })
  return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) }
}

const decoded = new WeakMap<Buffer, Buffer>()

function pixelsOf(png: Buffer): Buffer {
  const pixels = decoded.get(png) ?? decode(png)
  decoded.set(png, pixels)
  return pixels
}

/** The pixels of a PNG of the size that link previews have, three numbers each: a browser decodes it no differently. */
function decode(png: Buffer): Buffer {
  assert.deepEqual([...png.subarray(0, 8)], [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  assert.equal(png.toString('latin1', 12, 16), 'IHDR')
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [WIDTH, HEIGHT])
  // Eight bits, with an alpha channel.
  assert.deepEqual([...png.subarray(24, 26)], [8, 6])
  const data: Buffer[] = []
  for (let at = 8; at < png.byteLength; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') {
      data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
    }
  }
  return unfiltered(inflateSync(Buffer.concat(data)), WIDTH * 4)
}

/** Rows of `length` bytes as they were before PNG's filter "sub", which the renderer uses for all of them. */
function unfiltered(rows: Buffer, length: number): Buffer {
  assert.equal(rows.byteLength, (length + 1) * HEIGHT)
  const out = Buffer.alloc(length * HEIGHT)
  for (let y = 0; y < HEIGHT; y++) {
    assert.equal(rows[y * (length + 1)], 1)
    rows.copy(out, y * length, y * (length + 1) + 1, (y + 1) * (length + 1))
    for (let x = y * length + 4; x < (y + 1) * length; x++) out[x] = (out[x]! + out[x - 4]!) & 255
  }
  return out
}

interface Area {
  left?: number
  top?: number
  right?: number
  bottom?: number
}
/** Texts and figures are left of the globe. */
const column = { right: 520 }
const headline = { ...column, top: 60, bottom: 150 }
const distance = { ...column, top: 220, bottom: 330 }
const globe = { left: 600, right: 1150, top: 40, bottom: 590 }

/** Counts light pixels: only airports, routes and letters are light. */
function lightPixels(png: Buffer, { left = 0, top = 0, right = WIDTH, bottom = HEIGHT }: Area = {}): number {
  const pixels = pixelsOf(png)
  let count = 0
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) if (pixels[(y * WIDTH + x) * 4]! > 180) count++
  }
  return count
}

/** Whether two pictures are equal in this area. */
function isSame(one: Buffer, other: Buffer, { left = 0, top = 0, right = WIDTH, bottom = HEIGHT }: Area) {
  const [a, b] = [pixelsOf(one), pixelsOf(other)]
  for (let y = top; y < bottom; y++) {
    const [from, to] = [(y * WIDTH + left) * 4, (y * WIDTH + right) * 4]
    if (!a.subarray(from, to).equals(b.subarray(from, to))) return false
  }
  return true
}

async function share(app: TestApp, person: TestPerson, body: object) {
  const reply = await app.request('POST', '/api/v1/shares', { key: await person.key(), body })
  assert.equal(reply.status, 201, reply.text)
  return reply.json.data
}

onBothEngines('the picture of a share', (app, engine) => {
  const sqliteTest = testOnSqlite(engine)
  sqliteTest('the picture is the current map of the shown flights', async () => {
    const [ada, bob] = [await app().person(), await app().person()]
    const [cph, jfk, syd] = await airportIds(app(), 'CPH', 'JFK', 'SYD')
    await share(app(), ada, { slug: 'drawn', dateTo: '2025-12-31' })
    const empty = await pictureOf(app(), 'drawn')
    assert.equal(empty.status, 200)
    assert.equal(empty.headers.get('content-type'), 'image/png')
    assert.equal(empty.headers.get('access-control-allow-origin'), null)

    await logFlight(app(), ada, { date: '2024-02-20', fromId: cph, toId: jfk })
    const flown = await pictureOf(app(), 'drawn')
    assert.ok(
      lightPixels(flown.bytes, globe) > lightPixels(empty.bytes, globe) + 300,
      'an arc and two airports are drawn',
    )
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

  sqliteTest('the picture has figures only if statistics are shown', async () => {
    const ada = await app().person()
    const [cph, jfk] = await airportIds(app(), 'CPH', 'JFK')
    await logFlight(app(), ada, { date: '2024-02-20', fromId: cph, toId: jfk })
    await share(app(), ada, { slug: 'plain' })
    await share(app(), ada, { slug: 'counted', showStats: true })
    const [plain, counted] = [await pictureOf(app(), 'plain'), await pictureOf(app(), 'counted')]
    assert.equal(lightPixels(plain.bytes, distance) > 500, true, 'without figures, the name is in the middle')
    assert.ok(lightPixels(counted.bytes, column) > lightPixels(plain.bytes, column) + 2000)
    assert.ok(isSame(plain.bytes, counted.bytes, globe), 'the globe is the same')
  })

  sqliteTest('the picture names the owner of the flights, in the sharer’s language and units', async () => {
    const ada = await app().person()
    const key = await ada.key()
    const [cph, jfk] = await airportIds(app(), 'CPH', 'JFK')
    await logFlight(app(), ada, { date: '2024-02-20', fromId: cph, toId: jfk })
    await share(app(), ada, { slug: 'ours', showStats: true })
    const prefer = async (body: object) => {
      const reply = await app().request('PUT', '/api/v1/preferences', { key, body })
      assert.equal(reply.status, 200, reply.text)
      return (await pictureOf(app(), 'ours')).bytes
    }
    const english = (await pictureOf(app(), 'ours')).bytes
    assert.ok(isSame(await prefer({ language: 'en' }), english, {}), 'English unless another is chosen')
    const german = await prefer({ language: 'de' })
    assert.ok(!isSame(german, english, headline))
    const miles = await prefer({ distanceUnit: 'mi' })
    assert.ok(!isSame(miles, german, distance))
    assert.ok(isSame(miles, german, headline) && isSame(miles, german, globe))

    const cookie = await ada.session()
    const rename = (displayName: string) =>
      app().request('PUT', '/app/api/me', { cookie, body: { username: ada.username, displayName } })
    assert.equal((await rename('Ærø <Ω> & "Ж"')).status, 204)
    const renamed = (await pictureOf(app(), 'ours')).bytes
    assert.ok(!isSame(renamed, miles, headline))
    assert.ok(isSame(renamed, miles, globe) && isSame(renamed, miles, distance))
    // Letters missing from the picture's font are not shown as boxes.
    assert.equal((await rename('李小龙')).status, 204)
    const unnamed = (await pictureOf(app(), 'ours')).bytes
    assert.equal((await rename('山田 🛫')).status, 204)
    assert.ok(isSame((await pictureOf(app(), 'ours')).bytes, unnamed, headline))
  })

  sqliteTest('the picture reveals no dates, directions or order', async () => {
    const [ada, bob] = [await app().person(), await app().person()]
    const [cph, jfk, syd] = await airportIds(app(), 'CPH', 'JFK', 'SYD')
    const far = { fromId: cph, toId: jfk }
    await logFlight(app(), ada, { date: '2023-02-20', ...far })
    await logFlight(app(), ada, { date: '2024-02-20', fromId: jfk, toId: syd })
    await logFlight(app(), bob, { date: '2011-05-05', fromId: syd, toId: jfk })
    await logFlight(app(), bob, { date: '2010-05-05', fromId: jfk, toId: cph })
    // They have only their name in common.
    for (const person of [ada, bob]) {
      const body = { username: person.username, displayName: 'Kim' }
      const reply = await app().request('PUT', '/app/api/me', { cookie: await person.session(), body })
      assert.equal(reply.status, 204, reply.text)
    }
    await share(app(), ada, { slug: 'adas', showStats: true })
    await share(app(), bob, { slug: 'bobs', showStats: true })
    const [adas, bobs] = [await pictureOf(app(), 'adas'), await pictureOf(app(), 'bobs')]
    assert.deepEqual(adas.bytes, bobs.bytes)
  })

  test('the picture exists while the share and its map do, and the page links it then', async () => {
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

  sqliteTest('concurrent requests draw the picture once', async () => {
    const ada = await app().person()
    await share(app(), ada, { slug: 'wanted' })
    const replies = await Promise.all(Array.from({ length: 20 }, () => pictureOf(app(), 'wanted')))
    assert.deepEqual(
      replies.map(({ status }) => status),
      replies.map(() => 200),
    )
  })
})
