// Starts and stops the measured server processes and reads their CPU time.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export interface Measured {
  port: number
  pid: number
  /** CPU time used so far by all its threads, in nanoseconds. */
  cpu(): number
  residentMb(): number
  /** The longest time for which its event loop was blocked meanwhile; the process must have been started with `WATCHED`. */
  longestHold(work: () => Promise<void>): Promise<number>
  stop(): Promise<void>
}

/** A flag of Node with which a process reports the delay of its event loop. */
export const WATCHED = `--import=${join(import.meta.dirname, 'loop-delay.ts')}`

const running = new Set<ChildProcess>()

/** Stops all processes, also after a failure. */
export async function stopProcesses(): Promise<void> {
  await Promise.all([...running].map(stop))
}

/** Starts a script and waits for its JSON line with the message `listening`. */
export function startProcess(
  script: string,
  environment: Record<string, string>,
  flags: readonly string[] = [],
): Promise<Measured> {
  const child = spawn(process.execPath, [...flags, script], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  running.add(child)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code) => reject(new Error(`${script} ended with ${code}`)))
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const entry = line.startsWith('{') ? JSON.parse(line) : {}
      if (entry.message !== 'listening') return
      const port = entry.port ?? Number(new URL(entry.address).port)
      resolve(measured(child, port))
    })
  })
}

function measured(child: ChildProcess, port: number): Measured {
  const pid = child.pid!
  return {
    port,
    pid,
    cpu: () => cpuOf(String(pid)),
    residentMb: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024,
    async longestHold(work) {
      child.send('watch')
      await work()
      const told = once(child, 'message')
      child.send('tell')
      const [{ longestMs }] = (await told) as [{ longestMs: number }]
      return longestMs
    },
    stop: () => stop(child),
  }
}

/** CPU time of all threads of a process, in nanoseconds; 0 if it has ended. */
export function cpuOf(pid: string): number {
  try {
    return readdirSync(`/proc/${pid}/task`).reduce(
      (sum, thread) =>
        sum + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
      0,
    )
  } catch {
    return 0
  }
}

/** CPU time of a process's children, one for each connection where the process is PostgreSQL. */
export function cpuOfChildren(parent: string): number {
  const isChild = (pid: string) => {
    try {
      // The name is in parentheses and may contain any character; state and parent follow it.
      return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[1] === parent
    } catch {
      return false
    }
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isChild(name))
    .reduce((sum, pid) => sum + cpuOf(pid), 0)
}

function stop(child: ChildProcess): Promise<void> {
  child.removeAllListeners('exit')
  running.delete(child)
  return new Promise((resolve) => {
    if (child.exitCode !== null) resolve()
    child.on('exit', () => resolve())
    child.kill('SIGTERM')
  })
}
