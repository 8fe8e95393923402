// Screenshots of every screen, desktop and phone, light and dark, into ./shots. `npm run shots -- map stats` takes only the
// screens whose names start with these words. SHOTS_LOCALE=de-DE and SHOTS_WIDTH=320 change language and phone width.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { createLogger } from '../../server/base/log.ts'
import { seed } from '../../server/process/seed.ts'
import { openStore } from '../../server/store/store.ts'
import { startTestApp, type TestPerson } from '../harness.ts'
import { devices, executablePath, launchArguments } from './browser.ts'
import { furnish, goTo, screens } from './screens.ts'

const folder = 'shots'
const scratch = mkdtempSync(join(tmpdir(), 'contrail-shots-'))
const wanted = process.argv.slice(2)
const locale = process.env['SHOTS_LOCALE'] ?? 'en-GB'
const width = Number(process.env['SHOTS_WIDTH'] ?? devices.phone.viewport.width)
const sizes = {
  ...devices,
  phone: { ...devices.phone, viewport: { ...devices.phone.viewport, width } },
}
const looks = Object.entries(sizes).flatMap(([device, options]) =>
  (['light', 'dark'] as const).map((colorScheme) => ({
    name: `${device}-${colorScheme}`,
    colorScheme,
    options,
  })),
)

await seedTemplate()
const app = await startTestApp('sqlite', {}, { atOrigin: true })
app.clock.set(Date.now())
const browser = await chromium.launch({ executablePath, args: launchArguments })
try {
  const { ada, flightId } = await furnish(app)
  const chosen = screens(flightId).filter(
    ({ name }) => wanted.length === 0 || wanted.some((start) => name.startsWith(start)),
  )
  for (const look of looks) {
    mkdirSync(join(folder, look.name), { recursive: true })
    const [visitor, owner] = [await open(look), await open(look, ada)]
    for (const screen of chosen) {
      const page = screen.signedOut ? visitor : owner
      await goTo(page, screen)
      await page.waitForTimeout(300)
      await page.screenshot({ path: join(folder, look.name, `${screen.name}.png`) })
    }
    await Promise.all([visitor.context().close(), owner.context().close()])
  }
  process.stdout.write(`${chosen.length * looks.length} pictures in ./${folder}\n`)
} finally {
  await browser.close()
  await app.close()
  rmSync(scratch, { recursive: true, force: true })
}

async function open({ options, colorScheme }: (typeof looks)[number], as?: TestPerson): Promise<Page> {
  const context = await browser.newContext({
    ...options,
    deviceScaleFactor: 'isMobile' in options ? 2 : 1,
    colorScheme,
    locale,
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    baseURL: app.url,
  })
  if (as) {
    const [name, value] = (await as.session()).split('=') as [string, string]
    await context.addCookies([{ name, value, url: app.url }])
  }
  return context.newPage()
}

/** The template that the harness copies for each application. */
async function seedTemplate(): Promise<void> {
  const template = join(scratch, 'template')
  const log = createLogger('silent')
  const store = await openStore({ databaseUrl: undefined, dataDir: template }, log)
  await seed(store, log, new Date())
  await store.close()
  Object.assign(process.env, { TEST_SCRATCH: scratch, TEST_TEMPLATE_DIR: template })
}
