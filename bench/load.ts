// A bounded load from this process: a few keep-alive connections, a fixed number of requests, every response checked.
import http from 'node:http'

export interface Request {
  method: string
  path: string
  headers: Record<string, string>
  body?: string
}
export interface Response {
  status: number
  bytes: Buffer
  headers: http.IncomingHttpHeaders
}

const CONNECTIONS = 8
/** The workers of each load limit it; 64 writers have separate connections. */
const agent = new http.Agent({ keepAlive: true, maxSockets: 128 })

export function send(
  port: number,
  { method, path, headers, body }: Request,
  using = agent,
): Promise<Response> {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  return new Promise((resolve, reject) => {
    const request = http.request(
      { agent: using, host: '127.0.0.1', port, method, path, headers: { ...headers, ...length } },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () =>
          resolve({ status: response.statusCode!, bytes: Buffer.concat(chunks), headers: response.headers }),
        )
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}

/** When the headers arrived, the first byte of the body and its last, in milliseconds, and how many bytes it has. */
interface Timing {
  status: number
  firstByteMs: number
  lastByteMs: number
  bytes: number
  /** Only of a failed request. */
  text: string
}

/** Sends a request and keeps nothing of a successful response: bodies may be larger than this process should be. */
export function time(port: number, { method, path, headers, body }: Request, using = agent): Promise<Timing> {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const began = performance.now()
  return new Promise((resolve, reject) => {
    const request = http.request(
      { agent: using, host: '127.0.0.1', port, method, path, headers: { ...headers, ...length } },
      (response) => {
        const status = response.statusCode!
        let [firstByteMs, bytes, text] = [0, 0, '']
        response.on('data', (chunk: Buffer) => {
          firstByteMs ||= performance.now() - began
          bytes += chunk.byteLength
          if (status >= 400 && text.length < 1000) text += chunk.toString()
        })
        response.on('error', reject)
        response.on('end', () => {
          const lastByteMs = performance.now() - began
          resolve({ status, firstByteMs: firstByteMs || lastByteMs, lastByteMs, bytes, text })
        })
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}

/** Sends `count` requests; throws if a response does not have the expected status. */
export async function load(
  port: number,
  count: number,
  make: (i: number) => Request,
  expected: number,
): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < count) {
      const request = make(next++)
      const { status, text } = await time(port, request)
      if (status !== expected) throw new Error(`${request.method} ${request.path}: ${status} ${text}`)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, worker))
}

interface Waits {
  p50Ms: number
  p99Ms: number
  longestMs: number
  count: number
}

/** How long a small request takes meanwhile, sent repeatedly over a separate connection. */
export async function waitsDuring(
  port: number,
  request: Request,
  work: () => Promise<void>,
  pauseMs = 3,
): Promise<Waits> {
  const own = new http.Agent({ keepAlive: true, maxSockets: 1 })
  const times: number[] = []
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      times.push((await time(port, request, own)).lastByteMs)
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  })()
  try {
    await work()
  } finally {
    isOver = true
    await watching
    own.destroy()
  }
  return quantilesOf(times)
}

export function quantilesOf(times: readonly number[]): Waits & { p95Ms: number } {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99), longestMs: at(1), count: times.length }
}

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
