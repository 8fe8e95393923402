/** GET /app/api/log: the whole log in compact form. */

import { client } from './client.ts'
import type { LogPayload, LogScope } from './flights-of-log.ts'

export * from './flights-of-log.ts'

interface LogResponse {
  payload: LogPayload
  etag: string | null
}

/** Null if the log has not changed since that etag. */
export async function fetchLog(scope: LogScope, etag: string | null): Promise<LogResponse | null> {
  const headers: Record<string, string> = etag ? { 'if-none-match': etag } : {}
  const { data, response } = await client.GET('/log', { params: { query: { ...scope } }, headers })
  if (response.status === 304 || !data) return null
  return { payload: data.data, etag: response.headers.get('etag') }
}

export async function fetchLogWords(scope: LogScope) {
  const { data } = await client.GET('/log-words', { params: { query: { ...scope } } })
  return data!.data
}
