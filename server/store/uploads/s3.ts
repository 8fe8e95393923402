// Uploads as objects of an S3-compatible store, addressed by path: `https://host/bucket/airlines/….png`.
import { openAsBlob } from 'node:fs'
import type { Clock } from '../../base/clock.ts'
import type { S3Config } from '../../base/config.ts'
import { Unavailable } from '../../base/errors.ts'
import { type AwsKey, amzDate, authorizationFor, sha256 } from '../../base/network/aws-signature.ts'
import type { IncomingFile } from '../../base/request/incoming-files.ts'
import type { UploadPlace } from './place.ts'

const TIMEOUT_MS = 15_000
/** The minimum speed expected of an upload. */
const BYTES_PER_MS = 1000

interface Sent {
  body?: Uint8Array
  file?: IncomingFile
  query?: string
}

interface Answer {
  status: number
  body: Buffer
}

export function keptInS3(config: S3Config, clock: Clock): UploadPlace {
  const key: AwsKey = { ...config, service: 's3' }

  async function send(method: string, path: string, given: Sent = {}) {
    const { body, file, query = '' } = given
    const url = new URL(`${config.endpoint}/${config.bucket}${path}${query}`)
    const payloadHash = file?.sha256 ?? sha256(body ?? '')
    const headers = {
      host: url.host,
      'x-amz-content-sha256': payloadHash,
      'x-amz-date': amzDate(clock.now()),
    }
    const authorization = authorizationFor(key, { method, url, headers, payloadHash })
    return exchange(url, {
      method,
      headers: { ...headers, authorization },
      ...(body && { body: Buffer.from(body) }),
      ...(file && { body: await openAsBlob(file.path) }),
      signal: AbortSignal.timeout(TIMEOUT_MS + Math.ceil((file?.bytes ?? 0) / BYTES_PER_MS)),
    })
  }

  async function listing(prefix: string) {
    const found: { path: string; writtenAt: number }[] = []
    let token: string | undefined
    do {
      const more = token === undefined ? '' : `&continuation-token=${encodeURIComponent(token)}`
      const query = `?list-type=2&prefix=${encodeURIComponent(prefix)}${more}`
      const text = requireOk(await send('GET', '', { query })).body.toString()
      for (const [, object = ''] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs))
        found.push({ path: inside(object, 'Key'), writtenAt: Date.parse(inside(object, 'LastModified')) })
      token = /<NextContinuationToken>([^<]*)</.exec(text)?.[1]
    } while (token !== undefined)
    return found
  }

  return {
    async write(path, bytes) {
      requireOk(await send('PUT', `/${path}`, { body: bytes }))
    },
    async take(path, file) {
      requireOk(await send('PUT', `/${path}`, { file }))
    },
    async read(path) {
      const answer = await send('GET', `/${path}`)
      if (answer.status === 404 && codeOf(answer) === 'NoSuchKey') return undefined
      return requireOk(answer).body
    },
    async remove(path) {
      const answer = await send('DELETE', `/${path}`)
      if (codeOf(answer) !== 'NoSuchKey') requireOk(answer)
    },
    // Not with HEAD: its response has no body, so a missing bucket would look like a missing file.
    has: async (path) => (await listing(path)).some((found) => found.path === path),
    list: (folder) => listing(`${folder}/`),
  }
}

const inside = (xml: string, element: string): string =>
  new RegExp(`<${element}>([^<]*)<`).exec(xml)?.[1] ?? ''

async function exchange(url: URL, request: RequestInit): Promise<Answer> {
  try {
    const response = await fetch(url, { ...request, redirect: 'manual' })
    return { status: response.status, body: Buffer.from(await response.arrayBuffer()) }
  } catch (error) {
    throw new Unavailable('uploads_unreachable', error)
  }
}

/** The store's error code, such as `AccessDenied`. */
const codeOf = ({ status, body }: Answer): string | undefined =>
  status < 300 ? undefined : /<Code>([A-Za-z]+)</.exec(body.toString())?.[1]

function requireOk(answer: Answer): Answer {
  const { status } = answer
  if (status >= 200 && status < 300) return answer
  throw new Unavailable('uploads_unreachable', new Error(`S3: ${status} ${codeOf(answer) ?? ''}`.trim()))
}
