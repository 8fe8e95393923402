/* Service worker: caches the app's files and the last loaded data, so that the log can be read offline. Only GET requests are
   served from the cache. The page is served from it first; cached data is used if the server does not respond in time. */

import { renewSubscription } from './api/subscription.ts'
import { COPY_AFTER_MS, COPY_MARK, fetchWithin, GET_MS, isOwnPage, isUnreached } from './api/unreached.ts'

/* The build inserts the file names. */
const assets = CONTRAIL_ASSETS
const shell = `contrail-shell-${hash(assets.join())}`
const data = 'contrail-data'
/** Data shared by another app, until the page has read it. */
const shared = 'contrail-data-shared'
const page = '/'
const cachedData =
  /^\/app\/api\/(log|session|visited-countries|custom-fields|users|trips|airports\/\d+|flights\/\d+(\/(track|kept-pass))?|travel-day|notification-settings|local-times|stats|line-data)$/

function hash(text) {
  let value = 0
  for (const character of text) value = (Math.imul(value, 31) + character.charCodeAt(0)) | 0
  return (value >>> 0).toString(36)
}

const own = [
  ...assets,
  '/theme.js',
  '/icon.svg',
  '/icon-192.png',
  '/manifest.webmanifest',
  '/fonts/inter-latin-wght-normal.woff2',
]

self.addEventListener('install', (event) => {
  event.waitUntil(
    // A file that fails to load must not prevent the others from being cached.
    Promise.allSettled([loadPage(page), ...own.map(loadFile)]).then(() => self.skipWaiting()),
  )
})

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(
          names
            .filter((name) => name !== shell && name !== data && name !== shared)
            .map((name) => caches.delete(name)),
        ),
      )
      .then(() => self.clients.claim()),
  )
})

/** Counts deletions of a person's data: a response requested before one is not cached after it. */
let forgotten = 0

function forgetData() {
  forgotten++
  return caches.delete(data)
}

self.addEventListener('message', (event) => {
  if (event.data === 'forget') event.waitUntil(Promise.all([forgetData(), caches.delete(shared)]))
})

/** Needed at a gate without a connection, however much was opened since. */
const lasting = /\/(session|travel-day|notification-settings|kept-pass)$/

/** Deletes the oldest entries. The log itself is stored again on every visit and so stays. */
async function trim(cache) {
  const keys = await cache.keys()
  if (keys.length <= 400) return
  const old = keys.filter(({ url }) => !lasting.test(new URL(url).pathname)).slice(0, 100)
  await Promise.all(old.map((key) => cache.delete(key)))
}

/* Changes since a token are useless to a later visit: the page stores the log itself (src/api/kept-log.ts). */

const keptAt = (key) => caches.match(key, { ignoreVary: true })

/** Marked, so that the page can say that it is a copy. */
function marked(cached) {
  const headers = new Headers(cached.headers)
  headers.set(COPY_MARK, '1')
  return new Response(cached.body, { status: cached.status, headers })
}

/**
 * The response if the server sends it in time, otherwise the copy. Without a copy: the network's response, whenever it
 * arrives. `onLate` runs when the server has responded after all.
 */
async function inTimeOrKept(event, loading, key, onLate) {
  let timer
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, COPY_AFTER_MS)
  })
  const reached = loading.then(
    ({ response, isReached }) => isReached && response,
    () => false,
  )
  const response = await Promise.race([reached, late])
  clearTimeout(timer)
  if (response) return response
  const cached = await keptAt(key)
  if (!cached) return (await loading).response
  event.waitUntil(reached.then((newer) => newer && onLate()))
  return marked(cached)
}

async function loadFile(request) {
  const response = await fetch(request)
  if (response.ok && !isUnreached(response)) {
    const cache = await caches.open(shell)
    await cache.put(request, response.clone())
  }
  return response
}

const cacheFirst = async (request) => (await keptAt(request)) ?? loadFile(request)

/** Caches the page if it is the app's own: a network's sign-in page never replaces it. */
async function loadPage(request) {
  const response = await fetchWithin(GET_MS, request)
  const isOwn = response.status === 200 && isOwnPage(response, await response.clone().text())
  if (isOwn) {
    const cache = await caches.open(shell)
    await cache.put(page, response.clone())
  }
  return { response, isReached: isOwn || !isUnreached(response) }
}

/** The cached page is shown without waiting, and the newer one next time. A reload requests the newest one. */
async function openPage(event) {
  const loading = loadPage(event.request)
  event.waitUntil(loading.catch(() => {}))
  if (event.request.isReloadNavigation) return inTimeOrKept(event, loading, page, () => {})
  return (await keptAt(page)) ?? (await loading).response
}

/** After a 401 the cached data is deleted, so that the next person at this browser cannot read it. */
async function loadData(request, before) {
  const response = await fetchWithin(GET_MS, request)
  const isReached = !isUnreached(response)
  if (isReached && response.status === 401) await forgetData()
  // A deleted flight, or a boarding pass that is no longer kept, is not shown again later.
  if (isReached && response.status === 404 && (await caches.has(data)))
    await (await caches.open(data)).delete(request.url)
  if (!isReached || response.status !== 200 || forgotten !== before) return { response, isReached }
  const cache = await caches.open(data)
  await cache.put(request.url, response.clone())
  await trim(cache)
  // Deleted while it was being written.
  if (forgotten !== before) await caches.delete(data)
  return { response, isReached }
}

function freshData(event) {
  const { request } = event
  const before = forgotten
  const tell = async () => {
    if (forgotten !== before) return
    for (const tab of await self.clients.matchAll()) tab.postMessage({ newer: new URL(request.url).pathname })
  }
  return inTimeOrKept(event, loadData(request, before), request.url, tell)
}

/** The person who signs in on one of the server's pages may be another one: the app checks before it shows anything. */
const signInPages = /^\/(sign-in|setup|invite|reset|confirm-mail)(\/|$)/

async function forgetSession() {
  // Opening a deleted cache would create it again.
  if (!(await caches.has(data))) return
  const cache = await caches.open(data)
  await cache.delete('/app/api/session')
}

/**
 * The share target of the manifest: a form with files or a text. They are stored here and not sent: any page can submit such a
 * form, so the person is asked first, and a picture never leaves the browser.
 */
async function keepShared(request) {
  const form = await request.formData()
  const files = form.getAll('files').filter((entry) => entry instanceof File && entry.size > 0)
  const text = ['title', 'text', 'url']
    .map((name) => form.get(name) || '')
    .filter(Boolean)
    .join('\n')
  const items = files.length > 0 || !text ? files : [new Blob([text], { type: 'text/plain' })]
  await caches.delete(shared)
  const cache = await caches.open(shared)
  for (const [index, item] of items.entries()) {
    const headers = {
      'content-type': item.type || 'application/octet-stream',
      'x-name': encodeURIComponent((item.name ?? '').toWellFormed()),
    }
    await cache.put(`/import/shared?item=${index}`, new Response(item, { headers }))
  }
  return Response.redirect('/import/shared', 303)
}

/** Paths that the server handles. */
const serverPaths = /^\/(api|app|docs|oauth|sign-in|setup|invite|reset|confirm-mail|share|\.well-known)(\/|$)/

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method === 'POST' && url.origin === location.origin && url.pathname === '/import/shared') {
    event.respondWith(keepShared(request))
    return
  }
  if (request.mode === 'navigate' && signInPages.test(url.pathname)) event.waitUntil(forgetSession())
  if (request.method !== 'GET' || url.origin !== location.origin) return
  if (own.includes(url.pathname) || /^\/(assets|fonts)\//.test(url.pathname)) {
    event.respondWith(cacheFirst(request))
  } else if (cachedData.test(url.pathname) && !url.searchParams.has('since')) {
    event.respondWith(freshData(event))
  } else if (request.mode === 'navigate' && !serverPaths.test(url.pathname)) {
    event.respondWith(openPage(event))
  }
})

/* Notifications. A message is Declarative Web Push JSON: browsers that know it show it without this. */

/** Browsers penalise a message without a notification, so one that cannot be read is shown too. */
const unread = { title: 'Contrail', body: 'There is news in Contrail', tag: 'news', navigate: '/' }

function notificationIn(message) {
  try {
    const { web_push, notification } = message.json()
    if (web_push !== 8030 || typeof notification.title !== 'string') return unread
    return notification
  } catch {
    return unread
  }
}

self.addEventListener('push', (event) => {
  const { title, body, lang, dir, tag, navigate } = event.data ? notificationIn(event.data) : unread
  event.waitUntil(
    self.registration.showNotification(title, {
      body: body ?? '',
      icon: '/icon-192.png',
      data: { navigate },
      ...(lang && { lang }),
      ...(dir && { dir }),
      // One that replaces another is announced too.
      ...(tag && { tag, renotify: true }),
    }),
  )
})

/** The address in a notification, if it is one of this app. */
function addressIn(notification) {
  const url = new URL(notification.data?.navigate ?? '/', location.origin)
  return url.origin === location.origin ? url.pathname + url.search : '/'
}

/** An open window of the app goes there itself, so that nothing typed in it is lost by loading the page again. */
async function openAddress(address) {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const open = windows.find(({ url }) => !serverPaths.test(new URL(url).pathname))
  if (!open) return self.clients.openWindow(address)
  open.postMessage({ open: address })
  return open.focus()
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openAddress(addressIn(event.notification)).catch(() => {}))
})

self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(renewSubscription(self.registration.pushManager, event).catch(() => {}))
})
