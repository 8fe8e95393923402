// CPU seconds of this process and everything that it has started, on Linux. The system adds up children that were waited for;
// the parts of Chromium are not, so they are looked at while they live.
import { existsSync, globSync, readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100
const LOOK_EVERY_MS = 1000
/** Numbers of fields in /proc/PID/stat, and that of the first after the name, which may have spaces. */
const [FIRST, PARENT, USER] = [3, 4, 14]

const fieldsOf = (pid: string) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
/** User and system time, and with four fields that of children. */
const secondsIn = (fields: readonly string[], count: 2 | 4) =>
  fields.slice(USER - FIRST, USER - FIRST + count).reduce((sum, ticks) => sum + Number(ticks), 0) /
  TICKS_PER_SECOND

/** Until `read`, which is undefined where the system does not tell. */
export function startCpuMeter(): { read(): number | undefined } {
  const parts = new Map<string, number>()
  const isKnown = existsSync('/proc/self/stat')
  const timer = isKnown ? setInterval(() => lookAtBrowsers(parts), LOOK_EVERY_MS).unref() : undefined
  return {
    read() {
      if (!isKnown) return undefined
      clearInterval(timer)
      const own = secondsIn(fieldsOf('self'), 4)
      return own + [...parts.values()].reduce((sum, seconds) => sum + seconds, 0)
    },
  }
}

function lookAtBrowsers(parts: Map<string, number>): void {
  for (const file of globSync('/proc/[0-9]*/cmdline')) {
    const pid = file.split('/')[2]!
    try {
      const isPart = / --type=(?:renderer|gpu-process|utility) /.test(readFileSync(file, 'utf8'))
      if (isPart && isOurs(pid)) parts.set(pid, secondsIn(fieldsOf(pid), 2))
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** A person may have a browser open. */
function isOurs(pid: string): boolean {
  const parent = fieldsOf(pid)[PARENT - FIRST]!
  return parent === String(process.pid) || (parent !== '0' && isOurs(parent))
}
