// CPU seconds of this process and everything that it has started, on Linux. The system adds up children that were waited for;
// the parts of Chromium are not, so they are looked at while they live.
import { existsSync, globSync, readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100
const LOOK_EVERY_MS = 1000
const USER = 13

/** Fields of /proc/PID/stat from the state on; the name before it may have spaces. */
const fieldsOf = (pid: string) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
const secondsIn = (fields: readonly string[], first: number, count: number) =>
  fields.slice(first - 2, first - 2 + count).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND

/** Until `read`, which is undefined where the system does not tell. */
export function startCpuMeter(): { read(): number | undefined } {
  const parts = new Map<string, number>()
  const isKnown = existsSync('/proc/self/stat')
  const timer = isKnown ? setInterval(() => lookAtBrowsers(parts), LOOK_EVERY_MS).unref() : undefined
  return {
    read() {
      if (!isKnown) return undefined
      clearInterval(timer)
      const own = secondsIn(fieldsOf('self'), USER, 4)
      return own + [...parts.values()].reduce((sum, seconds) => sum + seconds, 0)
    },
  }
}

function lookAtBrowsers(parts: Map<string, number>): void {
  for (const file of globSync('/proc/[0-9]*/cmdline')) {
    const pid = file.split('/')[2]!
    try {
      if (!/\0--type=(?:renderer|gpu-process|utility)\0/.test(readFileSync(file, 'utf8'))) continue
      parts.set(pid, secondsIn(fieldsOf(pid), USER, 2))
    } catch {
      // It has ended meanwhile.
    }
  }
}
