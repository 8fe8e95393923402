import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { createLogger } from '../../server/base/log.ts'
import { seed } from '../../server/process/seed.ts'
import { openStore } from '../../server/store/store.ts'
import { startTestApp } from '../harness.ts'
import { devices, executablePath, launchArguments } from './browser.ts'
import { cameraArguments, dayOfYear, passFilm, passText } from './passes.ts'
import { furnish } from './screens.ts'

const scratch = mkdtempSync(join(tmpdir(), 'contrail-shots-'))
const template = join(scratch, 'template')
const quiet = createLogger('silent')
const store = await openStore({ databaseUrl: undefined, dataDir: template }, quiet)
await seed(store, quiet, new Date())
await store.close()
Object.assign(process.env, { TEST_SCRATCH: scratch, TEST_TEMPLATE_DIR: template })
const app = await startTestApp('sqlite', {}, { atOrigin: true })
app.clock.set(Date.now())
mkdirSync('shots/scan', { recursive: true })
const { ada } = await furnish(app)
const me = { cookie: await ada.session() }
for (const [d,n] of [['2026-10-03','SK909'],['2026-05-02','SK909']]) {
  const r = await app.request('POST', '/app/api/flights', { ...me, body: { date: d, fromId: await app.airportId('CPH'), toId: await app.airportId('EWR'), flightNumber: n, departure: `${d}T10:20:00Z`, arrival: `${d}T19:05:00Z`, passengers: [{ userId: ada.id }] } })
  if (r.status !== 201) console.log(r.text.slice(0,300))
}
const leg = (from: string, to: string, carrier: string, number: string, date: string) => ({ from, to, carrier, number, day: dayOfYear(date) })
const passes: Record<string, string> = {
  one: passText('LOVELACE/ADA', [leg('CPH','EWR','SK','909','2027-02-20')]),
  two: passText('LOVELACE/ADA', [leg('HAM','FRA','LH','13','2026-11-20'), leg('FRA','SIN','LH','778','2026-11-20')]),
  grace: passText('HOPPER/GRACE MRS', [leg('LHR','JFK','BA','117','2026-11-20')]),
  rail: passText('LOVELACE/ADA', [leg('QKL','FRA','LH','3611','2026-11-20')]),
  known: passText('LOVELACE/ADA', [leg('CPH','EWR','SK','909','2026-10-03')]),
}
const want = process.argv.slice(2)
try {
  for (const [name, text] of Object.entries(passes)) {
    if (want.length && !want.includes(name)) continue
    const film = await passFilm({ text, format: name === 'two' ? 'Aztec' : 'PDF417', angle: -4, blur: 1 })
    const browser = await chromium.launch({ executablePath, args: [...launchArguments, ...cameraArguments(film)] })
    const looks = name === 'one'
      ? [['phone-light','en-GB','light',390],['phone-dark','en-GB','dark',390],['phone-320-de','de-DE','light',320],['desk-light','en-GB','light',0],['desk-dark-de','de-DE','dark',0]] as const
      : [['phone-light','en-GB','light',390],['phone-320-de','de-DE','dark',320]] as const
    for (const [look, locale, colorScheme, width] of looks) {
      const context = await browser.newContext({ ...(width ? { ...devices.phone, viewport: { width, height: width === 320 ? 640 : 844 }, deviceScaleFactor: 2 } : { ...devices.desktop, deviceScaleFactor: 1 }), locale, colorScheme, reducedMotion: 'reduce', serviceWorkers: 'block', baseURL: app.url })
      const [n, value] = me.cookie.split('=') as [string, string]
      await context.addCookies([{ name: n, value, url: app.url }])
      const page = await context.newPage()
      page.on('console', (m) => m.type() === 'error' && console.log(name, look, m.text()))
      await page.goto('/scan')
      await page.locator('.pill.shown').waitFor({ timeout: 20000 }).catch(() => console.log('no pill'))
      await page.screenshot({ path: `shots/scan/${name}-${look}-camera.png` })
      if (name !== 'rail') {
        await page.locator('article').waitFor({ timeout: 20000 })
        await page.waitForTimeout(1500)
        await page.screenshot({ path: `shots/scan/${name}-${look}-result.png` })
      }
      await context.close()
    }
    await browser.close()
  }
  if (!want.length || want.includes('refused')) {
    const browser = await chromium.launch({ executablePath, args: [...launchArguments, '--use-fake-device-for-media-stream', '--deny-permission-prompts'] })
    for (const [look, locale, width] of [['phone','en-GB',390],['320-de','de-DE',320],['desk','en-GB',0]] as const) {
      const context = await browser.newContext({ ...(width ? { ...devices.phone, viewport: { width, height: width === 320 ? 568 : 844 }, deviceScaleFactor: 2 } : devices.desktop), locale, reducedMotion: 'reduce', serviceWorkers: 'block', baseURL: app.url })
      const [n, value] = me.cookie.split('=') as [string, string]
      await context.addCookies([{ name: n, value, url: app.url }])
      const page = await context.newPage()
      await page.goto('/scan')
      await page.locator('.refusal').waitFor({ timeout: 20000 }).catch(() => console.log('no refusal'))
      await page.waitForTimeout(300)
      await page.screenshot({ path: `shots/scan/refused-${look}.png` })
      await context.close()
    }
    await browser.close()
  }
} finally {
  await app.close()
  rmSync(scratch, { recursive: true, force: true })
}
