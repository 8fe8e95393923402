// Every screen as a screen reader says it: no texts that run together, and each control has a name of its own.
import assert from 'node:assert/strict'
import { journeys } from './browser.ts'
import { nameFaultsOf } from './names.ts'
import { furnish, goTo, screens } from './screens.ts'

/** Few enough for one test, however busy the machine is. */
const AT_ONCE = 20
const all = screens(1).filter(({ signedOut }) => !signedOut)

journeys('names of every screen', 'sqlite', ({ journey }) => {
  let furnished: ReturnType<typeof furnish> | undefined
  for (let start = 0; start < all.length; start += AT_ONCE) {
    const names = all.slice(start, start + AT_ONCE).map(({ name }) => name)
    journey(`${names[0]} to ${names.at(-1)}`, async ({ app, open }) => {
      furnished ??= furnish(app)
      const { ada, flightId } = await furnished
      const page = await open('/nowhere', { as: ada })
      const faults: string[] = []
      for (const screen of screens(flightId).filter(({ name }) => names.includes(name))) {
        await goTo(page, screen)
        faults.push(...(await nameFaultsOf(page)).map((fault) => `${screen.name}: ${fault}`))
      }
      assert.deepEqual(faults, [])
    })
  }
})
