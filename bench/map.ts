// npm run bench:map: what the map costs the main thread of a browser without a graphics card: loading, dragging, playback. Build
// the web app first. Costs of a frame are also told as a ratio to the floor: a page that copies one picture of the window a frame.
//
//   --flights 10000,30000   sizes of the log       --routes N   pairs of airports in it, default 300
//   --shots DIR             pictures of what was measured       --json   machine-readable
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium, type Page } from 'playwright-core'
import { devices, executablePath, launchArguments } from '../test/e2e/browser.ts'
import { createDataset, type Dataset } from './data.ts'
import { startProcess, stopProcesses } from './processes.ts'
import { most, total, type Work, workOf } from './thread.ts'

const { values: options } = parseArgs({
  options: {
    flights: { type: 'string', default: '10000,30000' },
    routes: { type: 'string', default: '300' },
    shots: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})
const WINDOW = { width: 1280, height: 800 }
const DRAG_STEPS = 120
const PLAYBACK_MS = 5000
const SETTLED_MS = 3000
/** Lighthouse's usual slower machine. */
const SLOWER = 4
const SLOW_NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_400_000 / 8,
  uploadThroughput: 700_000 / 8,
}

interface Result {
  flights: number
  /** Main thread until the flights are on the map, on that slower machine. */
  firstScreenMs: number
  longestTaskMs: number
  /** The same for a second visit, which fetches only changes. */
  secondVisitMs: number
  /** Elapsed time on a phone of that speed with a slow network, for a visit without a cache: compare on a calm machine only. */
  phoneWordsMs: number
  phoneFiguresMs: number
  dragMs: number
  dragRatio: number
  playbackMs: number
  playbackRatio: number
  framesPerSecond: number
}

async function benchMap(): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'contrail-bench-map-'))
  chmodSync(scratch, 0o755)
  if (options.shots) mkdirSync(options.shots, { recursive: true })
  const browser = await chromium.launch({ executablePath, args: launchArguments })
  const results: Result[] = []
  try {
    say([
      'flights',
      'first screen ×4',
      'longest task',
      'second visit ×4',
      'phone: words',
      'figures',
      'drag',
      'to floor',
      'playback',
      'to floor',
      'fps',
    ])
    for (const flights of options.flights.split(',').map(Number)) {
      const dataDir = join(scratch, String(flights))
      mkdirSync(dataDir)
      const place = { databaseUrl: undefined, dataDir }
      const dataset = await createDataset(place, flights, Number(options.routes))
      const result = await measure(browser, dataset)
      results.push(result)
      say(rowOf(result))
    }
  } finally {
    await browser.close()
    await stopProcesses()
    rmSync(scratch, { recursive: true, force: true })
  }
  if (options.json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`)
}

async function measure(browser: Browser, dataset: Dataset): Promise<Result> {
  const origin = 'http://localhost'
  const server = await startProcess('server/run.js', {
    PORT: '0',
    HOST: '127.0.0.1',
    ORIGIN: origin,
    DATA_DIR: dataset.dataDir,
    DATABASE_URL: '',
    BACKUP_DIR: 'off',
  })
  const context = await browser.newContext({ viewport: WINDOW, serviceWorkers: 'block', locale: 'en-GB' })
  const url = `http://127.0.0.1:${server.port}`
  await context.addCookies([{ name: 'contrail', value: dataset.sessions[0]!, url }])
  const page = await context.newPage()
  const floor = costOf(await workOf(browser, page, () => copyPictures(page)))
  const first = await workOf(browser, page, () => openMap(page, url))
  const later = await workOf(browser, page, () => page.waitForTimeout(SETTLED_MS))
  const second = await workOf(browser, page, () => openMap(page, url))
  const drag = costOf(await workOf(browser, page, () => dragGlobe(page)))
  await shoot(page, `${dataset.flights}-map`)
  await page.goto(`${url}/?time=years`)
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  const playback = await workOf(browser, page, () => page.waitForTimeout(PLAYBACK_MS))
  await shoot(page, `${dataset.flights}-playback`)
  await context.close()
  const phone = await onSlowPhone(browser, url, dataset.sessions[0]!)
  await server.stop()
  return {
    flights: dataset.flights,
    firstScreenMs: SLOWER * total(first.tasks),
    longestTaskMs: most([...first.afterPaint, ...later.tasks]),
    secondVisitMs: SLOWER * total(second.tasks),
    phoneWordsMs: phone.words,
    phoneFiguresMs: phone.figures,
    dragMs: drag,
    dragRatio: drag / floor,
    playbackMs: costOf(playback),
    playbackRatio: costOf(playback) / floor,
    framesPerSecond: playback.frames / playback.seconds,
  }
}

const costOf = ({ tasks, frames }: Work): number => total(tasks) / Math.max(1, frames)

/**
 * Waits until the flights are counted, and leaves time to draw them. A locator would search the whole page repeatedly, on
 * the same thread.
 */
async function openMap(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await until(page, FIGURES)
  await page.waitForTimeout(400)
}

const WORDS = `document.body?.innerText.trim()`
const FIGURES = `document.querySelector('.counters')`

/** The page's policy forbids the evaluation that Playwright's own way of waiting needs. */
const until = (page: Page, condition: string) =>
  page.evaluate(`(async () => {
    while (!(${condition})) await new Promise((done) => setTimeout(done, 50))
  })()`)

/** From the request of the page to its first words, and to the figures of the map. */
async function onSlowPhone(browser: Browser, url: string, session: string) {
  const context = await browser.newContext({ ...devices.phone, serviceWorkers: 'block', locale: 'en-GB' })
  await context.addCookies([{ name: 'contrail', value: session, url }])
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  await cdp.send('Network.emulateNetworkConditions', SLOW_NETWORK)
  const began = performance.now()
  const elapsed = () => performance.now() - began
  await page.goto(url, { waitUntil: 'commit' })
  await until(page, WORDS)
  const words = elapsed()
  await until(page, FIGURES)
  const figures = elapsed()
  await shoot(page, 'phone')
  await context.close()
  return { words, figures }
}

/** In a circle, so that all sides are visible. */
async function dragGlobe(page: Page): Promise<void> {
  const [x, y] = [WINDOW.width / 2, WINDOW.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  for (let i = 1; i <= DRAG_STEPS; i++) {
    const turn = (2 * Math.PI * i) / DRAG_STEPS
    await page.mouse.move(x + 220 * Math.sin(turn), y + 120 * (1 - Math.cos(turn)))
    if (i === DRAG_STEPS / 2) await shoot(page, 'dragging')
  }
  await page.mouse.up()
}

/** The minimum cost of a frame of two canvases. */
async function copyPictures(page: Page): Promise<void> {
  await page.goto('about:blank')
  await page.evaluate(`(async () => {
    const make = () => Object.assign(document.createElement('canvas'), { width: ${WINDOW.width}, height: ${WINDOW.height} })
    const [screen, picture] = [make(), make()]
    document.body.append(screen)
    const paint = picture.getContext('2d')
    paint.fillStyle = '#246'
    paint.fillRect(0, 0, screen.width, screen.height)
    const ctx = screen.getContext('2d')
    for (let i = 0; i < 120; i++) {
      await new Promise(requestAnimationFrame)
      ctx.clearRect(0, 0, screen.width, screen.height)
      ctx.drawImage(picture, 0, 0)
    }
  })()`)
}

async function shoot(page: Page, name: string): Promise<void> {
  if (options.shots) await page.screenshot({ path: join(options.shots, `${name}.png`) })
}

function rowOf(result: Result): string[] {
  const ms = (value: number) => `${value.toFixed(1)} ms`
  return [
    result.flights.toLocaleString('en'),
    ms(result.firstScreenMs),
    ms(result.longestTaskMs),
    ms(result.secondVisitMs),
    ms(result.phoneWordsMs),
    ms(result.phoneFiguresMs),
    ms(result.dragMs),
    result.dragRatio.toFixed(2),
    ms(result.playbackMs),
    result.playbackRatio.toFixed(2),
    result.framesPerSecond.toFixed(0),
  ]
}

function say(cells: readonly string[]): void {
  if (!options.json) process.stdout.write(`${cells.map((cell) => cell.padStart(17)).join('')}\n`)
}

await benchMap()
