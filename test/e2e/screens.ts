// Every screen and every dialog, on an instance with data for all of them. Used for accessibility checks and screenshots.
import assert from 'node:assert/strict'
import type { Page, Request } from 'playwright-core'
import { insertNotice } from '../../server/store/people/notices.ts'
import { insertDelivery, updateDelivery } from '../../server/store/webhooks/deliveries.ts'
import { updateWebhookStatus } from '../../server/store/webhooks/webhooks.ts'
import { logFlight } from '../fixtures.ts'
import type { TestApp, TestPerson } from '../harness.ts'
import { until } from '../until.ts'
import { type AccessPaths, accessScreens, furnishAccess } from './access-screens.ts'
import { pick, TIMEOUT_MS } from './browser.ts'
import { dayOfYear, passText } from './passes.ts'
import { retryNow } from './waiting.ts'

export interface Screen {
  name: string
  path: string
  /** Opens a dialog or another state of the screen. */
  open?: (page: Page) => Promise<void>
  /** Reverts `open`, if its effect would outlast the screen. */
  leave?: (page: Page) => Promise<void>
  /** Shown without signing in. */
  signedOut?: true
  /** Shown to a person without flights. */
  isEmpty?: true
}

const button = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name }).first().click()
  await page.getByRole('dialog').waitFor()
}

/** The flights of the screens: one to look at, one that is changed elsewhere meanwhile. */
export interface Subjects {
  flightId: number
  /** Departs in a few hours, with a kept boarding pass. */
  todayId: number
  contestedId: number
  access?: AccessPaths
}

/** Screens of one address are consecutive, so that overlays closed with Escape need not be left. */
export const screens = ({ flightId, contestedId, todayId, access }: Subjects): Screen[] => [
  { name: 'sign-in', path: '/sign-in', signedOut: true },
  { name: 'share', path: '/share/ada', signedOut: true },
  { name: 'share-gone', path: '/share/nothing-here', signedOut: true },
  { name: 'map', path: '/' },
  { name: 'map-people', path: '/', open: openPeople },
  { name: 'map-airport', path: '/', open: showAirport },
  { name: 'map-flat', path: '/', open: (page) => page.getByRole('radio', { name: 'Flat' }).check() },
  {
    name: 'map-time',
    path: '/?time=years&night=1',
    open: (page) => page.getByRole('slider', { name: 'Until' }).waitFor(),
  },
  {
    name: 'map-time-heat',
    path: '/?time=heat',
    open: (page) => page.getByRole('slider', { name: 'Until' }).waitFor(),
  },
  { name: 'map-export', path: '/?time=years', open: openExport },
  { name: 'map-poster', path: '/?time=years', open: openPoster },
  { name: 'map-search', path: '/?q=CPH' },
  { name: 'map-people-all', path: '/?people=all' },
  { name: 'flights', path: '/flights' },
  { name: 'flights-options', path: '/flights', open: openOptions },
  { name: 'flights-filter', path: '/flights', open: button(/^Filter/) },
  { name: 'menu', path: '/flights', open: openMenu },
  { name: 'flights-other-density', path: '/flights', open: changeDensity, leave: changeDensity },
  { name: 'flights-sorted', path: '/flights', open: sortBy('By distance'), leave: sortBy('Newest first') },
  { name: 'flights-outdated', path: '/flights', open: failToRefresh, leave: refresh },
  { name: 'flights-selecting', path: '/flights', open: select },
  { name: 'flights-people', path: '/flights?people=all' },
  { name: 'flights-filtered', path: '/flights?class=economy' },
  { name: 'flights-no-match', path: '/flights?q=nowhere' },
  { name: 'deleted', path: '/flights/deleted' },
  { name: 'deleted-erase', path: '/flights/deleted', open: button(/^Delete .*20\d\d permanently$/) },
  { name: 'changes', path: '/flights/changes' },
  { name: 'changes-undo-since', path: '/flights/changes', open: button('Undo several…') },
  { name: 'flight', path: `/flights/${flightId}` },
  { name: 'flight-how', path: `/flights/${flightId}`, open: button('How this is calculated') },
  { name: 'flight-share', path: `/flights/${flightId}`, open: button('Share') },
  { name: 'flight-history', path: `/flights/${flightId}`, open: openHistory },
  { name: 'flight-edit', path: `/flights/${flightId}/edit`, open: openTimetable },
  { name: 'flight-conflict', path: `/flights/${contestedId}/edit`, open: saveContested(contestedId) },
  { name: 'waiting', path: '/flights/new', open: saveWithoutServer, leave: discardWaiting },
  { name: 'waiting-refused', path: '/flights/new', open: refuseWaiting, leave: discardWaiting },
  { name: 'flight-new', path: '/flights/new' },
  { name: 'flight-new-errors', path: '/flights/new', open: saveEmpty },
  { name: 'flight-new-unread', path: '/flights/new', open: typeNonsense },
  { name: 'today', path: '/today' },
  { name: 'flight-today', path: `/flights/${todayId}` },
  { name: 'boarding-pass', path: `/flights/${todayId}/pass` },
  { name: 'stats', path: '/stats' },
  { name: 'stats-explain', path: '/stats', open: button(/^In the air.*Explain this number$/) },
  { name: 'stats-compare', path: '/stats/compare' },
  { name: 'stats-compare-choose', path: '/stats/compare', open: openChoice },
  { name: 'stats-badges', path: '/stats', open: showBadges },
  { name: 'stats-people', path: '/stats?people=all' },
  { name: 'review', path: '/stats/review' },
  { name: 'countries', path: '/countries' },
  { name: 'countries-people', path: '/countries?people=all' },
  { name: 'country', path: '/countries', open: openCountry },
  { name: 'trips', path: '/trips' },
  { name: 'trips-new', path: '/trips?new=', open: waitForDialog },
  { name: 'trip', path: '/trips/1' },
  { name: 'trip-add', path: '/trips/1', open: button('Add flights') },
  { name: 'trip-share', path: '/trips/1', open: button('Share') },
  { name: 'share-trip', path: '/share/trip', signedOut: true },
  { name: 'share-flight', path: '/share/flight', signedOut: true },
  { name: 'notices', path: '/notices' },
  { name: 'flight-added', path: '/notices', open: openAddedFlight },
  { name: 'settings', path: '/settings' },
  { name: 'settings-profile', path: '/settings/profile' },
  { name: 'settings-preferences', path: '/settings/preferences' },
  {
    name: 'shortcuts',
    path: '/settings/preferences',
    open: button('Show all shortcuts'),
    leave: closeDialog,
  },
  { name: 'settings-notifications', path: '/settings/notifications' },
  { name: 'settings-reminders', path: '/settings/notifications', open: openReminders },
  { name: 'settings-travel', path: '/settings/travel' },
  { name: 'settings-keys', path: '/settings/keys' },
  { name: 'settings-key-new', path: '/settings/keys', open: button('New API key') },
  { name: 'settings-apps', path: '/settings/apps' },
  { name: 'settings-security', path: '/settings/security' },
  { name: 'settings-audit', path: '/settings/audit' },
  { name: 'settings-shares', path: '/settings/shares' },
  { name: 'settings-share-new', path: '/settings/shares', open: openLinkOptions },
  { name: 'settings-integrations', path: '/settings/integrations' },
  { name: 'settings-webhook-new', path: '/settings/integrations', open: button('New webhook') },
  { name: 'settings-feed-new', path: '/settings/integrations', open: button('New feed') },
  { name: 'settings-feed-address', path: '/settings/integrations', open: makeFeed },
  { name: 'settings-imports', path: '/settings/imports' },
  { name: 'settings-calendar-new', path: '/settings/imports', open: button('Add a calendar') },
  { name: 'settings-mailbox-new', path: '/settings/imports', open: button('Add a mailbox') },
  { name: 'import', path: '/settings/imports', open: openImport },
  { name: 'import-row', path: '/settings/imports', open: correctRow },
  { name: 'import-columns', path: '/settings/imports', open: openTable },
  { name: 'import-unreadable', path: '/settings/imports', open: openUnreadable },
  { name: 'import-help', path: '/settings/imports', open: openImportHelp },
  { name: 'settings-export', path: '/settings/export' },
  { name: 'settings-data', path: '/settings/data' },
  { name: 'settings-airport-new', path: '/settings/data', open: button('Add airport') },
  { name: 'settings-fields', path: '/settings/fields' },
  { name: 'settings-field-new', path: '/settings/fields', open: button('New field') },
  { name: 'settings-users', path: '/settings/users' },
  { name: 'settings-user-new', path: '/settings/users', open: button('Add person') },
  { name: 'settings-invite', path: '/settings/users', open: button('Invite') },
  { name: 'settings-roles', path: '/settings/roles' },
  { name: 'settings-role-new', path: '/settings/roles', open: button('New role') },
  { name: 'settings-programs', path: '/settings/programs' },
  { name: 'settings-connect', path: '/settings/connect' },
  { name: 'settings-about', path: '/settings/about' },
  { name: 'not-found', path: '/nowhere' },
  { name: 'screen-failed', path: '/settings/about', open: breakTrips, leave: mendTrips },
  { name: 'sign-in-again', path: '/settings/about', open: endSession, leave: goOn },
  { name: 'empty-map', path: '/', isEmpty: true },
  { name: 'empty-map-time', path: '/?time=years', isEmpty: true },
  { name: 'empty-flights', path: '/flights', isEmpty: true },
  { name: 'empty-deleted', path: '/flights/deleted', isEmpty: true },
  { name: 'empty-changes', path: '/flights/changes', isEmpty: true },
  { name: 'empty-today', path: '/today', isEmpty: true },
  { name: 'empty-stats', path: '/stats', isEmpty: true },
  { name: 'empty-stats-compare', path: '/stats/compare', isEmpty: true },
  { name: 'empty-review', path: '/stats/review', isEmpty: true },
  { name: 'empty-countries', path: '/countries', isEmpty: true },
  { name: 'empty-trips', path: '/trips', isEmpty: true },
  { name: 'empty-waiting', path: '/waiting', isEmpty: true },
  { name: 'empty-notices', path: '/notices', isEmpty: true },
  ...accessScreens(access),
]

async function waitForDialog(page: Page): Promise<void> {
  await page.getByRole('dialog').waitFor()
}

/** All choices of a new link to the log. */
export async function openLinkOptions(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New link' }).click()
  await page.getByRole('dialog').getByText('More options').click()
}

/** A message that stays while the person goes to another screen. */
async function closeDialog(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

async function showAirport(page: Page): Promise<void> {
  // The map appears before its flights, and has no airports until then.
  await page.getByText(/flights between/).waitFor()
  await page.getByRole('application').press('Enter')
  await page.getByRole('complementary').waitFor()
}

async function openOptions(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'List options' }).click()
  await page.getByRole('menuitem').first().waitFor()
}

async function select(page: Page): Promise<void> {
  await page.locator('[data-index="0"]').press(' ')
  await page.getByText('1 selected').waitFor()
}

async function openChoice(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Second person' }).click()
  await page.getByRole('menuitemradio').first().waitFor()
}

async function openPoster(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: /^Poster/ }).click()
  await page.getByRole('img', { name: /^Preview of the poster: The world/ }).waitFor()
}

async function openExport(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: /^Poster/ }).waitFor()
}

const sortBy = (order: string) => async (page: Page) => {
  await openOptions(page)
  await page.getByRole('menuitemradio', { name: order }).click()
  await page.getByRole('menuitemradio').first().waitFor({ state: 'detached' })
}

const logs = '**/app/api/log?**'

async function failToRefresh(page: Page): Promise<void> {
  await page.route(logs, (route) => route.fulfill({ status: 429, body: '{}' }))
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
  await page.getByText('Showing the last loaded flights.').waitFor()
}

async function refresh(page: Page): Promise<void> {
  await page.unroute(logs)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Showing the last loaded flights.').waitFor({ state: 'detached' })
}

const trips = '**/app/api/trips'

async function breakTrips(page: Page): Promise<void> {
  await page.route(trips, (route) => route.fulfill({ json: { data: [null] } }))
  await follow(page, '/trips')
  await page.getByRole('heading', { name: 'Something went wrong on this screen' }).waitFor()
}

const mendTrips = (page: Page) => page.unroute(trips)

async function endSession(page: Page): Promise<void> {
  await page.route(trips, (route) => route.fulfill({ status: 401, json: {} }))
  await follow(page, '/trips')
  await page.getByRole('dialog', { name: 'Please sign in again' }).waitFor()
}

/** The session is valid, as a reloaded page finds out. */
async function goOn(page: Page): Promise<void> {
  await page.unroute(trips)
  await page.goto('/nowhere')
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
}

async function openPeople(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Whose flights: / }).click()
  await page.getByRole('dialog', { name: 'Whose flights' }).waitFor()
}

async function changeDensity(page: Page): Promise<void> {
  await page.locator('[data-index="0"]').press('d')
}

async function showBadges(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Badges' }).scrollIntoViewIfNeeded()
}

let elsewhere = 0

/** Another client saves a different note while the form is open. */
const saveContested = (id: number) => async (page: Page) => {
  await page.getByLabel('Note', { exact: true }).fill('A window seat after all')
  await page.evaluate(`fetch('/app/api/flights/${id}', {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ note: 'Written elsewhere, ${++elsewhere}' }),
  })`)
  await page.getByRole('button', { name: 'Save flight' }).click()
  await page.getByRole('alert').filter({ hasText: 'also changed elsewhere' }).waitFor()
}

const writes = '**/app/api/flights'

async function saveWithoutServer(page: Page): Promise<void> {
  await page.route(writes, (route) =>
    route.request().method() === 'POST' ? route.abort('internetdisconnected') : route.continue(),
  )
  await pick(page, 'From', 'LHR', 'LHR')
  await pick(page, 'To', 'SIN', 'SIN')
  await page.getByRole('button', { name: 'Save flight' }).click()
  await page.getByText('Saved on this device.').waitFor()
  await follow(page, '/waiting')
  await page.getByRole('button', { name: /^Discard/ }).waitFor()
}

/** The pending change is refused. */
async function refuseWaiting(page: Page): Promise<void> {
  await saveWithoutServer(page)
  // In place of the other route, without a moment in which the app could reach the server.
  await page.route(writes, (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({
          status: 422,
          json: {
            error: {
              code: 'validation_failed',
              reason: 'validation_failed',
              message: 'Not valid',
              details: [],
            },
          },
        })
      : route.continue(),
  )
  const refusal = page.getByText(/^Not saved: /)
  await until('the change is refused', async () => {
    // The app may be sending already; it does so again when it is online.
    await retryNow(page)
    return refusal.isVisible()
  })
}

async function discardWaiting(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Discard/ }).click()
  await page.getByText('Everything is synced').waitFor()
  await page.unroute(writes)
  const close = page.getByRole('status').getByRole('button', { name: /^Close/ })
  // A message may disappear on its own just then.
  while ((await close.count()) > 0)
    await close
      .first()
      .click({ timeout: 1000 })
      .catch(() => {})
}

const choose = (page: Page, name: string, buffer: Buffer) =>
  page.locator('input[type=file]').first().setInputFiles({ name, mimeType: 'text/plain', buffer })

/** Two new flights, one cancelled, one from an unknown airport, one unreadable line. */
const importedFile = `Date,Airline,Flight,From,To,Canceled,Gate Departure (Scheduled),PNR,Notes
1981-03-04,SAS,909,CPH,EWR,false,,Q7RT2M,
1981-03-11,SAS,910,EWR,CPH,false,,,
1981-04-01,SAS,501,CPH,LHR,true,,,
1981-05-01,SAS,1209,ZQZQ,CPH,false,,,
1981-07-32,SAS,1416,CPH,ARN,false,,,`

async function openImport(page: Page): Promise<void> {
  await choose(page, 'FlightyExport.csv', Buffer.from(importedFile))
  await page.getByRole('heading', { level: 1, name: /^5 rows/ }).waitFor()
  await page.getByRole('checkbox', { name: 'Import row 1' }).waitFor()
}

async function openTable(page: Page): Promise<void> {
  await choose(
    page,
    'mine.csv',
    Buffer.from('When,A,B,C\n1981-01-02,CPH,LHR,SK501\n1981-01-05,LHR,CPH,SK502\n'),
  )
  await page.getByRole('heading', { name: 'What does each column contain?' }).waitFor()
  await page.locator('[data-index="0"]').waitFor()
}

async function correctRow(page: Page): Promise<void> {
  await openImport(page)
  await page.locator('[data-index="0"]').press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Edit before importing' }).click()
  await page.getByRole('dialog').getByLabel('Flight number').waitFor()
}

async function openUnreadable(page: Page): Promise<void> {
  await choose(page, 'photo.jpg', Buffer.from('\u0000\u0001 no flights \u0002\u0003'))
  await page.getByRole('heading', { level: 1, name: 'This file cannot be read' }).waitFor()
}

async function openImportHelp(page: Page): Promise<void> {
  await openUnreadable(page)
  await page.getByRole('button', { name: 'How do I get my file?' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Flighty' }).click()
  await page.getByRole('dialog').getByRole('heading', { name: 'Flighty' }).waitFor()
}

async function openHistory(page: Page): Promise<void> {
  await page.getByText('History', { exact: true }).click()
  await page.getByRole('list', { name: 'History' }).waitFor()
}

async function openTimetable(page: Page): Promise<void> {
  const timetable = page.locator('details', { hasText: 'Detailed timetable' })
  if ((await timetable.getAttribute('open')) === null) await timetable.locator('summary').click()
  await page.getByLabel('Scheduled departure').first().waitFor()
}

async function saveEmpty(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save flight' }).click()
  await page.getByText('Please check: From and To.').waitFor()
}

async function typeNonsense(page: Page): Promise<void> {
  await page.getByLabel('Date', { exact: true }).fill('31.2.')
  await page.getByLabel('Departure time').fill('12:')
  await page.getByRole('button', { name: 'Save flight' }).click()
  await page.getByText(/^Departure time is incomplete/).waitFor()
}

async function openCountry(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Denmark/ }).click()
  await page.getByRole('dialog').waitFor()
}

async function openAddedFlight(page: Page): Promise<void> {
  await page
    .getByRole('link', { name: /added you to/ })
    .first()
    .click()
  await page.getByText('added you to this flight').waitFor()
}

async function makeFeed(page: Page): Promise<void> {
  await button('New feed')(page)
  await page.getByRole('button', { name: 'Create feed' }).click()
  await page.getByText('Shown only once').waitFor()
}

/** With the times of reminders and quiet hours. */
async function openReminders(page: Page): Promise<void> {
  await page.getByText('24 h, 3 h before').click()
  const quiet = page.getByRole('switch', { name: 'Quiet hours' })
  if (!(await quiet.isChecked())) await quiet.check()
  await page.getByLabel('From', { exact: true }).waitFor()
}

async function openMenu(page: Page): Promise<void> {
  await page.locator('nav [aria-haspopup="menu"]:visible').click()
  await page.getByRole('menuitem').first().waitFor()
}

/** Waits until everything is loaded and no animation runs. */
export async function goTo(page: Page, screen: Screen): Promise<void> {
  const requests = requestsOf(page)
  const isInApp = !screen.signedOut && (await page.locator('main#main').count()) > 0
  if (isInApp) {
    // The same page with another query would keep its overlays open.
    const isThere = new URL(page.url()).pathname === screen.path.split('?')[0]
    if (isThere) await follow(page, screen.path === '/nowhere' ? '/settings' : '/nowhere')
    await follow(page, screen.path)
  } else {
    requests.clear()
    await page.goto(screen.path)
    await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
  }
  await settled(page)
  await openOn(page, screen)
}

/** On the page of its address. */
export async function openOn(page: Page, { open }: Screen): Promise<void> {
  if (!open) return
  await open(page)
  // Data loaded by a dialog would replace its parts while they are checked.
  await settled(page)
}

/** As with a link of the app, which costs a fraction of loading it again. */
export async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate(`(() => {
    for (const heading of document.querySelectorAll('h1')) heading.dataset.left = ''
    const link = Object.assign(document.createElement('a'), { href: ${JSON.stringify(path)} })
    document.body.append(link)
    link.click()
    link.remove()
  })()`)
  await page.locator('h1:not([data-left])').first().waitFor({ state: 'attached' })
}

const QUIET_MS = 120

const underWay = new WeakMap<Page, Set<Request>>()

/** The requests of a page that have not ended, since the first call. */
function requestsOf(page: Page): Set<Request> {
  const known = underWay.get(page)
  if (known) return known
  const requests = new Set<Request>()
  underWay.set(page, requests)
  page.on('request', (request) => {
    if (request.url().startsWith('http')) requests.add(request)
  })
  page.on('requestfinished', (request) => requests.delete(request))
  page.on('requestfailed', (request) => requests.delete(request))
  return requests
}

/**
 * Waits until no request is in progress for a moment. (Playwright's `networkidle` always waits half a second, and says nothing
 * of a page that the app itself opens.) The browser lists a request only when it has ended, so those under way are counted here.
 */
export async function settled(page: Page): Promise<void> {
  const requests = requestsOf(page)
  const read = () =>
    page.evaluate(
      "performance.getEntriesByType('resource').length + ':' + document.querySelectorAll('*').length",
    )
  const end = Date.now() + TIMEOUT_MS
  for (
    let [last, before] = [await read(), undefined as unknown];
    last !== before || requests.size > 0;
    last = await read()
  ) {
    const slow = [...requests].map((request) => request.url()).join(' ')
    assert.ok(Date.now() < end, `the page does not come to rest: ${slow}`)
    before = last
    await page.waitForTimeout(QUIET_MS)
  }
}

export interface Furnished extends Subjects {
  ada: TestPerson
  newcomer: TestPerson
}

/** An owner with a demo log, and one of everything the settings can show. */
export async function furnish(app: TestApp): Promise<Furnished> {
  const ada = await app.person('owner')
  const [key, cookie] = await Promise.all([ada.key(), ada.session()])
  const send = async (method: string, path: string, body?: object) => {
    const reply = await app.request(method, `/app/api${path}`, { cookie, ...(body ? { body } : {}) })
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`)
    return reply.json?.data
  }
  await send('PUT', '/me', { username: 'ada', displayName: 'Ada Lovelace' })
  await send('POST', '/demo')
  await send('PUT', '/visited-countries', { code: 'JP', status: 'lived', note: 'A year in Kyoto' })
  await send('PUT', '/visited-countries', { code: 'NZ', status: 'wishlist' })
  await send('POST', '/api-keys', { name: 'Home Assistant', scopes: ['flight.read.own', 'stats.read'] })
  await send('POST', '/shares', { slug: 'ada', showStats: true, showFlightList: true })
  await send('POST', '/feeds', {
    kind: 'ical',
    name: 'Family calendar',
    past: false,
    redact: ['note', 'seat'],
  })
  await send('POST', '/feeds', {
    kind: 'geojson',
    name: 'Flown routes',
    filters: { dateFrom: '2015-01-01', airline: ['SK'] },
    delayHours: 24,
    redact: ['reg'],
  })
  await send('POST', '/custom-fields', {
    entityType: 'flight',
    key: 'meal',
    label: 'Meal',
    fieldType: 'text',
  })
  await send('POST', '/roles', {
    name: 'Family',
    description: 'Sees all flights',
    permissions: ['flight.read.any'],
  })
  const password = 'correct horse battery'
  await send('POST', '/users', { username: 'grace', displayName: 'Grace Hopper', password })
  await addTo(app, ada)
  await furnishWebhooks(app, ada, send)
  const log = await app.request('GET', '/api/v1/flights?limit=20', { key })
  for (const { id } of log.json.data.slice(15, 18)) await send('DELETE', `/flights/${id}`)
  await furnishTrips(log.json.data, send)
  const [{ id: flightId }, { id: contestedId }] = [log.json.data[7], log.json.data[12]]
  const access = await furnishAccess(app, ada)
  const todayId = await furnishToday(app, ada, send)
  return { ada, newcomer: await app.person(), flightId, contestedId, todayId, access }
}

/** A flight that departs in an hour, with a kept pass, and the one after it. */
async function furnishToday(
  app: TestApp,
  person: TestPerson,
  send: (method: string, path: string, body?: object) => Promise<unknown>,
): Promise<number> {
  const [cph, fra, jfk] = await Promise.all(['CPH', 'FRA', 'JFK'].map((code) => app.airportId(code)))
  const at = (hours: number) => new Date(app.clock.now() + hours * 3_600_000).toISOString()
  const date = at(1).slice(0, 10)
  const passengers = [{ userId: person.id, seatNumber: '12A', seatClass: 'economy' }]
  const facts = {
    flightNumber: 'LH827',
    bookingReference: 'X7K2PQ',
    departureTerminal: '3',
    departureGate: 'B12',
  }
  const times = { departure: at(1), arrival: at(2.5) }
  const { id } = await logFlight(app, person, {
    date,
    fromId: cph,
    toId: fra,
    ...facts,
    ...times,
    passengers,
  })
  const onward = { departure: at(3.1), arrival: at(12), passengers }
  await logFlight(app, person, { date, fromId: fra, toId: jfk, flightNumber: 'LH404', ...onward })
  const leg = { from: 'CPH', to: 'FRA', carrier: 'LH', number: '827', day: dayOfYear(date) }
  const text = passText('LOVELACE/ADA', [leg])
  await send('PUT', `/flights/${id}/kept-pass`, { text, format: 'aztec' })
  return id
}

async function furnishTrips(
  flights: { id: number }[],
  send: (method: string, path: string, body?: object) => Promise<{ id: number }>,
): Promise<void> {
  const flightIds = flights.slice(6, 10).map(({ id }) => id)
  const note = 'Cherry trees in bloom, and a night train.'
  const trip = await send('POST', '/trips', { name: 'Spring', note, colour: 'pink', flightIds })
  await send('POST', '/trips', { name: 'Some day', colour: 'teal' })
  const parts = { showFlightList: true, showTimes: true }
  await send('POST', '/shares', { slug: 'trip', tripId: trip.id, showStats: true, ...parts })
  await send('POST', '/shares', { slug: 'trip-bare', tripId: trip.id })
  await send('POST', '/shares', { slug: 'flight', flightId: flights[7]!.id, ...parts })
}

/** One webhook that works with a few failures, one that fails and one that is disabled. */
async function furnishWebhooks(
  app: TestApp,
  ada: TestPerson,
  send: (method: string, path: string, body?: object) => Promise<{ id: number }>,
): Promise<void> {
  const key = await ada.key()
  const flights = (await app.request('GET', '/api/v1/flights?limit=10', { key })).json.data as {
    id: number
  }[]
  const make = (description: string, url: string) => send('POST', '/webhooks', { description, url })
  const works = await make('Home Assistant', 'https://home.example.org/api/webhook/flights')
  const fails = await make(
    'Trip sheet',
    'https://sheets.example.com/hooks/very-long-address/4f1a2b3c4d5e6f708192a3b4c5d6e7f8',
  )
  const gone = await make('', 'https://old.example.net/')
  const hours = (ago: number) => new Date(app.clock.now() - ago * 3_600_000).toISOString()
  await app.store.transaction(async (tx) => {
    for (const [i, { id: flightId }] of flights.entries()) {
      const at = hours(20 - i)
      const change = { flightId, removal: null, number: i + 1, at, now: at }
      const event = i % 4 ? ('flight.updated' as const) : ('flight.created' as const)
      const { id } = await insertDelivery(tx, { ...change, event, webhookId: works.id })
      const isLast = i === flights.length - 1
      const fault = { at, status: 503, ms: 1204, response: 'Try again later', error: null }
      const success = {
        at,
        status: 200,
        ms: 60 + i * 17,
        response: i === 8 ? '{"ok": true}' : '',
        error: null,
      }
      const attempts = isLast ? [fault] : i === 5 ? [fault, success] : [success]
      await updateDelivery(tx, {
        id,
        state: isLast ? 'waiting' : 'delivered',
        attempts,
        attemptCount: attempts.length,
        firstAttemptAt: at,
        nextAttemptAt: isLast ? hours(-0.5) : null,
      })
    }
    const at = hours(5)
    const lost = {
      flightId: flights[0]!.id,
      removal: null,
      number: 99,
      at,
      now: at,
      event: 'flight.updated' as const,
    }
    const { id } = await insertDelivery(tx, { ...lost, webhookId: fails.id })
    const attempts = [{ at, status: null, ms: 15_003, response: null, error: 'timeout' as const }]
    await updateDelivery(tx, {
      id,
      state: 'waiting',
      attempts,
      attemptCount: 1,
      firstAttemptAt: at,
      nextAttemptAt: hours(-9),
    })
    await updateWebhookStatus(tx, {
      id: fails.id,
      status: 'failing',
      stoppedBecause: null,
      failingSince: hours(50),
    })
    await updateWebhookStatus(tx, {
      id: gone.id,
      status: 'disabled',
      stoppedBecause: 'receiver_gone',
      failingSince: null,
    })
    await insertNotice(tx, {
      userId: ada.id,
      kind: 'webhook.stopped',
      at,
      data: { webhookId: gone.id, name: 'old.example.net', status: 'disabled', because: 'receiver_gone' },
      flightId: null,
    })
  })
}

/** Two other people who added this person to flights: one to one flight, one to many. */
async function addTo(app: TestApp, person: TestPerson): Promise<void> {
  const [bob, carol] = [await app.person(), await app.person()]
  const [fromId, toId] = [await app.airportId('CPH'), await app.airportId('EWR')]
  const fly = (by: TestPerson, year: number) =>
    logFlight(app, by, {
      date: `${year}-02-20`,
      fromId,
      toId,
      flightNumber: 'SK909',
      passengers: [{ userId: by.id }, { userId: person.id }],
    })
  for (let year = 1981; year < 1987; year++) await fly(carol, year)
  await fly(bob, 1980)
}
