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
const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS })

export function send(port: number, { method, path, headers, body }: Request): Promise<Response> {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  return new Promise((resolve, reject) => {
    const request = http.request(
      { agent, host: '127.0.0.1', port, method, path, headers: { ...headers, ...length } },
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
      const { status, bytes } = await send(port, request)
      if (status !== expected)
        throw new Error(`${request.method} ${request.path}: ${status} ${bytes.toString().slice(0, 300)}`)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, worker))
}
