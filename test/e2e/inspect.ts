// Visits every screen. On a desktop: no axe violations in light and dark, no texts that run together, a distinct name for
// each control. On a phone: no overflow in any language, and axe again, in dark mode.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { errorMessage } from '../../server/base/errors.ts'
import { languageNames, languages } from '../../server/domain/languages.ts'
import {
  contrastFaultsOf,
  faultsOf,
  type Journey,
  journeys,
  overflowOf,
  showIn,
  twoFrames,
  type Visit,
} from './browser.ts'
import { nameFaultsOf } from './names.ts'
import { type Furnished, furnish, goTo, openOn, type Screen, screens } from './screens.ts'

/** Few enough for one test on a busy machine. */
const AT_ONCE = 15
/** Their names and addresses do not depend on the data. */
const known = screens({ flightId: 1, contestedId: 1, todayId: 1 })
const names = known.map(({ name }) => name)
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

/** Half of the screens on a desktop, as two files that run side by side. */
export function inspect(half: keyof typeof halves): void {
  journeys(`screens on a desktop, ${half} half`, 'sqlite', ({ journey }) => {
    const furnishOnce = createFurnishing()
    const all = halves[half]
    for (let start = 0; start < all.length; start += AT_ONCE) {
      const part = all.slice(start, start + AT_ONCE)
      journey(`Screens are accessible on a desktop: ${part[0]} to ${part.at(-1)}`, async ({ app, open }) => {
        const subjects = await furnishOnce(app)
        const chosen = screens(subjects).filter(({ name }) => part.includes(name))
        assert.deepEqual(await walkAll(createPages(open, subjects, { device: 'desktop' }), chosen, look), [])
      })
    }
  })
}

const hasAddress = ({ open }: Screen) => !open
const narrow = { device: 'phone', viewport: { width: 320, height: 640 } } as const

/** Every address on a phone, in the narrowest window with the longer words of other languages. */
export function inspectPhone(): void {
  journeys('screens on a phone', 'sqlite', ({ journey }) => {
    const furnishOnce = createFurnishing()
    journey('Screens are accessible and fit the narrowest window in German', async ({ app, open }) => {
      const subjects = await furnishOnce(app)
      const pageOf = createPages(open, subjects, { ...narrow, locale: 'de-DE', colorScheme: 'dark' })
      const chosen = screens(subjects).filter(hasAddress)
      assert.deepEqual(await walkAll(pageOf, chosen, (page) => faultsOf(page)), [])
    })
    for (const locale of languages.filter((language) => language !== 'en' && language !== 'de'))
      journey(`Screens fit the narrowest window in ${languageNames[locale]}`, async ({ app, open }) => {
        const subjects = await furnishOnce(app)
        const pageOf = createPages(open, subjects, { ...narrow, locale })
        assert.deepEqual(await walkAll(pageOf, screens(subjects).filter(hasAddress), overflowOf), [])
      })
  })
}

/** What opens on a phone's screens. */
export function inspectPhoneStates(): void {
  journeys('states of screens on a phone', 'sqlite', ({ journey }) => {
    const furnishOnce = createFurnishing()
    const states = known.filter((screen) => !hasAddress(screen))
    for (let start = 0; start < states.length; start += AT_ONCE) {
      const part = states.slice(start, start + AT_ONCE).map(({ name }) => name)
      journey(
        `Dialogs, menus and other states fit a phone: ${part[0]} to ${part.at(-1)}`,
        async ({ app, open }) => {
          const subjects = await furnishOnce(app)
          const chosen = screens(subjects).filter(({ name }) => part.includes(name))
          assert.deepEqual(
            await walkAll(createPages(open, subjects, { device: 'phone' }), chosen, overflowOf),
            [],
          )
        },
      )
    }
  })
}

/** One page for each kind of person, opened with their first screen. */
function createPages(open: Journey['open'], { ada, newcomer }: Furnished, visit: Visit) {
  const pages = new Map<string, Promise<Page>>()
  return (screen: Screen): Promise<Page> => {
    const kind = screen.signedOut ? 'visitor' : screen.isEmpty ? 'newcomer' : 'owner'
    let page = pages.get(kind)
    if (!page) {
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

/** In the page's colour scheme, and then in the other one, which can only differ in contrast. */
async function lookTwice(page: Page, within?: string): Promise<string[]> {
  const faults = await faultsOf(page, within)
  const other = schemes.get(page) === 'dark' ? 'light' : 'dark'
  await showIn(page, other)
  schemes.set(page, other)
  return [...faults, ...(await contrastFaultsOf(page, within)).map((fault) => `${other}: ${fault}`)]
}

const OVER_THE_PAGE = 'dialog[open], [role=dialog], [role=menu]'

/** Overlays of a page that is a screen itself; the page is checked there. */
async function overlayOf(page: Page, { open }: Screen): Promise<string | undefined> {
  const isThere = open && (await page.locator(OVER_THE_PAGE).filter({ visible: true }).count()) > 0
  return isThere ? OVER_THE_PAGE : undefined
}

/** A state of a screen has the colours of that screen, which is checked in both schemes. */
const isState = ({ open, path }: Screen) => open !== undefined || path.includes('?')

async function look(page: Page, screen: Screen): Promise<string[]> {
  const overlay = await overlayOf(page, screen)
  const hasOwnColours = overlay !== undefined || !isState(screen)
  const faults = hasOwnColours ? await lookTwice(page, overlay) : await faultsOf(page)
  return [...faults, ...(screen.signedOut ? [] : await nameFaultsOf(page))]
}

type Look = (page: Page, screen: Screen) => Promise<string[]>

async function walkAll(
  pageOf: (screen: Screen) => Promise<Page>,
  chosen: readonly Screen[],
  look: Look,
): Promise<string[]> {
  const faults: string[] = []
  for (const screen of chosen) faults.push(...(await walk(await pageOf(screen), screen, look)))
  return faults
}

/** The problems of a screen as text, also if it does not load. */
async function walk(page: Page, screen: Screen, look: Look): Promise<string[]> {
  try {
    const arrive = shown.get(page) === screen.path ? openOn : goTo
    shown.delete(page)
    await arrive(page, screen)
    const faults = await look(page, screen)
    await screen.leave?.(page)
    if (await isBack(page, screen)) shown.set(page, screen.path)
    return faults.map((fault) => `${screen.name}: ${fault}`)
  } catch (error) {
    return [`${screen.name}: ${errorMessage(error)}`]
  }
}

/** Pages that depend only on their address, with nothing open. */
const shown = new WeakMap<Page, string>()

/** An overlay closes with Escape; other states end with `leave`, or with the page. */
async function isBack(page: Page, screen: Screen): Promise<boolean> {
  if (screen.signedOut) return false
  if (!screen.open) return true
  if (!screen.leave && !(await closes(page, screen))) return false
  const { pathname, search } = new URL(page.url())
  return pathname + search === screen.path
}

async function closes(page: Page, screen: Screen): Promise<boolean> {
  if (!(await overlayOf(page, screen))) return false
  await page.keyboard.press('Escape')
  await twoFrames(page)
  return !(await overlayOf(page, screen))
}
