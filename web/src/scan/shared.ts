/** What the service worker keeps of a share (`keepShared` in sw.js): one file or text, until it is taken. */

interface Shared {
  content: Blob
  /** Empty for a text. */
  name: string
}

const cacheName = 'contrail-data-shared'
const address = '/import/shared'

/** Once: after a reload there is nothing more. */
export async function takeShared(): Promise<Shared | null> {
  if (!('caches' in window)) return null
  const cache = await caches.open(cacheName)
  const kept = await cache.match(address)
  if (!kept) return null
  await caches.delete(cacheName)
  return { content: await kept.blob(), name: decodeURIComponent(kept.headers.get('x-name') ?? '') }
}
