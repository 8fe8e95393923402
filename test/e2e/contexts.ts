// One browser for the suites of a process, and contexts that journeys reuse. A context that has loaded the application
// before has its scripts cached, so it loads it again at less than half the cost.
import { existsSync } from 'node:fs'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'

/** The headless shell is the same engine without the browser's windows, which take twice its time. */
const places = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
export const executablePath =
  process.env['CHROMIUM_PATH'] || places.find((path) => existsSync(path)) || places[1]!
export const launchArguments = ['--no-sandbox', '--disable-gpu', '--disable-background-networking']
/** Pages of one context share a process, and therefore its compiled scripts. */
const ownArguments = [...launchArguments, '--process-per-site']

export const launchBrowser = (more: readonly string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath, args: [...ownArguments, ...more] })

let shared: Promise<Browser> | undefined
let users = 0

/** The browser that suites of this process share. It ends with the last suite that announced itself. */
export function announceUser(): { browser(): Promise<Browser>; leave(): Promise<void> } {
  users++
  return {
    async browser() {
      if (!(await shared)?.isConnected()) shared = launchBrowser()
      return shared!
    },
    async leave() {
      if (--users > 0) return
      const last = shared
      shared = undefined
      await (await last)?.close()
    },
  }
}

/** Calls whose effect outlasts a journey: a context with such a call is not used again. */
const lasting = [
  'addInitScript',
  'exposeBinding',
  'exposeFunction',
  'grantPermissions',
  'route',
  'routeFromHAR',
  'routeWebSocket',
  'setExtraHTTPHeaders',
  'setGeolocation',
  'setOffline',
  'unrouteAll',
] as const
const timed = [
  'fastForward',
  'install',
  'pauseAt',
  'resume',
  'runFor',
  'setFixedTime',
  'setSystemTime',
] as const
const heard = [
  'console',
  'dialog',
  'page',
  'request',
  'requestfailed',
  'requestfinished',
  'response',
  'weberror',
] as const

/** Runs in the page: the difference between its clock and that of the machine. */
const shift = (ms: number): string => `{
  const Machine = Date
  globalThis.Date = class Date extends Machine {
    static machine = Machine
    constructor(...given) {
      super(...(given.length > 0 ? given : [Machine.now() + ${ms}]))
    }
    static now() {
      return Machine.now() + ${ms}
    }
  }
}`

function noteCalls(target: object, names: readonly string[], note: () => void): void {
  for (const name of names) {
    const call = Reflect.get(target, name) as (...given: unknown[]) => unknown
    Reflect.set(target, name, (...given: unknown[]) => {
      note()
      return call.apply(target, given)
    })
  }
}

interface Entry {
  context: BrowserContext
  key: string
  /** It must not serve another journey. */
  isSpent: boolean
  /** An empty page of the application keeps the process and its compiled scripts. */
  keep(): Promise<Page>
  clear(): Promise<void>
}

async function make(
  browser: Browser,
  options: BrowserContextOptions,
  shiftMs: number,
  key: string,
): Promise<Entry> {
  const context = await browser.newContext(options)
  const shifted = await context.addInitScript(shift(shiftMs))
  const { install } = context.clock
  context.clock.install = async (given) => {
    // Playwright's clock counts from that of the machine.
    await shifted.dispose()
    for (const page of context.pages()) await page.evaluate('globalThis.Date = Date.machine ?? Date')
    await install.call(context.clock, { time: Date.now() + shiftMs, ...given })
  }
  const connect = context.newCDPSession.bind(context)
  let keeper: Page | undefined
  const entry: Entry = {
    context,
    key,
    // A service worker would serve the next journey.
    isSpent: options.serviceWorkers !== 'block',
    async keep() {
      if (keeper) return keeper
      keeper = await context.newPage()
      await keeper.goto('/robots.txt')
      return keeper
    },
    /** Nothing of the previous users is kept. */
    async clear() {
      const session = await connect(await entry.keep())
      const origin = options.baseURL!
      await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
      await session.detach()
      await context.clearCookies()
    },
  }
  const spend = () => {
    entry.isSpent = true
  }
  context.once('close', spend)
  noteCalls(context, lasting, spend)
  noteCalls(context.clock, timed, spend)
  return entry
}

export interface Contexts {
  take(options: BrowserContextOptions, shiftMs: number): Promise<BrowserContext>
  /** Closes the pages of a context, which may serve another journey. */
  giveBack(context: BrowserContext, mayServe: boolean): Promise<void>
  close(): Promise<void>
}

export function createContexts(browser: Browser): Contexts {
  const idle: Entry[] = []
  const taken = new Map<BrowserContext, Entry>()

  async function clean({ context, keep, clear }: Entry): Promise<void> {
    for (const event of heard) context.removeAllListeners(event)
    const keeper = await keep()
    await Promise.all(context.pages().map((page) => page !== keeper && page.close()))
    await clear()
  }

  return {
    async take(options, shiftMs) {
      const key = JSON.stringify([options, shiftMs])
      const at = idle.findIndex((one) => one.key === key)
      const entry = idle.splice(at, at < 0 ? 0 : 1)[0] ?? (await make(browser, options, shiftMs, key))
      taken.set(entry.context, entry)
      return entry.context
    },
    async giveBack(context, mayServe) {
      const entry = taken.get(context)!
      taken.delete(context)
      if (!mayServe || entry.isSpent) return context.close()
      await clean(entry)
      idle.push(entry)
    },
    async close() {
      await Promise.all(idle.splice(0).map(({ context }) => context.close()))
    },
  }
}
