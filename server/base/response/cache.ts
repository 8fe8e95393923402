// Complete response bodies by key; when they exceed the size limit, the least recently used are dropped. Keys count towards
// the limit too, because clients choose what they search for and could fill the memory with empty results.

export interface ResponseCache {
  get(key: string): Buffer | undefined
  set(key: string, bytes: Buffer): void
  /** For responses that are mostly requested once: only the second miss of a key stores the body. */
  setOnSecondMiss(key: string, bytes: Buffer): void
  readonly bytes: number
  readonly hits: number
  readonly misses: number
}

const MISSED_ONCE_AT_MOST = 2000

/** Memory of an entry apart from key and body: the map's slot and the buffer object. */
const ENTRY_BYTES = 200

export function createResponseCache(capBytes: number): ResponseCache {
  const entries = new Map<string, Buffer>()
  const missedOnce = new Set<string>()
  let [total, hits, misses] = [0, 0, 0]
  const cost = (key: string, bytes: Buffer) => bytes.byteLength + 2 * key.length + ENTRY_BYTES
  const drop = (key: string) => {
    const bytes = entries.get(key)
    if (bytes) total -= cost(key, bytes)
    entries.delete(key)
  }
  const set = (key: string, bytes: Buffer) => {
    if (cost(key, bytes) > capBytes / 4) return
    drop(key)
    entries.set(key, bytes)
    total += cost(key, bytes)
    if (total <= capBytes) return
    // Drops several together: to find the oldest entry, iterating a Map skips all deleted ones.
    for (const oldest of entries.keys()) {
      if (total <= capBytes * 0.9) break
      drop(oldest)
    }
  }
  return {
    get(key) {
      const bytes = entries.get(key)
      if (bytes) {
        hits++
        // A Map keeps insertion order: inserting the entry again makes it the most recently used.
        entries.delete(key)
        entries.set(key, bytes)
      } else misses++
      return bytes
    },
    set,
    setOnSecondMiss(key, bytes) {
      if (missedOnce.delete(key)) return set(key, bytes)
      if (missedOnce.size >= MISSED_ONCE_AT_MOST) missedOnce.clear()
      missedOnce.add(key)
    },
    get bytes() {
      return total
    },
    get hits() {
      return hits
    },
    get misses() {
      return misses
    },
  }
}
