// The documentation in a browser: the ways through it, on each width, in both colour schemes, with and without scripts.
import assert from 'node:assert/strict'
import { version } from '../../server/base/version.ts'
import { insertNotice } from '../../server/store/people/notices.ts'
import {
  contrastFaultsOf,
  heading,
  journeys,
  overflowOf,
  requireAccessible,
  showIn,
  underControl,
} from './browser.ts'

/** One page of each kind. */
const pages = {
  '': 'Contrail',
  operations: 'Running Contrail',
  changelog: 'Changelog',
  'decisions/': /decisions/i,
  'api/': 'API reference',
  'api/history': 'History',
}

journeys('the documentation', 'sqlite', ({ journey, onEachDevice }) => {
  onEachDevice('Every kind of page is accessible in both colour schemes', async ({ open }) => {
    for (const [path, title] of Object.entries(pages)) {
      const page = await open(`/docs/${path}`)
      await heading(page, title).waitFor()
      await requireAccessible(page, path)
      await showIn(page, 'dark')
      assert.deepEqual(await contrastFaultsOf(page), [], `${path} in the dark`)
    }
  })

  journey('A narrow phone has the menu behind a button, and no page is wider than it', async ({ open }) => {
    const page = await open('/docs/api/history', { viewport: { width: 320, height: 640 } })
    assert.deepEqual(await overflowOf(page), [])
    await page.getByRole('button', { name: 'Menu' }).click()
    await page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link', { name: 'Running Contrail' })
      .click()
    await heading(page, 'Running Contrail').waitFor()
    assert.deepEqual(await overflowOf(page), [])
  })

  journey('Search finds a section by what is in it, with the keyboard alone', async ({ open }) => {
    const page = await open('/docs/')
    await page.keyboard.press('/')
    await page.keyboard.type('pgbouncer')
    const results = page.getByRole('search').getByRole('listitem')
    await results.first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/docs\/postgresql#pgbouncer$/)
    await page.getByRole('searchbox').fill('zzzzqqqq')
    await page.getByText('Nothing found for “zzzzqqqq”.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Nothing found').waitFor({ state: 'hidden' })
  })

  journey('Without scripts there is no search, and everything else works', async ({ open }) => {
    const page = await open('/docs/', { javaScriptEnabled: false })
    assert.equal(await page.getByRole('searchbox').isVisible(), false)
    await page.getByRole('link', { name: 'API reference' }).first().click()
    await page.getByRole('main').getByRole('link', { name: 'Discover the API' }).click()
    await page.waitForURL(/\/docs\/api\/discovery#api-v1-discovery$/)
  })
})

journeys(
  'newer versions',
  'sqlite',
  ({ journey }) => {
    journey('A notice of an upgrade leads to what is new', async ({ app, open }) => {
      const owner = await app.person('owner')
      const [at, data] = [new Date(app.clock.now()).toISOString(), { from: '0.1.0', to: version }]
      await app.store.transaction((tx) =>
        insertNotice(tx, { userId: owner.id, kind: 'instance.upgraded', at, data, flightId: null }),
      )
      const page = await open('/notices', { as: owner, serviceWorkers: 'allow' })
      // It answers for pages of the app, and leaves the documentation alone.
      await page.evaluate(underControl)
      await page.getByRole('link', { name: `Contrail was upgraded to ${version}` }).click()
      await heading(page, 'Changelog').waitFor()
      await page.getByRole('link', { name: 'Open Contrail' }).click()
      await page.goto('/settings/about')
      // Without a public address there is nowhere to look.
      await page.getByText('This copy does not know where new versions are published').waitFor()
      assert.equal(await page.getByRole('switch', { name: 'Look for new versions' }).isDisabled(), true)
      await page.getByRole('link', { name: 'Documentation' }).click()
      await heading(page, 'Contrail').waitFor()
    })
  },
  {},
  { docsAddress: undefined },
)

journeys(
  'looking for newer versions',
  'sqlite',
  ({ journey }) => {
    journey(
      'The owner turns it on after reading where it looks; others see no switch',
      async ({ app, open }) => {
        const page = await open('/settings/about', { as: await app.person('owner') })
        await page.getByText('Not looked for', { exact: true }).waitFor()
        await page.getByText('from ada.github.io').waitFor()
        await page.getByRole('switch', { name: 'Look for new versions' }).click()
        await page.getByText('Not looked for yet').waitFor()
        await requireAccessible(page, 'About')
        await page.reload()
        assert.equal(await page.getByRole('switch', { name: 'Look for new versions' }).isChecked(), true)
        const others = await open('/settings/about', { as: await app.person() })
        await others.getByRole('link', { name: 'What’s new' }).waitFor()
        assert.equal(await others.getByText('Newer versions').count(), 0)
      },
    )
  },
  {},
  { docsAddress: 'https://ada.github.io/contrail/' },
)
