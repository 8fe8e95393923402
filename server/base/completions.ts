// When the next flight of a log completes. Together with the log's revision this is a valid cache key for which flights
// are flown: it changes as soon as that instant has passed.

export interface Completions {
  /** `load` returns the instants at which the log's flights complete; it is called for an unknown revision. */
  next(revision: string, now: number, load: () => Promise<Float64Array>): Promise<number>
}

interface Upcoming {
  /** Completions before this instant are unknown, so a clock that was set back cannot use it. */
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
