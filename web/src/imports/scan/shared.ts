/** What the service worker keeps of a share (`keepShared` in sw.js): files or a text, until they are taken. */

export interface Shared {
  content: Blob
  /** Empty for a text. */
  name: string
}

const cacheName = 'contrail-data-shared'

/** Once: after a reload there is nothing more. */
export async function takeShared(): Promise<Shared[]> {
  if (!('caches' in window)) return []
  const cache = await caches.open(cacheName)
  const items: Shared[] = []
  for (const key of await cache.keys()) {
    const kept = await cache.match(key)
    if (kept)
      items.push({ content: await kept.blob(), name: decodeURIComponent(kept.headers.get('x-name') ?? '') })
  }
  await caches.delete(cacheName)
  return items
}
