// Finished response bodies by key, the least recently used dropped first once their bytes exceed the cap. Keys count
// too: people choose what they search for, and a million empty answers must not fill the memory.

export interface ByteCache {
  get(key: string): Buffer | undefined
  set(key: string, bytes: Buffer): void
  readonly bytes: number
  readonly hits: number
  readonly misses: number
}

/** What an entry costs beside its text: the map's slot, the buffer's object. */
const ENTRY_BYTES = 200

export function createByteCache(capBytes: number): ByteCache {
  const entries = new Map<string, Buffer>()
  let [total, hits, misses] = [0, 0, 0]
  const cost = (key: string, bytes: Buffer) => bytes.byteLength + 2 * key.length + ENTRY_BYTES
  const drop = (key: string) => {
    const bytes = entries.get(key)
    if (bytes) total -= cost(key, bytes)
    entries.delete(key)
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
    set(key, bytes) {
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
