// The day of travel: finds reminders that are due every half minute, and sends what is queued. Runs in the primary process; of several
// machines, each message is sent by one.
import type { Clock } from '../base/clock.ts'
import type { Config } from '../base/config.ts'
import { every } from '../base/every.ts'
import type { Logger } from '../base/log.ts'
import type { InstanceSecret } from '../base/secret/instance-secret.ts'
import { version } from '../base/version.ts'
import { SECOND } from '../domain/time/durations.ts'
import { createMailer } from '../services/accounts/mailer.ts'
import type { CountNotification } from '../services/push/deliveries.ts'
import { createPush } from '../services/push/push.ts'
import { createReminders } from '../services/push/reminders.ts'
import { createSender } from '../services/push/sender.ts'
import type { Store } from '../store/store.ts'

const REMINDERS_EVERY_MS = 30 * SECOND
const QUEUE_EVERY_MS = SECOND

interface TravelParts {
  store: Store
  config: Config
  clock: Clock
  log: Logger
  secret: InstanceSecret
  count: CountNotification
}

/** The returned function stops it; requests in progress are aborted and sent again later. */
export function startTravel({ store, config, clock, log, secret, count }: TravelParts): () => Promise<void> {
  if (!config.push && !config.smtp) return async () => {}
  const push = createPush({ config, secret, clock, version })
  const mailer = config.smtp && createMailer(config.smtp, log)
  const sender = createSender({ store, config, clock, log, push, mailer, count })
  const reminders = createReminders({ store, clock })
  const stopReminding = every(REMINDERS_EVERY_MS, () => reminders.look(), {
    log,
    what: 'look for reminders',
    firstMs: SECOND,
  })
  const stopSending = every(QUEUE_EVERY_MS, () => sender.look(), { log, what: 'look for notifications' })
  return async () => {
    await Promise.all([stopReminding(), stopSending()])
    await sender.stop()
    push.stop()
  }
}
