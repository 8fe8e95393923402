// The most frequent tasks, by keyboard only.
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { languageNames } from '../../server/domain/languages.ts'
import { hashPassword } from '../../server/services/accounts/passwords.ts'
import { updatePassword } from '../../server/store/people/people.ts'
import { airportIds, logFlight } from '../fixtures.ts'
import type { TestApp, TestPerson } from '../harness.ts'
import { focusKept, heading, journeys, keepMessages } from './browser.ts'
import { keyboardOf } from './keyboard.ts'
import { echoesOn } from './names.ts'
import { follow, settled } from './screens.ts'
import { logAfterDeletion } from './waiting.ts'

/** Of the page. */
declare const getComputedStyle: (element: unknown) => { outlineStyle: string; backgroundColor: string }

journeys('keyboard', 'sqlite', ({ journey }) => {
  journey(
    'Flights are found, edited, filtered, deleted and restored by keyboard alone',
    async ({ app, open }) => {
      const ada = await app.person()
      await logThree(app, ada)
      const page = await open('/flights', { as: ada })
      const { press, push, type, tabTo, tabToSelector, choose, requireFocus, requireTrap } = keyboardOf(page)
      const rows = page.locator('[data-index]')
      await rows.first().waitFor()
      await holdMessage(page)
      // The text occurs once more below.
      await page.evaluate('watched.said = []')
      await logAgain(app, ada)
      await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
      await rows.nth(2).waitFor()
      await tabToSelector('[data-index]')
      await press('Home', 'ArrowDown', 'Enter')
      await heading(page, /CPH to OSL/).waitFor()
      await push('Edit')
      await heading(page, 'Edit flight').waitFor()
      // The heading appears before the form.
      await page.getByLabel('Note', { exact: true }).waitFor()
      await tabTo('Note')
      await type('Window seat, clear sky')
      await press('Control+Enter')
      await page.getByText('Window seat, clear sky').waitFor()

      await push('Flights')
      await rows.first().waitFor()
      await push('Filter')
      const dialog = page.getByRole('dialog')
      await dialog.waitFor()
      await requireTrap()
      await tabTo('Airport')
      await choose('OSL', 'OSL')
      await push(/^Show 2 flights$/)
      await dialog.waitFor({ state: 'hidden' })
      await requireFocus(/^Filter/, 'the focus is back where the filters were opened')
      assert.equal(await rows.count(), 2)
      await push('Clear all')
      await rows.nth(2).waitFor()

      await deleteAndUndo(page)
    },
  )

  journey('Sign-in, map, line, form, links and shortcuts work by keyboard alone', async ({ app, open }) => {
    const ada = await withPassword(app)
    await logThree(app, ada)
    const page = await open('/sign-in')
    const { press, push, type, tabTo, tabToSelector, fill, choose, requireFocus, requireSaid } =
      keyboardOf(page)
    await fill('Username', ada.username)
    await fill('Password', PASSWORD)
    await press('Enter')
    await page.getByText('3 flights between', { exact: false }).waitFor()

    await walkMap(page)
    // With the line.
    await tabTo('Map of your flights')
    await press('/')
    await page.getByRole('combobox', { name: 'One line about the flight' }).waitFor()
    await type('LHR CPH 2 may 2024')
    await page.getByRole('option', { name: /Save/ }).first().waitFor()
    await press('Enter')
    await requireSaid('LHR to CPH saved')
    await requireFocus('Map of your flights', 'the focus is back where the line was opened')

    // With the form.
    await press('/')
    // Only the line's field handles the key.
    await page.getByRole('combobox', { name: 'One line about the flight' }).waitFor()
    await press('Control+Enter')
    await heading(page, 'Add flight').waitFor()
    await page.getByLabel('Note', { exact: true }).waitFor()
    await tabTo('From')
    await choose('CPH', 'CPH')
    await tabTo('To')
    await choose('LHR', 'LHR')
    await fill('Date', '2024-05-09')
    await tabTo('Note')
    await type('By keyboard')
    await press('Control+Enter')
    await requireSaid('Flight saved')
    await push('Flights')
    await page.locator('[data-index]').first().waitFor()
    await tabToSelector('[data-index]')
    await press('Enter')
    await heading(page, /CPH to LHR/).waitFor()

    // A link to the flight.
    await push('Share')
    await page.getByRole('dialog', { name: 'Share this flight' }).waitFor()
    await push('Create link')
    await requireSaid('The link is ready. Send it to anyone you like.')
    await requireFocus(/^Copy/, 'the next step has the focus')
    await push('Done')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await requireFocus('Share', 'the focus is back where the dialog was opened')

    // The flight has a link now, which is listed, edited and deleted.
    await push('Share')
    await page.getByRole('list', { name: 'Public links' }).waitFor()
    await push(/^Edit Flight CPH–LHR/)
    await page.getByRole('dialog', { name: 'Edit link' }).waitFor()
    await push('Cancel')
    await page.getByRole('dialog', { name: 'Share this flight' }).waitFor()
    await push(/^Delete Flight CPH–LHR/)
    await page.getByRole('dialog', { name: 'Delete link' }).waitFor()
    await push('Delete link')
    await requireSaid('Link deleted')
    await push('Done')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await requireFocus('Share', 'the focus is back where the links were opened')

    // The list of shortcuts, and the switch.
    await press('?')
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await list.waitFor()
    await press('Escape')
    await list.waitFor({ state: 'detached' })
    await requireFocus('Share', 'the focus is back where the list was opened')
    await tabTo(/’s account$/)
    await press('Enter', 'Home', 'Enter')
    await push(/^Preferences/)
    await heading(page, 'Preferences').waitFor()
    await page.getByRole('switch', { name: 'Keyboard shortcuts' }).waitFor()
    await tabTo('Keyboard shortcuts')
    await press(' ', '?', '/')
    assert.equal(await page.getByRole('dialog').count(), 0, 'single characters do nothing')
    await push('Show all shortcuts')
    await list.getByText('Single-character shortcuts are switched off', { exact: false }).waitFor()
  })

  journey(
    'A key and a link are created and deleted, and sign-out works, by keyboard alone',
    async ({ app, open }) => {
      const ada = await app.person()
      await logThree(app, ada)
      const page = await open('/settings/keys', { as: ada })
      const { press, push, type, tabTo, fill, requireFocus, requireSaid, requireTrap } = keyboardOf(page)
      const dialog = page.getByRole('dialog')
      await page.getByRole('button', { name: 'New API key' }).waitFor()
      await push('New API key')
      await dialog.waitFor()
      await requireTrap()
      await press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await requireFocus('New API key', 'the focus is back where the dialog was opened')
      await press('Enter')
      await fill('Name', 'Dashboard')
      await tabTo(/^Read only/)
      await press('ArrowDown')
      await push('Create key')
      await page.getByRole('dialog', { name: 'API key created' }).waitFor()
      await push('I have saved it')
      await dialog.waitFor({ state: 'detached' })
      // Tab does not wait for a list that is loading.
      await page.getByRole('button', { name: 'Delete Dashboard' }).waitFor()
      await push('Delete Dashboard')
      await push('Delete key')
      await requireSaid('Key “Dashboard” deleted')
      await dialog.waitFor({ state: 'detached' })
      await requireFocus('API keys', 'what is gone has no button: the heading has the focus')

      await push(/^Sharing/)
      await heading(page, 'Sharing').waitFor()
      // The heading appears before the section.
      await page.getByRole('button', { name: 'New link' }).waitFor()
      await push('New link')
      await page.getByRole('dialog', { name: 'Share your flights' }).waitFor()
      await tabTo('Flight list')
      await press(' ')
      await push('More options')
      await tabTo('Custom address')
      await type('by-keyboard')
      await push('Create link')
      await requireSaid('The link is ready. Send it to anyone you like.')
      await requireFocus(/^Copy/, 'the next step has the focus')
      await push('Done')
      await dialog.waitFor({ state: 'detached' })
      await requireFocus('New link', 'the focus is back where the dialog was opened')
      const visitor = await open('/share/by-keyboard')
      await heading(visitor, new RegExp(ada.displayName)).waitFor()
      await page.getByRole('button', { name: 'Delete All flights (by-keyboard)' }).waitFor()
      await push('Delete All flights (by-keyboard)')
      await push('Delete link')
      await requireSaid('Link deleted')
      // It is announced before the dialog closes, which keeps the focus until then.
      await dialog.waitFor({ state: 'detached' })

      assert.deepEqual(await echoesOn(page), [])
      await page.getByRole('button', { name: `${ada.displayName}’s account`, exact: true }).waitFor()
      await tabTo(/’s account$/)
      await press('Enter')
      await page.getByRole('menuitem').first().waitFor()
      for (const [lang, name] of Object.entries(languageNames).filter(([lang]) => lang !== 'en'))
        assert.equal(await page.getByRole('menuitem', { name }).getAttribute('lang'), lang)
      await press('Escape')
      await requireFocus(/’s account$/, 'the focus is back on the menu’s button')
      await press('Enter', 'End', 'Enter')
      await page.getByRole('heading', { name: /^(Sign in|Welcome to Contrail)$/ }).waitFor()
    },
  )

  journey('In a small window no bar covers the focus', async ({ app, open }) => {
    const ada = await app.person()
    await app.request('POST', '/app/api/demo', { cookie: await ada.session() })
    const page = await open('/stats', { as: ada, viewport: { width: 320, height: 400 } })
    const hidden: string[] = []
    for (const path of ['/flights/new', '/settings/security', '/stats']) {
      await follow(page, path)
      // What is loaded above the focus would move it under a bar.
      await settled(page)
      for (let presses = 0; presses < 40; presses++) {
        await page.keyboard.press('Tab')
        hidden.push(...(await page.evaluate<string[]>(hiddenByBar)))
      }
    }
    assert.deepEqual(hidden, [])
  })

  journey('In forced colours the current, focused and selected items are marked', async ({ app, open }) => {
    const ada = await app.person()
    await logThree(app, ada)
    const page = await open('/flights', { as: ada, forcedColors: 'active' })
    const outlineOf = (one: Locator) => one.evaluate((it) => getComputedStyle(it).outlineStyle)
    const main = page.getByRole('navigation', { name: 'Main' })
    assert.equal(await outlineOf(main.getByRole('link', { name: 'Flights' })), 'solid')
    assert.equal(await outlineOf(main.getByRole('link', { name: 'Trips' })), 'none')
    await page.getByRole('button', { name: 'List options' }).press('ArrowDown')
    assert.equal(await outlineOf(page.locator('[role^=menuitem]:focus')), 'solid')

    await follow(page, '/flights/new')
    const from = page.getByRole('combobox', { name: 'From', exact: true })
    await from.fill('oslo')
    await page.getByRole('option').nth(1).waitFor()
    await from.press('ArrowDown')
    const outlines = (await page.getByRole('option').all()).map(outlineOf)
    assert.equal((await Promise.all(outlines)).filter((style) => style === 'solid').length, 1)

    await follow(page, '/settings/preferences')
    const backgroundOf = (text: string) =>
      page
        .locator('.choice', { hasText: new RegExp(`^\\s*${text}\\s*$`) })
        .evaluate((it) => getComputedStyle(it).backgroundColor)
    assert.notEqual(await backgroundOf('km'), await backgroundOf('Miles'))
    assert.equal(await backgroundOf('Miles'), await backgroundOf('NM'))
  })
})

/** Runs in the page: the name of the focused element, if a bar at the bottom covers all of it. */
const hiddenByBar = `(() => {
  const focused = document.activeElement
  const { top, height } = focused.getBoundingClientRect()
  return [...document.querySelectorAll('.save-bar, form > footer, nav.bar')]
    .filter((bar) => !bar.contains(focused) && getComputedStyle(bar).display !== 'none')
    .map((bar) => bar.getBoundingClientRect())
    .filter((bar) => height > 0 && top >= bar.top - 2 && top < bar.bottom)
    .map(() => location.pathname + ': ' + (focused.getAttribute('aria-label') ?? focused.labels?.[0]?.textContent ?? focused.textContent).trim())
})()`

/** The owner, who signs in with a password. */
const PASSWORD = 'correct horse battery'
async function withPassword(app: TestApp): Promise<TestPerson> {
  const person = await app.person('owner')
  const hash = await hashPassword(PASSWORD)
  await app.store.transaction((tx) => updatePassword(tx, person.id, hash))
  return person
}

async function logThree(app: TestApp, person: TestPerson): Promise<void> {
  const [cph, osl, lhr] = await airportIds(app, 'CPH', 'OSL', 'LHR')
  await logFlight(app, person, { date: '2024-03-01', fromId: cph, toId: lhr })
  await logFlight(app, person, { date: '2024-04-01', fromId: cph, toId: osl })
  await logAgain(app, person)
}

/** The newest of the three. */
async function logAgain(app: TestApp, person: TestPerson): Promise<void> {
  const [fromId, toId] = await airportIds(app, 'OSL', 'CPH')
  await logFlight(app, person, { date: '2024-05-01', fromId, toId })
}

/** Finds an airport and a route, then leaves. */
async function walkMap(page: Page): Promise<void> {
  const { press, push, tabTo, requireFocus, requireSaid } = keyboardOf(page)
  const panel = page.getByRole('complementary')
  assert.deepEqual(await echoesOn(page), [])
  await tabTo('Map of your flights')
  await press('+', 'ArrowLeft', 'Enter')
  await page.getByRole('complementary', { name: /Copenhagen/ }).waitFor()
  await requireSaid('CPH, Copenhagen, details open')
  await press('Tab')
  await requireFocus('Close', 'the panel comes right after the map')
  await press('Escape')
  await panel.waitFor({ state: 'detached' })
  await requireFocus('Map of your flights', 'the focus is back on the map')
  await press('Enter')
  await page.getByRole('button', { name: /^OSL Oslo.*2 flights$/ }).waitFor()
  await push(/^OSL/)
  await page.getByRole('complementary', { name: /Copenhagen .* Oslo|Oslo .* Copenhagen/ }).waitFor()
  await push('Close')
  await panel.waitFor({ state: 'detached' })
  await requireFocus('Map of your flights', 'the focus is back on the map')
  await press('Enter')
  await panel.waitFor()
  await press('Escape')
  await panel.waitFor({ state: 'detached' })
  await tabTo('Globe')
  await press('ArrowRight')
  assert.equal(await page.getByRole('radio', { name: 'Flat' }).isChecked(), true)
}

/** A message with Undo stays while it has the focus. */
async function holdMessage(page: Page): Promise<void> {
  const { press, tabTo, tabToSelector, requireFocus } = keyboardOf(page)
  const rows = page.locator('[data-index]')
  await page.clock.install()
  await tabToSelector('[data-index]')
  // A log that is on its way when the clock jumps would be late, and the app offline.
  const gone = logAfterDeletion(page)
  await press('Delete')
  await page.getByText('Flight deleted').waitFor()
  await gone
  await tabTo('Undo')
  await page.clock.runFor(60_000)
  await requireFocus('Undo', 'the message stays while it has the focus')
  await tabTo('Close')
  await press('Enter')
  await page.getByText('Flight deleted').waitFor({ state: 'detached' })
  await focusKept(page)

  await tabToSelector('[data-index]')
  const deleted = logAfterDeletion(page)
  await press('Delete')
  await deleted
  assert.equal(await rows.count(), 1)
  await press('Control+z')
  await rows.nth(1).waitFor()
  assert.equal(await page.locator('.toast').count(), 0, 'its message is gone')
}

/** Deletes one flight and several. */
async function deleteAndUndo(page: Page): Promise<void> {
  const { press, push, tabToSelector, requireSaid } = keyboardOf(page)
  const rows = page.locator('[data-index]')
  // Many Tabs are needed to reach the Undo.
  await page.evaluate(keepMessages)
  await tabToSelector('[data-index]')
  const gone = logAfterDeletion(page)
  await press('Delete')
  await requireSaid('Flight deleted')
  assert.equal(await rows.count(), 2)
  await gone
  await push(/^Undo/)
  await rows.nth(2).waitFor()
  await page.locator('[data-index]:focus').waitFor()

  await press('d')
  await requireSaid('Row height: Comfortable')
  await press('d')
  await requireSaid('Row height: Dense')
  await press(' ')
  await requireSaid('Select: 1 flight')
  await press('Escape')
  await requireSaid('Selection ended')
  await press('Home', ' ', 'ArrowDown', ' ')
  await page.getByText('2 selected').waitFor()
  await push('Delete')
  await requireSaid('2 flights deleted')
  assert.equal(await rows.count(), 1)
  await push(/^Undo/)
  await rows.nth(2).waitFor()
}
