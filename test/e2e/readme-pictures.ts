// The pictures of README.md, of a household with the demo flights, so that they can be made again after changes of the app.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { unpackPng } from '../../server/services/imports/content/pixels.ts'
import { startTestApp, type TestApp, type TestPerson } from '../harness.ts'
import { type Device, devices } from './browser.ts'
import { goTo } from './screens.ts'

const folder = join('docs', 'pictures')

interface Picture {
  name: string
  path: string
  device: Device
  colorScheme: 'light' | 'dark'
}

/** Runs in the page: hides the notice that the flights are invented and how to remove them. */
export const withoutDemoBar = `for (const bar of document.querySelectorAll('.demo')) bar.style.display = 'none'`

const desktop = { device: 'desktop', colorScheme: 'dark' } as const

export async function shootReadme(browser: Browser): Promise<number> {
  const app = await startTestApp('sqlite', {}, { atOrigin: true })
  app.clock.set(Date.now())
  try {
    const ada = await moveIn(app)
    const overnight = await findFlight(app, ada, 'SIN')
    const pictures: Picture[] = [
      { ...desktop, name: 'flight', path: `/flights/${overnight.id}` },
      { ...desktop, name: 'list', path: '/flights', colorScheme: 'light' },
      { ...desktop, name: 'statistics', path: '/stats', colorScheme: 'light' },
    ]
    for (const picture of pictures) await shoot(browser, app, ada, picture)
    return pictures.length
  } finally {
    await app.close()
  }
}

export async function moveIn(app: TestApp): Promise<TestPerson> {
  const [ada, ben] = [await app.person('owner'), await app.person()]
  const names = [
    [ada, 'Ada Holm'],
    [ben, 'Ben Holm'],
  ] as const
  for (const [{ username, session }, displayName] of names)
    await app.request('PUT', '/app/api/me', { cookie: await session(), body: { username, displayName } })
  const reply = await app.request('POST', '/app/api/demo', { cookie: await ada.session() })
  assert.ok(reply.status < 300, reply.text)
  return ada
}

/** The last completed flight to this airport. */
async function findFlight(app: TestApp, ada: TestPerson, to: string): Promise<{ id: number }> {
  const reply = await app.request('GET', `/api/v1/flights?limit=50&to=${to}`, { key: await ada.key() })
  const flights = reply.json.data as { id: number; departure: string | null }[]
  const found = flights.find(({ departure }) => departure !== null)
  assert.ok(found?.departure, `the demo has no flight to ${to}`)
  return { id: found.id }
}

async function shoot(browser: Browser, app: TestApp, ada: TestPerson, picture: Picture): Promise<void> {
  const page = await openFor(browser, app, picture, ada)
  await goTo(page, picture)
  await page.evaluate(withoutDemoBar)
  // The globe draws its last details once it has stopped.
  await page.waitForTimeout(1000)
  await keepPicture(page, picture.name)
}

/** A page in a browser of its own, in which the person is signed in, if there is one. */
export async function openFor(
  browser: Browser,
  app: TestApp,
  { device, colorScheme }: Pick<Picture, 'device' | 'colorScheme'>,
  as?: TestPerson,
  other: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({
    ...devices[device],
    deviceScaleFactor: device === 'phone' ? 2 : 1,
    colorScheme,
    locale: 'en-GB',
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    baseURL: app.url,
    ...other,
  })
  if (as) {
    const [name, value] = (await as.session()).split('=') as [string, string]
    await context.addCookies([{ name, value, url: app.url }])
  }
  return context.newPage()
}

/** Takes it, and closes the browser of the page. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  writeFileSync(join(folder, `${name}.png`), packed(await page.screenshot()))
  await page.context().close()
}

/** The same pixels in fewer bytes: in these pictures plain rows compress better than the differences that a browser writes. */
function packed(png: Buffer): Buffer {
  const header = png.subarray(16, 16 + 13)
  const rows = unpackPng(png)
  assert.ok(rows instanceof Uint8Array)
  const pixel = header[9] === 2 ? 3 : 4
  const plain = withoutFilters(rows, header.readUInt32BE(0) * pixel, pixel)
  const chunks = [
    ['IHDR', header],
    ['IDAT', deflateSync(plain, { level: 9, memLevel: 9 })],
    ['IEND', Buffer.alloc(0)],
  ] as const
  return Buffer.concat([png.subarray(0, 8), ...chunks.map(([type, content]) => chunk(type, content))])
}

/** Each row begins with the number of its filter, by which it was subtracted from its neighbours. */
function withoutFilters(rows: Uint8Array, width: number, pixel: number): Uint8Array {
  const plain = new Uint8Array(rows.length)
  for (let start = 0; start < rows.length; start += width + 1) {
    const filter = rows[start]!
    for (let at = start + 1; at <= start + width; at++) {
      const hasLeft = at > start + pixel
      const left = hasLeft ? plain[at - pixel]! : 0
      const above = start > 0 ? plain[at - width - 1]! : 0
      const corner = hasLeft && start > 0 ? plain[at - width - 1 - pixel]! : 0
      plain[at] = rows[at]! + [0, left, above, (left + above) >> 1, nearest(left, above, corner)][filter]!
    }
  }
  return plain
}

/** The Paeth predictor of the PNG specification. */
function nearest(left: number, above: number, corner: number): number {
  const guess = left + above - corner
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)]
  if (a <= b && a <= c) return left
  return b <= c ? above : corner
}

function chunk(type: string, content: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
