// The film of README.md: the years of the demo flights on the globe, frame by frame with the page's clock, so that a slow machine
// makes the same film. Needs img2webp (Debian: webp).
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { startTestApp } from '../harness.ts'
import { moveIn, openFor, withoutDemoBar } from './readme-pictures.ts'

const FILM = join('docs', 'pictures', 'film.webp')
/** Before, the demo has a few flights in twenty years. */
const FROM = '2018-01-01'
const SECONDS = 12
const FRAME_MS = 100
/** The last picture stands a little, so that its figures can be read. */
const LAST_FRAME_MS = 1500
const SIZE_AT_MOST = 4_000_000
/** A desktop page, 800 pixels wide. */
const look = {
  viewport: { width: 1280, height: 800 },
  deviceScaleFactor: 0.625,
  reducedMotion: 'no-preference',
} as const

/** Returns the number of frames. */
export async function shootFilm(browser: Browser): Promise<number> {
  const app = await startTestApp('sqlite', {}, { atOrigin: true })
  app.clock.set(Date.now())
  const scratch = mkdtempSync(join(tmpdir(), 'contrail-film-'))
  try {
    const ada = await moveIn(app)
    const page = await openFor(browser, app, { device: 'desktop', colorScheme: 'dark' }, ada, look)
    const frames = await play(page, scratch)
    await page.context().close()
    const last = frames.pop()!
    const words = ['-loop', '0', '-lossy', '-q', '80', '-m', '6', '-d', `${FRAME_MS}`, ...frames]
    execFileSync('img2webp', [...words, '-d', `${LAST_FRAME_MS}`, last, '-o', FILM])
    if (statSync(FILM).size > SIZE_AT_MOST) throw new Error(`${FILM} is larger than ${SIZE_AT_MOST} bytes`)
    return frames.length + 1
  } finally {
    rmSync(scratch, { recursive: true, force: true })
    await app.close()
  }
}

async function play(page: Page, folder: string): Promise<string[]> {
  await page.goto(`/?time=years&from=${FROM}&night=1`)
  const button = page.getByRole('button', { name: 'Play', exact: true })
  await button.waitFor()
  await page.evaluate(withoutDemoBar)
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 1000)
  await button.click()
  const frames: string[] = []
  for (let at = 0; at < SECONDS * 1000; at += FRAME_MS) {
    await page.clock.runFor(FRAME_MS)
    const path = join(folder, `${String(at).padStart(6, '0')}.png`)
    await page.screenshot({ path })
    frames.push(path)
  }
  return frames
}
