/** GET /app/api/log: the log in compact form, whole or what changed in it. */

import { client, dataOf } from './client.ts'
import type { Audience, LogPayload } from './flights-of-log.ts'

export * from './flights-of-log.ts'

/** What changed since a token; the whole log without one, or where it is of no use. */
export async function fetchLog(of: Audience, since: string): Promise<LogPayload> {
  const query = { ...of, ...(since && { since }) }
  return dataOf(client.GET('/log', { params: { query } }))
}

export async function fetchLogWords(of: Audience) {
  const { data } = await client.GET('/log-words', { params: { query: { ...of } } })
  return data!.data
}
