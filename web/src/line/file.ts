/** The airports, airlines and aircraft types used to read the line: one file, loaded once and kept by the service worker. */

import type { LineData } from '../../../server/domain/entry/line/types.ts'
import { client, dataOf } from '../api/client.ts'
import { Resource } from '../lib/resource.svelte.ts'

export const lineFile = new Resource(
  (signal) => dataOf(client.GET('/line-data', { signal })) as Promise<LineData>,
)

export async function loadLineData(): Promise<LineData> {
  await lineFile.need()
  if (lineFile.value === null) throw lineFile.error
  return lineFile.value
}
