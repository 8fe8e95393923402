// A map of bounded size that drops only expired entries: others cannot push out an entry that is still needed.

const SWEEP_EVERY_MS = 1_000

interface ExpiringMap<Entry> {
  get(key: string, now: number): Entry | undefined
  /** False if the key is new and there is no room for it. */
  hasRoomFor(key: string, now: number): boolean
  set(key: string, entry: Entry): void
}

export function createExpiringMap<Entry>(
  atMost: number,
  isExpired: (entry: Entry, now: number) => boolean,
): ExpiringMap<Entry> {
  const entries = new Map<string, Entry>()
  let sweptAt = Number.NEGATIVE_INFINITY

  function get(key: string, now: number): Entry | undefined {
    const entry = entries.get(key)
    if (entry === undefined || !isExpired(entry, now)) return entry
    entries.delete(key)
    return undefined
  }

  /** Visits every entry, so it must not run on every request while the map is full. */
  function sweep(now: number): void {
    if (Math.abs(now - sweptAt) < SWEEP_EVERY_MS) return
    sweptAt = now
    for (const [key, entry] of entries) if (isExpired(entry, now)) entries.delete(key)
  }

  return {
    get,
    hasRoomFor(key, now) {
      if (entries.size < atMost || get(key, now) !== undefined) return true
      sweep(now)
      return entries.size < atMost
    },
    set: (key, entry) => void entries.set(key, entry),
  }
}
