/** Fetches a whole log and reads it: receiving and parsing a large one would hold up the page. */

import type { LogPayload } from './compact-log.ts'
import { buffersOf, type PackedLog, packLog } from './packed-log.ts'
import { fetchWithin, GET_MS, isCopy, isUnreached } from './unreached.ts'

/** Bytes of a log that is handed over as it is. */
const SMALL = 200_000

addEventListener('message', async ({ data: url }: MessageEvent<string>) => {
  const read = await readLog(url).catch(() => null)
  postMessage(read, { transfer: read && 'packed' in read ? (buffersOf(read) as ArrayBuffer[]) : [] })
})

/** Null unless the server itself responds with a log: the page then asks, and tells the person. */
async function readLog(url: string): Promise<LogPayload | PackedLog | null> {
  const response = await fetchWithin(GET_MS, url)
  if (response.status !== 200 || isUnreached(response) || isCopy(response)) return null
  const text = await response.text()
  const { data: log } = JSON.parse(text) as { data: LogPayload }
  return text.length > SMALL ? packLog(log) : log
}
