// Visits every screen in both languages: no axe violations, no overflow.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { type Device, faultsOf, journeys, overflowOf } from './browser.ts'
import { furnish, goTo, type Screen, screens } from './screens.ts'

export function inspect(device: Device, colorScheme: 'light' | 'dark'): void {
  journeys(`every screen on a ${device}, ${colorScheme}`, 'sqlite', ({ journey }) => {
    let furnished: ReturnType<typeof furnish> | undefined

    journey('is accessible', async ({ app, open }) => {
      furnished ??= furnish(app)
      const { ada, flightId } = await furnished
      const visitor = await open('/sign-in', { device, colorScheme })
      const owner = await open('/nowhere', { as: ada, device, colorScheme })
      const faults: string[] = []
      for (const screen of screens(flightId)) {
        faults.push(...(await walk(screen.signedOut ? visitor : owner, screen, faultsOf)))
      }
      assert.deepEqual(faults, [])
    })

    if (device === 'desktop') return
    journey('fits the narrowest window in German', async ({ app, open }) => {
      furnished ??= furnish(app)
      const { ada, flightId } = await furnished
      const viewport = { width: 320, height: 640 }
      const page = await open('/nowhere', { as: ada, device, colorScheme, viewport, locale: 'de-DE' })
      const faults: string[] = []
      for (const screen of screens(flightId).filter(({ open: opens }) => !opens)) {
        faults.push(...(await walk(page, screen, overflowOf)))
      }
      assert.deepEqual(faults, [])
    })
  })
}

/** The problems of a screen as text, also if it does not load. */
async function walk(page: Page, screen: Screen, look: (page: Page) => Promise<string[]>): Promise<string[]> {
  try {
    await goTo(page, screen)
    return (await look(page)).map((fault) => `${screen.name}: ${fault}`)
  } catch (error) {
    return [`${screen.name}: ${error instanceof Error ? error.message : error}`]
  }
}
