// The thread that `read.ts` starts: reads one file after the other, and sends the records of each in batches, of which few
// are under way at a time.
import { once } from 'node:events'
import module from 'node:module'
import { parentPort } from 'node:worker_threads'
import type { FromThread, ToThread } from './read.ts'

// Half of the time that a thread needs to start is the compiler's.
module.enableCompileCache()
const { openReading } = await import('./reading.ts')
const { UnreadableFile } = await import('./stages.ts')

const UNDER_WAY_AT_MOST = 6

const port = parentPort!
const send = (message: FromThread): void => port.postMessage(message)
let underWay = 0

port.on('message', (message: ToThread) => {
  if (message.kind === 'read') void readFile(message)
  else {
    underWay--
    port.emit('taken', undefined)
  }
})

/** What is neither refused nor read ends the thread with an error, which `read.ts` reports. */
async function readFile({ bytes, request }: Extract<ToThread, { kind: 'read' }>): Promise<void> {
  try {
    const { batches, ...head } = await openReading(bytes, request)
    send({ kind: 'head', head })
    for await (const records of batches) {
      while (underWay >= UNDER_WAY_AT_MOST) await once(port, 'taken')
      underWay++
      send({ kind: 'batch', records })
    }
    send({ kind: 'end' })
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    send({ kind: 'refused', code: error.code, message: error.message })
  }
}
