/* Service worker: the app's own files, and the last log that was read, so that it can be read again without a network.
   Only GET is ever answered from here, and only when the network does not answer. */

const assets = /* ASSETS */ []
const shell = `contrail-shell-${hash(assets.join())}`
const data = 'contrail-data'
const page = '/'
const remembered =
  /^\/app\/api\/(log|session|visited-countries|custom-fields|users|airports\/\d+|flights\/\d+(\/track)?|local-times|stats)$/

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
      // One file that fails to load must not cost all others.
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
          names.filter((name) => name !== shell && name !== data).map((name) => caches.delete(name)),
        ),
      )
      .then(() => self.clients.claim()),
  )
})

self.addEventListener('message', (event) => {
  if (event.data === 'forget') event.waitUntil(caches.delete(data))
})

/** The oldest go first; the log itself is put again with every visit and so stays. */
async function trim(cache) {
  const keys = await cache.keys()
  if (keys.length > 400) await Promise.all(keys.slice(0, 100).map((key) => cache.delete(key)))
}

/** Network first; a good answer is kept, and the kept one is given when there is no network. */
async function fresh(request, name, key) {
  try {
    const response = await fetch(request)
    if (response.status === 200) {
      const cache = await caches.open(name)
      await cache.put(key, response.clone())
      if (name === data) await trim(cache)
    }
    return response
  } catch (error) {
    const known = await caches.match(key, { ignoreVary: true })
    if (!known) throw error
    const headers = new Headers(known.headers)
    headers.set('x-contrail-kept', '1')
    return new Response(known.body, { status: known.status, headers })
  }
}

async function kept(request) {
  const known = await caches.match(request, { ignoreVary: true })
  if (known) return known
  const response = await fetch(request)
  if (response.ok) {
    const cache = await caches.open(shell)
    await cache.put(request, response.clone())
  }
  return response
}

/** A signed-out answer must not be kept over a signed-in one, nor be given to the next person. */
async function freshData(request) {
  const response = await fresh(request, data, request.url)
  if (response.status === 401) await caches.delete(data)
  return response
}

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== location.origin) return
  if (own.includes(url.pathname) || /^\/(assets|fonts)\//.test(url.pathname)) {
    event.respondWith(kept(request))
  } else if (remembered.test(url.pathname)) {
    event.respondWith(freshData(request))
  } else if (
    request.mode === 'navigate' &&
    !/^\/(api|app|oauth|sign-in|setup|share|\.well-known)(\/|$)/.test(url.pathname)
  ) {
    event.respondWith(fresh(request, shell, page))
  }
})
