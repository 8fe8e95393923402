import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { createLogger } from '../../server/base/log.ts'
import { seed } from '../../server/process/seed.ts'
import { openStore } from '../../server/store/store.ts'
import { insertFlights } from '../../bench/data.ts'
import { startTestApp, type TestPerson } from '../harness.ts'
import { airportIds, logFlight } from '../fixtures.ts'
import { executablePath, launchArguments } from './browser.ts'

const scratch = mkdtempSync(join(tmpdir(), 'line-shots-'))
const template = join(scratch, 'template')
const quiet = createLogger('silent')
const store = await openStore({ databaseUrl: undefined, dataDir: template }, quiet)
await seed(store, quiet, new Date())
await store.close()
process.env['TEST_TEMPLATE_DIR'] = template
process.env['TEST_SCRATCH'] = scratch
const app = await startTestApp('sqlite', {}, { atOrigin: true })
app.clock.set(Date.now())
const browser = await chromium.launch({ executablePath, args: launchArguments })
mkdirSync('shots/line', { recursive: true })
const wanted = process.argv.slice(2)
try {
  const ada = await app.person('owner')
  const many = await app.person()
  const none = await app.person()
  const [key, cookie] = await Promise.all([ada.key(), ada.session()])
  await app.request('PUT', '/app/api/me', { cookie, body: { username: 'ada', displayName: 'Ada Lovelace' } })
  await app.request('POST', '/app/api/users', { cookie, body: { username: 'grace', displayName: 'Grace Hopper', password: 'correct horse battery' } })
  await app.request('POST', '/app/api/demo', { cookie })
  const [CPH, EWR] = await airportIds(app, 'CPH', 'EWR')
  for (const [out, back] of [['2026-03-01', '2026-03-08'], ['2026-06-01', '2026-06-08'], ['2026-10-03', '2026-10-10']]) {
    await logFlight(app, ada, { date: out, fromId: CPH, toId: EWR, flightNumber: 'SK909', departure: `${out}T12:20:00+02:00`, arrival: `${out}T15:05:00-04:00`, passengers: [{ userId: ada.id, seatNumber: '14C', seatClass: 'economy' }] })
    await logFlight(app, ada, { date: back, fromId: EWR, toId: CPH, flightNumber: 'SK910' })
  }
  await insertFlights(app.store, 5000, many.id)
  void key
  const shot = async (name: string, { as = ada, path = '/', width = 1280, height = 800, dark = true, locale = 'en-GB', text = '', keys = [] as string[], phone = width < 800 }: { as?: TestPerson; path?: string; width?: number; height?: number; dark?: boolean; locale?: string; text?: string; keys?: string[]; phone?: boolean }) => {
    if (wanted.length > 0 && !wanted.some((w) => name.startsWith(w))) return
    const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light', locale, reducedMotion: 'reduce', serviceWorkers: 'block', baseURL: app.url, ...(phone && { hasTouch: true, isMobile: true }) })
    context.on('console', (m) => m.type() === 'error' && console.log(name, m.text()))
    context.on('weberror', (e) => console.log(name, e.error().stack))
    const [cn, cv] = (await as.session()).split('=') as [string, string]
    await context.addCookies([{ name: cn, value: cv, url: app.url }])
    const page = await context.newPage()
    await page.goto(path)
    await page.waitForTimeout(1500)
    await page.keyboard.press('/')
    await page.getByRole('dialog').waitFor()
    await page.waitForTimeout(1200)
    if (text) await page.keyboard.type(text)
    for (const k of keys) await page.keyboard.press(k)
    await page.waitForTimeout(1200)
    await page.screenshot({ path: `shots/line/${name}.png` })
    await context.close()
  }
  const T = 'SK909 20 feb 12a with Grace'
  await shot('desk-dark', { text: T })
  await shot('desk-light', { text: T, dark: false })
  await shot('list-dark', { text: T, path: '/flights' })
  await shot('empty-dark', {})
  await shot('note-light', { text: 'SK909 20 feb wonderful sunset over lhr jfk', dark: false, path: '/stats' })
  await shot('missing-dark', { text: 'cph jfk 12a' })
  await shot('one-end', { text: 'cph ', path: '/flights' })
  await shot('phone-dark', { text: T, width: 390, height: 844 })
  await shot('phone-keyboard', { text: T, width: 390, height: 500 })
  await shot('phone-light-empty', { width: 390, height: 844, dark: false, path: '/flights' })
  await shot('phone-320', { text: T, width: 320, height: 640, dark: false })
  await shot('german', { text: 'lh 400 morgen fenster fra jfk mit Grace', locale: 'de-DE', dark: false })
  await shot('german-phone', { text: 'SK909 20. Februar 12a mit Grace', locale: 'de-DE', width: 320, height: 700 })
  await shot('none', { as: none, text: 'BA117 3.3.26 LHR-JFK 0825-1110 a350 g-xwba with Grace' })
  await shot('none-empty', { as: none })
  await shot('many', { as: many, path: '/flights' })
  await shot('twin', { text: 'SK909 3 oct 2026', keys: ['Enter'] })
  await shot('tablet', { text: T, width: 900, height: 1100, phone: false })
  await shot('taken', { text: T, keys: ['Tab'] })
} finally {
  await browser.close()
  await app.close()
  rmSync(scratch, { recursive: true, force: true })
}
