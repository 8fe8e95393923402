// Finished response bodies by key, the least recently used dropped first once their bytes exceed the cap.

export interface ByteCache {
  get(key: string): Buffer | undefined
  set(key: string, bytes: Buffer): void
  readonly bytes: number
  readonly hits: number
  readonly misses: number
}

export function createByteCache(capBytes: number): ByteCache {
  const entries = new Map<string, Buffer>()
  let [total, hits, misses] = [0, 0, 0]
  const drop = (key: string) => {
    total -= entries.get(key)?.byteLength ?? 0
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
      if (bytes.byteLength > capBytes / 4) return
      drop(key)
      entries.set(key, bytes)
      total += bytes.byteLength
      for (const oldest of entries.keys()) {
        if (total <= capBytes) break
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
