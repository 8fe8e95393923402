/** GET /app/api/log: the log in compact form, whole or what changed in it. */

import { client, dataOf } from './client.ts'
import type { LogPayload, LogScope } from './flights-of-log.ts'

export * from './flights-of-log.ts'

/** What changed since a token; the whole log without one, or where it is of no use. */
export async function fetchLog(scope: LogScope, since: string): Promise<LogPayload> {
  const query = { ...scope, ...(since && { since }) }
  return dataOf(client.GET('/log', { params: { query } }))
}

export async function fetchLogWords(scope: LogScope) {
  const { data } = await client.GET('/log-words', { params: { query: { ...scope } } })
  return data!.data
}
