// The server as a real process: started, killed, its output read.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** Rounds and sizes: short with every test run, long with `npm run test:faults`. */
export const isLong = process.env['FAULTS'] === 'long'

export interface Place {
  databaseUrl: string | undefined
  dataDir: string
}

export interface ServerProcess {
  url: string
  child: ChildProcess
  /** Everything it wrote so far, to either output. */
  output(): string
  /** Sends the signal and waits for the end; the exit code, or null if the signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** Starts `server/run.js`, or the given command, on a free port; throws with its output if it ends before it listens. */
export async function startServer(
  { databaseUrl, dataDir }: Place,
  settings: Record<string, string> = {},
  [command, ...words]: readonly [string, ...string[]] = [process.execPath, 'server/run.js'],
): Promise<ServerProcess> {
  const child = spawn(command, words, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      // The harness uses the same ORIGIN, and tokens are bound to it.
      ORIGIN: 'http://localhost:3000',
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl ?? '',
      BACKUP_DIR: 'off',
      ...settings,
    },
  })
  // Must not keep running after a failed test.
  const reap = () => child.kill('SIGKILL')
  process.once('exit', reap)
  child.once('exit', () => process.off('exit', reap))
  let output = ''
  const exited = once(child, 'exit')
  const url = await new Promise<string>((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      output += chunk
      const address = /"message":"listening","address":"([^"]+)"/.exec(output)?.[1]
      if (address) resolve(address)
    }
    child.stdout!.on('data', hear)
    child.stderr!.on('data', hear)
    child.on('close', (code) => reject(new StartError(output, code)))
  })
  return {
    url,
    child,
    output: () => output,
    async end(signal) {
      child.kill(signal)
      return (await exited)[0] as number | null
    },
  }
}

export class StartError extends Error {
  readonly output: string
  readonly code: number | null
  constructor(output: string, code: number | null) {
    super(`the server did not start (${code}): ${output}`)
    // If the port was free, the first line says so.
    this.output = output.replace(/^Contrail is starting… Open \S+\n/, '')
    this.code = code
  }
}

/** A JSON request; undefined if the server ended before it responded. */
export async function ask(
  url: string,
  method: string,
  path: string,
  key: string,
  body?: unknown,
): Promise<{ status: number; text: string } | undefined> {
  try {
    const reply = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: reply.status, text: await reply.text() }
  } catch {
    return undefined
  }
}
