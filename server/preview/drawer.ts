// Draws pictures beside the requests: one at a time, each in a thread of its own that takes its memory along.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Logger } from '../base/log.ts'
import type { FlownMap } from './picture.ts'

/** Undefined where too many others wait already, or it failed. */
export type Draw = (map: FlownMap) => Promise<Buffer | undefined>

const WAITING_AT_MOST = 16

export function createDrawer(log: Logger): Draw {
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()
  return async (map) => {
    if (waiting >= WAITING_AT_MOST) return undefined
    waiting++
    const picture = last.then(() =>
      drawInThread(map).catch((error: unknown) => {
        log.error('a link preview could not be drawn', { error })
        return undefined
      }),
    )
    last = picture.finally(() => waiting--)
    return picture
  }
}

async function drawInThread(map: FlownMap): Promise<Buffer> {
  const thread = new Worker(new URL('./thread.ts', import.meta.url), {
    workerData: map,
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  })
  // A server that stops does not wait for a picture.
  thread.unref()
  const [bytes] = (await once(thread, 'message')) as [Uint8Array]
  return Buffer.from(bytes)
}
