// CPU seconds of this process and all its descendants, on Linux. The system adds up children that were waited for; parts of
// Chromium are not, so they are read while they run.
import { existsSync, readdirSync, readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100
const LOOK_EVERY_MS = 1000
/** Indexes of fields in /proc/PID/stat, and of the first one after the name, which may contain spaces. */
const [FIRST, PARENT, USER] = [3, 4, 14]

const fieldsOf = (pid: string) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
/** User and system time; four fields include those of children. */
const secondsIn = (fields: readonly string[], count: 2 | 4) =>
  fields.slice(USER - FIRST, USER - FIRST + count).reduce((sum, ticks) => sum + Number(ticks), 0) /
  TICKS_PER_SECOND

/** Counts until `read` is called, which returns undefined if the system has no such figures. */
export function startCpuMeter(): { read(): number | undefined } {
  const parts = new Map<string, number>()
  const others = new Set<string>()
  const isKnown = existsSync('/proc/self/stat')
  const timer = isKnown ? setInterval(() => look(parts, others), LOOK_EVERY_MS).unref() : undefined
  return {
    read() {
      if (!isKnown) return undefined
      clearInterval(timer)
      const own = secondsIn(fieldsOf('self'), 4)
      return own + [...parts.values()].reduce((sum, seconds) => sum + seconds, 0)
    },
  }
}

/** Records the seconds of each process of our browsers; `others` are skipped next time. */
function look(parts: Map<string, number>, others: Set<string>): void {
  for (const pid of readdirSync('/proc')) {
    if (others.has(pid)) continue
    try {
      if (!parts.has(pid) && !isPart(pid)) others.add(pid)
      else parts.set(pid, secondsIn(fieldsOf(pid), 2))
    } catch {
      // The process has ended, or the entry is not a process.
      if (!parts.has(pid)) others.add(pid)
    }
  }
}

/** The user may have a browser open, which is not ours. */
function isPart(pid: string): boolean {
  return / --type=/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8')) && isOurs(pid)
}

function isOurs(pid: string): boolean {
  const parent = fieldsOf(pid)[PARENT - FIRST]!
  return parent === String(process.pid) || (parent !== '0' && isOurs(parent))
}
