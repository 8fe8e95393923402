// What a page shows of unsynced changes, and what it needs before the server is stopped.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page, Response, Route } from 'playwright-core'
import { until } from '../until.ts'

/** Shown on every page while changes are not synced. */
export const bar = (page: Page) =>
  page.getByRole('status').filter({ hasText: /not synced yet|Sending your changes|decision/ })
export const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
export const save = (page: Page) => page.getByRole('button', { name: 'Save flight' }).click()
/** The changes on the page of unsynced changes. */
export const items = (page: Page) => page.getByRole('main').getByRole('listitem')
/** Resolves when the form has saved and was left. The message about the previous change may still be visible, and disappears. */
export const savedHere = (page: Page) =>
  Promise.all([
    page.getByText('Saved on this device.').first().waitFor(),
    page.waitForURL((url) => !/\/(?:new|edit)$/.test(url.pathname)),
  ])

/** Runs in the page: how many logs the browser keeps. */
export const keptLogs = `new Promise((done, failed) => {
  const opening = indexedDB.open('contrail', 1)
  opening.onsuccess = () => {
    const counting = opening.result.transaction('log').objectStore('log').count()
    counting.onsuccess = () => { opening.result.close(); done(counting.result) }
  }
  opening.onerror = () => failed(opening.error)
})`

/**
 * Resolves when the browser has a log without the next flight that is deleted. Another one may be on its way by then, with that
 * flight.
 */
export async function logAfterDeletion(page: Page): Promise<void> {
  let isDeleted = false
  const note = (response: Response) => {
    isDeleted ||= response.request().method() === 'DELETE'
  }
  page.on('response', note)
  const request = await page.waitForRequest(
    (one) => isDeleted && new URL(one.url()).pathname === '/app/api/log',
  )
  page.off('response', note)
  await (await request.response())?.finished()
}

/** The log is cached a moment after it is shown. */
export const untilKept = (page: Page) => until('the log is kept', () => page.evaluate<number>(keptLogs))

/** Polls from here: Playwright's own waiting evaluates text in the page, which the policy forbids. */
export const untilInPage = (page: Page, what: string, condition: string) =>
  until(what, () => page.evaluate<boolean>(condition))

/** The service worker responds, and has what the app needs to start. */
export const prepare = (page: Page) =>
  page.evaluate(`navigator.serviceWorker.ready
    .then(() => navigator.serviceWorker.controller ?? new Promise((done) =>
      navigator.serviceWorker.addEventListener('controllerchange', done, { once: true })))
    .then(() => Promise.all(['session', 'line-data', 'custom-fields'].map((name) => fetch('/app/api/' + name))))
    .then(() => undefined)`)

export const untilCached = (page: Page, path: string) =>
  untilInPage(page, `${path} is kept`, `caches.match('${path}', { ignoreVary: true }).then(Boolean)`)

/**
 * Without a service worker: the queue, the bar and their texts are loaded a while after the start, each on its own. A form or a
 * list has some of the queue's files from its own start.
 */
export function warm(page: Page): Promise<boolean> {
  const files = readdirSync(join(import.meta.dirname, '../../web/dist/assets'))
  const parts = files.filter((name) => /^(?:queue\.svelte|WaitingBar)-.*\.(?:js|css)$/.test(name))
  assert.ok(parts.length > 1, 'the parts are known')
  // One of each language.
  const texts = files.filter((name) => /^waiting-.*\.js$/.test(name))
  const isLoaded =
    "(part) => performance.getEntriesByType('resource').some(({ name }) => name.endsWith(part))"
  return untilInPage(
    page,
    'the queue is loaded',
    `${JSON.stringify(parts)}.every(${isLoaded}) && ${JSON.stringify(texts)}.some(${isLoaded})`,
  )
}

/** Online again: waits until everything is sent. The bar may appear after the message about a pending change. */
export async function sendAll(page: Page): Promise<void> {
  await bar(page).waitFor()
  await page.context().setOffline(false)
  await bar(page).waitFor({ state: 'detached' })
}

/** As when the browser's network returns. The app may have sent already, so there may be no button to press. */
export const retryNow = (page: Page) => page.evaluate("dispatchEvent(new Event('online'))")

/** For `page.route`: requests with these methods fail as without a network, the others pass. */
export const unreachedFor =
  (...methods: string[]) =>
  (route: Route) =>
    methods.includes(route.request().method()) ? route.abort('internetdisconnected') : route.continue()

/** For `page.route`: the server handles the request, and its response is lost. */
export const lostFor = (method: string) => async (route: Route) => {
  if (route.request().method() !== method) return route.continue()
  await route.fetch()
  return route.abort('internetdisconnected')
}
