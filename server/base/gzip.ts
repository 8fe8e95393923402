// Compression of large responses: a log of ten thousand flights is six megabytes, compressed half a megabyte.
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'

/** Below this, compressing costs more than it saves. */
export const ZIP_FROM_BYTES = 64 * 1024

export const zip = promisify(gzip) as (bytes: Buffer) => Promise<Buffer>
export const unzip = promisify(gunzip) as (bytes: Buffer) => Promise<Buffer>
