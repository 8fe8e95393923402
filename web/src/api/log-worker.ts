/** Fetches and parses a whole log: on the main thread, a large one would block the page. */

import type { LogPayload } from './compact-log.ts'
import { BEGUN, buffersOf, type PackedLog, packLog } from './packed-log.ts'
import { fetchWithin, GET_MS, isCopy, isUnreached } from './unreached.ts'

/** Size in bytes of a log that is handed over unpacked. */
const SMALL = 200_000

addEventListener('message', async ({ data: url }: MessageEvent<string>) => {
  const read = await readLog(url).catch(() => null)
  postMessage(read, { transfer: read && 'packed' in read ? (buffersOf(read) as ArrayBuffer[]) : [] })
})

/** Null unless the server itself responds with a log: the page then makes the request and reports the problem. */
async function readLog(url: string): Promise<LogPayload | PackedLog | null> {
  const response = await fetchWithin(GET_MS, url)
  if (response.status !== 200 || isUnreached(response) || isCopy(response)) return null
  postMessage(BEGUN)
  const text = await response.text()
  const { data: log } = JSON.parse(text) as { data: LogPayload }
  return text.length > SMALL ? packLog(log) : log
}
