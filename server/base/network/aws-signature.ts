// AWS Signature Version 4, by which an S3-compatible store authenticates a request. Only makes the header; sends nothing.
// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
import { createHash, createHmac } from 'node:crypto'

export interface AwsKey {
  accessKeyId: string
  secretAccessKey: string
  region: string
  service: string
}

interface SignedRequest {
  method: string
  url: URL
  /** All headers to sign, with lower-case names, including `host` and `x-amz-date`. */
  headers: Readonly<Record<string, string>>
  /** SHA-256 of the body in hexadecimal. */
  payloadHash: string
}

export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')

/** The form of `x-amz-date`: 20150830T123600Z. */
export const amzDate = (now: number): string => new Date(now).toISOString().replace(/[-:]|\.\d{3}/g, '')

/** The value of `Authorization`. */
export function authorizationFor(key: AwsKey, { method, url, headers, payloadHash }: SignedRequest): string {
  const time = headers['x-amz-date']!
  const names = Object.keys(headers).sort()
  const signedHeaders = names.join(';')
  const canonical = [
    method,
    url.pathname
      .split('/')
      .map((segment) => encoded(decodeURIComponent(segment)))
      .join('/'),
    canonicalQuery(url),
    ...names.map((name) => `${name}:${headers[name]!.trim().replace(/ +/g, ' ')}`),
    '',
    signedHeaders,
    payloadHash,
  ].join('\n')
  const scope = `${time.slice(0, 8)}/${key.region}/${key.service}/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')
  const signature = hmac(signingKey(key, time.slice(0, 8)), toSign).toString('hex')
  const credential = `${key.accessKeyId}/${scope}`
  return `AWS4-HMAC-SHA256 Credential=${credential},SignedHeaders=${signedHeaders},Signature=${signature}`
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

const signingKey = ({ secretAccessKey, region, service }: AwsKey, day: string): Buffer =>
  hmac(hmac(hmac(hmac(`AWS4${secretAccessKey}`, day), region), service), 'aws4_request')

/** As in RFC 3986, which encodes more characters than browsers do. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

const canonicalQuery = (url: URL): string =>
  [...url.searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&')
