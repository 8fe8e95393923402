// Draws pictures without delaying requests: one at a time, each in its own thread, which frees its memory when it ends.
import { Worker } from 'node:worker_threads'
import type { Logger } from '../../base/log.ts'
import type { FlownMap } from './picture.ts'

/** Undefined if too many pictures are queued, or if drawing failed. */
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

function drawInThread(map: FlownMap): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('./thread.ts', import.meta.url), {
      workerData: map,
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    })
    // A stopping server does not wait for a picture.
    thread.unref()
    thread.once('message', (bytes: Uint8Array) => resolve(Buffer.from(bytes)))
    thread.once('error', reject)
    // No effect after the picture has arrived.
    thread.once('exit', (code) => reject(new Error(`the drawing thread ended with code ${code}`)))
  })
}
