// Screenshots of every screen, desktop and phone, light and dark, into ./shots. `npm run shots -- map stats` takes only the
// screens whose names start with these words (set-up: `set-up`). `npm run shots -- readme` takes those of README.md and docs/sign-in.md, into docs/pictures, and `-- film` its film. SHOTS_LOCALE=de-DE and SHOTS_WIDTH=320 change language and phone width.
// SHOTS_WIDTHS=1440,390 opens each screen once, on a desktop, and takes a picture at each of these widths: to compare before and after.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { startTestApp, type TestPerson } from '../harness.ts'
import { prepareEngines } from '../templates.ts'
import { devices, executablePath, launchArguments, NOW } from './browser.ts'
import { shootFilm } from './film.ts'
import { shootReadme } from './readme-pictures.ts'
import { furnish, goTo, screens } from './screens.ts'
import { shootSignIn } from './sign-in-pictures.ts'

const folder = 'shots'
const scratch = mkdtempSync(join(tmpdir(), 'contrail-shots-'))
const wanted = process.argv.slice(2)
const locale = process.env['SHOTS_LOCALE'] ?? 'en-GB'
/** Fixed, so that pictures can be compared; those of the documents show today. */
const now = wanted.includes('readme') ? Date.now() : NOW
const width = Number(process.env['SHOTS_WIDTH'] ?? devices.phone.viewport.width)
const widths = (process.env['SHOTS_WIDTHS'] ?? '').split(',').filter(Boolean).map(Number)
const sizes = {
  ...devices,
  phone: { ...devices.phone, viewport: { ...devices.phone.viewport, width } },
}
const looks = Object.entries(widths.length > 0 ? { desktop: devices.desktop } : sizes).flatMap(
  ([device, options]) =>
    (['light', 'dark'] as const).map((colorScheme) => ({
      name: `${device}-${colorScheme}`,
      colorScheme,
      options,
    })),
)

await prepareEngines(scratch, false)
const app = await startTestApp('sqlite', {}, { atOrigin: true })
app.clock.set(now)
const browser = await chromium.launch({ executablePath, args: launchArguments })
try {
  const count = await shootWanted()
  process.stdout.write(`${count} pictures\n`)
} finally {
  await browser.close()
  await app.close()
  rmSync(scratch, { recursive: true, force: true })
}

async function shootWanted(): Promise<number> {
  if (wanted.includes('film')) return shootFilm(browser)
  if (!wanted.includes('readme')) return shootScreens()
  return (await shootReadme(browser)) + (await shootSignIn(browser))
}

async function shootScreens(): Promise<number> {
  const furnished = await furnish(app)
  const { ada, newcomer } = furnished
  // Controls that open something are found by their English names.
  const shown = screens(furnished).filter((screen) => !screen.open || locale.startsWith('en'))
  const chosen = shown.filter(
    ({ name }) => wanted.length === 0 || wanted.some((start) => name.startsWith(start)),
  )
  for (const look of looks) {
    const [visitor, owner, starter] = [await open(look), await open(look, ada), await open(look, newcomer)]
    for (const screen of chosen) {
      const page = screen.signedOut ? visitor : screen.isEmpty ? starter : owner
      await goTo(page, screen)
      await page.waitForTimeout(300)
      await shoot(page, look, screen.name)
      await screen.leave?.(page)
    }
    await Promise.all([visitor, owner, starter].map((page) => page.context().close()))
  }
  return chosen.length * looks.length + (await shootSetUp())
}

/** A picture, or one at each width. */
async function shoot(page: Page, look: (typeof looks)[number], name: string): Promise<void> {
  if (widths.length === 0) {
    await page.screenshot({ path: join(folder, look.name, `${name}.png`) })
    return
  }
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    await page.waitForTimeout(200)
    await page.screenshot({ path: join(folder, `${width}-${look.colorScheme}`, `${name}.png`) })
  }
  await page.setViewportSize(look.options.viewport)
}

/** The first page of an instance without an owner, empty and with mistakes. */
async function shootSetUp(): Promise<number> {
  if (!locale.startsWith('en') || (wanted.length > 0 && !wanted.includes('set-up'))) return 0
  const empty = await startTestApp('sqlite', {}, { atOrigin: true })
  try {
    for (const look of looks) {
      const page = await open(look, undefined, empty.url)
      await page.goto('/setup')
      await shoot(page, look, 'set-up')
      await page.getByLabel('Username').fill('a!')
      await page.getByLabel('Password').fill('short')
      await page.getByRole('button', { name: 'Create account' }).click()
      await page.getByRole('alert').waitFor()
      await shoot(page, look, 'set-up-mistakes')
      await page.context().close()
    }
  } finally {
    await empty.close()
  }
  return 2 * looks.length
}

async function open(
  { options, colorScheme }: (typeof looks)[number],
  as?: TestPerson,
  url = app.url,
): Promise<Page> {
  const context = await browser.newContext({
    ...options,
    deviceScaleFactor: 'isMobile' in options ? 2 : 1,
    colorScheme,
    locale,
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    baseURL: url,
  })
  if (as) {
    const [name, value] = (await as.session()).split('=') as [string, string]
    await context.addCookies([{ name, value, url: app.url }])
  }
  await context.clock.setFixedTime(now)
  return context.newPage()
}
