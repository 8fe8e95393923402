// Compression of large responses: a log of ten thousand flights is six megabytes, or half a megabyte compressed.
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { createTurns, type Waiter } from '../turns.ts'

/** Below this, compressing costs more than it saves. */
export const ZIP_FROM_BYTES = 64 * 1024

const compress = promisify(gzip) as (bytes: Buffer) => Promise<Buffer>
export const unzip = promisify(gunzip) as (bytes: Buffer) => Promise<Buffer>

/** Compresses in a queue of its own. Concurrent requests for the same key share the work. */
export type Zip = (key: string, bytes: Buffer, waiter: Waiter) => Promise<Buffer>

/** Threads of the process that compress. Each holds a whole response, and so does each request in the queue. */
const AT_ONCE = 2
const WAITING_AT_MOST = 32

export function createZip(): Zip {
  const inTurn = createTurns({ atOnce: AT_ONCE, waitingAtMost: WAITING_AT_MOST })
  const underWay = new Map<string, Promise<Buffer>>()
  return (key, bytes, waiter) => {
    let zipping = underWay.get(key)
    if (!zipping) {
      zipping = inTurn(() => compress(bytes), waiter).finally(() => underWay.delete(key))
      underWay.set(key, zipping)
    }
    return zipping
  }
}
