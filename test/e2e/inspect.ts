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
const middle = names.indexOf('trips')
const halves = { first: names.slice(0, middle), second: names.slice(middle) }

/** The data of all screens of a suite. */
function createFurnishing(): (app: Journey['app']) => Promise<Furnished> {
  let furnished: Promise<Furnished> | undefined
  return (app) => {
    furnished ??= furnish(app)
    return furnished
  }
}

/** Half of the screens, as two files that run side by side. */
export function inspect(device: Device, half: keyof typeof halves): void {
  journeys(`screens on a ${device}, ${half} half`, 'sqlite', ({ journey }) => {
    const furnishOnce = createFurnishing()
    const all = halves[half]
    for (let start = 0; start < all.length; start += AT_ONCE) {
      const part = all.slice(start, start + AT_ONCE)
      journey(
        `Screens are accessible on a ${device}: ${part[0]} to ${part.at(-1)}`,
        async ({ app, open }) => {
          const subjects = await furnishOnce(app)
          const pageOf = createPages(open, subjects, device)
          const faults: string[] = []
          for (const screen of screens(subjects).filter(({ name }) => part.includes(name)))
            faults.push(...(await walk(await pageOf(screen), screen, (page) => look(page, device, screen))))
          assert.deepEqual(faults, [])
        },
      )
    }
  })
}

/** Each screen with an address, in the narrowest window. */
export function inspectNarrow(language: string, locale: string): void {
  journeys(`screens in ${language}`, 'sqlite', ({ journey }) => {
    journey(`Screens fit the narrowest window in ${language}`, async ({ app, open }) => {
      const subjects = await furnish(app)
      const narrow = { viewport: { width: 320, height: 640 }, locale }
      const pageOf = createPages(open, subjects, 'phone', narrow)
      const faults: string[] = []
      for (const screen of screens(subjects).filter(({ open: opens }) => !opens))
        faults.push(...(await walk(await pageOf(screen), screen, overflowOf)))
      assert.deepEqual(faults, [])
    })
  })
}

/** One page for each kind of person, opened when a screen of theirs comes. */
function createPages(open: Journey['open'], { ada, newcomer }: Furnished, device: Device, more: Visit = {}) {
  const pages = new Map<string, Promise<Page>>()
  return (screen: Screen): Promise<Page> => {
    const kind = screen.signedOut ? 'visitor' : screen.isEmpty ? 'newcomer' : 'owner'
    let page = pages.get(kind)
    if (!page) {
      const visit = { device, colorScheme: device === 'phone' ? 'dark' : 'light', ...more } as const
      page =
        kind === 'visitor'
          ? open('/sign-in', visit)
          : open('/nowhere', { ...visit, as: kind === 'owner' ? ada : newcomer })
      pages.set(kind, page)
    }
    return page
  }
}

const schemes = new WeakMap<Page, 'light' | 'dark'>()

/** In the colour scheme that the page has, and then in the other one, which can only differ in contrast. */
async function lookTwice(page: Page, within?: string): Promise<string[]> {
  const faults = await faultsOf(page, within)
  const other = schemes.get(page) === 'dark' ? 'light' : 'dark'
  await showIn(page, other)
  schemes.set(page, other)
  return [...faults, ...(await contrastFaultsOf(page, within)).map((fault) => `${other}: ${fault}`)]
}

const OVER_THE_PAGE = 'dialog[open], [role=dialog], [role=menu]'

/** What lies over a page that is a screen without it; the page is looked at there. */
async function overlayOf(page: Page, { open }: Screen): Promise<string | undefined> {
  const isThere = open && (await page.locator(OVER_THE_PAGE).filter({ visible: true }).count()) > 0
  return isThere ? OVER_THE_PAGE : undefined
}

/** The phone shows the parts and colours of the desktop in another order, so that one look is enough: in the dark. */
async function look(page: Page, device: Device, screen: Screen): Promise<string[]> {
  const overlay = await overlayOf(page, screen)
  if (device === 'phone') return faultsOf(page, overlay)
  return [...(await lookTwice(page, overlay)), ...(screen.signedOut ? [] : await nameFaultsOf(page))]
}

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
