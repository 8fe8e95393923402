// A real Chromium and the real application. On every page: no requests to other origins and no console errors.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before, describe, test } from 'node:test'
import type { AxeResults } from 'axe-core'
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import type { Config } from '../../server/base/config.ts'
import { ACTION_MESSAGE_MS, LINE_MESSAGE_MS } from '../../web/src/lib/delays.ts'
import { unlimited } from '../batch.ts'
import { type EngineName, startTestApp, type TestApp, type TestParts, type TestPerson } from '../harness.ts'
import { slowPages } from '../slow.ts'
import { until } from '../until.ts'
import { announceUser, type Contexts, createContexts, executablePath, launchBrowser } from './contexts.ts'

export { executablePath, launchArguments } from './contexts.ts'

/** Far from the turn of a year. The browser's clock starts here and advances; the application's is stopped here. */
export const NOW = Date.parse('2026-11-18T12:00:00Z')
/** The date of a day relative to the browser's, such as -1 for yesterday. */
export const dayFromNow = (days: number): string =>
  new Date(NOW + days * 86_400_000).toISOString().slice(0, 10)

export const devices = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
} satisfies Record<string, BrowserContextOptions>
export type Device = keyof typeof devices

export interface Visit extends BrowserContextOptions {
  device?: Device
  /** Signed in as this person. */
  as?: TestPerson
  /** Other origins that a page may be redirected to, such as the app in an OAuth flow. */
  mayGoTo?: string[]
  /** The journey causes failing requests on the server's side. */
  serverMayFail?: boolean
  /** For work that another process shares, at the real time. */
  clockOfMachine?: boolean
}

export interface Journey {
  app: TestApp
  open(path: string, visit?: Visit): Promise<Page>
}

type Run = (journey: Journey) => Promise<void>
export interface Suite {
  /** The most important journeys: `npm test` runs them; the others run in `npm run test:rest`. */
  everyday(name: string, run: Run): void
  journey(name: string, run: Run): void
  onEachDevice(name: string, run: (journey: Journey, device: Device) => Promise<void>): void
}

/** `everyday`, `other`, or both. */
const chosenJourneys = process.env['TEST_JOURNEYS']

export const TIMEOUT_MS = Number(process.env['BROWSER_TIMEOUT_MS'] ?? 90_000)

/** Journeys through one application, each in separate browser contexts. */
export function journeys(
  name: string,
  engine: EngineName,
  define: (suite: Suite) => void,
  parts: TestParts = {},
  settings: Partial<Config> = {},
  /** More arguments of Chromium, such as a camera that shows a file. */
  launch?: () => Promise<string[]>,
): void {
  const skip = existsSync(executablePath) ? false : `there is no Chromium at ${executablePath}`
  describe(`${name} on ${engine}`, {
    ...unlimited,
    skip: process.env['REQUIRE_BROWSER'] ? false : skip,
  }, () => {
    let app: TestApp & { close(): Promise<void> }
    let browser: Browser
    let contexts: Contexts
    let shiftMs: number
    const shared = announceUser()
    let count = 0
    const start = async () => {
      app = await startTestApp(engine, settings, { atOrigin: true, ...parts })
      app.clock.set(NOW)
      shiftMs = NOW - Date.now()
      browser = launch ? await launchBrowser(await launch()) : await shared.browser()
      contexts = createContexts(browser)
    }
    const end = async () => {
      await contexts?.close()
      if (launch) await browser?.close()
      await app?.close()
    }
    const goThrough = async (title: string, run: Run, visits: ReturnType<typeof createVisits>) => {
      let hasEnded = false
      try {
        await run({ app, open: visits.open })
        assert.deepEqual(visits.faults, [])
        hasEnded = true
      } catch (error) {
        await visits.picture(title)
        throw error
      } finally {
        await visits.close(hasEnded)
      }
    }
    const walk = (title: string, run: Run) => {
      count++
      test(title, async (context) => {
        const visits = () => createVisits(app, browser, { contexts, shiftMs })
        const first = visits()
        try {
          await goThrough(title, run, first)
        } catch (error) {
          // The headless shell rarely ends with a segmentation fault of its own. A page that causes it does so again.
          if (!first.hasCrashed()) throw error
          context.diagnostic(`${title}: the browser crashed, so this ran a second time`)
          await goThrough(title, run, visits())
        }
      })
    }
    const everyday = chosenJourneys === 'other' ? () => {} : walk
    const journey = chosenJourneys === 'everyday' ? () => {} : walk
    define({
      everyday,
      journey,
      onEachDevice: (title, run) => {
        for (const device of Object.keys(devices) as Device[]) {
          journey(`${title}, ${device}`, (given) => run(given, device))
        }
      },
    })
    if (count > 0) before(start)
    after(async () => {
      await end()
      await shared.leave()
    })
  })
}

/** Visits to an application in separate contexts; problems on any page are recorded. */
export function createVisits(
  app: Pick<TestApp, 'url'>,
  browser: Browser,
  /** The difference between the clocks of the browser and the machine. */
  { contexts = createContexts(browser), shiftMs = 0 }: { contexts?: Contexts; shiftMs?: number } = {},
) {
  const taken: BrowserContext[] = []
  const faults: string[] = []
  let crashed = false
  return {
    faults,
    hasCrashed: () => crashed,
    async open(
      path: string,
      {
        device = 'desktop',
        as,
        mayGoTo = [],
        serverMayFail = false,
        clockOfMachine = false,
        ...options
      }: Visit = {},
    ): Promise<Page> {
      const all: BrowserContextOptions = {
        locale: 'en-GB',
        reducedMotion: 'reduce',
        serviceWorkers: 'block',
        baseURL: app.url,
        ...devices[device],
        ...options,
      }
      const context = await contexts.take(all, clockOfMachine ? 0 : shiftMs)
      taken.push(context)
      slowPages(context)
      context.setDefaultTimeout(TIMEOUT_MS)
      watch(context, [app.url, ...mayGoTo], faults, serverMayFail ? serverNotes : ownNotes)
      if (as) await signIn(context, app, as)
      const page = await context.newPage()
      page.on('crash', () => {
        crashed = true
      })
      await page.goto(path)
      return page
    },
    /** Screenshots of a failed journey. */
    async picture(title: string): Promise<void> {
      const name = title.replaceAll(/\W+/g, '-')
      for (const [i, page] of taken.flatMap((context) => context.pages()).entries()) {
        await page.screenshot({ path: `shots/failed/${name}-${i}.png` }).catch(() => {})
      }
      if (faults.length > 0) process.stderr.write(`${faults.join('\n')}\n`)
    },
    /** Contexts of a successful journey may serve the next one. */
    close: (mayServe = false) => Promise.all(taken.map((context) => contexts.giveBack(context, mayServe))),
  }
}

async function signIn(context: BrowserContext, app: Pick<TestApp, 'url'>, person: TestPerson): Promise<void> {
  const [name, value] = (await person.session()).split('=') as [string, string]
  await context.addCookies([{ name, value, url: app.url }])
}

/** Chromium logs error responses to the console, and failed requests of a service worker; they are not errors of the page. */
const ownNotes =
  /^Failed to load resource: (?:the server responded with a status of 4\d\d|net::ERR_(?:INTERNET_DISCONNECTED|CONTENT_LENGTH_MISMATCH|INCOMPLETE_CHUNKED_ENCODING|FAILED|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED|CONNECTION_\w+))/

const serverNotes = new RegExp(
  `${ownNotes.source}|^Failed to load resource: the server responded with a status of 5`,
)

function watch(context: BrowserContext, origins: string[], faults: string[], notes: RegExp): void {
  context.on('request', (request) => {
    const url = new URL(request.url())
    if (/^https?:$/.test(url.protocol) && !origins.includes(url.origin)) faults.push(`asked for ${url.href}`)
  })
  context.on('console', (message) => {
    if (message.type() === 'error' && !notes.test(message.text())) faults.push(`console: ${message.text()}`)
  })
  context.on('weberror', (error) => faults.push(`error: ${error.error().stack || error.error()}`))
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** axe violations of the current page or of parts of it, and whether something is wider than the window. */
export const faultsOf = async (page: Page, within?: string): Promise<string[]> => [
  ...(await violationsOf(page, undefined, within)),
  ...(await overflowOf(page)),
]

/** Runs in the page: colours fade into those of another scheme, inherited ones only after their parents'. */
const fadeAtOnce = `for (let depth = 0; depth < 100; depth++) {
  const fades = document.getAnimations().filter((one) => one instanceof CSSTransition && one.playState !== 'finished')
  if (fades.length === 0) break
  for (const fade of fades) fade.finish()
}`

/** Runs in the page: nothing fades until `fadeAgain`. Thousands of fades cost more than the new colours. */
const fadeNothing = `{
  window.unfading = new CSSStyleSheet()
  window.unfading.replaceSync('*, ::before, ::after { transition: none !important }')
  document.adoptedStyleSheets.push(window.unfading)
}`
const fadeAgain = `{
  document.body.getBoundingClientRect()
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== window.unfading)
}`

/** Changes the colour scheme of the loaded page. */
export async function showIn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.evaluate(fadeNothing)
  await page.emulateMedia({ colorScheme })
  await page.evaluate(fadeAgain)
}

/** Checks that a change of the colour scheme can break. */
export const contrastFaultsOf = (page: Page, within?: string): Promise<string[]> =>
  violationsOf(page, ['color-contrast'], within)

/** Runs in the page: parts built like two earlier ones, such as further rows of a list, which can have no other fault. */
const repeated = `(() => {
  const shapes = new Map()
  const ids = new WeakMap()
  const shape = (part) => {
    const inside = [...part.children].map(shape).join()
    const attributes = part.getAttributeNames().filter((name) => name !== 'style').join()
    const key = [part.tagName, part.classList.value, part.getAttribute('role'), attributes, inside].join('|')
    if (!shapes.has(key)) shapes.set(key, { id: shapes.size, seen: 0 })
    ids.set(part, shapes.get(key))
    return shapes.get(key).id
  }
  const found = []
  const pick = (part) => {
    const known = ids.get(part)
    if (part.children.length > 0 && ++known.seen > 2) found.push(part)
    else for (const child of part.children) pick(child)
  }
  shape(document.body)
  pick(document.body)
  return found
})()`

/**
 * Runs in the page: for the contrast, axe finds out where each element of the page is and what it covers, which costs more than all its
 * rules. Parts that are not looked at are left out.
 */
const placeOnly = (within?: string): string => `{
  const left = new Set(exclude)
  const looked = ${within ? `[...document.querySelectorAll(${JSON.stringify(within)})]` : '[document.body]'}
  const isLeft = (part) => left.has(part) || !looked.some((one) => one.contains(part) || part.contains(one))
  document.createTreeWalker = (root, what) => Document.prototype.createTreeWalker.call(document, root, what, (part) =>
    isLeft(part) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT)
}`

async function violationsOf(page: Page, rules?: readonly string[], within?: string): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axeSource)
  await page.evaluate(fadeAtOnce)
  const options = { resultTypes: ['violations'], preload: false, ...(rules && { runOnly: rules }) }
  const context = `{ include: ${within ? JSON.stringify([within]) : 'document'}, exclude }`
  const violations = await page.evaluate<AxeResults['violations']>(`(() => {
    const exclude = ${repeated}
    ${placeOnly(within)}
    return axe.run(${context}, ${JSON.stringify(options)})
      .then(({ violations }) => violations)
      .finally(() => delete document.createTreeWalker)
  })()`)
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 200)).join(' | ')}`,
  )
}

export async function overflowOf(page: Page): Promise<string[]> {
  // What follows the width of the window is laid out in the next frame.
  await twoFrames(page)
  const { scrollWidth, clientWidth } = await page.evaluate<{ scrollWidth: number; clientWidth: number }>(
    '(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }))(document.documentElement)',
  )
  return scrollWidth > clientWidth ? [`${scrollWidth} wide in a window of ${clientWidth}`] : []
}

export async function requireAccessible(page: Page, what: string): Promise<void> {
  assert.deepEqual(await faultsOf(page), [], what)
}

/** Runs in the page: timers with one of these times, in milliseconds, never fire. */
export const postpone = (...times: number[]): string => `{
  const wait = window.setTimeout
  window.setTimeout = (run, ms, ...given) => wait(run, ${JSON.stringify(times)}.includes(ms) ? 600_000 : ms, ...given)
}`

/** Messages with an Undo stay, because a busy machine may need more than their time. */
export const keepMessages = postpone(ACTION_MESSAGE_MS, LINE_MESSAGE_MS)

/** Runs in the page: its service worker is active. A promise, because polling needs eval, which the CSP forbids. */
export const underControl = `new Promise((done) => {
  if (navigator.serviceWorker.controller) done()
  else navigator.serviceWorker.addEventListener('controllerchange', () => done(), { once: true })
})`

/** Chooses from a combobox: types a search and selects the first result with Enter. */
export async function pick(page: Page, label: string, typed: string, expected: string): Promise<void> {
  const box = page.getByRole('combobox', { name: label, exact: true })
  await box.fill(typed)
  await page.getByRole('option').filter({ hasText: expected }).first().waitFor()
  await box.press('Enter')
  // The next field may show its list by then.
  await page.getByRole('listbox', { name: label, exact: true }).waitFor({ state: 'detached' })
}

/** Chooses from the menu of a flight's page. */
export async function chooseFromMore(page: Page, name: string): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}

export const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

/** The element has the focus. What opened something gets it back a moment after that is closed. */
export const focused = (element: Locator): Promise<void> =>
  element.and(element.page().locator(':focus')).waitFor({ state: 'attached' })

/** An element has the focus: the app moves it a moment after the focused one was removed. */
export const focusKept = (page: Page): Promise<unknown> =>
  until('the focus is kept', () => page.evaluate<boolean>('document.activeElement !== document.body'))

/** Resolves when changes of one frame and their layout in the next are drawn, in the fonts of the page. */
export async function twoFrames(page: Page): Promise<void> {
  // Resolves in the middle of a frame, so it needs a script of its own.
  await page.evaluate('document.fonts.ready.then(() => undefined)')
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
}

/** Resolves when the page is laid out for the new size: a busy browser still has the old one for some frames. */
export async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size)
  const hasSize = `matchMedia('(width: ${size.width}px) and (height: ${size.height}px)').matches`
  await until(`the page has ${size.width} × ${size.height} pixels`, () => page.evaluate<boolean>(hasSize))
  await twoFrames(page)
}

/** Goes to a year of the list with the rail next to it, which may still be laid out when it is first pressed. */
export async function jumpTo(page: Page, year: number): Promise<void> {
  const heading = page.locator('.stuck').getByText(String(year), { exact: true })
  await until(`${year} is in sight`, async () => {
    const place = await page.locator(`[data-year="${year}"]`).boundingBox()
    if (place) await page.mouse.click(place.x + place.width / 2, place.y + place.height / 2)
    await twoFrames(page)
    return heading.isVisible()
  })
}
