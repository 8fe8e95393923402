/** Reads a large log: parsing it would hold up the page. */

import type { LogPayload } from './compact-log.ts'
import { buffersOf, type PackedLog, packLog } from './packed-log.ts'

addEventListener('message', ({ data }: MessageEvent<ArrayBuffer>) => {
  const { data: log } = JSON.parse(new TextDecoder().decode(data)) as { data: LogPayload }
  // Changes are put into a log that is there; only a whole one is packed.
  const read: LogPayload | PackedLog = log.partial ? log : packLog(log)
  postMessage(read, { transfer: 'packed' in read ? (buffersOf(read) as ArrayBuffer[]) : [] })
})
