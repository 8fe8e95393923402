// Compression of large responses: a log of ten thousand flights is six megabytes, compressed half a megabyte.
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { createTurns, type Waiter } from './turns.ts'

/** Below this, compressing costs more than it saves. */
export const ZIP_FROM_BYTES = 64 * 1024

const compress = promisify(gzip) as (bytes: Buffer) => Promise<Buffer>
export const unzip = promisify(gunzip) as (bytes: Buffer) => Promise<Buffer>

/** Compresses in a lane of its own. Requests for the same key at the same time share one piece of work. */
export type Zip = (key: string, bytes: Buffer, waiter: Waiter) => Promise<Buffer>

/** Threads of the process that compress, and what waits for them: each holds a whole response. */
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
