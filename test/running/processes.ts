// Real server processes: started, observed by their log, signalled, stopped.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type http from 'node:http'
import { createInterface } from 'node:readline'
import { Readable, Writable } from 'node:stream'
import { cli } from '../../server/cli/cli.ts'
import type { Terminal } from '../../server/cli/command.ts'
import { type Ask, type Reply, send } from '../harness.ts'

export interface Database {
  databaseUrl: string | undefined
  dataDir: string
}

export interface ServerProcess {
  child: ChildProcess
  url: string
  port: number
  /** Every line of the log so far. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into lines of every shape
  lines: any[]
  /** What was printed for the person who started it. */
  spoken(): string
  /** Everything it wrote so far, to either output. */
  output(): string
  /** Sends the signal and waits for the end; the exit code, or null if the signal ended it. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** Starts `server/run.js`, or the given command, on a free port; throws with its output if it ends before it listens. */
export async function startServer(
  { databaseUrl, dataDir }: Database,
  settings: Record<string, string> = {},
  [command, ...words]: readonly [string, ...string[]] = [process.execPath, 'server/run.js'],
): Promise<ServerProcess> {
  const child = spawn(command, words, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environmentOf({ databaseUrl, dataDir }, { PORT: '0', HOST: '127.0.0.1', ...settings }),
  })
  // Must not keep running after a failed test.
  const reap = () => child.kill('SIGKILL')
  process.once('exit', reap)
  child.once('exit', () => process.off('exit', reap))
  const exited = once(child, 'exit')
  const lines: ServerProcess['lines'] = []
  let [spoken, output] = ['', '']
  child.stderr!.on('data', (chunk) => {
    spoken += chunk
    output += chunk
  })
  const address = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      output += `${line}\n`
      if (!line.startsWith('{')) return
      const entry = JSON.parse(line)
      lines.push(entry)
      if (entry.message === 'listening') resolve(entry.address)
    })
    child.on('close', (code) => reject(new StartError(output, code)))
  })
  return {
    child,
    url: address,
    port: Number(new URL(address).port),
    lines,
    spoken: () => spoken,
    output: () => output,
    async stop(signal = 'SIGTERM') {
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
    // If the port was free, the first line contains it.
    this.output = output.replace(/^Contrail is starting… Open \S+\n/, '')
    this.code = code
  }
}

/** One request on a separate connection, so that several workers take turns, or with the given agent. */
export const ask = (
  port: number,
  method: string,
  path: string,
  { agent = false, ...request }: Ask & { agent?: http.Agent | false } = {},
): Promise<Reply> => send(agent, port, method, path, request)

/** A JSON request; undefined if the server ended before it responded. */
export async function tryAsking(
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

/** The arguments of a command, its input and its settings. */
type Given = [database: Database, args: string[], input?: string, settings?: Record<string, string>]

export interface Ended {
  code: number | null
  out: Buffer
  err: string
}

const environmentOf = ({ databaseUrl, dataDir }: Database, settings: Record<string, string>) => ({
  ...process.env,
  DATA_DIR: dataDir,
  DATABASE_URL: databaseUrl ?? '',
  BACKUP_DIR: 'off',
  ...settings,
})

/** Runs a command of the command line in this process. */
export async function contrail(...[database, args, input = '', settings = {}]: Given): Promise<Ended> {
  const [out, err] = [collect(), collect()]
  const terminal: Terminal = {
    env: environmentOf(database, settings),
    stdin: Readable.from([Buffer.from(input)]),
    stdout: out.stream,
    stderr: err.stream,
  }
  await cli(args, terminal).catch((error: Error) => {
    // As in server/run.js.
    terminal.stderr.write(`contrail: ${error.message}\n`)
    terminal.exitCode = 1
  })
  return { code: Number(terminal.exitCode ?? 0), out: out.bytes(), err: err.bytes().toString() }
}

function collect(): { stream: Writable; bytes(): Buffer } {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      chunks.push(chunk)
      done()
    },
  })
  return { stream, bytes: () => Buffer.concat(chunks) }
}

/** Runs a command of the command line in a separate process until it ends. */
export async function spawnContrail(...[database, args, input = '', settings = {}]: Given): Promise<Ended> {
  const child = spawn(process.execPath, ['server/run.js', 'cli', ...args], {
    env: environmentOf(database, settings),
  })
  const out: Buffer[] = []
  let err = ''
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk
  })
  child.stdin.end(input)
  const [code] = await once(child, 'close')
  return { code, out: Buffer.concat(out), err }
}
