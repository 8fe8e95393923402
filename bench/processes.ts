// Server processes under measurement: started, asked for their CPU time, stopped.
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

export interface Measured {
  port: number
  pid: number
  /** CPU time used so far by all its threads, in nanoseconds. */
  cpu(): number
  residentMb(): number
  stop(): Promise<void>
}

const running = new Set<ChildProcess>()

/** Ends whatever is still running, also after a failure. */
export async function stopProcesses(): Promise<void> {
  await Promise.all([...running].map(stop))
}

/** Starts a script and waits until it says, as JSON on a line, that it is listening. */
export function startProcess(
  script: string,
  environment: Record<string, string>,
  flags: readonly string[] = [],
): Promise<Measured> {
  const child = spawn(process.execPath, [...flags, script], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.add(child)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code) => reject(new Error(`${script} ended with ${code}`)))
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const said = line.startsWith('{') ? JSON.parse(line) : {}
      if (said.message !== 'listening') return
      const port = said.port ?? Number(new URL(said.address).port)
      resolve(measured(child, port))
    })
  })
}

function measured(child: ChildProcess, port: number): Measured {
  const pid = child.pid!
  return {
    port,
    pid,
    cpu: () =>
      readdirSync(`/proc/${pid}/task`).reduce(
        (sum, thread) =>
          sum + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
        0,
      ),
    residentMb: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024,
    stop: () => stop(child),
  }
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
