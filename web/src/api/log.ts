/** GET /app/api/log: the log in compact form, whole or what changed in it. */

import { client } from './client.ts'
import type { Audience, LogPayload } from './flights-of-log.ts'
import type { PackedLog } from './packed-log.ts'

export * from './flights-of-log.ts'

/** Bytes of a log that the page parses itself; a larger one would hold it up. */
const SMALL = 200_000

/** What changed since a token; the whole log without one, or where it is of no use. A large one is packed. */
export async function fetchLog(of: Audience, since: string): Promise<LogPayload | PackedLog> {
  const query = { ...of, ...(since && { since }) }
  const { data } = await client.GET('/log', { params: { query }, parseAs: 'arrayBuffer' })
  const bytes = data!
  if (bytes.byteLength > SMALL) return readInWorker(bytes)
  return (JSON.parse(new TextDecoder().decode(bytes)) as { data: LogPayload }).data
}

function readInWorker(bytes: ArrayBuffer): Promise<LogPayload | PackedLog> {
  const worker = new Worker(new URL('./log-worker.ts', import.meta.url), { type: 'module', name: 'log' })
  return new Promise<LogPayload | PackedLog>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<LogPayload | PackedLog>) => resolve(data)
    worker.onerror = () => reject(new Error('The log could not be read'))
    worker.postMessage(bytes, [bytes])
  }).finally(() => worker.terminate())
}

export async function fetchLogWords(of: Audience) {
  const { data } = await client.GET('/log-words', { params: { query: { ...of } } })
  return data!.data
}
