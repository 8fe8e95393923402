// Looks for a newer version while the owner wants that; services/instance/release.ts says when and how.
import { systemClock } from '../base/clock.ts'
import type { Config } from '../base/config.ts'
import { every } from '../base/every.ts'
import type { Logger } from '../base/log.ts'
import { MINUTE } from '../domain/time/durations.ts'
import { lookForRelease } from '../services/instance/release.ts'
import type { Store } from '../store/store.ts'

/** The returned function stops it. */
export function startLookingForReleases(store: Store, config: Config, log: Logger): () => Promise<void> {
  if (config.docsAddress === undefined) return async () => {}
  const look = () => lookForRelease({ store, config, clock: systemClock, log })
  return every(MINUTE, look, { log, what: 'look for a newer version' })
}
