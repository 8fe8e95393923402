// CPU seconds of this process and all its descendants, on Linux. The system adds up children that were waited for; parts of
// Chromium are not, so they are read while they run. A second is worth less where others use the same machine, so its speed is
// measured meanwhile.
import { createHash } from 'node:crypto'
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

/**
 * CPU milliseconds of `fixedWork` while the tests use both cores of a 2.5 GHz Xeon whose host is quiet. It needs 20 to 25 where
 * nothing else runs, and 39 when neighbours of the machine make the tests need a third more.
 */
const REFERENCE_MS = 30
const MEASURE_EVERY_MS = 3000

/** Measures how fast this machine is until `read` is called, in the process that waits for those of the tests. */
export function startSpeedMeter(everyMs = MEASURE_EVERY_MS): { read(): number } {
  const measured: number[] = []
  const measure = () => void measured.push(cpuMsOf(fixedWork))
  const timer = setInterval(measure, everyMs).unref()
  return {
    read() {
      clearInterval(timer)
      if (measured.length === 0) measure()
      return slownessOf(measured)
    },
  }
}

/** How many times slower than the reference; at least 1, because on a faster machine a second is a second. */
export const slownessOf = (measuredMs: readonly number[]): number =>
  Math.max(1, measuredMs.toSorted((a, b) => a - b)[measuredMs.length >> 1]! / REFERENCE_MS)

function cpuMsOf(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** JSON, sorting, texts and hashes, as in the tests. */
function fixedWork(): void {
  for (let round = 0; round < 4; round++) {
    const rows = Array.from({ length: 5000 }, (_, id) => ({ id, code: ((id * 7919) % 10_007).toString(36) }))
    const copy = JSON.parse(JSON.stringify(rows)) as typeof rows
    const texts = copy.sort((a, b) => a.code.localeCompare(b.code)).map(({ id, code }) => `${code} of ${id}`)
    createHash('sha256').update(texts.join().toUpperCase()).digest()
  }
}

/** The cost of a run: in seconds of the reference machine, which have a limit, and in the words of the report. */
export function costOf(used: number, slowness: number): { seconds: number; words: string } {
  const [seconds, here] = [Math.round(used / slowness), Math.round(used)]
  const words = seconds === here ? '' : ` (${seconds} on the reference machine)`
  return { seconds, words: `${here} CPU seconds${words}` }
}
