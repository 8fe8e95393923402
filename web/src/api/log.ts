/** GET /app/api/log: the log in compact form, whole or only its changes. */

import { base, client } from './client.ts'
import type { Audience, LogPayload } from './flights-of-log.ts'
import { noteReached } from './network.svelte.ts'
import { BEGUN, type PackedLog } from './packed-log.ts'

export * from './flights-of-log.ts'

/**
 * Changes since a token; the whole log if there is no token or it is no longer valid. A large log is packed; `onBegun` is called
 * when its response begins.
 */
export async function fetchLog(
  of: Audience,
  since: string,
  onBegun: () => void,
): Promise<LogPayload | PackedLog> {
  const whole = since ? null : await readInWorker(of, onBegun)
  if (whole) return whole
  const query = { ...of, ...(since && { since }) }
  const { data } = await client.GET('/log', { params: { query } })
  return data!.data
}

/** Null if the worker cannot read it. */
async function readInWorker(of: Audience, onBegun: () => void): Promise<LogPayload | PackedLog | null> {
  const query = new URLSearchParams({ scope: of.scope })
  if (of.userId) query.set('userId', of.userId)
  const worker = new Worker(new URL('./log-worker.ts', import.meta.url), { type: 'module', name: 'log' })
  const read = await new Promise<LogPayload | PackedLog | null>((resolve) => {
    worker.onmessage = ({ data }: MessageEvent<LogPayload | PackedLog | null | typeof BEGUN>) => {
      if (data !== BEGUN) return resolve(data)
      noteReached()
      onBegun()
    }
    worker.onerror = () => resolve(null)
    worker.postMessage(`${base}/log?${query}`)
  })
  worker.terminate()
  return read
}

export async function fetchLogWords(of: Audience, signal: AbortSignal) {
  const { data } = await client.GET('/log-words', { params: { query: { ...of } }, signal })
  return data!.data
}
