/* Service worker: caches the app's files and the last data loaded, so that the log can be read offline. Only GET requests
   are served from the cache; cached data is used only when the network fails. */

const assets = /* ASSETS */ []
const shell = `contrail-shell-${hash(assets.join())}`
const data = 'contrail-data'
/** What another app shared, until the page has taken it. */
const shared = 'contrail-data-shared'
const page = '/'
const cachedData =
  /^\/app\/api\/(log|session|visited-countries|custom-fields|users|trips|airports\/\d+|flights\/\d+(\/track)?|local-times|stats|line-data)$/

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
    caches
      .open(shell)
      // A file that fails to load must not prevent the others from being cached.
      .then((cache) => Promise.allSettled([page, ...own].map((path) => cache.add(path))))
      .then(() => self.skipWaiting()),
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

/** Counts how often the data of a person was deleted: a response that was requested before is not kept after. */
let forgotten = 0

function forgetData() {
  forgotten++
  return caches.delete(data)
}

self.addEventListener('message', (event) => {
  if (event.data === 'forget') event.waitUntil(Promise.all([forgetData(), caches.delete(shared)]))
})

/** Deletes the oldest entries. The log itself is stored again with every visit and so stays. */
async function trim(cache) {
  const keys = await cache.keys()
  if (keys.length > 400) await Promise.all(keys.slice(0, 100).map((key) => cache.delete(key)))
}

/* What changed since a token is of no use to a later visit: the page keeps the log itself (src/log/kept-log.ts). */

/** Network first: a successful response is cached, and the cached one is used when the network fails. */
async function networkFirst(request, keep, key) {
  try {
    const response = await fetch(request)
    if (response.status === 200) await keep(response.clone())
    return response
  } catch (error) {
    const cached = await caches.match(key, { ignoreVary: true })
    if (!cached) throw error
    const headers = new Headers(cached.headers)
    headers.set('x-contrail-kept', '1')
    return new Response(cached.body, { status: cached.status, headers })
  }
}

async function cacheFirst(request) {
  const cached = await caches.match(request, { ignoreVary: true })
  if (cached) return cached
  const response = await fetch(request)
  if (response.ok) {
    const cache = await caches.open(shell)
    await cache.put(request, response.clone())
  }
  return response
}

async function keepPage(response) {
  const cache = await caches.open(shell)
  await cache.put(page, response)
}

/** After a 401 the cached data is deleted, so that the next person at this browser cannot read it. */
async function freshData(request) {
  const before = forgotten
  const keep = async (response) => {
    if (forgotten !== before) return
    const cache = await caches.open(data)
    await cache.put(request.url, response)
    await trim(cache)
    // Deleted while it was being written.
    if (forgotten !== before) await caches.delete(data)
  }
  const response = await networkFirst(request, keep, request.url)
  if (response.status === 401) await forgetData()
  return response
}

/**
 * The share target of the manifest: a form with files or a text. They are kept here and not sent: any page can submit such
 * a form, so the person is asked first, and a picture never leaves the browser.
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

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method === 'POST' && url.origin === location.origin && url.pathname === '/import/shared') {
    event.respondWith(keepShared(request))
    return
  }
  if (request.method !== 'GET' || url.origin !== location.origin) return
  if (own.includes(url.pathname) || /^\/(assets|fonts)\//.test(url.pathname)) {
    event.respondWith(cacheFirst(request))
  } else if (cachedData.test(url.pathname) && !url.searchParams.has('since')) {
    event.respondWith(freshData(request))
  } else if (
    request.mode === 'navigate' &&
    !/^\/(api|app|oauth|sign-in|setup|invite|reset|share|\.well-known)(\/|$)/.test(url.pathname)
  ) {
    event.respondWith(networkFirst(request, keepPage, page))
  }
})
