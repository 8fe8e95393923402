// Real server processes: started, their log read, signalled, stopped.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import { createInterface } from 'node:readline'

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
  /** What it told the person who started it. */
  spoken(): string
  /** Stops the process and returns its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

export async function startServer(
  { databaseUrl, dataDir }: Database,
  settings: Record<string, string> = {},
): Promise<ServerProcess> {
  const child = spawn(process.execPath, ['server/run.js'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl ?? '',
      BACKUP_DIR: 'off',
      ...settings,
    },
  })
  const exited = once(child, 'exit')
  const lines: ServerProcess['lines'] = []
  let spoken = ''
  child.stderr!.on('data', (chunk) => {
    spoken += chunk
  })
  const address = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const entry = JSON.parse(line)
      lines.push(entry)
      if (entry.message === 'listening') resolve(entry.address)
    })
    child.on('exit', (code) => reject(new Error(`ended with ${code} before it listened: ${spoken}`)))
  })
  return {
    child,
    url: address,
    port: Number(new URL(address).port),
    lines,
    spoken: () => spoken,
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      const [code] = await exited
      return code
    },
  }
}

export interface Reply {
  status: number
  headers: http.IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into responses of every shape
  json: any
}

/** One request on a separate connection, so that several workers take turns, or with the given agent. */
export function ask(
  port: number,
  method: string,
  path: string,
  {
    key,
    body,
    headers = {},
    agent,
  }: { key?: string; body?: unknown; headers?: object; agent?: http.Agent } = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        agent: agent ?? false,
        headers: {
          ...(key ? { authorization: `Bearer ${key}` } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          const isJson = response.headers['content-type']?.startsWith('application/json')
          const json = isJson && text ? JSON.parse(text) : undefined
          resolve({ status: response.statusCode!, headers: response.headers, text, json })
        })
      },
    )
    request.on('error', reject)
    request.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

/** Runs a command of the command line until it ends. */
export async function contrail(
  { databaseUrl, dataDir }: Database,
  args: string[],
  input = '',
  settings: Record<string, string> = {},
): Promise<{ code: number | null; out: Buffer; err: string }> {
  const child = spawn(process.execPath, ['server/run.js', 'cli', ...args], {
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl ?? '',
      BACKUP_DIR: 'off',
      ...settings,
    },
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
