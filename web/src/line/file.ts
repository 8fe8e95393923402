/** The airports, airlines and aircraft types that the line is read with: one file, loaded once and kept by the service worker. */

import type { LineData } from '../../../server/domain/entry/line/types.ts'
import { client, dataOf } from '../api/client.ts'

let loading: Promise<LineData> | undefined

export function loadLineData(): Promise<LineData> {
  loading ??= dataOf(client.GET('/line-data')) as Promise<LineData>
  loading.catch(() => {
    loading = undefined
  })
  return loading
}
