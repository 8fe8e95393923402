// Visits every screen: no axe violations in light and dark, no texts that run together, a name of its own for each control, and
// no overflow, in the narrowest window in German and French too.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import {
  contrastFaultsOf,
  type Device,
  faultsOf,
  type Journey,
  journeys,
  overflowOf,
  showIn,
  type Visit,
} from './browser.ts'
import { nameFaultsOf } from './names.ts'
import { type Furnished, furnish, goTo, type Screen, screens } from './screens.ts'

/** Few enough for one test, however busy the machine is. */
const AT_ONCE = 15
const names = screens({ flightId: 1, contestedId: 1 }).map(({ name }) => name)

export function inspect(device: Device): void {
  journeys(`every screen on a ${device}`, 'sqlite', ({ journey }) => {
    let furnished: Promise<Furnished> | undefined
    const furnishOnce = (app: Journey['app']) => {
      furnished ??= furnish(app)
      return furnished
    }

    for (let start = 0; start < names.length; start += AT_ONCE) {
      const part = names.slice(start, start + AT_ONCE)
      journey(`is accessible: ${part[0]} to ${part.at(-1)}`, async ({ app, open }) => {
        const subjects = await furnishOnce(app)
        const pageOf = createPages(open, subjects, device)
        const faults: string[] = []
        for (const screen of screens(subjects).filter(({ name }) => part.includes(name))) {
          const look = device === 'desktop' && !screen.signedOut ? lookAndListen : lookTwice
          faults.push(...(await walk(await pageOf(screen), screen, look)))
        }
        assert.deepEqual(faults, [])
      })
    }

    if (device === 'desktop') return
    for (const [language, locale] of [
      ['German', 'de-DE'],
      ['French', 'fr-FR'],
    ] as const) {
      journey(`fits the narrowest window in ${language}`, async ({ app, open }) => {
        const subjects = await furnishOnce(app)
        const narrow = { viewport: { width: 320, height: 640 }, locale }
        const pageOf = createPages(open, subjects, device, narrow)
        const faults: string[] = []
        for (const screen of screens(subjects).filter(({ open: opens }) => !opens)) {
          faults.push(...(await walk(await pageOf(screen), screen, overflowOf)))
        }
        assert.deepEqual(faults, [])
      })
    }
  })
}

/** One page for each kind of person, opened when a screen of theirs comes. */
function createPages(open: Journey['open'], { ada, newcomer }: Furnished, device: Device, more: Visit = {}) {
  const pages = new Map<string, Promise<Page>>()
  return (screen: Screen): Promise<Page> => {
    const kind = screen.signedOut ? 'visitor' : screen.isEmpty ? 'newcomer' : 'owner'
    let page = pages.get(kind)
    if (!page) {
      const visit = { device, ...more }
      page =
        kind === 'visitor'
          ? open('/sign-in', visit)
          : open('/nowhere', { ...visit, as: kind === 'owner' ? ada : newcomer })
      pages.set(kind, page)
    }
    return page
  }
}

/** In both colour schemes, of which the second can only differ in contrast. */
async function lookTwice(page: Page): Promise<string[]> {
  await showIn(page, 'light')
  const faults = await faultsOf(page)
  await showIn(page, 'dark')
  return [...faults, ...(await contrastFaultsOf(page)).map((fault) => `dark: ${fault}`)]
}

const lookAndListen = async (page: Page): Promise<string[]> => [
  ...(await lookTwice(page)),
  ...(await nameFaultsOf(page)),
]

/** The problems of a screen as text, also if it does not load. */
async function walk(page: Page, screen: Screen, look: (page: Page) => Promise<string[]>): Promise<string[]> {
  try {
    await goTo(page, screen)
    const faults = await look(page)
    await screen.leave?.(page)
    return faults.map((fault) => `${screen.name}: ${fault}`)
  } catch (error) {
    return [`${screen.name}: ${error instanceof Error ? error.message : error}`]
  }
}
