// Reads mailboxes and calendars that are due: the primary process checks every few seconds, and a lease in the database
// decides which of several machines reads a source.
import { systemClock } from '../base/clock.ts'
import type { Config } from '../base/config.ts'
import { errorMessage } from '../base/errors.ts'
import { every } from '../base/every.ts'
import type { Logger } from '../base/log.ts'
import type { Services } from '../door/services.ts'
import { calendarSchedule } from '../operations/intake/read-calendar.ts'
import { mailboxSchedule } from '../operations/intake/read-mailbox.ts'
import type { Store } from '../store/store.ts'

const LOOK_EVERY_MS = 5_000
const AT_ONCE = 3
/** A source that is being read may finish within this time; otherwise reading ends as if killed and is resumed later. */
const STOP_WITHIN_MS = 4_000

interface Intake {
  /** Starts reading as many sources as may run concurrently; returns whether any was due. */
  startDue(): Promise<boolean>
  /** Reads until nothing is due. */
  readDue(): Promise<void>
  stop(): Promise<void>
}

const schedules = [mailboxSchedule, calendarSchedule]

async function nextReading(services: Services) {
  for (const schedule of schedules) {
    const reading = await schedule.claimDue(services)
    if (reading) return reading
  }
  return undefined
}

export function createIntake(services: Services, log: Logger): Intake {
  const running = new Set<Promise<void>>()
  const stopping = new AbortController()

  async function startDue(): Promise<boolean> {
    let found = false
    while (running.size < AT_ONCE && !stopping.signal.aborted) {
      const reading = await nextReading(services)
      if (!reading) break
      found = true
      const turn: Promise<void> = reading(stopping.signal)
        .catch((error) => log.warn('could not read a mailbox or a calendar', { reason: errorMessage(error) }))
        .then(() => void running.delete(turn))
      running.add(turn)
    }
    return found
  }

  return {
    startDue,
    async readDue() {
      while ((await startDue()) || running.size > 0) await Promise.all(running)
    },
    async stop() {
      stopping.abort()
      let timer: NodeJS.Timeout | undefined
      const tooLate = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, STOP_WITHIN_MS)
      })
      await Promise.race([Promise.all(running), tooLate])
      clearTimeout(timer)
    },
  }
}

interface IntakeParts {
  store: Store
  config: Config
  log: Logger
  /** Created when something is due: most instances have neither mailboxes nor calendars. */
  services(): Services
}

/** The returned function stops it. */
export function startIntake({ store, config, log, services }: IntakeParts): () => Promise<void> {
  let intake: Intake | undefined
  async function look(): Promise<void> {
    const now = new Date(systemClock.now()).toISOString()
    const used = schedules.filter((schedule) => schedule.isOn(config))
    const due = await Promise.all(used.map((schedule) => schedule.hasDue(store.read, now)))
    if (!due.includes(true)) return
    intake ??= createIntake(services(), log)
    await intake.startDue()
  }
  const stopLooking = every(LOOK_EVERY_MS, look, { log, what: 'look for mailboxes and calendars' })
  return async () => {
    await stopLooking()
    await intake?.stop()
  }
}
