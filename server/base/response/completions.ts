// When the next flight of a log completes. Together with the log's revision this makes a valid cache key for which flights
// are flown: the key changes as soon as that instant has passed.

export interface Completions {
  /** `load` returns the completion instants of the log's flights; it is called for an unknown revision. */
  next(revision: string, now: number, load: () => Promise<Float64Array>): Promise<number>
}

interface Upcoming {
  /** Earlier completions are unknown, so this entry cannot be used if the clock was set back. */
  since: number
  /** Ascending. */
  instants: Float64Array
}

const REVISIONS_AT_MOST = 1000

export function createCompletions(): Completions {
  const known = new Map<string, Upcoming>()
  return {
    async next(revision, now, load) {
      let upcoming = known.get(revision)
      if (!upcoming || upcoming.since > now) {
        const instants = (await load()).filter((instant) => instant >= now).sort()
        upcoming = { since: now, instants }
        if (known.size >= REVISIONS_AT_MOST) known.clear()
        known.set(revision, upcoming)
      }
      return upcoming.instants.find((instant) => instant >= now) ?? Number.POSITIVE_INFINITY
    },
  }
}
