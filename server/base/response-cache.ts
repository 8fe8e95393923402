// Finished response bodies by key, the least recently used dropped first once their bytes exceed the cap. Keys count
// too: people choose what they search for, and a million empty answers must not fill the memory.

export interface ResponseCache {
  get(key: string): Buffer | undefined
  set(key: string, bytes: Buffer): void
  /** For answers of which most are wanted once: the first asking is noted, the second fills the cache. */
  setOnSecondMiss(key: string, bytes: Buffer): void
  readonly bytes: number
  readonly hits: number
  readonly misses: number
}

const ASKED_AT_MOST = 2000

/** What an entry costs beside its text: the map's slot, the buffer's object. */
const ENTRY_BYTES = 200

export function createResponseCache(capBytes: number): ResponseCache {
  const entries = new Map<string, Buffer>()
  const askedOnce = new Set<string>()
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
    // Some at once: a Map walks past everything that was deleted before it finds the oldest.
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
        // A Map keeps insertion order: re-inserting marks it as the most recently used.
        entries.delete(key)
        entries.set(key, bytes)
      } else misses++
      return bytes
    },
    set,
    setOnSecondMiss(key, bytes) {
      if (askedOnce.delete(key)) return set(key, bytes)
      if (askedOnce.size >= ASKED_AT_MOST) askedOnce.clear()
      askedOnce.add(key)
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
